use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A moment in milliseconds since 1970-01-01T00:00:00Z.
///
/// Displays and serialises as ISO 8601 in UTC with milliseconds (`2026-03-02T09:00:00.000Z`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(i64);

/// The range of JavaScript dates, which is the range of times that Pi itself can show.
const LIMIT_MS: i64 = 8_640_000_000_000_000;

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Self = Self(0);

    /// The moment `ms` milliseconds after 1970; `None` outside the range that dates in Pi can have.
    pub const fn from_millis(ms: i64) -> Option<Self> {
        if ms >= -LIMIT_MS && ms <= LIMIT_MS {
            Some(Self(ms))
        } else {
            None
        }
    }

    /// The same for a JSON number: fractions are dropped, infinities and absurd values are `None`.
    pub fn from_number(ms: f64) -> Option<Self> {
        // The comparison is false for NaN.
        if ms.abs() <= LIMIT_MS as f64 {
            Self::from_millis(ms as i64)
        } else {
            None
        }
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Reads an ISO 8601 date (`2026`, `2026-03`, `2026-03-02`) with or without a time of day, as JavaScript does:
    /// without a zone it is taken as UTC, and the 30th of February is the 2nd of March.
    ///
    /// ```
    /// use lookback_session_model::Timestamp;
    /// let time = Timestamp::parse("2026-03-02T09:00:00.000Z").unwrap();
    /// assert_eq!(time.to_string(), "2026-03-02T09:00:00.000Z");
    /// assert_eq!(Timestamp::parse("2026-03-02T10:00:00+01:00").unwrap(), time);
    /// assert!(Timestamp::parse("yesterday").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        parse_as_pi_writes(bytes).or_else(|| parse_iso(bytes))
    }
}

/// The one shape that Pi writes, `YYYY-MM-DDTHH:MM:SS.mmmZ`. Every line has one, so it is worth a short cut.
fn parse_as_pi_writes(text: &[u8]) -> Option<Timestamp> {
    let (words, []) = text.as_chunks() else {
        return None;
    };
    let words: [[u8; 8]; 3] = words.try_into().ok()?;
    // Eight bytes at a time: what is a mark where a mark belongs and a digit elsewhere becomes numbers of one byte each.
    const YEARS: Shape = Shape::new(b"0000-00-");
    const DAYS: Shape = Shape::new(b"00T00:00");
    const SECONDS: Shape = Shape::new(b":00.000Z");
    let years = YEARS.digits(words[0])?;
    let days = DAYS.digits(words[1])?;
    let seconds = SECONDS.digits(words[2])?;
    // Byte n holds digit n times ten and the digit behind it.
    let pair = |digits: u64, at: u32| ((digits * 10 + (digits >> 8)) >> (8 * at) & 0xff) as i64;
    let date = (
        pair(years, 0) * 100 + pair(years, 2),
        pair(years, 5),
        pair(days, 0),
    );
    let ms = pair(seconds, 4) * 10 + (seconds >> 48 & 0xff) as i64;
    let time = (pair(days, 3), pair(days, 6), pair(seconds, 1), ms);
    if time.0 > 23 {
        None
    } else {
        timestamp(date, time, 0)
    }
}

/// Eight bytes of which some are marks and the others digits.
struct Shape {
    /// `0` stands for any digit.
    bytes: u64,
    /// The bits that digits may have.
    places: u64,
}

impl Shape {
    const fn new(shape: &[u8; 8]) -> Self {
        let mut places = 0;
        let mut at = 0;
        while at < 8 {
            if shape[at] == b'0' {
                places |= 0xf << (8 * at);
            }
            at += 1;
        }
        Self {
            bytes: u64::from_le_bytes(*shape),
            places,
        }
    }

    /// The digits as numbers, where some bytes have this shape.
    #[inline(always)]
    fn digits(self, bytes: [u8; 8]) -> Option<u64> {
        const ONES: u64 = u64::MAX / 0xff;
        // Marks are zero now, digits at most nine: six more stay within four bits.
        let digits = u64::from_le_bytes(bytes) ^ self.bytes;
        let fits = digits & !self.places == 0 && (digits + ONES * 6) & (ONES * 0xf0) == 0;
        fits.then_some(digits)
    }
}

