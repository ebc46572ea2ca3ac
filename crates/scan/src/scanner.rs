//! The one type to hold, and the way of a search through the files.

use std::{
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use camino::{Utf8Path, Utf8PathBuf};
use lookback_ranker::{
    Annotations, Labels, Policy, Rarity, ScaleWeights, Scratch, SearchReply, SearchRequest, Searchable,
    Warning,
    query::{self, FilterKind, ParseOptions},
    search,
};
use lookback_session_model::{Discovery, FoundFile, OpenError, open_session_file};

use crate::{
    Ended, FailedFile, Outcome, Progress, ScanError, ScanOptions, ScanReply, Statistics, Window,
    WindowRequest,
    digest::{FileDigest, NoDigest, Reading, Wanted},
    evidence::Evidence,
    hits,
    interest::Interests,
    library::Library,
    mute::Ears,
    options::Stop,
    outcome::NAMED,
    prefilter::{Prefilter, commonness},
    sample::Sample,
    sift::{Interrupt, Sifter},
    window,
    words::Words,
};

/// Searches session files as they lie there. Holds nothing but names of folders, and writes nothing.
#[derive(Clone)]
pub struct Scanner<'a> {
    roots: Vec<Utf8PathBuf>,
    exclude: &'a (dyn Fn(&Utf8Path) -> bool + Sync),
}

impl fmt::Debug for Scanner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scanner")
            .field("roots", &self.roots)
            .finish_non_exhaustive()
    }
}

/// Reading everything again for what only the answer itself asks for: so often at most.
const ROUNDS: usize = 4;

impl<'a> Scanner<'a> {
    /// A scanner over some session folders.
    pub fn new<T: Into<Utf8PathBuf>>(roots: impl IntoIterator<Item = T>) -> Self {
        Self {
            roots: roots.into_iter().map(Into::into).collect(),
            exclude: &|_| false,
        }
    }

    /// Asked for every folder below a root; `true` leaves it out. Default: none is left out.
    #[must_use]
    pub fn exclude(self, exclude: &'a (dyn Fn(&Utf8Path) -> bool + Sync)) -> Self {
        Self { exclude, ..self }
    }

    /// The session folders.
    pub fn roots(&self) -> &[Utf8PathBuf] {
        &self.roots
    }

    /// Answers a request. What kept it from looking at everything is in [`ScanReply::outcome`]; an answer without hits
    /// means "no match" only where [`Outcome::is_complete`] says so.
    pub fn search(
        &self,
        request: &SearchRequest,
        annotations: &Annotations,
        options: &ScanOptions<'_>,
    ) -> ScanReply {
        let found = Discovery::look(&self.roots, self.exclude);
        let (mut interests, rehearsal) = Interests::of(request);
        let query = query::parse(
            &request.query,
            &ParseOptions {
                typing: request.typing,
            },
        );
        let mut outcome = Outcome {
            files_total: found.files.len(),
            skipped: found.skipped,
            skipped_count: found.skipped_count,
            missing_roots: found.missing_roots,
            folders_complete: found.complete,
            ..Outcome::default()
        };
        if query.is_empty() {
            let reply = SearchReply {
                sessions_searched: found.files.len(),
                warnings: rehearsal.warnings,
                ..SearchReply::default()
            };
            return ScanReply {
                reply,
                markers: Vec::new(),
                outcome,
            };
        }
        let filters: Vec<&FilterKind> = query.filters.iter().map(|filter| &filter.kind).collect();
        let mut whole = options.statistics == Statistics::Exact
            || interests.is_empty()
            || weighs_what_does_not_match(&request.policy)
            // Names stand anywhere in a file.
            || filters.iter().any(|filter| matches!(filter, FilterKind::Name(_)));
        let models = filters
            .iter()
            .any(|filter| matches!(filter, FilterKind::Model(_)));
        let mut scratch = Scratch::default();
        for round in 1.. {
            let survey = Survey {
                files: &found.files,
                interests: &interests,
                models,
                request,
                options,
                whole,
            };
            let gathered = survey.run();
            gathered.tell(&mut outcome, found.files.len());
            if outcome.ended == Ended::Cancelled {
                break;
            }
            let (library, postings) = Library::new(gathered.by_path(), interests.clone(), whole);
            let labels = Labels::new(&library.corpus, annotations);
            let searchable = Searchable {
                provider: &postings,
                corpus: &library.corpus,
                labels: &labels,
                live_turns: &library.live_turns,
            };
            let Ok(ranking) = search(request, &searchable, &mut scratch);
            let missing = postings.take_missing();
            // Where no text matches the words, filters alone decide: about every session.
            let by_filters_alone =
                !filters.is_empty() && ranking.warnings.contains(&Warning::NothingToSearch) && !whole;
            if by_filters_alone && outcome.ended == Ended::Finished {
                whole = true;
                continue;
            }
            if !missing.is_empty() && round < ROUNDS && outcome.ended == Ended::Finished {
                interests.extend(missing);
                continue;
            }
            outcome.typos_left_out = missing.typos;
            // The deadline ends the scan; what it found is still worth a look at the files of one page.
            let for_hits = ScanOptions {
                deadline: None,
                ..*options
            };
            // Turns have the numbers that the same reading gave them.
            let way = if whole {
                Reading::Whole
            } else {
                Reading::of(models)
            };
            let (reply, markers) = hits::reply(&library, ranking, annotations, way, &for_hits);
            return ScanReply {
                reply,
                markers,
                outcome,
            };
        }
        ScanReply {
            reply: SearchReply::default(),
            markers: Vec::new(),
            outcome,
        }
    }

