use super::irregular::irregular_forms;

/// Endings that make another part of speech, with the letters that must be left before them.
const DERIVATIONS: &[(&str, usize)] = &[
    ("ization", 3),
    ("ability", 4),
    ("ibility", 4),
    ("ator", 4),
    ("ence", 5),
    ("ance", 5),
    ("er", 4),
    ("ation", 4),
    ("ize", 4),
    ("ise", 4),
    ("ate", 4),
    ("ment", 4),
    ("ness", 3),
    ("ion", 4),
    ("ly", 4),
    ("al", 5),
    ("able", 4),
    ("ible", 4),
];

/// The stem of an English word, light: endings of number, tense and the commonest derivations are taken off. Other
/// words come back as they are.
///
/// Stems are compared with one another and never stored, so they need not be words.
pub fn stem(word: &str) -> String {
    if !has_endings(word) {
        return word.to_owned();
    }
    let singular = without_plural(word);
    let base = match without_tense(&singular) {
        // `migrat-ed`, `normaliz-ed`: what a derivation would leave, too.
        Some(verb) => ["at", "iz", "is"]
            .iter()
            .find_map(|ending| verb.strip_suffix(ending).filter(|base| base.len() >= 4))
            .map_or_else(|| verb.clone(), str::to_owned),
        None => without_derivation(&singular),
    };
    settled(base)
}

/// The word without the endings of number and tense, for comparing.
fn inflected(word: &str) -> String {
    if !has_endings(word) {
        return word.to_owned();
    }
    let singular = without_plural(word);
    settled(without_tense(&singular).unwrap_or(singular))
}

fn has_endings(word: &str) -> bool {
    word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn without_derivation(word: &str) -> String {
    for (ending, least) in DERIVATIONS {
        if let Some(base) = word.strip_suffix(ending)
            && base.len() >= *least
        {
            // A career is no care.
            if *ending == "er" && base.ends_with('e') {
                break;
            }
            return if ending.starts_with(|first: char| "aei".contains(first)) {
                restored(base)
            } else {
                base.to_owned()
            };
        }
    }
    word.to_owned()
}

/// Takes off what differs at the very end between the forms of one word: `cache` and `cach-ing`, `study` and
/// `studi-es`, `control` and `controll-ed`. The last letter of `hope` stays: it is what tells it from `hop`.
fn settled(mut base: String) -> String {
    if base.len() > 3 && base.ends_with('e') && !is_short(&base[..base.len() - 1]) {
        base.pop();
    }
    if base.len() > 2 && base.ends_with('y') {
        base.pop();
        base.push('i');
    }
    if base.ends_with("ll") {
        base.pop();
    }
    base
}

fn without_plural(word: &str) -> String {
    let end = word.len();
    let cut = if word.ends_with("sses")
        || word.ends_with("shes")
        || word.ends_with("ches")
        || word.ends_with("xes")
    {
        end - 2
    } else if word.ends_with("ies") && end > 4 {
        return format!("{}y", &word[..end - 3]);
    } else if word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is") {
        end - 1
    } else {
        end
    };
    word[..cut].to_owned()
}

/// The word without `-ing` or `-ed`, with what these endings changed set right.
fn without_tense(word: &str) -> Option<String> {
    let base = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed"))?;
    (base.len() >= 3 && base.bytes().any(is_vowel)).then(|| restored(base))
}

/// A word before an ending that begins with a vowel: without the consonant that was doubled (`stopp-ed`), with the `e`
/// that was dropped (`hop-ing`).
fn restored(base: &str) -> String {
    let bytes = base.as_bytes();
    let last = bytes[bytes.len() - 1];
    let doubled = bytes.len() > 2
        && bytes[bytes.len() - 2] == last
        && !is_vowel(last)
        && !matches!(last, b'l' | b's' | b'z');
    if doubled {
        base[..base.len() - 1].to_owned()
    } else if is_short(base) {
        format!("{base}e")
    } else {
        base.to_owned()
    }
}

