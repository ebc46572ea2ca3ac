//! What the tests share: a data folder, tags from literals, a seeded generator, child processes.

use std::process::{Command, Stdio};

use camino::{Utf8Path, Utf8PathBuf};
use lookback_tags::{SessionTags, Tag, TagStore};
use proptest::test_runner::{Config as ProptestConfig, FileFailurePersistence};

/// The files of a store of tags at rest.
pub(crate) const ALL_FILES: [&str; 4] = [
    "tags-v1.json",
    "tags-v1.json.bak",
    "tags-v1.json.lock",
    "tags-v1.json.queue",
];

/// A data folder that does not exist yet, inside a temporary one.
pub(crate) struct DataDir {
    _outer: tempfile::TempDir,
    pub(crate) path: Utf8PathBuf,
}

impl DataDir {
    pub(crate) fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(outer.path()).unwrap().join("data");
        Self { _outer: outer, path }
    }

    /// With a tag file of this content.
    pub(crate) fn with_tags(content: &[u8]) -> Self {
        let dir = Self::new();
        dir.put(TagStore::FILE_NAME, content);
        dir
    }

    pub(crate) fn store(&self) -> TagStore {
        TagStore::open(&self.path)
    }

    pub(crate) fn put(&self, name: &str, content: &[u8]) {
        fs_err::create_dir_all(&self.path).unwrap();
        fs_err::write(self.path.join(name), content).unwrap();
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs_err::read_to_string(self.path.join(name)).unwrap()
    }

    /// Names of all files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = match self.path.read_dir_utf8() {
            Ok(entries) => entries
                .map(|entry| entry.unwrap().file_name().to_owned())
                .collect(),
            Err(_) => Vec::new(),
        };
        names.sort();
        names
    }
}

pub(crate) fn tags<const N: usize>(texts: [&str; N]) -> Vec<Tag> {
    texts.iter().map(|text| Tag::new(text).unwrap()).collect()
}

pub(crate) fn names(tags: &[Tag]) -> Vec<&str> {
    tags.iter().map(Tag::as_str).collect()
}

/// Manual, generated and suppressed tags of a session, for comparisons in one line.
pub(crate) fn lists(tags: Option<&SessionTags>) -> [Vec<&str>; 3] {
    tags.map_or_else(Default::default, |tags| {
        [
            names(&tags.manual),
            names(&tags.generated),
            names(&tags.suppressed),
        ]
    })
}

/// Failing inputs are kept beside the test, to be committed with the correction.
pub(crate) fn property_config(cases: u32) -> ProptestConfig {
    let beside = FileFailurePersistence::WithSource("regressions");
    ProptestConfig {
        cases,
        failure_persistence: Some(Box::new(beside)),
        ..ProptestConfig::default()
    }
}

/// A small generator, so that a child and its parent make the same random changes from the same seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}

#[expect(clippy::disallowed_methods, reason = "a test program is its own host")]
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Whether the durability tests run at full length.
pub(crate) fn is_long_run() -> bool {
    environment("LOOKBACK_LONG_TESTS").is_some()
}

/// Name of the variable through which a child gets its orders.
pub(crate) const ORDERS: &str = "LOOKBACK_TAGS_CHILD";

/// This test program once more, running only `test`, with its orders in the environment.
pub(crate) fn child(test: &str, orders: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"]);
    command
        .env(ORDERS, orders)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}
