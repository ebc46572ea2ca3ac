//! Asks the engine in a thread of its own, so that typing never waits for a search.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use camino::Utf8PathBuf;
use lookback::{
    AnswerOptions, ListRequest, Lookback, ReadRequest, Scope, SearchRequest, SessionSummary, Source,
    SyncRequest,
};

use super::state::{Answer, Found, Piece, Preview, PreviewLine, Question, Row};
use crate::{
    environment,
    terminal::{cut, date, harmless, one_line, part},
};

/// Rows in the list.
const ROWS: usize = 50;
/// Messages before and after the match in a preview, and the characters of all of them.
const WINDOW: usize = 3;
const CHARACTERS: usize = 20_000;
/// A title of this length fills any terminal.
const TITLE: usize = 200;

/// The engine at work.
pub(crate) struct Engine {
    questions: Sender<(Question, Arc<AtomicBool>)>,
    answers: Receiver<Answer>,
    /// Ends the search that is under way.
    cancel: Arc<AtomicBool>,
}

impl Engine {
    pub(crate) fn start(lookback: Lookback, cwd: Utf8PathBuf) -> Self {
        let (questions, asked) = mpsc::channel::<(Question, Arc<AtomicBool>)>();
        let (answering, answers) = mpsc::channel();
        thread::spawn(move || {
            while let Ok(first) = asked.recv() {
                // Of what was asked meanwhile only the last question of each kind matters.
                let (mut search, mut preview) = (None, None);
                for (question, cancel) in std::iter::once(first).chain(asked.try_iter()) {
                    match question {
                        Question::Search { .. } => search = Some((question, cancel)),
                        Question::Preview { .. } => preview = Some((question, cancel)),
                    }
                }
                for (question, cancel) in search.into_iter().chain(preview) {
                    if answering
                        .send(answer(&lookback, &cwd, &question, &cancel))
                        .is_err()
                    {
                        return;
                    }
                }
            }
        });
        Self {
            questions,
            answers,
            cancel: Arc::default(),
        }
    }

    pub(crate) fn ask(&mut self, question: Question) {
        if matches!(question, Question::Search { .. }) {
            self.cancel.store(true, Ordering::Relaxed);
            self.cancel = Arc::default();
        }
        // The thread is there as long as the channel of its answers is.
        let _ = self.questions.send((question, self.cancel.clone()));
    }

    /// The next answer, if there is one.
    pub(crate) fn answer(&self) -> Option<Answer> {
        self.answers.try_recv().ok()
    }
}

/// Answers a question. Nothing that goes wrong ends the picker; it is told in the answer.
pub(crate) fn answer(
    lookback: &Lookback,
    cwd: &Utf8PathBuf,
    question: &Question,
    cancel: &AtomicBool,
) -> Answer {
    match question {
        Question::Search { number, query, here } => {
            let scope = here.then(|| cwd.clone());
            let found = if query.trim().is_empty() {
                latest(lookback, scope)
            } else {
                search(lookback, cwd, scope, query, cancel)
            };
            let found = found.unwrap_or_else(|error| Found {
                notes: vec![one_line(&error.to_string())],
                ..Found::default()
            });
            Answer::Found(Found {
                number: *number,
                ..found
            })
        }
        Question::Preview { number, row } => Answer::Preview {
            number: *number,
            preview: preview(lookback, row),
        },
    }
}

fn latest(lookback: &Lookback, cwd: Option<Utf8PathBuf>) -> Result<Found, lookback::Error> {
    let reply = lookback.list(&ListRequest {
        cwd,
        limit: ROWS,
        offset: 0,
    })?;
    let row = |listed: &lookback::ListedSession| Row {
        detail: format!(
            "{} · {} messages · {}",
            date(listed.summary.modified),
            listed.summary.message_count,
            one_line(&listed.summary.cwd)
        ),
        ..row(&listed.summary, listed.tags.iter().map(|tag| tag.as_str()))
    };
    Ok(Found {
        rows: reply.sessions.iter().map(row).collect(),
        matched: reply.total,
        ..Found::default()
    })
}

