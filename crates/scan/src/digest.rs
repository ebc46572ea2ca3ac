//! One file as ranking sees it: its sessions, their turns, and where the terms that matter stand in them.

use std::{
    collections::HashMap,
    fs::File,
    ops::{ControlFlow, Range},
    sync::mpsc::{RecvTimeoutError, sync_channel},
    time::Duration,
};

use camino::{Utf8Path, Utf8PathBuf};
use lookback_ranker::{LiveContext, NONE};
use lookback_session_model::{
    BranchState, EntryReader, Fields, Header, NodeKind, OpenError, Role, Session, SessionFile, SessionId,
    SessionSummary, Tree, Turn,
};
use smol_str::SmolStr;

use crate::{
    options::ScanOptions,
    outcome::DamagedFile,
    overview::MessageKey,
    sift::{Interrupt, LineSpan},
    words::Words,
};

/// Bytes of text of one file that are kept while it is read; what does not fit is read twice.
const KEPT_TEXT: usize = 2 << 20;

/// Larger files are read by a thread that nobody waits for when the scan is to stop.
const LARGE_FILE: u64 = 32 << 20;

/// What a file tells.
#[derive(Debug)]
pub(crate) struct FileDigest {
    pub(crate) path: Utf8PathBuf,
    pub(crate) sessions: Vec<SessionDigest>,
    /// The terms that occur, in the order of their first occurrence.
    pub(crate) terms: Vec<SmolStr>,
    /// Of all turns, by turn and position.
    pub(crate) occurrences: Vec<Occurrence>,
    pub(crate) damaged: Option<DamagedFile>,
    /// Of the messages in its turns, where others may have copies of them.
    pub(crate) keys: Vec<MessageKey>,
}

#[derive(Debug)]
pub(crate) struct SessionDigest {
    pub(crate) summary: SessionSummary,
    pub(crate) turns: Vec<TurnDigest>,
    /// How many exchanges it has, with those of turns that were left out.
    pub(crate) exchanges: u32,
    pub(crate) models: Vec<SmolStr>,
}

#[derive(Debug)]
pub(crate) struct TurnDigest {
    pub(crate) role: Role,
    pub(crate) branch: BranchState,
    /// Its exchange within the session.
    pub(crate) exchange: u32,
    /// The same for copies in other sessions; `None` where too little is known to tell copies.
    pub(crate) key: Option<u64>,
    /// The number that [`Tree::turns`] gives it.
    pub(crate) number: u32,
    pub(crate) time_ms: i64,
    pub(crate) length: u32,
    pub(crate) position: u32,
    /// Ordinal in [`SessionDigest::models`], or [`NONE`].
    pub(crate) model: u32,
    /// The searcher has it before its eyes.
    pub(crate) live: bool,
    /// Its part of [`FileDigest::occurrences`].
    pub(crate) occurrences: Range<u32>,
}

/// Where a term stands in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Occurrence {
    /// Ordinal in [`FileDigest::terms`].
    pub(crate) term: u32,
    pub(crate) position: u32,
}

/// What is wanted of the files beside terms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// The models that answered.
    pub(crate) models: bool,
    pub(crate) live: Option<&'a LiveContext>,
}

/// Why there is no digest.
#[derive(Debug)]
pub(crate) enum NoDigest {
    Interrupt(Interrupt),
    Open(OpenError),
}

impl From<Interrupt> for NoDigest {
    fn from(interrupt: Interrupt) -> Self {
        Self::Interrupt(interrupt)
    }
}

impl From<std::io::Error> for NoDigest {
    fn from(error: std::io::Error) -> Self {
        Self::Interrupt(Interrupt::Io(error))
    }
}

impl FileDigest {
    /// A file in which nothing matches.
    pub(crate) fn without_turns(path: &Utf8Path, header: Header) -> Self {
        let id = header.id.unwrap_or_else(|| {
            let stem = path.file_stem().unwrap_or_default();
            SessionId::new(stem.split_once('_').map_or(stem, |(_, id)| id))
        });
        let summary = SessionSummary {
            title: id.as_str().to_owned(),
            id,
            path: path.to_owned(),
            cwd: header.cwd,
            name: None,
            created: header.timestamp,
            modified: header.timestamp,
            message_count: 0,
            parent_session: header.parent_session,
        };
        Self {
            path: path.to_owned(),
            sessions: vec![SessionDigest {
                summary,
                turns: Vec::new(),
                exchanges: 0,
                models: Vec::new(),
            }],
            terms: Vec::new(),
            occurrences: Vec::new(),
            damaged: None,
            keys: Vec::new(),
        }
    }

