//! What a session will hold, before any text is written: entries, their parents, times and kinds.
//!
//! Plans are small and cheap, text is neither. Planning first lets a fork repeat the entries of its parent session
//! without that session being kept anywhere: the same step always renders to the same bytes.

use std::collections::{HashMap, HashSet};

use super::project::cwd;
use super::prose::Tongue;
use super::random::{Random, mix};
use super::sizes::message_counts;
use super::story::Story;

/// Where the files would lie on the machine of their owner; `parentSession` names the source of a fork by path.
const SESSIONS_FOLDER: &str = "/home/dev/.pi/agent/sessions";

/// 2025-11-03 07:00 UTC.
const FIRST_START: i64 = 1_762_153_200_000;
/// The starts of all sessions are spread over this many milliseconds (380 days).
const PERIOD: i64 = 380 * 86_400_000;

/// One session file.
pub(crate) struct Plan {
    pub(crate) id: String,
    pub(crate) started: i64,
    pub(crate) project: usize,
    /// Path of the session this one was forked from.
    pub(crate) parent: Option<String>,
    /// Seed of what the session is about. A fork goes on with the subject of its parent.
    pub(crate) subject: u64,
    pub(crate) tongue: Tongue,
    pub(crate) steps: Vec<Step>,
}

/// One entry. Its text is a function of `seed`, `kind`, `project` and the subject of the session, nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) id: u32,
    pub(crate) parent: Option<u32>,
    pub(crate) time: i64,
    pub(crate) project: usize,
    pub(crate) seed: u64,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    ModelChange {
        model: usize,
    },
    ThinkingLevel {
        level: usize,
    },
    /// The prompt; `update` when only parts of it are sent again.
    System {
        update: bool,
    },
    User,
    Assistant {
        model: usize,
        calls: u8,
        text: bool,
        end: End,
    },
    /// The result of call number `nth` of the assistant message made from the seed `call`.
    ToolResult {
        call: u64,
        nth: u8,
    },
    Bash,
    /// `None` keeps nothing: such a compaction names itself as the first kept entry.
    Compaction {
        first_kept: Option<u32>,
    },
    BranchSummary {
        from: u32,
    },
    ContextEdit {
        target: u32,
        remove: bool,
    },
    Label {
        target: u32,
    },
    Name {
        cleared: bool,
    },
    Custom,
    CustomMessage,
    Usage {
        model: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Answered,
    ToolUse,
    Failed,
    Aborted,
}

impl Kind {
    /// Whether the entry holds text of a user or an assistant.
    pub(crate) fn has_text(self) -> bool {
        matches!(self, Kind::User | Kind::Assistant { text: true, .. })
    }
}

/// The whole corpus, as far as single sessions depend on it.
pub(crate) struct Blueprint {
    seed: u64,
    texts: Vec<usize>,
    projects: usize,
}

impl Blueprint {
    pub(crate) fn new(seed: u64, sessions: usize, mean_texts: f64) -> Self {
        Self {
            seed,
            texts: message_counts(seed, sessions, mean_texts),
            projects: (sessions / 30).clamp(4, 60),
        }
    }

    pub(crate) fn projects(&self) -> usize {
        self.projects
    }

    /// Plans one session; for a fork that includes planning its ancestors.
    pub(crate) fn plan(&self, number: usize) -> Plan {
        let random = &mut Random::derived(self.seed, number as u64);
        let spacing = PERIOD / self.texts.len() as i64;
        let started = FIRST_START + number as i64 * spacing + random.below(spacing.max(1) as usize) as i64;
        let mut plan = Plan {
            id: String::new(),
            started,
            project: self.project(random),
            parent: None,
            subject: random.next(),
            tongue: match random.below(100) {
                0..=2 => Tongue::Japanese,
                3..=5 => Tongue::Chinese,
                6 => Tongue::Korean,
                _ => Tongue::English,
            },
            steps: Vec::new(),
        };
        if let Some(source) = self.source(number) {
            self.fork(&mut plan, &self.plan(source), self.texts[number], random);
        }
        plan.id = uuid_v7(plan.started, random);
        let copied = plan.steps.iter().filter(|step| step.kind.has_text()).count();
        let wanted = self.texts[number].saturating_sub(copied);
        plan.steps = Story::new(&plan, random.next()).tell(wanted);
        plan
    }

    /// Some projects are worked on much more than others.
    fn project(&self, random: &mut Random) -> usize {
        ((self.projects as f64).powf(random.unit()) as usize - 1).min(self.projects - 1)
    }

