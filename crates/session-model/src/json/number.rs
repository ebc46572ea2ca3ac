//! JSON numbers.

/// True for a number as JSON writes it.
pub(super) fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    rest = &rest[whole..];
    if rest.is_empty() {
        return true;
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent
            .strip_prefix(b"+")
            .or(exponent.strip_prefix(b"-"))
            .unwrap_or(exponent);
        let length = digits(exponent);
        return length > 0 && length == exponent.len();
    }
    rest.is_empty()
}

/// The length of a number of digits and perhaps a fraction, as nearly all are written, where a comma or bracket is right
/// behind it.
#[inline(always)]
pub(super) fn plain_number(text: &[u8]) -> Option<usize> {
    let whole = digits(text);
    let mut end = whole;
    if text.get(whole) == Some(&b'.') {
        let fraction = digits(&text[whole + 1..]);
        if fraction == 0 {
            return None;
        }
        end += 1 + fraction;
    }
    let is_canonical = whole == 1 || (whole > 1 && text[0] != b'0');
    (is_canonical && matches!(text.get(end), Some(b',' | b'}' | b']'))).then_some(end)
}

/// How many digits `text` begins with.
#[inline(always)]
fn digits(text: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 0xff;
    const UPPER: u64 = ONES * 0xf0;
    const ZEROS: u64 = ONES * b'0' as u64;
    if let Some(word) = text.first_chunk() {
        // The upper half of a digit is that of `0`, and so it is with six added. What is no digit may carry into the
        // bytes behind it, never into those before.
        let word = u64::from_le_bytes(*word);
        let others = ((word & UPPER) ^ ZEROS) | ((word.wrapping_add(ONES * 6) & UPPER) ^ ZEROS);
        if others != 0 {
            return others.trailing_zeros() as usize / 8;
        }
    }
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The value of a number that [`is_number`] accepted.
pub(crate) fn value(text: &[u8]) -> Option<f64> {
    // Up to fifteen digits every whole number is exact, and nearly all numbers here are times and counts.
    if text.len() <= 15 {
        let (mut whole, mut all_digits) = (0u64, true);
        for byte in text {
            let digit = byte.wrapping_sub(b'0');
            all_digits &= digit < 10;
            whole = whole * 10 + u64::from(digit);
        }
        if all_digits {
            return Some(whole as f64);
        }
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_counted_as_one_by_one() {
        for stop in 0..=u8::MAX {
            for before in 0..10 {
                let text = [&b"9876543210"[..before], &[stop], b"\xff0\xfa12345678"].concat();
                let slowly = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
                assert_eq!(digits(&text), slowly, "{}", text.escape_ascii());
            }
        }
        for (text, length) in [("1,", 1), ("0.25}", 4), ("123456789012.5]", 14)] {
            assert_eq!(plain_number(text.as_bytes()), Some(length));
        }
        for text in ["01,", "1.,", "1", "-1,", "1e5,", ".5,", "1 ,"] {
            assert_eq!(plain_number(text.as_bytes()), None);
        }
    }

    #[test]
    fn the_short_cut_agrees_with_the_general_parser() {
        for text in [
            "0",
            "7",
            "1767261601000",
            "999999999999999",
            "1234567890123456",
            "-5",
            "1.5e3",
            "1e999",
        ] {
            assert!(is_number(text.as_bytes()), "{text}");
            assert_eq!(value(text.as_bytes()), text.parse().ok(), "{text}");
        }
        for text in [
            "", "-", "01", "1.", ".5", "1e", "1e+", "+1", "0x1", "1_0", "NaN", "1 ",
        ] {
            assert!(!is_number(text.as_bytes()), "{text}");
        }
    }
}
