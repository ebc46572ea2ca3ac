//! The spelling of tags.

use lookback_tags::{Error, MAX_TAG_UNITS, Tag, parse_tags};
use proptest::prelude::*;

use crate::support::{DataDir, lists, names, property_config};

#[test]
fn each_text_has_one_spelling() {
    let table: &[(&str, &str, &str)] = &[
        ("plain", "rust", "rust"),
        ("case", "Foo", "foo"),
        ("full-width letters", "ｆｏｏ", "foo"),
        ("full-width hash", "＃ｆｏｏ", "foo"),
        ("é composed", "CAF\u{c9}", "caf\u{e9}"),
        ("é decomposed", "cafe\u{301}", "caf\u{e9}"),
        ("ΐ small", "\u{390}", "\u{390}"),
        (
            "ΐ as the capital, which is three characters",
            "\u{399}\u{308}\u{301}",
            "\u{390}",
        ),
        ("capital ẞ", "STRA\u{1e9e}E", "stra\u{df}e"),
        ("final sigma", "ΟΔΟΣ", "οδος"),
        ("capital i with dot", "\u{130}stanbul", "istanbul"),
        ("ligature", "ﬁle", "file"),
        ("hashes", "##rust", "rust"),
        ("spaces around", " #Rust/Search! ", "rust-search"),
        ("space after the hash", "# rust", "rust"),
        (
            "a space or a slash inside",
            "full text/search",
            "full-text-search",
        ),
        ("runs of them", "a \t / - b", "a-b"),
        ("newline", "one\ntwo", "one-two"),
        ("comma", "one,two", "onetwo"),
        ("dashes and underscores at the ends", "_-a_b-_", "a_b"),
        ("punctuation", "v1.2 (beta)", "v12-beta"),
        ("emoji in a word", "ship🚀it", "shipit"),
        ("a mark keeps its letter", "हिन्दी", "हिन्दी"),
        ("a mark without a letter", "a-\u{301}b", "a-b"),
        ("a mark that finds its letter late", "e!\u{301}", "\u{e9}"),
        ("invisible characters", "a\u{fe0f}b\u{200b}c\u{ad}d", "abcd"),
        ("direction marks", "\u{202e}abc\u{202c}", "abc"),
        ("control characters", "a\u{0}b\u{1b}[31mc", "ab31mc"),
        ("CJK", "日本語", "日本語"),
        ("digits of other scripts", "٣", "٣"),
    ];
    for (name, text, expected) in table {
        assert_eq!(Tag::new(text).unwrap().as_str(), *expected, "{name}: {text:?}");
    }
}

#[test]
fn a_text_of_which_nothing_remains_is_refused() {
    for text in [
        "",
        " ",
        "#",
        "###",
        "\n",
        ",",
        "-_-",
        "🚀",
        "❤\u{fe0f}",
        "\u{301}",
        "\u{3164}",
        "\u{1160}",
        "!!!",
    ] {
        let error = Tag::new(text).unwrap_err();
        assert_eq!(error.code(), "invalid-tag", "{text:?}");
    }
}

/// The cut of pi-recall, which would otherwise shorten our tags when it reads them.
#[test]
fn a_long_text_is_cut_between_characters() {
    assert_eq!(
        Tag::new(&"a".repeat(10_240)).unwrap().as_str(),
        "a".repeat(MAX_TAG_UNITS)
    );
    // An astral letter takes two units, so only one of them fits behind 38 others.
    let astral = "\u{10400}";
    let cut = Tag::new(&format!("{}{}", "b".repeat(38), astral.repeat(3))).unwrap();
    assert_eq!(cut.as_str(), format!("{}\u{10428}", "b".repeat(38)));
    // Letters are counted as they are kept, not as they were typed: each of these was three.
    assert_eq!(
        Tag::new(&"\u{399}\u{308}\u{301}".repeat(30)).unwrap().as_str(),
        "\u{390}".repeat(30)
    );
    // The cut must not leave a dash at the end.
    let dash = Tag::new(&format!("{} tail", "c".repeat(39))).unwrap();
    assert_eq!(dash.as_str(), "c".repeat(39));
    // Ten kilobytes of what is dropped do not hide what follows; ten megabytes are not read.
    assert!(Tag::new(&format!("{}x", "!".repeat(10_000_000))).is_err());
}

