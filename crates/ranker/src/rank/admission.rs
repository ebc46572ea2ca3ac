use lookback_session_model::{BranchState, Role, SessionSummary};

use super::bits::Bits;
use crate::plan::Plan;
use crate::query::{FilterKind, Property};
use crate::{Corpus, Labels, NONE, SearchRequest, Warning};

/// Which turns a request lets pass: its scope and the filters of its query.
///
/// Several filters of one kind mean any of them (`role:user role:assistant`), except tags, properties and times, which
/// must all hold. Excluding filters must all hold.
pub(crate) struct Admission<'a> {
    corpus: &'a Corpus,
    /// `None` for all.
    sessions: Option<Bits>,
    roles: Option<Vec<Role>>,
    /// `None` for all.
    branches: Option<Vec<BranchState>>,
    models: Option<Bits>,
    since_ms: i64,
    until_ms: i64,
    live_turns: &'a [u32],
    /// Turns themselves are looked at, not only their sessions.
    looks_at_turns: bool,
}

impl<'a> Admission<'a> {
    pub(crate) fn new(
        plan: &mut Plan,
        request: &SearchRequest,
        corpus: &'a Corpus,
        labels: &Labels,
        live_turns: &'a [u32],
    ) -> Self {
        let scope = &request.scope;
        let mut admission = Self {
            corpus,
            sessions: sessions(plan, request, corpus, labels),
            roles: (!scope.roles.is_empty()).then(|| scope.roles.iter().copied().collect()),
            branches: (!scope.branches.is_empty()).then(|| scope.branches.iter().copied().collect()),
            models: None,
            since_ms: scope.since.map_or(i64::MIN, |time| time.as_millis()),
            until_ms: scope.until.map_or(i64::MAX, |time| time.as_millis()),
            live_turns,
            looks_at_turns: false,
        };
        admission.add_turn_filters(plan, request);
        admission.looks_at_turns = admission.roles.is_some()
            || admission.branches.is_some()
            || admission.models.is_some()
            || admission.since_ms > i64::MIN
            || admission.until_ms < i64::MAX
            || !live_turns.is_empty();
        admission
    }

    fn add_turn_filters(&mut self, plan: &Plan, request: &SearchRequest) {
        const ROLES: [Role; 2] = [Role::User, Role::Assistant];
        const BRANCHES: [BranchState; 3] = [
            BranchState::Active,
            BranchState::Compacted,
            BranchState::Abandoned,
        ];
        let mut roles = Choice::default();
        let mut branches = Choice::default();
        let mut models = Choice::default();
        for filter in &plan.filters {
            match &filter.kind {
                FilterKind::Role(role) => roles.push(*role, filter.negated),
                FilterKind::Branch(state) => branches.push(*state, filter.negated),
                FilterKind::Model(name) => models.push(name.to_lowercase(), filter.negated),
                // `-after:x` is `before:x`.
                FilterKind::After(when) | FilterKind::Before(when) => {
                    let moment = when.as_millis(request.now);
                    if matches!(filter.kind, FilterKind::After(_)) != filter.negated {
                        self.since_ms = self.since_ms.max(moment);
                    } else {
                        self.until_ms = self.until_ms.min(moment);
                    }
                }
                _ => {}
            }
        }
        roles.narrow(&mut self.roles, &ROLES);
        branches.narrow(&mut self.branches, &BRANCHES);
        if !models.is_empty() {
            let mut bits = Bits::new(self.corpus.models.len());
            for (ordinal, name) in (0..).zip(&self.corpus.models) {
                let name = name.to_lowercase();
                if models.hold(|wanted| name.contains(wanted.as_str())) {
                    bits.insert(ordinal);
                }
            }
            self.models = Some(bits);
        }
    }

    /// The session that a turn counts for: its own, or the first one with a copy that is let pass.
    pub(crate) fn admit(&self, turn: u32) -> Option<u32> {
        let at = turn as usize;
        let row = &self.corpus.rows[at];
        let own = row.session;
        if !self.looks_at_turns {
            return match &self.sessions {
                None => Some(own),
                Some(sessions) if sessions.contains(own) => Some(own),
                Some(sessions) => {
                    let holders = self.corpus.holders(turn);
                    holders
                        .iter()
                        .map(|holder| holder.session)
                        .find(|session| sessions.contains(*session))
                }
            };
        }
        if self.is_live(turn)
            || !(self.since_ms..self.until_ms).contains(&self.corpus.time_ms[at])
            || self
                .roles
                .as_ref()
                .is_some_and(|roles| !roles.contains(&row.role))
            || self
                .models
                .as_ref()
                .is_some_and(|models| !models.contains(self.corpus.model[at]))
        {
            return None;
        }
        let fits = |session: u32, branch: BranchState| {
            self.sessions
                .as_ref()
                .is_none_or(|sessions| sessions.contains(session))
                && self
                    .branches
                    .as_ref()
                    .is_none_or(|branches| branches.contains(&branch))
        };
        if fits(own, row.branch) {
            return Some(own);
        }
        let holders = self.corpus.holders(turn);
        holders
            .iter()
            .find(|holder| fits(holder.session, holder.branch))
            .map(|holder| holder.session)
    }

