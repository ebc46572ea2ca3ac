//! One pass over all files: what each of them has, and which of them are not worth reading for one page.

use std::{
    collections::HashMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use camino::Utf8Path;
use lookback_ranker::{Ceiling, SearchRequest};
use lookback_session_model::{FoundFile, Header, OpenError, open_session_file};
use rayon::prelude::*;

use crate::{
    Ended, FailedFile, Outcome, Progress, ScanOptions,
    digest::{FileDigest, NoDigest, Wanted},
    evidence::Evidence,
    interest::{Interests, TermFilter},
    mute::Ears,
    options::Stop,
    outcome::NAMED,
    overview::{MessageKey, Observer, Overview},
    prefilter::{Prefilter, commonness},
    sample::Sample,
    sift::{Interrupt, LineSpan, Sifter},
    words::Words,
};

/// One pass over all files.
pub(crate) struct Survey<'a> {
    pub(crate) files: &'a [FoundFile],
    pub(crate) interests: &'a Interests,
    pub(crate) models: bool,
    pub(crate) request: &'a SearchRequest,
    pub(crate) options: &'a ScanOptions<'a>,
    /// Every file is read whole.
    pub(crate) whole: bool,
    /// What can be on the page, where that can be told before a file is read as a session.
    pub(crate) ceiling: Option<&'a Ceiling>,
}

/// What a pass brought in.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// With the places of their files in the list.
    pub(crate) digests: Vec<(usize, FileDigest)>,
    /// Files that match and were not read as sessions.
    postponed: Vec<Postponed>,
    failed: Vec<(usize, FailedFile)>,
    stopped: Option<Stop>,
}

/// A file that matches for certain, and is read as a session only if it can be on the page.
#[derive(Debug)]
struct Postponed {
    /// The place of the file in the list.
    at: usize,
    header: Header,
    lines: Vec<LineSpan>,
    keys: Vec<MessageKey>,
    /// None of its turns scores more.
    most: f32,
}

/// What a file turned out to be.
enum Seen {
    Read(FileDigest),
    Postponed(Postponed),
}

