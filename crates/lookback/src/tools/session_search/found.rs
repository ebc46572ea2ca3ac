//! A session that discovery found, with more or less of what surrounds its match.

use lookback_ranker::Hit;
use lookback_session_model::EntryId;

use super::NAME;
use crate::{
    ReadRequest,
    tools::{
        call::Call,
        error::sentence,
        handles::{ShortIds, branch, call, day, folder, plain, plain_or},
        messages::Part,
        quote::{Excerpt, barred},
    },
};

/// Messages from each end of a session.
const BOOKEND: usize = 3;
/// Characters of a message at an end, and of one that stands for a whole session.
const ANCHOR: usize = 600;

/// A session that matched.
pub(super) struct Found {
    meta: String,
    excerpt: Excerpt,
    around: Around,
    /// The call that goes on from the match.
    pub(super) scroll: String,
}

/// What is known beside the excerpt.
enum Around {
    /// The excerpt is all of the message, or the message is too long to be shown.
    Nothing,
    /// The message that matched.
    Anchor(String),
    /// What surrounds it.
    Hydrated(Box<Hydrated>),
    /// Why the file cannot be read now: it changed or went away since it was indexed.
    Unreadable(String),
}

/// What surrounds a match.
struct Hydrated {
    window: Part,
    first: Option<Part>,
    last: Option<Part>,
}

impl Found {
    pub(super) fn new(of: &Call<'_>, ids: &ShortIds, hit: &Hit, window: usize, hydrate: bool) -> Self {
        let session = &hit.session;
        let quoter = &of.quoter;
        let short = of.short(ids, &session.id);
        let here = if of.context.is_current(&session.id) {
            " · this session"
        } else {
            ""
        };
        let copies = match hit.also_in.len() {
            0 => String::new(),
            1 => " · also in 1 fork".to_owned(),
            forks => format!(" · also in {forks} forks"),
        };
        let excerpt = quoter.excerpt(&hit.snippet);
        let around = if hydrate {
            match Hydrated::read(of, hit, window) {
                Ok(hydrated) => Around::Hydrated(Box::new(hydrated)),
                Err(why) => Around::Unreadable(why),
            }
        } else if excerpt.is_cut() {
            anchor(of, hit)
        } else {
            Around::Nothing
        };
        let entry = plain_or(hit.entry.as_str(), "<message id>");
        let tip = hit.leaf.as_ref().and_then(|leaf| plain(leaf.as_str()));
        Self {
            meta: format!(
                "{}. {short} · {} · started {} · {}{here}{copies}\n   matched [{entry}] {} {}{}\n",
                hit.rank,
                folder(quoter, &session.cwd, of.context.home.as_deref()),
                day(session.created),
                quoter.line(&session.title, 60),
                hit.role.name(),
                day(hit.timestamp),
                branch(hit.branch, hit.leaf.as_ref(), quoter),
            ),
            excerpt,
            around,
            scroll: call(
                NAME,
                &[
                    ("sessionId", short.into()),
                    ("aroundMessageId", entry.into()),
                    ("branchTip", tip.into()),
                ],
            ),
        }
    }

    pub(super) fn blocks(&self, hydrate: bool, text: usize) -> Vec<String> {
        let mut blocks = vec![self.meta.clone()];
        match &self.around {
            Around::Hydrated(hydrated) if hydrate => {
                if let Some(first) = &hydrated.first {
                    blocks.push("  first messages:\n".to_owned());
                    blocks.extend(first.blocks(text.min(ANCHOR), false));
                }
                blocks.push(format!("  around the match, {}:\n", hydrated.window.range()));
                blocks.extend(hydrated.window.blocks(text, false));
                if let Some(last) = &hydrated.last {
                    blocks.push("  last messages:\n".to_owned());
                    blocks.extend(last.blocks(text.min(ANCHOR), false));
                }
            }
            Around::Anchor(message) if message.chars().count() <= text => blocks.push(barred(message)),
            Around::Unreadable(why) => blocks.push(format!(
                "| {}\n  (its messages cannot be read now: {why})\n",
                self.excerpt.shown(text)
            )),
            _ => blocks.push(format!("| {}\n", self.excerpt.shown(text.min(ANCHOR)))),
        }
        blocks
    }

    pub(super) fn is_cut(&self, text: usize) -> bool {
        let Around::Hydrated(hydrated) = &self.around else {
            return self.excerpt.is_cut();
        };
        let ends = [&hydrated.first, &hydrated.last].into_iter().flatten();
        let is_long =
            |part: &Part, most: usize| part.messages.iter().any(|message| message.characters > most);
        is_long(&hydrated.window, text) || ends.into_iter().any(|part| is_long(part, text.min(ANCHOR)))
    }
}

/// The message that matched, where it is short enough to stand for its session.
fn anchor(of: &Call<'_>, hit: &Hit) -> Around {
    let request = ReadRequest {
        window: 0,
        ..Hydrated::request(hit, Some(&hit.entry))
    };
    match of.lookback.read(&request) {
        Ok(transcript) => match transcript.messages.first() {
            Some(message) if message.text.chars().count() <= ANCHOR => {
                Around::Anchor(of.quoter.text(message.text.trim_end()))
            }
            _ => Around::Nothing,
        },
        Err(error) => Around::Unreadable(of.quoter.line(&sentence(&error), 200)),
    }
}

impl Hydrated {
    fn request(hit: &Hit, around: Option<&EntryId>) -> ReadRequest {
        ReadRequest {
            session: hit.session.id.to_string(),
            around: around.map(ToString::to_string),
            branch_tip: hit.leaf.as_ref().map(ToString::to_string),
            head: BOOKEND,
            tail: BOOKEND,
            // Cut later, behind redaction.
            characters: usize::MAX,
            ..ReadRequest::default()
        }
    }

    /// The messages around the match on its branch, and both ends of that branch where they are not among them.
    fn read(of: &Call<'_>, hit: &Hit, window: usize) -> Result<Self, String> {
        let read = |request: ReadRequest| {
            of.lookback
                .read(&request)
                .map_err(|error| of.quoter.line(&sentence(&error), 200))
        };
        let window = Part::new(
            &of.quoter,
            read(ReadRequest {
                window,
                ..Self::request(hit, Some(&hit.entry))
            })?,
            Some(hit.entry.as_str()),
            0,
        );
        if window.before == 0 && window.after == 0 {
            return Ok(Self {
                window,
                first: None,
                last: None,
            });
        }
        let ends = Part::new(&of.quoter, read(Self::request(hit, None))?, None, BOOKEND);
        let (first, last) = ends.split(BOOKEND);
        Ok(Self {
            first: first.without(&window),
            last: last.without(&window),
            window,
        })
    }
}
