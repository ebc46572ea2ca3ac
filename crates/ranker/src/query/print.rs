use std::fmt::{self, Display, Formatter};

use lookback_session_model::BranchState;

use super::lexer::can_follow_dash;
use super::{Filter, FilterKind, Node, Property, Query, Word, WordPart};

/// Prints the query in its own language, so that reading it again gives the same tree.
impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(root) = &self.root {
            write_node(f, root, Context::Top)?;
        }
        for (index, filter) in self.filters.iter().enumerate() {
            if index > 0 || self.root.is_some() {
                f.write_str(" ")?;
            }
            Display::fmt(filter, f)?;
        }
        Ok(())
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_node(f, self, Context::Top)
    }
}

/// What stands around a node; the tighter the context, the sooner parentheses are needed.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Context {
    Top,
    Or,
    And,
    List,
}

fn write_node(f: &mut Formatter<'_>, node: &Node, context: Context) -> fmt::Result {
    match node {
        Node::Word(word) => Display::fmt(word, f),
        Node::Phrase(text) => write!(f, "\"{text}\""),
        Node::Near { operands, distance } => {
            f.write_str("NEAR(")?;
            for (index, operand) in operands.iter().enumerate() {
                if index > 0 {
                    f.write_str(" ")?;
                }
                write_node(f, operand, Context::List)?;
            }
            write!(f, ", {distance})")
        }
        Node::Not(inner) => match inner.as_ref() {
            Node::Word(word) if !can_follow_dash(&word.to_string()) => {
                let space = if word.text.contains('(') { " " } else { "" };
                write!(f, "NOT ({word}{space})")
            }
            Node::Near { .. } => write!(f, "NOT ({inner})"),
            inner => {
                f.write_str("-")?;
                write_node(f, inner, Context::List)
            }
        },
        Node::List(nodes) => write_joined(f, nodes, " ", Context::List, context >= Context::List),
        Node::And(nodes) => write_joined(f, nodes, " AND ", Context::And, context >= Context::And),
        Node::Or(nodes) => write_joined(f, nodes, " OR ", Context::Or, context >= Context::Or),
    }
}

fn write_joined(
    f: &mut Formatter<'_>,
    nodes: &[Node],
    joint: &str,
    context: Context,
    parentheses: bool,
) -> fmt::Result {
    if parentheses {
        f.write_str("(")?;
    }
    for (index, node) in nodes.iter().enumerate() {
        if index > 0 {
            f.write_str(joint)?;
        }
        write_node(f, node, context)?;
    }
    if parentheses {
        // A word with a parenthesis of its own must not take this one.
        let space = nodes.last().is_some_and(ends_with_parenthesis);
        f.write_str(if space { " )" } else { ")" })?;
    }
    Ok(())
}

/// Whether the last word that is printed has a parenthesis in it.
fn ends_with_parenthesis(node: &Node) -> bool {
    match node {
        Node::Word(word) => word.text.contains('('),
        Node::Phrase(_) | Node::Near { .. } => false,
        Node::Not(inner) => ends_with_parenthesis(inner),
        Node::List(nodes) | Node::And(nodes) | Node::Or(nodes) => {
            nodes.last().is_some_and(ends_with_parenthesis)
        }
    }
}

impl Display for Word {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.part {
            WordPart::Whole | WordPart::Typing => f.write_str(&self.text),
            WordPart::Prefix => write!(f, "{}*", self.text),
            WordPart::Infix => write!(f, "*{}*", self.text),
            WordPart::Suffix => write!(f, "*{}", self.text),
        }
    }
}

impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.negated {
            f.write_str("-")?;
        }
        let mut text = |name: &str, value: &str| {
            if value.contains(|c: char| c.is_whitespace() || c == '(' || c == ')') {
                write!(f, "{name}:\"{value}\"")
            } else {
                write!(f, "{name}:{value}")
            }
        };
        match &self.kind {
            FilterKind::Tag(tag) => text("tag", tag),
            FilterKind::Role(role) => text("role", role.name()),
            FilterKind::Cwd(value) => text("cwd", value),
            FilterKind::Session(value) => text("session", value),
            FilterKind::Name(value) => text("name", value),
            FilterKind::Model(value) => text("model", value),
            FilterKind::After(when) => text("after", &when.to_string()),
            FilterKind::Before(when) => text("before", &when.to_string()),
            FilterKind::Branch(state) => text(
                "branch",
                match state {
                    BranchState::Active => "active",
                    BranchState::Compacted => "compacted",
                    BranchState::Abandoned => "abandoned",
                },
            ),
            FilterKind::Is(property) => text(
                "is",
                match property {
                    Property::Fork => "fork",
                    Property::Unread => "unread",
                    Property::Tagged => "tagged",
                },
            ),
        }
    }
}
