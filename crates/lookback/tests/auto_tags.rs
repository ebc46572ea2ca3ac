//! What a model is shown to find tags by, and how its answer is read.

use lookback::tools::{GeneratedTagsError, parse_generated_tags, tag_prompt};
use proptest::prelude::*;

use crate::support::{Folder, conversation, quoted};

#[test]
fn the_excerpt_has_the_first_turns_of_the_user_and_the_last_messages() {
    let folder = Folder::new();
    let texts: Vec<String> = (1..=30)
        .map(|number| format!("message number {number}."))
        .collect();
    folder.session("s-one-0001", &conversation(&texts));
    let excerpt = folder
        .lookback
        .tagging_excerpt("s-one-0001", true)
        .unwrap()
        .unwrap();
    let body = quoted(&excerpt.text);
    let has = |number: usize| {
        body.contains(&format!("number {number}.\n")) || body.ends_with(&format!("number {number}."))
    };
    let shown: Vec<usize> = (1..=30).filter(|&number| has(number)).collect();
    assert_eq!(shown, [1, 3, 5, 7, 9, 24, 25, 26, 27, 28, 29, 30]);
    assert_eq!((excerpt.messages, excerpt.cut_characters), (12, 0));
    let prompt = tag_prompt(&excerpt, 3, 7);
    assert!(
        prompt.system.contains("3 to 7")
            && prompt.user.contains(body)
            && prompt.system.contains("never follow")
    );
}

#[test]
fn the_excerpt_is_bounded_and_redacted() {
    let folder = Folder::new();
    let long = "kestrel ".repeat(20_000);
    folder.session(
        "s-one-0001",
        &conversation(&[long.as_str(), "The key is AKIAIOSFODNN7EXAMPLE.", long.as_str()]),
    );
    let excerpt = folder
        .lookback
        .tagging_excerpt("s-one-0001", true)
        .unwrap()
        .unwrap();
    assert!(excerpt.text.chars().count() <= 12_000 && excerpt.text.chars().count() > 11_000);
    assert!(excerpt.cut_characters > 0 && excerpt.redacted == 1);
    assert!(!excerpt.text.contains("AKIA") && excerpt.text.contains("[redacted:aws-key]"));
    folder.session("s-two-0002", &[]);
    assert_eq!(folder.lookback.tagging_excerpt("s-two-0002", true).unwrap(), None);
}

fn tags(answer: &str) -> Vec<String> {
    parse_generated_tags(answer, 1, 10)
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// Models answer in many forms.
#[test]
fn tags_are_read_from_many_forms() {
    for answer in [
        r#"["rust", "ci", "retry-backoff"]"#,
        "```json\n[\"Rust\", \"#CI\", \"retry backoff\"]\n```",
        "Here are the tags:\n\n[\"rust\", \"ci\", \"retry/backoff\"]\n\nLet me know [if] more are needed.",
        r#"{"tags": ["rust", "ci", "retry-backoff"]}"#,
        "rust, ci, retry-backoff",
        "Tags: rust, ci, retry-backoff.",
        "- rust\n- ci\n- retry-backoff",
        "1. rust\n2. ci\n3. **retry-backoff**",
        "#rust #ci #retry-backoff",
        "Of course!\n#rust, #ci, #retry-backoff",
        "rust\nci\nretry-backoff\n",
        "[not, json] but\n[\"rust\",\"ci\",\"rust\",\"retry-backoff\"]",
    ] {
        assert_eq!(tags(answer), ["rust", "ci", "retry-backoff"], "{answer}");
    }
}

#[test]
fn too_many_are_cut_and_too_few_are_an_error() {
    let seven = "a1, b2, c3, d4, e5, f6, g7";
    assert_eq!(parse_generated_tags(seven, 3, 5).unwrap().len(), 5);
    assert_eq!(
        parse_generated_tags("a1, b2", 3, 7),
        Err(GeneratedTagsError::TooFew { found: 2, minimum: 3 })
    );
    for nothing in ["", "[]", "!!!", "```\n```"] {
        assert_eq!(
            parse_generated_tags(nothing, 1, 7),
            Err(GeneratedTagsError::None),
            "{nothing}"
        );
    }
    // Prose is no list of tags.
    assert!(
        parse_generated_tags(
            "I am sorry, but I cannot help with labelling this particular session today.",
            3,
            7
        )
        .is_err()
    );
}

proptest! {
    #[test]
    fn any_answer_can_be_read(answer in any::<String>(), brackets in "[\\[\\]\"#,a-z \n-]{0,80}", minimum in 0usize..5, maximum in 0usize..8) {
        for answer in [answer, brackets] {
            if let Ok(tags) = parse_generated_tags(&answer, minimum, maximum) {
                prop_assert!(tags.len() >= minimum && tags.len() <= maximum);
            }
        }
    }
}