impl Survey<'_> {
    pub(crate) fn run(&self) -> Gathered {
        let sample = if self.whole {
            Sample::new(Vec::new())
        } else {
            Sample::of(self.files)
        };
        let needles = self.interests.needles(|term| commonness(term, &sample));
        let ears = Ears::new();
        let prefilter = Prefilter::new(&needles, &sample).unless_useless(&sample, |bytes| ears.listen(bytes));
        let filter = self.interests.filter();
        let evidence = Evidence::of(self.interests);
        // The large ones first, so that no thread is left alone with one at the end.
        let mut order: Vec<(usize, &FoundFile)> = self.files.iter().enumerate().collect();
        order.sort_by_key(|(_, file)| std::cmp::Reverse(file.stamp.size));
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let gathered = Mutex::new(Gathered::default());
        rayon::scope(|scope| {
            for _ in 0..rayon::current_num_threads().min(order.len()) {
                scope.spawn(|_| {
                    let mut own = Gathered::default();
                    let mut sifter = Sifter::new(
                        &prefilter,
                        &evidence,
                        self.options,
                        self.ceiling.map(|_| Observer::default()),
                    );
                    let mut words = Words::new(&filter);
                    while own.stopped.is_none()
                        && let Some(&(at, file)) = order.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let seen = self.look(at, file, &mut sifter, &mut words);
                        own.add(at, file, seen);
                        if own.stopped.is_none() {
                            let files_done = done.fetch_add(1, Ordering::Relaxed) + 1;
                            (self.options.progress)(Progress {
                                files_done,
                                files_total: order.len(),
                            });
                        }
                    }
                    let mut all = gathered.lock().unwrap_or_else(PoisonError::into_inner);
                    all.digests.append(&mut own.digests);
                    all.postponed.append(&mut own.postponed);
                    all.failed.append(&mut own.failed);
                    all.stopped = all.stopped.or(own.stopped);
                });
            }
        });
        let mut gathered = gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
        gathered.sort();
        gathered
    }

    fn wanted(&self) -> Wanted<'_> {
        Wanted {
            models: self.models,
            live: self.request.scope.live.as_ref(),
        }
    }

    fn look(
        &self,
        at: usize,
        file: &FoundFile,
        sifter: &mut Sifter<'_>,
        words: &mut Words<'_>,
    ) -> Result<Seen, NoDigest> {
        let options = self.options;
        if let Some(stop) = options.stop() {
            return Err(Interrupt::Stop(stop).into());
        }
        if self.whole {
            return FileDigest::read(&file.path, None, self.wanted(), words, options).map(Seen::Read);
        }
        let (opened, stamp) = open_session_file(&file.path).map_err(NoDigest::Open)?;
        let sifted = sifter.sift(&opened, stamp.size, words)?;
        let overview = sifted.overview.filter(|_| sifted.matches);
        let digest = match (sifted.header, overview, sifted.bytes) {
            (Some(header), ..) if sifted.lines.is_empty() => FileDigest::without_turns(&file.path, header),
            (Some(header), Some(overview), _) if let Some(most) = self.most(&header, &overview) => {
                return Ok(Seen::Postponed(Postponed {
                    at,
                    header,
                    lines: sifted.lines,
                    keys: overview.keys,
                    most,
                }));
            }
            (.., Some(bytes)) => {
                FileDigest::of_bytes(&file.path, bytes, &sifted.lines, self.wanted(), words, options)?
            }
            _ => FileDigest::read(&file.path, Some(&sifted.lines), self.wanted(), words, options)?,
        };
        Ok(Seen::Read(digest))
    }

    /// The most that a turn of a file scores, where its session need not be read to know that it matches.
    fn most(&self, header: &Header, overview: &Overview) -> Option<f32> {
        let ceiling = self.ceiling?;
        let id = header.id.as_ref()?;
        // Entries of the first version have no ids, and of the live session a part does not count.
        let is_plain = header.version.is_some_and(|version| version >= 2.0);
        let live = self.request.scope.live.as_ref();
        let is_live = live.is_some_and(|live| live.session == *id);
        (is_plain && !is_live).then(|| ceiling.of_session(overview.newest, &header.cwd))
    }

    /// Of the postponed files reads those that can be on the page, and those with copies of messages that others have.
    /// `rank` tells the score that a hit must have at least to be on a page of what was read so far. Returns how many
    /// sessions match beside those that were read.
    pub(crate) fn read_page(
        &self,
        gathered: &mut Gathered,
        mut rank: impl FnMut(Vec<FileDigest>) -> (Vec<FileDigest>, f32),
    ) -> usize {
        let (mut now, mut later) = gathered.take_postponed();
        let wanted = self.request.offset.saturating_add(self.request.limit);
        now.extend(later.drain(..wanted.min(later.len())));
        // What was found before the deadline is worth a look at the files of one page.
        let timed_out = gathered.stopped.is_some();
        let options = ScanOptions {
            deadline: self.options.deadline.filter(|_| !timed_out),
            ..*self.options
        };
        self.read_postponed(&now, gathered, &options);
        if !timed_out && gathered.stopped.is_none() && !later.is_empty() {
            let (places, digests): (Vec<usize>, Vec<FileDigest>) = gathered.digests.drain(..).unzip();
            let (digests, least) = rank(digests);
            gathered.digests.extend(places.into_iter().zip(digests));
            let can_be = later.partition_point(|postponed| postponed.most >= least);
            let now: Vec<Postponed> = later.drain(..can_be).collect();
            self.read_postponed(&now, gathered, &options);
        }
        let left = later.len();
        gathered.digests.extend(later.into_iter().map(|postponed| {
            let path = &self.files[postponed.at].path;
            (postponed.at, FileDigest::without_turns(path, postponed.header))
        }));
        gathered.sort();
        left
    }

    fn read_postponed(&self, postponed: &[Postponed], gathered: &mut Gathered, options: &ScanOptions<'_>) {
        let filter: TermFilter = self.interests.filter();
        let read: Vec<(usize, Result<FileDigest, NoDigest>)> = postponed
            .par_iter()
            .map_init(
                || Words::new(&filter),
                |words, postponed| {
                    let path = &self.files[postponed.at].path;
                    let digest = match options.stop() {
                        Some(stop) => Err(Interrupt::Stop(stop).into()),
                        None => FileDigest::read(path, Some(&postponed.lines), self.wanted(), words, options),
                    };
                    (postponed.at, digest)
                },
            )
            .collect();
        for (at, digest) in read {
            gathered.add(at, &self.files[at], digest.map(Seen::Read));
        }
        gathered.sort();
    }
}

