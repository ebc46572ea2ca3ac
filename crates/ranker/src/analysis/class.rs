use unicode_normalization::char::is_combining_mark;

/// True for the most frequent of the characters below: Han, kana and Hangul syllables that are letters in their own
/// compatibility form. Tables of all characters, which would say the same, are slow.
#[inline]
pub(crate) fn is_plain_gram(c: char) -> bool {
    matches!(u32::from(c), 0x3041..=0x3096 | 0x30A1..=0x30FA | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3)
}

/// True for characters of scripts that put no spaces between words, and for Hangul, whose words carry particles.
pub(crate) fn is_gram(c: char) -> bool {
    if c < '\u{e00}' {
        return false;
    }
    if is_plain_gram(c) {
        return true;
    }
    let in_script = matches!(u32::from(c),
        // Thai, Lao, Tibetan, Myanmar, Khmer
        0x0E00..=0x0FFF | 0x1000..=0x109F | 0x1780..=0x17FF
        // Hangul letters
        | 0x1100..=0x11FF | 0xA960..=0xA97F | 0xD7B0..=0xD7FF
        // Han radicals, iteration marks, kana, Bopomofo, compatibility Hangul, Han, Yi
        | 0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x3035 | 0x3041..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0xA4CF
        // Hangul syllables, compatibility Han, half-width kana and Hangul
        | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFF66..=0xFFDC
        // Kana supplements and Han extensions
        | 0x1AFF0..=0x1B16F | 0x20000..=0x3FFFF);
    in_script && c.is_alphanumeric() && !c.is_ascii_digit() && !is_decimal_digit(c)
}

/// Digits of the scripts above; numbers are words.
fn is_decimal_digit(c: char) -> bool {
    matches!(u32::from(c), 0x0E50..=0x0E59 | 0x0ED0..=0x0ED9 | 0x0F20..=0x0F29 | 0x1040..=0x1049 | 0x17E0..=0x17E9)
}

/// True for characters that belong to the one before: combining marks, the vowels and finals of decomposed Hangul,
/// half-width voicing marks.
pub(crate) fn continues(c: char) -> bool {
    if c < '\u{300}' || is_plain_gram(c) {
        return false;
    }
    matches!(u32::from(c), 0x1160..=0x11FF | 0xD7B0..=0xD7FF | 0xFF9E..=0xFF9F) || is_combining_mark(c)
}

/// True for characters inside a word that neither show nor count: soft hyphen and joiners.
pub(crate) fn is_invisible_joiner(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200c}' | '\u{200d}')
}

/// The straight and the curly apostrophe.
pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}')
}

/// True for characters that words are made of, scripts without spaces aside.
pub(crate) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || (!c.is_ascii() && !is_gram(c) && c.is_alphanumeric() && !continues(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_characters_are_what_the_tables_say() {
        for c in ('\0'..=char::MAX).filter(|c| is_plain_gram(*c)) {
            assert!(
                c.is_alphanumeric() && !is_decimal_digit(c) && !is_combining_mark(c),
                "{c}"
            );
        }
    }
}
