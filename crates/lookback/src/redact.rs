//! Secrets in past sessions, taken out of what is handed to a model.
//!
//! People paste keys into conversations, and a recalled conversation goes to whatever model is chosen today. Shapes
//! that are known for sure are replaced by `[redacted:<kind>]`. It is a net, not a wall: a password in a sentence looks
//! like any other word. Files and index are never changed, and what is redacted is still found by the words around it.
//!
//! `docs/tools.md` lists the kinds; a test compares that list with [`KINDS`].

use std::{borrow::Cow, ops::Range, sync::LazyLock};

use regex::Regex;

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// What it is, one of [`KINDS`].
    pub kind: &'static str,
}

/// The kinds of secrets that are known.
pub const KINDS: [&str; 12] = [
    "aws-key",
    "github-token",
    "gitlab-token",
    "slack-token",
    "stripe-key",
    "anthropic-key",
    "openai-key",
    "service-token",
    "jwt",
    "private-key",
    "authorization",
    "password",
];

/// How a rule looks at what it matched.
#[derive(Clone, Copy)]
enum Check {
    /// The shape alone is proof.
    None,
    /// The value of a header: words of prose do not count.
    Credential,
    /// What is assigned to a password.
    Password,
    /// What is assigned to a token, key or secret: it must look as if drawn by chance.
    Token,
}

struct Rule {
    kind: &'static str,
    check: Check,
    /// The secret is the first group, or else the whole match.
    shape: Regex,
}

const SHAPES: [(&str, Check, &str); 17] = [
    (
        "aws-key",
        Check::None,
        r"(?-u:\b)(?:AKIA|ASIA|AROA|AIDA|ANPA|AGPA|AIPA|ABIA|ACCA)[A-Z0-9]{16}(?-u:\b)",
    ),
    (
        "github-token",
        Check::None,
        r"(?-u:\b)(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})",
    ),
    (
        "gitlab-token",
        Check::None,
        r"(?-u:\b)gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[A-Za-z0-9_-]{20,}",
    ),
    (
        "slack-token",
        Check::None,
        r"(?-u:\b)(?:xox[abeoprs]-|xapp-[0-9]-)[A-Za-z0-9-]{10,}",
    ),
    (
        "slack-token",
        Check::None,
        r"https://hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{20,})",
    ),
    (
        "stripe-key",
        Check::None,
        r"(?-u:\b)(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,}=*)",
    ),
    ("anthropic-key", Check::None, r"(?-u:\b)sk-ant-[A-Za-z0-9_-]{16,}"),
    (
        "openai-key",
        Check::None,
        r"(?-u:\b)sk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})",
    ),
    // Google, Hugging Face, npm, PyPI, SendGrid, Telegram, DigitalOcean, Groq, xAI, Docker, Linear, crates.io.
    (
        "service-token",
        Check::None,
        r"(?-u:\b)(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{33}|do[opr]_v1_[a-f0-9]{64}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|dckr_pat_[A-Za-z0-9_-]{20,}|lin_api_[A-Za-z0-9]{32,}|cio[A-Za-z0-9]{32}(?-u:\b))",
    ),
    (
        "jwt",
        Check::None,
        r"(?-u:\b)eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{2,}){1,4}\.?",
    ),
    (
        "authorization",
        Check::Credential,
        r#"(?i)authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token|apikey|digest)\s+([^\s"'`,;<>]+)"#,
    ),
    (
        "authorization",
        Check::Credential,
        r"(?i)(?-u:\b)bearer\s+([A-Za-z0-9._~+/=-]{16,})",
    ),
    (
        "authorization",
        Check::Credential,
        r#"(?i)(?:x-api-key|x-auth-token|private-token)["']?\s*[:=]\s*["']?([^\s"'`,;<>]{8,})"#,
    ),
    // The password of a URL: `postgres://user:password@host`.
    (
        "password",
        Check::Password,
        r#"(?i)(?-u:\b)[a-z][a-z0-9+.-]{1,20}://[^\s/:@"'`<>]*:([^\s/@"'`<>]+)@"#,
    ),
    (
        "password",
        Check::Password,
        r#"(?i)(?:password|passwd|passphrase|pwd)["']?\s{0,4}(?::=|=>|[:=])\s{0,4}(?:"([^"\n]{3,200})"|'([^'\n]{3,200})'|([^\s"'`,;)}\]]{4,200}))"#,
    ),
    (
        "password",
        Check::Token,
        r#"(?i)(?:secret|token|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key|auth[_-]?key|credential)s?["']?\s{0,4}(?::=|=>|[:=])\s{0,4}["']?([A-Za-z0-9_+/=.~-]{12,300})"#,
    ),
    (
        "password",
        Check::Password,
        r"(?i)(?-u:\B)--(?:password|passwd|passphrase)[ =]([^\s-]\S{3,200})",
    ),
];

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    // A pattern that does not compile would be missing here; a test counts them.
    let compiled = SHAPES.into_iter().filter_map(|(kind, check, pattern)| {
        let shape = Regex::new(pattern).ok()?;
        Some(Rule { kind, check, shape })
    });
    compiled.collect()
});

