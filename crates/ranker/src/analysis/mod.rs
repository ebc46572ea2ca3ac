//! Text to terms: the same for what is indexed, what is asked and what is highlighted.
//!
//! - A plain word is one token, folded: compatibility forms, case and diacritics make no difference.
//! - An identifier or hyphenated word (`getUserName`, `user_name`, `re-index`) is one token for the whole, without
//!   its joints (`getusername`), at the position of its first part, and one token for each part at positions that go
//!   on. So `getUserName`, `get_user_name` and `get user name` are the same phrase, and `reindex` finds `re-index`.
//! - Dots, slashes, colons and other signs only separate: a path, a URL or a version is found as a phrase.
//! - Scripts without spaces (and Hangul) become pairs of characters at consecutive positions; the last character of a
//!   run stands alone. So any two or more characters are a term or a phrase of terms, and a single one is the start
//!   of a term.
//! - A word of more than 128 characters becomes pieces of 64 at consecutive positions, 16 at most.
//!
//! ```
//! use lookback_ranker::analysis::terms;
//!
//! assert_eq!(terms("Café opens"), ["cafe", "opens"]);
//! assert_eq!(terms("getUserName()"), ["getusername", "get", "user", "name"]);
//! assert_eq!(terms("src/session-manager.ts"), ["src", "sessionmanager", "session", "manager", "ts"]);
//! assert_eq!(terms("数据库"), ["数据", "据库", "库"]);
//! ```

mod class;
mod compound;
mod distance;
mod fold;
mod forms;
mod irregular;
mod stop_words;
mod stretches;
mod tokens;

pub(crate) use class::{continues, is_gram, is_plain_gram, is_word};
pub use distance::edit_distance;
pub use fold::{fold, is_searchable};
pub use forms::{Kinship, WordFamily, stem};
pub use irregular::irregular_forms;
pub use stop_words::is_stop_word;
pub use stretches::stretches;
pub use tokens::{Token, TokenKind, Tokens};

/// Characters of a term at most; longer words are cut into pieces.
pub const MAX_TERM_CHARS: usize = 128;

/// Characters of a piece of a longer word.
pub const PIECE_CHARS: usize = 64;

/// Pieces of a longer word that are searchable: its first 1,024 characters.
pub const MAX_PIECES: usize = 16;

/// The version of these rules. An index that was built with another one must be built again.
pub const VERSION: u32 = 1;

/// The terms of a text in the order of its tokens.
pub fn terms(text: &str) -> Vec<String> {
    let mut tokens = Tokens::new(text);
    let mut terms = Vec::new();
    while let Some(token) = tokens.next_token() {
        terms.push(token.term.to_owned());
    }
    terms
}
