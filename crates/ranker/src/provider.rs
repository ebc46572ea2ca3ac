use std::ops::Range;

use crate::posting::{Leaf, Phrase, Posting, Slot};

/// The terms that a store of postings knows.
///
/// Which of them a word stands for (its forms, a prefix, a typo) is decided while planning; the store only lists
/// them, in any order, each with the number of turns that hold it.
pub trait Vocabulary {
    /// Why a look-up can fail.
    type Error;

    /// In how many turns the term occurs; 0 for an unknown term.
    fn document_frequency(&self, term: &str) -> Result<u32, Self::Error>;

    /// Visits every term that starts with `prefix`.
    fn terms_with_prefix(&self, prefix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), Self::Error>;

    /// Visits every term that contains `infix` anywhere.
    fn terms_containing(&self, infix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), Self::Error>;

    /// Visits every term that ends with `suffix`. What it does by default costs as much as [`Self::terms_containing`].
    fn terms_with_suffix(&self, suffix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), Self::Error> {
        self.terms_containing(suffix, &mut |term, count| {
            if term.ends_with(suffix) {
                visit(term, count);
            }
        })
    }

    /// Visits at least every term of letters alone within `distance` (1 or 2) edits of `term`; more is allowed, the
    /// planner measures again with [`analysis::edit_distance`](crate::analysis::edit_distance).
    fn terms_within_distance(
        &self,
        term: &str,
        distance: u8,
        visit: &mut dyn FnMut(&str, u32),
    ) -> Result<(), Self::Error>;
}

/// A store of postings: what an engine has to offer to be searched.
pub trait Provider: Vocabulary {
    /// Appends the postings of a leaf, by ascending turn, each turn at most once.
    ///
    /// A store with positions can leave the whole evaluation to [`resolve`].
    fn postings(&self, leaf: &Leaf, out: &mut Vec<Posting>) -> Result<(), Self::Error>;

    /// Appends those postings of a leaf that are in `turns`, which ascend. Ranking asks so for what takes positions and
    /// matters for few turns only.
    ///
    /// What it does by default looks all postings up; a store with positions can leave it to [`resolve_in`].
    fn postings_in(&self, leaf: &Leaf, turns: &[u32], out: &mut Vec<Posting>) -> Result<(), Self::Error> {
        let mut all = Vec::new();
        self.postings(leaf, &mut all)?;
        out.extend(postings_among(&all, turns));
        Ok(())
    }
}

/// Those postings that are in `turns`; both ascend.
fn postings_among<'p>(postings: &'p [Posting], turns: &'p [u32]) -> impl Iterator<Item = Posting> + 'p {
    let among = |posting: &&Posting| turns.binary_search(&posting.turn).is_ok();
    postings.iter().filter(among).copied()
}

/// Postings and positions of single terms, enough for [`resolve`] to answer any [`Leaf`].
pub trait TermSource {
    /// Why a look-up can fail.
    type Error;

    /// Appends the postings of a term, by ascending turn.
    fn term_postings(&self, term: &str, out: &mut Vec<Posting>) -> Result<(), Self::Error>;

    /// How many postings [`Self::term_postings`] would append, about.
    fn posting_count(&self, term: &str) -> Result<usize, Self::Error>;

    /// Keeps those of `turns`, which ascend, that hold the term.
    ///
    /// What it does by default reads all postings of the term; a store that can skip should.
    fn retain_with_term(&self, term: &str, turns: &mut Vec<u32>) -> Result<(), Self::Error> {
        let mut postings = Vec::new();
        self.term_postings(term, &mut postings)?;
        retain_in(&postings, turns);
        Ok(())
    }

    /// Visits the positions of a term, ascending, in those of `turns` (ascending) that hold it.
    fn term_positions(
        &self,
        term: &str,
        turns: &[u32],
        visit: &mut dyn FnMut(u32, &[u32]),
    ) -> Result<(), Self::Error>;
}

