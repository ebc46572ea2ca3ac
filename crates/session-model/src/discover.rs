use std::{cmp::Ordering, collections::HashSet, io};

use camino::{Utf8Path, Utf8PathBuf};
use fs_err as fs;
use serde::{Deserialize, Serialize};

use crate::FileStamp;

/// A session file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Its path: the root that was given, and the way from there.
    pub path: Utf8PathBuf,
    /// Its state at that moment.
    pub stamp: FileStamp,
    /// It lies deeper than Pi looks, as the files of some subagent packages do: it opens by path only.
    pub nested: bool,
}

/// The session files under some roots, in the order of their paths.
///
/// Pi looks exactly one level deep: `<root>/<folder or link to a folder>/*.jsonl`; a custom session folder is flat and
/// has its files in the root. Both are found, and so are files in deeper folders, marked as nested. Links to folders
/// are followed where Pi follows them, in the root; every real folder is looked into once.
///
/// ```no_run
/// use lookback_session_model::Discovery;
///
/// let found = Discovery::look(&["/home/dev/.pi/agent/sessions".into()], |_| false);
/// println!("{} session files", found.files.len());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Discovery {
    /// The session files.
    pub files: Vec<FoundFile>,
    /// What was passed over, and why: the first hundred.
    pub skipped: Vec<Skipped>,
    /// How many were passed over in all.
    pub skipped_count: u64,
    /// Files that are no session files by their name.
    pub other_files: u64,
    /// Roots that do not exist. That is no error: Pi makes its folders when it needs them.
    pub missing_roots: Vec<Utf8PathBuf>,
    /// False when a folder could not be read to its end: what was not seen may still be there.
    pub complete: bool,
}

/// Something in a session folder that is not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// Its path; characters that are no text are replaced.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}

/// Why something in a session folder is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum SkipReason {
    /// A symbolic link to a file: it could lead out of the folder.
    Link,
    /// A FIFO, socket or device.
    NotAFile,
    /// Its name is not text.
    Name,
    /// The operating system refused.
    Unreadable,
    /// Folders within folders beyond any sense.
    TooDeep,
    /// A pattern of the user excludes it.
    Excluded,
}

/// Folders below a project folder are looked into to this depth.
const DEEPEST: usize = 6;
/// So many of what was skipped are named; the rest is counted.
const NAMED: usize = 100;

impl Discovery {
    /// Looks through the roots. `excluded` is asked for every folder below a root.
    pub fn look(roots: &[Utf8PathBuf], excluded: impl Fn(&Utf8Path) -> bool) -> Self {
        let mut look = Look {
            found: Self {
                complete: true,
                ..Self::default()
            },
            seen: HashSet::new(),
            excluded: &excluded,
        };
        for root in roots {
            look.root(root);
        }
        let mut found = look.found;
        found
            .files
            .sort_by(|a, b| by_components(a.path.as_str(), b.path.as_str()));
        found.files.dedup_by(|a, b| a.path == b.path);
        found
    }
}

/// The order of two paths by their components, as [`Path`](std::path::Path) has it, without taking them apart: comparing
/// is most of what a walk does itself.
fn by_components(one: &str, other: &str) -> Ordering {
    let rank = |byte: u8| if byte == b'/' { 0 } else { u16::from(byte) + 1 };
    let differing = one.bytes().zip(other.bytes()).find(|(a, b)| a != b);
    differing.map_or(one.len().cmp(&other.len()), |(a, b)| rank(a).cmp(&rank(b)))
}

struct Look<'a> {
    found: Discovery,
    /// Real folders that were looked into, by device and inode.
    seen: HashSet<(u64, u64)>,
    excluded: &'a dyn Fn(&Utf8Path) -> bool,
}

