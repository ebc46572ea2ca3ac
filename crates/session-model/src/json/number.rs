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

/// The value of a number that [`is_number`] accepted.
pub(crate) fn value(text: &[u8]) -> Option<f64> {
    // Up to fifteen digits every whole number is exact, and nearly all numbers here are times and counts.
    if text.len() <= 15 && text.iter().all(u8::is_ascii_digit) {
        let whole = text
            .iter()
            .fold(0u64, |whole, digit| whole * 10 + u64::from(digit - b'0'));
        return Some(whole as f64);
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

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
