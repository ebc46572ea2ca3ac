use std::ops::Range;

use lookback_session_model::{BranchState, Role};

use super::bytes::{Decoder, Encoder};

/// One turn of a session file: where its text is in the index, and all that ranking asks about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TurnRow {
    /// Number of its document within the file. Documents of the file with other numbers are out of date.
    pub(crate) doc: u32,
    /// Its text is so long that it takes this many documents, with consecutive numbers. Mostly one.
    pub(crate) docs: u32,
    /// Which session of the file it belongs to.
    pub(crate) session: u32,
    /// Who speaks: user or assistant.
    pub(crate) role: Role,
    pub(crate) branch: BranchState,
    /// Its exchange within the session.
    pub(crate) exchange: u32,
    /// The same for copies of the turn in other sessions; `None` where too little is known to tell copies.
    pub(crate) key: Option<u64>,
    /// Milliseconds since 1970; `i64::MIN` when unknown.
    pub(crate) time_ms: i64,
    /// Positions of its text.
    pub(crate) length: u32,
    /// Messages of the session before it.
    pub(crate) position: u32,
    /// The model that answered: 1 for the first of [`SessionRow::models`](super::SessionRow), 0 when unknown.
    pub(crate) model: u32,
    /// The end of the branch it is on, as a position in the session's nodes.
    pub(crate) leaf: u32,
    /// The entries with its text: a range of [`TurnTable::nodes`].
    pub(crate) nodes: Range<u32>,
}

/// The turns of a session file, by ascending document number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TurnTable {
    pub(crate) rows: Vec<TurnRow>,
    /// The nodes of all rows, as positions in the nodes of their sessions.
    nodes: Vec<u32>,
    /// Rows that have more than one document.
    long_rows: u32,
}

/// Everything in a row besides numbers.
mod flag {
    pub(super) const ASSISTANT: u8 = 1;
    /// Two bits.
    pub(super) const BRANCH: u8 = 1;
    pub(super) const KEYED: u8 = 1 << 3;
    /// The document follows that of the row before, and is only one.
    pub(super) const NEXT_DOC: u8 = 1 << 4;
    /// One node.
    pub(super) const SINGLE: u8 = 1 << 5;
    /// Session, model and leaf are those of the row before.
    pub(super) const AS_BEFORE: u8 = 1 << 6;
    pub(super) const TIMED: u8 = 1 << 7;
}

impl TurnTable {
    /// Adds a row with its nodes; [`TurnRow::nodes`] is set here.
    pub(crate) fn push(&mut self, mut row: TurnRow, nodes: impl IntoIterator<Item = u32>) {
        let start = self.nodes.len() as u32;
        self.nodes.extend(nodes);
        row.nodes = start..self.nodes.len() as u32;
        self.long_rows += u32::from(row.docs != 1);
        self.rows.push(row);
    }

    /// The nodes of a row.
    pub(crate) fn nodes(&self, row: &TurnRow) -> &[u32] {
        &self.nodes[row.nodes.start as usize..row.nodes.end as usize]
    }

    /// The position of the row that a document belongs to.
    pub(crate) fn row_of(&self, doc: u32) -> Option<u32> {
        let at = self.rows.partition_point(|row| row.doc <= doc).checked_sub(1)?;
        let row = &self.rows[at];
        (doc - row.doc < row.docs).then_some(at as u32)
    }

