use super::expand::{self, Expansion, MAX_EXPANSION, Open};
use super::loose::{fragments, note, open_leaves, say_left_out};
use super::pattern::{AtomKind, Pattern};
use super::{Condition, Origin, Plan, Variant};
use crate::posting::Leaf;
use crate::{Policy, RelaxationStep, Vocabulary};

/// How far a search goes beyond the exact words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// Longer words, parts of identifiers.
    LongerWords,
    /// Slips of the keyboard.
    Typos,
}

/// The characters that a word must have before longer words stand for it.
const MIN_PREFIX: usize = 3;

/// Adds less exact ways to find these concepts. True when there was one.
pub(crate) fn relax<V: Vocabulary>(
    plan: &mut Plan,
    concepts: &[usize],
    step: Step,
    policy: &Policy,
    vocabulary: &V,
) -> Result<bool, V::Error> {
    let mut changed = false;
    for &index in concepts {
        let concept = &plan.concepts[index];
        let Origin::Word(pattern) = &concept.origin else {
            continue;
        };
        let (pattern, text) = (pattern.clone(), concept.text.clone());
        changed |= match step {
            Step::LongerWords => longer(plan, index, &pattern, &text, policy, vocabulary)?,
            Step::Typos => typos(plan, index, &pattern, &text, policy, vocabulary)?,
        };
    }
    Ok(changed)
}

fn longer<V: Vocabulary>(
    plan: &mut Plan,
    index: usize,
    pattern: &Pattern,
    text: &str,
    policy: &Policy,
    vocabulary: &V,
) -> Result<bool, V::Error> {
    if let Some(word) = pattern.single_word() {
        if word.chars().count() < MIN_PREFIX {
            return Ok(false);
        }
        for (open, step, weight) in [
            (Open::End, RelaxationStep::Prefix, policy.forms.prefix),
            (Open::Both, RelaxationStep::Infix, policy.forms.infix),
        ] {
            let mut found = expand::longer_words(vocabulary, word, open, MAX_EXPANSION)?;
            found.terms.retain(|term| term != word);
            if add(plan, index, &found, weight) {
                say_left_out(plan, text, &found);
                note(plan, text, step, &found);
                return Ok(true);
            }
        }
        return Ok(false);
    }
    // Substrings that span tokens, `bar.baz(q` in `foobar.baz(qux)`.
    let before = plan.leaves.len();
    let leaves = open_leaves(plan, vocabulary, pattern, Open::Both, text)?;
    let mut changed = false;
    for leaf in leaves {
        if leaf >= before {
            plan.concepts[index].variants.push(Variant {
                leaf,
                weight: policy.forms.infix,
            });
            changed = true;
        }
    }
    if changed {
        note(plan, text, RelaxationStep::Infix, &Expansion::default());
    }
    let added = fragments(plan, pattern, policy.forms.fragment);
    if !added.is_empty() {
        let terms = added
            .iter()
            .map(|at| plan.concepts[*at].text.as_str().into())
            .collect();
        let found = Expansion {
            terms,
            fitting: added.len(),
        };
        note(plan, text, RelaxationStep::Fragments, &found);
        if let Some(condition) = &mut plan.condition {
            join(condition, index, &added);
        }
        changed = true;
    }
    Ok(changed)
}

fn typos<V: Vocabulary>(
    plan: &mut Plan,
    index: usize,
    pattern: &Pattern,
    text: &str,
    policy: &Policy,
    vocabulary: &V,
) -> Result<bool, V::Error> {
    let joined = pattern.joined();
    if pattern.atoms.iter().any(|atom| atom.kind != AtomKind::Word)
        || pattern.whole.is_none() && pattern.atoms.len() > 1
    {
        return Ok(false);
    }
    let found = expand::typos(vocabulary, &joined)?;
    if !add(plan, index, &found, policy.forms.typo) {
        return Ok(false);
    }
    note(plan, text, RelaxationStep::Typo, &found);
    Ok(true)
}

/// Adds terms as another way to find a concept.
fn add(plan: &mut Plan, index: usize, found: &Expansion, weight: f32) -> bool {
    if found.is_empty() || weight <= 0.0 {
        return false;
    }
    let leaf = plan.leaf(Leaf::any_of(found.terms.clone()));
    plan.concepts[index].variants.push(Variant { leaf, weight });
    true
}

/// Lets fragments stand where their concept stands.
fn join(condition: &mut Condition, concept: usize, fragments: &[usize]) {
    match condition {
        Condition::Any(concepts) => {
            if concepts.contains(&concept) {
                concepts.extend(fragments);
            }
        }
        Condition::All(conditions) | Condition::Either(conditions) => {
            conditions
                .iter_mut()
                .for_each(|condition| join(condition, concept, fragments));
        }
        Condition::Without(kept, _) => join(kept, concept, fragments),
    }
}
