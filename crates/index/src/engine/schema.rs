use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use lookback_ranker::analysis::Tokens;
use tantivy::{
    schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
    tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager},
};

const TOKENIZER: &str = "lookback";

/// The one field: the text of a turn, as [`lookback_ranker::analysis`] cuts it. Its documents are known by their
/// number alone; everything else about them is in the records.
pub(super) fn schema() -> Schema {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions)
        // Ranking has the lengths of turns from their rows, exactly.
        .set_fieldnorms(false);
    let mut schema = Schema::builder();
    schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
    schema.build()
}

/// The field of [`schema`].
pub(super) fn text_field() -> Field {
    Field::from_field_id(0)
}

/// The tokenizer of [`schema`], which reports to `count`.
pub(super) fn tokenizers(count: &PositionCount) -> TokenizerManager {
    let tokenizers = TokenizerManager::new();
    tokenizers.register(
        TOKENIZER,
        TurnTokenizer {
            count: count.clone(),
            token: Token::default(),
        },
    );
    tokenizers
}

/// How many positions the text of the present turn has had so far: a long text comes in several documents, whose
/// positions go on.
#[derive(Debug, Clone, Default)]
pub(super) struct PositionCount(Arc<AtomicU32>);

impl PositionCount {
    pub(super) fn get(&self) -> u32 {
        // One thread writes and reads; the atomic is only there because tokenizers must be `Sync`.
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, count: u32) {
        self.0.store(count, Ordering::Relaxed);
    }
}

#[derive(Clone)]
struct TurnTokenizer {
    count: PositionCount,
    /// Kept for its memory.
    token: Token,
}

struct TurnTokens<'a> {
    tokens: Tokens<'a>,
    first: u32,
    count: &'a PositionCount,
    token: &'a mut Token,
}

impl Tokenizer for TurnTokenizer {
    type TokenStream<'a> = TurnTokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TurnTokens<'a> {
        TurnTokens {
            tokens: Tokens::new(text),
            first: self.count.get(),
            count: &self.count,
            token: &mut self.token,
        }
    }
}

impl TokenStream for TurnTokens<'_> {
    fn advance(&mut self) -> bool {
        let Some(token) = self.tokens.next_token() else {
            let length = self.tokens.length();
            self.count.set(self.first.saturating_add(length));
            return false;
        };
        self.token.text.clear();
        self.token.text.push_str(token.term);
        self.token.position = self.first.saturating_add(token.position) as usize;
        self.token.offset_from = token.start;
        self.token.offset_to = token.end;
        self.token.position_length = token.span as usize;
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}