fn search(
    lookback: &Lookback,
    here: &Utf8PathBuf,
    cwd: Option<Utf8PathBuf>,
    query: &str,
    cancel: &AtomicBool,
) -> Result<Found, lookback::Error> {
    let request = SearchRequest {
        limit: ROWS,
        // The last word is not yet at its end.
        typing: true,
        now: environment::now(),
        scope: Scope {
            cwd,
            current_cwd: Some(here.clone()),
            ..Scope::default()
        },
        ..SearchRequest::new(query)
    };
    let options = AnswerOptions {
        // That was done before the first key.
        sync: false,
        control: SyncRequest {
            cancel,
            ..SyncRequest::default()
        },
        ..AnswerOptions::default()
    };
    let answer = lookback.answer(&request, &options)?;
    let row = |hit: &lookback::Hit| Row {
        detail: format!(
            "{} · {} · {}",
            date(hit.timestamp.or(hit.session.modified)),
            hit.role.name(),
            one_line(&hit.session.cwd)
        ),
        entry: Some(hit.entry.to_string()),
        snippet: marked(&hit.snippet.text, &hit.snippet.highlights),
        ..row(&hit.session, hit.tags.iter().map(|tag| tag.as_str()))
    };
    let mut notes: Vec<String> = answer
        .reply
        .warnings
        .iter()
        .map(|warning| one_line(&warning.to_string()))
        .collect();
    if let Source::Files(scanned) = &answer.source {
        notes.push(one_line(&scanned.outcome.to_string()));
    }
    Ok(Found {
        rows: answer.reply.hits.iter().map(row).collect(),
        matched: answer.reply.sessions_matched,
        notes,
        ..Found::default()
    })
}

fn row<'a>(summary: &SessionSummary, tags: impl Iterator<Item = &'a str>) -> Row {
    Row {
        id: summary.id.to_string(),
        path: summary.path.clone(),
        title: cut(&one_line(&summary.title), TITLE),
        detail: String::new(),
        tags: tags.map(one_line).collect(),
        entry: None,
        snippet: Vec::new(),
    }
}

/// The snippet on one line. Pieces are made harmless one by one: ranges are those of the snippet.
fn marked(text: &str, ranges: &[std::ops::Range<usize>]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut push = |text: Option<&str>, matched| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            pieces.push(Piece {
                text: part(text),
                matched,
            });
        }
    };
    let mut at = 0;
    for range in ranges {
        push(text.get(at..range.start), false);
        push(text.get(range.clone()), true);
        at = range.end;
    }
    push(text.get(at..), false);
    pieces
}

fn preview(lookback: &Lookback, row: &Row) -> Preview {
    let request = ReadRequest {
        session: row.path.to_string(),
        around: row.entry.clone(),
        window: WINDOW,
        head: WINDOW,
        tail: 2 * WINDOW,
        characters: CHARACTERS,
        ..ReadRequest::default()
    };
    let transcript = match lookback.read(&request) {
        Ok(transcript) => transcript,
        Err(error) => {
            return Preview {
                lines: vec![PreviewLine::Note(one_line(&error.to_string()))],
                focus: 0,
            };
        }
    };
    let marks: Vec<String> = row
        .snippet
        .iter()
        .filter(|piece| piece.matched)
        .map(|piece| piece.text.to_lowercase())
        .collect();
    let mut lines: Vec<PreviewLine> = transcript
        .warnings
        .iter()
        .map(|warning| PreviewLine::Note(one_line(warning)))
        .collect();
    let mut focus = 0;
    for (position, message) in transcript.messages.iter().enumerate() {
        if transcript.omitted > 0 && position == request.head {
            lines.push(PreviewLine::Speaker(format!(
                "… {} messages …",
                transcript.omitted
            )));
        }
        if row.entry.is_some() && message.id.as_ref().map(|id| id.as_str()) == row.entry.as_deref() {
            focus = lines.len();
        }
        let who = format!("{} {}", message.role.name(), date(message.timestamp));
        lines.push(PreviewLine::Speaker(who));
        for line in harmless(message.text.trim_end()).lines() {
            lines.push(PreviewLine::Text(mark(line, &marks)));
        }
        lines.push(PreviewLine::Text(Vec::new()));
    }
    Preview { lines, focus }
}

