//! Answering searches: this crate looks postings, words and texts up, the ranker decides everything else.

mod hits;
mod known_terms;
mod live;
mod pieces;
mod postings;
mod spellings;
mod term_table;
mod texts;
mod vocabulary;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use lookback_ranker::{Annotations, Corpus, Labels, Scratch, SearchReply, SearchRequest, Searchable};

pub(crate) use known_terms::KnownTerms;
pub(crate) use term_table::TermTable;

use crate::{IndexError, layer::Layer, snapshot::Snapshot};
use postings::Postings;
use texts::TurnTexts;

/// What is kept from search to search.
#[derive(Debug, Default)]
pub(crate) struct Searcher {
    /// Memory of searches that are over.
    scratches: Mutex<Vec<Scratch>>,
    texts: TurnTexts,
    /// There was a search before: this is no process that ends with its first.
    has_searched: AtomicBool,
    /// A thread makes tables of terms.
    is_preparing: Arc<AtomicBool>,
}

/// Terms for which tables are made before somebody needs them, at most. Each takes its text, eight bytes, and twelve more
/// when it is a word of letters.
const PREPARED_TERMS: usize = 2_000_000;

/// Tags and names of one commit, ready for ranking: those of the last search, which mostly are those of the next.
#[derive(Debug, Default)]
pub(crate) struct LabelCache {
    known: Mutex<Option<(Annotations, Arc<Labels>)>>,
}

impl LabelCache {
    fn get(&self, corpus: &Corpus, annotations: &Annotations) -> Arc<Labels> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some((same, labels)) if same == annotations => labels.clone(),
            _ => {
                let labels = Arc::new(Labels::new(corpus, annotations));
                *known = Some((annotations.clone(), labels.clone()));
                labels
            }
        }
    }
}

impl Searcher {
    pub(crate) fn search(
        &self,
        snapshot: &Snapshot,
        request: &SearchRequest,
        annotations: &Annotations,
    ) -> Result<SearchReply, IndexError> {
        let columns = snapshot.columns();
        let labels = snapshot.labels.get(&columns.corpus, annotations);
        let live_turns = match &request.scope.live {
            Some(live) => live::turns(snapshot, live)?,
            None => Vec::new(),
        };
        let provider = Postings::new(snapshot);
        let searchable = Searchable {
            provider: &provider,
            corpus: &columns.corpus,
            labels: &labels,
            live_turns: &live_turns,
        };
        let mut scratch = self.scratches().pop().unwrap_or_default();
        let ranking = lookback_ranker::search(request, &searchable, &mut scratch)?;
        self.scratches().push(scratch);
        let reply = hits::reply(snapshot, ranking, annotations, &self.texts)?;
        if self.has_searched.swap(true, Ordering::Relaxed) {
            self.prepare_tables(snapshot);
        }
        Ok(reply)
    }

    /// Has the tables of terms made by another thread: with them every search is faster, but the first few would have
    /// to wait for them longer than they take.
    fn prepare_tables(&self, snapshot: &Snapshot) {
        let lack_one = |layer: &&Arc<Layer>| layer.known_term_table().is_none();
        let layers: Vec<Arc<Layer>> = snapshot.layers.iter().filter(lack_one).cloned().collect();
        let terms: usize = layers.iter().map(|layer| layer.term_count()).sum();
        if terms == 0 || terms > PREPARED_TERMS || self.is_preparing.swap(true, Ordering::Relaxed) {
            return;
        }
        let is_preparing = self.is_preparing.clone();
        let work = move || {
            for layer in layers {
                // Whoever needs what could not be made is told why.
                let _ = catch_unwind(AssertUnwindSafe(|| layer.term_table().map(drop)));
            }
            is_preparing.store(false, Ordering::Relaxed);
        };
        let thread = thread::Builder::new().name("lookback-terms".to_owned());
        if thread.spawn(work).is_err() {
            self.is_preparing.store(false, Ordering::Relaxed);
        }
    }

    fn scratches(&self) -> std::sync::MutexGuard<'_, Vec<Scratch>> {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
