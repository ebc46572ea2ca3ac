//! How a session goes: exchanges with tool calls, second thoughts, compactions, and everything that Pi notes beside.

use std::collections::HashSet;

use super::models::{LEVELS, MODELS};
use super::plan::{End, Kind, Plan, Step};
use super::random::Random;

/// Exchanges after which a context is full enough to be compacted now and then.
const BEFORE_COMPACTION: usize = 14;

pub(crate) struct Story {
    random: Random,
    steps: Vec<Step>,
    /// Indexes of the entries from the root to the leaf.
    path: Vec<usize>,
    clock: i64,
    project: usize,
    model: usize,
    /// Ids that were copied from another session.
    taken: HashSet<u32>,
    salt: u32,
    made: u32,
    exchanges_in_context: usize,
    /// Text messages still to be written.
    left: usize,
}

impl Story {
    /// Begins, or goes on after the copied entries of a fork.
    pub(crate) fn new(plan: &Plan, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let taken = plan.steps.iter().map(|step| step.id).collect();
        let model = [0, 0, 0, 1, 1, 2, 3][random.below(7)];
        let salt = random.next() as u32;
        let path = path_to_last(&plan.steps);
        Self {
            random,
            steps: plan.steps.clone(),
            path,
            clock: plan.started,
            project: plan.project,
            model,
            taken,
            salt,
            made: 0,
            exchanges_in_context: 0,
            left: 0,
        }
    }

    /// Writes exchanges until the session has that many more text messages.
    pub(crate) fn tell(mut self, texts: usize) -> Vec<Step> {
        self.left = texts;
        if self.path.is_empty() {
            self.wait(300, 900);
            self.push(Kind::ModelChange { model: self.model });
            let level = self.random.below(LEVELS.len());
            self.push(Kind::ThinkingLevel { level });
            self.push(Kind::System { update: false });
        }
        let named_after = if self.random.chance(0.35) {
            self.random.between(1, 6)
        } else {
            usize::MAX
        };
        let mut exchanges = 0;
        while self.left > 0 {
            self.exchange();
            exchanges += 1;
            if exchanges == named_after {
                self.push(Kind::Name { cleared: false });
            }
            if self.left > 0 {
                self.interlude();
            }
        }
        self.steps
    }

    fn exchange(&mut self) {
        let gap = self.random.heavy(55_000.0, 1.6, 60_000_000);
        self.clock += gap as i64;
        if self.random.chance(0.05) {
            self.push(Kind::Bash);
            self.wait(500, 20_000);
        }
        self.text(Kind::User);
        // Some questions are never answered, and those that end a session matter most.
        if self.left == 0 || (self.left < 3 && self.random.chance(0.1)) {
            self.left = 0;
            return;
        }
        if self.random.chance(0.02) {
            self.answer(0, false, End::Failed);
        }
        let rounds = [0, 0, 1, 1, 1, 2, 2, 3, 4, 7][self.random.below(10)];
        for _ in 0..rounds {
            let calls = [1, 1, 1, 1, 2, 2, 3][self.random.below(7)];
            let text = self.left > 1 && self.random.chance(0.45);
            let call = self.answer(calls, text, End::ToolUse);
            for nth in 0..calls {
                let pause = self.random.heavy(400.0, 1.3, 90_000);
                self.clock += pause as i64;
                self.push(Kind::ToolResult { call, nth });
            }
        }
        if self.random.chance(0.012) {
            let text = self.random.chance(0.5);
            self.answer(0, text, End::Aborted);
        } else {
            self.answer(0, true, End::Answered);
        }
        self.exchanges_in_context += 1;
    }

    /// What may happen between two exchanges.
    fn interlude(&mut self) {
        if self.random.chance(0.05) {
            self.go_back();
        }
        if self.exchanges_in_context > BEFORE_COMPACTION && self.random.chance(0.08) {
            self.compact();
        }
        let leaf = self.path.last().map(|&at| self.steps[at].id);
        match (self.random.below(1_000), leaf) {
            (0..=19, Some(target)) => {
                self.push(Kind::Label { target });
            }
            (20..=44, _) => {
                self.model = self.random.below(MODELS.len());
                self.push(Kind::ModelChange { model: self.model });
                let level = self.random.below(LEVELS.len());
                self.push(Kind::ThinkingLevel { level });
            }
            (45..=59, _) => {
                let cleared = self.random.chance(0.1);
                self.push(Kind::Name { cleared });
            }
            (60..=79, _) => {
                self.push(Kind::Custom);
            }
            (80..=87, _) => {
                self.push(Kind::CustomMessage);
            }
            (88..=102, _) => {
                self.push(Kind::Usage { model: self.model });
            }
            (103..=109, _) => {
                self.push(Kind::System { update: true });
            }
            (110..=119, _) => self.edit_context(),
            _ => {}
        }
    }

