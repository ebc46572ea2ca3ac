//! Characters as a reader counts them, without the tables of Unicode where most text needs none.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// True for characters of which two never make one grapheme: ASCII but the carriage return, letters without marks of
/// Latin, Greek and Cyrillic, common punctuation, Han, kana and Hangul syllables.
fn is_simple(c: char) -> bool {
    matches!(u32::from(c),
        0..=0x0C | 0x0E..=0x7F
        | 0xA1..=0xA8 | 0xAA..=0xAC | 0xAF..=0x2FF | 0x370..=0x482 | 0x48A..=0x52F
        | 0x2010..=0x2027 | 0x3001..=0x3029 | 0x3041..=0x3096 | 0x30A0..=0x30FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3 | 0xFF01..=0xFF9D)
}

/// Lengths of graphemes in bytes, in the order they were met.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Lengths {
    /// So many graphemes of one byte come first.
    ones: usize,
    others: Vec<usize>,
}

impl Lengths {
    pub(super) fn count(&self) -> usize {
        self.ones + self.others.len()
    }

    /// The bytes of the first `count` of them.
    pub(super) fn bytes(&self, count: usize) -> usize {
        let ones = count.min(self.ones);
        let others = (count - ones).min(self.others.len());
        ones + self.others[..others].iter().sum::<usize>()
    }
}

/// Number of bytes, `count` at most, that certainly are graphemes of one byte each.
fn leading_ones<'b>(bytes: impl Iterator<Item = &'b u8>, count: usize) -> usize {
    let is_one = |byte: &&u8| byte.is_ascii() && **byte != b'\r';
    match bytes.take(count.saturating_add(1)).take_while(is_one).count() {
        enough if enough > count => count,
        // The last one may be joined by what follows.
        fewer => fewer.saturating_sub(1),
    }
}

/// The first `count` graphemes.
pub(super) fn ahead(text: &str, count: usize) -> Lengths {
    let ones = leading_ones(text.as_bytes().iter(), count);
    let mut others = Vec::new();
    let mut at = ones;
    let mut chars = text[at..].chars().peekable();
    while ones + others.len() < count {
        let Some(c) = chars.next() else { break };
        if !is_simple(c) || chars.peek().is_some_and(|next| !is_simple(*next)) {
            // Whether what follows belongs to it is a matter for the tables.
            let rest = text[at..].graphemes(true).take(count - ones - others.len());
            others.extend(rest.map(str::len));
            break;
        }
        others.push(c.len_utf8());
        at += c.len_utf8();
    }
    Lengths { ones, others }
}

/// The last `count` graphemes, the last one first.
pub(super) fn backwards(text: &str, count: usize) -> Lengths {
    let ones = leading_ones(text.as_bytes().iter().rev(), count);
    let mut others = Vec::new();
    let mut end = text.len() - ones;
    let mut chars = text[..end].chars().rev().peekable();
    while ones + others.len() < count {
        let Some(c) = chars.next() else { break };
        if !is_simple(c) || chars.peek().is_some_and(|before| !is_simple(*before)) {
            let rest = text[..end]
                .graphemes(true)
                .rev()
                .take(count - ones - others.len());
            others.extend(rest.map(str::len));
            break;
        }
        others.push(c.len_utf8());
        end -= c.len_utf8();
    }
    Lengths { ones, others }
}

/// True when the text has more than `count` graphemes.
pub(super) fn are_more_than(text: &str, count: usize) -> bool {
    // A grapheme has one byte at least.
    if text.len() <= count {
        return false;
    }
    if leading_ones(text.as_bytes().iter(), count) == count {
        return true;
    }
    let mut simple = 0;
    for c in text.chars() {
        if !is_simple(c) {
            return text.graphemes(true).nth(count).is_some();
        }
        simple += 1;
        // The last one may go on.
        if simple > count + 1 {
            return true;
        }
    }
    simple > count
}

/// The start of the grapheme that `offset` stands in.
pub(super) fn start_of(text: &str, offset: usize) -> usize {
    if is_border(text, offset) {
        return offset;
    }
    GraphemeCursor::new(offset, text.len(), true)
        .prev_boundary(text, 0)
        .ok()
        .flatten()
        .unwrap_or(0)
}

/// The end of the grapheme that ends at `offset` or stands around it.
pub(super) fn end_of(text: &str, offset: usize) -> usize {
    if is_border(text, offset) {
        return offset;
    }
    GraphemeCursor::new(offset, text.len(), true)
        .next_boundary(text, 0)
        .ok()
        .flatten()
        .unwrap_or(text.len())
}

fn is_border(text: &str, offset: usize) -> bool {
    let (before, after) = (text[..offset].chars().next_back(), text[offset..].chars().next());
    if before.is_none_or(is_simple) && after.is_none_or(is_simple) {
        return true;
    }
    GraphemeCursor::new(offset, text.len(), true)
        .is_boundary(text, 0)
        .unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn short_ways_lead_to_the_same_place(
            text in "([a-z \r\n]|é|e\u{301}|数|が|か\u{3099}|한|\u{1112}\u{1161}|\u{11ab}|👩\u{200d}🔬|🇩🇪|\u{600}|\u{ad}|ß|ﾞ|ｶ|\\PC){0,40}",
            count in 0usize..50,
        ) {
            let lengths: Vec<usize> = text.graphemes(true).map(str::len).collect();
            let first: Vec<usize> = lengths.iter().copied().take(count).collect();
            let last: Vec<usize> = lengths.iter().rev().copied().take(count).collect();
            for (found, expected) in [(ahead(&text, count), first), (backwards(&text, count), last)] {
                prop_assert_eq!(found.count(), expected.len());
                for taken in 0..=expected.len() {
                    prop_assert_eq!(found.bytes(taken), expected[..taken].iter().sum::<usize>());
                }
            }
            prop_assert_eq!(are_more_than(&text, count), lengths.len() > count);
            for (offset, _) in text.char_indices() {
                let cursor = || GraphemeCursor::new(offset, text.len(), true);
                prop_assert_eq!(is_border(&text, offset), cursor().is_boundary(&text, 0).unwrap());
            }
        }
    }

    /// The table is by hand; this is what it promises.
    #[test]
    fn simple_characters_never_join() {
        let simple: Vec<char> = ('\0'..=char::MAX).filter(|c| is_simple(*c)).collect();
        for c in &simple {
            for other in ['a', '\n', '\r', '数', 'が', '각', '가', '。', 'ａ', '\u{ad}'] {
                if other == '\r' {
                    continue;
                }
                for pair in [format!("{c}{other}"), format!("{other}{c}")] {
                    assert_eq!(pair.graphemes(true).count(), 2, "{pair:?}");
                }
            }
        }
    }
}