#[test]
fn a_refused_text_is_quoted_in_part() {
    let Err(Error::InvalidTag { text }) = Tag::new(&"!".repeat(10_000)) else {
        panic!("accepted")
    };
    assert_eq!(text.len(), 64);
}

#[test]
fn a_line_is_split_at_white_space_and_commas() {
    let parsed = parse_tags("#Codebase, rust  #codebase,,\n🚀 ,Rust/Search");
    assert_eq!(names(&parsed.tags), ["codebase", "rust", "rust-search"]);
    assert_eq!(parsed.refused, ["🚀"]);
    assert_eq!(parse_tags(" ,, \n"), lookback_tags::ParsedTags::default());
}

/// Files hold what another program took for a tag. Whatever is shown can be removed by what is shown.
#[test]
fn every_tag_of_a_file_can_be_removed() {
    let dir = DataDir::with_tags(
        br##"{"version":1,"sessions":{"s":{"manualTags":["Foo","cafe\u0301","#x y","","\ud835","\ud83d\ude80"],
            "autoTags":["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-"],"suppressedTags":[],"updatedAt":0}}}"##,
    );
    let store = dir.store();
    let shown: Vec<Tag> = store
        .snapshot()
        .unwrap()
        .get("s")
        .unwrap()
        .effective()
        .cloned()
        .collect();
    let plain = "a".repeat(39);
    assert_eq!(names(&shown), ["foo", "caf\u{e9}", "x-y", &plain]);
    let typed: Vec<Tag> = shown.iter().map(|tag| Tag::new(tag.as_str()).unwrap()).collect();
    let after = store.remove("s", &typed, 1).unwrap().snapshot;
    assert!(after.is_untagged("s"));
    assert_eq!(lists(after.get("s"))[2].len(), 4);
}

proptest! {
    #![proptest_config(property_config(512))]

    /// A tag that changed under the rule could be seen but not named.
    #[test]
    fn the_rule_changes_no_tag(text in any::<String>()) {
        if let Ok(tag) = Tag::new(&text) {
            prop_assert_eq!(Tag::new(tag.as_str()).unwrap(), tag);
        }
    }

    /// The same over the characters on which the steps of the rule act on each other.
    #[test]
    fn the_rule_changes_no_tag_of_awkward_characters(
        text in "[aeiIΙιΣσıİßẞﬁﷺ㍿Ω①²Å\u{301}\u{307}\u{308}\u{323}\u{345}\u{fe0f}\u{1160}각\u{94d}!/ _#-]{0,60}",
    ) {
        if let Ok(tag) = Tag::new(&text) {
            prop_assert_eq!(Tag::new(tag.as_str()).unwrap(), tag.clone());
            prop_assert!(tag.as_str().encode_utf16().count() <= MAX_TAG_UNITS);
            prop_assert!(tag.as_str().chars().any(char::is_alphanumeric));
        }
    }

    /// Case and the way accents are put together must not make two tags of one.
    #[test]
    fn spellings_of_one_word_are_one_tag(word in "[a-zà-öø-ýα-ρτ-ω]{1,12}") {
        use unicode_normalization::UnicodeNormalization;
        let tag = Tag::new(&word).unwrap();
        prop_assert_eq!(&Tag::new(&word.to_uppercase()).unwrap(), &tag);
        prop_assert_eq!(&Tag::new(&word.nfd().collect::<String>()).unwrap(), &tag);
        prop_assert_eq!(&Tag::new(&word.nfkd().collect::<String>()).unwrap(), &tag);
    }
}