static KEY_BEGIN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new("-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----").ok());
static KEY_END: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new("-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----").ok());
/// The body of a key that was cut: long runs of base64, one after the other.
static KEY_BODY: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?:(?:\s|\\[nr]){0,8}[A-Za-z0-9+/=]{16,})+").ok());
/// No key is longer than this; an end mark further away belongs to something else.
const LONGEST_KEY: usize = 16 << 10;

/// The secrets of a text, ascending, without overlaps. Linear in the length of the text.
pub fn find(text: &str) -> Vec<Secret> {
    let mut secrets = private_keys(text);
    for rule in RULES.iter() {
        for found in rule.shape.captures_iter(text) {
            let value = (1..found.len())
                .find_map(|group| found.get(group))
                .or_else(|| found.get(0));
            let Some(value) = value else { continue };
            if rule.check.passes(value.as_str()) {
                secrets.push(Secret {
                    range: value.range(),
                    kind: rule.kind,
                });
            }
        }
    }
    disjoint(secrets)
}

/// The same for a piece that was cut out of a longer text: what is left of a secret at a cut end counts too.
pub fn find_in_piece(text: &str, cut_before: bool, cut_after: bool) -> Vec<Secret> {
    let mut secrets = find(text);
    let mut edge = |range: Range<usize>| {
        if looks_random(&text[range.clone()]) && !is_hash(&text[range.clone()]) {
            secrets.push(Secret {
                range,
                kind: "service-token",
            });
        }
    };
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '/' | '=' | '.');
    if cut_before {
        let end = text.find(|c| !part(c)).unwrap_or(text.len());
        edge(0..end);
    }
    if cut_after {
        let start = text.trim_end_matches(part).len();
        let head = &text[start..];
        let known = [
            "AKIA", "ASIA", "gh", "glpat-", "xox", "sk-", "sk_", "rk_", "eyJ", "AIza", "hf_", "npm_", "pypi-",
        ];
        if head.len() >= 6 && known.iter().any(|prefix| head.starts_with(prefix)) {
            secrets.push(Secret {
                range: start..text.len(),
                kind: "service-token",
            });
        } else {
            edge(start..text.len());
        }
    }
    disjoint(secrets)
}

/// The text with every secret replaced, and how many there were.
pub fn redact(text: &str) -> (Cow<'_, str>, usize) {
    let secrets = find(text);
    if secrets.is_empty() {
        return (Cow::Borrowed(text), 0);
    }
    let count = secrets.len();
    (Cow::Owned(replace(text, &secrets)), count)
}

/// The text with these secrets replaced.
pub(crate) fn replace(text: &str, secrets: &[Secret]) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    for secret in secrets {
        shown.push_str(&text[at..secret.range.start]);
        shown.push_str(&mark(secret.kind));
        at = secret.range.end;
    }
    shown.push_str(&text[at..]);
    shown
}

/// What stands in the place of a secret.
pub fn mark(kind: &str) -> String {
    format!("[redacted:{kind}]")
}

