//! The tools `search_memory` and `read_memory`: markers and windows straight from the files.

mod window;

use lookback_ranker::{Policy, Scope, SearchRequest, Warning};
use lookback_scan::{Marker, ScanOptions, ScanReply};
use serde::Deserialize;
use serde_json::Value;

use super::{
    FoundId, ToolContext, ToolError, ToolReply,
    answer::{Answer, largest},
    call::Call,
    emptiness, parameters,
    quote::Excerpt,
};
use crate::Lookback;

pub(crate) use window::read_memory;

pub(crate) const SEARCH: &str = "search_memory";
pub(crate) const READ: &str = "read_memory";
const LISTING: &str = r#"search_memory {"query":"…"}"#;

const MARKERS: usize = 15;
const PREVIEW: std::ops::RangeInclusive<usize> = 60..=160;
const SEARCH_BUDGET: usize = 4_800;

/// What `search_memory` is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchMemoryParameters {
    /// Words; every match of any of them counts.
    #[serde(default, deserialize_with = "parameters::text")]
    pub query: Option<String>,
}

/// What `read_memory` is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadMemoryParameters {
    /// The file of a marker.
    #[serde(default, deserialize_with = "parameters::text")]
    pub path: Option<String>,
    /// The line of a marker.
    #[serde(default, deserialize_with = "parameters::count")]
    pub offset: Option<usize>,
    /// Messages, 1 to 50. Default: 10.
    #[serde(default, deserialize_with = "parameters::count")]
    pub limit: Option<usize>,
}

pub(crate) fn run_search(
    lookback: &Lookback,
    parameters: Value,
    context: &ToolContext<'_>,
) -> Result<ToolReply, ToolError> {
    let shape = r#"Calls look like {"query":"k3s ingress"}"#;
    search_memory(lookback, &parameters::read(SEARCH, shape, parameters)?, context)
}

pub(crate) fn run_read(
    lookback: &Lookback,
    parameters: Value,
    context: &ToolContext<'_>,
) -> Result<ToolReply, ToolError> {
    let shape = r#"Calls look like {"path":"<path of a marker>","offset":77,"limit":10}"#;
    read_memory(lookback, &parameters::read(READ, shape, parameters)?, context)
}

pub(crate) fn search_memory(
    lookback: &Lookback,
    asked: &SearchMemoryParameters,
    context: &ToolContext<'_>,
) -> Result<ToolReply, ToolError> {
    let mut call = Call::new(lookback, context, SEARCH, LISTING);
    let Some(query) = &asked.query else {
        return Err(call.wrong(r#"it needs a query, such as {"query":"k3s ingress"}"#));
    };
    call.details.mode = "search";
    call.check_cancelled()?;
    let request = SearchRequest {
        policy: Policy::memory(),
        limit: MARKERS,
        now: context.now,
        scope: Scope {
            current_cwd: context.cwd.clone(),
            live: context.live(),
            ..Scope::default()
        },
        ..SearchRequest::new(query.clone())
    };
    let options = ScanOptions {
        cancel: context.cancel,
        deadline: Some(call.patience()),
        ..ScanOptions::default()
    };
    let ScanReply {
        reply,
        markers,
        outcome,
    } = lookback
        .scan(&request, &options)
        .map_err(|error| call.failed(error))?;
    call.check_cancelled()?;
    call.note_outcome(&outcome);
    for warning in &reply.warnings {
        call.warn(warning.code(), warning.to_string());
    }
    let budget = call.budget(None, SEARCH_BUDGET);
    if markers.is_empty() {
        let live = reply.warnings.iter().find_map(|warning| match warning {
            Warning::LiveContextLeftOut { turns } => Some(*turns),
            _ => None,
        });
        let answer = emptiness::answer(&emptiness::Nothing {
            call: &call,
            what: SEARCH,
            searched: reply.sessions_searched,
            query: Some(query),
            cwd: false,
            live,
            left_out: None,
            widen: vec!["other words: they are searched as written, any of them is enough".to_owned()],
            body: call.notes(),
        });
        return Ok(call.reply(&answer, budget));
    }
    let places: Vec<String> = markers.iter().map(|marker| place(&call, marker)).collect();
    let excerpts: Vec<Excerpt> = reply
        .hits
        .iter()
        .map(|hit| call.quoter.excerpt(&hit.snippet))
        .collect();
    let make = |count: usize, preview: usize| {
        let lines = places.iter().zip(&markers).zip(&excerpts).take(count);
        let mut body: Vec<String> = lines
            .map(|((place, marker), excerpt)| {
                format!("{place} | {}: {}\n", marker.role.name(), excerpt.shown(preview))
            })
            .collect();
        body.extend(call.notes());
        Answer {
            head: format!(
                "search_memory: {count} markers from {} matching sessions, best first; {} searched. «» marks matches.",
                reply.sessions_matched, reply.sessions_searched
            ),
            body,
            tail: vec![format!(
                "Read from a marker on: {}; a smaller offset shows what came before.",
                super::handles::call(
                    READ,
                    &[
                        ("path", "<path>".into()),
                        ("offset", markers[0].line.into()),
                        ("limit", 10.into())
                    ]
                )
            )],
        }
    };
    let mut shown = markers.len();
    while shown > 1 && !make(shown, *PREVIEW.start()).fits(budget) {
        shown -= 1;
    }
    let (answer, _) = largest(PREVIEW, budget, |preview| make(shown, preview));
    call.details.returned = shown;
    call.details.total = reply.sessions_matched;
    call.details.content_truncated = shown < markers.len();
    call.details.found = reply.hits[..shown].iter().map(FoundId::hit).collect();
    Ok(call.reply(&answer, budget))
}

/// `path:line`, the path without the session folder in front: `read_memory` takes it so.
fn place(of: &Call<'_>, marker: &Marker) -> String {
    let below = of
        .lookback
        .roots()
        .iter()
        .find_map(|root| marker.path.strip_prefix(root).ok());
    let path = below.unwrap_or(&marker.path);
    format!("{}:{}", of.quoter.line(path.as_str(), usize::MAX), marker.line)
}
