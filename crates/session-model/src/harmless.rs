//! Text of past sessions without what no reader should act on: escape sequences, control characters, invisible and
//! direction-turning marks. What is left is what a person would have seen.

/// The characters of a text that may be shown, each with its offset in the text.
///
/// Whole escape sequences go, and so do control characters but line feed and tab, and marks that hide text or turn it
/// around. Every kind of line end becomes a line feed.
#[derive(Debug, Clone)]
pub struct HarmlessChars<'a> {
    text: &'a str,
    at: usize,
}

/// An operating system command without its end is text after this many bytes.
const LONGEST_COMMAND: usize = 4096;

impl<'a> HarmlessChars<'a> {
    /// The characters of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Behind the introducer of an escape sequence: passes over the rest of it.
    fn skip_sequence(&mut self, introducer: char) {
        match introducer {
            '[' => {
                let parameters = self
                    .rest()
                    .bytes()
                    .take_while(|byte| (0x20..0x40).contains(byte))
                    .count();
                self.at += parameters;
                if self
                    .rest()
                    .bytes()
                    .next()
                    .is_some_and(|byte| (0x40..0x7f).contains(&byte))
                {
                    self.at += 1;
                }
            }
            ']' | 'P' | 'X' | '^' | '_' => {
                let mut bound = self.rest().len().min(LONGEST_COMMAND);
                while !self.rest().is_char_boundary(bound) {
                    bound -= 1;
                }
                let within = &self.rest()[..bound];
                let ends = ["\u{7}", "\u{1b}\\", "\u{9c}"];
                let end = ends
                    .iter()
                    .filter_map(|end| Some(within.find(end)? + end.len()))
                    .min();
                self.at += end.unwrap_or(0);
            }
            // Intermediate bytes and one final byte.
            ' '..='/' => {
                let more = self
                    .rest()
                    .bytes()
                    .take_while(|byte| (0x20..0x30).contains(byte))
                    .count();
                self.at += more;
                if self
                    .rest()
                    .bytes()
                    .next()
                    .is_some_and(|byte| (0x30..0x7f).contains(&byte))
                {
                    self.at += 1;
                }
            }
            _ => {}
        }
    }
}

impl Iterator for HarmlessChars<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<(usize, char)> {
        loop {
            let start = self.at;
            let c = self.rest().chars().next()?;
            self.at += c.len_utf8();
            match c {
                '\u{1b}' => {
                    let next = self.rest().chars().next();
                    if let Some(next) = next.filter(|next| (' '..='~').contains(next)) {
                        self.at += 1;
                        self.skip_sequence(next);
                    }
                }
                '\u{9b}' => self.skip_sequence('['),
                '\u{9d}' => self.skip_sequence(']'),
                '\u{90}' => self.skip_sequence('P'),
                '\u{98}' => self.skip_sequence('X'),
                '\u{9e}' => self.skip_sequence('^'),
                '\u{9f}' => self.skip_sequence('_'),
                '\r' => {
                    if !self.rest().starts_with('\n') {
                        return Some((start, '\n'));
                    }
                }
                '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => return Some((start, '\n')),
                '\n' | '\t' => return Some((start, c)),
                _ if c.is_control() || is_unseen(c) => {}
                _ => return Some((start, c)),
            }
        }
    }
}

/// Marks that draw nothing and can hide text or turn it around. The joiners of emoji and of some scripts stay.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{fdd0}'..='\u{fdef}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The text as several lines, without anything that a terminal acts on.
///
/// ```
/// use lookback_session_model::harmless_lines;
/// assert_eq!(harmless_lines("a \u{1b}[31mred\u{1b}[0m line\r\nand one more"), "a red line\nand one more");
/// ```
pub fn harmless_lines(text: &str) -> String {
    HarmlessChars::new(text).map(|(_, c)| c).collect()
}

/// The same on one line: every run of white space is one space.
pub fn harmless_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for (_, c) in HarmlessChars::new(text) {
        if !c.is_whitespace() {
            line.push(c);
        } else if !line.is_empty() && !line.ends_with(' ') {
            line.push(' ');
        }
    }
    line.truncate(line.trim_end().len());
    line
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escape_sequences_go_as_a_whole() {
        for (hostile, shown) in [
            ("a \u{1b}[31mred\u{1b}[0m b", "a red b"),
            ("a\u{1b}[2Jb", "ab"),
            ("a\u{1b}]0;owned\u{7}b", "ab"),
            ("a\u{1b}]52;c;ZWNobyBoaQ==\u{1b}\\b", "ab"),
            ("a\u{9b}31mb", "ab"),
            ("a\u{9d}0;x\u{9c}b", "ab"),
            ("a\u{1b}(Bb", "ab"),
            ("a\u{1b}cb", "ab"),
            // Without an end it must not swallow the text behind it.
            ("a\u{1b}]0;b c", "a0;b c"),
            ("abc\u{8}\u{8}xyz\u{0}\u{7f}", "abcxyz"),
            ("a\r\nb\rc\u{2028}d", "a\nb\nc\nd"),
            ("\u{202e}evil\u{e0041}\u{200b}", "evil"),
            ("👩‍👩‍👧 日本\tÜ", "👩‍👩‍👧 日本\tÜ"),
            ("\u{1b}", ""),
            ("\u{1b}[", ""),
            ("\u{1b}é", "é"),
        ] {
            assert_eq!(harmless_lines(hostile), shown, "{hostile:?}");
        }
        assert_eq!(harmless_line(" a\n\n b\tc "), "a b c");
    }

    proptest! {
        #[test]
        fn nothing_that_acts_is_left(text in any::<String>(), tail in "[\u{1b}\u{9b}\\[\\]0-9;a-m\u{7}é\n\r]{0,20}") {
            let shown = harmless_lines(&format!("{text}{tail}"));
            prop_assert!(shown.chars().all(|c| (!c.is_control() || c == '\n' || c == '\t') && !is_unseen(c)));
            prop_assert_eq!(harmless_lines(&shown), shown.clone());
        }
    }
}
