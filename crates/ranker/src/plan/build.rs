use smol_str::SmolStr;

use super::expand::{self, Expansion, MAX_EXPANSION, MAX_SLOT, Open};
use super::loose::{fragments, open_leaves, say_left_out};
use super::pattern::{Atom, AtomKind, Pattern};
use super::question::{is_name, is_question, is_stop};
use super::{Concept, Condition, LONG_LIST, MAX_CONCEPTS, Origin, Plan, Variant};
use crate::posting::{Leaf, Phrase, Slot};
use crate::query::{Node, Query, Word, WordPart};
use crate::{Joining, Policy, SearchRequest, Vocabulary, Warning};

/// Places of the query as one phrase, at most: the first ones of a longer query.
const MAX_WHOLE_QUERY: usize = 32;

/// Characters of a run without spaces from which its pairs are searched one by one beside the run as a whole: a
/// sentence, not a word.
const SENTENCE_CHARS: usize = 5;

/// Plans a query.
pub(crate) fn plan<V: Vocabulary>(
    query: &Query,
    request: &SearchRequest,
    vocabulary: &V,
) -> Result<Plan, V::Error> {
    let mut builder = Builder {
        policy: &request.policy,
        exact: request.exact,
        vocabulary,
        plan: Plan {
            filters: query.filters.clone(),
            warnings: query.warnings.clone(),
            ..Plan::default()
        },
        texts: Vec::new(),
    };
    if let Some(root) = &query.root {
        let condition = builder.node(root)?;
        builder.whole_query(root);
        builder.plan.condition =
            condition.filter(|condition| !is_any_of_all(condition, &builder.plan.concepts));
        if builder.plan.concepts.is_empty() && builder.plan.ids.is_empty() {
            builder.plan.fits_nothing = has_part_of_word(root);
            if !builder.plan.fits_nothing {
                builder.plan.warn(Warning::NothingToSearch);
            }
        }
    }
    Ok(builder.plan)
}

/// True when a part of a word is asked for. That no word has it, is an answer.
fn has_part_of_word(node: &Node) -> bool {
    match node {
        Node::Word(word) => word.part != WordPart::Whole && word.text.chars().any(char::is_alphanumeric),
        Node::Phrase(_) => false,
        Node::Near { operands: nodes, .. } | Node::List(nodes) | Node::And(nodes) | Node::Or(nodes) => {
            nodes.iter().any(has_part_of_word)
        }
        Node::Not(inner) => has_part_of_word(inner),
    }
}

/// True when any concept is enough: no condition needs to be looked at then.
fn is_any_of_all(condition: &Condition, concepts: &[Concept]) -> bool {
    matches!(condition, Condition::Any(any) if any.len() == concepts.len())
}

struct Builder<'a, V> {
    policy: &'a Policy,
    exact: bool,
    vocabulary: &'a V,
    plan: Plan,
    /// What the concepts were made of, so that a repeated word is one concept.
    texts: Vec<(Node, Vec<usize>)>,
}

