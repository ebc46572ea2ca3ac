//! Tool calls and their results, which are most of the bytes of a session.

use std::fmt::Write;

use super::json::{escaped, string};
use super::project::{Project, Subject};
use super::random::{Random, mix};
use super::vocabulary::Vocabulary;

/// Pi cuts the output of its own tools at this length.
const USUAL_LIMIT: usize = 50_000;
/// Tools of extensions cut nothing.
const LARGEST: usize = 500_000;
/// How many results are such large ones.
const LARGE_SHARE: f64 = 0.0007;

#[derive(Clone, Copy)]
enum Tool {
    Bash,
    Read,
    Edit,
    Write,
}

/// The text around a call.
pub(crate) struct Workbench<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) project: &'a Project,
    pub(crate) subject: &'a Subject,
    /// Base64 characters; slices of it stand for images and signatures.
    pub(crate) noise: &'a str,
}

impl Workbench<'_> {
    /// The block of call number `nth` of the assistant message made from `seed`.
    pub(crate) fn call(&self, seed: u64, nth: u8, out: &mut String) {
        let (tool, random) = &mut chosen(seed, nth);
        let file = random.pick(&self.project.files);
        let _ = write!(
            out,
            "{{\"type\":\"toolCall\",\"id\":\"{}\",\"name\":\"{}\",\"arguments\":{{",
            call_id(seed, nth),
            tool.name()
        );
        match tool {
            Tool::Bash => {
                out.push_str("\"command\":");
                string(&self.command(random), out);
            }
            Tool::Read => {
                out.push_str("\"path\":");
                string(file, out);
                if random.chance(0.4) {
                    let _ = write!(
                        out,
                        ",\"offset\":{},\"limit\":{}",
                        random.between(1, 900),
                        random.between(20, 400)
                    );
                }
            }
            Tool::Edit => {
                out.push_str("\"path\":");
                string(file, out);
                out.push_str(",\"edits\":[");
                for edit in 0..random.between(1, 4) {
                    out.push_str(if edit > 0 {
                        ",{\"oldText\":\""
                    } else {
                        "{\"oldText\":\""
                    });
                    let (old, new) = (random.heavy(150.0, 1.8, 4_000), random.heavy(220.0, 1.8, 6_000));
                    self.lines(random, old, out);
                    out.push_str("\",\"newText\":\"");
                    self.lines(random, new, out);
                    out.push_str("\"}");
                }
                out.push(']');
            }
            Tool::Write => {
                out.push_str("\"path\":");
                string(file, out);
                out.push_str(",\"content\":\"");
                let length = random.heavy(1_800.0, 1.8, 40_000);
                self.lines(random, length, out);
                out.push('"');
            }
        }
        out.push_str("}}");
    }

    /// The fields of a tool result after its role, up to the time.
    pub(crate) fn result(&self, call: u64, nth: u8, random: &mut Random, out: &mut String) {
        let (tool, random_of_call) = &mut chosen(call, nth);
        let file = random_of_call.pick(&self.project.files);
        let failed = random.chance(0.06);
        let _ = write!(
            out,
            "\"toolCallId\":\"{}\",\"toolName\":\"{}\",\"content\":[{{\"type\":\"text\",\"text\":\"",
            call_id(call, nth),
            tool.name()
        );
        let mut picture = false;
        match tool {
            Tool::Bash | Tool::Read => {
                picture = matches!(tool, Tool::Read) && random.chance(0.008);
                if picture {
                    out.push_str("Read image file [image/png]");
                } else {
                    let large = random.chance(LARGE_SHARE);
                    let length = if large {
                        random.between(LARGEST * 3 / 10, LARGEST - 400)
                    } else {
                        random.heavy(590.0, 1.45, USUAL_LIMIT)
                    };
                    self.lines(random, length, out);
                }
                if failed {
                    let _ = write!(out, "\\n\\nCommand exited with code {}", random.between(1, 3));
                }
            }
            Tool::Edit if failed => {
                out.push_str("Could not find the exact text. It must match all whitespace.")
            }
            Tool::Edit => {
                out.push_str("Successfully replaced 1 block(s) in ");
                escaped(file, out);
            }
            Tool::Write => {
                let _ = write!(out, "Successfully wrote {} bytes to ", random.between(90, 20_000));
                escaped(file, out);
            }
        }
        out.push_str("\"}");
        if picture {
            out.push(',');
            self.image(random, out);
        }
        let _ = write!(out, "],\"isError\":{failed}");
        if matches!(tool, Tool::Edit) && !failed {
            out.push_str(",\"details\":{\"diff\":\"");
            let length = random.heavy(700.0, 1.8, 20_000);
            self.lines(random, length, out);
            let _ = write!(out, "\",\"firstChangedLine\":{}}}", random.between(1, 900));
        }
    }

    /// A command as an agent or a person types it.
    pub(crate) fn command(&self, random: &mut Random) -> String {
        let file = random.pick(&self.project.files);
        let name = random.pick(&self.subject.names);
        match random.below(8) {
            0 => format!(
                "rg -n \"{name}\" --glob '!target' | head -{}",
                random.between(10, 90)
            ),
            1 => format!(
                "cargo test {name} -- --nocapture 2>&1 | tail -{}",
                random.between(10, 90)
            ),
            2 => format!(
                "sed -n '{},{}p' {file}",
                random.between(1, 200),
                random.between(200, 400)
            ),
            3 => format!("git log --oneline -{} -- {file}", random.between(3, 40)),
            4 => format!("npm test -- --grep \"{name}\""),
            5 => {
                format!("python3 - <<'EOF'\nimport json\nprint(json.load(open(\"{file}\"))[\"{name}\"])\nEOF")
            }
            6 => format!(
                "git diff --stat && git commit -am \"{} {name}\"",
                self.vocabulary.work_word(random)
            ),
            _ => format!(
                "ls -la {} && wc -l {file}",
                file.rsplit_once('/').map_or(".", |(folder, _)| folder)
            ),
        }
    }

    /// About `length` bytes of output, escaped.
    pub(crate) fn lines(&self, random: &mut Random, length: usize, out: &mut String) {
        let end = out.len() + length;
        let lines = &self.project.output_lines;
        while out.len() < end {
            // Output comes in runs of lines that belong together; the subject shows up in between.
            let first = random.below(lines.len());
            for line in lines.iter().skip(first).take(8) {
                out.push_str(line);
                if out.len() >= end {
                    return;
                }
            }
            let _ = write!(
                out,
                "    {}({});\\n",
                random.pick(&self.subject.names),
                random.below(10_000)
            );
        }
    }

    /// An image block: base64 that begins as a PNG does.
    pub(crate) fn image(&self, random: &mut Random, out: &mut String) {
        // Base64 comes in groups of four.
        let length = random.heavy(40_000.0, 1.8, 600_000) / 4 * 4 + 400;
        let first = random.below(self.noise.len() - length);
        out.push_str("{\"type\":\"image\",\"data\":\"iVBORw0KGgoAAAANSUhEUgAA");
        out.push_str(&self.noise[first..first + length]);
        out.push_str("\",\"mimeType\":\"image/png\"}");
    }

    /// The opaque signature that providers attach to thoughts.
    pub(crate) fn signature<'a>(&'a self, random: &mut Random) -> &'a str {
        let length = random.between(60, 220) * 4;
        let first = random.below(self.noise.len() - length);
        &self.noise[first..first + length]
    }
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Tool::Bash => "bash",
            Tool::Read => "read",
            Tool::Edit => "edit",
            Tool::Write => "write",
        }
    }
}

/// Call and result are written apart and have to agree on the tool and its file.
fn chosen(seed: u64, nth: u8) -> (Tool, Random) {
    let mut random = Random::derived(seed, 0x6361_6c6c + u64::from(nth));
    let tool = match random.below(100) {
        0..=44 => Tool::Bash,
        45..=77 => Tool::Read,
        78..=94 => Tool::Edit,
        _ => Tool::Write,
    };
    (tool, random)
}

fn call_id(seed: u64, nth: u8) -> String {
    format!(
        "toolu_01{}",
        alphanumeric(mix(seed ^ u64::from(nth).wrapping_mul(0x9E37_79B9)), 22)
    )
}

/// Letters and digits as in the ids of providers.
pub(crate) fn alphanumeric(seed: u64, length: usize) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut random = Random::new(seed);
    (0..length).map(|_| char::from(*random.pick(LETTERS))).collect()
}