/// Marks what the snippet marked, wherever it stands in a line.
fn mark(line: &str, marks: &[String]) -> Vec<Piece> {
    let folded = line.to_lowercase();
    let mut pieces = Vec::new();
    let mut push = |text: &str, matched| {
        if !text.is_empty() {
            pieces.push(Piece {
                text: text.to_owned(),
                matched,
            });
        }
    };
    // Where lower case has other lengths the places would not be the same.
    if folded.len() != line.len() {
        push(line, false);
        return pieces;
    }
    let mut at = 0;
    while at < line.len() {
        let next = marks
            .iter()
            .filter(|mark| !mark.is_empty())
            .filter_map(|mark| Some((at + folded[at..].find(mark.as_str())?, mark.len())))
            .min_by_key(|&(start, length)| (start, std::cmp::Reverse(length)));
        let Some((start, length)) = next else { break };
        let (Some(before), Some(matched)) = (line.get(at..start), line.get(start..start + length)) else {
            break;
        };
        push(before, false);
        push(matched, true);
        at = start + length;
    }
    push(&line[at..], false);
    pieces
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

    use std::sync::atomic::AtomicBool;

    use camino::{Utf8Path, Utf8PathBuf};
    use lookback::Lookback;

    use super::{Answer, Found, PreviewLine, Question, Row, answer, mark, marked};

    fn lookback(folder: &tempfile::TempDir) -> Lookback {
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        let sessions = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/sessions");
        let lookback = Lookback::builder()
            .root(sessions)
            .cache(folder.join("cache"))
            .data(folder.join("data"))
            .open()
            .unwrap();
        lookback.sync(&lookback::SyncRequest::default()).unwrap();
        lookback
    }

    fn found(lookback: &Lookback, query: &str, cwd: Option<&str>) -> Found {
        let question = Question::Search {
            number: 7,
            query: query.to_owned(),
            here: cwd.is_some(),
        };
        let cwd = Utf8PathBuf::from(cwd.unwrap_or("/"));
        match answer(lookback, &cwd, &question, &AtomicBool::new(false)) {
            Answer::Found(found) => found,
            other => panic!("{other:?}"),
        }
    }

    fn shown(row: &Row) -> String {
        row.snippet.iter().map(|piece| piece.text.as_str()).collect()
    }

    #[test]
    fn half_a_word_finds_what_the_whole_will() {
        let folder = tempfile::tempdir().unwrap();
        let lookback = lookback(&folder);
        let half = found(&lookback, "lost upda", None);
        assert_eq!((half.number, half.rows.len()), (7, half.matched));
        let first = &half.rows[0];
        assert_eq!(first.title, "Lost updates: edit leases instead of versions");
        assert!(shown(first).contains("lost updates"), "{first:?}");
        assert!(
            first
                .snippet
                .iter()
                .any(|piece| piece.matched && piece.text == "lost"),
            "{first:?}"
        );
        let question = Question::Preview {
            number: 3,
            row: Box::new(first.clone()),
        };
        let preview = answer(&lookback, &"/".into(), &question, &AtomicBool::new(false));
        let preview = format!("{preview:?}");
        assert!(
            preview.contains("number: 3") && preview.contains("matched: true"),
            "{preview}"
        );
        assert!(preview.contains("Optimistic locking"), "{preview}");
    }

    #[test]
    fn without_a_query_there_are_the_latest_sessions_of_the_place() {
        let folder = tempfile::tempdir().unwrap();
        let lookback = lookback(&folder);
        let all = found(&lookback, "  ", None);
        let here = found(&lookback, "", Some("/home/dev/harbor"));
        assert!(all.matched > here.matched && here.matched > 0);
        assert!(
            here.rows
                .iter()
                .all(|row| row.detail.ends_with("/home/dev/harbor"))
        );
        assert_eq!(found(&lookback, "", Some("/nowhere")).matched, 0);
        assert_eq!(found(&lookback, "lost updates", Some("/nowhere")).matched, 0);
    }

    #[test]
    fn a_session_that_is_gone_is_told_in_its_preview() {
        let folder = tempfile::tempdir().unwrap();
        let lookback = lookback(&folder);
        let mut row = found(&lookback, "lost", None).rows.remove(0);
        row.path = "/gone/\u{1b}[2J.jsonl".into();
        let question = Question::Preview {
            number: 1,
            row: Box::new(row),
        };
        let Answer::Preview { preview, .. } =
            answer(&lookback, &"/".into(), &question, &AtomicBool::new(false))
        else {
            panic!("no preview")
        };
        assert!(matches!(preview.lines.as_slice(), [PreviewLine::Note(note)] if !note.contains('\u{1b}')));
    }

    #[test]
    fn pieces_of_a_snippet_keep_the_space_between_them() {
        let pieces = marked("a walrus\nhere", std::slice::from_ref(&(2..8)));
        let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(texts, ["a ", "walrus", " here"]);
    }

    #[test]
    fn marks_are_found_in_any_case_and_other_text_stays_whole() {
        let marks = ["retry".to_owned(), "re".to_owned()];
        for (line, expected) in [
            (
                "Retry the reader",
                vec![("Retry", true), (" the ", false), ("re", true), ("ader", false)],
            ),
            ("nothing", vec![("nothing", false)]),
            ("İ retry", vec![("İ retry", false)]),
            ("", vec![]),
        ] {
            let pieces = mark(line, &marks);
            let pieces: Vec<(&str, bool)> = pieces
                .iter()
                .map(|piece| (piece.text.as_str(), piece.matched))
                .collect();
            assert_eq!(pieces, expected);
        }
    }
}
