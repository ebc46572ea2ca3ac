//! The messages among the entries: prompt, question, answer, tool result, and commands of the user's own.

use std::fmt::Write;

use super::json::string;
use super::models::{LEVELS, MODELS, usage};
use super::plan::{End, Kind, Step};
use super::project::cwd;
use super::prompt;
use super::prose::Voice;
use super::random::Random;
use super::render::{Renderer, TextBytes};
use super::tools::alphanumeric;

const ERRORS: [&str; 4] = [
    "503 upstream connect error or disconnect/reset before headers",
    "529 overloaded_error: Overloaded",
    "429 rate_limit_error: This request would exceed the rate limit",
    "fetch failed: ECONNRESET",
];

impl Renderer<'_> {
    /// A message from the value of its role on, without the closing brace.
    pub(super) fn message(&self, step: &Step, random: &mut Random, out: &mut String) -> TextBytes {
        match step.kind {
            Kind::System { update } => {
                out.push_str("\"system\",");
                let project = &self.world.projects[step.project];
                prompt::write_fields(random, &self.world.vocabulary, project, step.project, update, out);
                let _ = write!(out, ",\"timestamp\":{}", step.time);
                None
            }
            Kind::User => Some(self.user(step, random, out)),
            Kind::Assistant {
                model,
                calls,
                text,
                end,
            } => self.assistant(step, random, (model, calls, text, end), out),
            Kind::ToolResult { call, nth } => {
                out.push_str("\"toolResult\",");
                self.workbench(step).result(call, nth, random, out);
                let duration = random.heavy(300.0, 1.4, 60_000);
                let _ = write!(out, ",\"durationMs\":{duration},\"timestamp\":{}", step.time);
                None
            }
            _ => {
                out.push_str("\"bashExecution\",\"command\":");
                string(&self.workbench(step).command(random), out);
                out.push_str(",\"output\":\"");
                let length = random.heavy(500.0, 1.6, 30_000);
                self.workbench(step).lines(random, length, out);
                let code = usize::from(random.chance(0.1));
                let _ = write!(
                    out,
                    "\",\"exitCode\":{code},\"cancelled\":false,\"truncated\":false,\"timestamp\":{}",
                    step.time
                );
                if random.chance(0.15) {
                    out.push_str(",\"excludeFromContext\":true");
                }
                None
            }
        }
    }

    /// Returns the bytes of its text.
    fn user(&self, step: &Step, random: &mut Random, out: &mut String) -> usize {
        let mut text = String::new();
        if random.chance(0.03) {
            // `@file` puts the file before the question, into the same block.
            let file = random.pick(&self.world.projects[step.project].files);
            let _ = writeln!(text, "<file name=\"{}/{file}\">", cwd(step.project));
            let length = text.len() + random.heavy(500.0, 2.0, 6_000);
            self.prose(step).write(random, Voice::Answer, length, &mut text);
            text.push_str("\n</file>\n");
        }
        let length = random.heavy(190.0, 1.75, 20_000);
        self.prose(step).write(random, Voice::Request, length, &mut text);
        out.push_str("\"user\",\"content\":");
        if random.chance(0.04) {
            // Programs that embed Pi send plain strings.
            string(&text, out);
        } else {
            out.push_str("[{\"type\":\"text\",\"text\":");
            string(&text, out);
            out.push('}');
            if random.chance(0.018) {
                out.push(',');
                self.workbench(step).image(random, out);
            }
            out.push(']');
        }
        let _ = write!(out, ",\"timestamp\":{}", step.time);
        text.len()
    }

    fn assistant(
        &self,
        step: &Step,
        random: &mut Random,
        (model, calls, has_text, end): (usize, u8, bool, End),
        out: &mut String,
    ) -> TextBytes {
        let (api, provider, name, ..) = MODELS[model];
        let duration = random.between(900, 40_000) as i64;
        let mut bytes = None;
        let mut buffer = String::new();
        out.push_str("\"assistant\",\"content\":[");
        let blocks = out.len();
        if end != End::Failed && random.chance(0.55) {
            let length = random.heavy(370.0, 1.8, 12_000);
            self.prose(step)
                .write(random, Voice::Thought, length, &mut buffer);
            out.push_str("{\"type\":\"thinking\",\"thinking\":");
            string(&buffer, out);
            let _ = write!(
                out,
                ",\"thinkingSignature\":\"{}\"}}",
                self.workbench(step).signature(random)
            );
        }
        if has_text {
            buffer.clear();
            let (voice, length) = match end {
                End::ToolUse => (Voice::Lead, random.heavy(80.0, 2.2, 2_000)),
                _ => (Voice::Answer, random.heavy(700.0, 1.9, 30_000)),
            };
            self.prose(step).write(random, voice, length, &mut buffer);
            comma(blocks, out);
            out.push_str("{\"type\":\"text\",\"text\":");
            string(&buffer, out);
            out.push('}');
            bytes = Some(buffer.len());
        }
        for nth in 0..calls {
            comma(blocks, out);
            self.workbench(step).call(step.seed, nth, out);
        }
        let _ = write!(
            out,
            "],\"api\":\"{api}\",\"provider\":\"{provider}\",\"model\":\"{name}\""
        );
        usage(random, model, out);
        let reason = match end {
            End::Answered => "stop",
            End::ToolUse => "toolUse",
            End::Failed => "error",
            End::Aborted => "aborted",
        };
        let _ = write!(
            out,
            ",\"stopReason\":\"{reason}\",\"timestamp\":{}",
            step.time - duration
        );
        match end {
            End::Failed => {
                out.push_str(",\"errorMessage\":");
                string(random.one_of(&ERRORS), out);
            }
            End::Aborted => out.push_str(",\"errorMessage\":\"Operation aborted\""),
            _ => {
                let id = alphanumeric(random.next(), 22);
                let prefix = if provider == "anthropic" {
                    "msg_01"
                } else {
                    "resp_"
                };
                let _ = write!(out, ",\"responseId\":\"{prefix}{id}\"");
            }
        }
        let level = random.one_of(&LEVELS);
        let _ = write!(out, ",\"durationMs\":{duration},\"thinkingLevel\":\"{level}\"");
        bytes
    }
}

fn comma(start: usize, out: &mut String) {
    if out.len() > start {
        out.push(',');
    }
}
