use std::{fmt, sync::atomic::AtomicBool, time::Duration};

use camino::Utf8Path;
use lookback_index::{Progress, SyncOptions, SyncReport};

use crate::{Error, Lookback};

static NEVER: AtomicBool = AtomicBool::new(false);

/// How a sync talks with its caller.
#[derive(Clone, Copy)]
pub struct SyncRequest<'a> {
    /// Told how far the sync is, from several threads. Default: nobody.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Set it to end the sync soon; what is done stays done. Default: never set.
    pub cancel: &'a AtomicBool,
    /// How long to wait for another process that writes. Default: 2 s.
    pub wait: Duration,
}

impl Default for SyncRequest<'_> {
    fn default() -> Self {
        Self {
            progress: &|_| {},
            cancel: &NEVER,
            wait: SyncOptions::WAIT,
        }
    }
}

impl fmt::Debug for SyncRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncRequest")
            .field("wait", &self.wait)
            .finish_non_exhaustive()
    }
}

impl Lookback {
    /// Brings the index up to date with the session folders. Where nothing changed this costs a walk through them.
    ///
    /// # Errors
    /// When the index cannot be written. What is odd about session files is in the report.
    pub fn sync(&self, request: &SyncRequest<'_>) -> Result<SyncReport, Error> {
        let exclude = |folder: &Utf8Path| self.is_excluded(folder);
        let options = SyncOptions {
            exclude: &exclude,
            progress: request.progress,
            cancel: request.cancel,
            wait: request.wait,
            ..SyncOptions::new(&self.roots)
        };
        Ok(self.index()?.sync(&options)?)
    }

    /// True for folders that a pattern leaves out.
    pub(crate) fn is_excluded(&self, folder: &Utf8Path) -> bool {
        let name = folder.file_name().unwrap_or_default();
        self.exclude.iter().any(|pattern| matches_pattern(pattern, name))
    }

    /// Throws the index away and builds it from nothing. Tags stay.
    ///
    /// # Errors
    /// Those of [`Lookback::sync`]; also when another process goes on writing.
    pub fn reindex(&self, request: &SyncRequest<'_>) -> Result<SyncReport, Error> {
        self.index()?.rebuild(request.wait)?;
        self.sync(request)
    }
}

/// True when a name matches a pattern in which `*` stands for any characters. Linear but for one step back.
pub(crate) fn matches_pattern(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where the last star was, and how much of the name it has taken so far.
    let mut star = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p, n));
            p += 1;
        } else if pattern.get(p) == Some(&name[n]) {
            (p, n) = (p + 1, n + 1);
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            (p, n) = (at + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches_pattern;

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, name) in [
            ("--tmp-*", "--tmp-x--"),
            ("*", ""),
            ("*a*b", "xxaxxb"),
            ("abc", "abc"),
            ("a**", "a"),
        ] {
            assert!(matches_pattern(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("--tmp-*", "--home-tmp-"),
            ("a", ""),
            ("", "a"),
            ("*a", "ab"),
            ("a*b", "acbd"),
        ] {
            assert!(!matches_pattern(pattern, name), "{pattern} {name}");
        }
    }
}
