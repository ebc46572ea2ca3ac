//! The one type to hold, and the way of a search through the files.

use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_ranker::{
    Annotations, Ceiling, Labels, Policy, Rarity, ScaleWeights, Scratch, SearchReply, SearchRequest,
    Searchable, Warning,
    query::{self, FilterKind, ParseOptions},
    search,
};
use lookback_session_model::Discovery;

use crate::{
    Ended, Outcome, ScanError, ScanOptions, ScanReply, Statistics, Window, WindowRequest, digest::FileDigest,
    hits, interest::Interests, library::Library, survey::Survey, window,
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
                offset: request.offset,
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
        let ceiling = Ceiling::of(request).filter(|ceiling| {
            let mut asked = Interests::default();
            ceiling.leaves().iter().for_each(|leaf| asked.add_leaf(leaf));
            !request.explain && !models && asked == interests
        });
        let mut scratch = Scratch::default();
        for round in 1.. {
            let survey = Survey {
                files: &found.files,
                interests: &interests,
                models,
                request,
                options,
                whole,
                ceiling: ceiling.as_ref().filter(|_| !whole),
            };
            let mut rank = |digests: Vec<FileDigest>| {
                let (library, postings) = Library::new(digests, interests.clone(), whole);
                let labels = Labels::new(&library.corpus, annotations);
                let searchable = Searchable {
                    provider: &postings,
                    corpus: &library.corpus,
                    labels: &labels,
                    live_turns: &library.live_turns,
                };
                let Ok(ranking) = search(request, &searchable, &mut scratch);
                (library, postings, ranking)
            };
            let mut gathered = survey.run();
            let mut unread = 0;
            if gathered.has_postponed() && !gathered.is_cancelled() {
                unread = survey.read_page(&mut gathered, |digests| {
                    let (library, _, ranking) = rank(digests);
                    let is_full = ranking.hits.len() >= request.limit.clamp(1, SearchRequest::MAX_LIMIT);
                    let last = ranking.hits.last().filter(|_| is_full);
                    (library.files, last.map_or(f32::NEG_INFINITY, |hit| hit.score))
                });
            }
            gathered.tell(&mut outcome, found.files.len());
            if outcome.ended == Ended::Cancelled {
                break;
            }
            let (library, postings, mut ranking) = rank(gathered.by_path());
            if unread > 0 {
                ranking.sessions_matched += unread;
                let shown = ranking.offset.saturating_add(ranking.hits.len());
                ranking.next_offset = (!ranking.hits.is_empty()).then_some(shown);
            }
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
            let (reply, markers) = hits::reply(&library, ranking, annotations, &for_hits);
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
