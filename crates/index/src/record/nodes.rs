//! The nodes of a session in about a third of the bytes that serde would write, with access to single ones.

use lookback_session_model::{EntryId, Link, Node, NodeKind, Place, Role, Timestamp};
use memchr::memmem;

use super::bytes::{Decoder, Encoder};

/// Nodes are written as differences to the one before, in blocks of so many; a single node costs half a block.
const BLOCK: usize = 32;

/// Encoded nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeBlocks<'a> {
    count: usize,
    /// Where each block begins, four bytes each.
    index: &'a [u8],
    blocks: &'a [u8],
}

mod flag {
    /// The four low bits of the first byte are the kind; this one stands for a node in full.
    pub(super) const IN_FULL: u8 = 15;
    /// The parent is the node before, and named directly.
    pub(super) const CHAINED: u8 = 1 << 4;
    /// The id is eight hexadecimal digits.
    pub(super) const HEX_ID: u8 = 1 << 5;
    pub(super) const TIMED: u8 = 1 << 6;
    /// It stands on the line behind the one before.
    pub(super) const NEXT_LINE: u8 = 1 << 7;
    /// The three low bits of the second byte are the role. Two bits of link follow.
    pub(super) const LINK: u8 = 3;
    pub(super) const NAMED: u8 = 1 << 5;
    pub(super) const TEXT: u8 = 1 << 6;
    pub(super) const HAS_PARENT: u8 = 1 << 7;
}

const KINDS: [NodeKind; 12] = [
    NodeKind::Message,
    NodeKind::ModelChange,
    NodeKind::ThinkingLevelChange,
    NodeKind::Usage,
    NodeKind::Compaction,
    NodeKind::BranchSummary,
    NodeKind::Custom,
    NodeKind::CustomMessage,
    NodeKind::ContextEdit,
    NodeKind::Label,
    NodeKind::SessionInfo,
    NodeKind::Unknown,
];

const ROLES: [Option<Role>; 8] = [
    None,
    Some(Role::System),
    Some(Role::User),
    Some(Role::Assistant),
    Some(Role::ToolResult),
    Some(Role::BashExecution),
    Some(Role::Custom),
    Some(Role::Other),
];

const LINKS: [Link; 4] = [Link::Root, Link::Direct, Link::Gap, Link::Cut];

impl<'a> NodeBlocks<'a> {
    /// Encodes nodes. Fails only where serde fails.
    pub(crate) fn encode(nodes: &[Node]) -> Result<Vec<u8>, postcard::Error> {
        let mut blocks = Encoder::default();
        let mut index = Vec::with_capacity(nodes.len().div_ceil(BLOCK) * 4);
        let mut before = Before::default();
        for (at, node) in nodes.iter().enumerate() {
            if at % BLOCK == 0 {
                index.extend_from_slice(&(blocks.len() as u32).to_le_bytes());
                before = Before::default();
            }
            if !before.encode(at as u32, node, &mut blocks) {
                blocks.byte(flag::IN_FULL);
                blocks.block(&postcard::to_allocvec(node)?);
            }
            before.pass(node);
        }
        let mut out = Encoder::default();
        out.number(nodes.len() as u64);
        out.raw(&index);
        out.raw(&blocks.into_bytes());
        Ok(out.into_bytes())
    }

    pub(crate) fn new(bytes: &'a [u8]) -> Option<Self> {
        let mut from = Decoder::new(bytes);
        let count = from.small()? as usize;
        let index = from.raw(count.div_ceil(BLOCK).checked_mul(4)?)?;
        let blocks = from.rest();
        Some(Self { count, index, blocks })
    }

    /// All nodes.
    pub(crate) fn all(&self) -> Option<Vec<Node>> {
        // A node takes two bytes at least: a damaged count must not reserve the memory of the machine.
        if self.count > self.blocks.len() {
            return None;
        }
        let mut nodes = Vec::with_capacity(self.count);
        let mut from = Decoder::new(self.blocks);
        let mut before = Before::default();
        for at in 0..self.count {
            if at % BLOCK == 0 {
                before = Before::default();
            }
            let node = before.decode(at as u32, &mut from)?;
            before.pass(&node);
            nodes.push(node);
        }
        from.is_empty().then_some(nodes)
    }

    /// True when one of the nodes has this id; without decoding all of them where the id is not among their bytes.
    pub(crate) fn contains(&self, id: &str) -> bool {
        let among_bytes = match hex_id(id) {
            Some(digits) => memmem::find(self.blocks, &digits.to_le_bytes()),
            None => memmem::find(self.blocks, id.as_bytes()),
        };
        among_bytes.is_some()
            && self.all().is_some_and(|nodes| {
                nodes
                    .iter()
                    .any(|node| node.id.as_ref().is_some_and(|known| known.as_str() == id))
            })
    }

    /// One node.
    pub(crate) fn get(&self, at: u32) -> Option<Node> {
        if at as usize >= self.count {
            return None;
        }
        let block = at as usize / BLOCK;
        let start = self.index.get(block * 4..block * 4 + 4)?;
        let start = u32::from_le_bytes(start.try_into().ok()?) as usize;
        let mut from = Decoder::new(self.blocks.get(start..)?);
        let mut before = Before::default();
        for skipped in (block * BLOCK) as u32..at {
            let node = before.decode(skipped, &mut from)?;
            before.pass(&node);
        }
        before.decode(at, &mut from)
    }
}

