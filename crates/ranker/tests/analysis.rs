//! Words and their tokens.

use lookback_ranker::analysis::{MAX_PIECES, MAX_TERM_CHARS, PIECE_CHARS, TokenKind, Tokens, fold, terms};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

/// Terms by position: `a@0 b@1`.
fn placed(text: &str) -> String {
    let mut tokens = Tokens::new(text);
    let mut placed = Vec::new();
    while let Some(token) = tokens.next_token() {
        placed.push(format!("{}@{}", token.term, token.position));
    }
    placed.join(" ")
}

#[test]
fn words_and_parts() {
    for (text, expected) in [
        ("Plain words, here.", "plain@0 words@1 here@2"),
        ("getUserName", "getusername@0 get@0 user@1 name@2"),
        ("get_user_name", "getusername@0 get@0 user@1 name@2"),
        ("MAX_TOKEN_LEN", "maxtokenlen@0 max@0 token@1 len@2"),
        ("kebab-case-name", "kebabcasename@0 kebab@0 case@1 name@2"),
        (
            "HTTPServer parseURLs IDs",
            "httpserver@0 http@0 server@1 parseurls@2 parse@2 urls@3 ids@4",
        ),
        ("x-getName y", "xgetname@0 x@0 getname@1 get@1 name@2 y@3"),
        ("a/b/c.rs", "a@0 b@1 c@2 rs@3"),
        ("std::fmt::Display", "std@0 fmt@1 display@2"),
        ("--no-verify -v", "noverify@0 no@0 verify@1 v@2"),
        ("error[E0382]: TS2345", "error@0 e0382@1 ts2345@2"),
        ("v0.84.4", "v0@0 84@1 4@2"),
        ("0xDEADBEEF sha256", "0xdeadbeef@0 sha256@1"),
        ("getUser2Name", "getuser2name@0 get@0 user2@1 name@2"),
        ("kZq7Zq7Zq7END", "kzq7zq7zq7end@0"),
        (
            "c++ C# i++; #123 a#b",
            "c++@0 c@0 c#@1 c@1 i++@2 i@2 #123@3 123@3 a@4 b@5",
        ),
        (
            "don't it's users' l'homme we're",
            "dont@0 it@1 users@2 l@3 homme@4 we@5",
        ),
        ("__init__ _x snake_", "init@0 x@1 snake@2"),
        ("me@example.org", "me@0 example@1 org@2"),
        ("数据库JWT令牌", "数据@0 据库@1 库@2 jwt@3 令牌@4 牌@5"),
        ("カタカナ ｶﾞｶﾞ", "カタ@0 タカ@1 カナ@2 ナ@3 ガガ@4 ガ@5"),
        ("역사를", "역사@0 사를@1 를@2"),
        ("我", "我@0"),
        ("so\u{ad}ft", "soft@0"),
        ("👩‍👩‍👧 …", ""),
    ] {
        assert_eq!(placed(text), expected, "{text}");
    }
}

#[test]
fn one_phrase_for_all_spellings_of_an_identifier() {
    let atoms = |text: &str| {
        let mut tokens = Tokens::new(text);
        let mut atoms = Vec::new();
        while let Some(token) = tokens.next_token() {
            if token.kind != TokenKind::Whole {
                atoms.push(token.term.to_owned());
            }
        }
        atoms
    };
    for text in [
        "getUserName",
        "get_user_name",
        "get-user-name",
        "get user name",
        "get.user::name",
    ] {
        assert_eq!(atoms(text), ["get", "user", "name"], "{text}");
    }
}

#[test]
fn very_long_words_become_pieces() {
    let hash = "a".repeat(MAX_TERM_CHARS);
    assert_eq!(terms(&hash).concat(), hash);
    assert_eq!(terms(&hash).len(), 1);
    let long = "a1".repeat(MAX_TERM_CHARS);
    let pieces = terms(&long);
    assert_eq!(pieces.len(), 2 * MAX_TERM_CHARS / PIECE_CHARS);
    assert_eq!(pieces.concat(), long);
    assert_eq!(terms(&"é".repeat(1_000_000)).len(), MAX_PIECES);
    assert_eq!(
        terms(&format!("{} end", "x".repeat(100_000)))
            .last()
            .map(String::as_str),
        Some("end")
    );
    // A run of characters is no word: all of it is searchable.
    assert_eq!(terms(&"数".repeat(5000)).len(), 5000);
    // Many short parts are a phrase without a whole.
    assert_eq!(terms(&"ab_".repeat(1000)).len(), 1000);
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{0,8}",
        "[a-zA-Z0-9_'’-]{0,12}",
        "[é-ÿĀ-ſ\u{300}-\u{304}Α-ωА-я]{0,6}",
        "[用数据カ\u{3099}ｶﾞ역사ไก่ᄀ-ᆿ]{0,6}",
        "[ \t\n./:#+-]{0,3}",
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn tokens_lie_in_their_text(text in text()) {
        let mut tokens = Tokens::new(&text);
        let mut last_position = 0;
        let mut last_atom_end = 0;
        while let Some(token) = tokens.next_token() {
            let slice = &text[token.start..token.end];
            prop_assert!(!token.term.is_empty());
            prop_assert!(token.position >= last_position);
            if token.kind == TokenKind::Word {
                prop_assert_eq!(fold(slice), token.term);
            }
            if token.kind != TokenKind::Whole && token.kind != TokenKind::Gram {
                prop_assert!(token.start >= last_atom_end);
                last_atom_end = token.end;
            }
            last_position = token.position;
        }
        prop_assert!(tokens.length() >= last_position);
    }

    #[test]
    fn composed_and_decomposed_text_have_the_same_terms(text in text()) {
        let composed: String = text.nfc().collect();
        let decomposed: String = text.nfd().collect();
        prop_assert_eq!(placed(&composed), placed(&decomposed));
    }

    #[test]
    fn a_term_is_its_own_folded_form(text in text()) {
        let mut tokens = Tokens::new(&text);
        while let Some(token) = tokens.next_token() {
            if !token.term.contains(['+', '#']) {
                prop_assert_eq!(fold(token.term), token.term);
            }
        }
    }
}
