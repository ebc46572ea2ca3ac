//! What was measured, as JSON lines and as tables.

use std::fmt::Write;

use serde_json::{Value, json};

use super::queries::MIX;

/// One number.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    /// Sessions of the corpus.
    pub(crate) sessions: u32,
    pub(crate) engine: String,
    /// A name of [`ROWS`], or of a kind of query.
    pub(crate) name: String,
    /// In milliseconds or MiB, as the name says.
    pub(crate) value: f64,
}

/// The rows of the table: name of the figure, what a reader calls it, and its unit.
pub(crate) const ROWS: &[(&str, &str, &str)] = &[
    ("corpus", "corpus", "MB"),
    ("build.wall", "first build", "ms"),
    ("build.cpu", "first build, processor time", "ms"),
    ("build.peak", "first build, peak memory", "MiB"),
    ("index.size", "index on disk", "MiB"),
    ("walk", "bare walk with stat", "ms"),
    ("sync.unchanged", "sync, nothing changed", "ms"),
    ("sync.ratio", "… as a multiple of the bare walk", "×"),
    (
        "append.median.p50",
        "sync, one message appended to the median session",
        "ms",
    ),
    (
        "append.largest.p50",
        "sync, one message appended to the largest session",
        "ms",
    ),
    ("append.largest.max", "… the slowest of them", "ms"),
    ("open", "open", "ms"),
    ("first", "program start to first results", "ms"),
    ("query.10.p50", "search, limit 10, p50", "ms"),
    ("query.10.p95", "search, limit 10, p95", "ms"),
    ("query.10.max", "search, limit 10, slowest", "ms"),
    ("query.50.p50", "search, limit 50, p50", "ms"),
    ("query.50.p95", "search, limit 50, p95", "ms"),
    ("query.50.max", "search, limit 50, slowest", "ms"),
    ("search.peak", "peak memory of a process that searches", "MiB"),
];

/// All numbers of a run, in the order in which they were measured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures(Vec<Figure>);

impl Figures {
    pub(crate) fn add(&mut self, sessions: u32, engine: &str, name: impl Into<String>, value: Option<f64>) {
        let Some(value) = value else { return };
        self.0.push(Figure {
            sessions,
            engine: engine.to_owned(),
            name: name.into(),
            value,
        });
    }

    pub(crate) fn get(&self, sessions: u32, engine: &str, name: &str) -> Option<f64> {
        let found = self
            .0
            .iter()
            .find(|figure| figure.sessions == sessions && figure.engine == engine && figure.name == name);
        found.map(|figure| figure.value)
    }

    /// The engines, ours first.
    pub(crate) fn engines(&self) -> Vec<&str> {
        distinct(self.0.iter().map(|figure| figure.engine.as_str()))
    }

    /// The corpora by their number of sessions, in the order in which they were measured.
    pub(crate) fn corpora(&self) -> Vec<u32> {
        distinct(self.0.iter().map(|figure| figure.sessions))
    }

    /// One line of JSON for each number.
    pub(crate) fn lines(&self) -> String {
        let line = |figure: &Figure| {
            let unit = ROWS
                .iter()
                .find(|row| row.0 == figure.name)
                .map_or("ms", |row| row.2);
            let value: Value = json!({
                "sessions": figure.sessions,
                "engine": figure.engine,
                "figure": figure.name,
                "value": figure.value,
                "unit": unit,
            });
            format!("{value}\n")
        };
        self.0.iter().map(line).collect()
    }

    /// The costs as a table in Markdown: a column for each corpus and engine, and how many times ours the others are.
    pub(crate) fn table(&self) -> String {
        let engines = self.engines();
        let mut head = vec![String::new(), "unit".to_owned()];
        for sessions in self.corpora() {
            let sessions = thousands(sessions);
            for (at, engine) in engines.iter().enumerate() {
                match (engines.len(), at) {
                    (1, _) => head.push(format!("{sessions} sessions")),
                    (_, 0) => head.push(format!("{sessions}: {engine}")),
                    _ => head.extend([(*engine).to_owned(), "ratio".to_owned()]),
                }
            }
        }
        let mut rows = vec![head];
        for (name, label, unit) in ROWS {
            let mut row = vec![(*label).to_owned(), (*unit).to_owned()];
            for sessions in self.corpora() {
                let ours = engines.first().and_then(|ours| self.get(sessions, ours, name));
                for (at, engine) in engines.iter().enumerate() {
                    let value = self.get(sessions, engine, name);
                    row.push(value.map_or("–".to_owned(), number));
                    if at > 0 {
                        let ratio = value.zip(ours).filter(|(_, ours)| *ours > 0.0);
                        row.push(ratio.map_or(String::new(), |(value, ours)| number(value / ours)));
                    }
                }
            }
            if row[2..].iter().any(|cell| cell != "–" && !cell.is_empty()) {
                rows.push(row);
            }
        }
        markdown(&rows)
    }

