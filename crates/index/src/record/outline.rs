use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{Node, SessionFile};
use memchr::memmem;

use super::{
    NodeBlocks,
    bytes::{Decoder, Encoder},
};

/// The outline of a session file as bytes.
///
/// A [`SessionFile`] is serialised whole, except that its nodes, nearly all of it, are cut out and written in the
/// compact form of [`NodeBlocks`], and that its path is left to the head. Putting both back gives the same bytes as
/// before, so nothing here depends on what else the model remembers.
#[derive(Debug, Clone)]
pub(crate) struct Outline {
    bytes: Vec<u8>,
}

impl Outline {
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn encode(file: &SessionFile) -> Result<Self, postcard::Error> {
        let whole = postcard::to_allocvec(file)?;
        let path = postcard::to_allocvec(&file.path())?;
        // The path comes first; should the model ever change that, the format's round-trip test says so.
        let whole = whole
            .strip_prefix(path.as_slice())
            .ok_or(postcard::Error::SerdeSerCustom)?;
        let mut out = Encoder::default();
        out.number(file.sessions().len() as u64);
        let mut rest = whole;
        for session in file.sessions() {
            let nodes = postcard::to_allocvec(session.nodes())?;
            let at = memmem::find(rest, &nodes).ok_or(postcard::Error::SerdeSerCustom)?;
            out.block(&NodeBlocks::encode(session.nodes())?);
            out.block(&rest[..at]);
            rest = &rest[at + nodes.len()..];
        }
        out.raw(rest);
        Ok(Self {
            bytes: out.into_bytes(),
        })
    }

    /// The outline as it was encoded, of a file that is at `path` now.
    pub(crate) fn decode(&self, path: &Utf8Path) -> Option<SessionFile> {
        let mut from = Decoder::new(&self.bytes);
        let sessions = from.small()?;
        let mut whole = postcard::to_allocvec(&Utf8PathBuf::from(path)).ok()?;
        for _ in 0..sessions {
            let nodes: Vec<Node> = NodeBlocks::new(from.block()?)?.all()?;
            whole.extend_from_slice(from.block()?);
            whole = postcard::to_extend(&nodes, whole).ok()?;
        }
        whole.extend_from_slice(from.rest());
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
