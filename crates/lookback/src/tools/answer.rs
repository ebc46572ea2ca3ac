//! An answer that fits its budget.

use super::{frame, safe_text::start};

/// How long an answer may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    characters: usize,
}

impl Budget {
    pub(crate) const LEAST: usize = 2_000;
    pub(crate) const MOST: usize = 40_000;
    /// Whatever the budget in characters, an answer has no more bytes and lines than this.
    pub(crate) const BYTES: usize = 40 << 10;
    pub(crate) const LINES: usize = 800;

    pub(crate) fn new(characters: usize) -> Self {
        Self {
            characters: characters.clamp(Self::LEAST, Self::MOST),
        }
    }

    fn fits(self, text: &str) -> bool {
        text.len() <= Self::BYTES
            && text.lines().count() <= Self::LINES
            && (text.len() <= self.characters || text.chars().count() <= self.characters)
    }
}

/// An answer in parts: what the tool says itself stands around what it quotes.
///
/// Head and tail hold nothing from session files but ids that were checked to be plain (see
/// [`plain`](super::handles::plain)).
#[derive(Debug, Clone, Default)]
pub(crate) struct Answer {
    /// What this is.
    pub(crate) head: String,
    /// Quoted, in pieces that belong together.
    pub(crate) body: Vec<String>,
    /// How to go on.
    pub(crate) tail: Vec<String>,
}

impl Answer {
    pub(crate) fn fits(&self, budget: Budget) -> bool {
        budget.fits(&self.write(&self.body.concat()))
    }

    /// The answer as text. What does not fit after all is cut from the end of the body, and that is said.
    pub(crate) fn text(&self, budget: Budget) -> String {
        const CUT: &str =
            "[cut here: the budget is used up; a larger \"budget\" or a smaller \"limit\" shows more]";
        let body = self.body.concat();
        let whole = self.write(&body);
        if budget.fits(&whole) {
            return whole;
        }
        // The longest start that fits, by halving.
        let cut = |characters: usize| {
            let (head, _) = start(&body, characters);
            self.write(&format!("{}\n{CUT}\n", head.trim_end()))
        };
        let (mut least, mut most) = (0, body.chars().count());
        while least < most {
            let middle = (least + most).div_ceil(2);
            if budget.fits(&cut(middle)) {
                least = middle;
            } else {
                most = middle - 1;
            }
        }
        cut(least)
    }

    fn write(&self, body: &str) -> String {
        let mut text = self.head.clone();
        if !body.is_empty() {
            text.push('\n');
            text.push_str(&frame::framed(body));
        }
        for line in &self.tail {
            text.push('\n');
            text.push_str(line);
        }
        text
    }
}

/// The answer with the largest cap at which it fits, or else the one with the least; and that cap.
///
/// `build` makes the answer in which every quotation is cut to so many characters; a larger cap never makes it shorter.
pub(crate) fn largest(
    caps: std::ops::RangeInclusive<usize>,
    budget: Budget,
    build: impl Fn(usize) -> Answer,
) -> (Answer, usize) {
    let (mut least, mut most) = caps.into_inner();
    let whole = build(most);
    if whole.fits(budget) {
        return (whole, most);
    }
    while least < most {
        let middle = (least + most).div_ceil(2);
        if build(middle).fits(budget) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    (build(least), least)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn an_answer_is_never_over_its_budget(
            body in prop::collection::vec("[a日👩\u{301}\n|</>]{0,400}", 0..100),
            tail in prop::collection::vec("[a-z]{0,100}", 0..4),
            characters in 0usize..20_000,
        ) {
            let budget = Budget::new(characters);
            let answer = Answer { head: "head".to_owned(), body, tail };
            let text = answer.text(budget);
            prop_assert!(text.chars().count() <= characters.clamp(Budget::LEAST, Budget::MOST));
            prop_assert!(text.len() <= Budget::BYTES);
            prop_assert!(text.lines().count() <= Budget::LINES);
            if !answer.fits(budget) {
                prop_assert!(text.contains("cut here"));
            }
            for line in &answer.tail {
                prop_assert!(text.contains(line.as_str()), "how to go on is never cut");
            }
        }

        #[test]
        fn the_largest_cap_that_fits_is_found(length in 1usize..9_000) {
            let build = |cap: usize| Answer { body: vec!["x".repeat(length.min(cap))], ..Answer::default() };
            let (answer, _) = largest(1..=9_000, Budget::new(3_000), build);
            prop_assert!(answer.fits(Budget::new(3_000)));
            let shown: usize = answer.body.concat().len();
            prop_assert!(shown == length || !build(shown + 1).fits(Budget::new(3_000)));
        }
    }
}