/// Answers a leaf from the postings and positions of its terms; appends to `out`.
pub fn resolve<S: TermSource>(leaf: &Leaf, source: &S, out: &mut Vec<Posting>) -> Result<(), S::Error> {
    match leaf {
        Leaf::Terms(terms) => union(terms, source, out),
        Leaf::Phrase(phrase) => {
            let slots = by_rarity(&phrase.slots, source)?;
            let turns = turns_with_all(&slots, source)?;
            phrase_in(&slots, &turns, source, out)
        }
        Leaf::Near { operands, distance } => {
            // Positions are dear: those of a common word are read only where its neighbours are.
            let slots = by_rarity(operands.iter().flat_map(|operand| &operand.slots), source)?;
            let turns = turns_with_all(&slots, source)?;
            near_in(operands, *distance, &turns, source, out)
        }
    }
}

/// Answers a leaf for some turns, which ascend; appends to `out`. Of phrases and neighbourhoods only the positions in
/// these turns are read.
pub fn resolve_in<S: TermSource>(
    leaf: &Leaf,
    turns: &[u32],
    source: &S,
    out: &mut Vec<Posting>,
) -> Result<(), S::Error> {
    match leaf {
        Leaf::Terms(terms) => {
            let mut all = Vec::new();
            union(terms, source, &mut all)?;
            out.extend(postings_among(&all, turns));
            Ok(())
        }
        Leaf::Phrase(phrase) => phrase_in(&by_rarity(&phrase.slots, source)?, turns, source, out),
        Leaf::Near { operands, distance } => near_in(operands, *distance, turns, source, out),
    }
}

fn union<S: TermSource>(
    terms: &[smol_str::SmolStr],
    source: &S,
    out: &mut Vec<Posting>,
) -> Result<(), S::Error> {
    let from = out.len();
    for term in terms {
        source.term_postings(term, out)?;
    }
    if terms.len() > 1 {
        add_up(out, from);
    }
    Ok(())
}

/// Puts postings, from index `from` on, in the order of their turns and adds up those of one turn.
fn add_up(postings: &mut Vec<Posting>, from: usize) {
    let turns = postings[from..].iter().map(|posting| posting.turn);
    let turns = turns.max().map_or(0, |turn| turn as usize + 1);
    // Postings of many terms are added up in a row of all turns: one step for each instead of sorting them. Where they
    // are few for so many turns, the row would cost more than the sorting, and where the last turn is far beyond what
    // they can be, more memory than there is.
    if turns / 32 > postings.len() - from {
        postings[from..].sort_by_key(|posting| posting.turn);
        merge_repeats(postings, from);
        return;
    }
    let mut sums = vec![0.0; turns];
    let mut found = vec![0u64; turns.div_ceil(64)];
    for posting in &postings[from..] {
        let turn = posting.turn as usize;
        sums[turn] += posting.tf;
        found[turn / 64] |= 1 << (turn % 64);
    }
    postings.truncate(from);
    for (word, mut bits) in (0u32..).step_by(64).zip(found) {
        while bits != 0 {
            let turn = word + bits.trailing_zeros();
            postings.push(Posting::new(turn, sums[turn as usize]));
            bits &= bits - 1;
        }
    }
}

/// Adds up neighbouring postings of the same turn, from index `from` on.
fn merge_repeats(postings: &mut Vec<Posting>, from: usize) {
    let mut kept = from;
    for i in from..postings.len() {
        let posting = postings[i];
        if kept > from && postings[kept - 1].turn == posting.turn {
            postings[kept - 1].tf += posting.tf;
        } else {
            postings[kept] = posting;
            kept += 1;
        }
    }
    postings.truncate(kept);
}

/// Turns, ascending, with positions in them.
#[derive(Debug, Default)]
struct Places {
    /// Each turn with the range of its positions.
    turns: Vec<(u32, Range<usize>)>,
    positions: Vec<u32>,
}

impl Places {
    fn push(&mut self, turn: u32, positions: impl IntoIterator<Item = u32>) {
        let start = self.positions.len();
        self.positions.extend(positions);
        if self.positions.len() > start {
            self.turns.push((turn, start..self.positions.len()));
        }
    }

