use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{Node, SessionFile};
use memchr::memmem;

use super::{
    NodeBlocks, SessionRow,
    bytes::{Decoder, Encoder},
    substitute::{restore, substitute},
};
use crate::engine::Bytes;

/// The outline of a session file as bytes.
///
/// A [`SessionFile`] is serialised whole, except that its nodes, nearly all of it, are cut out and written in the
/// compact form of [`NodeBlocks`], that its path is left to the head, and that texts which the head holds too become
/// references. Putting all back gives the same bytes as before, so nothing here depends on what else the model
/// remembers.
#[derive(Debug, Clone)]
pub(crate) struct Outline {
    bytes: Bytes,
}

/// Texts that nearly every header has.
const USUAL: [&[u8]; 4] = [
    b"{\"type\":\"session\",\"version\":3,\"id\":\"",
    b"\",\"timestamp\":\"",
    b"\",\"cwd\":\"",
    b"\",\"parentSession\":\"",
];

impl Outline {
    pub(crate) fn from_bytes(bytes: Bytes) -> Self {
        Self { bytes }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Encodes the outline of a file whose head has these rows.
    pub(crate) fn encode(file: &SessionFile, rows: &[SessionRow]) -> Result<Self, postcard::Error> {
        let whole = postcard::to_allocvec(file)?;
        let path = postcard::to_allocvec(&file.path())?;
        // The path comes first; should the model ever change that, the test of round trips says so.
        let mut rest = whole
            .strip_prefix(path.as_slice())
            .ok_or(postcard::Error::SerdeSerCustom)?;
        let known = known_texts(rows);
        let mut out = Encoder::default();
        out.number(file.sessions().len() as u64);
        for session in file.sessions() {
            let nodes = postcard::to_allocvec(session.nodes())?;
            let at = position(rest, &nodes).ok_or(postcard::Error::SerdeSerCustom)?;
            out.block(&NodeBlocks::encode(session.nodes())?);
            out.block(&substitute(&rest[..at], &known));
            rest = &rest[at + nodes.len()..];
        }
        out.raw(&substitute(rest, &known));
        Ok(Self {
            bytes: Bytes::new(out.into_bytes()),
        })
    }

    /// The outline as it was encoded with the same rows, of a file that is at `path` now.
    pub(crate) fn decode(&self, path: &Utf8Path, rows: &[SessionRow]) -> Option<SessionFile> {
        let known = known_texts(rows);
        let mut from = Decoder::new(&self.bytes);
        let sessions = from.small()?;
        let mut whole = postcard::to_allocvec(&Utf8PathBuf::from(path)).ok()?;
        for _ in 0..sessions {
            let nodes: Vec<Node> = NodeBlocks::new(from.block()?)?.all()?;
            whole.extend(restore(from.block()?, &known)?);
            whole = postcard::to_extend(&nodes, whole).ok()?;
        }
        whole.extend(restore(from.rest(), &known)?);
        postcard::from_bytes(&whole).ok()
    }

    /// The nodes of one of its sessions.
    pub(crate) fn nodes(&self, session: u32) -> Option<NodeBlocks<'_>> {
        let mut from = Decoder::new(&self.bytes);
        if session >= from.small()? {
            return None;
        }
        for _ in 0..session {
            from.block()?;
            from.block()?;
        }
        NodeBlocks::new(from.block()?)
    }
}

/// Where a text of many bytes begins. Its first few say where it could; preparing a search for all of them would take
/// longer than the search.
fn position(bytes: &[u8], text: &[u8]) -> Option<usize> {
    const FEW: usize = 32;
    memmem::find_iter(bytes, &text[..text.len().min(FEW)]).find(|at| bytes[*at..].starts_with(text))
}

/// The texts of a head that its outline holds too.
fn known_texts(rows: &[SessionRow]) -> Vec<&[u8]> {
    let mut known = USUAL.to_vec();
    for row in rows {
        known.extend([row.id.as_str(), row.cwd.as_str(), row.title.as_str()].map(str::as_bytes));
        known.extend(row.name.as_deref().map(str::as_bytes));
        known.extend(row.parent_session.as_deref().map(str::as_bytes));
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_come_back() {
        let path = Utf8Path::new("x_s1.jsonl");
        let header = r#"{"type":"session","version":3,"id":"s1-with-an-id","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/home/dev"}"#;
        let entry = |id: &str, parent: &str| {
            format!(
                r#"{{"type":"message","id":{id},"parentId":{parent},"timestamp":"2026-03-02T09:00:01.000Z","message":{{"role":"user","content":"What is the title?"}}}}"#
            )
        };
        let odd = [
            entry("\"0badcafe\"", "null"),
            entry("\"0badcaff\"", "\"0badcafe\""),
            entry("\"0BADCAFE\"", "\"missing1\""),
            entry("null", "\"0badcafe\""),
            entry("\"an id of another kind\"", "\"0badcafe\""),
            r#"{"type":"label","id":"deadbeef","parentId":"0badcafe","targetId":"0badcafe","label":"here"}"#
                .to_owned(),
            format!("\0\0 damage {}", entry("\"12345678\"", "\"0badcafe\"")),
            header.replace("s1", "s2"),
            entry("\"0badcafe\"", "null"),
        ];
        let mut text = format!("{header}\n");
        for at in 0..100 {
            text += &format!(
                "{}\n",
                entry(&format!("\"{at:08x}\""), &format!("\"{:08x}\"", at - 1))
            );
        }
        for line in odd {
            text += &format!("{line}\n");
        }
        let file = SessionFile::from_bytes(path, text.as_bytes(), 0);
        let rows: Vec<SessionRow> = file
            .sessions()
            .iter()
            .map(|session| SessionRow::new(file.summary(session), session.models(), true))
            .collect();
        assert_eq!(rows.len(), 2);
        let outline = Outline::encode(&file, &rows).unwrap();
        assert_eq!(outline.decode(path, &rows).unwrap(), file);
        for (at, session) in (0..).zip(file.sessions()) {
            let blocks = outline.nodes(at).unwrap();
            for (node, expected) in (0..).zip(session.nodes()) {
                assert_eq!(blocks.get(node).as_ref(), Some(expected), "{node}");
            }
            assert_eq!(blocks.get(session.nodes().len() as u32), None);
        }
        assert!(outline.nodes(0).unwrap().contains("0badcaff"));
        assert!(outline.nodes(0).unwrap().contains("an id of another kind"));
        assert!(!outline.nodes(0).unwrap().contains("ffffffff"));
        assert!(outline.nodes(2).is_none());
        let moved = outline.decode(Utf8Path::new("elsewhere.jsonl"), &rows).unwrap();
        assert_eq!(moved.path(), "elsewhere.jsonl");
        assert!(outline.bytes().len() * 4 < postcard::to_allocvec(&file).unwrap().len() * 3);
    }
}
