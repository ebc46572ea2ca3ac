//! From plan to bytes: one JSON line for each entry, with the keys in the order in which Pi 1.6 writes them.

use std::fmt::Write;

use super::json::{escaped, string};
use super::models::{LEVELS, MODELS, usage};
use super::plan::{Kind, Plan, Step, iso};
use super::project::{Project, Subject, cwd};
use super::prose::{Prose, Voice};
use super::random::Random;
use super::tools::Workbench;
use super::vocabulary::Vocabulary;

/// What all sessions have in common.
pub(crate) struct World {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) projects: Vec<Project>,
    /// Base64 without meaning. Cutting images from one stock is as good as new ones and costs a copy only.
    pub(crate) noise: String,
}

impl World {
    pub(crate) fn new(seed: u64, projects: usize) -> Self {
        const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let vocabulary = Vocabulary::new(seed);
        let projects = (0..projects)
            .map(|number| Project::new(seed, number, &vocabulary))
            .collect();
        let mut random = Random::derived(seed, 0x6e6f_6973);
        let noise = (0..900_000)
            .map(|_| char::from(LETTERS[random.below(LETTERS.len())]))
            .collect();
        Self {
            vocabulary,
            projects,
            noise,
        }
    }
}

/// Bytes of text of one entry, or that it has none.
pub(crate) type TextBytes = Option<usize>;

/// Writes the entries of one session.
pub(crate) struct Renderer<'a> {
    pub(super) world: &'a World,
    plan: &'a Plan,
    subject: Subject,
}

impl<'a> Renderer<'a> {
    pub(crate) fn new(world: &'a World, plan: &'a Plan) -> Self {
        Self {
            world,
            plan,
            subject: Subject::new(plan.subject, &world.vocabulary),
        }
    }

    pub(crate) fn header(&self, out: &mut String) {
        let Plan {
            id,
            started,
            project,
            parent,
            ..
        } = self.plan;
        let _ = write!(
            out,
            "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"timestamp\":\"{}\",\"cwd\":",
            iso(*started)
        );
        string(&cwd(*project), out);
        if let Some(parent) = parent {
            out.push_str(",\"parentSession\":");
            string(parent, out);
        }
        out.push_str("}\n");
    }

    /// Appends the line of one entry and returns how much text of a user or an assistant it holds.
    pub(crate) fn entry(&self, step: &Step, out: &mut String) -> TextBytes {
        let random = &mut Random::new(step.seed);
        let mut text = None;
        match step.kind {
            Kind::ModelChange { model } => {
                head("model_change", step, out);
                let (_, provider, model, ..) = MODELS[model];
                let _ = write!(out, ",\"provider\":\"{provider}\",\"modelId\":\"{model}\"");
            }
            Kind::ThinkingLevel { level } => {
                head("thinking_level_change", step, out);
                let _ = write!(out, ",\"thinkingLevel\":\"{}\"", LEVELS[level]);
            }
            Kind::System { .. }
            | Kind::User
            | Kind::Assistant { .. }
            | Kind::ToolResult { .. }
            | Kind::Bash => {
                head("message", step, out);
                out.push_str(",\"message\":{\"role\":");
                text = self.message(step, random, out);
                out.push('}');
            }
            Kind::Compaction { first_kept } => {
                head("compaction", step, out);
                out.push_str(",\"summary\":");
                self.summary(step, random, 2_200.0, out);
                let kept = first_kept.unwrap_or(step.id);
                let _ = write!(
                    out,
                    ",\"firstKeptEntryId\":\"{kept:08x}\",\"tokensBefore\":{}",
                    random.between(60_000, 190_000)
                );
                self.summary_extras(step, random, out);
            }
            Kind::BranchSummary { from } => {
                head("branch_summary", step, out);
                let _ = write!(out, ",\"fromId\":\"{from:08x}\",\"summary\":");
                self.summary(step, random, 900.0, out);
                self.summary_extras(step, random, out);
            }
            Kind::ContextEdit { target, remove } => {
                head("context_edit", step, out);
                let _ = write!(out, ",\"targetId\":\"{target:08x}\",\"replacement\":");
                out.push_str(if remove {
                    "null"
                } else {
                    "{\"content\":\"[removed from the context]\"}"
                });
            }
            Kind::Label { target } => {
                head("label", step, out);
                let _ = write!(out, ",\"targetId\":\"{target:08x}\",\"label\":");
                string(&self.prose(step).title(random), out);
            }
            Kind::Name { cleared } => {
                head("session_info", step, out);
                out.push_str(",\"name\":");
                string(
                    &if cleared {
                        String::new()
                    } else {
                        self.prose(step).title(random)
                    },
                    out,
                );
            }
            Kind::Custom => {
                let done = random.chance(0.5);
                out.push_str(
                    "{\"type\":\"custom\",\"customType\":\"todo-state\",\"data\":{\"items\":[{\"text\":",
                );
                string(&self.prose(step).title(random), out);
                let _ = write!(out, ",\"done\":{done}}}]}},");
                ids(step, out);
            }
            Kind::CustomMessage => {
                out.push_str("{\"type\":\"custom_message\",\"customType\":\"todo-reminder\",\"content\":");
                string(&format!("Still open: {}", self.prose(step).title(random)), out);
                out.push_str(",\"display\":false,");
                ids(step, out);
            }
            Kind::Usage { model } => {
                head("usage", step, out);
                let (_, provider, name, ..) = MODELS[model];
                let _ = write!(
                    out,
                    ",\"kind\":\"cache_warm\",\"provider\":\"{provider}\",\"model\":\"{name}\""
                );
                usage(random, model, out);
            }
        }
        out.push_str("}\n");
        text
    }

    fn summary(&self, step: &Step, random: &mut Random, median: f64, out: &mut String) {
        let mut text = "## Goal\n".to_owned();
        let length = random.heavy(median, 2.2, 12_000);
        self.prose(step).write(random, Voice::Summary, length, &mut text);
        string(&text, out);
    }

    /// The files that were read and changed, and what the summary cost.
    fn summary_extras(&self, step: &Step, random: &mut Random, out: &mut String) {
        let files = &self.world.projects[step.project].files;
        out.push_str(",\"details\":{\"readFiles\":[\"");
        escaped(random.pick::<String>(files), out);
        out.push_str("\"],\"modifiedFiles\":[\"");
        escaped(random.pick::<String>(files), out);
        out.push_str("\"]}");
        usage(random, 0, out);
    }

    pub(super) fn prose(&self, step: &Step) -> Prose<'_> {
        Prose {
            vocabulary: &self.world.vocabulary,
            project: &self.world.projects[step.project],
            subject: &self.subject,
            tongue: self.plan.tongue,
        }
    }

    pub(super) fn workbench(&self, step: &Step) -> Workbench<'_> {
        Workbench {
            vocabulary: &self.world.vocabulary,
            project: &self.world.projects[step.project],
            subject: &self.subject,
            noise: &self.world.noise,
        }
    }
}

/// The beginning of most lines. Entries of extensions have their ids at the end instead.
fn head(kind: &str, step: &Step, out: &mut String) {
    let _ = write!(out, "{{\"type\":\"{kind}\",");
    ids(step, out);
}

fn ids(step: &Step, out: &mut String) {
    let _ = write!(out, "\"id\":\"{:08x}\",\"parentId\":", step.id);
    match step.parent {
        Some(parent) => {
            let _ = write!(out, "\"{parent:08x}\"");
        }
        None => out.push_str("null"),
    }
    let _ = write!(out, ",\"timestamp\":\"{}\"", iso(step.time));
}
