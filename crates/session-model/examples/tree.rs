//! Prints a session as a tree: its branches, the tip, what was abandoned or summarised away, gaps and labels.
//!
//! ```text
//! cargo run -p lookback-session-model --example tree -- FILE…
//! ```
//!
//! Marks before an entry: `*` the tip, `|` on the tip's branch and in the model's context, `-` on that branch but
//! summarised away, `.` on a branch that was left. Where several entries continue one, each of them begins a branch
//! of the drawing, and the last one goes on at its own depth.

use std::{
    collections::HashMap,
    error::Error,
    io::{self, Write},
};

use lookback_session_model::{BranchState, Link, PiView, Session, SessionFile, Tree};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for path in std::env::args().skip(1) {
        let file = SessionFile::read(path.as_str().into(), usize::MAX)?;
        for session in file.sessions() {
            let summary = file.summary(session);
            writeln!(
                out,
                "{} {} {}",
                session.id(),
                plain(&summary.cwd),
                plain(&summary.title)
            )?;
            draw(&mut out, &file, session)?;
        }
        if let Some(reason) = PiView::new(&file).refusal() {
            writeln!(out, "Pi does not open this file: {reason}")?;
        }
        for diagnostic in file.diagnostics() {
            writeln!(out, "{diagnostic}")?;
        }
    }
    Ok(())
}

fn draw(out: &mut impl Write, file: &SessionFile, session: &Session) -> io::Result<()> {
    let tree = Tree::new(session);
    let view = PiView::new(file);
    let labels: HashMap<&str, &str> = view
        .labels()
        .into_iter()
        .map(|(id, label)| (id.as_str(), label))
        .collect();
    // A stack instead of calls: a session can have hundreds of thousands of entries in a row.
    let mut open: Vec<(u32, String, &str)> = Vec::new();
    let roots = tree.roots().iter().rev();
    open.extend(roots.map(|&root| (root, String::new(), "")));
    while let Some((node, indent, joint)) = open.pop() {
        let entry = &session.nodes()[node as usize];
        if entry.link == Link::Gap {
            let missing = session.named_parent(node).map_or("?", |id| id.as_str());
            writeln!(
                out,
                "{indent}{joint}  (gap: {} is not in the file)",
                plain(missing)
            )?;
        }
        let mark = match tree.state(node) {
            _ if tree.tip() == Some(node) => '*',
            BranchState::Active => '|',
            BranchState::Compacted => '-',
            BranchState::Abandoned => '.',
        };
        let id = entry.id.as_ref().map_or("", |id| id.as_str());
        let what = entry
            .role
            .map_or_else(|| format!("({:?})", entry.kind), |role| role.name().to_owned());
        let text = session.kept_text(node).map_or("", |text| text.as_str());
        let label = labels
            .get(id)
            .map_or(String::new(), |label| format!(" [{}]", plain(label)));
        let line = format!(
            "{indent}{joint}{mark} {:9} {what:13} {}{label}",
            plain(id),
            plain(text)
        );
        writeln!(out, "{}", line.trim_end())?;
        let below = match joint {
            "" => indent,
            "└─" => indent + "  ",
            _ => indent + "│ ",
        };
        match tree.children(node) {
            [] => {}
            [only] => open.push((*only, below, "")),
            [others @ .., last] => {
                open.push((*last, below.clone(), "└─"));
                open.extend(others.iter().rev().map(|&child| (child, below.clone(), "├─")));
            }
        }
    }
    Ok(())
}

/// The start of a text, on one line and without control characters: a terminal obeys them.
fn plain(text: &str) -> String {
    let visible = |character: char| if character.is_control() { ' ' } else { character };
    text.chars().take(60).map(visible).collect()
}
