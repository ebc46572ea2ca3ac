//! Pieces of harmless text: cut where a reader sees the end of a character.

pub(crate) use lookback_session_model::{
    HarmlessChars as SafeChars, harmless_line as safe_line, harmless_lines as safe_lines,
};

/// The first characters of a text and whether that is less than all. Never ends inside of what a reader sees as one
/// character, unless that is absurdly long.
pub(crate) fn start(text: &str, characters: usize) -> (&str, bool) {
    let Some((end, _)) = text.char_indices().nth(characters) else {
        return (text, false);
    };
    let mut cursor = unicode_segmentation::GraphemeCursor::new(end, text.len(), true);
    let whole = match cursor.is_boundary(text, 0) {
        Ok(true) => end,
        _ => match cursor.prev_boundary(text, 0) {
            Ok(Some(before)) if end - before <= 64 => before,
            _ => end,
        },
    };
    (&text[..whole], true)
}

/// One line, cut where it is longer.
pub(crate) fn short_line(text: &str, characters: usize) -> String {
    let line = safe_line(text);
    match start(&line, characters) {
        (_, false) => line,
        (head, true) => format!("{}…", head.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_start_does_not_divide_what_is_seen_as_one() {
        assert_eq!(start("ab👩‍👩‍👧c", 4), ("ab", true));
        assert_eq!(start("abc", 3), ("abc", false));
        assert_eq!(short_line("abc def", 4), "abc…");
    }

    proptest! {
        #[test]
        fn a_start_is_never_longer_than_asked(text in any::<String>()) {
            prop_assert!(start(&text, 7).0.chars().count() <= 7);
        }
    }
}