impl<V: Vocabulary> Builder<'_, V> {
    /// The condition of a node; `None` when nothing in it can be searched.
    fn node(&mut self, node: &Node) -> Result<Option<Condition>, V::Error> {
        match node {
            Node::Word(_) | Node::Phrase(_) | Node::Near { .. } => {
                let concepts = self.operand(node)?;
                Ok((!concepts.is_empty()).then_some(Condition::Any(concepts)))
            }
            Node::List(nodes) => self.list(nodes),
            Node::And(nodes) => Ok(all(self.nodes(nodes)?)),
            Node::Or(nodes) => Ok(either(self.nodes(nodes)?)),
            // Stands in lists only, where it is taken care of.
            Node::Not(inner) => self.node(inner),
        }
    }

    fn nodes(&mut self, nodes: &[Node]) -> Result<Vec<Condition>, V::Error> {
        let mut conditions = Vec::with_capacity(nodes.len());
        for node in nodes {
            conditions.extend(self.node(node)?);
        }
        Ok(conditions)
    }

    fn list(&mut self, nodes: &[Node]) -> Result<Option<Condition>, V::Error> {
        let (gone, mut kept): (Vec<&Node>, Vec<&Node>) =
            nodes.iter().partition(|node| matches!(node, Node::Not(_)));
        dedup(&mut kept);
        let mut optional = Vec::new();
        if self.policy.forms.stop_word < 1.0 && kept.iter().any(|node| !is_stop(node)) {
            (optional, kept) = kept.into_iter().partition(|node| is_stop(node));
        }
        if self.policy.joining == Joining::Any {
            self.keep_rarest(&mut kept)?;
        }
        let is_question = is_question(nodes.len(), kept.len());
        let mut conditions = Vec::with_capacity(kept.len());
        for node in kept {
            let before = self.plan.concepts.len();
            conditions.extend(self.node(node)?);
            if is_question && is_name(node, nodes) {
                for concept in &mut self.plan.concepts[before..] {
                    concept.weight *= self.policy.forms.name;
                }
            }
        }
        if self.policy.forms.stop_word > 0.0 {
            for node in optional {
                for concept in self.operand(node)? {
                    self.plan.concepts[concept].optional = true;
                    self.plan.concepts[concept].weight = self.policy.forms.stop_word;
                }
            }
        }
        let kept = match self.policy.joining {
            Joining::Any => either(conditions),
            Joining::All => all(conditions),
        };
        let Some(kept) = kept else {
            return Ok(None);
        };
        let mut without = Vec::with_capacity(gone.len());
        for node in gone {
            if let Node::Not(inner) = node {
                without.extend(self.node(inner)?);
            }
        }
        Ok(Some(if without.is_empty() {
            kept
        } else {
            Condition::Without(Box::new(kept), without)
        }))
    }

    /// Of a very long list, keeps the words that tell most.
    fn keep_rarest(&mut self, nodes: &mut Vec<&Node>) -> Result<(), V::Error> {
        if nodes.len() <= LONG_LIST {
            return Ok(());
        }
        let mut ranked = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            let pattern = match node {
                Node::Word(word) => Pattern::of(&word.text),
                Node::Phrase(text) => Pattern::of(text),
                _ => Pattern::default(),
            };
            let mut rarest = u32::MAX;
            for atom in pattern.atoms.iter().take(8) {
                let term = pattern.whole.as_ref().unwrap_or(&atom.term);
                let count = self.vocabulary.document_frequency(term)?;
                // Words that nobody wrote tell nothing.
                rarest = rarest.min(if count == 0 { u32::MAX } else { count });
            }
            ranked.push((rarest, index));
        }
        ranked.sort_unstable();
        let mut kept: Vec<usize> = ranked.iter().take(LONG_LIST).map(|(_, index)| *index).collect();
        kept.sort_unstable();
        self.plan.warn(Warning::WordsLeftOut {
            searched: kept.len(),
            left_out: nodes.len() - kept.len(),
        });
        *nodes = kept.into_iter().map(|index| nodes[index]).collect();
        Ok(())
    }

    /// The concepts of a word, phrase or neighbourhood: several where its fragments count too.
    fn operand(&mut self, node: &Node) -> Result<Vec<usize>, V::Error> {
        if let Some((_, concepts)) = self.texts.iter().find(|(known, _)| known == node) {
            return Ok(concepts.clone());
        }
        let concepts = match node {
            Node::Word(word) => self.word(word)?,
            Node::Phrase(text) => self.phrase(text)?,
            Node::Near { operands, distance } => self.near(operands, *distance)?,
            _ => Vec::new(),
        };
        self.texts.push((node.clone(), concepts.clone()));
        Ok(concepts)
    }

    fn push(&mut self, concept: Concept) -> Option<usize> {
        let variants: Vec<Variant> = concept
            .variants
            .iter()
            .copied()
            .filter(|variant| variant.weight > 0.0)
            .collect();
        if variants.is_empty() {
            return None;
        }
        if self.plan.concepts.len() >= MAX_CONCEPTS {
            let mut more = 1;
            self.plan.warnings.retain(|warning| match warning {
                Warning::WordsLeftOut { left_out, .. } => {
                    more = left_out + 1;
                    false
                }
                _ => true,
            });
            self.plan.warn(Warning::WordsLeftOut {
                searched: MAX_CONCEPTS,
                left_out: more,
            });
            return None;
        }
        self.plan.concepts.push(Concept { variants, ..concept });
        Some(self.plan.concepts.len() - 1)
    }

    fn word(&mut self, word: &Word) -> Result<Vec<usize>, V::Error> {
        if word.part == WordPart::Whole || word.part == WordPart::Typing {
            self.session_id(&word.text);
        }
        let pattern = Pattern::of(&word.text);
        if pattern.atoms.is_empty() {
            return Ok(Vec::new());
        }
        let mut variants = match word.part {
            WordPart::Whole | WordPart::Typing => self.exact(&pattern)?,
            WordPart::Prefix => self.open(&pattern, Open::End, &word.to_string())?,
            WordPart::Infix => self.open(&pattern, Open::Both, &word.to_string())?,
            WordPart::Suffix => self.open(&pattern, Open::Start, &word.to_string())?,
        };
        if word.part == WordPart::Whole && !self.exact {
            self.add_forms(&pattern, &mut variants)?;
        }
        if word.part == WordPart::Typing {
            // No warning: whoever types on will be more exact.
            let warnings = self.plan.warnings.clone();
            let longer = self.open(&pattern, Open::End, &word.text)?;
            self.plan.warnings = warnings;
            for variant in longer {
                variants.push(Variant {
                    weight: variant.weight * self.policy.forms.prefix,
                    ..variant
                });
            }
        }
        let asked = matches!(word.part, WordPart::Whole | WordPart::Typing);
        let concept = Concept {
            text: word.to_string(),
            weight: 1.0,
            variants,
            optional: false,
            origin: if asked {
                Origin::Word(pattern.clone())
            } else {
                Origin::Fixed
            },
        };
        let mut concepts: Vec<usize> = self.push(concept).into_iter().collect();
        if asked && !self.exact && self.policy.joining == Joining::Any {
            let pairs = pattern
                .atoms
                .iter()
                .filter(|atom| atom.kind == AtomKind::Pair)
                .count();
            if pairs + 1 >= SENTENCE_CHARS {
                concepts.extend(self.fragments(&pattern));
            }
        }
        Ok(concepts)
    }

    /// A word that may be the id of a session or its start.
    fn session_id(&mut self, text: &str) {
        let looks_like_id = text.len() >= 8
            && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
            && text.bytes().any(|byte| byte.is_ascii_digit());
        if looks_like_id && self.policy.boosts.session_id > 0.0 && self.plan.ids.len() < MAX_CONCEPTS {
            self.plan.ids.push(text.to_ascii_lowercase());
        }
    }

    /// The ways to find a word as it is: the whole identifier, its parts in order.
    fn exact(&mut self, pattern: &Pattern) -> Result<Vec<Variant>, V::Error> {
        let mut variants = Vec::new();
        let parts = self.sequence(&pattern.atoms)?;
        if let Some(whole) = &pattern.whole {
            let leaf = self.plan.leaf(Leaf::term(whole));
            variants.push(Variant { leaf, weight: 1.0 });
            // `#12` is nearly `12`; `c++` is hardly `c`.
            let is_letter =
                pattern.atoms.len() == 1 && !pattern.atoms[0].term.starts_with(|c: char| c.is_ascii_digit());
            let weight = if is_letter {
                self.policy.forms.fragment
            } else {
                self.policy.forms.parts
            };
            variants.extend(parts.map(|leaf| Variant { leaf, weight }));
        } else {
            variants.extend(parts.map(|leaf| Variant { leaf, weight: 1.0 }));
        }
        Ok(variants)
    }

    /// The leaf of atoms in their order: a term or a phrase.
    fn sequence(&mut self, atoms: &[Atom]) -> Result<Option<usize>, V::Error> {
        let mut slots = Vec::with_capacity(atoms.len());
        for atom in atoms {
            let terms = match atom.kind {
                AtomKind::Word | AtomKind::Pair => vec![atom.term.clone()],
                AtomKind::Single => {
                    let limit = if atoms.len() == 1 { MAX_EXPANSION } else { MAX_SLOT };
                    let found = expand::longer_words(self.vocabulary, &atom.term, Open::End, limit)?;
                    self.say_left_out(&atom.term, &found);
                    found.terms
                }
            };
            slots.push((atom.position, terms));
        }
        Ok(self.slots(slots))
    }

    /// The leaf of terms at positions; `None` when a place has no term.
    fn slots(&mut self, slots: Vec<(u32, Vec<SmolStr>)>) -> Option<usize> {
        if slots.is_empty() || slots.iter().any(|(_, terms)| terms.is_empty()) {
            return None;
        }
        let first = slots[0].0;
        let mut slots: Vec<Slot> = slots
            .into_iter()
            .map(|(position, terms)| Slot {
                offset: position - first,
                terms,
            })
            .collect();
        let leaf = match slots.as_mut_slice() {
            [only] => Leaf::any_of(std::mem::take(&mut only.terms)),
            _ => Leaf::Phrase(Phrase { slots }),
        };
        Some(self.plan.leaf(leaf))
    }

    /// The ways to find longer words, by the vocabulary.
    fn open(&mut self, pattern: &Pattern, open: Open, text: &str) -> Result<Vec<Variant>, V::Error> {
        let leaves = open_leaves(&mut self.plan, self.vocabulary, pattern, open, text)?;
        Ok(leaves
            .into_iter()
            .map(|leaf| Variant { leaf, weight: 1.0 })
            .collect())
    }

    fn add_forms(&mut self, pattern: &Pattern, variants: &mut Vec<Variant>) -> Result<(), V::Error> {
        let weights = self.policy.forms;
        if weights.word_form <= 0.0 {
            return Ok(());
        }
        if let Some(word) = pattern.single_word() {
            let (inflected, derived) = expand::word_forms(self.vocabulary, word)?;
            for (found, weight) in [(inflected, weights.word_form), (derived, weights.derived_form)] {
                if !found.is_empty() && weight > 0.0 {
                    let leaf = self.plan.leaf(Leaf::any_of(found.terms));
                    variants.push(Variant { leaf, weight });
                }
            }
        }
        Ok(())
    }

    /// A concept for each part of a word.
    fn fragments(&mut self, pattern: &Pattern) -> Vec<usize> {
        let weight = self.policy.forms.fragment;
        fragments(&mut self.plan, pattern, weight)
    }

    fn phrase(&mut self, text: &str) -> Result<Vec<usize>, V::Error> {
        let pattern = Pattern::of(text);
        let is_word = pattern.atoms.len() == 1 || pattern.whole.is_some();
        let variants = self.exact(&pattern)?;
        let concept = Concept {
            text: format!("\"{text}\""),
            weight: if is_word { 1.0 } else { self.policy.forms.phrase },
            variants,
            optional: false,
            origin: Origin::Fixed,
        };
        Ok(self.push(concept).into_iter().collect())
    }

    fn near(&mut self, operands: &[Node], distance: u32) -> Result<Vec<usize>, V::Error> {
        let mut phrases = Vec::new();
        for operand in operands {
            let (pattern, open) = match operand {
                Node::Word(word) => (
                    Pattern::of(&word.text),
                    match word.part {
                        WordPart::Whole | WordPart::Typing => None,
                        WordPart::Prefix => Some(Open::End),
                        WordPart::Infix => Some(Open::Both),
                        WordPart::Suffix => Some(Open::Start),
                    },
                ),
                Node::Phrase(text) => (Pattern::of(text), None),
                _ => continue,
            };
            let mut slots = Vec::new();
            for atom in &pattern.atoms {
                let open = open.or((atom.kind == AtomKind::Single).then_some(Open::End));
                let terms = match open {
                    Some(open) => expand::longer_words(self.vocabulary, &atom.term, open, MAX_SLOT)?.terms,
                    None => vec![atom.term.clone()],
                };
                slots.push(Slot {
                    offset: atom.position - pattern.atoms[0].position,
                    terms,
                });
            }
            if slots.iter().any(|slot| slot.terms.is_empty()) {
                // A word that nothing starts with: found nowhere, so nothing is near it.
                slots = vec![Slot {
                    offset: 0,
                    terms: vec![SmolStr::default()],
                }];
            }
            if !slots.is_empty() {
                phrases.push(Phrase { slots });
            }
        }
        if phrases.is_empty() {
            return Ok(Vec::new());
        }
        let leaf = self.plan.leaf(Leaf::Near {
            operands: phrases,
            distance,
        });
        let concept = Concept {
            text: format!(
                "NEAR({})",
                operands
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(" ")
            ),
            weight: self.policy.forms.phrase,
            variants: vec![Variant { leaf, weight: 1.0 }],
            optional: false,
            origin: Origin::Fixed,
        };
        Ok(self.push(concept).into_iter().collect())
    }

    /// The words of a query without operators as one phrase.
    fn whole_query(&mut self, root: &Node) {
        if self.policy.boosts.whole_query <= 0.0 {
            return;
        }
        let nodes = match root {
            Node::List(nodes) => nodes.as_slice(),
            other => std::slice::from_ref(other),
        };
        let mut atoms = Vec::new();
        let mut position = 0;
        for node in nodes {
            let text = match node {
                Node::Word(word) if matches!(word.part, WordPart::Whole | WordPart::Typing) => &word.text,
                _ => return,
            };
            let (pattern, end) = Pattern::of(text).moved(position);
            position = end;
            atoms.extend(pattern.atoms);
        }
        atoms.truncate(MAX_WHOLE_QUERY);
        if atoms.len() < 2 || atoms.iter().any(|atom| atom.kind == AtomKind::Single) {
            return;
        }
        let slots = atoms
            .into_iter()
            .map(|atom| (atom.position, vec![atom.term]))
            .collect();
        self.plan.whole_query = self.slots(slots);
    }

    fn say_left_out(&mut self, text: &str, found: &Expansion) {
        say_left_out(&mut self.plan, text, found);
    }
}

fn all(mut conditions: Vec<Condition>) -> Option<Condition> {
    match conditions.len() {
        0 | 1 => conditions.pop(),
        _ => Some(Condition::All(conditions)),
    }
}

/// Any of these; alternatives that are concepts alone become one.
fn either(conditions: Vec<Condition>) -> Option<Condition> {
    let mut concepts = Vec::new();
    let mut others = Vec::new();
    for condition in conditions {
        match condition {
            Condition::Any(any) => concepts.extend(any),
            other => others.push(other),
        }
    }
    concepts.sort_unstable();
    concepts.dedup();
    if !concepts.is_empty() {
        others.insert(0, Condition::Any(concepts));
    }
    match others.len() {
        0 | 1 => others.pop(),
        _ => Some(Condition::Either(others)),
    }
}

/// Drops repeats, keeping the first.
fn dedup(nodes: &mut Vec<&Node>) {
    let mut seen: std::collections::HashSet<String> = std::collections::HashSet::new();
    nodes.retain(|node| seen.insert(node.to_string()));
}