    /// Adds those of a turn's starts that `positions` have, so much further on; both ascend.
    fn push_common(&mut self, turn: u32, starts: &[u32], positions: &[u32], offset: u32) {
        let first = self.positions.len();
        self.positions.resize(first + starts.len(), 0);
        let common = &mut self.positions[first..];
        let (mut count, mut at, mut other) = (0, 0, 0);
        // Without a branch on what they are: nobody could foretell which list goes on.
        while let (Some(start), Some(position)) = (starts.get(at), positions.get(other)) {
            let wanted = start.saturating_add(offset);
            common[count] = *start;
            count += usize::from(wanted == *position);
            at += usize::from(wanted <= *position);
            other += usize::from(*position < wanted);
        }
        self.positions.truncate(first + count);
        if count > 0 {
            self.turns.push((turn, first..first + count));
        }
    }

    fn of(&self, at: usize) -> &[u32] {
        &self.positions[self.turns[at].1.clone()]
    }
}

/// The postings of the phrase of these slots in those of these turns that have it.
fn phrase_in<S: TermSource>(
    slots: &[Counted<'_>],
    turns: &[u32],
    source: &S,
    out: &mut Vec<Posting>,
) -> Result<(), S::Error> {
    let starts = phrase_starts_in(slots, turns, source)?;
    let postings = starts.turns.iter();
    out.extend(postings.map(|(turn, range)| Posting::new(*turn, range.len() as f32)));
    Ok(())
}

/// Where the phrase of these slots starts in those of these turns that have it. Positions are dear: those of a slot are
/// read only in the turns that the slots before it leave.
fn phrase_starts_in<S: TermSource>(
    slots: &[Counted<'_>],
    turns: &[u32],
    source: &S,
) -> Result<Places, S::Error> {
    let Some((first, others)) = slots.split_first() else {
        return Ok(Places::default());
    };
    let mut starts = slot_positions(first.slot, turns, first.slot.offset, source)?;
    for Counted { slot, .. } in others {
        if starts.turns.is_empty() {
            break;
        }
        let candidates: Vec<u32> = starts.turns.iter().map(|(turn, _)| *turn).collect();
        starts = intersect_starts(
            &starts,
            &slot_positions(slot, &candidates, 0, source)?,
            slot.offset,
        );
    }
    Ok(starts)
}

/// Slots in the order in which they narrow the turns down: the rarest first.
fn by_rarity<'s, S: TermSource>(
    slots: impl IntoIterator<Item = &'s Slot>,
    source: &S,
) -> Result<Vec<Counted<'s>>, S::Error> {
    let uncounted = slots.into_iter().map(|slot| Counted { slot, count: 0 });
    let mut counted: Vec<Counted<'s>> = uncounted.collect();
    if counted.len() > 1 {
        for Counted { slot, count } in &mut counted {
            for term in &slot.terms {
                *count = count.saturating_add(source.posting_count(term)?);
            }
        }
    }
    counted.sort_by_key(|counted| counted.count);
    Ok(counted)
}

/// A slot with the number of its postings; 0 where it has no others to be compared with.
#[derive(Debug, Clone, Copy)]
struct Counted<'s> {
    slot: &'s Slot,
    count: usize,
}

/// How many postings are read in the time that it takes to ask for one turn.
const READ_IN_A_LOOK: usize = 16;

