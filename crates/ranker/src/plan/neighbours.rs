use super::{Concept, Origin, Plan};
use crate::Policy;
use crate::posting::{Leaf, Phrase, Posting, Slot};

/// Words that follow one another in the query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Neighbours {
    /// Where they stand near one another. Not among the leaves of the plan: it is looked up only for turns that can be
    /// on the page.
    pub(crate) leaf: Leaf,
    pub(crate) concepts: [usize; 2],
}

/// Positions between two words that still are near one another: about a clause.
const DISTANCE: u32 = 6;

/// Words of a query beyond which it is a pasted text, where the words themselves are enough.
const MAX_WORDS: usize = 8;

/// Turns with the rarer of two words beyond which nothing is looked up: words that are everywhere meet by chance.
const MAX_TURNS: usize = 2_000;

/// Forms of a word beyond which it is too vague to have neighbours.
const MAX_TERMS: usize = 32;

/// Notes the words that follow one another. `postings` are those of the leaves that the plan has.
pub(crate) fn pair_neighbours(plan: &mut Plan, postings: &[Vec<Posting>], policy: &Policy) {
    plan.neighbours.clear();
    if policy.boosts.neighbours <= 0.0 {
        return;
    }
    let words: Vec<usize> = plan
        .scored()
        .into_iter()
        .filter(|index| matches!(plan.concepts[*index].origin, Origin::Word(_)))
        .filter(|index| !plan.concepts[*index].optional)
        .collect();
    if words.len() > MAX_WORDS {
        return;
    }
    for pair in words.windows(2) {
        let found = |concept: usize| -> usize {
            let variants = &plan.concepts[concept].variants;
            variants
                .iter()
                .map(|variant| postings.get(variant.leaf).map_or(0, Vec::len))
                .sum()
        };
        let rarer = found(pair[0]).min(found(pair[1]));
        if rarer == 0 || rarer > MAX_TURNS {
            continue;
        }
        let operand = |concept: usize| operand(&plan.concepts[concept], &plan.leaves);
        let (Some(one), Some(other)) = (operand(pair[0]), operand(pair[1])) else {
            continue;
        };
        plan.neighbours.push(Neighbours {
            leaf: Leaf::Near {
                operands: vec![one, other],
                distance: DISTANCE,
            },
            concepts: [pair[0], pair[1]],
        });
    }
}

/// What a word looks like in texts: the parts of an identifier in their order, else any of its forms.
fn operand(concept: &Concept, leaves: &[Leaf]) -> Option<Phrase> {
    let mut terms = Vec::new();
    for variant in &concept.variants {
        match &leaves[variant.leaf] {
            Leaf::Phrase(phrase) => return Some(phrase.clone()),
            Leaf::Terms(more) => terms.extend(more.iter().cloned()),
            Leaf::Near { .. } => return None,
        }
    }
    (!terms.is_empty() && terms.len() <= MAX_TERMS).then(|| Phrase {
        slots: vec![Slot { offset: 0, terms }],
    })
}
