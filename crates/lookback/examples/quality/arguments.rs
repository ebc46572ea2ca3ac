use camino::Utf8PathBuf;
use lookback::Policy;
use serde_json::Value;

use crate::case::{Case, Half};

pub(crate) const USAGE: &str = "\
quality [--half tune|report|all] [--policy default|recall|memory|strict|all] [--set FIELD=VALUE]…
        [--queries-of seeded|made|all] [--kind TEXT] [--failures] [--json] [--seed NUMBER] [--per-kind NUMBER]
        [--sessions FOLDER --queries FILE]

--half        the half to ask; `report` when nothing is said
--policy      whose ranking; all of them when nothing is said
--set         changes a number of the policies: scales.turn=0.4
--queries-of  the seeded set, the hand-made one, or both
--kind        only kinds of query whose name contains TEXT
--failures    instead of the table: every query whose right session is not first, and both explanations
--json        instead of the table: one object with all figures
--sessions, --queries
              your own: a session folder, and a file with kind, session id and query in columns apart by tabs";

/// What is asked and shown.
#[derive(Debug)]
pub(crate) struct Arguments {
    half: Half,
    policy: String,
    changes: Vec<(String, Value)>,
    pub(crate) set: Set,
    kind: String,
    pub(crate) failures: bool,
    pub(crate) json: bool,
    pub(crate) seed: u64,
    pub(crate) per_kind: usize,
    pub(crate) sessions: Option<Utf8PathBuf>,
    pub(crate) queries: Option<Utf8PathBuf>,
}

/// Which set of queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Set {
    Seeded,
    Made,
    Both,
}

impl Arguments {
    pub(crate) fn parse(given: Vec<String>) -> Result<Self, String> {
        let mut arguments = Self {
            half: Half::Report,
            policy: "all".to_owned(),
            changes: Vec::new(),
            set: Set::Both,
            kind: String::new(),
            failures: false,
            json: false,
            seed: crate::seeded::SEED,
            per_kind: crate::seeded::PER_KIND,
            sessions: None,
            queries: None,
        };
        let mut rest = given.into_iter();
        while let Some(option) = rest.next() {
            let mut value = || {
                rest.next()
                    .ok_or_else(|| format!("{option} needs a value\n\n{USAGE}"))
            };
            match option.as_str() {
                "--half" => arguments.half = Half::named(&value()?)?,
                "--policy" => arguments.policy = value()?,
                "--set" => arguments.changes.push(change(&value()?)?),
                "--queries-of" => {
                    arguments.set = match value()?.as_str() {
                        "seeded" => Set::Seeded,
                        "made" => Set::Made,
                        "all" => Set::Both,
                        other => return Err(format!("there is no set `{other}`\n\n{USAGE}")),
                    }
                }
                "--kind" => arguments.kind = value()?,
                "--failures" => arguments.failures = true,
                "--json" => arguments.json = true,
                "--seed" => arguments.seed = number(&value()?)?,
                "--per-kind" => arguments.per_kind = number(&value()?)? as usize,
                "--sessions" => arguments.sessions = Some(value()?.into()),
                "--queries" => arguments.queries = Some(value()?.into()),
                _ => return Err(format!("unknown option {option}\n\n{USAGE}")),
            }
        }
        if arguments.sessions.is_some() != arguments.queries.is_some() {
            return Err(format!("--sessions and --queries go together\n\n{USAGE}"));
        }
        Ok(arguments)
    }

    pub(crate) fn asks(&self, case: &Case) -> bool {
        (self.half == Half::All || self.half == case.half()) && case.kind.contains(&self.kind)
    }

    /// The policies to measure, with the numbers that were given changed.
    pub(crate) fn policies(&self) -> Result<Vec<Policy>, String> {
        let names = match self.policy.as_str() {
            "all" => Policy::NAMES.to_vec(),
            name => vec![name],
        };
        names
            .into_iter()
            .map(|name| {
                let policy = Policy::named(name).ok_or_else(|| format!("there is no policy `{name}`"))?;
                changed(&policy, &self.changes)
            })
            .collect()
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

fn change(text: &str) -> Result<(String, Value), String> {
    let (field, value) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` is not FIELD=VALUE"))?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
    Ok((format!("/{}", field.replace('.', "/")), value))
}

fn changed(policy: &Policy, changes: &[(String, Value)]) -> Result<Policy, String> {
    let mut value = serde_json::to_value(policy).map_err(|error| error.to_string())?;
    for (field, to) in changes {
        *value
            .pointer_mut(field)
            .ok_or_else(|| format!("policies have no field {field}"))? = to.clone();
    }
    serde_json::from_value(value).map_err(|error| error.to_string())
}
