//! Reads any text as a query: it is understood somehow, the same way every time, and what is printed of it reads as the
//! same query.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookback_ranker::query::{self, MAX_QUERY_CHARS, Node, ParseOptions, Query};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let query = query::parse(&text, &ParseOptions::default());
    assert_eq!(
        query,
        query::parse(&text, &ParseOptions::default()),
        "the same text gives the same query"
    );
    if let Some(root) = &query.root {
        // Each parenthesis can hold OR, AND, words side by side and an exclusion.
        assert!(depth(root) <= 4 * (query::MAX_NESTING + 1) + 1, "{}", depth(root));
    }
    printed(&query);
    // What is still being typed differs in its last word at most.
    let typing = query::parse(&text, &ParseOptions { typing: true });
    assert_eq!(typing.filters, query.filters);
    assert_eq!(typing.root.is_some(), query.root.is_some());
});

fn printed(query: &Query) {
    let printed = query.to_string();
    // Quotation marks and joints can make a query longer than may be read.
    if printed.chars().count() > MAX_QUERY_CHARS {
        return;
    }
    let again = query::parse(&printed, &ParseOptions::default());
    assert_eq!(again.root, query.root, "{printed}");
    assert_eq!(again.filters, query.filters, "{printed}");
}

fn depth(node: &Node) -> usize {
    match node {
        Node::Word(_) | Node::Phrase(_) => 1,
        Node::Near { operands: nodes, .. } | Node::List(nodes) | Node::And(nodes) | Node::Or(nodes) => {
            1 + nodes.iter().map(depth).max().unwrap_or_default()
        }
        Node::Not(inner) => 1 + depth(inner),
    }
}