/// Any other shape of ISO 8601 that JavaScript reads.
fn parse_iso(text: &[u8]) -> Option<Timestamp> {
    let mut rest = text;
    let year = match rest.first()? {
        sign @ (b'+' | b'-') => {
            rest = &rest[1..];
            match (sign, digits(&mut rest, 6)?) {
                // There is no such year.
                (b'-', 0) => return None,
                (b'-', year) => -year,
                (_, year) => year,
            }
        }
        _ => digits(&mut rest, 4)?,
    };
    let (mut month, mut day) = (1, 1);
    if eat(&mut rest, b"-") {
        month = digits(&mut rest, 2)?;
        if eat(&mut rest, b"-") {
            day = digits(&mut rest, 2)?;
        }
    }
    let mut time = (0, 0, 0, 0);
    let mut offset = 0;
    if eat(&mut rest, b"Tt ") {
        time.0 = digits(&mut rest, 2)?;
        if !eat(&mut rest, b":") {
            return None;
        }
        time.1 = digits(&mut rest, 2)?;
        if eat(&mut rest, b":") {
            time.2 = digits(&mut rest, 2)?;
            if eat(&mut rest, b".") {
                time.3 = fraction(&mut rest)?;
            }
        }
        offset = zone(&mut rest)?;
    } else {
        // A date may have a `Z`, which changes nothing.
        eat(&mut rest, b"Zz");
    }
    if rest.is_empty() {
        timestamp((year, month, day), time, offset)
    } else {
        None
    }
}

fn eat(rest: &mut &[u8], any: &[u8]) -> bool {
    match rest.split_first() {
        Some((first, behind)) if any.contains(first) => {
            *rest = behind;
            true
        }
        _ => false,
    }
}

fn digits(rest: &mut &[u8], count: usize) -> Option<i64> {
    let (digits, behind) = rest.split_at_checked(count)?;
    *rest = behind;
    digits.iter().try_fold(0, |number, digit| {
        digit
            .is_ascii_digit()
            .then(|| number * 10 + i64::from(digit - b'0'))
    })
}

/// Milliseconds; further digits are dropped.
fn fraction(rest: &mut &[u8]) -> Option<i64> {
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digit = |at: usize| {
        rest.get(at)
            .filter(|_| at < count)
            .map_or(0, |digit| i64::from(digit - b'0'))
    };
    let milliseconds = digit(0) * 100 + digit(1) * 10 + digit(2);
    *rest = &rest[count..];
    (count > 0).then_some(milliseconds)
}

/// Minutes that the zone is before UTC.
fn zone(rest: &mut &[u8]) -> Option<i64> {
    if rest.is_empty() || eat(rest, b"Zz") {
        return Some(0);
    }
    let sign = if eat(rest, b"+") {
        1
    } else if eat(rest, b"-") {
        -1
    } else {
        return None;
    };
    let hours = digits(rest, 2)?;
    eat(rest, b":");
    let minutes = digits(rest, 2)?;
    (hours <= 23 && minutes <= 59).then_some(sign * (hours * 60 + minutes))
}

/// Puts a date, a time of day and the offset of its zone in minutes together.
fn timestamp(date: (i64, i64, i64), time: (i64, i64, i64, i64), offset: i64) -> Option<Timestamp> {
    let ((year, month, day), (hour, minute, second, ms)) = (date, time);
    let midnight = hour == 24 && (minute, second, ms) == (0, 0, 0);
    if !(1..=12).contains(&month)
        || !(1..=31).contains(&day)
        || (hour > 23 && !midnight)
        || minute > 59
        || second > 59
    {
        return None;
    }
    let minutes = (days_from_civil(year, month, day) * 24 + hour) * 60 + minute - offset;
    Timestamp::from_millis(minutes * 60_000 + second * 1000 + ms)
}

