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
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    if one.len().abs_diff(other.len()) > limit {
        return None;
    }
    let width = other.len() + 1;
    let mut before_last = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    let mut row = vec![0; width];
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
