//! Reading queries.

use lookback_ranker::Warning;
use lookback_ranker::query::{
    self, FilterKind, MAX_NESTING, MAX_QUERY_CHARS, Node, ParseOptions, Query, WordPart,
};
use proptest::prelude::*;

fn parse(text: &str) -> Query {
    query::parse(text, &ParseOptions::default())
}

fn codes(query: &Query) -> Vec<&'static str> {
    query.warnings.iter().map(Warning::code).collect()
}

/// The tree in brackets, so that precedence can be seen.
fn shape(node: &Node) -> String {
    let all = |nodes: &[Node], joint: &str| nodes.iter().map(shape).collect::<Vec<_>>().join(joint);
    match node {
        Node::Word(word) => word.to_string(),
        Node::Phrase(text) => format!("\"{text}\""),
        Node::Near { operands, distance } => format!("near{distance}[{}]", all(operands, " ")),
        Node::List(nodes) => format!("[{}]", all(nodes, " ")),
        Node::And(nodes) => format!("({})", all(nodes, " & ")),
        Node::Or(nodes) => format!("({})", all(nodes, " | ")),
        Node::Not(inner) => format!("!{}", shape(inner)),
    }
}

fn read(text: &str) -> String {
    parse(text).root.as_ref().map(shape).unwrap_or_default()
}

#[test]
fn operators() {
    for (text, expected) in [
        ("redis", "redis"),
        ("redis queue", "[redis queue]"),
        ("\"job queue\"", "\"job queue\""),
        ("a b AND c OR d", "(([a b] & c) | d)"),
        ("(a OR b) AND c", "((a | b) & c)"),
        ("(a b) c", "[a b c]"),
        ("redis -cluster", "[redis !cluster]"),
        ("redis NOT cluster", "[redis !cluster]"),
        ("redis -\"job queue\"", "[redis !\"job queue\"]"),
        ("redis -(aws OR gcp)", "[redis !(aws | gcp)]"),
        ("redis AND -cluster", "[redis !cluster]"),
        ("(redis -cluster)", "[redis !cluster]"),
        ("NOT cluster AND redis", "[redis !cluster]"),
        ("tok* *ize* *izer", "[tok* *ize* *izer]"),
        ("NEAR(a b)", "near10[a b]"),
        ("NEAR(redis \"job queue\", 5)", "near5[redis \"job queue\"]"),
        ("NEAR(a, b, 500) c", "[near100[a b] c]"),
    ] {
        let query = parse(text);
        assert_eq!(
            query.root.as_ref().map(shape).as_deref(),
            Some(expected),
            "{text}"
        );
        assert!(query.warnings.is_empty(), "{text}: {:?}", query.warnings);
    }
}

#[test]
fn what_only_looks_like_an_operator_is_text() {
    for (text, expected, warnings) in [
        ("C++ a:b foo(bar) --flag", "[C++ a:b foo(bar) --flag]", &[][..]),
        ("https://example.org/a?b=(c)", "https://example.org/a?b=(c)", &[]),
        ("C:\\Users\\dev", "C:\\Users\\dev", &[]),
        ("tar -xz -f a.tar", "[tar -xz -f a.tar]", &[]),
        (
            "email TEXT NOT NULL",
            "[email TEXT \"NOT\" NULL]",
            &["operator-as-text"],
        ),
        ("ERROR NOT FOUND", "[ERROR \"NOT\" FOUND]", &["operator-as-text"]),
        ("a AND", "[a \"AND\"]", &["operator-as-text"]),
        ("OR b", "[\"OR\" b]", &["operator-as-text"]),
        ("a AND OR b", "([a \"AND\"] | b)", &["operator-as-text"]),
        ("-lexer", "lexer", &["only-exclusions"]),
        ("NOT d", "d", &["only-exclusions"]),
        ("\"unclosed phrase", "[unclosed phrase]", &["unclosed-quote"]),
        ("(a OR b", "(a | b)", &["unbalanced-parenthesis"]),
        ("a) b", "[a b]", &["unbalanced-parenthesis"]),
        ("**bold** a*b .*", "[**bold** a*b]", &[]),
        ("NEAR(a)", "[\"NEAR\" a]", &["operator-as-text"]),
        ("role:king", "role:king", &["bad-filter-value"]),
        (
            "after:2026-02-30 x",
            "[after:2026-02-30 x]",
            &["bad-filter-value"],
        ),
        (
            "title:something session_id:1",
            "[title:something session_id:1]",
            &[],
        ),
        ("#8939 ## c#", "[#8939 c#]", &[]),
        ("it's 5'10\"", "[it's 5'10\"]", &[]),
        ("", "", &["nothing-to-search"]),
        ("() \"\" - + && ||", "", &["nothing-to-search"]),
    ] {
        let query = parse(text);
        assert_eq!(
            query.root.as_ref().map(shape).unwrap_or_default(),
            expected,
            "{text}"
        );
        let mut codes = codes(&query);
        codes.dedup();
        assert_eq!(codes, warnings, "{text}: {:?}", query.warnings);
        assert!(query.filters.is_empty(), "{text}");
    }
}

#[test]
fn filters() {
    let query = parse(
        "x #Rust -tag:old role:user cwd:\"/home/dev/my shop\" session:019b name:deploy model:opus after:7d \
         before:2026-03-01 branch:abandoned -is:fork",
    );
    assert_eq!(query.warnings, []);
    assert_eq!(
        query.to_string(),
        "x tag:rust -tag:old role:user cwd:\"/home/dev/my shop\" session:019b name:deploy model:opus after:7d \
         before:2026-03-01 branch:abandoned -is:fork"
    );
    assert_eq!(query.filters[0].kind, FilterKind::Tag("rust".into()));
    assert!(query.filters[1].negated && query.filters[10].negated);
}

