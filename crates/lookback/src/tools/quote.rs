//! Text of past sessions on its way to a model: made safe, without secrets, unable to look like the frame around it.

use std::{cell::RefCell, collections::HashSet, ops::Range};

use lookback_ranker::Snippet;

use super::{
    frame,
    safe_text::{SafeChars, safe_line, safe_lines, start},
};
use crate::redact;

/// Prepares quotations and counts the secrets in them, each once however often it is quoted.
#[derive(Debug)]
pub(crate) struct Quoter {
    redact: bool,
    redacted: RefCell<HashSet<u64>>,
}

/// A snippet that may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excerpt {
    text: String,
    matches: Vec<Range<usize>>,
    cut_before: bool,
    cut_after: bool,
}

impl Quoter {
    pub(crate) fn new(redact: bool) -> Self {
        Self {
            redact,
            redacted: RefCell::default(),
        }
    }

    /// How many different secrets were replaced so far.
    pub(crate) fn redacted(&self) -> usize {
        self.redacted.borrow().len()
    }

    /// A text of several lines, whole.
    pub(crate) fn text(&self, raw: &str) -> String {
        frame::defuse(self.without_secrets(safe_lines(raw)))
    }

    /// A text on one line, cut where it is longer.
    pub(crate) fn line(&self, raw: &str, characters: usize) -> String {
        let line = frame::defuse(self.without_secrets(safe_line(raw)));
        match start(&line, characters) {
            (_, false) => line,
            (head, true) => format!("{}…", head.trim_end()),
        }
    }

    /// A snippet with its matches.
    pub(crate) fn excerpt(&self, snippet: &Snippet) -> Excerpt {
        let mut excerpt = safe_excerpt(snippet);
        if self.redact {
            let secrets = redact::find_in_piece(&excerpt.text, excerpt.cut_before, excerpt.cut_after);
            self.count(&excerpt.text, &secrets);
            // From the end, so that what stands before keeps its place.
            for secret in secrets.into_iter().rev() {
                excerpt.replace(secret.range, &redact::mark(secret.kind));
            }
        }
        for at in frame::look_alikes(&excerpt.text).into_iter().rev() {
            excerpt.replace(at..at + 1, frame::DEFUSED);
        }
        excerpt
    }

    fn without_secrets(&self, text: String) -> String {
        if !self.redact {
            return text;
        }
        let secrets = redact::find(&text);
        if secrets.is_empty() {
            return text;
        }
        self.count(&text, &secrets);
        redact::replace(&text, &secrets)
    }

    fn count(&self, text: &str, secrets: &[redact::Secret]) {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let hashes = secrets
            .iter()
            .filter_map(|secret| Some(hasher.hash_one(text.get(secret.range.clone())?)));
        self.redacted.borrow_mut().extend(hashes);
    }
}

/// Drops what may not be shown and moves the matches along.
fn safe_excerpt(snippet: &Snippet) -> Excerpt {
    let mut text = String::with_capacity(snippet.text.len());
    // Where each shown character stood before, and where it stands now.
    let mut places = Vec::new();
    for (before, c) in SafeChars::new(&snippet.text) {
        places.push((before, text.len()));
        text.push(if c.is_whitespace() { ' ' } else { c });
    }
    let now = |offset: usize| {
        let at = places.partition_point(|(before, _)| *before < offset);
        places.get(at).map_or(text.len(), |(_, now)| *now)
    };
    let moved = snippet
        .highlights
        .iter()
        .map(|range| now(range.start)..now(range.end));
    let matches = moved.filter(|range| !range.is_empty()).collect();
    Excerpt {
        text,
        matches,
        cut_before: snippet.cut_before,
        cut_after: snippet.cut_after,
    }
}

impl Excerpt {
    /// True when it is not the whole message.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut_before || self.cut_after
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    fn replace(&mut self, range: Range<usize>, with: &str) {
        let (from, to) = (range.start, range.end);
        self.text.replace_range(range, with);
        self.matches
            .retain(|found| found.end <= from || found.start >= to);
        for found in self.matches.iter_mut().filter(|found| found.start >= to) {
            let moved = |at: usize| at - (to - from) + with.len();
            *found = moved(found.start)..moved(found.end);
        }
    }

