use lookback_session_model::{Timestamp, harmless_line, harmless_lines};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Error, Lookback, ReadRequest, Speaker, Transcript, redact};

/// What to write of a session, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExportRequest {
    /// The session: its id, the start of it, or the path of its file.
    pub session: String,
    /// The branch that ends at this entry; else the newest one.
    #[serde(default)]
    pub branch_tip: Option<String>,
    /// How to write it. Default: Markdown.
    #[serde(default)]
    pub format: ExportFormat,
    /// Take out secrets of well-known shapes, see [`redact`]. Default: no, what a person exports is their own.
    #[serde(default)]
    pub redact: bool,
}

/// How a session is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ExportFormat {
    /// A document for people.
    #[default]
    Markdown,
    /// One JSON object for each message, and one for the session at the end.
    JsonLines,
}

/// A session as a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The document.
    pub text: String,
    /// Messages in it.
    pub messages: usize,
    /// Secrets that were taken out.
    pub redacted: usize,
    /// What a reader should know of the session file.
    pub warnings: Vec<String>,
}

impl Lookback {
    /// Writes one branch of a session as a document: everything that was said on it, however long it is. Tool calls and
    /// thinking are no part of a conversation. The document holds no character that a terminal acts on.
    ///
    /// # Errors
    /// Those of [`Lookback::read`].
    pub fn export(&self, request: &ExportRequest) -> Result<Export, Error> {
        let mut transcript = self.read(&ReadRequest {
            branch_tip: request.branch_tip.clone(),
            ..ReadRequest::everything(&request.session)
        })?;
        let mut redacted = 0;
        if request.redact {
            for message in &mut transcript.messages {
                let (text, count) = redact::redact(&message.text);
                redacted += count;
                message.text = text.into_owned();
            }
        }
        let (title, cwd) = self.title_of(&transcript);
        let title = if request.redact {
            redact::redact(&title).0.into_owned()
        } else {
            title
        };
        Ok(Export {
            text: match request.format {
                ExportFormat::Markdown => markdown(&transcript, &title, &cwd),
                ExportFormat::JsonLines => json_lines(&transcript, &title, &cwd),
            },
            messages: transcript.messages.len(),
            redacted,
            warnings: transcript.warnings,
        })
    }

    /// Title and folder of a session, as Pi lists it.
    fn title_of(&self, transcript: &Transcript) -> (String, String) {
        let row = crate::inspect(&transcript.path).ok().and_then(|file| file.list);
        row.map(|row| (row.title, row.cwd)).unwrap_or_default()
    }
}

fn markdown(transcript: &Transcript, title: &str, cwd: &str) -> String {
    let title = harmless_line(title);
    let heading = match title.trim() {
        "" => transcript.session.as_str(),
        title => title,
    };
    // A first message can be as long as it likes; a heading cannot.
    let heading = match heading.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &heading[..end]),
        None => heading.to_owned(),
    };
    let mut text = format!("# {heading}\n\n");
    let mut fact = |name: &str, value: &str| {
        text.push_str(&format!("- {name}: {}\n", harmless_line(value)));
    };
    fact("Session", transcript.session.as_str());
    if !cwd.is_empty() {
        fact("Folder", cwd);
    }
    if let Some(tip) = &transcript.branch_tip {
        fact("Branch", &format!("the one that ends at {tip}"));
    }
    fact("Messages", &transcript.messages.len().to_string());
    for warning in &transcript.warnings {
        fact("Note", warning);
    }
    for message in &transcript.messages {
        let speaker = match message.role {
            Speaker::User => "User",
            Speaker::Assistant => "Assistant",
            Speaker::BranchSummary => "Summary of a branch that was left",
            Speaker::CompactionSummary => "Summary of what was said before",
            Speaker::Gap => "Missing entry",
        };
        let time = message.timestamp.map(minute).unwrap_or_default();
        text.push_str(&format!("\n## {speaker}{time}\n\n"));
        let said = harmless_lines(message.text.trim_end());
        text.push_str(&said);
        text.push('\n');
        if let Some(fence) = open_fence(&said) {
            text.push_str(&fence);
            text.push('\n');
        }
    }
    text
}

fn minute(time: Timestamp) -> String {
    let text = time.to_string().replace('T', " ");
    format!(" · {} UTC", text.get(..16).unwrap_or(&text))
}

/// The fence of a code block that a message leaves open: the messages behind it would be taken for code.
fn open_fence(text: &str) -> Option<String> {
    let mut open: Option<&str> = None;
    for line in text.lines() {
        let body = line.trim_start_matches(' ');
        if line.len() - body.len() > 3 {
            continue;
        }
        let mark = if body.starts_with('~') { '~' } else { '`' };
        let fence = &body[..body.len() - body.trim_start_matches(mark).len()];
        let rest = &body[fence.len()..];
        open = match open {
            Some(opened)
                if fence.len() >= opened.len() && fence.starts_with(opened) && rest.trim().is_empty() =>
            {
                None
            }
            None if fence.len() >= 3 && !(mark == '`' && rest.contains('`')) => Some(fence),
            unchanged => unchanged,
        };
    }
    open.map(str::to_owned)
}

fn json_lines(transcript: &Transcript, title: &str, cwd: &str) -> String {
    let mut text = String::new();
    for message in &transcript.messages {
        let line = json!({
            "type": "message", "id": message.id, "role": message.role, "timestamp": message.timestamp,
            "text": message.text, "anchor": message.anchor,
        });
        text.push_str(&escape_controls(&line.to_string()));
        text.push('\n');
    }
    let line = json!({
        "type": "session", "id": transcript.session, "path": transcript.path, "cwd": cwd, "title": title,
        "branchTip": transcript.branch_tip, "messages": transcript.messages.len(), "warnings": transcript.warnings,
    });
    text.push_str(&escape_controls(&line.to_string()));
    text.push('\n');
    text
}

/// JSON may hold DEL and C1 controls as they are; terminals act on them.
fn escape_controls(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_control() {
            escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::open_fence;

    #[test]
    fn only_fences_that_stay_open_are_closed() {
        for (text, fence) in [
            ("no code", None),
            ("```rust\nfn main() {}\n```", None),
            ("```rust\nfn main() {}", Some("```")),
            ("````\n```\n", Some("````")),
            ("~~~\n```\n~~~\n", None),
            ("~~~ a\n~~~ b", Some("~~~")),
            ("    ```\nindented code", None),
            ("``` `inline` ```", None),
            ("```\na\n````", None),
        ] {
            assert_eq!(open_fence(text).as_deref(), fence, "{text:?}");
        }
    }
}
