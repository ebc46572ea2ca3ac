//! Small corpora in memory, and the ways tests look at their answers.

use lookback_ranker::memory::{MemoryIndex, MemoryPostings};
use lookback_ranker::{
    Annotations, Corpus, Labels, Policy, Ranking, Scratch, SearchRequest, Searchable, Snippet,
    SnippetOptions, search, snippet,
};
use lookback_session_model::{BranchState, Role, Timestamp};

/// The moment from which tests count ages.
pub(crate) const NOW: &str = "2026-03-10T12:00:00Z";

/// Sessions and turns with their names.
#[derive(Default)]
pub(crate) struct Library {
    pub(crate) index: MemoryIndex,
    pub(crate) annotations: Annotations,
    sessions: Vec<String>,
    turns: Vec<(String, String)>,
}

/// A library that can be searched.
pub(crate) struct Searcher {
    pub(crate) corpus: Corpus,
    pub(crate) provider: MemoryPostings,
    pub(crate) labels: Labels,
    pub(crate) live_turns: Vec<u32>,
    sessions: Vec<String>,
    turns: Vec<(String, String)>,
}

impl Library {
    /// Adds a session of a few turns, alternately of user and assistant, last used at `modified`. Returns its ordinal.
    pub(crate) fn session(&mut self, id: &str, modified: &str, turns: &[&str]) -> u32 {
        let session = self.index.add_session(id, "/home/dev", modified);
        self.add_turns(session, id, turns);
        session
    }

    /// Adds a session that was forked from another one.
    pub(crate) fn child(&mut self, id: &str, parent: u32, turns: &[&str]) -> u32 {
        let mut template = MemoryIndex::default();
        template.add_session(id, "/home/dev", "2026-01-01T00:00:00Z");
        let summary = template.summary_mut(0).unwrap().clone();
        let session = self.index.add_summary(summary, parent);
        self.add_turns(session, id, turns);
        session
    }

    fn add_turns(&mut self, session: u32, id: &str, turns: &[&str]) {
        self.sessions.push(id.to_owned());
        for (index, text) in turns.iter().enumerate() {
            let role = if index % 2 == 0 {
                Role::User
            } else {
                Role::Assistant
            };
            self.turn(session, &format!("{id}/{index}"), role, BranchState::Active, text);
        }
    }

    /// Adds a turn with a name.
    pub(crate) fn turn(
        &mut self,
        session: u32,
        name: &str,
        role: Role,
        branch: BranchState,
        text: &str,
    ) -> u32 {
        self.turns.push((name.to_owned(), text.to_owned()));
        self.index.add_turn(session, role, branch, text)
    }

    /// Notes the name and text of a turn that was pushed to `index` directly.
    pub(crate) fn named(&mut self, name: &str, text: &str) {
        self.turns.push((name.to_owned(), text.to_owned()));
    }

    pub(crate) fn searcher(self) -> Searcher {
        let (corpus, provider) = self.index.finish();
        let labels = Labels::new(&corpus, &self.annotations);
        Searcher {
            corpus,
            provider,
            labels,
            live_turns: Vec::new(),
            sessions: self.sessions,
            turns: self.turns,
        }
    }
}

/// A request at the tests' moment.
pub(crate) fn request(query: &str, policy: Policy) -> SearchRequest {
    SearchRequest {
        policy,
        now: Timestamp::parse(NOW).unwrap(),
        limit: 100,
        ..SearchRequest::new(query)
    }
}

impl Searcher {
    pub(crate) fn answer(&self, request: &SearchRequest) -> Ranking {
        let searchable = Searchable {
            provider: &self.provider,
            corpus: &self.corpus,
            labels: &self.labels,
            live_turns: &self.live_turns,
        };
        search(request, &searchable, &mut Scratch::default()).unwrap()
    }

    /// The sessions that a query finds, best first.
    pub(crate) fn find(&self, query: &str, policy: Policy) -> Vec<&str> {
        self.sessions_of(&self.answer(&request(query, policy)))
    }

    pub(crate) fn sessions_of(&self, ranking: &Ranking) -> Vec<&str> {
        ranking
            .hits
            .iter()
            .map(|hit| self.sessions[hit.session as usize].as_str())
            .collect()
    }

    /// The turns that stand for the hits, best first.
    pub(crate) fn turns_of(&self, ranking: &Ranking) -> Vec<&str> {
        ranking
            .hits
            .iter()
            .map(|hit| hit.turn.map_or("-", |turn| self.turns[turn as usize].0.as_str()))
            .collect()
    }

    /// The snippets of the hits; of a hit without a turn an empty one.
    pub(crate) fn snippets_of(&self, ranking: &Ranking) -> Vec<Snippet> {
        let cut = |turn: u32| {
            snippet::cut(
                &self.turns[turn as usize].1,
                &ranking.matcher,
                &SnippetOptions::default(),
            )
        };
        ranking
            .hits
            .iter()
            .map(|hit| hit.turn.and_then(cut).unwrap_or_default())
            .collect()
    }
}

/// The texts of a snippet's highlights.
pub(crate) fn highlighted(snippet: &Snippet) -> Vec<&str> {
    snippet
        .highlights
        .iter()
        .map(|range| &snippet.text[range.clone()])
        .collect()
}
