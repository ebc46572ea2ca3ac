//! Words that lines repeat.

use std::borrow::Cow;

use smol_str::SmolStr;

use crate::{
    EntryId,
    json::{InvalidString, Raw, decode},
};

/// The values that some members had last. Line after line names the same types, roles, models and tools, and comparing
/// a word with the one before is cheaper than decoding it.
#[derive(Debug, Default)]
pub(super) struct Recent {
    words: [SmolStr; Word::COUNT],
    id: Option<EntryId>,
}

/// The members whose values repeat.
#[derive(Debug, Clone, Copy)]
pub(super) enum Word {
    Type,
    Role,
    Provider,
    Model,
    StopReason,
    Tool,
}

impl Word {
    const COUNT: usize = Self::Tool as usize + 1;
}

impl Recent {
    /// Decodes a member's value.
    #[inline]
    pub(super) fn word(
        &mut self,
        word: Word,
        raw: Option<Raw<'_>>,
    ) -> Result<Option<SmolStr>, InvalidString> {
        let Some(raw) = raw else { return Ok(None) };
        let last = &mut self.words[word as usize];
        if last.as_bytes() == raw.bytes() {
            return Ok(Some(last.clone()));
        }
        let decoded = decode(raw)?;
        // What was not changed by decoding is its raw bytes.
        let is_plain = matches!(decoded, Cow::Borrowed(_));
        let text = SmolStr::new(&decoded);
        if is_plain {
            *last = text.clone();
        }
        Ok(Some(text))
    }

    /// Decodes an id. Pi takes any text for one, but an empty one is as good as none.
    #[inline]
    pub(super) fn id(&mut self, raw: Option<Raw<'_>>) -> Result<Option<EntryId>, InvalidString> {
        let Some(raw) = raw.filter(|raw| !raw.bytes().is_empty()) else {
            return Ok(None);
        };
        if let Some(last) = &self.id
            && last.as_str().as_bytes() == raw.bytes()
        {
            return Ok(Some(last.clone()));
        }
        let decoded = decode(raw)?;
        let is_plain = matches!(decoded, Cow::Borrowed(_));
        let id = EntryId::new(&decoded);
        if is_plain {
            self.id = Some(id.clone());
        }
        Ok(Some(id))
    }
}