    /// Reads a file. `lines` are those that may have a term that matters, ascending: turns without such a term are left
    /// out, and most of them are not looked at. `None` takes all turns in.
    pub(crate) fn read(
        path: &Utf8Path,
        lines: Option<&[LineSpan]>,
        wanted: Wanted<'_>,
        words: &mut Words<'_>,
        options: &ScanOptions<'_>,
    ) -> Result<Self, NoDigest> {
        let outline = outline(path, KEPT_TEXT, options)?;
        Self::of(&outline, lines, wanted, words, options)
    }

    /// The same for the bytes of a file.
    pub(crate) fn of_bytes(
        path: &Utf8Path,
        bytes: &[u8],
        lines: &[LineSpan],
        wanted: Wanted<'_>,
        words: &mut Words<'_>,
        options: &ScanOptions<'_>,
    ) -> Result<Self, NoDigest> {
        let outline = SessionFile::from_bytes(path, bytes, KEPT_TEXT);
        Self::of(&outline, Some(lines), wanted, words, options)
    }

    /// The ordinal of a term.
    fn term(&mut self, ids: &mut HashMap<SmolStr, u32>, term: &str) -> u32 {
        // The first ones are looked at one by one: few queries have more.
        let few = self.terms.iter().take(8).position(|known| known == term);
        if let Some(id) = few.map(|at| at as u32).or_else(|| ids.get(term).copied()) {
            return id;
        }
        let id = self.terms.len() as u32;
        self.terms.push(SmolStr::new(term));
        ids.insert(SmolStr::new(term), id);
        id
    }

    fn of(
        outline: &SessionFile,
        lines: Option<&[LineSpan]>,
        wanted: Wanted<'_>,
        words: &mut Words<'_>,
        options: &ScanOptions<'_>,
    ) -> Result<Self, NoDigest> {
        let path = outline.path();
        let mut digester = Digester {
            path,
            wanted,
            words,
            options,
            reader: None,
            term_ids: HashMap::new(),
            digest: Self {
                path: path.to_owned(),
                sessions: Vec::with_capacity(outline.sessions().len()),
                terms: Vec::new(),
                occurrences: Vec::new(),
                damaged: damage(outline),
                keys: Vec::new(),
            },
        };
        for session in outline.sessions() {
            digester.session(outline, session, lines)?;
        }
        Ok(digester.digest)
    }
}

/// The outline of a file, with up to `keep` bytes of its texts.
pub(crate) fn outline(
    path: &Utf8Path,
    keep: usize,
    options: &ScanOptions<'_>,
) -> Result<SessionFile, NoDigest> {
    let size = std::fs::symlink_metadata(path).map_or(0, |metadata| metadata.len());
    if size < LARGE_FILE {
        return SessionFile::read(path, keep).map_err(NoDigest::Open);
    }
    let (sender, receiver) = sync_channel(1);
    let owned = path.to_owned();
    std::thread::spawn(move || {
        // Nobody listens any more when the scan was stopped.
        let _ = sender.send(SessionFile::read(&owned, keep));
    });
    loop {
        if let Some(stop) = options.stop() {
            return Err(Interrupt::Stop(stop).into());
        }
        match receiver.recv_timeout(Duration::from_millis(10)) {
            Ok(read) => return read.map_err(NoDigest::Open),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(std::io::Error::other("the file could not be read").into());
            }
        }
    }
}

fn damage(outline: &SessionFile) -> Option<DamagedFile> {
    let diagnostics = outline.diagnostics();
    let count = diagnostics.damaged_lines();
    (count > 0).then(|| DamagedFile {
        path: outline.path().to_owned(),
        lines: diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.kind.is_damage())
            .map(|diagnostic| diagnostic.line)
            .collect(),
        count,
    })
}

struct Digester<'a, 'w> {
    path: &'a Utf8Path,
    wanted: Wanted<'a>,
    words: &'a mut Words<'w>,
    options: &'a ScanOptions<'a>,
    /// For texts that were not kept; opened when it is needed.
    reader: Option<EntryReader<File>>,
    term_ids: HashMap<SmolStr, u32>,
    digest: FileDigest,
}

impl Digester<'_, '_> {
    fn session(
        &mut self,
        outline: &SessionFile,
        session: &Session,
        lines: Option<&[LineSpan]>,
    ) -> Result<(), NoDigest> {
        let live = self.wanted.live.filter(|live| live.session == *session.id());
        let is_live = |turn: &Turn| {
            live.is_some_and(|live| {
                // A turn goes on growing while its beginning is before the model's eyes.
                turn.nodes.iter().any(|&node| {
                    let id = &session.nodes()[node as usize].id;
                    id.as_ref().is_some_and(|id| live.entries.contains(id))
                })
            })
        };
        let positions = message_positions(session);
        let mut turns = Vec::new();
        let mut exchanges = 0;
        for (number, turn) in (0..).zip(Tree::new(session).turns()) {
            exchanges = exchanges.max(turn.exchange + 1);
            if lines.is_some_and(|lines| !turn.nodes.iter().any(|&node| stands_in(session, node, lines))) {
                continue;
            }
            self.check()?;
            let from = self.digest.occurrences.len() as u32;
            let length = self.text(session, &turn)?;
            if lines.is_some() && self.digest.occurrences.len() == from as usize {
                continue;
            }
            if lines.is_some() {
                self.keys(session, &turn);
            }
            let model = self.model(session, &turn)?;
            turns.push(TurnDigest {
                role: turn.role,
                branch: turn.state,
                exchange: turn.exchange,
                key: copy_key(session, &turn),
                number,
                time_ms: turn.time(session).map_or(i64::MIN, |time| time.as_millis()),
                length,
                position: positions[turn.nodes[0] as usize],
                model,
                live: is_live(&turn),
                occurrences: from..self.digest.occurrences.len() as u32,
            });
        }
        self.digest.sessions.push(SessionDigest {
            summary: outline.summary(session),
            turns,
            exchanges,
            models: session.models().to_vec(),
        });
        Ok(())
    }

