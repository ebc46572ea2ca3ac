use std::{io, ops::ControlFlow};

use camino::Utf8Path;
use lookback_session_model::{Discovery, OpenError, SkipReason};
use serde::Serialize;

use super::{RowKind, Scan};

/// What is odd: in session files, and in the folders where they lie. A [`Filter`](super::Filter)'s span does not
/// matter here, since damage has no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Warnings;

/// One odd thing, or several of a kind that are not told one by one.
#[derive(Debug, Clone)]
pub struct WarningRow<'a> {
    /// The file or folder.
    pub path: &'a str,
    /// Number of the line; `None` where it is about the whole file, or about several lines.
    pub line: Option<u64>,
    /// A stable name for the kind of thing.
    pub code: &'a str,
    /// What it is, as a sentence.
    pub message: &'a str,
    /// How many there are.
    pub count: u64,
}

type Emit<'e> = dyn FnMut(&WarningRow<'_>) -> ControlFlow<()> + 'e;

impl RowKind for Warnings {
    type Row<'a> = WarningRow<'a>;

    fn scan(
        &self,
        scan: &Scan<'_>,
        emit: &mut dyn FnMut(&WarningRow<'_>) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let diagnostics = scan.file.diagnostics();
        if diagnostics.is_empty() || scan.sessions().next().is_none() {
            return Ok(ControlFlow::Continue(()));
        }
        let path = scan.file.path().as_str();
        let mut told = 0;
        for diagnostic in diagnostics {
            told += 1;
            let row = WarningRow {
                path,
                line: Some(diagnostic.line).filter(|&line| line > 0),
                code: &name(&diagnostic.kind),
                message: &diagnostic.to_string(),
                count: 1,
            };
            if emit(&row).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        // Only the first hundred of a file are kept one by one.
        let rest = diagnostics.total().saturating_sub(told);
        if rest > 0 {
            let row = WarningRow {
                path,
                line: None,
                code: "more",
                message: &format!("{rest} more like these in the file"),
                count: rest,
            };
            return Ok(emit(&row));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn discovered(&self, discovery: &Discovery, emit: &mut Emit<'_>) -> ControlFlow<()> {
        for root in &discovery.missing_roots {
            emit(&WarningRow {
                path: root.as_str(),
                line: None,
                code: "missingRoot",
                message: "the session folder does not exist",
                count: 1,
            })?;
        }
        for skipped in &discovery.skipped {
            emit(&WarningRow {
                path: &skipped.path,
                line: None,
                code: &name(&skipped.reason),
                message: reason(skipped.reason),
                count: 1,
            })?;
        }
        let rest = discovery.skipped_count - discovery.skipped.len() as u64;
        if rest > 0 {
            emit(&WarningRow {
                path: "",
                line: None,
                code: "more",
                message: &format!("{rest} more files and folders were passed over"),
                count: rest,
            })?;
        }
        ControlFlow::Continue(())
    }

    fn failed(&self, path: &Utf8Path, error: &OpenError, emit: &mut Emit<'_>) -> ControlFlow<()> {
        emit(&WarningRow {
            path: path.as_str(),
            line: None,
            code: error.code(),
            message: &error.to_string(),
            count: 1,
        })
    }
}

/// The name that serde gives to a variant.
fn name(variant: &impl Serialize) -> String {
    match serde_json::to_value(variant) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

fn reason(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::Link => "a link to a file is not followed",
        SkipReason::NotAFile => "it is neither a file nor a folder",
        SkipReason::Name => "its name is not text",
        SkipReason::Unreadable => "the operating system does not let it be read",
        SkipReason::TooDeep => "it lies too deep",
        SkipReason::Excluded => "a pattern excludes it",
        _ => "it is passed over",
    }
}
