//! Text of sessions made harmless for terminals and for text that is read line by line.

use lookback_session_model::HarmlessChars;

/// One line of at most `most` characters: whole escape sequences, control characters and marks of writing direction are
/// left out, runs of white space become one space. What is cut is shown by `…`.
pub(crate) fn line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    let mut space = false;
    for c in harmless(text) {
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
    for (count, c) in harmless(text).enumerate() {
        if count >= most {
            return (out, true);
        }
        out.push(c);
    }
    (out, false)
}

/// Characters that do nothing but show; a tab is a space.
fn harmless(text: &str) -> impl Iterator<Item = char> + '_ {
    HarmlessChars::new(text).map(|(_, c)| if c == '\t' { ' ' } else { c })
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
            ("open\u{1b}]0;no end", "open0;no end"),
            ("ends\u{1b}", "ends"),
            ("größe 数据 👩‍🚀", "größe 数据 👩‍🚀"),
        ] {
            assert_eq!(line(text, 100), shown, "{text:?}");
        }
        assert_eq!(lines("a\u{1b}]0;x\u{7}\nb\tc", 100), ("a\nb c".to_owned(), false));
    }

    #[test]
    fn cuts_are_shown() {
        assert_eq!(line("one two three", 7), "one two…");
        assert_eq!(line("one two three", 6), "one tw…");
        assert_eq!(line("数据库", 2), "数据…");
        assert_eq!(lines("数据库", 2), ("数据".to_owned(), true));
    }
}