/// The turns that hold a term of every slot. Only the postings of the first slot are all read.
fn turns_with_all<S: TermSource>(slots: &[Counted<'_>], source: &S) -> Result<Vec<u32>, S::Error> {
    let Some((first, others)) = slots.split_first() else {
        return Ok(Vec::new());
    };
    let mut postings = Vec::new();
    union(&first.slot.terms, source, &mut postings)?;
    let mut turns: Vec<u32> = postings.iter().map(|posting| posting.turn).collect();
    for Counted { slot, count } in others {
        if turns.is_empty() {
            break;
        }
        let looks = turns.len().saturating_mul(slot.terms.len());
        if looks.saturating_mul(READ_IN_A_LOOK) < *count {
            let mut kept = Vec::new();
            for term in &slot.terms {
                let mut with_term = turns.clone();
                source.retain_with_term(term, &mut with_term)?;
                kept.append(&mut with_term);
            }
            kept.sort_unstable();
            kept.dedup();
            turns = kept;
        } else {
            postings.clear();
            union(&slot.terms, source, &mut postings)?;
            retain_in(&postings, &mut turns);
        }
    }
    Ok(turns)
}

/// How many times as many postings as turns make leaping over them worth while.
const WORTH_A_LEAP: usize = 16;

/// Keeps the turns that have a posting.
fn retain_in(postings: &[Posting], turns: &mut Vec<u32>) {
    let mut rest = postings;
    if postings.len() / WORTH_A_LEAP > turns.len() {
        turns.retain(|turn| {
            rest = &rest[gallop(rest, *turn)..];
            rest.first().is_some_and(|posting| posting.turn == *turn)
        });
        return;
    }
    let (mut kept, mut at, mut other) = (0, 0, 0);
    // Without a branch on what they are, as nobody could foretell which one goes on.
    while let (Some(turn), Some(posting)) = (turns.get(at).copied(), postings.get(other)) {
        turns[kept] = turn;
        kept += usize::from(turn == posting.turn);
        at += usize::from(turn <= posting.turn);
        other += usize::from(posting.turn <= turn);
    }
    turns.truncate(kept);
}

/// The first index whose turn is not below `turn`, found by doubling steps: cheap when the target is near.
fn gallop(postings: &[Posting], turn: u32) -> usize {
    let mut step = 1;
    while step < postings.len() && postings[step].turn < turn {
        step *= 2;
    }
    let end = postings.len().min(step + 1);
    let begin = step / 2;
    begin.min(end) + postings[begin.min(end)..end].partition_point(|posting| posting.turn < turn)
}

/// The places so much before those where one of the slot's terms stands, where there are such.
fn slot_positions<S: TermSource>(
    slot: &Slot,
    turns: &[u32],
    before: u32,
    source: &S,
) -> Result<Places, S::Error> {
    let mut places = Places::default();
    for term in &slot.terms {
        source.term_positions(term, turns, &mut |turn, positions| {
            let first = positions.partition_point(|position| *position < before);
            places.push(turn, positions[first..].iter().map(|position| position - before));
        })?;
    }
    if slot.terms.len() > 1 {
        places.turns.sort_by_key(|(turn, _)| *turn);
        let mut merged = Places::default();
        let mut own: Vec<u32> = Vec::new();
        for of_turn in places.turns.chunk_by(|(one, _), (other, _)| one == other) {
            own.clear();
            for (_, range) in of_turn {
                own.extend_from_slice(&places.positions[range.clone()]);
            }
            own.sort_unstable();
            own.dedup();
            merged.push(of_turn[0].0, own.iter().copied());
        }
        places = merged;
    }
    Ok(places)
}

fn intersect_starts(starts: &Places, found: &Places, offset: u32) -> Places {
    let mut kept = Places::default();
    let mut other = 0;
    for (at, (turn, _)) in starts.turns.iter().enumerate() {
        while found.turns.get(other).is_some_and(|(found, _)| found < turn) {
            other += 1;
        }
        let Some((found_turn, _)) = found.turns.get(other) else {
            break;
        };
        if found_turn != turn {
            continue;
        }
        kept.push_common(*turn, starts.of(at), found.of(other), offset);
    }
    kept
}

/// The postings of a neighbourhood in those of these turns that have it.
fn near_in<S: TermSource>(
    operands: &[Phrase],
    distance: u32,
    turns: &[u32],
    source: &S,
    out: &mut Vec<Posting>,
) -> Result<(), S::Error> {
    if turns.is_empty() {
        return Ok(());
    }
    let mut lists = Vec::with_capacity(operands.len());
    for operand in operands {
        let slots = by_rarity(&operand.slots, source)?;
        lists.push(phrase_starts_in(&slots, turns, source)?);
    }
    let Some((first, others)) = lists.split_first() else {
        return Ok(());
    };
    let spans: Vec<u32> = operands.iter().map(Phrase::span).collect();
    let reach = spans.iter().sum::<u32>().saturating_add(distance);
    let mut places = vec![0; others.len()];
    let mut all: Vec<(u32, usize)> = Vec::new();
    for (at, (turn, _)) in first.turns.iter().enumerate() {
        all.clear();
        all.extend(first.of(at).iter().map(|start| (*start, 0)));
        let mut complete = true;
        for ((operand, list), place) in (1..).zip(others).zip(&mut places) {
            while list.turns.get(*place).is_some_and(|(other, _)| other < turn) {
                *place += 1;
            }
            match list.turns.get(*place) {
                Some((other, _)) if other == turn => {
                    all.extend(list.of(*place).iter().map(|start| (*start, operand)));
                }
                _ => complete = false,
            }
        }
        if complete {
            all.sort_unstable();
            let count = neighbourhoods(&all, &spans, reach);
            if count > 0 {
                out.push(Posting::new(*turn, count as f32));
            }
        }
    }
    Ok(())
}

/// Counts windows of at most `reach` positions that hold every operand, each start used once.
fn neighbourhoods(all: &[(u32, usize)], spans: &[u32], reach: u32) -> usize {
    let mut counts = vec![0usize; spans.len()];
    let mut distinct = 0;
    let mut left = 0;
    let mut windows = 0;
    for right in 0..all.len() {
        let (start, operand) = all[right];
        if counts[operand] == 0 {
            distinct += 1;
        }
        counts[operand] += 1;
        while all[left].0.saturating_add(reach) < start.saturating_add(spans[operand]) {
            let gone = all[left].1;
            counts[gone] -= 1;
            if counts[gone] == 0 {
                distinct -= 1;
            }
            left += 1;
        }
        if distinct == spans.len() {
            windows += 1;
            for (_, gone) in &all[left..=right] {
                counts[*gone] = 0;
            }
            distinct = 0;
            left = right + 1;
        }
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn galloping_finds_the_first_turn_that_is_not_smaller() {
        let list: Vec<Posting> = [1, 4, 9, 16, 25].map(|turn| Posting::new(turn, 1.0)).into();
        for turn in 0..30 {
            assert_eq!(
                gallop(&list, turn),
                list.partition_point(|posting| posting.turn < turn),
                "{turn}"
            );
        }
        assert_eq!(gallop(&[], 3), 0);
    }

    #[test]
    fn postings_of_several_terms_add_up_in_the_order_of_turns() {
        let few = [(900_000, 1.0), (3, 2.0), (900_000, 4.0), (2, 1.0)];
        let many = (0..40).map(|at| (at * 7 % 20, 1.0));
        for given in [few.to_vec(), many.collect()] {
            let mut sums = std::collections::BTreeMap::new();
            for (turn, tf) in &given {
                *sums.entry(*turn).or_insert(0.0) += tf;
            }
            let first = Posting::new(5, 1.0);
            let mut postings = vec![first];
            postings.extend(given.iter().map(|(turn, tf)| Posting::new(*turn, *tf)));
            add_up(&mut postings, 1);
            let expected = sums.into_iter().map(|(turn, tf)| Posting::new(turn, tf));
            assert_eq!(postings, [vec![first], expected.collect()].concat());
        }
    }

    #[test]
    fn a_window_must_hold_every_operand() {
        // Positions 0 and 5 of one-word operands: three words lie between them and their own two.
        assert_eq!(neighbourhoods(&[(0, 0), (5, 1)], &[1, 1], 2 + 4), 1);
        assert_eq!(neighbourhoods(&[(0, 0), (5, 1)], &[1, 1], 2 + 3), 0);
        assert_eq!(neighbourhoods(&[(0, 0), (1, 0)], &[1, 1], 10), 0);
    }
}
