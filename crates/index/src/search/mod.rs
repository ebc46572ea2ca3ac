//! Answering searches: this crate looks postings, words and texts up, the ranker decides everything else.

mod hits;
mod live;
mod postings;
mod vocabulary;

use std::sync::{Arc, Mutex, PoisonError};

use lookback_ranker::{Annotations, Labels, Scratch, SearchReply, SearchRequest, Searchable};

pub(crate) use vocabulary::TermTable;

use crate::{IndexError, snapshot::Snapshot};
use postings::Postings;

/// What is kept from search to search.
#[derive(Debug, Default)]
pub(crate) struct Searcher {
    labels: Mutex<Option<KnownLabels>>,
    /// Memory of searches that are over.
    scratches: Mutex<Vec<Scratch>>,
}

/// Tags and names of a generation, ready for ranking.
#[derive(Debug, Clone)]
struct KnownLabels {
    generation: u64,
    annotations: Arc<Annotations>,
    labels: Arc<Labels>,
}

impl Searcher {
    pub(crate) fn search(
        &self,
        snapshot: &Snapshot,
        request: &SearchRequest,
        annotations: &Annotations,
    ) -> Result<SearchReply, IndexError> {
        let columns = snapshot.columns();
        let labels = self.labels(snapshot, annotations);
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
        hits::reply(snapshot, ranking, annotations)
    }

    /// The labels of the last search, where they still hold.
    fn labels(&self, snapshot: &Snapshot, annotations: &Annotations) -> Arc<Labels> {
        let generation = snapshot.manifest.generation;
        let mut known = self.labels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known
            && known.generation == generation
            && *known.annotations == *annotations
        {
            return known.labels.clone();
        }
        let labels = Arc::new(Labels::new(&snapshot.columns().corpus, annotations));
        *known = Some(KnownLabels {
            generation,
            annotations: Arc::new(annotations.clone()),
            labels: labels.clone(),
        });
        labels
    }

    fn scratches(&self) -> std::sync::MutexGuard<'_, Vec<Scratch>> {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