    /// How many of `count` documents from `first` on belong to a row. A row's documents are always in one run.
    pub(crate) fn documents_among(&self, first: u32, count: u32) -> u32 {
        let from = self.rows.partition_point(|row| row.doc < first);
        let to = self
            .rows
            .partition_point(|row| row.doc < first.saturating_add(count));
        if self.long_rows == 0 {
            return (to - from) as u32;
        }
        self.rows[from..to].iter().map(|row| row.docs).sum()
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.number(self.rows.len() as u64);
        out.number(self.nodes.len() as u64);
        let mut before = Before::default();
        for row in &self.rows {
            let nodes = self.nodes(row);
            let next_doc = row.doc == before.doc && row.docs == 1;
            let as_before = (row.session, row.model, row.leaf) == (before.session, before.model, before.leaf);
            let mut flags = branch_bits(row.branch) << flag::BRANCH;
            flags |= set(row.role == Role::Assistant, flag::ASSISTANT);
            flags |= set(row.key.is_some(), flag::KEYED);
            flags |= set(next_doc, flag::NEXT_DOC);
            flags |= set(nodes.len() == 1, flag::SINGLE);
            flags |= set(as_before, flag::AS_BEFORE);
            flags |= set(row.time_ms != i64::MIN, flag::TIMED);
            out.byte(flags);
            if !next_doc {
                out.number(u64::from(row.doc.wrapping_sub(before.doc)));
                out.number(u64::from(row.docs));
            }
            if !as_before {
                out.number(u64::from(row.session));
                out.number(u64::from(row.model));
                out.number(u64::from(row.leaf));
            }
            out.signed(i64::from(row.exchange) - i64::from(before.exchange));
            if let Some(key) = row.key {
                out.raw(&key.to_le_bytes());
            }
            if row.time_ms != i64::MIN {
                out.signed(row.time_ms.wrapping_sub(before.time_ms));
                before.time_ms = row.time_ms;
            }
            out.number(u64::from(row.length));
            out.signed(i64::from(row.position) - i64::from(before.position));
            if nodes.len() != 1 {
                out.number(nodes.len() as u64);
            }
            for &node in nodes {
                out.signed(i64::from(node) - i64::from(before.node));
                before.node = node;
            }
            before.pass(row);
        }
        out.into_bytes()
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Decoder::new(bytes);
        let rows = from.small()? as usize;
        let nodes = from.small()? as usize;
        // A row takes five bytes at least, a node one: damaged counts must not reserve the memory of the machine.
        if rows > bytes.len() || nodes > bytes.len() {
            return None;
        }
        let mut table = Self {
            rows: Vec::with_capacity(rows),
            nodes: Vec::with_capacity(nodes),
            long_rows: 0,
        };
        let mut before = Before::default();
        for _ in 0..rows {
            let flags = from.byte()?;
            let has = |bit: u8| flags & bit != 0;
            let (doc, docs) = if has(flag::NEXT_DOC) {
                (before.doc, 1)
            } else {
                (before.doc.wrapping_add(from.small()?), from.small()?)
            };
            let (session, model, leaf) = if has(flag::AS_BEFORE) {
                (before.session, before.model, before.leaf)
            } else {
                (from.small()?, from.small()?, from.small()?)
            };
            let exchange = offset(before.exchange, from.signed()?)?;
            let key = if has(flag::KEYED) {
                Some(u64::from_le_bytes(from.raw(8)?.try_into().ok()?))
            } else {
                None
            };
            let time_ms = if has(flag::TIMED) {
                before.time_ms = before.time_ms.wrapping_add(from.signed()?);
                before.time_ms
            } else {
                i64::MIN
            };
            let length = from.small()?;
            let position = offset(before.position, from.signed()?)?;
            let count = if has(flag::SINGLE) { 1 } else { from.small()? };
            let start = table.nodes.len() as u32;
            for _ in 0..count {
                before.node = offset(before.node, from.signed()?)?;
                table.nodes.push(before.node);
            }
            let row = TurnRow {
                doc,
                docs,
                session,
                role: if has(flag::ASSISTANT) {
                    Role::Assistant
                } else {
                    Role::User
                },
                branch: branch_of(flags >> flag::BRANCH & 3)?,
                exchange,
                key,
                time_ms,
                length,
                position,
                model,
                leaf,
                nodes: start..table.nodes.len() as u32,
            };
            before.pass(&row);
            table.long_rows += u32::from(docs != 1);
            table.rows.push(row);
        }
        from.is_empty().then_some(table)
    }
}

/// What a row is written as the difference to.
#[derive(Default)]
struct Before {
    /// The document that would follow.
    doc: u32,
    session: u32,
    model: u32,
    leaf: u32,
    exchange: u32,
    time_ms: i64,
    position: u32,
    node: u32,
}

impl Before {
    fn pass(&mut self, row: &TurnRow) {
        self.doc = row.doc.wrapping_add(row.docs);
        (self.session, self.model, self.leaf) = (row.session, row.model, row.leaf);
        (self.exchange, self.position) = (row.exchange, row.position);
    }
}

fn set(yes: bool, bit: u8) -> u8 {
    if yes { bit } else { 0 }
}

fn offset(from: u32, by: i64) -> Option<u32> {
    u32::try_from(i64::from(from).checked_add(by)?).ok()
}

fn branch_bits(branch: BranchState) -> u8 {
    match branch {
        BranchState::Active => 0,
        BranchState::Compacted => 1,
        BranchState::Abandoned => 2,
    }
}

fn branch_of(bits: u8) -> Option<BranchState> {
    [
        BranchState::Active,
        BranchState::Compacted,
        BranchState::Abandoned,
    ]
    .get(bits as usize)
    .copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back() {
        let mut table = TurnTable::default();
        let row = TurnRow {
            doc: 0,
            docs: 1,
            session: 0,
            role: Role::User,
            branch: BranchState::Active,
            exchange: 0,
            key: Some(u64::MAX - 5),
            time_ms: 1_772_000_000_000,
            length: 12,
            position: 0,
            model: 1,
            leaf: 17,
            nodes: 0..0,
        };
        table.push(row.clone(), [2]);
        let assistant = TurnRow {
            doc: 1,
            docs: 3,
            role: Role::Assistant,
            branch: BranchState::Abandoned,
            key: None,
            time_ms: i64::MIN,
            length: u32::MAX,
            ..row.clone()
        };
        table.push(assistant, [3, 9, 5]);
        let other = TurnRow {
            doc: 9,
            session: 1,
            branch: BranchState::Compacted,
            exchange: 7,
            time_ms: -5,
            model: 0,
            ..row
        };
        table.push(other, []);
        let bytes = table.encode();
        assert_eq!(TurnTable::decode(&bytes), Some(table.clone()));
        assert_eq!(table.row_of(0), Some(0));
        assert_eq!(table.row_of(3), Some(1));
        assert_eq!(table.row_of(4), None);
        assert_eq!(table.row_of(9), Some(2));
        for cut in 0..bytes.len() {
            assert_eq!(TurnTable::decode(&bytes[..cut]), None, "{cut}");
        }
    }
}