    /// True for a turn of the searcher's own context.
    pub(crate) fn is_live(&self, turn: u32) -> bool {
        !self.live_turns.is_empty() && self.live_turns.binary_search(&turn).is_ok()
    }

    /// True when every turn passes and counts for its own session.
    pub(crate) fn is_open(&self) -> bool {
        !self.looks_at_turns && self.sessions.is_none()
    }

    /// True when turns are looked at, so that a session cannot match by its labels alone.
    pub(crate) fn looks_at_turns(&self) -> bool {
        self.looks_at_turns
    }

    pub(crate) fn admits_session(&self, session: u32) -> bool {
        self.sessions
            .as_ref()
            .is_none_or(|sessions| sessions.contains(session))
    }

    pub(crate) fn session_count(&self) -> usize {
        match &self.sessions {
            Some(sessions) => sessions.count(),
            None => self.corpus.session_count(),
        }
    }
}

/// The sessions that pass; `None` for all.
fn sessions(plan: &mut Plan, request: &SearchRequest, corpus: &Corpus, labels: &Labels) -> Option<Bits> {
    let scope = &request.scope;
    let conditions = Conditions::new(plan, request, corpus, labels);
    let has_scope = scope.cwd.is_some()
        || scope.sessions.is_some()
        || !scope.without_sessions.is_empty()
        || !scope.tags.is_empty();
    if !has_scope && conditions.is_empty() {
        return None;
    }
    let tags: Vec<String> = scope
        .tags
        .iter()
        .map(|tag| tag.trim_start_matches('#').to_lowercase())
        .collect();
    let mut bits = Bits::new(corpus.session_count());
    for (session, summary) in (0..).zip(&corpus.summaries) {
        let in_scope = scope
            .cwd
            .as_ref()
            .is_none_or(|cwd| same_folder(&summary.cwd, cwd.as_str()))
            && scope
                .sessions
                .as_ref()
                .is_none_or(|ids| ids.contains(&summary.id))
            && !scope.without_sessions.contains(&summary.id)
            && tags
                .iter()
                .all(|tag| labels.tags(session).iter().any(|own| own == tag));
        if in_scope && conditions.hold(session, summary, corpus, labels) {
            bits.insert(session);
        }
    }
    Some(bits)
}

/// The filters of a query that look at sessions.
#[derive(Default)]
struct Conditions {
    tags: Vec<(String, bool)>,
    properties: Vec<(Property, bool)>,
    cwds: Choice<String>,
    names: Choice<String>,
    ids: Choice<String>,
}

/// Values of which one must fit, and values that must not.
struct Choice<T> {
    wanted: Vec<T>,
    unwanted: Vec<T>,
}

impl<T> Default for Choice<T> {
    fn default() -> Self {
        Self {
            wanted: Vec::new(),
            unwanted: Vec::new(),
        }
    }
}

impl<T: Clone + PartialEq> Choice<T> {
    fn push(&mut self, value: T, negated: bool) {
        if negated {
            self.unwanted.push(value);
        } else {
            self.wanted.push(value);
        }
    }

    fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.unwanted.is_empty()
    }

    fn hold(&self, fits: impl Fn(&T) -> bool) -> bool {
        (self.wanted.is_empty() || self.wanted.iter().any(&fits)) && !self.unwanted.iter().any(fits)
    }

    /// Keeps of what is allowed what fits. `None` allows all values.
    fn narrow(&self, allowed: &mut Option<Vec<T>>, all: &[T]) {
        if !self.is_empty() {
            let values = allowed.get_or_insert_with(|| all.to_vec());
            values.retain(|value| self.hold(|other| other == value));
        }
    }
}

