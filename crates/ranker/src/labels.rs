use std::collections::HashMap;

use smol_str::SmolStr;

use crate::analysis::Tokens;
use crate::{Annotations, Corpus};

/// Tags, names and unread marks by session ordinal, with the terms of tags and names.
///
/// Built once per generation of corpus and annotations, and shared between queries.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    pub(crate) tags: HashMap<u32, Vec<SmolStr>>,
    pub(crate) unread: Option<Vec<bool>>,
    pub(crate) tag_terms: LabelTerms,
    pub(crate) name_terms: LabelTerms,
}

/// Where terms stand in the labels of one kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct LabelTerms {
    /// Sessions with the term and how often, by ascending session.
    pub(crate) postings: HashMap<SmolStr, Vec<(u32, f32)>>,
    /// Number of tokens per labelled session.
    pub(crate) lengths: HashMap<u32, u32>,
    pub(crate) total_length: u64,
}

impl Labels {
    /// The labels of the sessions of a corpus.
    pub fn new(corpus: &Corpus, annotations: &Annotations) -> Self {
        let mut labels = Self::default();
        let mut unread = annotations
            .unread
            .as_ref()
            .map(|_| vec![false; corpus.session_count()]);
        for (session, summary) in (0..).zip(&corpus.summaries) {
            if let Some(tags) = annotations.tags.get(&summary.id).filter(|tags| !tags.is_empty()) {
                let lower = tags.iter().map(|tag| SmolStr::new(tag.to_lowercase())).collect();
                labels.tags.insert(session, lower);
                labels.tag_terms.add(session, &tags.join(" "));
            }
            if let Some(name) = &summary.name {
                labels.name_terms.add(session, name);
            }
            if let (Some(marks), Some(ids)) = (&mut unread, &annotations.unread) {
                marks[session as usize] = ids.contains(&summary.id);
            }
        }
        labels.unread = unread;
        labels
    }

    /// The tags of a session, in lower case.
    pub fn tags(&self, session: u32) -> &[SmolStr] {
        self.tags.get(&session).map_or(&[], Vec::as_slice)
    }
}

impl LabelTerms {
    fn add(&mut self, session: u32, text: &str) {
        let mut tokens = Tokens::new(text);
        while let Some(token) = tokens.next_token() {
            let postings = match self.postings.get_mut(token.term) {
                Some(postings) => postings,
                None => self.postings.entry(SmolStr::new(token.term)).or_default(),
            };
            match postings.last_mut() {
                Some((last, count)) if *last == session => *count += 1.0,
                _ => postings.push((session, 1.0)),
            }
        }
        self.lengths.insert(session, tokens.length());
        self.total_length += u64::from(tokens.length());
    }

    /// Number of labelled sessions.
    pub(crate) fn count(&self) -> usize {
        self.lengths.len()
    }
}
