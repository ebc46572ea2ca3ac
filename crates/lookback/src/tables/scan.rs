//! One file under the eyes of a kind of rows.

use std::{io, ops::ControlFlow};

use camino::Utf8Path;
use lookback_session_model::{
    Discovery, Entry, EntryReader, Fields, Link, Node, OpenError, Session, SessionFile, SessionId, Tree,
};

use super::{EntryFacts, Filter, family::Owners, plan::Member};

/// Which rows are read from a file.
pub trait RowKind: Send + Sync + 'static {
    /// A row; it borrows from what is being read.
    type Row<'a>;

    /// The rows of one file, in an order that depends on nothing but the file. `Break` from `emit` ends it early.
    ///
    /// # Errors
    /// When the file cannot be read to its end; the rows until then count.
    fn scan(
        &self,
        scan: &Scan<'_>,
        emit: &mut dyn FnMut(&Self::Row<'_>) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>>;

    /// False for rows that come from elsewhere: then there is no look through the folders either. Default: true.
    fn reads_files(&self) -> bool {
        true
    }

    /// Rows about the look through the folders, before those of all files. Default: none.
    fn discovered(
        &self,
        discovery: &Discovery,
        emit: &mut dyn FnMut(&Self::Row<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let _ = (discovery, emit);
        ControlFlow::Continue(())
    }

    /// Rows about a file that cannot be read at all. Default: none.
    fn failed(
        &self,
        path: &Utf8Path,
        error: &OpenError,
        emit: &mut dyn FnMut(&Self::Row<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let _ = (path, error, emit);
        ControlFlow::Continue(())
    }
}

/// A session file that was read once, to its outline.
#[derive(Debug)]
pub struct Scan<'a> {
    pub(super) file: &'a SessionFile,
    pub(super) trees: Vec<Tree<'a>>,
    pub(super) filter: &'a Filter,
    pub(super) parent: Option<&'a SessionId>,
    /// For each session and entry the number of its owner in `names`; empty where there is no family.
    copied: Vec<Vec<Option<u32>>>,
    names: &'a [SessionId],
}

impl<'a> Scan<'a> {
    pub(super) fn new(
        member: &'a Member,
        file: &'a SessionFile,
        filter: &'a Filter,
        copied: Vec<Vec<Option<u32>>>,
        names: &'a [SessionId],
    ) -> Self {
        Self {
            file,
            trees: file.sessions().iter().map(Tree::new).collect(),
            filter,
            parent: member.parent.as_ref(),
            copied,
            names,
        }
    }

    /// For each entry of the file the number of the session that owns it, where that is an older one.
    pub(super) fn owned(file: &SessionFile, owners: &mut Owners) -> Vec<Vec<Option<u32>>> {
        let of_session = |session: &Session| {
            owners.enter(session.id());
            session.nodes().iter().map(|node| owners.owner(node)).collect()
        };
        file.sessions().iter().map(of_session).collect()
    }

    /// The sessions of the file that the filter lets through, with their positions.
    pub(super) fn sessions(&self) -> impl Iterator<Item = (usize, &'a Session)> {
        let all = self.file.sessions().iter().enumerate();
        all.filter(|(_, session)| self.filter.wants(session))
    }

    /// The session that owns an entry of this file, where that is an older one.
    pub(super) fn owner(&self, session: usize, node: u32) -> Option<&'a SessionId> {
        let owner = self.copied.get(session)?[node as usize]?;
        self.names.get(owner as usize)
    }

    /// What all rows about an entry say.
    pub(super) fn facts(&self, session: usize, node: u32) -> EntryFacts<'_> {
        let outline = &self.file.sessions()[session];
        let at = &outline.nodes()[node as usize];
        EntryFacts {
            session: outline.id(),
            cwd: outline.header().map_or("", |header| header.cwd.as_str()),
            entry: at.id.as_ref(),
            parent: outline.named_parent(node),
            line: at.place.line,
            timestamp: at.time,
            branch: self.trees[session].state(node),
            copied_from: self.owner(session, node),
        }
    }

    /// Reads the entries for which `wanted` is true once more, each by its place, and hands them out with the positions
    /// of their sessions; only of sessions that the filter lets through, and no copies within the file. What lies between
    /// them, nine tenths of a file as a rule, is passed over. Nothing is read where there is none.
    pub(super) fn entries(
        &self,
        fields: Fields,
        wanted: impl Fn(usize, &Node) -> bool,
        mut each: impl FnMut(usize, EntryFacts<'_>, Entry) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let mut reader = None;
        for (position, session) in self.sessions() {
            for (at, node) in (0..).zip(session.nodes()) {
                if node.link == Link::Repeat || !wanted(position, node) {
                    continue;
                }
                let reader = match &mut reader {
                    Some(reader) => reader,
                    unopened => {
                        let (opened, _) = EntryReader::open(self.file.path()).map_err(io::Error::other)?;
                        unopened.insert(opened)
                    }
                };
                let entry = reader.read(node, fields)?.ok_or_else(changed)?;
                if each(position, self.facts(position, at), entry).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn changed() -> io::Error {
    io::Error::other("the file was rewritten while it was read")
}
