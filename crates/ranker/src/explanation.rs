use std::fmt;

use serde::Serialize;

/// A score taken apart: a tree of sums and products whose leaves are counts and weights.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// What this number is.
    pub label: String,
    /// The number.
    pub value: f32,
    /// How it follows from the parts.
    pub operation: Operation,
    /// What it follows from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Explanation>,
}

/// How a number follows from its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Operation {
    /// It is what it is: a count, a weight, the value of a formula that the label names.
    Given,
    /// All parts added up.
    Sum,
    /// All parts multiplied.
    Product,
}

impl Explanation {
    /// A number without parts.
    pub fn given(label: impl Into<String>, value: f32) -> Self {
        Self {
            label: label.into(),
            value,
            operation: Operation::Given,
            parts: Vec::new(),
        }
    }

    /// The sum of some parts.
    pub fn sum(label: impl Into<String>, parts: Vec<Self>) -> Self {
        Self {
            label: label.into(),
            value: parts.iter().map(|part| part.value).sum(),
            operation: Operation::Sum,
            parts,
        }
    }

    /// The product of some parts.
    pub fn product(label: impl Into<String>, parts: Vec<Self>) -> Self {
        Self {
            label: label.into(),
            value: parts.iter().map(|part| part.value).product(),
            operation: Operation::Product,
            parts,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let sign = match self.operation {
            Operation::Given => "",
            Operation::Sum => " (sum)",
            Operation::Product => " (product)",
        };
        writeln!(
            f,
            "{:depth$}{:.4} {}{sign}",
            "",
            self.value,
            self.label,
            depth = depth * 2
        )?;
        self.parts.iter().try_for_each(|part| part.write(f, depth + 1))
    }
}

/// One line per number, indented.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}
