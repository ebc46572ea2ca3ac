use super::expand::{self, Expansion, MAX_EXPANSION, MAX_SLOT, Open};
use super::pattern::{AtomKind, Pattern};
use super::{Concept, MAX_CONCEPTS, Origin, Plan, Variant};
use crate::analysis::is_stop_word;
use crate::posting::{Leaf, Phrase, Slot};
use crate::{Relaxation, RelaxationStep, Vocabulary, Warning};

/// Warns where a word fits more terms than are searched.
pub(super) fn say_left_out(plan: &mut Plan, text: &str, found: &Expansion) {
    if found.fitting > found.terms.len() {
        plan.warn(Warning::TermsLeftOut {
            word: text.to_owned(),
            searched: found.terms.len(),
            fitting: found.fitting,
        });
    }
}

/// The leaves of longer words: single terms, and phrases whose ends are open.
pub(super) fn open_leaves<V: Vocabulary>(
    plan: &mut Plan,
    vocabulary: &V,
    pattern: &Pattern,
    open: Open,
    text: &str,
) -> Result<Vec<usize>, V::Error> {
    let mut leaves = Vec::new();
    let found = expand::longer_words(vocabulary, &pattern.joined(), open, MAX_EXPANSION)?;
    say_left_out(plan, text, &found);
    if !found.is_empty() {
        leaves.push(plan.leaf(Leaf::any_of(found.terms)));
    }
    let [first, .., last] = pattern.atoms.as_slice() else {
        return Ok(leaves);
    };
    let mut slots = Vec::with_capacity(pattern.atoms.len());
    for atom in &pattern.atoms {
        let ends_open = open != Open::Start && std::ptr::eq(atom, last) || atom.kind == AtomKind::Single;
        let starts_open = open != Open::End && std::ptr::eq(atom, first);
        let terms = if ends_open && atom.kind != AtomKind::Pair {
            let found = expand::longer_words(vocabulary, &atom.term, Open::End, MAX_SLOT)?;
            say_left_out(plan, &atom.term, &found);
            found.terms
        } else if starts_open && atom.kind != AtomKind::Pair {
            expand::longer_words(vocabulary, &atom.term, Open::Start, MAX_SLOT)?.terms
        } else {
            vec![atom.term.clone()]
        };
        if terms.is_empty() {
            return Ok(leaves);
        }
        slots.push(Slot {
            offset: atom.position - first.position,
            terms,
        });
    }
    leaves.push(plan.leaf(Leaf::Phrase(Phrase { slots })));
    Ok(leaves)
}

/// Adds a concept for each part of a word; returns their indices.
pub(super) fn fragments(plan: &mut Plan, pattern: &Pattern, weight: f32) -> Vec<usize> {
    let mut concepts = Vec::new();
    if weight <= 0.0 || pattern.atoms.len() < 2 {
        return concepts;
    }
    for atom in &pattern.atoms {
        let says_little = is_stop_word(&atom.term) || atom.kind == AtomKind::Single;
        if says_little || plan.concepts.len() >= MAX_CONCEPTS {
            continue;
        }
        let leaf = plan.leaf(Leaf::term(&atom.term));
        plan.concepts.push(Concept {
            text: atom.term.to_string(),
            weight,
            variants: vec![Variant { leaf, weight: 1.0 }],
            optional: false,
            origin: Origin::Fixed,
        });
        concepts.push(plan.concepts.len() - 1);
    }
    concepts
}

/// Notes what was searched instead of a word.
pub(super) fn note(plan: &mut Plan, word: &str, step: RelaxationStep, found: &Expansion) {
    plan.relaxed.push(Relaxation {
        word: word.to_owned(),
        step,
        terms: found.terms.iter().take(10).cloned().collect(),
        term_count: found.terms.len(),
    });
}
