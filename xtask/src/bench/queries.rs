//! What is searched for when searches are measured: kinds of queries, several of each.
//!
//! The words occur in the corpora of seed 7, where those of one project and of all projects do not. Every engine gets
//! every query as it stands; one that has no such syntax takes the characters for words.

/// Queries of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) queries: &'static [&'static str],
}

const fn kind(name: &'static str, queries: &'static [&'static str]) -> Kind {
    Kind { name, queries }
}

/// The mix. No kind has much more weight than another.
pub(crate) const MIX: &[Kind] = &[
    kind("common word", &["the", "error", "a", "file"]),
    kind("word", &["parser", "rollback", "migration", "chuspimed"]),
    kind(
        "words",
        &[
            "session manager",
            "config file not found",
            "cannot borrow",
            "reading clock",
        ],
    ),
    kind(
        "identifier",
        &[
            "permission_highlight_houslins",
            "crashHeapObject",
            "FontHighlight",
            "getUserById",
        ],
    ),
    kind(
        "path",
        &[
            "tests/warning_copy.rs",
            "lib/quote_reader.ts",
            "warning_copy.rs",
            "src/main.rs",
        ],
    ),
    kind(
        "code or flag",
        &["E0623", "ERR_5738", "--style-quote", "ORA-29701"],
    ),
    kind(
        "phrase",
        &[
            "\"cannot find variable\"",
            "\"cannot find\"",
            "\"we need to\"",
            "\"the tests\"",
        ],
    ),
    kind(
        "question",
        &[
            "how do I fix the failing test in the parser",
            "why did the build fail after the update of the compiler",
            "where is the config of the cache read",
            "what did we decide about the schema of the database",
        ],
    ),
    kind("CJK", &["データベース", "数据库", "测试", "수정"]),
    kind(
        "filter",
        &[
            "role:user timeout",
            "role:assistant cache",
            "branch:abandoned error",
            "is:fork parser",
        ],
    ),
    kind(
        "boolean",
        &[
            "-error parser",
            "index -the",
            "migration OR rollback",
            "NEAR(error parser, 5)",
        ],
    ),
    kind("beginning", &["pars*", "conf*", "migr*", "a*"]),
    kind("middle", &["*anag*", "*ollbac*", "*ashHeap*", "*ighligh*"]),
    kind("typo", &["sesion manger", "migraton", "databse", "rolback parsr"]),
    kind(
        "nothing",
        &["zzzzqqq", "qqqq zzzz xxxx", "\"parser zzzz\"", "role:user qqqzzz"],
    ),
    kind(
        "pasted trace",
        &[
            "thread 'main' panicked at src/session/reader.rs:412: index out of bounds: the len is 3 but the index is 7 \
             note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace 0: rust_begin_unwind at \
             library/std/src/panicking.rs:697 1: core::panicking::panic_fmt at library/core/src/panicking.rs:75 2: \
             session::reader::line 3: session::parser::parse at src/session/parser.rs:88 4: index::sync::run",
            "TypeError: Cannot read properties of undefined (reading 'length') at parseHeader (src/header/parse.ts:41:17) \
             at async loadSession (src/session/load.ts:112:9) at async main (src/cli.ts:20:3) Node.js v22.3.0 npm error \
             Lifecycle script `test` failed with error: code 1 path packages/web workspace web@1.4.0",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::MIX;

    #[test]
    fn kinds_have_names_of_their_own_and_queries_are_single_lines() {
        for (at, kind) in MIX.iter().enumerate() {
            assert!(
                MIX[..at].iter().all(|other| other.name != kind.name),
                "{}",
                kind.name
            );
            assert!(!kind.queries.is_empty(), "{}", kind.name);
            assert!(
                kind.queries.iter().all(|query| !query.contains('\n')),
                "{}",
                kind.name
            );
        }
    }
}
