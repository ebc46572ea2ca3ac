//! The full-text index over Pi sessions: schema, sync and search on Tantivy.
