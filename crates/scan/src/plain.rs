//! Text of sessions made harmless for terminals and for text that is read line by line.

/// One line of at most `most` characters: whole escape sequences, control characters and marks of writing direction are
/// left out, runs of white space become one space. What is cut is shown by `…`.
pub(crate) fn line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    let mut space = false;
    for c in Harmless::new(text) {
        if c.is_whitespace() {
            space = !out.is_empty();
            continue;
        }
        let width = 1 + usize::from(space);
        if count + width > most {
            out.push('…');
            return out;
        }
        if space {
            out.push(' ');
            space = false;
        }
        out.push(c);
        count += width;
    }
    out
}

/// Several lines of at most `most` characters in all; lines stay lines, everything else as in [`line`]. Also tells
/// whether something was cut.
pub(crate) fn lines(text: &str, most: usize) -> (String, bool) {
    let mut out = String::new();
    for (count, c) in Harmless::new(text).enumerate() {
        if count >= most {
            return (out, true);
        }
        out.push(c);
    }
    (out, false)
}

/// Characters that do nothing but show.
struct Harmless<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
}

impl<'a> Harmless<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            chars: text.chars().peekable(),
        }
    }

    /// Passes over what follows ESC.
    fn sequence(&mut self) {
        match self.chars.peek() {
            Some('[') => {
                self.chars.next();
                self.control_sequence();
            }
            Some(']' | 'P' | 'X' | '^' | '_') => {
                self.chars.next();
                self.string();
            }
            Some(' '..='~') => {
                // Intermediate characters, then one that ends it.
                while self.chars.next_if(|c| matches!(c, ' '..='/')).is_some() {}
                self.chars.next_if(|c| matches!(c, '0'..='~'));
            }
            _ => {}
        }
    }

    fn control_sequence(&mut self) {
        while self.chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
        self.chars.next_if(|c| matches!(c, '@'..='~'));
    }

    /// Passes over a string that a terminal takes for a title, a link, or what to put on the clipboard. One without an
    /// end goes to the end of its line.
    fn string(&mut self) {
        while let Some(c) = self.chars.next_if(|c| *c != '\n') {
            match c {
                '\u{7}' | '\u{9c}' => return,
                '\u{1b}' => {
                    self.chars.next_if(|c| *c == '\\');
                    return;
                }
                _ => {}
            }
        }
    }
}

impl Iterator for Harmless<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        loop {
            let c = self.chars.next()?;
            match c {
                '\u{1b}' => self.sequence(),
                '\u{9b}' => self.control_sequence(),
                '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => self.string(),
                '\n' => return Some('\n'),
                '\t' => return Some(' '),
                // A carriage return alone would let a terminal write over the line.
                '\r' => {
                    if self.chars.peek() != Some(&'\n') {
                        return Some(' ');
                    }
                }
                _ if c.is_control() || is_direction_mark(c) => {}
                // Line ends for some programs that read this.
                '\u{2028}' | '\u{2029}' => return Some('\n'),
                _ => return Some(c),
            }
        }
    }
}

/// Marks that make a terminal show text in another order than it is stored in, and characters that show as nothing.
fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_sequences_are_left_out() {
        for (text, shown) in [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{9b}31mred", "red"),
            ("a\u{1b}]0;title\u{7}b", "ab"),
            ("a\u{1b}]52;c;aGk=\u{1b}\\b", "ab"),
            ("a\u{9d}52;c;aGk=\u{9c}b", "ab"),
            ("a\u{1b}(Bb\u{1b}Mc", "abc"),
            ("one\r\n\r\ntwo\rthree\tfour", "one two three four"),
            ("\u{202e}evil\u{202c}\0\u{8}\u{7f}", "evil"),
            ("open\u{1b}]0;no end", "open"),
            ("ends\u{1b}", "ends"),
            ("größe 数据 👩‍🚀", "größe 数据 👩‍🚀"),
        ] {
            assert_eq!(line(text, 100), shown, "{text:?}");
        }
        assert_eq!(lines("a\u{1b}]0;x\nb\tc", 100), ("a\nb c".to_owned(), false));
    }

    #[test]
    fn cuts_are_shown() {
        assert_eq!(line("one two three", 7), "one two…");
        assert_eq!(line("one two three", 6), "one tw…");
        assert_eq!(line("数据库", 2), "数据…");
        assert_eq!(lines("数据库", 2), ("数据".to_owned(), true));
    }
}