    /// The kinds of queries as a table in Markdown: median and slowest, at limit 10, of our engine.
    pub(crate) fn kinds(&self) -> String {
        let engines = self.engines();
        let Some(ours) = engines.first() else {
            return String::new();
        };
        let mut rows = vec![vec!["kind of query".to_owned(), "for example".to_owned()]];
        for sessions in self.corpora() {
            let sessions = thousands(sessions);
            rows[0].extend([format!("{sessions}: p50"), format!("{sessions}: slowest")]);
        }
        for kind in MIX {
            // A bar would end the cell, and the whole of a pasted trace is too much.
            let example: String = kind.queries[0].chars().take(32).collect();
            let mut row = vec![kind.name.to_owned(), format!("`{}`", example.trim_end())];
            for sessions in self.corpora() {
                for part in ["p50", "max"] {
                    let value = self.get(sessions, ours, &format!("kind.{}.{part}", kind.name));
                    row.push(value.map_or("–".to_owned(), number));
                }
            }
            rows.push(row);
        }
        markdown(&rows)
    }
}

fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for one in all {
        if !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    distinct
}

/// Three significant digits, and never fewer than the whole number has.
pub(crate) fn number(value: f64) -> String {
    let decimals = match value.abs() {
        large if large >= 99.95 => 0,
        medium if medium >= 9.995 => 1,
        small if small >= 0.9995 => 2,
        _ => 3,
    };
    let text = format!("{value:.decimals$}");
    match text.split_once('.') {
        Some(_) => text,
        None => text.parse().map_or(text, thousands),
    }
}

pub(crate) fn thousands(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn markdown(rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} |", row.join(" | "));
        if at == 0 {
            let numeric = row.len().saturating_sub(2);
            let _ = writeln!(text, "|---|---|{}", "---:|".repeat(numeric));
        }
    }
    text
}

/// The value below which a part of the sorted times lies: 0.5 for the median, 1.0 for the slowest.
pub(crate) fn quantile(times: &[f64], part: f64) -> Option<f64> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    sorted.get((last as f64 * part).round() as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::{Figures, number, quantile};

    #[test]
    fn numbers_keep_three_digits() {
        for (value, text) in [
            (0.0421, "0.042"),
            (0.5, "0.500"),
            (1.234, "1.23"),
            (9.999, "10.0"),
            (12.34, "12.3"),
            (99.96, "100"),
            (123.4, "123"),
            (12345.6, "12,346"),
            (1_234_567.0, "1,234,567"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn quantiles_are_values_that_were_measured() {
        let times = [5.0, 1.0, 4.0, 2.0, 3.0];
        assert_eq!(quantile(&times, 0.5), Some(3.0));
        assert_eq!(quantile(&times, 0.95), Some(5.0));
        assert_eq!(quantile(&times, 0.0), Some(1.0));
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn a_table_compares_the_engines_corpus_by_corpus() {
        let mut figures = Figures::default();
        for (sessions, factor) in [(200, 1.0), (2000, 10.0)] {
            figures.add(sessions, "ours", "build.wall", Some(100.0 * factor));
            figures.add(sessions, "theirs", "build.wall", Some(800.0 * factor));
            figures.add(sessions, "ours", "walk", Some(0.5));
            figures.add(sessions, "theirs", "walk", None);
        }
        assert_eq!(
            figures.table(),
            "|  | unit | 200: ours | theirs | ratio | 2,000: ours | theirs | ratio |\n\
             |---|---|---:|---:|---:|---:|---:|---:|\n\
             | first build | ms | 100 | 800 | 8.00 | 1,000 | 8,000 | 8.00 |\n\
             | bare walk with stat | ms | 0.500 | – |  | 0.500 | – |  |\n"
        );
        let line: serde_json::Value = serde_json::from_str(figures.lines().lines().next().unwrap()).unwrap();
        assert_eq!(
            line,
            serde_json::json!({"sessions": 200, "engine": "ours", "figure": "build.wall", "value": 100.0, "unit": "ms"})
        );
    }
}