    /// The session that this one was forked from: an earlier one, and no endless chain.
    fn source(&self, number: usize) -> Option<usize> {
        let mut at = number;
        let mut first = None;
        for _ in 0..4 {
            let Some(next) = self.possible_source(at) else {
                return first;
            };
            first = first.or(Some(next));
            at = next;
        }
        None
    }

    fn possible_source(&self, number: usize) -> Option<usize> {
        let random = &mut Random::derived(self.seed ^ 0x666f_726b, number as u64);
        if number == 0 || self.texts[number] < 8 || !random.chance(0.09) {
            return None;
        }
        let source = number - 1 - random.below(number.min(25));
        (self.texts[source] >= 4).then_some(source)
    }

    /// Copies entries of `source` as `/fork` (one path) or `pi --fork` (everything) would.
    fn fork(&self, plan: &mut Plan, source: &Plan, texts: usize, random: &mut Random) {
        plan.parent = Some(format!("{SESSIONS_FOLDER}/{}", source.file_name()));
        plan.subject = source.subject;
        plan.tongue = source.tongue;
        let in_source = source.steps.iter().filter(|step| step.kind.has_text()).count();
        if in_source * 10 <= texts * 6 && random.chance(0.3) {
            // All branches, verbatim, into the folder in which the command was given.
            plan.steps = source.steps.clone();
        } else {
            plan.project = source.project;
            plan.steps = forked_path(source, texts * 7 / 10, random);
        }
        if let Some(last) = plan.steps.iter().map(|step| step.time).max() {
            plan.started = plan.started.max(last + 60_000);
        }
        plan.started = plan.started.max(source.started + 60_000);
    }
}

impl Plan {
    /// The file below the sessions folder: one folder for each working folder, named after it as Pi does.
    pub(crate) fn file_name(&self) -> String {
        let folder = cwd(self.project).trim_start_matches('/').replace(['/', ':'], "-");
        let time = iso(self.started).replace([':', '.'], "-");
        format!("--{folder}--/{time}_{}.jsonl", self.id)
    }
}

/// The path to a random user message of `source`, without that message: at most `most` texts, or nothing.
fn forked_path(source: &Plan, most: usize, random: &mut Random) -> Vec<Step> {
    let by_id: HashMap<u32, &Step> = source.steps.iter().map(|step| (step.id, step)).collect();
    let users: Vec<&Step> = source
        .steps
        .iter()
        .filter(|step| step.kind == Kind::User)
        .collect();
    for _ in 0..8 {
        let Some(mut at) = users[random.below(users.len())].parent else {
            continue;
        };
        let mut path = Vec::new();
        while let Some(step) = by_id.get(&at) {
            path.push(**step);
            match step.parent {
                Some(parent) => at = parent,
                None => break,
            }
        }
        let texts = path.iter().filter(|step| step.kind.has_text()).count();
        if (1..=most).contains(&texts) {
            path.reverse();
            return without_labels(path, source, random);
        }
    }
    Vec::new()
}

/// Labels are left out, the chain is closed again, and labels of copied entries are written anew at the end.
fn without_labels(path: Vec<Step>, source: &Plan, random: &mut Random) -> Vec<Step> {
    let mut copied: Vec<Step> = Vec::with_capacity(path.len());
    for mut step in path {
        if !matches!(step.kind, Kind::Label { .. }) {
            step.parent = copied.last().map(|last| last.id);
            copied.push(step);
        }
    }
    let mut taken: HashSet<u32> = copied.iter().map(|step| step.id).collect();
    let mut labels: HashMap<u32, Step> = HashMap::new();
    let mut targets = Vec::new();
    for step in &source.steps {
        if let Kind::Label { target } = step.kind
            && taken.contains(&target)
            && labels.insert(target, *step).is_none()
        {
            targets.push(target);
        }
    }
    for target in targets {
        let id = loop {
            let id = random.next() as u32;
            if taken.insert(id) {
                break id;
            }
        };
        let parent = copied.last().map(|last| last.id);
        copied.push(Step {
            id,
            parent,
            ..labels[&target]
        });
    }
    copied
}

/// ISO 8601 in UTC with milliseconds, as JavaScript writes it.
pub(crate) fn iso(milliseconds: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(milliseconds).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{time:.3}")
}

fn uuid_v7(milliseconds: i64, random: &mut Random) -> String {
    let (a, b) = (mix(random.next()), mix(random.next()));
    let time = milliseconds as u64;
    format!(
        "{:08x}-{:04x}-7{:03x}-{:04x}-{:012x}",
        time >> 16,
        time & 0xffff,
        a & 0xfff,
        0x8000 | ((a >> 16) & 0x3fff),
        b & 0xffff_ffff_ffff
    )
}
