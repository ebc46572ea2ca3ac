/// Which parts of entries are decoded. Everything else is passed over at the speed of memory.
///
/// Ids, parents, times, roles and the small fields of every kind are always there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fields(u16);

impl Fields {
    /// Nothing but the small fields.
    pub const NONE: Self = Self(0);
    /// Text of user and assistant messages.
    pub const TEXT: Self = Self(1);
    /// Text of tool results and the output of bash executions: most of a file's bytes.
    pub const TOOL_RESULTS: Self = Self(1 << 1);
    /// Tool calls with their arguments.
    pub const TOOL_CALLS: Self = Self(1 << 2);
    /// Thinking blocks.
    pub const THINKING: Self = Self(1 << 3);
    /// Tokens and cost.
    pub const USAGE: Self = Self(1 << 4);
    /// Summaries of compactions and branches.
    pub const SUMMARIES: Self = Self(1 << 5);
    /// Text of system, custom and unknown messages, and of context edits.
    pub const OTHER_TEXT: Self = Self(1 << 6);
    /// What the outline of a session needs: the text, and nothing that is only shown with it (calls, providers, reasons).
    pub(crate) const OUTLINE: Self = Self(1 | 1 << 15);
    /// Everything.
    pub const ALL: Self = Self(0x7f);

    /// Both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True when all of `other` are included.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}
