use std::fmt;

use lookback_session_model::Timestamp;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;
/// Ten thousand years. What is read in one unit is printed in another, so the bound is one of time, not of digits.
const MAX_AGE_MS: i64 = 3_650_000 * DAY_MS;

/// A moment in a filter: a date, or an age that becomes one when the query runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// The start of a day, month or year, or an exact time; UTC unless it says otherwise.
    At(Timestamp),
    /// So many milliseconds before now.
    Ago(i64),
    /// The start of the day so many days before today, UTC.
    Day(i64),
}

impl When {
    /// Reads `2026-03-02`, `2026-03`, `2026`, an ISO 8601 time, `7d`, `12h`, `3w`, `2m` (months of 30 days), `1y`
    /// (of 365 days), `today` or `yesterday`. Dates that do not exist are `None`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "today" => return Some(Self::Day(0)),
            "yesterday" => return Some(Self::Day(1)),
            _ => {}
        }
        if let Some(age) = parse_age(text) {
            return Some(Self::Ago(age));
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        if digits != 4 {
            return None;
        }
        let time = match text.len() {
            4 => Timestamp::parse(&format!("{text}-01-01T00:00:00Z")),
            7 => Timestamp::parse(&format!("{text}-01T00:00:00Z")),
            10 => Timestamp::parse(&format!("{text}T00:00:00Z")),
            _ => Timestamp::parse(text),
        };
        // Readers of times take the 30th of February for the 2nd of March.
        let exists = text.len() < 10 || text.get(..10).is_some_and(is_day);
        time.filter(|_| exists).map(Self::At)
    }

    /// The moment in milliseconds since 1970, seen from `now`.
    pub fn as_millis(self, now: Timestamp) -> i64 {
        match self {
            Self::At(time) => time.as_millis(),
            Self::Ago(age) => now.as_millis().saturating_sub(age),
            Self::Day(days) => {
                let today = now.as_millis().div_euclid(DAY_MS);
                today.saturating_sub(days).saturating_mul(DAY_MS)
            }
        }
    }
}

/// True for a day of the calendar.
fn is_day(date: &str) -> bool {
    Timestamp::parse(&format!("{date}T00:00:00Z")).is_some_and(|time| time.to_string().starts_with(date))
}

/// `7d` and the like in milliseconds.
fn parse_age(text: &str) -> Option<i64> {
    let unit = match text.as_bytes().last()? {
        b'h' => HOUR_MS,
        b'd' => DAY_MS,
        b'w' => 7 * DAY_MS,
        b'm' => 30 * DAY_MS,
        b'y' => 365 * DAY_MS,
        _ => return None,
    };
    let number = &text[..text.len() - 1];
    if number.is_empty() || number.len() > 8 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let age = number.parse::<i64>().ok()?.checked_mul(unit)?;
    (age <= MAX_AGE_MS).then_some(age)
}

/// Prints what [`When::parse`] reads.
impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(time) => {
                let text = time.to_string();
                match text.strip_suffix("T00:00:00.000Z") {
                    Some(date) if date.len() == 10 => f.write_str(date),
                    _ => f.write_str(&text),
                }
            }
            Self::Ago(age) if age % DAY_MS == 0 => write!(f, "{}d", age / DAY_MS),
            Self::Ago(age) => write!(f, "{}h", age / HOUR_MS),
            Self::Day(0) => f.write_str("today"),
            Self::Day(_) => f.write_str("yesterday"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Option<String> {
        let now = Timestamp::parse("2026-03-10T12:30:00Z").unwrap();
        When::parse(text)
            .and_then(|when| Timestamp::from_millis(when.as_millis(now)))
            .map(|time| time.to_string())
    }

    #[test]
    fn dates_and_ages() {
        for (text, expected) in [
            ("2026", "2026-01-01T00:00:00.000Z"),
            ("2026-02", "2026-02-01T00:00:00.000Z"),
            ("2026-02-28", "2026-02-28T00:00:00.000Z"),
            ("2026-02-28T10:00:00+01:00", "2026-02-28T09:00:00.000Z"),
            ("12h", "2026-03-10T00:30:00.000Z"),
            ("7d", "2026-03-03T12:30:00.000Z"),
            ("1w", "2026-03-03T12:30:00.000Z"),
            ("today", "2026-03-10T00:00:00.000Z"),
            ("yesterday", "2026-03-09T00:00:00.000Z"),
        ] {
            assert_eq!(moment(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "d",
            "2026-02-30",
            "2026-13",
            "26",
            "9999999d",
            "10001y",
            "999999999h",
            "-3d",
            "3x",
            "soon",
            "2026-2-3",
            "２０２６",
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
    }

    #[test]
    fn printing_reads_back() {
        for text in [
            "2026-02-28",
            "7d",
            "12h",
            "36h",
            "40552m",
            "10000y",
            "87599999h",
            "today",
            "yesterday",
            "2026-02-28T09:00:00.000Z",
        ] {
            let when = When::parse(text).unwrap();
            assert_eq!(When::parse(&when.to_string()), Some(when), "{text}");
        }
    }
}
