//! The system message at the head of every session: the prompt in sections and the schemas of the tools.

use std::fmt::Write;

use super::json::string;
use super::project::{Project, cwd};
use super::random::Random;
use super::vocabulary::Vocabulary;

const PREAMBLE: &str = "You are a coding assistant in a terminal. You read files, run commands, edit code and explain \
    what you did. Work in small steps, check your work, and stop when the task is done.";

const TOOLS: &str = "<tools>\n- read: show the contents of a file\n- bash: run a command in the working folder\n\
    - edit: replace exact pieces of text in a file\n- write: create a file or replace all of it\n</tools>";

const RULES: &str = "<rules>\n- Use bash to list, search and test; use read to look at files.\n- Quote the path of every \
    file you changed.\n- An edit names text that occurs exactly once; keep it short, and put several edits of one file \
    into one call.\n- Use write for new files only.\n- Never run a command that deletes data without being asked to.\n\
    - Prefer the tools of the project: its test command, its formatter, its linter.\n- When a command fails, read its \
    output before you try again.\n- Answer briefly. No introductions, no repetitions of the question.\n</rules>";

const SCHEMAS: &str = concat!(
    r#"[{"name":"read","description":"Show the contents of a text file or an image. Long files are cut; use offset and limit to page through them.","#,
    r#""parameters":{"type":"object","properties":{"path":{"type":"string","description":"Path of the file, relative to the working folder or absolute"},"#,
    r#""offset":{"type":"number","description":"First line to show, counted from 1"},"limit":{"type":"number","description":"Number of lines to show"}},"required":["path"]}},"#,
    r#"{"name":"bash","description":"Run a command with bash and return what it prints. Output beyond 2000 lines or 50 KB is cut and kept in a file.","#,
    r#""parameters":{"type":"object","properties":{"command":{"type":"string","description":"The command"},"#,
    r#""timeout":{"type":"number","description":"Seconds after which the command is ended"}},"required":["command"]}},"#,
    r#"{"name":"edit","description":"Replace pieces of text in one file. Each piece has to occur exactly once in the original and must not overlap another one.","#,
    r#""parameters":{"type":"object","properties":{"path":{"type":"string","description":"Path of the file"},"#,
    r#""edits":{"type":"array","items":{"type":"object","properties":{"oldText":{"type":"string"},"newText":{"type":"string"}},"required":["oldText","newText"]}}},"required":["path","edits"]}},"#,
    r#"{"name":"write","description":"Write a file. Folders are created as needed and an existing file is replaced.","#,
    r#""parameters":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}}]"#,
);

/// The fields of a system message after its role.
pub(crate) fn write_fields(
    random: &mut Random,
    vocabulary: &Vocabulary,
    project: &Project,
    number: usize,
    update: bool,
    out: &mut String,
) {
    out.push_str(r#""content":"","sections":{"#);
    if !update {
        for (name, text) in [("preamble", PREAMBLE), ("tools", TOOLS), ("rules", RULES)] {
            let _ = write!(out, "\"{name}\":");
            string(text, out);
            out.push(',');
        }
    }
    out.push_str("\"project_context\":");
    string(&context(random, vocabulary, project, number), out);
    out.push_str(",\"cwd\":");
    string(&format!("<cwd>\n{}\n</cwd>", cwd(number)), out);
    out.push('}');
    if !update {
        out.push_str(",\"toolsAdded\":");
        out.push_str(SCHEMAS);
    }
}

/// What the project's own instructions say.
fn context(random: &mut Random, vocabulary: &Vocabulary, project: &Project, number: usize) -> String {
    let mut text = format!(
        "<project_instructions path=\"{}/AGENTS.md\">\n# Working here\n",
        cwd(number)
    );
    for _ in 0..random.between(4, 22) {
        let _ = write!(text, "- `{}`:", random.pick(&project.files));
        for _ in 0..random.between(6, 16) {
            text.push(' ');
            text.push_str(vocabulary.word(random));
        }
        text.push('\n');
    }
    text.push_str("</project_instructions>");
    text
}
