use fearless_simd::Level;

use crate::{Timestamp, json::glimpse};

/// Looks at lines without parsing them.
///
/// ```
/// use lookback_session_model::{LineGlimpse, Timestamp};
///
/// let line = br#"{"type":"message","id":"a1","parentId":null,"timestamp":"2026-03-02T09:00:01.000Z","message":{"role":"user","content":"Redis?","timestamp":1772442001000}}"#;
/// let (id, time) = LineGlimpse::default().message(line).unwrap();
/// assert_eq!(id, "a1");
/// assert_eq!(time, Timestamp::parse("2026-03-02T09:00:01Z").unwrap());
/// ```
#[derive(Debug, Clone)]
pub struct LineGlimpse {
    level: Level,
}

impl Default for LineGlimpse {
    fn default() -> Self {
        Self { level: Level::new() }
    }
}

impl LineGlimpse {
    /// The id of the message in a line (without its end), and the time of [`Entry::time`](crate::Entry::time). `None`
    /// where the line does not begin and end as Pi writes it, or shows that it is damaged or two lines torn into one; what
    /// stands between is not checked. Costs a look at each byte.
    pub fn message<'a>(&self, line: &'a [u8]) -> Option<(&'a str, Timestamp)> {
        let (id, time) = glimpse(self.level, line)?;
        Some((id, Timestamp::from_number(time)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fields, Item, SessionReader};

    #[test]
    fn id_and_time_are_those_of_the_entry() {
        let head = r#"{"type":"message","id":"#;
        let middle = r#","parentId":"p","timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"#;
        for (id, rest, seen) in [
            (
                "\"a1\"",
                r#""user","content":"x","timestamp":1772442001000}}"#,
                true,
            ),
            (
                "\"\u{e9}\"",
                r#""assistant","content":[],"timestamp":1772442001000,"responseId":"r"}}"#,
                true,
            ),
            (
                r#""a\u0031""#,
                r#""user","content":"x","timestamp":1772442001000}}"#,
                false,
            ),
            ("\"a1\"", r#""user","content":"x"}}"#, false),
            (
                "\"a1\"",
                "\"user\",\"content\":\"x\ty\",\"timestamp\":1772442001000}}",
                false,
            ),
            ("7", r#""user","content":"x","timestamp":1772442001000}}"#, false),
        ] {
            let line = format!("{head}{id}{middle}{rest}");
            let glimpse = LineGlimpse::default();
            let message = glimpse.message(line.as_bytes());
            assert_eq!(message.is_some(), seen, "{line}");
            let Some((id, time)) = message else { continue };
            let mut reader = SessionReader::from_bytes(line.as_bytes(), Fields::NONE);
            let Some(Item::Entry(entry)) = reader.next_item().unwrap() else {
                panic!("{line}");
            };
            assert_eq!(entry.id.as_ref().map(|id| id.as_str()), Some(id));
            assert_eq!(entry.time(), Some(time));
        }
    }
}
