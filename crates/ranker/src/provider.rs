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

    /// Visits at least every term within `distance` (1 or 2) edits of `term`; more is allowed, the planner measures
    /// again with [`analysis::edit_distance`](crate::analysis::edit_distance).
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
}

/// Postings and positions of single terms, enough for [`resolve`] to answer any [`Leaf`].
pub trait TermSource {
    /// Why a look-up can fail.
    type Error;

    /// Appends the postings of a term, by ascending turn.
    fn term_postings(&self, term: &str, out: &mut Vec<Posting>) -> Result<(), Self::Error>;

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
            for (turn, starts) in phrase_starts(phrase, source)? {
                out.push(Posting::new(turn, starts.len() as f32));
            }
            Ok(())
        }
        Leaf::Near { operands, distance } => near(operands, *distance, source, out),
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
        out[from..].sort_by_key(|posting| posting.turn);
        merge_repeats(out, from);
    }
    Ok(())
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

/// A turn and positions in it.
type Places = (u32, Vec<u32>);

/// Where the phrase starts, per turn.
fn phrase_starts<S: TermSource>(phrase: &Phrase, source: &S) -> Result<Vec<Places>, S::Error> {
    let turns = turns_with_all(&phrase.slots, source)?;
    phrase_starts_in(phrase, turns, source)
}

/// Where the phrase starts in those of these turns that have it.
fn phrase_starts_in<S: TermSource>(
    phrase: &Phrase,
    turns: Vec<u32>,
    source: &S,
) -> Result<Vec<Places>, S::Error> {
    let mut starts: Vec<Places> = Vec::new();
    for (index, slot) in phrase.slots.iter().enumerate() {
        if index == 0 {
            starts = slot_positions(slot, &turns, source)?;
        } else {
            let candidates: Vec<u32> = starts.iter().map(|(turn, _)| *turn).collect();
            starts = intersect_starts(&starts, &slot_positions(slot, &candidates, source)?, slot.offset);
        }
        if starts.is_empty() {
            break;
        }
    }
    Ok(starts)
}

/// The turns that hold a term of every slot, starting from the rarest slot.
fn turns_with_all<S: TermSource>(slots: &[Slot], source: &S) -> Result<Vec<u32>, S::Error> {
    let mut lists = Vec::with_capacity(slots.len());
    for slot in slots {
        let mut postings = Vec::new();
        union(&slot.terms, source, &mut postings)?;
        if postings.is_empty() {
            return Ok(Vec::new());
        }
        lists.push(postings);
    }
    lists.sort_by_key(Vec::len);
    let mut lists = lists.into_iter();
    let mut turns: Vec<u32> = lists
        .next()
        .map(|list| list.iter().map(|posting| posting.turn).collect())
        .unwrap_or_default();
    for list in lists {
        let mut rest = list.as_slice();
        turns.retain(|turn| {
            let skip = gallop(rest, *turn);
            rest = &rest[skip..];
            rest.first().is_some_and(|posting| posting.turn == *turn)
        });
    }
    Ok(turns)
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

fn slot_positions<S: TermSource>(slot: &Slot, turns: &[u32], source: &S) -> Result<Vec<Places>, S::Error> {
    let mut places: Vec<Places> = Vec::new();
    for term in &slot.terms {
        source.term_positions(term, turns, &mut |turn, positions| {
            places.push((turn, positions.to_vec()));
        })?;
    }
    if slot.terms.len() > 1 {
        places.sort_by_key(|(turn, _)| *turn);
        let mut merged: Vec<Places> = Vec::with_capacity(places.len());
        for (turn, positions) in places {
            match merged.last_mut() {
                Some((last, known)) if *last == turn => known.extend(positions),
                _ => merged.push((turn, positions)),
            }
        }
        for (_, positions) in &mut merged {
            positions.sort_unstable();
            positions.dedup();
        }
        places = merged;
    }
    Ok(places)
}

fn intersect_starts(starts: &[Places], found: &[Places], offset: u32) -> Vec<Places> {
    let mut kept = Vec::new();
    let mut found = found.iter().peekable();
    for (turn, begin) in starts {
        while found.next_if(|(other, _)| other < turn).is_some() {}
        let Some((other, positions)) = found.peek() else {
            break;
        };
        if other != turn {
            continue;
        }
        let mut next = 0;
        let still: Vec<u32> = begin
            .iter()
            .copied()
            .filter(|start| {
                let wanted = start.saturating_add(offset);
                while next < positions.len() && positions[next] < wanted {
                    next += 1;
                }
                positions.get(next) == Some(&wanted)
            })
            .collect();
        if !still.is_empty() {
            kept.push((*turn, still));
        }
    }
    kept
}

fn near<S: TermSource>(
    operands: &[Phrase],
    distance: u32,
    source: &S,
    out: &mut Vec<Posting>,
) -> Result<(), S::Error> {
    // Positions are dear: those of a common word are read only where its neighbours are.
    let slots: Vec<Slot> = operands
        .iter()
        .flat_map(|operand| operand.slots.clone())
        .collect();
    let turns = turns_with_all(&slots, source)?;
    if turns.is_empty() {
        return Ok(());
    }
    let mut lists = Vec::with_capacity(operands.len());
    for operand in operands {
        lists.push((phrase_starts_in(operand, turns.clone(), source)?, operand.span()));
    }
    let Some(((first, _), others)) = lists.split_first() else {
        return Ok(());
    };
    let own_length: u32 = lists.iter().map(|(_, span)| *span).sum();
    let reach = own_length.saturating_add(distance);
    for (turn, starts) in first {
        let mut all: Vec<(u32, usize)> = starts.iter().map(|start| (*start, 0)).collect();
        let mut complete = true;
        for (index, (list, _)) in others.iter().enumerate() {
            match list.binary_search_by_key(turn, |(turn, _)| *turn) {
                Ok(at) => all.extend(list[at].1.iter().map(|start| (*start, index + 1))),
                Err(_) => complete = false,
            }
        }
        if complete {
            all.sort_unstable();
            let spans: Vec<u32> = lists.iter().map(|(_, span)| *span).collect();
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
    fn a_window_must_hold_every_operand() {
        // Positions 0 and 5 of one-word operands: three words lie between them and their own two.
        assert_eq!(neighbourhoods(&[(0, 0), (5, 1)], &[1, 1], 2 + 4), 1);
        assert_eq!(neighbourhoods(&[(0, 0), (5, 1)], &[1, 1], 2 + 3), 0);
        assert_eq!(neighbourhoods(&[(0, 0), (1, 0)], &[1, 1], 10), 0);
    }
}