    fn check(&self) -> Result<(), NoDigest> {
        match self.options.stop() {
            Some(stop) => Err(Interrupt::Stop(stop).into()),
            None => Ok(()),
        }
    }

    /// Notes by what copies of the messages of a turn are known.
    fn keys(&mut self, session: &Session, turn: &Turn) {
        let nodes = turn.nodes.iter().map(|&node| &session.nodes()[node as usize]);
        let keys = nodes.filter_map(|node| Some(MessageKey::of(node.id.as_ref()?.as_str(), node.time?)));
        self.digest.keys.extend(keys);
    }

    /// Notes the terms of a turn. Returns its length in positions.
    fn text(&mut self, session: &Session, turn: &Turn) -> Result<u32, NoDigest> {
        let mut length = 0;
        for &node in &turn.nodes {
            let text = match session.kept_text(node) {
                Some(kept) => kept.clone(),
                None => match self.entry(session, node)? {
                    Some(message) => message.text,
                    None => continue,
                },
            };
            let (digest, term_ids, options) = (&mut self.digest, &mut self.term_ids, self.options);
            let walk = self.words.each(
                text.as_str(),
                || match options.stop() {
                    Some(stop) => ControlFlow::Break(stop),
                    None => ControlFlow::Continue(()),
                },
                |term, position| {
                    let term = digest.term(term_ids, term);
                    digest.occurrences.push(Occurrence {
                        term,
                        position: length + position,
                    });
                    ControlFlow::Continue(())
                },
            );
            match walk {
                ControlFlow::Continue(positions) => length += positions,
                ControlFlow::Break(stop) => return Err(Interrupt::Stop(stop).into()),
            }
        }
        Ok(length)
    }

    /// The model that answered, as an ordinal of [`Session::models`].
    fn model(&mut self, session: &Session, turn: &Turn) -> Result<u32, NoDigest> {
        let models = session.models();
        if !self.wanted.models || turn.role != Role::Assistant || models.is_empty() {
            return Ok(NONE);
        }
        if models.len() == 1 {
            return Ok(0);
        }
        let last = turn.nodes.last().copied().unwrap_or(0);
        let model = self.entry(session, last)?.and_then(|message| message.model);
        let known = model.and_then(|model| models.iter().position(|known| *known == model));
        Ok(known.map_or(NONE, |at| at as u32))
    }

    /// A message, read again.
    fn entry(
        &mut self,
        session: &Session,
        node: u32,
    ) -> Result<Option<lookback_session_model::Message>, NoDigest> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            None => {
                let (reader, _) = EntryReader::open(self.path).map_err(NoDigest::Open)?;
                self.reader.insert(reader)
            }
        };
        let entry = reader.read(&session.nodes()[node as usize], Fields::TEXT)?;
        Ok(entry.and_then(|entry| entry.message().cloned()))
    }
}

/// Whether an entry stands in one of these lines.
fn stands_in(session: &Session, node: u32, lines: &[LineSpan]) -> bool {
    let offset = session.nodes()[node as usize].place.offset;
    let behind = lines.partition_point(|line| line.offset <= offset);
    behind
        .checked_sub(1)
        .is_some_and(|at| offset <= lines[at].offset + lines[at].length)
}

/// How many messages stand before each entry.
fn message_positions(session: &Session) -> Vec<u32> {
    let mut count = 0;
    let before = |node: &lookback_session_model::Node| {
        let before = count;
        count += u32::from(node.kind == NodeKind::Message);
        before
    };
    session.nodes().iter().map(before).collect()
}

/// The key by which copies of a turn are known. Without ids and times, turns that are alike need not be copies.
fn copy_key(session: &Session, turn: &Turn) -> Option<u64> {
    let is_known = |&node: &u32| {
        let node = &session.nodes()[node as usize];
        node.id.is_some() && node.time.is_some()
    };
    turn.nodes.iter().all(is_known).then_some(turn.key)
}
