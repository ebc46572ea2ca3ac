//! What is taken for a secret, and what is not.

use lookback::redact::{KINDS, find, find_in_piece, redact};
use proptest::prelude::*;

/// The kind of the only secret in a text, and what is left of the text.
fn only(text: &str) -> (&'static str, String) {
    let found = find(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    (found[0].kind, redact(text).0.into_owned())
}

/// Keys are put together here, so that no scanner of repositories takes this file for a leak.
fn made(parts: &[&str]) -> String {
    parts.concat()
}

#[test]
fn known_shapes_are_replaced() {
    let a = "FAKEfake0123456789";
    for (kind, secret) in [
        ("aws-key", made(&["AKIA", "IOSFODNN7EXAMPLE"])),
        ("aws-key", made(&["ASIA", "Y34FZKBOKMUTVV7A"])),
        ("github-token", made(&["ghp_", a, a])),
        ("github-token", made(&["gho_", a, a])),
        ("github-token", made(&["github_pat_", a, "_", a])),
        ("gitlab-token", made(&["glpat-", a, "abcd"])),
        ("slack-token", made(&["xoxb-", "123456789012-", a])),
        ("stripe-key", made(&["sk_live_", a])),
        ("anthropic-key", made(&["sk-ant-api03-", a, a])),
        ("openai-key", made(&["sk-proj-", a, "_", a])),
        ("openai-key", made(&["sk-", a, a])),
        (
            "service-token",
            made(&["AIza", "SyD", "0123456789abcdefghijklmnopqrstuv"]),
        ),
        ("service-token", made(&["hf_", a, a])),
        ("service-token", made(&["npm_", a, a])),
        (
            "jwt",
            made(&["eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxIn0", ".c2lnbmF0dXJl"]),
        ),
        ("jwt", made(&["eyJhbGciOiJub25lIn0", ".e30", "."])),
    ] {
        let (found, shown) = only(&format!("the key is {secret}, keep it"));
        assert_eq!(found, kind, "{secret}");
        assert_eq!(shown, format!("the key is [redacted:{kind}], keep it"));
        assert!(KINDS.contains(&kind));
    }
}

#[test]
fn what_is_assigned_to_a_password_or_sent_as_a_header_is_replaced() {
    for (text, shown) in [
        (
            "Authorization: Bearer FAKE.abc1",
            "Authorization: Bearer [redacted:authorization]",
        ),
        (
            r#"{"Authorization": "Basic ZGV2Omh1bnRlcjI="}"#,
            r#"{"Authorization": "Basic [redacted:authorization]"}"#,
        ),
        (
            "curl -H 'X-Api-Key: 0a1b2c3d4e5f'",
            "curl -H 'X-Api-Key: [redacted:authorization]'",
        ),
        (
            "postgres://dev:hunter2@db.example.org/app",
            "postgres://dev:[redacted:password]@db.example.org/app",
        ),
        ("password=hunter2", "password=[redacted:password]"),
        (
            "DB_PASSWORD=\"correct horse\"",
            "DB_PASSWORD=\"[redacted:password]\"",
        ),
        ("password: hunter2 # dev", "password: [redacted:password] # dev"),
        (
            "mysql --password=tr0ub4dor",
            "mysql --password=[redacted:password]",
        ),
        (
            "export API_KEY=9f8a7b6c5d4e3f2a",
            "export API_KEY=[redacted:password]",
        ),
        (
            "client_secret: 'abcd1234efgh5678'",
            "client_secret: '[redacted:password]'",
        ),
    ] {
        assert_eq!(redact(text).0, shown);
    }
}

#[test]
fn private_keys_go_as_a_whole() {
    let body = "MIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0bu3aumH0\n".repeat(4);
    let (begin, end) = (
        made(&["-----BEGIN RSA ", "PRIVATE KEY-----"]),
        made(&["-----END RSA ", "PRIVATE KEY-----"]),
    );
    let (kind, shown) = only(&format!("here:\n{begin}\n{body}{end}\ndone"));
    assert_eq!(
        (kind, shown.as_str()),
        ("private-key", "here:\n[redacted:private-key]\ndone")
    );
    // Cut before its end, as a long message is.
    assert_eq!(redact(&format!("{begin}\n{body}")).0, "[redacted:private-key]\n");
    // In JSON, where line ends are written out.
    let json = format!("{begin}\\n{}", body.replace('\n', "\\n"));
    assert_eq!(redact(&json).0, "[redacted:private-key]\\n");
    // Code that only names the marks keeps the rest of its text.
    let code = format!("if line == \"{begin}\" {{ start(); }}\nlet x = 1;");
    assert_eq!(redact(&code).0, code);
}

#[test]
fn hashes_ids_pictures_and_code_stay() {
    for text in [
        "commit 3f786850e387550fdab836ed7e6dc881de23001b fixes it",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "session 019b7903-a668-7af1-8b97-9a01000000f1",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "getUserById, user_id, foo.bar, crates/index/src/engine/segment.rs:236, E0382, --no-verify",
        "password: string; token: string | null",
        "const password = getPassword();",
        "login(password=args.password, token=self.token)",
        "password = user_password",
        "let token = tokens[i]; token = next_token()",
        "max_tokens=4096, token_count: 12",
        "secret = os.environ[\"SECRET\"]",
        "apiKey: process.env.API_KEY_2",
        "PASSWORD=${DB_PASSWORD}",
        "password: <your password>",
        "the password is asked for at the next start",
        "Bearer authentication is what we use",
        "http://localhost:3000/@scope/package@1.2.3",
        "git@github.com:owner/repo.git and https://user@host/path",
        "sk-loading-spinner and task-management-of-the-whole-project",
        "eyJ is how base64 of JSON begins",
        "class Token: pass",
    ] {
        let found = find(text);
        assert!(found.is_empty(), "{text}: {found:?}");
        assert_eq!(redact(text).0, text);
    }
}

/// A snippet can begin or end in the middle of a secret, which then has no shape any more.
#[test]
fn what_is_left_of_a_secret_at_a_cut_end_is_replaced() {
    let head = made(&["the key ", "ghp_", "FAKE01"]);
    assert_eq!(find_in_piece(&head, false, true).len(), 1);
    assert_eq!(find_in_piece(&head, false, false).len(), 0);
    assert_eq!(
        find_in_piece("0000FAKEfake1234567890 was the key", true, false).len(),
        1
    );
    for text in [
        "3f786850e387550fdab836ed7e6dc881de23001b is the commit",
        "crates/index/src/engine/segment.rs is the file",
    ] {
        assert_eq!(find_in_piece(text, true, true).len(), 0, "{text}");
    }
}

proptest! {
    #[test]
    fn redacting_twice_changes_nothing(text in "[a-zA-Z0-9=:/@._\"' \\-]{0,60}(password|token|Bearer|secret)[=: ]{1,2}[a-zA-Z0-9._-]{0,30}[ @]?[a-z]{0,9}") {
        let once = redact(&text).0.into_owned();
        prop_assert_eq!(redact(&once).0, once.as_str());
    }

    #[test]
    fn any_text_can_be_looked_through(text in any::<String>(), before: bool, after: bool) {
        let mut end = 0;
        for secret in find_in_piece(&text, before, after) {
            prop_assert!(secret.range.start >= end && text.get(secret.range.clone()).is_some());
            end = secret.range.end;
        }
    }
}
