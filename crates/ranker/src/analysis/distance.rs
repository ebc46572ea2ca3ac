/// The number of edits (a character more, less, another one, or two neighbours swapped) that make one word of the
/// other; `None` when it is more than `limit`.
///
/// ```
/// use lookback_ranker::analysis::edit_distance;
/// assert_eq!(edit_distance("tokenizer", "tokenzier", 2), Some(1));
/// assert_eq!(edit_distance("cat", "dog", 2), None);
/// ```
pub fn edit_distance(one: &str, other: &str, limit: usize) -> Option<usize> {
    if one == other {
        return Some(0);
    }
    if one.is_ascii() && other.is_ascii() {
        return distance(one.as_bytes(), other.as_bytes(), limit);
    }
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    distance(&one, &other, limit)
}

/// Words of fewer letters are measured without an allocation: a look for slips measures thousands of them.
const SHORT: usize = 40;

fn distance<T: Copy + PartialEq>(mut one: &[T], mut other: &[T], limit: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > limit {
        return None;
    }
    // Nobody gains by editing the same beginning or end.
    while let ([a, rest @ ..], [b, others @ ..]) = (one, other)
        && a == b
    {
        (one, other) = (rest, others);
    }
    while let ([rest @ .., a], [others @ .., b]) = (one, other)
        && a == b
    {
        (one, other) = (rest, others);
    }
    let width = other.len() + 1;
    let mut short = [0usize; 3 * SHORT];
    let mut long = Vec::new();
    let rows = if width <= SHORT {
        &mut short[..3 * width]
    } else {
        long.resize(3 * width, 0);
        &mut long[..]
    };
    let (mut before_last, rows) = rows.split_at_mut(width);
    let (mut last, mut row) = rows.split_at_mut(width);
    for (j, cost) in last.iter_mut().enumerate() {
        *cost = j;
    }
    for i in 1..=one.len() {
        row[0] = i;
        let mut least = i;
        for j in 1..width {
            let change = usize::from(one[i - 1] != other[j - 1]);
            let mut cost = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + change);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                cost = cost.min(before_last[j - 2] + 1);
            }
            row[j] = cost;
            least = least.min(cost);
        }
        if least > limit {
            return None;
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    Some(last[width - 1]).filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The table in full.
    fn measured(one: &[char], other: &[char]) -> usize {
        let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
        for i in 0..=one.len() {
            for j in 0..=other.len() {
                table[i][j] = match (i, j) {
                    (0, _) | (_, 0) => i + j,
                    _ => {
                        let change = usize::from(one[i - 1] != other[j - 1]);
                        let mut cost = (table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                        cost = cost.min(table[i - 1][j - 1] + change);
                        if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                            cost = cost.min(table[i - 2][j - 2] + 1);
                        }
                        cost
                    }
                };
            }
        }
        table[one.len()][other.len()]
    }

    proptest! {
        #[test]
        fn short_ways_measure_the_same(one in "[abc]{0,7}|[aé]{0,5}|a{0,60}b?", other in "[abc]{0,7}|[aé]{0,5}|a{0,60}b?") {
            let [a, b] = [&one, &other].map(|word| word.chars().collect::<Vec<char>>());
            let expected = measured(&a, &b);
            for limit in 0..4 {
                prop_assert_eq!(edit_distance(&one, &other, limit), Some(expected).filter(|edits| *edits <= limit));
            }
        }
    }
}