fn failed(error: OpenError, path: &Utf8Path) -> FailedFile {
    FailedFile {
        path: path.to_owned(),
        code: error.code(),
        message: error.to_string(),
    }
}

impl Gathered {
    fn add(&mut self, at: usize, file: &FoundFile, seen: Result<Seen, NoDigest>) {
        match seen {
            Ok(Seen::Read(digest)) => self.digests.push((at, digest)),
            Ok(Seen::Postponed(postponed)) => self.postponed.push(postponed),
            Err(NoDigest::Interrupt(Interrupt::Stop(stop))) => self.stopped = Some(stop),
            Err(NoDigest::Interrupt(Interrupt::Io(source))) => {
                let path = file.path.clone();
                let error = failed(OpenError::Io { path, source }, &file.path);
                self.failed.push((at, error));
            }
            // Gone since the folder was listed: as if it had never been there.
            Err(NoDigest::Open(OpenError::NotFound { .. })) => {}
            Err(NoDigest::Open(error)) => self.failed.push((at, failed(error, &file.path))),
        }
    }

    /// The files are listed by path.
    fn sort(&mut self) {
        self.digests.sort_unstable_by_key(|(at, _)| *at);
        self.failed.sort_unstable_by_key(|(at, _)| *at);
    }

    /// The postponed files that have copies of messages of others, for a copy is no match where the original is one; and
    /// all others, those that can score most first.
    fn take_postponed(&mut self) -> (Vec<Postponed>, Vec<Postponed>) {
        let mut holders: HashMap<MessageKey, u32> = HashMap::new();
        for (_, digest) in &self.digests {
            for key in &digest.keys {
                *holders.entry(*key).or_default() += 1;
            }
        }
        for postponed in &mut self.postponed {
            // The same message twice in one file is no copy.
            postponed.keys.sort_unstable();
            postponed.keys.dedup();
            for key in &postponed.keys {
                *holders.entry(*key).or_default() += 1;
            }
        }
        let has_copies = |postponed: &Postponed| postponed.keys.iter().any(|key| holders[key] > 1);
        let all = std::mem::take(&mut self.postponed);
        let (copies, mut others): (Vec<_>, Vec<_>) = all.into_iter().partition(has_copies);
        others.sort_unstable_by(|one, other| other.most.total_cmp(&one.most).then(one.at.cmp(&other.at)));
        (copies, others)
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.stopped == Some(Stop::Cancelled)
    }

    pub(crate) fn has_postponed(&self) -> bool {
        !self.postponed.is_empty()
    }

    pub(crate) fn by_path(self) -> Vec<FileDigest> {
        self.digests.into_iter().map(|(_, digest)| digest).collect()
    }

    /// Puts into the outcome what this pass, the last so far, left out.
    pub(crate) fn tell(&self, outcome: &mut Outcome, files: usize) {
        outcome.files_total = files;
        outcome.files_scanned = self.digests.len();
        outcome.ended = match self.stopped {
            None => Ended::Finished,
            Some(Stop::TimedOut) => Ended::TimedOut,
            Some(Stop::Cancelled) => Ended::Cancelled,
        };
        outcome.failed = self
            .failed
            .iter()
            .take(NAMED)
            .map(|(_, failed)| failed.clone())
            .collect();
        outcome.failed_count = self.failed.len();
        let damaged = self
            .digests
            .iter()
            .filter_map(|(_, digest)| digest.damaged.as_ref());
        outcome.damaged = damaged.clone().take(NAMED).cloned().collect();
        outcome.damaged_count = damaged.count();
    }
}
