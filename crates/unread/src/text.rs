//! Cutting text to lengths that are counted in UTF-16 units.

/// White space as JavaScript sees it, so that a preview is trimmed at the same place on both sides.
pub(crate) fn is_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

pub(crate) fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The longest start of `text` that has at most `max` units. A character of two units is never divided.
pub(crate) fn cut(text: &str, max: usize) -> &str {
    let mut room = max;
    for (at, c) in text.char_indices() {
        match room.checked_sub(c.len_utf16()) {
            Some(rest) => room = rest,
            None => return &text[..at],
        }
    }
    text
}

/// The blocks of a message, joined by line feeds, without white space at both ends, cut to `max` units. Nothing behind
/// the cut is copied, however long the message is.
pub(crate) fn preview<'a>(blocks: impl Iterator<Item = &'a str>, max: usize) -> String {
    let mut text = String::new();
    let mut room = max;
    let mut blocks = blocks.peekable();
    while let Some(block) = blocks.next() {
        let joint = blocks.peek().map(|_| '\n');
        for c in block.chars().chain(joint) {
            if text.is_empty() && is_space(c) {
                continue;
            }
            match room.checked_sub(c.len_utf16()) {
                Some(rest) => {
                    text.push(c);
                    room = rest;
                }
                // What stands in front of the cut stays as it is when the message goes on behind it.
                None if !is_space(c) => return text,
                // Nothing that fits less room may slip in behind what was left out.
                None => room = 0,
            }
        }
    }
    text.truncate(text.trim_end_matches(is_space).len());
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blocks_are_joined_trimmed_and_cut() {
        let preview = |blocks: &[&str], max| preview(blocks.iter().copied(), max);
        assert_eq!(preview(&["  a", "", "b \n"], 500), "a\n\nb");
        assert_eq!(preview(&[" \n", "\u{feff}\u{2028}"], 500), "");
        assert_eq!(preview(&["abc  "], 3), "abc");
        assert_eq!(
            preview(&["ab    "], 4),
            "ab",
            "only white space is behind the cut"
        );
        assert_eq!(preview(&["ab  cd"], 4), "ab  ", "the message goes on");
        assert_eq!(
            preview(&["ab🦀c"], 3),
            "ab",
            "the half of a pair is nothing, and c does not follow b"
        );
        assert_eq!(preview(&["ab🦀c"], 4), "ab🦀");
        assert_eq!(
            preview(&["\u{85}a"], 500),
            "\u{85}a",
            "no white space for JavaScript"
        );
    }

    proptest! {
        #[test]
        fn a_cut_is_the_longest_start_that_fits(text in any::<String>(), max in 0usize..40) {
            let cut = cut(&text, max);
            prop_assert!(text.starts_with(cut));
            prop_assert!(units(cut) <= max);
            if let Some(next) = text[cut.len()..].chars().next() {
                prop_assert!(units(cut) + next.len_utf16() > max);
            }
        }

        #[test]
        fn a_preview_is_the_start_of_the_trimmed_text(
            blocks in prop::collection::vec("[ \\n\u{feff}a-c🦀é日\u{1}]{0,12}", 0..6),
            max in 1usize..30,
        ) {
            let whole = blocks.join("\n");
            let trimmed = trim(&whole);
            let preview = preview(blocks.iter().map(String::as_str), max);
            prop_assert!(trimmed.starts_with(&preview), "{preview:?} of {trimmed:?}");
            prop_assert!(units(&preview) <= max);
            if units(trimmed) <= max {
                prop_assert_eq!(&preview, trimmed);
            } else {
                prop_assert_eq!(&preview, cut(trimmed, max));
            }
            // What a JavaScript host sees has no half of a pair.
            let utf16: Vec<u16> = preview.encode_utf16().collect();
            prop_assert_eq!(String::from_utf16(&utf16).unwrap(), preview);
        }
    }
}
