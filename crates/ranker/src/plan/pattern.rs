use smol_str::SmolStr;

use crate::analysis::{TokenKind, Tokens};

/// The terms of a piece of a query.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Pattern {
    /// Words, parts and characters at their positions.
    pub(crate) atoms: Vec<Atom>,
    /// The whole, when the piece is a single identifier or hyphenated word.
    pub(crate) whole: Option<SmolStr>,
}

/// One place of a [`Pattern`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Atom {
    pub(crate) term: SmolStr,
    pub(crate) position: u32,
    pub(crate) kind: AtomKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtomKind {
    /// A word or a part of one.
    Word,
    /// Two characters of a script without spaces.
    Pair,
    /// A single character of such a script: the start of any pair.
    Single,
}

impl Pattern {
    /// Analyses a piece of a query.
    pub(crate) fn of(text: &str) -> Self {
        let mut pattern = Self::default();
        let mut tokens = Tokens::new(text);
        let mut wholes = Vec::new();
        // The end of the run of characters so far.
        let mut run_end = None;
        while let Some(token) = tokens.next_token() {
            let kind = match token.kind {
                TokenKind::Whole => {
                    wholes.push((SmolStr::new(token.term), token.span));
                    continue;
                }
                TokenKind::Word | TokenKind::Part => AtomKind::Word,
                // The last character of a run stands alone in texts; in a query the pair before it says the same.
                TokenKind::Gram if run_end == Some(token.end) => continue,
                TokenKind::Gram => {
                    run_end = Some(token.end);
                    // One letter, however many code points: its pair would have a second one that is no mark.
                    if is_single(&text[token.start..token.end]) {
                        AtomKind::Single
                    } else {
                        AtomKind::Pair
                    }
                }
            };
            pattern.atoms.push(Atom {
                term: SmolStr::new(token.term),
                position: token.position,
                kind,
            });
        }
        let count = tokens.length();
        pattern.whole = wholes
            .into_iter()
            .find(|(_, span)| *span == count)
            .map(|(term, _)| term);
        pattern
    }

    /// True when there is one word and no more.
    pub(crate) fn single_word(&self) -> Option<&SmolStr> {
        match self.atoms.as_slice() {
            [atom] if atom.kind == AtomKind::Word && self.whole.is_none() => Some(&atom.term),
            _ => None,
        }
    }

    /// All atoms' terms as one, without joints.
    pub(crate) fn joined(&self) -> String {
        self.atoms.iter().map(|atom| atom.term.as_str()).collect()
    }

    /// Moves the pattern to start at `position`; returns the position behind it.
    pub(crate) fn moved(mut self, position: u32) -> (Self, u32) {
        let mut end = position;
        for atom in &mut self.atoms {
            atom.position += position;
            end = end.max(atom.position + 1);
        }
        // Behind a run of characters stands its last one.
        if self.atoms.last().is_some_and(|atom| atom.kind == AtomKind::Pair) {
            end += 1;
        }
        (self, end)
    }
}

/// True for one character with its marks.
fn is_single(text: &str) -> bool {
    let mut tokens = Tokens::new(text);
    let mut count = 0;
    while tokens.advance() {
        count += 1;
    }
    count == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atoms(text: &str) -> Vec<(String, AtomKind)> {
        Pattern::of(text)
            .atoms
            .iter()
            .map(|atom| (atom.term.to_string(), atom.kind))
            .collect()
    }

    #[test]
    fn the_last_character_of_a_run_is_not_asked_for() {
        use AtomKind::{Pair, Single, Word};
        assert_eq!(atoms("数据库"), [("数据".into(), Pair), ("据库".into(), Pair)]);
        assert_eq!(atoms("数"), [("数".into(), Single)]);
        assert_eq!(
            atoms("JWT令牌x"),
            [("jwt".into(), Word), ("令牌".into(), Pair), ("x".into(), Word)]
        );
        assert_eq!(Pattern::of("JWT令牌x").atoms[2].position, 3);
    }

    #[test]
    fn a_whole_must_cover_everything() {
        assert_eq!(Pattern::of("getUserName").whole.as_deref(), Some("getusername"));
        assert_eq!(Pattern::of("--no-session").whole.as_deref(), Some("nosession"));
        assert_eq!(Pattern::of("session-manager.ts").whole, None);
        assert_eq!(Pattern::of("#8939").whole.as_deref(), Some("#8939"));
        assert_eq!(Pattern::of("c++").whole.as_deref(), Some("c++"));
    }
}
