use std::fmt::Write;

use serde_json::{Value, json};

use crate::measure::Outcome;

/// Figures over some queries.
#[derive(Debug, Clone, Copy, Default)]
struct Figures {
    queries: usize,
    first: usize,
    in_five: usize,
    reciprocal: f64,
}

impl Figures {
    fn of<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Self {
        let mut figures = Self::default();
        for outcome in outcomes {
            figures.queries += 1;
            if let Some(place) = outcome.place {
                figures.first += usize::from(place == 1);
                figures.in_five += usize::from(place <= 5);
                figures.reciprocal += 1.0 / place as f64;
            }
        }
        figures
    }

    fn share(self, count: usize) -> f64 {
        100.0 * count as f64 / self.queries.max(1) as f64
    }

    fn cell(self) -> String {
        format!(
            "{:.0} / {:.0} / {:.2}",
            self.share(self.first),
            self.share(self.in_five),
            self.reciprocal / self.queries.max(1) as f64
        )
    }

    fn json(self) -> Value {
        json!({
            "queries": self.queries,
            "hitAt1": self.share(self.first),
            "hitAt5": self.share(self.in_five),
            "mrrAt10": self.reciprocal / self.queries.max(1) as f64,
        })
    }
}

/// The values in their order of appearance, each once.
fn distinct<'a>(outcomes: &'a [Outcome], of: impl Fn(&'a Outcome) -> &'a str) -> Vec<&'a str> {
    let mut values = Vec::new();
    for value in outcomes.iter().map(of) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

fn figures(outcomes: &[Outcome], policy: &str, holds: impl Fn(&str) -> bool) -> Figures {
    Figures::of(
        outcomes
            .iter()
            .filter(|outcome| outcome.policy == policy && holds(&outcome.case.kind)),
    )
}

/// A Markdown table: a row per kind, a column per policy.
pub(crate) fn table(outcomes: &[Outcome]) -> String {
    let policies = distinct(outcomes, |outcome| &outcome.policy);
    let kinds = distinct(outcomes, |outcome| &outcome.case.kind);
    let mut text = String::from("hit@1 in %, hit@5 in %, MRR@10\n\n| kind | queries |");
    for policy in &policies {
        let _ = write!(text, " `{policy}` |");
    }
    text.push_str("\n|---|---|");
    text.push_str(&"---|".repeat(policies.len()));
    let mut row = |name: &str, holds: &dyn Fn(&str) -> bool| {
        let count = policies
            .first()
            .map_or(0, |policy| figures(outcomes, policy, holds).queries);
        let _ = write!(text, "\n| {name} | {count} |");
        for policy in &policies {
            let _ = write!(text, " {} |", figures(outcomes, policy, holds).cell());
        }
    };
    for kind in &kinds {
        row(kind, &|other| other == *kind);
    }
    row("**all**", &|_| true);
    text.push('\n');
    text
}

/// All figures as one object: policy, then kind.
pub(crate) fn json(outcomes: &[Outcome]) -> Value {
    let mut policies = serde_json::Map::new();
    for policy in distinct(outcomes, |outcome| &outcome.policy) {
        let mut kinds = serde_json::Map::new();
        for kind in distinct(outcomes, |outcome| &outcome.case.kind) {
            kinds.insert(
                kind.to_owned(),
                figures(outcomes, policy, |other| other == kind).json(),
            );
        }
        kinds.insert("all".to_owned(), figures(outcomes, policy, |_| true).json());
        policies.insert(policy.to_owned(), Value::Object(kinds));
    }
    Value::Object(policies)
}

/// Prints every query whose right session was not first, with the scores of winner and wanted.
#[allow(clippy::print_stdout, reason = "this is what the program is for")]
pub(crate) fn failures(outcomes: &[Outcome]) {
    for outcome in outcomes {
        let Some(failure) = &outcome.failure else {
            continue;
        };
        let place = outcome.place.map_or("none".to_owned(), |place| place.to_string());
        println!(
            "=== {} · {} · place {place}\n{}\n--- winner {}\n--- wanted {} {}",
            outcome.policy,
            outcome.case.kind,
            outcome.case.query,
            failure.winner.trim_end(),
            outcome.case.entry.as_deref().unwrap_or_default(),
            failure.wanted.trim_end(),
        );
    }
}