    /// Reads some messages of a session file from a line on.
    ///
    /// # Errors
    /// [`ScanError::OutsideRoots`], [`ScanError::NotASession`], [`ScanError::NoLine`], [`ScanError::BehindTheEnd`], and
    /// [`ScanError::Session`] where the file cannot be read.
    pub fn window(&self, request: &WindowRequest, options: &ScanOptions<'_>) -> Result<Window, ScanError> {
        window::read(&self.roots, request, options)
    }
}

/// Whether scores depend on texts in which no word of the query occurs, or on names and tags.
fn weighs_what_does_not_match(policy: &Policy) -> bool {
    let boosts = policy.boosts;
    policy.rarity != Rarity::Flat
        || policy.scales != ScaleWeights::TURN_ONLY
        || policy.factors.coverage > 0.0
        || boosts.tags > 0.0
        || boosts.name > 0.0
        || boosts.session_id > 0.0
}

/// One pass over all files.
struct Survey<'a> {
    files: &'a [FoundFile],
    interests: &'a Interests,
    models: bool,
    request: &'a SearchRequest,
    options: &'a ScanOptions<'a>,
    /// Every file is read whole.
    whole: bool,
}

/// What a pass brought in.
#[derive(Debug, Default)]
struct Gathered {
    /// With the places of their files in the list.
    digests: Vec<(usize, FileDigest)>,
    failed: Vec<(usize, FailedFile)>,
    stopped: Option<Stop>,
}

impl Survey<'_> {
    fn run(&self) -> Gathered {
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
        let wanted = Wanted {
            models: self.models,
            live: self.request.scope.live.as_ref(),
        };
        // The large ones first, so that no thread is left alone with one at the end.
        let mut order: Vec<(usize, &FoundFile)> = self.files.iter().enumerate().collect();
        order.sort_by_key(|(_, file)| std::cmp::Reverse(file.stamp.size));
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let gathered = Mutex::new(Gathered::default());
        rayon::scope(|scope| {
            for _ in 0..rayon::current_num_threads().min(order.len()) {
                scope.spawn(|_| {
                    let mut own = Gathered::default();
                    let mut sifter = Sifter::new(&prefilter, &evidence, self.options);
                    let mut words = Words::new(&filter);
                    while own.stopped.is_none()
                        && let Some(&(at, file)) = order.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        self.file(at, file, (&mut sifter, &mut words), wanted, &mut own);
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
                    all.failed.append(&mut own.failed);
                    all.stopped = all.stopped.or(own.stopped);
                });
            }
        });
        let mut gathered = gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
        // The files are listed by path.
        gathered.digests.sort_unstable_by_key(|(at, _)| *at);
        gathered.failed.sort_unstable_by_key(|(at, _)| *at);
        gathered
    }

    fn file(
        &self,
        at: usize,
        file: &FoundFile,
        tools: (&mut Sifter<'_>, &mut Words<'_>),
        wanted: Wanted<'_>,
        into: &mut Gathered,
    ) {
        if let Some(stop) = self.options.stop() {
            into.stopped = Some(stop);
            return;
        }
        match self.digest(file, tools, wanted) {
            Ok(digest) => into.digests.push((at, digest)),
            Err(NoDigest::Interrupt(Interrupt::Stop(stop))) => into.stopped = Some(stop),
            Err(NoDigest::Interrupt(Interrupt::Io(source))) => {
                let path = file.path.clone();
                let error = failed(OpenError::Io { path, source }, &file.path);
                into.failed.push((at, error));
            }
            // Gone since the folder was listed: as if it had never been there.
            Err(NoDigest::Open(OpenError::NotFound { .. })) => {}
            Err(NoDigest::Open(error)) => into.failed.push((at, failed(error, &file.path))),
        }
    }

    fn digest(
        &self,
        file: &FoundFile,
        tools: (&mut Sifter<'_>, &mut Words<'_>),
        wanted: Wanted<'_>,
    ) -> Result<FileDigest, NoDigest> {
        let (sifter, words) = tools;
        let options = self.options;
        if self.whole {
            return FileDigest::read(&file.path, None, wanted, words, options);
        }
        let (opened, stamp) = open_session_file(&file.path).map_err(NoDigest::Open)?;
        let sifted = sifter.sift(&opened, stamp.size, words)?;
        match (sifted.header, sifted.bytes) {
            (Some(header), _) if sifted.lines.is_empty() => Ok(FileDigest::without_turns(&file.path, header)),
            (_, Some(bytes)) => {
                FileDigest::of_bytes(&file.path, bytes, &sifted.lines, wanted, words, options)
            }
            _ => FileDigest::read(&file.path, Some(&sifted.lines), wanted, words, options),
        }
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
    fn by_path(self) -> Vec<FileDigest> {
        self.digests.into_iter().map(|(_, digest)| digest).collect()
    }

    /// Puts into the outcome what this pass, the last so far, left out.
    fn tell(&self, outcome: &mut Outcome, files: usize) {
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