impl Look<'_> {
    fn root(&mut self, root: &Utf8Path) {
        match fs::metadata(root) {
            Ok(metadata) if metadata.is_dir() => self.folder(root, 0),
            Ok(_) => self.skip(root.as_str(), SkipReason::NotAFile),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.found.missing_roots.push(root.to_owned())
            }
            Err(_) => self.unreadable(root),
        }
    }

    fn unreadable(&mut self, path: &Utf8Path) {
        self.found.complete = false;
        self.skip(path.as_str(), SkipReason::Unreadable);
    }

    fn skip(&mut self, path: &str, reason: SkipReason) {
        self.found.skipped_count += 1;
        if self.found.skipped.len() < NAMED {
            self.found.skipped.push(Skipped {
                path: path.to_owned(),
                reason,
            });
        }
    }

    /// Depth 0 is a root, depth 1 a project's folder.
    fn folder(&mut self, folder: &Utf8Path, depth: usize) {
        if !self.is_new(folder) {
            return;
        }
        let entries = match fs::read_dir(folder.as_std_path()) {
            Ok(entries) => entries,
            Err(error) if depth > 0 && error.kind() == io::ErrorKind::NotFound => return,
            Err(_) => return self.unreadable(folder),
        };
        let mut folders = Vec::new();
        let first = self.found.files.len();
        for entry in entries {
            let Ok(entry) = entry else {
                self.unreadable(folder);
                continue;
            };
            let name = match entry.file_name().into_string() {
                Ok(name) => name,
                Err(name) => {
                    self.skip(&format!("{folder}/{}", name.to_string_lossy()), SkipReason::Name);
                    continue;
                }
            };
            let path = folder.join(&name);
            let Ok(kind) = entry.file_type() else {
                self.unreadable(&path);
                continue;
            };
            // Pi follows links to folders in the root and nowhere else.
            let leads_to_folder =
                || depth == 0 && fs::metadata(path.as_std_path()).is_ok_and(|target| target.is_dir());
            if kind.is_dir() || (kind.is_symlink() && leads_to_folder()) {
                folders.push(path);
            } else if !name.ends_with(".jsonl") {
                self.found.other_files += 1;
            } else if kind.is_symlink() {
                self.skip(path.as_str(), SkipReason::Link);
            } else if !kind.is_file() {
                self.skip(path.as_str(), SkipReason::NotAFile);
            } else {
                self.file(path, depth, &entry);
            }
        }
        // Names in one folder are quick to compare; putting all files in order in the end then is one look at each.
        self.found.files[first..].sort_unstable_by(|a, b| a.path.as_str().cmp(b.path.as_str()));
        folders.sort();
        for path in folders {
            if (self.excluded)(&path) {
                self.skip(path.as_str(), SkipReason::Excluded);
            } else if depth >= DEEPEST {
                self.skip(path.as_str(), SkipReason::TooDeep);
            } else {
                self.folder(&path, depth + 1);
            }
        }
    }

    fn file(&mut self, path: Utf8PathBuf, depth: usize, entry: &fs::DirEntry) {
        // From the open folder: the way from the root need not be walked again for each file. On Windows that is what
        // the folder remembers, which can be behind.
        let metadata = if cfg!(unix) {
            entry.metadata()
        } else {
            fs::symlink_metadata(&path)
        };
        match metadata {
            Ok(metadata) => {
                let stamp = FileStamp::of(&metadata);
                self.found.files.push(FoundFile {
                    path,
                    stamp,
                    nested: depth > 1,
                });
            }
            // Gone since the folder was listed: as if it had never been there.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => self.unreadable(&path),
        }
    }

    /// True for the first path that leads to a folder. Ends loops of links and keeps files from being found twice.
    fn is_new(&mut self, folder: &Utf8Path) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            match fs::metadata(folder.as_std_path()) {
                Ok(metadata) => self.seen.insert((metadata.dev(), metadata.ino())),
                Err(_) => true,
            }
        }
        #[cfg(not(unix))]
        {
            use std::hash::{DefaultHasher, Hash, Hasher};
            let mut hasher = DefaultHasher::new();
            fs::canonicalize(folder.as_std_path())
                .unwrap_or_else(|_| folder.into())
                .hash(&mut hasher);
            self.seen.insert((0, hasher.finish()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_in_the_order_of_their_components() {
        let mut paths = [
            "/r/a/x",
            "/r/a",
            "/r/a b/x",
            "/r/a-b/x",
            "/r/a/é",
            "/r/b",
            "/r/a.jsonl",
            "/r/ab",
            "/q",
        ];
        paths.sort_by(|a, b| by_components(a, b));
        assert!(
            paths.is_sorted_by(|a, b| Utf8Path::new(a) < Utf8Path::new(b)),
            "{paths:?}"
        );
    }
}
