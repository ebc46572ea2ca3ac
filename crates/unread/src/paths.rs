//! Comparing paths by what is written in them, without a look at the disk.

use std::cmp::Ordering;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// The path without `.`, `..` and doubled or closing separators. Links are not resolved: a session names its workspace
/// by the path under which it was started, and that folder may no longer exist.
pub(crate) fn normal(path: &Utf8Path) -> Utf8PathBuf {
    let mut normal = Utf8PathBuf::new();
    for component in path.components() {
        match component {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => match normal.components().next_back() {
                Some(Utf8Component::Normal(_)) => {
                    normal.pop();
                }
                Some(Utf8Component::RootDir | Utf8Component::Prefix(_)) => {}
                _ => normal.push(".."),
            },
            other => normal.push(other.as_str()),
        }
    }
    normal
}

/// The order of paths that JavaScript has: by UTF-16 units. It differs from the order of bytes beyond U+FFFF.
pub(crate) fn order(a: &Utf8Path, b: &Utf8Path) -> Ordering {
    a.as_str().encode_utf16().cmp(b.as_str().encode_utf16())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_to_the_same_place_is_the_same() {
        for (path, expected) in [
            ("/home/dev/", "/home/dev"),
            ("/home//dev/./src/..", "/home/dev"),
            ("/../home", "/home"),
            ("a/../../b", "../b"),
            ("../../x", "../../x"),
            ("/", "/"),
            ("./a", "a"),
        ] {
            assert_eq!(normal(path.into()), expected, "{path}");
        }
    }

    #[test]
    fn paths_are_ordered_by_utf16_units() {
        // U+1F980 is a surrogate pair, which sorts before U+FF5E; its bytes sort behind.
        assert_eq!(order("/a\u{1f980}".into(), "/a\u{ff5e}".into()), Ordering::Less);
        assert_eq!(order("/a".into(), "/b".into()), Ordering::Less);
        assert_eq!(order("/a".into(), "/a".into()), Ordering::Equal);
    }
}
