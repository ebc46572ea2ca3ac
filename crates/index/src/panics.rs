//! Tantivy panics on some kinds of damaged data. Such a panic is an error like others.

use std::any::Any;

/// What a panic said.
pub(crate) fn message(panic: &(dyn Any + Send)) -> String {
    let said = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    said.unwrap_or_else(|| "it ended without a word".to_owned())
}
