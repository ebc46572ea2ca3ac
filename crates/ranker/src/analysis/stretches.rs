/// The stretches of a text between characters that belong to no word and join none: spaces and most signs.
///
/// Nothing about a word depends on what is beyond its stretch, so the tokens of a text are those of its stretches, with
/// positions that go on. Whoever reads much text looks at each different stretch once.
///
/// ```
/// use lookback_ranker::analysis::stretches;
///
/// let text = "see src/main.rs: getUserName(re-index)";
/// let found: Vec<&str> = stretches(text).collect();
/// assert_eq!(found, ["see", "src", "main", "rs", "getUserName", "re-index"]);
/// ```
pub fn stretches(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while !is_inside(*bytes.get(at)?) {
            at += 1;
        }
        let start = at;
        while bytes.get(at).is_some_and(|byte| is_inside(*byte)) {
            at += 1;
        }
        // Both ends are beside ASCII characters or at the ends of the text.
        Some(&text[start..at])
    })
}

/// True for bytes of characters that can be in a word, join two, or make more of one.
fn is_inside(byte: u8) -> bool {
    const INSIDE: [bool; 256] = {
        let mut inside = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            inside[byte] = byte >= 0x80
                || (byte as u8).is_ascii_alphanumeric()
                || matches!(byte as u8, b'_' | b'-' | b'\'' | b'+' | b'#');
            byte += 1;
        }
        inside
    };
    INSIDE[usize::from(byte)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::{TokenKind, Tokens};

    type Found = (String, u32, u32, TokenKind);

    fn tokens(text: &str, first: u32, out: &mut Vec<Found>) -> u32 {
        let mut tokens = Tokens::new(text);
        while let Some(token) = tokens.next_token() {
            out.push((
                token.term.to_owned(),
                first + token.position,
                token.span,
                token.kind,
            ));
        }
        first + tokens.length()
    }

    fn check(text: &str) {
        let mut whole = Vec::new();
        let length = tokens(text, 0, &mut whole);
        let mut pieces = Vec::new();
        let mut at = 0;
        for stretch in stretches(text) {
            at = tokens(stretch, at, &mut pieces);
        }
        assert_eq!(whole, pieces, "{text:?}");
        assert_eq!(length, at, "{text:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn tokens_of_stretches_are_those_of_the_text(
            text in prop::collection::vec(prop::sample::select(vec![
                "a", "b", "C", "D", "s", "t", "n", "1", "2", "_", "-", "'", "’", "+", "#", ".", "/", " ", "\n", ",",
                "(", "*", "\0", "\u{7f}", "é", "e\u{301}", "\u{301}", "Ü", "ß", "\u{ad}", "\u{200d}", "数", "据", "ガ",
                "カ\u{3099}", "한", "\u{1161}", "ก", "ि", "½", "①", "😀", "re", "ll", "ABC", "user",
            ]), 0..24),
        ) {
            check(&text.concat());
        }

        #[test]
        fn tokens_of_any_text(text in "\\PC{0,40}") {
            check(&text);
        }

        /// What is long goes other ways.
        #[test]
        fn tokens_of_long_words(unit in "[a-zA-Z0-9_数é'-]{1,9}", times in 1usize..300, sign in "[#+. ]{0,2}") {
            check(&format!("{sign}{}{sign}", unit.repeat(times)));
        }
    }
}
