//! Search over Pi sessions without an index.
