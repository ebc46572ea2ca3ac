//! What is measured, and in which order. Engines take turns at every step, so that whatever else the machine does
//! meets them alike.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use fs_err as fs;
use serde_json::Value;

use super::{
    engine::{Engine, Served},
    figures::{Figures, quantile},
    queries::MIX,
};

/// The query of a process that starts, searches and ends.
const FIRST_QUERY: &str = "error parser";

/// How often each thing is repeated; a figure is the median.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    pub(crate) builds: usize,
    pub(crate) starts: usize,
    pub(crate) syncs: usize,
    pub(crate) appends: usize,
    /// Of each query at each limit, after one that counts for nothing.
    pub(crate) searches: usize,
}

impl Rounds {
    pub(crate) const FULL: Self = Self {
        builds: 3,
        starts: 15,
        syncs: 31,
        appends: 21,
        searches: 5,
    };
}

/// A corpus and a folder for what is made while it is measured.
#[derive(Debug)]
pub(crate) struct Corpus<'a> {
    pub(crate) number: u32,
    pub(crate) sessions: &'a Path,
    pub(crate) scratch: &'a Path,
}

impl Corpus<'_> {
    /// Measures everything with all engines.
    pub(crate) fn measure(
        &self,
        engines: &mut [Engine],
        rounds: &Rounds,
        figures: &mut Figures,
    ) -> Result<()> {
        self.builds(engines, rounds, figures)?;
        self.starts(engines, rounds, figures)?;
        self.searches(engines, rounds, figures)?;
        self.syncs(engines, rounds, figures)?;
        self.appends(engines, rounds, figures)
    }

    fn cache(&self, at: usize) -> PathBuf {
        self.scratch.join(format!("cache-{at}"))
    }

    fn builds(&self, engines: &mut [Engine], rounds: &Rounds, figures: &mut Figures) -> Result<()> {
        let mut told: Vec<Vec<Value>> = vec![Vec::new(); engines.len()];
        for _ in 0..rounds.builds {
            for (at, engine) in engines.iter_mut().enumerate() {
                remove(&self.cache(at))?;
                told[at].push(engine.build(self.sessions, &self.cache(at))?);
            }
        }
        let corpus = size_of(self.sessions)?;
        for (at, (engine, told)) in engines.iter().zip(&told).enumerate() {
            let mut add = |name: &str, value| figures.add(self.number, &engine.name, name, value);
            if at == 0 {
                add("corpus", Some(corpus as f64 / 1e6));
            }
            for (name, member) in [
                ("build.wall", "wall_ms"),
                ("build.cpu", "cpu_ms"),
                ("build.peak", "peak_mib"),
            ] {
                let all: Vec<f64> = told.iter().filter_map(|told| told[member].as_f64()).collect();
                add(name, quantile(&all, 0.5));
            }
            let size = size_of(&self.cache(at))?;
            add("index.size", Some(size as f64 / f64::from(1 << 20)));
        }
        Ok(())
    }

    /// Processes that start: those that only open the index, and those that search and end.
    fn starts(&self, engines: &[Engine], rounds: &Rounds, figures: &mut Figures) -> Result<()> {
        let mut opens: Vec<Vec<f64>> = vec![Vec::new(); engines.len()];
        let mut firsts = opens.clone();
        for round in 0..=rounds.starts {
            for (at, engine) in engines.iter().enumerate() {
                let open = engine.serve(self.sessions, &self.cache(at))?.open_ms;
                let first = engine.first_result(self.sessions, &self.cache(at), FIRST_QUERY)?;
                // The first round loads programs from the disk.
                if round > 0 {
                    opens[at].extend(open);
                    firsts[at].push(first.as_secs_f64() * 1000.0);
                }
            }
        }
        for (at, engine) in engines.iter().enumerate() {
            figures.add(self.number, &engine.name, "open", quantile(&opens[at], 0.5));
            figures.add(self.number, &engine.name, "first", quantile(&firsts[at], 0.5));
        }
        Ok(())
    }

    fn searches(&self, engines: &[Engine], rounds: &Rounds, figures: &mut Figures) -> Result<()> {
        let mut served = self.serve(engines, |at| self.cache(at), self.sessions)?;
        for limit in [10, 50] {
            // By engine and kind.
            let mut times = vec![vec![Vec::new(); MIX.len()]; engines.len()];
            for (kind, queries) in MIX.iter().enumerate() {
                for query in queries.queries {
                    let request = format!("query {limit} {query}");
                    for round in 0..=rounds.searches {
                        for (served, times) in served.iter_mut().zip(&mut times) {
                            let time = served.ms(&request)?;
                            if round > 0 {
                                times[kind].extend(time);
                            }
                        }
                    }
                }
            }
            for (engine, times) in engines.iter().zip(&times) {
                let mut add = |name: String, value| figures.add(self.number, &engine.name, name, value);
                let all = times.concat();
                for (part, share) in [("p50", 0.5), ("p95", 0.95), ("max", 1.0)] {
                    add(format!("query.{limit}.{part}"), quantile(&all, share));
                }
                if limit == 10 {
                    for (kind, times) in MIX.iter().zip(times) {
                        add(format!("kind.{}.p50", kind.name), quantile(times, 0.5));
                        add(format!("kind.{}.max", kind.name), quantile(times, 1.0));
                    }
                }
            }
        }
        for (engine, served) in engines.iter().zip(&mut served) {
            let peak = served.ask("memory")?["peak_mib"].as_f64();
            figures.add(self.number, &engine.name, "search.peak", peak);
        }
        Ok(())
    }

    fn syncs(&self, engines: &[Engine], rounds: &Rounds, figures: &mut Figures) -> Result<()> {
        let mut served = self.serve(engines, |at| self.cache(at), self.sessions)?;
        let mut syncs: Vec<Vec<f64>> = vec![Vec::new(); engines.len()];
        let mut walks = syncs.clone();
        for round in 0..=rounds.syncs {
            for (at, served) in served.iter_mut().enumerate() {
                let (walk, sync) = (served.ms("walk")?, served.ms("sync")?);
                if round > 0 {
                    walks[at].extend(walk);
                    syncs[at].extend(sync);
                }
            }
        }
        for (at, engine) in engines.iter().enumerate() {
            let (walk, sync) = (quantile(&walks[at], 0.5), quantile(&syncs[at], 0.5));
            figures.add(self.number, &engine.name, "walk", walk);
            figures.add(self.number, &engine.name, "sync.unchanged", sync);
            let ratio = sync.zip(walk).map(|(sync, walk)| sync / walk);
            figures.add(self.number, &engine.name, "sync.ratio", ratio);
        }
        Ok(())
    }

    /// Appends to copies. All other files are hard links, which says nothing to an engine that looks at them; since
    /// making a link changes a file's status, this comes last, and with indexes of its own.
    fn appends(&self, engines: &mut [Engine], rounds: &Rounds, figures: &mut Figures) -> Result<()> {
        let copies = self.scratch.join("sessions");
        remove(&copies)?;
        let files = session_files(self.sessions)?;
        let (Some(median), Some(largest)) = (files.get(files.len() / 2), files.last()) else {
            bail!("{} holds no sessions", self.sessions.display());
        };
        for file in &files {
            let to = copies.join(file.strip_prefix(self.sessions)?);
            fs::create_dir_all(to.parent().unwrap_or(&copies))?;
            if file == median || file == largest || fs::hard_link(file, &to).is_err() {
                fs::copy(file, &to)?;
            }
        }
        let cache = |at: usize| self.scratch.join(format!("append-cache-{at}"));
        for (at, engine) in engines.iter_mut().enumerate() {
            remove(&cache(at))?;
            engine.build(&copies, &cache(at))?;
        }
        let mut served = self.serve(engines, cache, &copies)?;
        for (label, file) in [("median", median), ("largest", largest)] {
            let file = copies.join(file.strip_prefix(self.sessions)?);
            let mut times: Vec<Vec<f64>> = vec![Vec::new(); engines.len()];
            for round in 0..=rounds.appends {
                append(&file, round)?;
                for (times, (served, engine)) in times.iter_mut().zip(served.iter_mut().zip(engines.iter())) {
                    let answer = served.ask("sync")?;
                    if answer["changed"].as_u64() == Some(0) {
                        bail!(
                            "{} did not notice what was appended to {}",
                            engine.name,
                            file.display()
                        );
                    }
                    if round > 0 {
                        times.extend(answer["ms"].as_f64());
                    }
                }
            }
            for (engine, times) in engines.iter().zip(&times) {
                for (part, share) in [("p50", 0.5), ("max", 1.0)] {
                    let name = format!("append.{label}.{part}");
                    figures.add(self.number, &engine.name, name, quantile(times, share));
                }
            }
        }
        drop(served);
        remove(&copies)
    }

    fn serve(
        &self,
        engines: &[Engine],
        cache: impl Fn(usize) -> PathBuf,
        sessions: &Path,
    ) -> Result<Vec<Served>> {
        let served = engines.iter().enumerate();
        served
            .map(|(at, engine)| engine.serve(sessions, &cache(at)))
            .collect()
    }
}

