//! Characters beyond ASCII and escapes: which of them can stand inside a word, and what such words fold to.

use lookback_ranker::analysis::fold;
use unicode_normalization::char::is_combining_mark;

/// Han, kana and Hangul in the form that everybody types: folding leaves them alone, and makes nothing else of them.
pub(super) fn is_plain_gram(c: char) -> bool {
    matches!(u32::from(c),
        0x3005..=0x3007 | 0x3041..=0x3096 | 0x309D..=0x309E | 0x30A1..=0x30FA | 0x30FC..=0x30FE
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3)
}

/// Punctuation, arrows, boxes and pictures: common in answers, and part of no word. Not all of them, only those that
/// can be told fast.
fn is_plain_sign(c: char) -> bool {
    matches!(u32::from(c),
        0x2010..=0x2018 | 0x201A..=0x206F | 0x2190..=0x245F | 0x2500..=0x2BFF | 0x3000..=0x3004
        | 0x3008..=0x3020 | 0x1F300..=0x1FAFF)
}

/// Whether a character can be part of a word that folds to ASCII, or is an unusual form of another one.
fn can_fold(c: char) -> bool {
    !c.is_ascii()
        && !is_plain_sign(c)
        && !is_plain_gram(c)
        && (c.is_alphanumeric() || is_combining_mark(c) || is_silent(c) || c == '\u{2019}')
}

/// Soft hyphen and joiners, which do not end a word.
fn is_silent(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200c}' | '\u{200d}')
}

/// Whether the character or escape at `at` needs a look at its word.
pub(super) fn is_odd(bytes: &[u8], at: usize) -> bool {
    if bytes[at] != b'\\' {
        // Most of what is odd in answers, told without decoding it.
        if matches!(bytes[at..], [0xe2, 0x87..=0x90 | 0x94..=0xaf, ..] | [0xe2, 0x80, 0x90..=0x98, ..]) {
            return false;
        }
        // Bytes that are not UTF-8 are read as U+FFFD, which is no letter; nor is a byte inside of a character.
        return char_at(bytes, at).is_some_and(|(c, _)| can_fold(c));
    }
    if bytes.get(at + 1) != Some(&b'u') {
        return false;
    }
    let slashes = bytes[..at]
        .iter()
        .rev()
        .take_while(|&&byte| byte == b'\\')
        .count();
    // A backslash behind a backslash is no escape. Control characters are the only escapes that Pi writes.
    slashes % 2 == 0 && escape_at(bytes, at).is_none_or(|unit| unit >= 0x20)
}

/// The UTF-16 unit of the escape `\uXXXX` at `at`.
fn escape_at(bytes: &[u8], at: usize) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.get(at..at + 6)? else {
        return None;
    };
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

/// The character at `at`, as it is or escaped, and its length; `None` for what ends a word anyway.
fn written_at(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    match *bytes.get(at)? {
        b'\\' => {
            let unit = escape_at(bytes, at)?;
            if !(0xd800..0xe000).contains(&unit) {
                return char::from_u32(unit).map(|c| (c, 6));
            }
            let low =
                escape_at(bytes, at + 6).filter(|low| unit < 0xdc00 && (0xdc00..0xe000).contains(low))?;
            char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)).map(|c| (c, 12))
        }
        byte if byte < 0x80 => Some((char::from(byte), 1)),
        _ => char_at(bytes, at),
    }
}

fn is_ascii_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'\'' | b'+' | b'#')
}

/// Looks at the word around the odd character at `at`, of which nothing before `from` was odd. True when it folds to
/// something with one of the needles in it; also returns where the word ends.
pub(super) fn word_folds_to_any(bytes: &[u8], at: usize, from: usize, needles: &[String]) -> (bool, usize) {
    let before = bytes[from..at]
        .iter()
        .rev()
        .take_while(|&&byte| is_ascii_part(byte))
        .count();
    let mut word = String::from_utf8_lossy(&bytes[at - before..at]).into_owned();
    let mut end = at;
    while let Some((c, length)) = written_at(bytes, end)
        && (can_fold(c) || u8::try_from(c).is_ok_and(is_ascii_part))
    {
        word.push(c);
        end += length;
    }
    let folded = fold(&word);
    // Folding drops signs, which few needles have.
    let finds = needles.iter().any(|needle| {
        folded.contains(needle.as_str())
            || needle.contains(['+', '#']) && word.to_lowercase().contains(needle.as_str())
    });
    (finds, end.max(at + 1))
}
