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

    /// Reads an ISO 8601 date or date and time; a time without zone is taken as UTC.
    ///
    /// ```
    /// use lookback_session_model::Timestamp;
    /// let time = Timestamp::parse("2026-03-02T09:00:00.000Z").unwrap();
    /// assert_eq!(time.to_string(), "2026-03-02T09:00:00.000Z");
    /// assert_eq!(Timestamp::parse("2026-03-02T10:00:00+01:00").unwrap(), time);
    /// assert!(Timestamp::parse("yesterday").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        parse_as_pi_writes(text.as_bytes()).or_else(|| parse_iso(text))
    }
}

/// The one shape that Pi writes, `YYYY-MM-DDTHH:MM:SS.mmmZ`. Every line has one, so it is worth a short cut.
fn parse_as_pi_writes(b: &[u8]) -> Option<Timestamp> {
    if b.len() != 24 || b[4] != b'-' || b[7] != b'-' || b[10] != b'T' || b[13] != b':' || b[16] != b':' {
        return None;
    }
    if b[19] != b'.' || b[23] != b'Z' {
        return None;
    }
    let number = |from: usize, to: usize| {
        b[from..to].iter().try_fold(0i64, |n, d| {
            d.is_ascii_digit().then(|| n * 10 + i64::from(d - b'0'))
        })
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second, ms) = (number(11, 13)?, number(14, 16)?, number(17, 19)?, number(20, 23)?);
    if !(1..=12).contains(&month) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // In leap years the general parser decides.
    let days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month as usize - 1];
    if !(1..=days).contains(&day) {
        return None;
    }
    Timestamp::from_millis(
        ((days_from_civil(year, month, day) * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + ms,
    )
}

fn parse_iso(text: &str) -> Option<Timestamp> {
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Timestamp::from_millis(time.as_millisecond());
    }
    let civil: jiff::civil::DateTime = text.parse().ok()?;
    let time = jiff::tz::TimeZone::UTC.to_timestamp(civil).ok()?;
    Timestamp::from_millis(time.as_millisecond())
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
            "0001-01-01T00:00:00.000Z",
        ] {
            assert_eq!(parse_as_pi_writes(text.as_bytes()), parse_iso(text), "{text}");
            assert_eq!(Timestamp::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(
            Timestamp::parse("2024-02-29T00:00:00.000Z").unwrap().to_string(),
            "2024-02-29T00:00:00.000Z"
        );
        assert_eq!(Timestamp::parse("2023-02-29T00:00:00.000Z"), None);
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