    /// Leaves the end of the path and goes on from before an earlier question; what follows it stays as a branch.
    fn go_back(&mut self) {
        let questions: Vec<usize> = (0..self.path.len())
            .filter(|&at| self.steps[self.path[at]].kind == Kind::User)
            .collect();
        let Some(&left) = self.path.last() else { return };
        let back = self.random.heavy(1.6, 1.7, questions.len().max(1));
        let Some(&cut) = questions.len().checked_sub(back).and_then(|at| questions.get(at)) else {
            return;
        };
        self.path.truncate(cut);
        self.exchanges_in_context = self.exchanges_in_context.saturating_sub(back);
        self.wait(2_000, 40_000);
        if self.random.chance(0.4) {
            self.push(Kind::BranchSummary {
                from: self.steps[left].id,
            });
        }
    }

    fn compact(&mut self) {
        let questions: Vec<u32> = self
            .path
            .iter()
            .map(|&at| &self.steps[at])
            .filter(|step| step.kind == Kind::User)
            .map(|step| step.id)
            .collect();
        let kept = self.random.between(1, 4);
        let first_kept = if self.random.chance(0.15) {
            None
        } else {
            questions.len().checked_sub(kept).map(|at| questions[at])
        };
        self.wait(8_000, 40_000);
        self.push(Kind::Compaction { first_kept });
        self.exchanges_in_context = 0;
    }

    fn edit_context(&mut self) {
        let recent = self.path.len().saturating_sub(12);
        let targets: Vec<u32> = self.path[recent..]
            .iter()
            .map(|&at| &self.steps[at])
            .filter(|step| matches!(step.kind, Kind::User | Kind::ToolResult { .. }))
            .map(|step| step.id)
            .collect();
        if !targets.is_empty() {
            let (target, remove) = (*self.random.pick(&targets), self.random.chance(0.5));
            self.push(Kind::ContextEdit { target, remove });
        }
    }

    /// An assistant message; returns the seed by which tool results find their call.
    fn answer(&mut self, calls: u8, text: bool, end: End) -> u64 {
        let duration = self.random.heavy(6_000.0, 2.0, 240_000);
        self.clock += duration as i64;
        let kind = Kind::Assistant {
            model: self.model,
            calls,
            text,
            end,
        };
        if text { self.text(kind) } else { self.push(kind) }
    }

    fn text(&mut self, kind: Kind) -> u64 {
        self.left = self.left.saturating_sub(1);
        self.push(kind)
    }

    fn wait(&mut self, least: usize, most: usize) {
        let pause = self.random.between(least, most);
        self.clock += pause as i64;
    }

    /// Appends an entry behind the leaf and returns its seed.
    fn push(&mut self, kind: Kind) -> u64 {
        let id = loop {
            self.made += 1;
            let id = scrambled(self.made.wrapping_add(self.salt));
            if !self.taken.contains(&id) {
                break id;
            }
        };
        let seed = self.random.next();
        let parent = self.path.last().map(|&at| self.steps[at].id);
        self.path.push(self.steps.len());
        self.steps.push(Step {
            id,
            parent,
            time: self.clock,
            project: self.project,
            seed,
            kind,
        });
        self.clock += 1 + (seed % 7) as i64;
        seed
    }
}

/// Pi opens a file at its last entry; the path is what leads there.
fn path_to_last(steps: &[Step]) -> Vec<usize> {
    let by_id: std::collections::HashMap<u32, usize> =
        steps.iter().enumerate().map(|(at, step)| (step.id, at)).collect();
    let mut path = Vec::new();
    let mut at = steps.len().checked_sub(1);
    while let Some(index) = at {
        path.push(index);
        at = steps[index].parent.and_then(|parent| by_id.get(&parent).copied());
    }
    path.reverse();
    path
}

/// A one-to-one map of 32 bits, so that counting gives ids that look random and never repeat.
fn scrambled(value: u32) -> u32 {
    let value = (value ^ (value >> 16)).wrapping_mul(0x85eb_ca6b);
    let value = (value ^ (value >> 13)).wrapping_mul(0xc2b2_ae35);
    value ^ (value >> 16)
}
