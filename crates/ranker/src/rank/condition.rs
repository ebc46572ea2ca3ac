use super::bits::Bits;
use crate::plan::{Condition, Plan};
use crate::{Corpus, Posting, Scale};

/// The turns for which a condition holds.
///
/// `All` holds within the scale: at session scale, a turn with one side counts when another turn of the session has
/// the other. What must not occur is looked at turn by turn, so a long session is not lost by one of its turns.
pub(super) fn turns_that_hold(
    condition: &Condition,
    plan: &Plan,
    postings: &[Vec<Posting>],
    corpus: &Corpus,
    scale: Scale,
) -> Bits {
    let eval = |condition: &Condition| turns_that_hold(condition, plan, postings, corpus, scale);
    match condition {
        Condition::Any(concepts) => {
            let mut bits = Bits::new(corpus.turn_count());
            for concept in concepts {
                for variant in &plan.concepts[*concept].variants {
                    for posting in postings.get(variant.leaf).into_iter().flatten() {
                        bits.insert(posting.turn);
                    }
                }
            }
            bits
        }
        Condition::Either(conditions) => {
            let mut bits = Bits::new(corpus.turn_count());
            for condition in conditions {
                bits.unite(&eval(condition));
            }
            bits
        }
        Condition::All(conditions) => all(conditions.iter().map(eval).collect(), corpus, scale),
        Condition::Without(kept, gone) => {
            let mut bits = eval(kept);
            for condition in gone {
                // Inside an exclusion, words belong together only in one turn.
                bits.subtract(&turns_that_hold(condition, plan, postings, corpus, Scale::Turn));
            }
            bits
        }
    }
}

fn all(sets: Vec<Bits>, corpus: &Corpus, scale: Scale) -> Bits {
    let count = match scale {
        Scale::Turn => {
            let mut sets = sets.into_iter();
            let mut bits = sets.next().unwrap_or_default();
            sets.for_each(|set| bits.intersect(&set));
            return bits;
        }
        Scale::Exchange => corpus.exchange_count(),
        Scale::Session => corpus.session_count(),
    };
    let group_of = |turn: u32| {
        let row = &corpus.rows[turn as usize];
        if scale == Scale::Exchange {
            row.exchange
        } else {
            row.session
        }
    };
    let mut common: Option<Bits> = None;
    let mut united = Bits::new(corpus.turn_count());
    for set in &sets {
        let mut bits = Bits::new(count);
        set.iter().for_each(|turn| bits.insert(group_of(turn)));
        match &mut common {
            Some(common) => common.intersect(&bits),
            None => common = Some(bits),
        }
        united.unite(set);
    }
    let common = common.unwrap_or_default();
    let mut kept = Bits::new(corpus.turn_count());
    united
        .iter()
        .filter(|turn| common.contains(group_of(*turn)))
        .for_each(|turn| kept.insert(turn));
    kept
}
