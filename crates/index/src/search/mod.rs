//! Answering searches: this crate looks postings, words and texts up, the ranker decides everything else.

mod hits;
mod live;
mod postings;
mod vocabulary;

use std::sync::{Arc, Mutex, PoisonError};

use lookback_ranker::{Annotations, Corpus, Labels, Scratch, SearchReply, SearchRequest, Searchable};

pub(crate) use vocabulary::TermTable;

use crate::{IndexError, snapshot::Snapshot};
use postings::Postings;

/// What is kept from search to search.
#[derive(Debug, Default)]
pub(crate) struct Searcher {
    /// Memory of searches that are over.
    scratches: Mutex<Vec<Scratch>>,
}

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
        hits::reply(snapshot, ranking, annotations)
    }

    fn scratches(&self) -> std::sync::MutexGuard<'_, Vec<Scratch>> {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
