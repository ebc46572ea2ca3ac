//! How many messages each session has: many short sessions, few very long ones.

use super::random::Random;

/// The tail of real session folders: of 2,000 sessions about four have more than 2,000 messages.
const SHAPE: f64 = 1.6;
/// No session is longer than this many times the mean.
const MOST: f64 = 75.0;

/// Numbers of text messages, one for each session, with the wanted mean.
///
/// The sizes are the quantiles of the distribution in shuffled order instead of independent draws: with a tail as
/// heavy as this one, independent draws would make the total depend on the seed.
pub(crate) fn message_counts(seed: u64, sessions: usize, mean: f64) -> Vec<usize> {
    let mut weights: Vec<f64> = (0..sessions)
        .map(|number| (number as f64 + 0.5) / sessions as f64)
        .map(|quantile| (quantile / (1.0 - quantile)).powf(1.0 / SHAPE))
        .collect();
    // Cutting the tail lowers the mean, so that the rest has to grow; a few rounds settle it.
    for _ in 0..6 {
        let scale = mean * sessions as f64 / weights.iter().sum::<f64>();
        weights
            .iter_mut()
            .for_each(|weight| *weight = (*weight * scale).min(mean * MOST));
    }
    let mut counts = Vec::with_capacity(sessions);
    let mut rest = 0.0;
    for weight in weights {
        // What rounding takes from one session is given to the next one.
        let count = (weight + rest).round().max(1.0);
        rest = (rest + weight - count).clamp(-1.0, 1.0);
        counts.push(count as usize);
    }
    let mut random = Random::derived(seed, 0x7369_7a65);
    for last in (1..counts.len()).rev() {
        counts.swap(last, random.below(last + 1));
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::message_counts;

    #[test]
    fn totals_scale_with_the_number_of_sessions() {
        for sessions in [1, 12, 200, 2_000] {
            let total: usize = message_counts(7, sessions, 41.5).iter().sum();
            let wanted = 41.5 * sessions as f64;
            assert!(
                (total as f64 - wanted).abs() <= wanted * 0.02 + 1.0,
                "{sessions} sessions: {total} of {wanted}"
            );
        }
    }

    #[test]
    fn a_few_sessions_are_very_long_and_most_are_short() {
        let counts = message_counts(7, 2_000, 41.5);
        // Every text message brings about one more that is a tool result.
        let long = counts.iter().filter(|&&count| count > 1_000).count();
        let short = counts.iter().filter(|&&count| count < 42).count();
        assert!((2..=12).contains(&long), "{long} long sessions");
        assert!(short > 1_300, "{short} short sessions");
    }
}
