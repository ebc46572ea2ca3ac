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

const ONES: u64 = u64::MAX / 0xff;
const ZEROS: u64 = ONES * b'0' as u64;

/// How many digits `text` begins with.
#[inline(always)]
fn digits(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks();
    let mut count = 0;
    for word in words {
        let others = other_than_digits(u64::from_le_bytes(*word));
        if others != 0 {
            return count + others.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    count + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Zero where all eight bytes are digits; else the first byte that is not zero is the first that is no digit.
#[inline(always)]
fn other_than_digits(word: u64) -> u64 {
    const UPPER: u64 = ONES * 0xf0;
    // The upper half of a digit is that of `0`, and so it is with six added. What is no digit may carry into the bytes
    // behind it, never into those before.
    ((word & UPPER) ^ ZEROS) | ((word.wrapping_add(ONES * 6) & UPPER) ^ ZEROS)
}

/// The value of eight digits, the first of them in the lowest byte.
#[inline(always)]
fn eight_digits(word: u64) -> u64 {
    // Neighbours are joined: digits to pairs, pairs to fours, fours to eight.
    let pairs = (word ^ ZEROS).wrapping_mul(10).wrapping_add((word ^ ZEROS) >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    (fours * 10_000).wrapping_add(fours >> 32) & 0xffff_ffff
}

/// The value of a number that [`is_number`] accepted.
pub(crate) fn value(text: &[u8]) -> Option<f64> {
    // Up to fifteen digits every whole number is exact, and nearly all numbers here are times and counts.
    if text.len() <= 15 {
        let (mut whole, mut others) = (0, 0);
        let (words, rest) = text.as_chunks();
        for word in words {
            let word = u64::from_le_bytes(*word);
            others |= other_than_digits(word);
            whole = eight_digits(word);
        }
        for byte in rest {
            let digit = u64::from(byte.wrapping_sub(b'0'));
            others |= u64::from(digit > 9);
            whole = whole * 10 + digit;
        }
        if others == 0 {
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
            "12345678",
            "1234567.8",
            "90817263.4455",
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