impl Conditions {
    fn new(plan: &mut Plan, request: &SearchRequest, corpus: &Corpus, labels: &Labels) -> Self {
        let mut conditions = Self::default();
        for filter in &plan.filters.clone() {
            let negated = filter.negated;
            match &filter.kind {
                FilterKind::Tag(tag) => {
                    if !negated && !labels.tags.values().any(|tags| tags.contains(tag)) {
                        plan.warn(Warning::UnknownTag { tag: tag.clone() });
                    }
                    conditions.tags.push((tag.to_string(), negated));
                }
                FilterKind::Is(Property::Unread) if labels.unread.is_none() => {
                    plan.warn(Warning::UnreadUnknown)
                }
                FilterKind::Is(property) => conditions.properties.push((*property, negated)),
                FilterKind::Cwd(value) if value == "." => match &request.scope.current_cwd {
                    Some(cwd) => conditions.cwds.push(cwd.to_string(), negated),
                    None => plan.warn(Warning::CurrentFolderUnknown),
                },
                FilterKind::Cwd(value) => conditions.cwds.push(value.clone(), negated),
                FilterKind::Name(value) => conditions.names.push(value.to_lowercase(), negated),
                FilterKind::Session(value) => {
                    let id = value.to_lowercase();
                    let fitting = corpus
                        .summaries
                        .iter()
                        .filter(|summary| starts_with(summary, &id));
                    let exact = corpus
                        .summaries
                        .iter()
                        .any(|summary| summary.id.as_str() == value);
                    match fitting.count() {
                        0 => plan.warn(Warning::UnknownSession { id: value.clone() }),
                        1 => {}
                        _ if exact => {}
                        count => plan.warn(Warning::AmbiguousSession {
                            id: value.clone(),
                            count,
                        }),
                    }
                    conditions.ids.push(id, negated);
                }
                _ => {}
            }
        }
        conditions
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty()
            && self.properties.is_empty()
            && self.cwds.is_empty()
            && self.names.is_empty()
            && self.ids.is_empty()
    }

    fn hold(&self, session: u32, summary: &SessionSummary, corpus: &Corpus, labels: &Labels) -> bool {
        let has = |tag: &str| labels.tags(session).iter().any(|own| own == tag);
        let is = |property: Property| match property {
            Property::Fork => summary.parent_session.is_some() || parent(corpus, session) != NONE,
            Property::Tagged => !labels.tags(session).is_empty(),
            Property::Unread => labels
                .unread
                .as_ref()
                .and_then(|marks| marks.get(session as usize))
                .is_some_and(|mark| *mark),
        };
        self.tags.iter().all(|(tag, negated)| has(tag) != *negated)
            && self
                .properties
                .iter()
                .all(|(property, negated)| is(*property) != *negated)
            && (self.cwds.is_empty() || self.cwds.hold(|cwd| is_in_folder(&summary.cwd, cwd)))
            && (self.ids.is_empty() || self.ids.hold(|id| starts_with(summary, id)))
            && (self.names.is_empty() || {
                let name = summary.name.as_deref().unwrap_or_default().to_lowercase();
                self.names.hold(|wanted| name.contains(wanted.as_str()))
            })
    }
}

fn parent(corpus: &Corpus, session: u32) -> u32 {
    corpus.parent.get(session as usize).copied().unwrap_or(NONE)
}

/// Whether a session's id starts so. `start` is in lower case.
pub(super) fn starts_with(summary: &SessionSummary, start: &str) -> bool {
    let id = summary.id.as_str();
    id.get(..start.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(start))
        || !id.is_ascii() && id.to_lowercase().starts_with(start)
}

/// The same folder, whether or not a slash ends it.
pub(super) fn same_folder(one: &str, other: &str) -> bool {
    trimmed(one) == trimmed(other)
}

fn trimmed(path: &str) -> &str {
    let trimmed = path.trim_end_matches(['/', '\\']);
    if trimmed.is_empty() { path } else { trimmed }
}

/// An absolute path means that folder and those below it; anything else is a part of the path.
fn is_in_folder(cwd: &str, wanted: &str) -> bool {
    let bytes = wanted.as_bytes();
    let is_absolute = wanted.starts_with(['/', '\\'])
        || bytes.len() > 2 && bytes[1] == b':' && bytes[0].is_ascii_alphabetic();
    if !is_absolute {
        return cwd.to_lowercase().contains(&wanted.to_lowercase());
    }
    match trimmed(cwd).strip_prefix(trimmed(wanted)) {
        Some(rest) => {
            rest.is_empty() || rest.starts_with(['/', '\\']) || trimmed(wanted).ends_with(['/', '\\'])
        }
        None => false,
    }
}
