//! An answer without hits: what was searched, what was not, and how to widen.

use super::{answer::Answer, call::Call, handles::folder, safe_text::short_line};

/// What is known of a search that found nothing.
pub(crate) struct Nothing<'a> {
    pub(crate) call: &'a Call<'a>,
    pub(crate) what: &'a str,
    pub(crate) searched: usize,
    pub(crate) query: Option<&'a str>,
    /// Only the current folder was searched.
    pub(crate) cwd: bool,
    /// Matches in the model's own context.
    pub(crate) live: Option<usize>,
    /// Sessions that the tool leaves out by rule, and the rule.
    pub(crate) left_out: Option<(usize, &'a str)>,
    /// What to try.
    pub(crate) widen: Vec<String>,
    /// Quoted notes.
    pub(crate) body: Vec<String>,
}

pub(crate) fn answer(nothing: &Nothing<'_>) -> Answer {
    let call = nothing.call;
    let query = nothing.query.map_or(String::new(), |query| {
        format!(" for {}", serde_json::Value::from(short_line(query, 120)))
    });
    let place = match &call.context.cwd {
        Some(cwd) if nothing.cwd => format!(
            " of {}",
            folder(&call.quoter, cwd.as_str(), call.context.home.as_deref())
        ),
        _ => String::new(),
    };
    let mut lines = vec![format!(
        "{}: nothing found{query} in {} sessions{place}.",
        nothing.what, nothing.searched
    )];
    if nothing.searched == 0 {
        let roots: Vec<String> = call
            .lookback
            .roots()
            .iter()
            .take(3)
            .map(|root| {
                let state = if root.is_dir() { "" } else { " (does not exist)" };
                format!(
                    "{}{state}",
                    folder(&call.quoter, root.as_str(), call.context.home.as_deref())
                )
            })
            .collect();
        lines.push(format!(
            "No session fits these bounds. Session folders: {}.",
            roots.join(", ")
        ));
    }
    if let Some(turns) = nothing.live {
        lines.push(format!(
            "{turns} matching turns are in the present context and were left out: you have them already."
        ));
    }
    if let Some((count, rule)) = nothing.left_out.filter(|(count, _)| *count > 0) {
        lines.push(format!("{count} sessions were not searched: {rule}."));
    }
    lines.push(
        "Text of user and assistant is searched; tool output, tool arguments and thinking are not."
            .to_owned(),
    );
    let mut tail = vec!["To widen:".to_owned()];
    tail.extend(nothing.widen.iter().map(|hint| format!("- {hint}")));
    Answer {
        head: lines.join("\n"),
        body: nothing.body.clone(),
        tail,
    }
}
