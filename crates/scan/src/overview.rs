//! What the lines of a file tell of it without being parsed: enough to know whether a session can be on the page.

use std::{
    cell::RefCell,
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    mem,
};

use lookback_session_model::{LineGlimpse, Timestamp};

/// What a file with one session tells.
#[derive(Debug, PartialEq)]
pub(crate) struct Overview {
    /// No message of user or assistant has a later time.
    pub(crate) newest: Timestamp,
    /// Of each line that counts as one with a match.
    pub(crate) keys: Vec<MessageKey>,
}

/// What copies of a message have in common, and others hardly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MessageKey(u64);

impl MessageKey {
    pub(crate) fn of(id: &str, time: Timestamp) -> Self {
        Self(BuildHasherDefault::<DefaultHasher>::default().hash_one((id, time)))
    }
}

/// Observes the lines of one file after the other as they pass by. Notes first where they are: most files have no match,
/// and nobody asks about them.
#[derive(Debug, Default)]
pub(crate) struct Observer {
    glimpse: LineGlimpse,
    seen: RefCell<Seen>,
}

#[derive(Debug)]
struct Seen {
    /// Lines that were not looked at yet.
    noted: Vec<Noted>,
    /// Where in the buffer the next line begins.
    at: usize,
    /// The first line was looked at.
    has_first: bool,
    /// Something is odd; what the lines tell is not all.
    is_odd: bool,
    newest: Timestamp,
    keys: Vec<MessageKey>,
}

#[derive(Debug, Clone, Copy)]
struct Noted {
    /// Without the line's end.
    start: usize,
    end: usize,
    /// It can hold text of user or assistant.
    speaks: bool,
    /// It counts as one with a match.
    is_candidate: bool,
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            noted: Vec::new(),
            at: 0,
            has_first: false,
            is_odd: false,
            newest: Timestamp::EPOCH,
            keys: Vec::new(),
        }
    }
}

impl Observer {
    /// Another file begins.
    pub(crate) fn begin(&self) {
        let mut seen = self.seen.borrow_mut();
        let mut noted = mem::take(&mut seen.noted);
        noted.clear();
        *seen = Seen {
            noted,
            ..Seen::default()
        };
    }

    /// The next lines begin at this place of the buffer.
    pub(crate) fn go_to(&self, at: usize) {
        self.seen.borrow_mut().at = at;
    }

    /// The next line has so many bytes without its end.
    pub(crate) fn line(&self, length: usize, speaks: bool) {
        let mut seen = self.seen.borrow_mut();
        let start = seen.at;
        seen.at = start + length + 1;
        seen.noted.push(Noted {
            start,
            end: start + length,
            speaks,
            is_candidate: false,
        });
    }

    /// The last line counts as one with a match.
    pub(crate) fn candidate(&self) {
        if let Some(last) = self.seen.borrow_mut().noted.last_mut() {
            last.is_candidate = true;
        }
    }

    /// What comes is not shown.
    pub(crate) fn give_up(&self) {
        self.seen.borrow_mut().is_odd = true;
    }

    /// Looks at the lines that were noted, before they leave the buffer.
    pub(crate) fn look(&self, buffer: &[u8]) {
        let mut seen = self.seen.borrow_mut();
        let noted = mem::take(&mut seen.noted);
        for line in &noted {
            if seen.is_odd {
                break;
            }
            self.look_at(*line, buffer, &mut seen);
        }
        seen.noted = noted;
        seen.noted.clear();
    }

    fn look_at(&self, noted: Noted, buffer: &[u8], seen: &mut Seen) {
        let first = !mem::replace(&mut seen.has_first, true);
        let line = &buffer[noted.start..noted.end];
        let kind = line
            .strip_prefix(b"{\"type\":\"")
            .filter(|_| buffer.get(noted.end) == Some(&b'\n'));
        // There can be a second session, or none in the first line.
        if kind.is_none_or(|kind| kind.starts_with(b"session\"") != first) {
            seen.is_odd = true;
        } else if noted.speaks {
            match self.glimpse.message(line) {
                Some((id, time)) => {
                    seen.newest = seen.newest.max(time);
                    if noted.is_candidate {
                        seen.keys.push(MessageKey::of(id, time));
                    }
                }
                None => seen.is_odd = true,
            }
        }
    }

    /// What the lines told that were looked at.
    pub(crate) fn finish(&self) -> Option<Overview> {
        let mut seen = self.seen.borrow_mut();
        (!seen.is_odd).then(|| Overview {
            newest: seen.newest,
            keys: mem::take(&mut seen.keys),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"type":"session","version":3,"id":"s"}"#;

    fn message(id: &str, time: i64) -> String {
        format!(
            r#"{{"type":"message","id":"{id}","parentId":null,"timestamp":"x","message":{{"role":"user","content":"c","timestamp":{time}}}}}"#
        )
    }

    fn overview(lines: &[(&str, bool)]) -> Option<Overview> {
        let whole: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
        let seen = [1, 2, 100].map(|at_once| {
            let observer = Observer::default();
            // What was seen of another file is forgotten.
            observer.begin();
            observer.line(3, true);
            observer.look(b"odd");
            observer.begin();
            for (number, (line, speaks)) in lines.iter().enumerate() {
                observer.line(line.len(), *speaks);
                if *speaks {
                    observer.candidate();
                }
                if number % at_once == 0 {
                    observer.look(whole.as_bytes());
                }
            }
            observer.look(whole.as_bytes());
            observer.finish()
        });
        let [one, ..] = &seen;
        assert!(seen.iter().all(|other| other == one));
        seen.into_iter().next()?
    }

    #[test]
    fn the_newest_time_and_all_keys_are_told() {
        let lines = [message("a", 5), message("b", 9), message("c", 7)];
        let tool = r#"{"type":"message","id":"t"}"#;
        let seen = overview(&[
            (HEADER, false),
            (&lines[0], true),
            (tool, false),
            (&lines[1], true),
            (&lines[2], true),
        ]);
        let seen = seen.unwrap();
        let time = |ms| Timestamp::from_millis(ms).unwrap();
        assert_eq!(seen.newest, time(9));
        let keys = [("a", 5), ("b", 9), ("c", 7)].map(|(id, ms)| MessageKey::of(id, time(ms)));
        assert_eq!(seen.keys, keys);
    }

    #[test]
    fn of_a_file_with_anything_odd_nothing_is_told() {
        let line = message("a", 5);
        let line = line.as_str();
        assert!(overview(&[(HEADER, false), (line, true)]).is_some());
        assert!(overview(&[(line, true)]).is_none());
        assert!(overview(&[(HEADER, false), (HEADER, false), (line, true)]).is_none());
        assert!(overview(&[(HEADER, false), ("", false), (line, true)]).is_none());
        assert!(overview(&[(HEADER, false), (&line.replace(":5", ":[]"), true)]).is_none());
        let observer = Observer::default();
        observer.line(HEADER.len(), false);
        observer.look(HEADER.as_bytes());
        assert!(observer.finish().is_none(), "the line has no end");
        observer.begin();
        observer.give_up();
        assert!(observer.finish().is_none());
    }
}
