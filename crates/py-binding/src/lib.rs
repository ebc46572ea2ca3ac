//! The native part of the Python package `lookback`: converts, calls the engine outside the interpreter, converts back.
//!
//! Requests arrive and replies leave as plain dictionaries; what a user holds in hand is made of them in
//! `python/lookback`. Rows become Arrow batches in `columns` and leave through the PyCapsule interface in `table`.

mod columns;
mod engine;
mod failure;
mod outside;
mod preview;
mod stream;
mod table;

use pyo3::prelude::*;

#[pymodule]
mod _lookback {
    #[pymodule_export]
    use super::engine::{Engine, when};
    #[pymodule_export]
    use super::table::{NativeReading, NativeTable};

    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
