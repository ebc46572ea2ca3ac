//! Short names for what an answer points at.

use camino::Utf8Path;
use lookback_session_model::{BranchState, EntryId, SessionId, SessionSummary, Timestamp};

use super::quote::Quoter;

/// No id is shown shorter: the first eight digits of Pi's ids hold the minute of the session, so that they stay
/// unambiguous when further sessions come.
const SHORTEST: usize = 8;
/// Ids of more characters are not plain.
const LONGEST_PLAIN: usize = 40;

/// The ids of all known sessions, to be shortened.
#[derive(Debug, Default)]
pub(crate) struct ShortIds {
    sorted: Vec<SessionId>,
}

impl ShortIds {
    pub(crate) fn new(sessions: &[SessionSummary]) -> Self {
        let mut sorted: Vec<SessionId> = sessions.iter().map(|session| session.id.clone()).collect();
        sorted.sort_unstable();
        // Two files of one session are opened by the same id.
        sorted.dedup();
        Self { sorted }
    }

    /// The shortest start of an id that no other session has, or the whole id where it is not known.
    pub(crate) fn short<'a>(&self, id: &'a SessionId) -> &'a str {
        let text = id.as_str();
        let Ok(at) = self.sorted.binary_search(id) else {
            return text;
        };
        let neighbours = [at.checked_sub(1), at.checked_add(1)];
        let shared = neighbours
            .into_iter()
            .flatten()
            .filter_map(|at| self.sorted.get(at))
            .map(|other| shared_characters(text, other.as_str()))
            .max()
            .unwrap_or(0);
        match text.char_indices().nth(SHORTEST.max(shared + 1)) {
            Some((end, _)) => &text[..end],
            None => text,
        }
    }
}

fn shared_characters(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// The id where it is as plain as Pi's own ids are. Other ids could carry orders past the frame.
pub(crate) fn plain(id: &str) -> Option<&str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | ':');
    (!id.is_empty() && id.len() <= LONGEST_PLAIN && id.chars().all(fits)).then_some(id)
}

/// The same, with a placeholder for ids that are not.
pub(crate) fn plain_or<'a>(id: &'a str, otherwise: &'a str) -> &'a str {
    plain(id).unwrap_or(otherwise)
}

/// Date and minute in UTC.
pub(crate) fn minute(time: Option<Timestamp>) -> String {
    match time {
        Some(time) => {
            let text = time.to_string();
            let end = text.len().saturating_sub(8);
            text[..end].replace('T', " ")
        }
        None => "no date".to_owned(),
    }
}

/// The day alone.
pub(crate) fn day(time: Option<Timestamp>) -> String {
    let text = minute(time);
    text.split_once(' ')
        .filter(|_| time.is_some())
        .map_or(text.clone(), |(day, _)| day.to_owned())
}

/// A folder as its user names it: the home folder is `~`, long paths lose their middle.
pub(crate) fn folder(quoter: &Quoter, cwd: &str, home: Option<&Utf8Path>) -> String {
    const SHOWN: usize = 40;
    if cwd.is_empty() {
        return "no folder".to_owned();
    }
    let below = home
        .filter(|home| home.as_str() != "/")
        .and_then(|home| Utf8Path::new(cwd).strip_prefix(home).ok());
    let named = match below {
        Some(below) if below.as_str().is_empty() => "~".to_owned(),
        Some(below) => format!("~/{below}"),
        None => cwd.to_owned(),
    };
    let line = quoter.line(&named, usize::MAX);
    let count = line.chars().count();
    if count <= SHOWN {
        return line;
    }
    let tail: String = line.chars().skip(count - SHOWN).collect();
    let tail = tail.split_once('/').map_or(tail.as_str(), |(_, rest)| rest);
    format!("…/{tail}")
}

/// What is to be said of a hit's branch; empty for the newest one.
pub(crate) fn branch(state: BranchState, leaf: Option<&EntryId>, quoter: &Quoter) -> String {
    match (state, leaf) {
        (BranchState::Active, _) => String::new(),
        (BranchState::Compacted, _) => " · compacted away".to_owned(),
        (BranchState::Abandoned, Some(leaf)) => {
            format!(
                " · abandoned branch, tip {}",
                quoter.line(leaf.as_str(), LONGEST_PLAIN)
            )
        }
        (BranchState::Abandoned, None) => " · abandoned branch".to_owned(),
    }
}

/// A call of a tool as the model writes it. Keys keep their order; values that are `null` are left out.
pub(crate) fn call(tool: &str, arguments: &[(&str, serde_json::Value)]) -> String {
    let written: Vec<String> = arguments
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| format!("{}:{value}", serde_json::Value::from(*key)))
        .collect();
    format!("{tool} {{{}}}", written.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &[&str]) -> ShortIds {
        let mut sorted: Vec<SessionId> = ids.iter().map(SessionId::new).collect();
        sorted.sort_unstable();
        ShortIds { sorted }
    }

    #[test]
    fn an_id_is_as_short_as_it_can_be() {
        let known = ids(&["019b7901-aa98-7a", "019b7901-aac0-7a", "019b7902-0000-7a", "x"]);
        assert_eq!(known.short(&"019b7901-aa98-7a".into()), "019b7901-aa9");
        assert_eq!(known.short(&"019b7902-0000-7a".into()), "019b7902");
        assert_eq!(known.short(&"x".into()), "x");
        assert_eq!(
            known.short(&"019b7902-0000-7a-unknown".into()),
            "019b7902-0000-7a-unknown"
        );
    }

    #[test]
    fn ids_that_could_be_sentences_are_not_plain() {
        assert_eq!(plain("a1000001"), Some("a1000001"));
        assert_eq!(
            plain("019b7901-aa98-7a6f-8b09-9a010000006f"),
            Some("019b7901-aa98-7a6f-8b09-9a010000006f")
        );
        for id in ["", "a b", "\u{1b}[31m", "a\n", "x>y", &"a".repeat(41)] {
            assert_eq!(plain(id), None, "{id:?}");
        }
    }

    #[test]
    fn folders_dates_and_calls_are_short() {
        let quoter = Quoter::new(false);
        let home = Some(Utf8Path::new("/home/dev"));
        assert_eq!(folder(&quoter, "/home/dev/shop", home), "~/shop");
        assert_eq!(folder(&quoter, "/home/dev", home), "~");
        assert_eq!(folder(&quoter, "/home/developer", home), "/home/developer");
        assert_eq!(folder(&quoter, "", home), "no folder");
        let long = folder(
            &quoter,
            "/srv/one/two/three/four/five/six/seven/eight/nine/ten",
            None,
        );
        assert_eq!(
            long,
            "…/three/four/five/six/seven/eight/nine/ten".replace("three/", "")
        );
        let time = Timestamp::parse("2026-03-02T09:05:00.000Z");
        assert_eq!(
            (minute(time), day(time)),
            ("2026-03-02 09:05".to_owned(), "2026-03-02".to_owned())
        );
        assert_eq!(day(None), "no date");
        let written = call(
            "recall",
            &[
                ("action", "read".into()),
                ("entry", serde_json::Value::Null),
                ("offset", 5.into()),
            ],
        );
        assert_eq!(written, r#"recall {"action":"read","offset":5}"#);
    }
}