/// Days since 1970-01-01 of a date in the proleptic Gregorian calendar.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The date of a number of days since 1970-01-01: year, month, day.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 {
        month_index + 3
    } else {
        month_index - 9
    };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, ms) = (self.0.div_euclid(86_400_000), self.0.rem_euclid(86_400_000));
        let (year, month, day) = civil_from_days(days);
        // Years outside 0 to 9999 carry a sign and six digits, as in JavaScript.
        if (0..=9999).contains(&year) {
            write!(f, "{year:04}")?;
        } else {
            write!(f, "{}{:06}", if year < 0 { '-' } else { '+' }, year.abs())?;
        }
        let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
        write!(
            f,
            "-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z",
            ms % 1000
        )
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_i64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let out_of_range = || de::Error::custom("a time outside the years -271821 to 275760");
        if deserializer.is_human_readable() {
            let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
            Self::parse(&text).ok_or_else(|| de::Error::custom("not an ISO 8601 time"))
        } else {
            Self::from_millis(i64::deserialize(deserializer)?).ok_or_else(out_of_range)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_cut_agrees_with_the_general_parser() {
        for text in [
            "2026-03-02T09:00:00.000Z",
            "1970-01-01T00:00:00.001Z",
            "2024-02-28T23:59:59.999Z",
            "2024-02-29T00:00:00.000Z",
            "0000-01-01T00:00:00.000Z",
            "9999-12-31T23:59:59.999Z",
        ] {
            assert_eq!(
                parse_as_pi_writes(text.as_bytes()),
                parse_iso(text.as_bytes()),
                "{text}"
            );
            assert_eq!(Timestamp::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_short_cut_takes_no_other_shape() {
        for place in 0..24 {
            for byte in 0..=u8::MAX {
                let mut text = *b"2026-03-02T09:08:07.654Z";
                text[place] = byte;
                let short = parse_as_pi_writes(&text);
                if short.is_some() {
                    assert_eq!(short, parse_iso(&text), "{}", text.escape_ascii());
                }
                // Whatever is written in this shape is read by the short cut.
                let same_shape = byte.is_ascii_digit() == b"2026-03-02T09:08:07.654Z"[place].is_ascii_digit();
                if same_shape && byte.is_ascii_digit() {
                    assert_eq!(short, parse_iso(&text).filter(|_| text[11..13] < b"24"[..]));
                }
            }
        }
    }

    /// What JavaScript makes of these texts, in the zone of UTC.
    #[test]
    fn times_are_read_as_javascript_reads_them() {
        for (text, expected) in [
            ("2026", "2026-01-01T00:00:00.000Z"),
            ("2026-02", "2026-02-01T00:00:00.000Z"),
            ("2026-02-03", "2026-02-03T00:00:00.000Z"),
            ("2026-02-03Z", "2026-02-03T00:00:00.000Z"),
            ("2026-01-01T10:00", "2026-01-01T10:00:00.000Z"),
            ("2026-01-01 10:00:00", "2026-01-01T10:00:00.000Z"),
            ("2026-01-01T10:00:00+0530", "2026-01-01T04:30:00.000Z"),
            ("2026-01-01T10:00:00-05:30", "2026-01-01T15:30:00.000Z"),
            ("2026-01-01T24:00:00.000Z", "2026-01-02T00:00:00.000Z"),
            ("2026-02-31T10:00:00Z", "2026-03-03T10:00:00.000Z"),
            ("2023-02-29T00:00:00.000Z", "2023-03-01T00:00:00.000Z"),
            ("+012026-01-01T00:00:00.000Z", "+012026-01-01T00:00:00.000Z"),
            ("-000001-01-01", "-000001-01-01T00:00:00.000Z"),
            ("2026-01-01T10:00:00.5Z", "2026-01-01T10:00:00.500Z"),
            ("2026-01-01T10:00:00.9999Z", "2026-01-01T10:00:00.999Z"),
            ("2026-01-01t10:00:00z", "2026-01-01T10:00:00.000Z"),
            ("+275760-09-13T00:00:00.000Z", "+275760-09-13T00:00:00.000Z"),
        ] {
            let time = Timestamp::parse(text).map(|time| time.to_string());
            assert_eq!(time.as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "-",
            "20",
            "2026-13-01",
            "2026-00-01",
            "2026-02-32",
            "2026-02-00",
            "-000000-01-01",
            "2026-01-01T",
            "2026-01-01T10",
            "2026-01-01T10:60Z",
            "2026-01-01T10:00:60Z",
            "2026-01-01T24:00:01Z",
            "2026-01-01T10:00:00.Z",
            "2026-01-01T10:00:00-05",
            "2026-01-01T10:00:00Z ",
            "2026-01-01T1é:00:00Z",
            "+275760-09-13T00:00:00.001Z",
            "yesterday",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn absurd_numbers_are_no_times() {
        for number in [f64::NAN, f64::INFINITY, 8.4e252, -9e18] {
            assert_eq!(Timestamp::from_number(number), None, "{number}");
        }
        assert_eq!(
            Timestamp::from_number(8.64e15).unwrap().to_string(),
            "+275760-09-13T00:00:00.000Z"
        );
        assert_eq!(
            Timestamp::from_number(-8.64e15).unwrap().to_string(),
            "-271821-04-20T00:00:00.000Z"
        );
    }
}
