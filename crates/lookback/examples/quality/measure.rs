use std::collections::BTreeSet;

use lookback::{Error, Hit, Policy, SearchRequest, Timestamp};

use crate::archive::Archive;
use crate::case::Case;

/// Places that are looked at.
pub(crate) const PLACES: usize = 10;

/// The moment of all searches: a day after the last session.
pub(crate) const NOW: &str = "2026-06-01T09:00:00Z";

/// Where the right session of a query stood.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) case: Case,
    pub(crate) policy: String,
    /// From 1; `None` when it is not among the first [`PLACES`].
    pub(crate) place: Option<usize>,
    /// What stood first and what should have, taken apart, where that was asked for.
    pub(crate) failure: Option<Failure>,
}

/// A query whose right session was not first.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) winner: String,
    pub(crate) wanted: String,
}

/// Asks the queries.
pub(crate) fn ask(
    archive: &Archive,
    cases: &[Case],
    policy: &Policy,
    explain: bool,
) -> Result<Vec<Outcome>, Error> {
    let now = Timestamp::parse(NOW).unwrap_or(Timestamp::EPOCH);
    let mut outcomes = Vec::with_capacity(cases.len());
    for case in cases {
        let request = SearchRequest {
            policy: policy.clone(),
            // A policy with several hits per session still shows enough sessions.
            limit: 3 * PLACES,
            explain,
            now,
            ..SearchRequest::new(case.query.as_str())
        };
        let reply = archive.lookback.search(&request)?;
        let place = place(case, &reply.hits).filter(|place| *place <= PLACES);
        let failure = (explain && place != Some(1)).then(|| Failure {
            winner: reply
                .hits
                .iter()
                .find(|hit| !is_right(case, hit))
                .or(reply.hits.first())
                .map_or_else(|| "nothing found".to_owned(), told),
            wanted: reply
                .hits
                .iter()
                .find(|hit| hit.session.id.as_str() == case.session)
                .map_or_else(|| "not found".to_owned(), told),
        });
        outcomes.push(Outcome {
            case: case.clone(),
            policy: policy.name.to_string(),
            place,
            failure,
        });
    }
    Ok(outcomes)
}

/// The place of the right session among the sessions, from 1. Where an entry is asked for, another one of the session
/// is no answer.
fn place(case: &Case, hits: &[Hit]) -> Option<usize> {
    let mut seen = BTreeSet::new();
    for hit in hits {
        if !seen.insert(hit.session.id.as_str()) {
            continue;
        }
        if hit.session.id.as_str() == case.session {
            return is_right(case, hit).then_some(seen.len());
        }
    }
    None
}

fn is_right(case: &Case, hit: &Hit) -> bool {
    hit.session.id.as_str() == case.session
        && case
            .entry
            .as_ref()
            .is_none_or(|entry| hit.entry.as_str() == entry)
}

fn told(hit: &Hit) -> String {
    let explanation = hit
        .explanation
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    format!(
        "{} #{} {}\n{}\n{explanation}",
        hit.session.id, hit.entry, hit.session.title, hit.snippet.text
    )
}
