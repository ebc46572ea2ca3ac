//! The JSON of both files: `{"version": 1, "sessions": {"<session id>": {…}}}`.

mod document;
mod fields;

pub(crate) use document::{Document, Record, Unusable, VERSION};
pub(crate) use fields::{Fields, read_number, read_text, read_texts};
