//! Query language, text analysis, ranking policies, grouping and snippets: pure functions.
