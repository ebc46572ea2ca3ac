use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use lookback_session_model::{EntryId, EntryKind, EntryReader, Fields, FileStamp, Node, Text};

use crate::{
    IndexError,
    record::{FileId, Outline, TurnRow},
    snapshot::{KnownFile, Snapshot},
};

/// Bytes of texts that are kept at most: those of a few thousand turns.
const ROOM: usize = 8 << 20;

/// The texts of turns, read from the session files.
///
/// Who searches while typing sees the same hits again and again, so the texts that were shown last are kept, as long
/// as their files do not change.
#[derive(Debug, Default)]
pub(super) struct TurnTexts {
    kept: Mutex<Kept>,
}

/// Texts by file and document. An index that was built again can give the same numbers to another text, so what they
/// stand for is looked at as well.
type Turns = HashMap<(FileId, u32), Arc<TurnText>>;

/// What was asked for lately, and what was not since: the latter goes when the former is half of the room.
#[derive(Debug, Default)]
struct Kept {
    recent: Turns,
    older: Turns,
    /// Bytes of the recent ones.
    bytes: usize,
}

/// The entries of a turn with their texts.
#[derive(Debug)]
pub(super) struct TurnText {
    pub(super) nodes: Vec<Node>,
    /// Where they are: the session of the file, and positions in its nodes.
    places: (u32, Box<[u32]>),
    /// The end of the branch that the turn is on.
    pub(super) leaf: Option<EntryId>,
    /// Its position in the session's nodes.
    leaf_at: u32,
    /// One for each node. An entry that is not there any more, because the file changed since the last sync, has an
    /// empty one: a hit without a snippet is better than one with a wrong snippet.
    pub(super) texts: Vec<Text>,
    /// The file when it was read; `None` when it could not be opened.
    stamp: Option<FileStamp>,
}

impl TurnTexts {
    /// The texts of a turn as they stand in its file now.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the outline of the file is.
    pub(super) fn of(
        &self,
        snapshot: &Snapshot,
        file: &KnownFile,
        row: &TurnRow,
    ) -> Result<Arc<TurnText>, IndexError> {
        let key = (file.head().file, row.doc);
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(key);
        if let Some(turn) = kept
            && turn.is_of(file, row)
            && turn.is_current(file)
        {
            return Ok(turn);
        }
        let outline = snapshot.outline(file)?;
        let turn = TurnText::read(file, row, &outline)
            .ok_or_else(|| snapshot.layers[file.layer as usize].fault("an outline cannot be read"))?;
        let turn = Arc::new(turn);
        if turn.stamp == Some(file.head().stamp) && turn.bytes() < ROOM / 16 {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.put(key, turn.clone());
        }
        Ok(turn)
    }
}

impl Kept {
    fn get(&mut self, key: (FileId, u32)) -> Option<Arc<TurnText>> {
        if let Some(turn) = self.recent.get(&key) {
            return Some(turn.clone());
        }
        let turn = self.older.remove(&key)?;
        self.put(key, turn.clone());
        Some(turn)
    }

    fn put(&mut self, key: (FileId, u32), turn: Arc<TurnText>) {
        if self.bytes + turn.bytes() > ROOM / 2 {
            self.older = mem::take(&mut self.recent);
            self.bytes = 0;
        }
        self.bytes += turn.bytes();
        if let Some(before) = self.recent.insert(key, turn) {
            self.bytes -= before.bytes();
        }
    }
}

impl TurnText {
    /// `None` when the outline is damaged.
    fn read(file: &KnownFile, row: &TurnRow, outline: &Outline) -> Option<Self> {
        let blocks = outline.nodes(row.session)?;
        let nodes: Vec<Node> = file
            .head()
            .turns
            .nodes(row)
            .iter()
            .map(|node| blocks.get(*node))
            .collect::<Option<_>>()?;
        let (mut reader, stamp) = EntryReader::open(file.path()).ok().unzip();
        let mut text = |node: &Node| match reader.as_mut()?.read(node, Fields::TEXT).ok()??.kind {
            EntryKind::Message(message) => Some(message.text),
            _ => None,
        };
        let texts = nodes.iter().map(|node| text(node).unwrap_or_default()).collect();
        Some(Self {
            nodes,
            places: (row.session, file.head().turns.nodes(row).into()),
            leaf: blocks.get(row.leaf).and_then(|leaf| leaf.id),
            leaf_at: row.leaf,
            texts,
            stamp,
        })
    }

    fn is_of(&self, file: &KnownFile, row: &TurnRow) -> bool {
        self.leaf_at == row.leaf
            && self.places.0 == row.session
            && *self.places.1 == *file.head().turns.nodes(row)
    }

    /// The file is as it was when it was read, for this and for the index.
    fn is_current(&self, file: &KnownFile) -> bool {
        let stamp = file.head().stamp;
        let now = std::fs::symlink_metadata(file.path());
        self.stamp == Some(stamp) && now.is_ok_and(|now| FileStamp::of(&now) == stamp)
    }

    /// Bytes of memory, about.
    fn bytes(&self) -> usize {
        let texts: usize = self.texts.iter().map(|text| text.as_str().len()).sum();
        texts + self.nodes.len() * (size_of::<Node>() + size_of::<Text>()) + 256
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(bytes: usize) -> Arc<TurnText> {
        Arc::new(TurnText {
            nodes: Vec::new(),
            places: (0, Box::default()),
            leaf: None,
            leaf_at: 0,
            texts: vec![Text::new("x".repeat(bytes))],
            stamp: Some(FileStamp::default()),
        })
    }

    #[test]
    fn what_was_not_asked_for_lately_goes() {
        let mut kept = Kept::default();
        kept.put((1, 0), turn(10));
        for doc in 0..100 {
            kept.put((2, doc), turn(100 << 10));
            assert!(kept.get((1, 0)).is_some(), "asked for all the time: {doc}");
        }
        assert!(kept.get((2, 0)).is_none());
        assert!(kept.get((2, 99)).is_some());
        let all = kept.recent.values().chain(kept.older.values());
        assert!(all.map(|turn| turn.bytes()).sum::<usize>() <= ROOM);
    }
}