/// One vowel before one consonant at the end (`hop`, `quit`): such a word would double the consonant before an ending,
/// so what does not has lost an `e`.
fn is_short(base: &str) -> bool {
    let bytes = base.as_bytes();
    let [before @ .., vowel, last] = bytes else {
        return false;
    };
    let before = if before.ends_with(b"qu") {
        &before[..before.len() - 2]
    } else {
        before
    };
    is_vowel(*vowel)
        && !is_vowel(*last)
        && !matches!(last, b'w' | b'x')
        && !before.iter().copied().any(is_vowel)
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// How two terms belong to one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kinship {
    /// Number, tense or an irregular form: `cache` and `caches`, `go` and `went`. They mean the same.
    Inflected,
    /// Another part of speech: `migrate` and `migration`, `lock` and `locker`. They mostly mean something near.
    Derived,
}

/// A word that others are compared with: what the comparisons share is worked out once.
#[derive(Debug, Clone)]
pub struct WordFamily {
    irregular: &'static [&'static str],
    inflected: String,
    stem: String,
}

impl WordFamily {
    /// The family of a term.
    pub fn of(term: &str) -> Self {
        Self {
            irregular: irregular_forms(term),
            inflected: inflected(term),
            stem: stem(term),
        }
    }

    /// How another term belongs to the same word; `None` when it does not.
    pub fn kinship(&self, other: &str) -> Option<Kinship> {
        if self.irregular.contains(&other) || self.inflected == inflected(other) {
            Some(Kinship::Inflected)
        } else if self.stem == stem(other) {
            Some(Kinship::Derived)
        } else {
            None
        }
    }

    /// The stem of the word, see [`stem`].
    pub fn stem(&self) -> &str {
        &self.stem
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinship(one: &str, other: &str) -> Option<Kinship> {
        WordFamily::of(one).kinship(other)
    }

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for family in [
            &["cache", "caches", "cached", "caching"][..],
            &[
                "migrate",
                "migrates",
                "migrated",
                "migrating",
                "migration",
                "migrations",
            ],
            &["configure", "configured", "configuring", "configuration"],
            &["study", "studies", "studied", "studying"],
            &["test", "tests", "tested", "testing"],
            &["stop", "stops", "stopped", "stopping"],
            &["create", "creates", "created", "creating", "creation"],
            &["fix", "fixes", "fixed", "fixing"],
            &["use", "uses", "used"],
            &["quick", "quickly"],
            &["parse", "parser", "parsers", "parsing"],
            &["limit", "limiter", "limited"],
            &["migrate", "migrator"],
            &["converge", "convergence", "converges"],
            &["went", "go"],
            &["decision", "decided"],
        ] {
            for form in family {
                assert!(
                    family[0] == *form || kinship(family[0], form).is_some(),
                    "{} {form}: {} {}",
                    family[0],
                    stem(family[0]),
                    stem(form)
                );
            }
        }
    }

    #[test]
    fn number_and_tense_are_nearer_than_other_parts_of_speech() {
        for (one, other) in [
            ("cache", "caching"),
            ("migrate", "migrated"),
            ("study", "studies"),
            ("stop", "stopped"),
            ("agent", "agents"),
            ("went", "go"),
            ("hope", "hoping"),
            ("plan", "planned"),
            ("code", "coded"),
            ("visit", "visited"),
            ("control", "controlled"),
            ("fail", "failed"),
            ("site", "sites"),
        ] {
            assert_eq!(kinship(one, other), Some(Kinship::Inflected), "{one} {other}");
        }
        for (one, other) in [
            ("lock", "locker"),
            ("migrate", "migration"),
            ("quick", "quickly"),
            ("scale", "scalability"),
            ("write", "writer"),
            ("run", "runner"),
        ] {
            assert_eq!(kinship(one, other), Some(Kinship::Derived), "{one} {other}");
        }
    }

    #[test]
    fn words_that_only_look_alike_do_not() {
        for (one, other) in [
            ("string", "strong"),
            ("bus", "bu"),
            ("thing", "the"),
            ("sing", "s"),
            ("e0382", "e0383"),
            ("quitting", "quite"),
            ("plan", "planes"),
            ("hoping", "hop"),
            ("career", "care"),
            ("site", "sit"),
        ] {
            assert_eq!(kinship(one, other), None, "{one} {other}");
        }
    }
}
