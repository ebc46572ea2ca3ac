use serde::{Deserialize, Serialize};

/// The text of an entry: its text blocks, joined by line feeds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Text {
    joined: String,
    /// Offsets of the line feeds that join two blocks.
    joints: Vec<u32>,
}

impl Text {
    /// A text of one block.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            joined: text.into(),
            joints: Vec::new(),
        }
    }

    /// Adds a block.
    pub(crate) fn push(&mut self, block: String, first: bool) {
        if first {
            self.joined = block;
        } else {
            // Texts of 4 GiB and more lose the joint, not the text.
            self.joints.extend(u32::try_from(self.joined.len()));
            self.joined.push('\n');
            self.joined.push_str(&block);
        }
    }

    /// The blocks joined by line feeds.
    pub fn as_str(&self) -> &str {
        &self.joined
    }

    /// True when there is no block, or only empty ones without a joint.
    pub fn is_empty(&self) -> bool {
        self.joined.is_empty()
    }

    /// The blocks.
    pub fn blocks(&self) -> impl Iterator<Item = &str> {
        let ends = self
            .joints
            .iter()
            .map(|&joint| joint as usize)
            .chain([self.joined.len()]);
        let starts = [0]
            .into_iter()
            .chain(self.joints.iter().map(|&joint| joint as usize + 1));
        starts.zip(ends).map(|(start, end)| &self.joined[start..end])
    }

    /// The blocks joined by one space each, as Pi's list shows them.
    pub fn joined_by_spaces(&self) -> String {
        let mut text = self.joined.clone().into_bytes();
        for &joint in &self.joints {
            text[joint as usize] = b' ';
        }
        // One ASCII character in place of another: still UTF-8.
        String::from_utf8(text).unwrap_or_default()
    }

    /// The start of [`Text::joined_by_spaces`], without the rest of a long text: at most `length` bytes.
    pub(crate) fn start_joined_by_spaces(&self, length: usize) -> String {
        let end = self.joined.floor_char_boundary(length);
        let joints = self.joints.partition_point(|&joint| (joint as usize) < end);
        Self {
            joined: self.joined[..end].to_owned(),
            joints: self.joints[..joints].to_vec(),
        }
        .joined_by_spaces()
    }

    /// The blocks joined by line feeds, without a copy.
    pub fn into_string(self) -> String {
        self.joined
    }
}
