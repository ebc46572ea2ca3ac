use unicode_segmentation::UnicodeSegmentation;

use crate::terminal::part;

/// Longer than any query that is searched; what a paste brings beyond is dropped.
const LONGEST: usize = 4096;

/// One line that is being edited. The cursor stands between graphemes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct EditLine {
    text: String,
    /// In bytes.
    cursor: usize,
}

impl EditLine {
    pub(crate) fn new(text: &str) -> Self {
        let mut line = Self::default();
        line.insert(text);
        line
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    pub(crate) fn before(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// Puts text in; what is no character to be seen becomes a space.
    pub(crate) fn insert(&mut self, text: &str) {
        let room = LONGEST.saturating_sub(self.text.chars().count());
        let text: String = part(text).chars().take(room).collect();
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
    }

    pub(crate) fn left(&mut self) {
        self.cursor -= self.before().graphemes(true).next_back().map_or(0, str::len);
    }

    pub(crate) fn right(&mut self) {
        self.cursor += self.text[self.cursor..]
            .graphemes(true)
            .next()
            .map_or(0, str::len);
    }

    pub(crate) fn home(&mut self) {
        self.cursor = 0;
    }

    pub(crate) fn end(&mut self) {
        self.cursor = self.text.len();
    }

    pub(crate) fn backspace(&mut self) {
        let end = self.cursor;
        self.left();
        self.text.replace_range(self.cursor..end, "");
    }

    pub(crate) fn delete(&mut self) {
        let start = self.cursor;
        self.right();
        self.text.replace_range(start..self.cursor, "");
        self.cursor = start;
    }

    /// Takes away everything before the cursor.
    pub(crate) fn clear_before(&mut self) {
        self.text.replace_range(..self.cursor, "");
        self.cursor = 0;
    }

    /// Takes away the word before the cursor.
    pub(crate) fn delete_word(&mut self) {
        let kept = self.before().trim_end();
        let start = kept
            .rfind(char::is_whitespace)
            .map_or(0, |at| at + kept[at..].chars().next().map_or(0, char::len_utf8));
        self.text.replace_range(start..self.cursor, "");
        self.cursor = start;
    }
}

#[cfg(test)]
mod tests {
    use super::EditLine;

    #[test]
    fn the_cursor_moves_by_what_is_seen_as_one_character() {
        let mut line = EditLine::new("ae\u{301}👨‍👩‍👧x");
        line.left();
        line.backspace();
        assert_eq!((line.text(), line.before()), ("ae\u{301}x", "ae\u{301}"));
        line.left();
        line.delete();
        assert_eq!((line.text(), line.before()), ("ax", "a"));
        line.home();
        line.backspace();
        line.left();
        line.insert("語");
        line.end();
        line.right();
        line.delete();
        assert_eq!(line.text(), "語ax");
    }

    #[test]
    fn words_and_lines_go_at_once() {
        let mut line = EditLine::new("one two  ");
        line.delete_word();
        assert_eq!(line.text(), "one ");
        line.delete_word();
        line.delete_word();
        assert_eq!(line.text(), "");
        line.insert("left right");
        (0..5).for_each(|_| line.left());
        line.clear_before();
        assert_eq!((line.text(), line.before()), ("right", ""));
    }

    #[test]
    fn pastes_are_one_line_of_bounded_length() {
        let mut typed = EditLine::default();
        "two words ".chars().for_each(|c| typed.insert(&c.to_string()));
        assert_eq!(typed.text(), "two words ");
        let mut line = EditLine::new("a\nb\u{1b}[2J\u{202e}c");
        assert!(
            line.text().chars().all(|c| !c.is_control() && c != '\u{202e}'),
            "{line:?}"
        );
        line.insert(&"x".repeat(10_000_000));
        line.insert("more");
        assert_eq!(line.text().chars().count(), super::LONGEST);
    }
}