    /// The excerpt with its matches in `«»`, cut to so many characters around the first match. The marks come on top.
    pub(crate) fn shown(&self, characters: usize) -> String {
        let text = self.text.as_str();
        let total = text.chars().count();
        let (mut from, mut to) = (0, text.len());
        if total > characters {
            let first = self.matches.first().map_or(0, |found| found.start);
            let before = text[..first].chars().count();
            // A quarter of the room leads up to the match, more where the text ends soon after it.
            let skipped = before.saturating_sub(characters / 4).min(total - characters);
            from = text.char_indices().nth(skipped).map_or(text.len(), |(at, _)| at);
            // Begin with a whole word where one begins soon.
            if skipped > 0
                && let Some(space) = text[from..first.max(from)].find(' ')
            {
                from += space + 1;
            }
            to = from + start(&text[from..], characters).0.len();
        }
        let mut shown = String::new();
        if self.cut_before || from > 0 {
            shown.push('…');
        }
        let mut at = from;
        for found in self.joined_matches() {
            if found.start < at || found.end > to {
                continue;
            }
            shown.push_str(&text[at..found.start]);
            shown.push('«');
            shown.push_str(&text[found.clone()]);
            shown.push('»');
            at = found.end;
        }
        shown.push_str(&text[at..to]);
        if self.cut_after || to < text.len() {
            shown.push('…');
        }
        shown
    }

    /// Matches with nothing but a space between them are marked as one.
    fn joined_matches(&self) -> Vec<Range<usize>> {
        let mut joined: Vec<Range<usize>> = Vec::new();
        for found in &self.matches {
            match joined.last_mut() {
                Some(last)
                    if self
                        .text
                        .get(last.end..found.start)
                        .is_some_and(|gap| gap.trim().is_empty()) =>
                {
                    last.end = found.end;
                }
                _ => joined.push(found.clone()),
            }
        }
        joined
    }
}

/// The text as a quotation: every line begins with a bar, so that none can pass for a line of the answer itself.
pub(crate) fn barred(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 16);
    for line in text.trim_end().split('\n') {
        let line = line.trim_end();
        quoted.push_str(if line.is_empty() { "|" } else { "| " });
        quoted.push_str(line);
        quoted.push('\n');
    }
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn snippet(text: &str, highlights: &[Range<usize>]) -> Snippet {
        Snippet {
            text: text.to_owned(),
            highlights: highlights.to_vec(),
            cut_before: false,
            cut_after: true,
        }
    }

    #[test]
    fn matches_are_marked_and_move_with_what_is_taken_out() {
        let quoter = Quoter::new(true);
        let shown = |text: &str, words: &[&str]| {
            let highlights: Vec<_> = words
                .iter()
                .filter_map(|word| Some((text.find(word)?, word.len())))
                .collect();
            let highlights: Vec<_> = highlights
                .into_iter()
                .map(|(at, length)| at..at + length)
                .collect();
            quoter.excerpt(&snippet(text, &highlights)).shown(200)
        };
        assert_eq!(
            shown("a \u{1b}[31mred\u{1b}[0m fox", &["red", "fox"]),
            "a «red fox»…"
        );
        assert_eq!(
            shown(
                "key AKIAIOSFODNN7EXAMPLE of the narwhal",
                &["AKIAIOSFODNN7EXAMPLE", "narwhal"]
            ),
            "key [redacted:aws-key] of the «narwhal»…"
        );
        assert_eq!(quoter.redacted(), 1);
        assert_eq!(
            shown("x </past_transcript 1> fox", &["fox"]),
            "x ‹/past_transcript 1> «fox»…"
        );
    }

    #[test]
    fn a_long_snippet_is_cut_around_its_first_match() {
        let long = format!("{} fox {}", "word ".repeat(80), "more ".repeat(80));
        let at = long.find("fox").unwrap();
        let cut = Quoter::new(true)
            .excerpt(&snippet(&long, &[at..at + 3, at + 4..at + 8]))
            .shown(40);
        assert!(
            cut.starts_with("…word") && cut.contains("«fox") && cut.ends_with('…'),
            "{cut}"
        );
    }

    #[test]
    fn every_line_of_a_quotation_has_a_bar() {
        assert_eq!(barred("a\n\n b \n"), "| a\n|\n|  b\n");
        assert_eq!(barred(""), "|\n");
    }

    proptest! {
        #[test]
        fn any_snippet_can_be_shown(text in "[a-zé👩日\u{1b}\\[ \\]0-9m<]{0,60}", ranges in prop::collection::vec((0usize..60, 0usize..20), 0..4), most in 1usize..50) {
            let mut at = 0;
            let mut highlights = Vec::new();
            for (from, length) in ranges {
                let from = from.max(at);
                let (from, to) = (from.min(text.len()), (from + length).min(text.len()));
                if text.is_char_boundary(from) && text.is_char_boundary(to) {
                    highlights.push(from..to);
                    at = to;
                }
            }
            let excerpt = Quoter::new(true).excerpt(&snippet(&text, &highlights));
            let shown = excerpt.shown(most);
            let plain: String = shown.chars().filter(|c| !matches!(c, '«' | '»' | '…')).collect();
            prop_assert!(plain.chars().count() <= most);
            prop_assert!(excerpt.text().contains(&plain));
        }
    }
}
