use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::class::{is_gram, is_plain_gram};

/// The form of a word under which it is found: compatibility forms, case, and the diacritics of Latin, Greek,
/// Cyrillic, Arabic and Hebrew make no difference. Signs are dropped.
///
/// ```
/// use lookback_ranker::analysis::fold;
/// assert_eq!(fold("Zürich"), "zurich");
/// assert_eq!(fold("STRASSE"), fold("Straße"));
/// assert_eq!(fold("ＡＰＩ"), "api");
/// ```
pub fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    fold_into(word, &mut folded);
    folded
}

/// Appends the folded word.
pub(crate) fn fold_into(word: &str, out: &mut String) {
    if word.is_ascii() {
        let start = out.len();
        if word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            out.push_str(word);
        } else {
            out.extend(word.chars().filter(char::is_ascii_alphanumeric));
        }
        out[start..].make_ascii_lowercase();
        return;
    }
    // Han, kana and Hangul syllables are their own form: no need to take them apart.
    if word.chars().all(is_plain_gram) {
        out.push_str(word);
        return;
    }
    let mut drops_marks = true;
    for composed in word.nfkc() {
        for c in composed.to_lowercase() {
            if is_combining_mark(c) {
                if !drops_marks {
                    out.push(c);
                }
            } else if c.is_alphanumeric() {
                drops_marks = fold_letter(c, out);
            }
        }
    }
}

/// Appends a letter without its diacritics. False when marks after it are part of the letter in its script.
fn fold_letter(c: char, out: &mut String) -> bool {
    let folded = match c {
        'ß' => "ss",
        'ς' => "σ",
        'ı' => "i",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        _ => "",
    };
    if !folded.is_empty() {
        out.push_str(folded);
        return true;
    }
    if c.is_ascii() {
        out.push(c);
        return true;
    }
    let mut base = c;
    let mut pieces = 0;
    unicode_normalization::char::decompose_canonical(c, |piece| {
        if pieces == 0 {
            base = piece;
        }
        pieces += 1;
    });
    let is_alphabet = matches!(u32::from(base), 0..=0x5FF | 0x600..=0x77F | 0x8A0..=0x8FF | 0x1C80..=0x1C8F | 0x1D00..=0x1FFF | 0x2C60..=0x2C7F | 0xA640..=0xA69F | 0xA720..=0xA7FF);
    if !is_alphabet {
        out.push(c);
        return false;
    }
    // A capital can hide behind a compatibility form; sigma can be final behind a mark.
    if base == c || !matches!(base, 'ς' | 'ı' | 'ø' | 'æ') {
        out.push(base);
    } else {
        fold_letter(base, out);
    }
    true
}

/// True when the text has a character that a search can look for.
pub fn is_searchable(text: &str) -> bool {
    text.chars().any(|c| c.is_alphanumeric() || is_gram(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_characters_are_their_own_form() {
        for c in (char::MIN..=char::MAX).filter(|c| is_plain_gram(*c)) {
            // With a letter behind it, it goes the long way.
            let pair = format!("{c}a");
            assert_eq!(fold(&pair), pair, "{c}");
        }
    }

    #[test]
    fn spellings_of_one_word_meet() {
        for (one, other) in [
            ("café", "cafe\u{301}"),
            ("İstanbul", "istanbul"),
            ("I\u{307}stanbul", "istanbul"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"),
            ("Straße", "STRASSE"),
            ("ИНДЕКСАЦИЮ", "индексацию"),
            ("ｆｕｌｌｗｉｄｔｈ", "fullwidth"),
            ("ｶﾞ", "ガ"),
            ("ガ", "カ\u{3099}"),
            ("ǿ", "o"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} {other}");
        }
        assert_ne!(fold("ガ"), fold("カ"), "a voicing mark makes another letter");
        assert_ne!(fold("कि"), fold("क"), "a vowel sign is no diacritic");
    }
}
