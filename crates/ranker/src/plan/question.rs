//! What the words of a query say beside what they mean: which say little, which are names, and whether they are a
//! question at all.

use super::pattern::Pattern;
use crate::analysis::is_stop_word;
use crate::query::{Node, Word, WordPart};

/// Words side by side up to which they are a question; more are a pasted text.
const MAX_QUESTION: usize = 24;

/// Whether a list of words is a question or a title: some words, two of which say something. Fewer are meant as they
/// are.
pub(super) fn is_question(words: usize, that_say_something: usize) -> bool {
    (3..=MAX_QUESTION).contains(&words) && that_say_something >= 2
}

/// True for a word or quoted word that says little.
pub(super) fn is_stop(node: &Node) -> bool {
    let text = match node {
        Node::Word(Word {
            text,
            part: WordPart::Whole,
        })
        | Node::Phrase(text) => text,
        _ => return false,
    };
    Pattern::of(text)
        .single_word()
        .is_some_and(|word| is_stop_word(word))
}

/// True for a word with a capital and small letters after it, where that means something: not as the first word, and
/// not where most words have one.
pub(super) fn is_name(node: &Node, all: &[Node]) -> bool {
    fn capitalised(node: &Node) -> bool {
        let Node::Word(Word {
            text,
            part: WordPart::Whole,
        }) = node
        else {
            return false;
        };
        let mut letters = text.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase)
            && !letters.any(char::is_uppercase)
    }
    let Some((first, rest)) = all.split_first() else {
        return false;
    };
    let names = rest.iter().filter(|node| capitalised(node)).count();
    node != first && capitalised(node) && 2 * names <= rest.len()
}
