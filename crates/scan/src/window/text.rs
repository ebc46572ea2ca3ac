use std::fmt;

use lookback_session_model::Timestamp;

use super::{Window, WindowItem};
use crate::plain;

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut day = String::new();
        for item in &self.items {
            if let WindowItem::Message { time, .. } | WindowItem::Calls { time, .. } = item
                && let Some((date, _)) = self.clock(*time)
                && date != day
            {
                writeln!(f, "-- {date} --")?;
                day = date;
            }
            self.item(item, f)?;
        }
        if self.items.is_empty() {
            writeln!(f, "-- no message from here to the end --")?;
        }
        if self.damaged_lines > 0 {
            writeln!(f, "-- {} damaged lines --", self.damaged_lines)?;
        }
        match self.next_offset {
            Some(line) => writeln!(f, "-- more from line {line} --"),
            None => writeln!(f, "-- end of the session file --"),
        }
    }
}

impl Window {
    fn item(&self, item: &WindowItem, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hour = |time| {
            self.clock(time)
                .map_or_else(|| "--:--".to_owned(), |(_, hour)| hour)
        };
        match item {
            WindowItem::Message {
                role,
                time,
                text,
                cut,
                images,
                ..
            } => {
                write!(f, "[{}] {}: ", hour(*time), role.name())?;
                let (harmless, _) = plain::lines(text, usize::MAX);
                let mut lines = harmless.trim_end().lines();
                f.write_str(lines.next().unwrap_or_default())?;
                for line in lines {
                    write!(f, "\n    {line}")?;
                }
                if *images > 0 {
                    write!(f, " ({images} images)")?;
                }
                f.write_str(if *cut { "… (cut)\n" } else { "\n" })
            }
            WindowItem::Calls { time, role, text, .. } => {
                writeln!(f, "[{}] {}: ({text})", hour(*time), role.name())
            }
            WindowItem::Compaction { .. } => {
                writeln!(f, "-- compaction: a summary stands for what is above --")
            }
            WindowItem::Branch { .. } => writeln!(f, "-- another branch of the session --"),
            WindowItem::Session { .. } => writeln!(f, "-- another session in the same file --"),
        }
    }

    /// Date and time of day where the reader is.
    fn clock(&self, time: Option<Timestamp>) -> Option<(String, String)> {
        let local = time?.as_millis() + i64::from(self.utc_offset_minutes) * 60_000;
        let text = Timestamp::from_millis(local)?.to_string();
        let (date, hour) = text.split_once('T')?;
        Some((date.to_owned(), hour.get(..5)?.to_owned()))
    }
}
