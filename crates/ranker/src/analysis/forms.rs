/// The stem of an English word, light: endings of number, tense and the commonest derivations are taken off. Other
/// words come back as they are.
///
/// Stems are compared with one another and never stored, so they need not be words.
pub fn stem(word: &str) -> String {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let mut stem = without_plural(word);
    if let Some(verb) = without_tense(&stem) {
        stem = verb;
    } else {
        for (ending, least) in [
            ("ization", 3),
            ("ability", 4),
            ("ibility", 4),
            ("ator", 4),
            ("ence", 5),
            ("ance", 5),
            ("er", 4),
            ("ation", 4),
            ("izing", 3),
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
        ] {
            if let Some(base) = stem.strip_suffix(ending)
                && base.len() >= least
            {
                stem.truncate(base.len());
                break;
            }
        }
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    if stem.len() > 2 && stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    stem
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
    if base.len() < 3 || !base.bytes().any(is_vowel) {
        return None;
    }
    if let Some(base) = base.strip_suffix("at").filter(|base| base.len() >= 4) {
        return Some(base.to_owned());
    }
    if let Some(base) = base
        .strip_suffix("iz")
        .or_else(|| base.strip_suffix("is"))
        .filter(|base| base.len() >= 4)
    {
        return Some(base.to_owned());
    }
    let bytes = base.as_bytes();
    let last = bytes[bytes.len() - 1];
    let doubled = bytes.len() > 2
        && bytes[bytes.len() - 2] == last
        && !is_vowel(last)
        && !matches!(last, b'l' | b's' | b'z');
    let end = if doubled { base.len() - 1 } else { base.len() };
    Some(base[..end].to_owned())
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// Whether two terms are forms of one word.
pub fn same_word(one: &str, other: &str) -> bool {
    one == other || irregular_forms(one).contains(&other) || stem(one) == stem(other)
}

/// Forms of irregular verbs and nouns that people ask with. One family per row.
const IRREGULAR: &[&[&str]] = &[
    &["begin", "begins", "beginning", "began", "begun"],
    &["break", "breaks", "breaking", "broke", "broken"],
    &["bring", "brings", "bringing", "brought"],
    &["build", "builds", "building", "built"],
    &["buy", "buys", "buying", "bought"],
    &["catch", "catches", "catching", "caught"],
    &["child", "children"],
    &["choose", "chooses", "choosing", "chose", "chosen", "choice"],
    &["come", "comes", "coming", "came"],
    &[
        "decide",
        "decides",
        "decided",
        "deciding",
        "decision",
        "decisions",
    ],
    &["draw", "draws", "drawing", "drew", "drawn"],
    &["drive", "drives", "driving", "drove", "driven"],
    &["eat", "eats", "eating", "ate", "eaten"],
    &["fall", "falls", "falling", "fell", "fallen"],
    &["feel", "feels", "feeling", "felt"],
    &["find", "finds", "finding", "found"],
    &["fly", "flies", "flying", "flew", "flown"],
    &["forget", "forgets", "forgetting", "forgot", "forgotten"],
    &["freeze", "freezes", "freezing", "froze", "frozen"],
    &["give", "gives", "giving", "gave", "given"],
    &["go", "goes", "going", "went", "gone"],
    &["grow", "grows", "growing", "grew", "grown"],
    &["hang", "hangs", "hanging", "hung"],
    &["hold", "holds", "holding", "held"],
    &["index", "indexes", "indices", "indexing", "indexed"],
    &["keep", "keeps", "keeping", "kept"],
    &["know", "knows", "knowing", "knew", "known"],
    &["leave", "leaves", "leaving", "left"],
    &["lose", "loses", "losing", "lost", "loss"],
    &["make", "makes", "making", "made"],
    &["man", "men"],
    &["mean", "means", "meaning", "meant"],
    &["meet", "meets", "meeting", "met"],
    &["pay", "pays", "paying", "paid", "payment"],
    &["person", "persons", "people"],
    &["rebuild", "rebuilds", "rebuilding", "rebuilt"],
    &["run", "runs", "running", "ran"],
    &["say", "says", "saying", "said"],
    &["see", "sees", "seeing", "saw", "seen"],
    &["sell", "sells", "selling", "sold"],
    &["send", "sends", "sending", "sent"],
    &["shrink", "shrinks", "shrinking", "shrank", "shrunk"],
    &["sleep", "sleeps", "sleeping", "slept"],
    &["speak", "speaks", "speaking", "spoke", "spoken"],
    &["spend", "spends", "spending", "spent"],
    &["stick", "sticks", "sticking", "stuck"],
    &["swim", "swims", "swimming", "swam", "swum"],
    &["take", "takes", "taking", "took", "taken"],
    &["teach", "teaches", "teaching", "taught"],
    &["tell", "tells", "telling", "told"],
    &["think", "thinks", "thinking", "thought", "thoughts"],
    &["throw", "throws", "throwing", "threw", "thrown"],
    &["understand", "understands", "understanding", "understood"],
    &["use", "uses", "used", "using", "usage"],
    &["wake", "wakes", "waking", "woke", "woken"],
    &["win", "wins", "winning", "won"],
    &["woman", "women"],
    &["write", "writes", "writing", "wrote", "written"],
];

/// The forms of an irregular word, itself included; empty for regular ones.
pub fn irregular_forms(term: &str) -> &'static [&'static str] {
    IRREGULAR
        .iter()
        .find(|family| family.contains(&term))
        .copied()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

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
                    same_word(family[0], form),
                    "{} {form}: {} {}",
                    family[0],
                    stem(family[0]),
                    stem(form)
                );
            }
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
        ] {
            assert!(!same_word(one, other), "{one} {other}");
        }
    }
}