/// Appends a message as Pi does. It hangs on nothing, which is one more root.
fn append(file: &Path, round: usize) -> Result<()> {
    let mut file = fs::OpenOptions::new().append(true).open(file)?;
    // Rounds of both files have ids of their own: the file is part of neither.
    writeln!(
        file,
        r#"{{"type":"message","id":"beef{round:04x}","parentId":null,"timestamp":"2026-11-30T12:00:00.000Z","message":{{"role":"user","content":[{{"type":"text","text":"Appended message number {round} about the parser"}}],"timestamp":1796040000000}}}}"#
    )?;
    Ok(())
}

/// All session files below a folder, the smallest first.
fn session_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    visit(folder, &mut |path, size| {
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push((size, path));
        }
    })?;
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

/// Bytes of all files below a folder.
fn size_of(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    visit(folder, &mut |_, size| sum += size)?;
    Ok(sum)
}

fn visit(folder: &Path, seen: &mut dyn FnMut(PathBuf, u64)) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        if metadata.is_dir() {
            visit(&entry.path(), seen)?;
        } else {
            seen(entry.path(), metadata.len());
        }
    }
    Ok(())
}

/// Removes a folder, if it is there.
fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).context("what an earlier run left is in the way")
        }
        _ => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{Corpus, Rounds};
    use crate::bench::{engine::Engine, figures::Figures};

    const ONCE: Rounds = Rounds {
        builds: 1,
        starts: 1,
        syncs: 3,
        appends: 2,
        searches: 1,
    };

    fn measured(adapter: &str, second: &str) -> anyhow::Result<Figures> {
        let folder = tempfile::tempdir()?;
        let sessions = folder.path().join("s3");
        for (name, lines) in [("a", 1), ("b", 2), ("c", 30)] {
            let project = sessions.join("--home-dev-shop--");
            fs_err::create_dir_all(&project)?;
            fs_err::write(
                project.join(format!("{name}.jsonl")),
                "{\"type\":\"x\"}\n".repeat(lines),
            )?;
        }
        let scratch = folder.path().join("scratch");
        fs_err::create_dir_all(&scratch)?;
        let mut engines = [Engine::against(adapter)?, Engine::against(second)?];
        let mut figures = Figures::default();
        let corpus = Corpus {
            number: 3,
            sessions: &sessions,
            scratch: &scratch,
        };
        corpus.measure(&mut engines, &ONCE, &mut figures)?;
        let appended = fs_err::read_to_string(sessions.join("--home-dev-shop--/c.jsonl"))?;
        assert_eq!(appended.lines().count(), 30, "the corpus itself is never changed");
        Ok(figures)
    }

    fn adapter(arguments: &str) -> String {
        format!("sh {}/tests/adapter.sh {arguments}", env!("CARGO_MANIFEST_DIR"))
    }

    /// A script plays both engines: `quick` answers twice as fast as `slow`, and knows neither walks nor memory.
    #[test]
    fn engines_that_speak_the_protocol_are_measured_side_by_side() {
        let figures = measured(&adapter("slow"), &adapter("quick")).unwrap();
        assert_eq!(
            figures.engines(),
            ["slow", "quick"],
            "by the names they give themselves"
        );
        let both = |name| (figures.get(3, "slow", name), figures.get(3, "quick", name));
        assert_eq!(both("build.wall"), (Some(200.0), Some(100.0)));
        assert_eq!(both("build.peak"), (Some(20.0), Some(10.0)));
        assert_eq!(both("open"), (Some(4.0), Some(2.0)));
        assert_eq!(both("sync.unchanged"), (Some(6.0), Some(3.0)));
        assert_eq!(both("walk"), (Some(4.0), None));
        assert_eq!(both("sync.ratio"), (Some(1.5), None));
        assert_eq!(both("query.10.p95"), (Some(1.0), Some(0.5)));
        assert_eq!(both("kind.typo.max"), (Some(1.0), Some(0.5)));
        assert_eq!(both("append.largest.p50"), (Some(6.0), Some(3.0)));
        assert_eq!(both("search.peak"), (Some(16.0), None));
        assert!(both("first").0.unwrap() > 0.0 && both("index.size").0.unwrap() > 0.0);
    }

    #[test]
    fn an_engine_that_breaks_the_protocol_is_told_what_it_did() {
        let error = |second: &str| format!("{:#}", measured(&adapter("slow"), &adapter(second)).unwrap_err());
        assert!(error("babble").contains("an answer has to be one line of JSON, not: hello"));
        assert!(error("fail").contains("tests/adapter.sh fail build` ended with exit"));
        assert!(error("die").contains("the process ended without an answer"));
        assert!(error("blind").contains("blind did not notice what was appended to"));
    }
}
