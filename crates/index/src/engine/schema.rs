use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};

/// The one field: the text of a turn, as [`lookback_ranker::analysis`] cuts it. Its documents are known by their
/// number alone; everything else about them is in the records.
pub(super) fn schema() -> Schema {
    let indexing = TextFieldIndexing::default()
        // Never asked: this crate hands terms to the engine, not text.
        .set_tokenizer("raw")
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