/// What a node is written as the difference to.
#[derive(Default)]
struct Before {
    time: i64,
    line: u64,
    /// Behind the line end of the node before.
    offset: u64,
}

impl Before {
    fn pass(&mut self, node: &Node) {
        if let Some(time) = node.time {
            self.time = time.as_millis();
        }
        self.line = node.place.line;
        self.offset = node.place.offset.wrapping_add(node.place.length).wrapping_add(1);
    }

    /// False for nodes that do not fit the scheme, which may come from later versions of the model.
    fn encode(&self, at: u32, node: &Node, out: &mut Encoder) -> bool {
        let Some(kind) = KINDS.iter().position(|kind| *kind == node.kind) else {
            return false;
        };
        let Some(role) = ROLES.iter().position(|role| *role == node.role) else {
            return false;
        };
        let Some(link) = LINKS.iter().position(|link| *link == node.link) else {
            return false;
        };
        let chained = node.link == Link::Direct && node.parent.is_some() && node.parent == at.checked_sub(1);
        let hex = node.id.as_ref().and_then(|id| hex_id(id.as_str()));
        let place = node.place;
        let next_line = place.line == self.line.wrapping_add(1)
            && place.offset == self.offset
            && self.line > 0
            && !place.recovered;
        let bit = |yes: bool, bit: u8| if yes { bit } else { 0 };
        out.byte(
            kind as u8
                | bit(chained, flag::CHAINED)
                | bit(hex.is_some(), flag::HEX_ID)
                | bit(node.time.is_some(), flag::TIMED)
                | bit(next_line, flag::NEXT_LINE),
        );
        out.byte(
            role as u8
                | (link as u8) << flag::LINK
                | bit(node.id.is_some(), flag::NAMED)
                | bit(node.text_length > 0, flag::TEXT)
                | bit(node.parent.is_some(), flag::HAS_PARENT),
        );
        if let (Some(parent), false) = (node.parent, chained) {
            out.signed(i64::from(at) - i64::from(parent));
        }
        match (hex, &node.id) {
            (Some(hex), _) => out.raw(&hex.to_le_bytes()),
            (None, Some(id)) => out.block(id.as_str().as_bytes()),
            (None, None) => {}
        }
        if let Some(time) = node.time {
            out.signed(time.as_millis().wrapping_sub(self.time));
        }
        if node.text_length > 0 {
            out.number(u64::from(node.text_length));
        }
        out.number(place.length);
        if !next_line {
            out.number(place.line);
            out.number(place.offset);
            out.byte(u8::from(place.recovered));
        }
        true
    }

    fn decode(&self, at: u32, from: &mut Decoder<'_>) -> Option<Node> {
        let first = from.byte()?;
        if first == flag::IN_FULL {
            return postcard::from_bytes(from.block()?).ok();
        }
        let second = from.byte()?;
        let kind = *KINDS.get((first & 15) as usize)?;
        let role = ROLES[(second & 7) as usize];
        let link = LINKS[(second >> flag::LINK & 3) as usize];
        let parent = if first & flag::CHAINED != 0 {
            Some(at.checked_sub(1)?)
        } else if second & flag::HAS_PARENT != 0 {
            Some(u32::try_from(i64::from(at).checked_sub(from.signed()?)?).ok()?)
        } else {
            None
        };
        let id = if first & flag::HEX_ID != 0 {
            let digits = u32::from_le_bytes(from.raw(4)?.try_into().ok()?);
            let mut text = [0; 8];
            for (place, digit) in text.iter_mut().enumerate() {
                *digit = b"0123456789abcdef"[(digits >> (28 - 4 * place) & 15) as usize];
            }
            Some(EntryId::new(std::str::from_utf8(&text).ok()?))
        } else if second & flag::NAMED != 0 {
            Some(EntryId::new(std::str::from_utf8(from.block()?).ok()?))
        } else {
            None
        };
        let time = if first & flag::TIMED != 0 {
            Some(Timestamp::from_millis(self.time.wrapping_add(from.signed()?))?)
        } else {
            None
        };
        let text_length = if second & flag::TEXT != 0 {
            from.small()?
        } else {
            0
        };
        let length = from.number()?;
        let place = if first & flag::NEXT_LINE != 0 {
            Place {
                line: self.line + 1,
                offset: self.offset,
                length,
                recovered: false,
            }
        } else {
            Place {
                line: from.number()?,
                offset: from.number()?,
                length,
                recovered: from.byte()? != 0,
            }
        };
        Some(Node {
            id,
            parent,
            link,
            kind,
            role,
            text_length,
            time,
            place,
        })
    }
}

/// The number that eight lower-case hexadecimal digits write: what Pi's ids look like.
fn hex_id(id: &str) -> Option<u32> {
    let is_hex = id.len() == 8 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_hex {
        u32::from_str_radix(id, 16).ok()
    } else {
        None
    }
}