#[test]
fn the_last_word_is_open_while_typing() {
    let typing = ParseOptions { typing: true };
    let last = |text: &str| match query::parse(text, &typing).root {
        Some(Node::Word(word)) => Some(word.part),
        Some(Node::List(nodes)) => match nodes.last() {
            Some(Node::Word(word)) => Some(word.part),
            _ => None,
        },
        _ => None,
    };
    assert_eq!(last("redis clu"), Some(WordPart::Typing));
    assert_eq!(last("redis clu "), Some(WordPart::Whole));
    assert_eq!(last("redis clu*"), Some(WordPart::Prefix));
}

#[test]
fn long_and_deep_queries_are_cut() {
    let query = parse(&"word ".repeat(20_000));
    assert_eq!(codes(&query), ["query-cut"]);
    assert!(query.to_string().chars().count() <= MAX_QUERY_CHARS);
    for text in [
        "(".repeat(100_000),
        "NEAR(".repeat(20_000),
        "-(".repeat(50_000),
        "\"a".repeat(50_000),
    ] {
        assert!(codes(&parse(&text)).contains(&"query-cut"));
    }
    assert!(
        codes(&parse(&format!("{}a{}", "(".repeat(40), ")".repeat(40)))).contains(&"unbalanced-parenthesis")
    );
}

/// Pieces that meet in odd ways.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("AND".to_owned()),
        Just("OR".to_owned()),
        Just("NOT".to_owned()),
        Just("NEAR(".to_owned()),
        Just("role:user".to_owned()),
        Just("cwd:(".to_owned()),
        Just("name:\"a b\"".to_owned()),
        Just("#tag".to_owned()),
        Just("NULL".to_owned()),
        "[\"()*,:#-]{1,3}",
        "[a-zé用#]{1,4}[\"()*,:-]{0,2}",
        "[\"(*,:#-]{0,2}[a-zé用]{1,4}",
        " {0,2}",
    ];
    proptest::collection::vec((piece, prop_oneof![Just(" "), Just(" "), Just("")]), 0..12).prop_map(
        |pieces| {
            pieces
                .into_iter()
                .flat_map(|(piece, space)| [piece, space.to_owned()])
                .collect()
        },
    )
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}") {
        parse(&text);
    }

    #[test]
    fn a_printed_query_reads_the_same(text in prop_oneof![pieces(), "\\PC{0,60}"]) {
        let query = parse(&text);
        let printed = query.to_string();
        let again = parse(&printed);
        prop_assert_eq!(&again.root, &query.root, "{} printed as {}", text, printed);
        prop_assert_eq!(&again.filters, &query.filters, "{} printed as {}", text, printed);
    }
}

#[test]
fn groups_close_where_they_were_closed() {
    assert_eq!(read("x (foo(bar OR b) c"), "[x (foo(bar | b) c]");
    assert_eq!(read("(foo(bar) OR b)"), "(foo(bar) | b)");
}

/// Found by the fuzzer: behind a word such as `cwd:"/home`, printing had moved what took the place of its end.
#[test]
fn quotation_marks_of_no_filter_are_quotation_marks() {
    assert_eq!(read("role:\"foo bar\" x"), "[role: \"foo bar\" x]");
    for text in [
        "cwd:\"/home\u{1}branch:x\" b",
        "name:\"a b\" cwd:\"/home",
        "x -is:\"a b\" c",
        "after:\"#x 7d\"",
    ] {
        let query = parse(text);
        let again = parse(&query.to_string());
        assert_eq!(
            (&again.root, &again.filters),
            (&query.root, &query.filters),
            "{text}: {query}"
        );
    }
}

/// Found by the fuzzer: a tag that is excluded at the end of a group was read as text.
#[test]
fn a_tag_can_be_excluded_inside_of_parentheses() {
    let query = parse("(redis OR sqlite -#old)");
    assert_eq!(query.filters.len(), 1, "{query}");
    assert!(query.filters[0].negated);
    assert!(query.warnings.is_empty(), "{:?}", query.warnings);
}

/// Found by the fuzzer: what is too deep to be a group was a word that reads as one where it is printed.
#[test]
fn exclusions_too_deep_to_be_groups_are_text() {
    let query = parse(&("x ".to_owned() + &"(".repeat(40) + "-(((-g /r"));
    let printed = query.to_string();
    assert_eq!(parse(&printed).root, query.root, "{printed}");
}

/// Found by the fuzzer: a tree is deeper than its parentheses, by a bounded factor.
#[test]
fn every_parenthesis_adds_four_nodes_at_most() {
    fn depth(node: &Node) -> usize {
        match node {
            Node::Word(_) | Node::Phrase(_) => 1,
            Node::Near { operands: nodes, .. } | Node::List(nodes) | Node::And(nodes) | Node::Or(nodes) => {
                1 + nodes.iter().map(depth).max().unwrap_or_default()
            }
            Node::Not(inner) => 1 + depth(inner),
        }
    }
    let query = parse(&"a OR b AND c -(".repeat(MAX_NESTING + 9));
    assert_eq!(depth(&query.root.unwrap()), 4 * (MAX_NESTING + 1));
}
