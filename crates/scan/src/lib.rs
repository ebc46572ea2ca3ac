//! Search over Pi sessions without an index.
mod interest;
mod prefilter;
