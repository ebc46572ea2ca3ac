//! Tags and their spelling.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use smol_str::SmolStr;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::error::Error;

/// Longest tag, in UTF-16 units: the measure and the value of pi-recall, which would cut a longer one.
pub const MAX_TAG_UNITS: usize = 40;

/// No text is looked at beyond this many characters; a tag ends long before.
const MAX_INPUT_CHARS: usize = 4_096;

/// How much of a refused text goes into an error.
const EXCERPT_CHARS: usize = 64;

/// A tag in its one spelling. Two tags are the same exactly when their texts are equal.
///
/// **The rule.** The text is put into compatibility form (NFKC) and lower case; white space and `/` become `-`;
/// letters, digits, the marks that belong to them, `_` and `-` stay and everything else is dropped (the leading `#`,
/// punctuation, emoji, control and invisible characters); a run of `-` becomes one; `-` and `_` are dropped at both
/// ends; what is longer than [`MAX_TAG_UNITS`] UTF-16 units is cut. A text of which nothing remains is no tag.
///
/// Applying the rule to a tag gives the same tag, and the same rule is applied to what is read from disk, so there is
/// no tag that can be seen but not named.
///
/// ```
/// use lookback_tags::Tag;
///
/// assert_eq!(Tag::new(" #Rust/Search! ")?.as_str(), "rust-search");
/// assert_eq!(Tag::new("CAFE\u{301}")?, Tag::new("café")?);
/// assert!(Tag::new("#!").is_err());
/// # Ok::<(), lookback_tags::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(SmolStr);

impl Tag {
    /// Brings `text` into the spelling of a tag.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidTag`] when nothing of the text can stand in a tag.
    pub fn new(text: &str) -> Result<Self, Error> {
        if is_settled(text) {
            return Ok(Self(text.into()));
        }
        let mut name = respell(text);
        // Dropping a character can bring a letter and a mark together that then compose; two rounds are the most seen.
        for _ in 0..8 {
            let next = respell(&name);
            if next == name {
                break;
            }
            name = next;
        }
        if name.is_empty() {
            return Err(Error::InvalidTag {
                text: text.chars().take(EXCERPT_CHARS).collect(),
            });
        }
        Ok(Self(name.into()))
    }

    /// The text, without `#`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The tags in a line such as `#codebase, rust`, and the words of it that are no tags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParsedTags {
    /// The tags in the order of their first appearance, each once.
    pub tags: Vec<Tag>,
    /// The start of each word that no tag could be made of.
    pub refused: Vec<String>,
}

/// Splits a line at white space and commas and reads each word as a tag.
///
/// ```
/// let parsed = lookback_tags::parse_tags("#Codebase, rust  #codebase !!");
/// assert_eq!(parsed.tags.iter().map(|tag| tag.as_str()).collect::<Vec<_>>(), ["codebase", "rust"]);
/// assert_eq!(parsed.refused, ["!!"]);
/// ```
pub fn parse_tags(line: &str) -> ParsedTags {
    let mut parsed = ParsedTags::default();
    let mut seen = std::collections::HashSet::new();
    for word in line
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|word| !word.is_empty())
    {
        match Tag::new(word) {
            Ok(tag) => {
                if seen.insert(tag.clone()) {
                    parsed.tags.push(tag);
                }
            }
            Err(_) => parsed.refused.push(word.chars().take(EXCERPT_CHARS).collect()),
        }
    }
    parsed
}

/// Whether the text is plain ASCII that already obeys the rule: nearly every tag of a stored file.
fn is_settled(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_edge = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b'-' | b'_'));
    bytes.len() <= MAX_TAG_UNITS
        && !is_edge(bytes.first())
        && !is_edge(bytes.last())
        && bytes
            .iter()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'))
        && !text.contains("--")
}

/// One application of the rule.
fn respell(text: &str) -> String {
    let composed: String = text.trim_start().chars().take(MAX_INPUT_CHARS).nfkc().collect();
    let mut name = String::new();
    let mut units = 0;
    // Lower case can undo a composition (a capital with two accents has no small twin made the same way), so the
    // form is restored after it.
    for c in composed.to_lowercase().nfkc() {
        let c = if c.is_whitespace() || c == '/' { '-' } else { c };
        if !may_follow(c, name.chars().next_back()) {
            continue;
        }
        if units + c.len_utf16() > MAX_TAG_UNITS {
            break;
        }
        units += c.len_utf16();
        name.push(c);
    }
    name.truncate(name.trim_end_matches(['-', '_']).len());
    name
}

fn may_follow(c: char, previous: Option<char>) -> bool {
    let after_letter = previous.is_some_and(|previous| !matches!(previous, '-' | '_'));
    match c {
        '-' => previous.is_some_and(|previous| previous != '-'),
        '_' => previous.is_some(),
        // The small form of the Turkish capital: an `i` whose dot is spelled out.
        '\u{307}' => after_letter && previous != Some('i'),
        _ if is_invisible(c) => false,
        _ if is_combining_mark(c) => after_letter,
        _ => c.is_alphanumeric(),
    }
}

/// Letters and marks that draw nothing; with them, two tags could look the same, or like nothing at all.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Tag {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Tag {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl FromStr for Tag {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::new(text)
    }
}

impl Serialize for Tag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
