//! Characters beyond ASCII and escapes: which of them can stand inside a word, and what such words fold to.

use lookback_ranker::analysis::fold;
use unicode_normalization::char::is_combining_mark;

/// Han, kana and Hangul in the form that everybody types: folding leaves them alone, and makes nothing else of them.
pub(super) fn is_plain_gram(c: char) -> bool {
    matches!(u32::from(c),
        0x3005..=0x3007 | 0x3041..=0x3096 | 0x309D..=0x309E | 0x30A1..=0x30FA | 0x30FC..=0x30FE
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3)
}

/// Whether a character can be part of a word that folds to ASCII, or is an unusual form of another one.
fn can_fold(c: char) -> bool {
    !c.is_ascii()
        && !is_plain_gram(c)
        && (c.is_alphanumeric() || is_combining_mark(c) || is_silent(c) || c == '\u{2019}')
}

/// Soft hyphen and joiners, which do not end a word.
fn is_silent(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200c}' | '\u{200d}')
}

/// Whether the character or escape at `at` makes its line odd.
pub(super) fn is_odd(bytes: &[u8], at: usize) -> bool {
    if bytes[at] == b'\\' {
        // Control characters are the only escapes that Pi writes.
        return unit(bytes, at).is_none_or(|unit| unit >= 0x20);
    }
    // Bytes that are not UTF-8 are read as U+FFFD, which is no letter; a byte inside of a character was passed over.
    char_at(bytes, at).is_some_and(|(c, _)| can_fold(c))
}

/// The UTF-16 unit of the escape `\uXXXX` at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at + 2..at + 6)?;
    digits.iter().try_fold(0, |unit, &digit| {
        char::from(digit).to_digit(16).map(|digit| unit << 4 | digit)
    })
}

/// The character that begins at `at`, and its length.
fn char_at(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let length = match bytes[at] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let text = std::str::from_utf8(bytes.get(at..at + length)?).ok()?;
    text.chars().next().map(|c| (c, length))
}

/// True when a line has a character that may be an unusual form of Han, kana or Hangul.
pub(super) fn has_unusual_form(line: &[u8]) -> bool {
    // `can_fold` is that already, and escapes can stand for anything.
    let mut at = 0;
    while at < line.len() {
        let byte = line[at];
        if byte == b'\\' {
            if line.get(at + 1) == Some(&b'u') && unit(line, at).is_none_or(|unit| unit >= 0x80) {
                return true;
            }
            at += 2;
        } else if byte < 0x80 {
            at += 1;
        } else {
            match char_at(line, at) {
                Some((c, _)) if can_fold(c) => return true,
                Some((_, length)) => at += length,
                None => at += 1,
            }
        }
    }
    false
}

/// True when a word with odd characters folds to something with one of the needles in it.
pub(super) fn folds_to_any(line: &[u8], needles: &[String]) -> bool {
    let mut run = Run::default();
    let mut high: Option<u32> = None;
    let mut at = 0;
    while at < line.len() {
        let byte = line[at];
        if byte == b'\\' {
            let escape = (line.get(at + 1) == Some(&b'u')).then(|| unit(line, at)).flatten();
            let Some(unit) = escape else {
                high = None;
                if run.ends_with(needles) {
                    return true;
                }
                at += 2;
                continue;
            };
            let c = match (high.take(), unit) {
                (Some(high), 0xdc00..=0xdfff) => {
                    char::from_u32(0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00))
                }
                (_, 0xd800..=0xdbff) => {
                    high = Some(unit);
                    at += 6;
                    continue;
                }
                (_, unit) => char::from_u32(unit),
            };
            if run.add(c.unwrap_or('\u{fffd}'), true, needles) {
                return true;
            }
            at += 6;
            continue;
        }
        high = None;
        let (c, length) = if byte < 0x80 {
            (char::from(byte), 1)
        } else {
            char_at(line, at).unwrap_or(('\u{fffd}', 1))
        };
        if run.add(c, false, needles) {
            return true;
        }
        at += length;
    }
    run.ends_with(needles)
}

/// A run of characters that can make up one word with its joints.
#[derive(Default)]
struct Run {
    text: String,
    /// It has something that a search for ASCII bytes does not see.
    odd: bool,
}

impl Run {
    /// Adds a character, or ends the run with it. True when the run that ends has a needle.
    fn add(&mut self, c: char, escaped: bool, needles: &[String]) -> bool {
        let odd = can_fold(c);
        let joins = odd || c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '\'' | '+' | '#');
        if !joins {
            return self.ends_with(needles);
        }
        self.odd |= odd || escaped;
        self.text.push(c);
        false
    }

    fn ends_with(&mut self, needles: &[String]) -> bool {
        let found = self.odd && {
            let folded = fold(&self.text);
            // Folding drops signs, which few needles have.
            needles.iter().any(|needle| {
                folded.contains(needle.as_str())
                    || needle.contains(['+', '#']) && self.text.to_lowercase().contains(needle.as_str())
            })
        };
        self.text.clear();
        self.odd = false;
        found
    }
}
