use crate::{Policy, Rarity, Recency};

const DAY_MS: f64 = 86_400_000.0;

impl Rarity {
    /// What a word is worth that `found` of `all` units have, those with a weaker form of it counted as so much less.
    pub(super) fn of(self, found: f32, all: usize) -> f32 {
        match self {
            Self::Flat => 1.0,
            Self::InverseFrequency => {
                let all = (all as f32).max(found);
                (1.0 + (all - found + 0.5) / (found + 0.5)).ln()
            }
        }
    }
}

impl Recency {
    /// The factor for a session that was last used at `time_ms`; later than now counts as now.
    pub(super) fn factor(self, now_ms: i64, time_ms: i64) -> f32 {
        let days = |days: f32| {
            let age = (now_ms as f64 - time_ms as f64).max(0.0) / DAY_MS;
            (age / f64::from(days)) as f32
        };
        match self {
            Self::None => 1.0,
            Self::Boost { gain, days: scale } => 1.0 + gain * (-days(scale)).exp(),
            Self::HalfLife { days: scale } => 0.5f32.powf(days(scale)),
        }
    }
}

impl Recency {
    /// What [`Self::factor`] is at most, where that says something about every factor without working it out.
    pub(super) fn most(self) -> Option<f32> {
        match self {
            Self::None => Some(1.0),
            Self::Boost { gain, days } if days > 0.0 && (0.0..=MILD_GAIN).contains(&gain) => Some(1.0 + gain),
            _ => None,
        }
    }
}

/// A gain by recency up to which a bound without it is nearly as good as one with it.
const MILD_GAIN: f32 = 0.25;

/// The saturation of a policy with the average length of a scale filled in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Saturated {
    k1: f32,
    /// `k1 * (1 - b)`
    fixed: f32,
    /// `k1 * b / average`
    per_length: f32,
}

impl Saturated {
    pub(super) fn new(policy: &Policy, b: f32, total_length: u64, units: usize) -> Self {
        let average = (total_length as f32 / units.max(1) as f32).max(1.0);
        let k1 = policy.saturation.k1;
        Self {
            k1,
            fixed: k1 * (1.0 - b),
            per_length: k1 * b / average,
        }
    }

    /// `quality * saturation(tf / quality)`, where the saturation of `tf` is
    /// `tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average))`. What is found by a weaker form only never gets the worth of the word
    /// itself, however often it occurs.
    #[inline]
    pub(super) fn of_quality(self, tf: f32, quality: f32, length: u32) -> f32 {
        // The same as dividing and multiplying, for one division less.
        quality * tf * (self.k1 + 1.0) / (tf + quality * (self.fixed + self.per_length * length as f32))
    }
}

/// The saturation of whole sessions, which differ in length by a factor of a thousand.
///
/// Frequencies count as `1 + ln(tf)`, lengths as their square root: otherwise the longest sessions, which have every
/// word many times, would stand first for every query, or with full normalisation for none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Damped {
    saturated: Saturated,
}

impl Damped {
    pub(super) fn new(policy: &Policy, b: f32, total_length: u64, units: usize) -> Self {
        let average = (total_length as f32 / units.max(1) as f32).max(1.0);
        let k1 = policy.saturation.k1;
        Self {
            saturated: Saturated {
                k1,
                fixed: k1 * (1.0 - b),
                per_length: k1 * b / average.sqrt(),
            },
        }
    }

    /// `quality * saturation(1 + ln(tf / quality))` with the square root of the length.
    #[inline]
    pub(super) fn of_quality(self, tf: f32, quality: f32, length: u32) -> f32 {
        let Saturated {
            k1,
            fixed,
            per_length,
        } = self.saturated;
        let tf = tf / quality;
        let damped = if tf > 1.0 { 1.0 + tf.ln() } else { tf };
        quality * damped * (k1 + 1.0) / (damped + fixed + per_length * (length as f32).sqrt())
    }
}