/// Looks for each end once, so that a text of a million beginnings costs no more than its length.
fn private_keys(text: &str) -> Vec<Secret> {
    let (Some(begin), Some(end), Some(body)) = (&*KEY_BEGIN, &*KEY_END, &*KEY_BODY) else {
        return Vec::new();
    };
    let mut ends = end.find_iter(text).map(|found| found.end()).peekable();
    let mut keys: Vec<Secret> = Vec::new();
    for found in begin.find_iter(text) {
        if keys.last().is_some_and(|key| key.range.end > found.start()) {
            continue;
        }
        while ends.next_if(|&end| end <= found.end()).is_some() {}
        let end = match ends.peek() {
            Some(&end) if end - found.end() <= LONGEST_KEY => end,
            _ => {
                let rest = &text[found.end()..];
                let Some(rest) = body.find(rest) else { continue };
                found.end() + rest.end()
            }
        };
        keys.push(Secret {
            range: found.start()..end,
            kind: "private-key",
        });
    }
    keys
}

/// Overlapping finds become one, named after the first rule that saw its start.
fn disjoint(mut secrets: Vec<Secret>) -> Vec<Secret> {
    secrets.sort_by_key(|secret| (secret.range.start, std::cmp::Reverse(secret.range.end)));
    let mut merged: Vec<Secret> = Vec::with_capacity(secrets.len());
    for secret in secrets {
        match merged.last_mut() {
            Some(last) if secret.range.start < last.range.end => {
                last.range.end = last.range.end.max(secret.range.end);
            }
            _ => merged.push(secret),
        }
    }
    merged
}

impl Check {
    fn passes(self, value: &str) -> bool {
        match self {
            Self::None => true,
            Self::Credential => {
                !is_placeholder(value) && (value.len() >= 32 || value.contains(|c: char| c.is_ascii_digit()))
            }
            Self::Password => !is_placeholder(value) && !is_code(value),
            Self::Token => !is_placeholder(value) && !is_code(value) && looks_random(value),
        }
    }
}

/// Variables, examples in angle brackets, and what stands for nothing.
fn is_placeholder(value: &str) -> bool {
    const WORDS: [&str; 20] = [
        "none",
        "null",
        "nil",
        "true",
        "false",
        "undefined",
        "string",
        "str",
        "text",
        "number",
        "bytes",
        "option",
        "optional",
        "required",
        "xxx",
        "xxxx",
        "password",
        "changeme",
        "redacted",
        "secret",
    ];
    let bare = value.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    value.starts_with(['$', '<', '{', '%', '(', '[', '&', '*'])
        || bare.is_empty()
        || WORDS.contains(&bare.as_str())
        || bare.starts_with("your")
        || bare.starts_with("redacted")
}

/// Calls, paths of names (`args.password`, `Self::TOKEN`), names that say what they hold (`user_password`), types.
fn is_code(value: &str) -> bool {
    let name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !part.contains(|c: char| c.is_ascii_digit())
    };
    let has_parts = value.contains('.') || value.contains("::");
    let dotted = has_parts && value.split(['.', ':']).all(|part| part.is_empty() || name(part));
    let lower = value.to_lowercase();
    let says_so = name(value)
        && ["password", "passwd", "token", "secret", "key"]
            .iter()
            .any(|word| lower.contains(word));
    value.contains(['(', '[', '{', '<'])
        || dotted
        || says_so
        || lower.starts_with("process.env")
        || lower.starts_with("os.environ")
}

/// Hashes and UUIDs stand everywhere and are no secrets, unless something says that they are.
fn is_hash(value: &str) -> bool {
    value.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
}

/// Long enough, and digits among letters: what a person would not name anything.
fn looks_random(value: &str) -> bool {
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let letters = value.chars().filter(char::is_ascii_alphabetic).count();
    let has_words = value
        .split(['-', '_', '/', '.'])
        .filter(|part| part.len() > 2)
        .count()
        > 2;
    value.len() >= 12 && digits >= 2 && letters >= 2 && !(has_words && digits * 5 < letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_its_kind_is_listed() {
        assert_eq!(RULES.len(), SHAPES.len());
        assert!(KEY_BEGIN.is_some() && KEY_END.is_some() && KEY_BODY.is_some());
        for rule in RULES.iter() {
            assert!(KINDS.contains(&rule.kind), "{}", rule.kind);
        }
    }
}
