//! What people and assistants write: sentences, pasted errors, code blocks and lists, cut to a wanted length.

use super::cjk::{CHINESE, JAPANESE, KOREAN, Language};
use super::english::{LEADS, OPENERS, REPLIES};
use super::project::{Project, Subject};
use super::random::Random;
use super::vocabulary::Vocabulary;

/// The language a session is held in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tongue {
    English,
    Japanese,
    Chinese,
    Korean,
}

/// Who speaks, which decides how a text begins and what it contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// A person's request.
    Request,
    /// The last answer of an exchange.
    Answer,
    /// One sentence before a tool call.
    Lead,
    /// An assistant's thoughts.
    Thought,
    /// A summary of a branch or of what was compacted away.
    Summary,
}

/// A writer for one session in one project.
pub(crate) struct Prose<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) project: &'a Project,
    pub(crate) subject: &'a Subject,
    pub(crate) tongue: Tongue,
}

impl Prose<'_> {
    /// Appends about `length` bytes of text, not escaped.
    pub(crate) fn write(&self, random: &mut Random, voice: Voice, length: usize, out: &mut String) {
        let end = out.len() + length;
        // People switch: an English session can hold a Japanese message and the other way round.
        let tongue = match self.tongue {
            Tongue::English if random.chance(0.012) => {
                *random.pick(&[Tongue::Japanese, Tongue::Chinese, Tongue::Korean])
            }
            other if other != Tongue::English && random.chance(0.15) => Tongue::English,
            same => same,
        };
        if tongue == Tongue::English {
            match voice {
                Voice::Request if random.chance(0.4) => out.push_str(random.one_of(OPENERS)),
                Voice::Answer if random.chance(0.6) => out.push_str(random.one_of(REPLIES)),
                Voice::Lead => out.push_str(random.one_of(LEADS)),
                _ => {}
            }
        }
        while out.len() < end {
            if !out.is_empty() && !out.ends_with(['\n', ' ']) {
                out.push_str(if tongue == Tongue::English || random.chance(0.3) {
                    " "
                } else {
                    ""
                });
            }
            match tongue {
                Tongue::English => self.sentence(random, out),
                Tongue::Japanese => self.clause(random, &JAPANESE, out),
                Tongue::Chinese => self.clause(random, &CHINESE, out),
                Tongue::Korean => self.clause(random, &KOREAN, out),
            }
            if out.len() + 80 < end {
                self.between_sentences(random, voice, out);
            }
        }
    }

    /// A short title, as people name sessions and label entries.
    pub(crate) fn title(&self, random: &mut Random) -> String {
        let rare = self.vocabulary.at(*random.pick(&self.subject.terms));
        let (a, b) = (
            self.vocabulary.work_word(random).to_owned(),
            self.vocabulary.work_word(random),
        );
        match (self.tongue, random.below(3)) {
            (Tongue::Japanese, _) => format!(
                "{}の{}",
                random.one_of(JAPANESE.nouns),
                random.one_of(JAPANESE.nouns)
            ),
            (Tongue::Chinese, _) => {
                format!("{}{}", random.one_of(CHINESE.nouns), random.one_of(CHINESE.nouns))
            }
            (_, 0) => format!("{a} {b} {rare}"),
            (_, 1) => format!("{rare}: {a} and {b}"),
            _ => format!("{a} {}", random.pick(&self.subject.names)),
        }
    }

    fn sentence(&self, random: &mut Random, out: &mut String) {
        let start = out.len();
        let words = random.between(5, 18);
        for position in 0..words {
            if position > 0 {
                out.push_str(if position + 1 < words && random.chance(0.07) {
                    ", "
                } else {
                    " "
                });
            }
            self.token(random, out);
        }
        // A sentence starts with a capital unless it goes on after an opener or starts with a name, whose spelling
        // is its identity.
        let goes_on = out[..start]
            .trim_end_matches(' ')
            .ends_with(|c: char| c.is_alphanumeric());
        let first = out[start..].split(' ').next().unwrap_or_default();
        if !goes_on && first.bytes().all(|byte| byte.is_ascii_lowercase()) && !first.is_empty() {
            let capital = out[start..=start].to_ascii_uppercase();
            out.replace_range(start..=start, &capital);
        }
        out.push(if random.chance(0.12) { '?' } else { '.' });
    }

    fn token(&self, random: &mut Random, out: &mut String) {
        match random.below(100) {
            0..=77 => out.push_str(self.vocabulary.word(random)),
            78..=90 => out.push_str(self.vocabulary.at(*random.pick(&self.subject.terms))),
            91..=93 => quoted(
                random.chance(0.6),
                random.pick::<String>(&self.subject.names),
                out,
            ),
            94..=97 => {
                // The first names of a project are its most used ones.
                let most = self.project.names.len();
                let reach = random.between(1, most + 1);
                quoted(random.chance(0.6), &self.project.names[random.below(reach)], out);
            }
            98 => out.push_str(&random.between(2, 70_000).to_string()),
            _ => out.push_str(&format!("{:08x}", random.next() as u32)),
        }
    }

    fn clause(&self, random: &mut Random, language: &Language, out: &mut String) {
        out.push_str(random.one_of(language.openers));
        out.push_str(language.space);
        for number in 0..random.between(1, 4) {
            if number > 0 {
                out.push_str(language.space);
                out.push_str(random.one_of(language.links));
                out.push_str(language.space);
            }
            match random.below(10) {
                0 => out.push_str(random.pick::<String>(&self.subject.names)),
                1 => out.push_str(self.vocabulary.at(*random.pick(&self.subject.terms))),
                2 | 3 if !language.characters.is_empty() => {
                    let most = language.characters.chars().count();
                    for _ in 0..random.between(2, 4) {
                        out.extend(language.characters.chars().nth(random.below(most)));
                    }
                }
                _ => out.push_str(random.one_of(language.nouns)),
            }
        }
        out.push_str(random.one_of(language.objects));
        out.push_str(language.space);
        out.push_str(random.one_of(language.verbs));
        out.push_str(random.one_of(language.endings));
    }

    fn between_sentences(&self, random: &mut Random, voice: Voice, out: &mut String) {
        match (voice, random.below(100)) {
            (Voice::Answer | Voice::Summary, 0..=9) => out.push_str("\n\n"),
            (Voice::Answer | Voice::Summary, 10..=19) => out.push_str("\n- "),
            (Voice::Answer, 20..=22) => self.code_block(random, out),
            (Voice::Request, 0..=3) => self.pasted_error(random, out),
            (Voice::Request, 4..=8) => out.push('\n'),
            (Voice::Thought, 0..=9) => out.push_str("\n\n"),
            _ => {}
        }
    }

    fn code_block(&self, random: &mut Random, out: &mut String) {
        out.push_str("\n\n```\n");
        for _ in 0..random.between(2, 7) {
            let (a, b) = (random.pick(&self.subject.names), random.pick(&self.project.names));
            out.push_str(&format!(
                "let {a} = {b}(\"{}\", {});\n",
                self.vocabulary.word(random).to_owned(),
                random.below(100)
            ));
        }
        out.push_str("```\n");
    }

    fn pasted_error(&self, random: &mut Random, out: &mut String) {
        let (file, name) = (random.pick(&self.project.files), random.pick(&self.subject.names));
        let (line, column) = (random.between(1, 900), random.between(1, 80));
        let code = random.between(1, 800);
        match random.below(4) {
            0 => out.push_str(&format!("\nerror[E{code:04}]: cannot move out of `{name}` which is borrowed\n  --> {file}:{line}:{column}\n")),
            1 => out.push_str(&format!("\nTypeError: Cannot read properties of undefined (reading '{name}')\n    at {name} ({file}:{line}:{column})\n")),
            2 => out.push_str(&format!("\nTraceback (most recent call last):\n  File \"{file}\", line {line}, in {name}\nKeyError: '{name}'\n")),
            _ => out.push_str(&format!("\n{file}:{line}: assertion failed: {name} == {code}\n")),
        }
    }
}

fn quoted(as_code: bool, name: &str, out: &mut String) {
    let tick = if as_code { "`" } else { "" };
    out.extend([tick, name, tick]);
}
