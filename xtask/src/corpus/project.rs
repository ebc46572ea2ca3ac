//! Projects, each with its folder, files and identifiers, and the subject of a single session.

use super::random::Random;
use super::vocabulary::Vocabulary;

/// One working folder. Its names recur in all its sessions and hardly anywhere else.
pub(crate) struct Project {
    pub(crate) files: Vec<String>,
    /// Identifiers in all spellings, paths, flags and error codes.
    pub(crate) names: Vec<String>,
    /// Lines of tool output, each already escaped for JSON and ended by an escaped newline.
    pub(crate) output_lines: Vec<String>,
}

const PROJECTS: &[&str] = &[
    "harbor-api",
    "ledgerline",
    "tidepool",
    "mosaic-ui",
    "quillpad",
    "ferrotype",
    "sundial",
    "parcel-router",
    "glasshouse",
    "nightjar",
    "kestrel cli",
    "paperboat",
    "copperfield",
    "driftlog",
    "lanternfish",
    "millstone",
    "orchard.db",
    "packrat",
    "riverbed",
    "saltmarsh",
    "teasel",
    "underpass",
    "vellum",
    "windrose",
    "yarrow",
];
const FOLDERS: &[&str] = &[
    "src",
    "lib",
    "crates/core/src",
    "packages/web/src",
    "tests",
    "scripts",
    "internal/store",
    "docs",
];
const EXTENSIONS: &[&str] = &["rs", "ts", "tsx", "py", "go", "toml", "md", "sql", "json", "yaml"];

/// The working folder of a project.
pub(crate) fn cwd(project: usize) -> String {
    let name = PROJECTS[project % PROJECTS.len()];
    match project / PROJECTS.len() {
        0 => format!("/home/dev/{name}"),
        1 => format!("/home/dev/work/{name}"),
        round => format!("/home/dev/archive/{round}/{name}"),
    }
}

impl Project {
    pub(crate) fn new(seed: u64, number: usize, vocabulary: &Vocabulary) -> Self {
        let random = &mut Random::derived(seed, 0x7072_6f6a_0000 + number as u64);
        let files: Vec<String> = (0..60)
            .map(|_| {
                let (a, b) = (
                    vocabulary.work_word(random).to_owned(),
                    vocabulary.work_word(random),
                );
                format!("{}/{a}_{b}.{}", random.one_of(FOLDERS), random.one_of(EXTENSIONS))
            })
            .collect();
        let mut names: Vec<String> = (0..340).map(|_| name(random, vocabulary)).collect();
        names.extend(files.iter().cloned());
        let output_lines = (0..500)
            .map(|_| output_line(random, vocabulary, &names, &files))
            .collect();
        Self {
            files,
            names,
            output_lines,
        }
    }
}

/// What one session is about: a few rare words and names that its messages return to.
pub(crate) struct Subject {
    pub(crate) terms: Vec<u32>,
    pub(crate) names: Vec<String>,
}

impl Subject {
    pub(crate) fn new(seed: u64, vocabulary: &Vocabulary) -> Self {
        let random = &mut Random::derived(seed, 0x7375_626a);
        Self {
            terms: (0..40).map(|_| vocabulary.subject(random)).collect(),
            names: (0..12)
                .map(|_| {
                    let rare = vocabulary.subject(random);
                    let common = vocabulary.work_word(random);
                    spelled(random, &[vocabulary.at(rare), common])
                })
                .collect(),
        }
    }
}

fn name(random: &mut Random, vocabulary: &Vocabulary) -> String {
    match random.below(20) {
        0 => format!("E{:04}", random.between(1, 800)),
        1 => format!(
            "{}{}",
            random.one_of(&["TS", "ORA-", "SQLSTATE ", "ERR_", "EX-"]),
            random.between(1000, 29_999)
        ),
        2 => format!(
            "--{}-{}",
            vocabulary.work_word(random).to_owned(),
            vocabulary.work_word(random)
        ),
        3 => format!(
            "{}.{}()",
            vocabulary.work_word(random).to_owned(),
            vocabulary.work_word(random)
        ),
        4 => format!("v{}.{}.{}", random.below(9), random.below(30), random.below(12)),
        5 => format!("#{}", random.between(10, 9_999)),
        _ => {
            let rare = vocabulary.subject(random);
            let count = random.between(1, 3);
            let mut parts: Vec<&str> = (0..count).map(|_| vocabulary.work_word(random)).collect();
            if random.chance(0.5) {
                parts.push(vocabulary.at(rare));
            } else {
                parts.push(vocabulary.work_word(random));
            }
            spelled(random, &parts)
        }
    }
}

/// The same words as one identifier, in one of the spellings that programs use.
fn spelled(random: &mut Random, parts: &[&str]) -> String {
    let capitalised = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    };
    match random.below(8) {
        0..=2 => {
            let tail: String = parts[1..].iter().map(|part| capitalised(part)).collect();
            format!("{}{tail}", parts[0])
        }
        3 | 4 => parts.join("_"),
        5 => parts.iter().map(|part| capitalised(part)).collect(),
        6 => parts.join("_").to_uppercase(),
        _ => parts.join("."),
    }
}

fn output_line(random: &mut Random, vocabulary: &Vocabulary, names: &[String], files: &[String]) -> String {
    let word = |random: &mut Random| vocabulary.word(random).to_owned();
    let a = random.pick(names).clone();
    let b = random.pick(names).clone();
    let file = random.pick(files);
    let number = random.between(1, 2_000);
    match random.below(14) {
        0 => format!("    let {a} = {b}.{}({number})?;\\n", word(random)),
        1 => format!(
            "pub fn {a}(&self, {}: &str) -> Result<{b}, Error> {{\\n",
            word(random)
        ),
        2 => format!(
            "\\t\\treturn await this.{a}(\\\"{}\\\", {{ {b}: {number} }});\\n",
            word(random)
        ),
        3 => format!("{file}:{number}:        if {a} != {b} {{\\n"),
        4 => format!("test {a}::{b} ... ok\\n"),
        5 => format!(
            "2026-02-11T09:{:02}:{:02}.{number:04}Z  INFO {a}: {} {} {b}={number}\\n",
            number % 60,
            number % 53,
            word(random),
            word(random)
        ),
        6 => format!(
            "error: cannot find `{a}` in this scope\\n   --> {file}:{number}:{}\\n    |\\n",
            number % 97
        ),
        7 => format!("+    {a}: {b},\\n"),
        8 => format!(
            "-    // {} {} {} {}\\n",
            word(random),
            word(random),
            word(random),
            word(random)
        ),
        9 => format!("  \\\"{a}\\\": \\\"{}\\\",\\n", word(random)),
        10 => format!(
            "-rw-r--r-- 1 dev dev {number:>7} Feb 11 09:{:02} {file}\\n",
            number % 60
        ),
        11 => format!(
            "/// {} {} {} {} `{a}` {} {}.\\n",
            word(random),
            word(random),
            word(random),
            word(random),
            word(random),
            word(random)
        ),
        12 => "    }\\n\\n".to_owned(),
        _ => format!("    {a}.{}({b}, {number});\\n", word(random)),
    }
}
