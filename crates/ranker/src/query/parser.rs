use super::lexer::{self, Token};
use super::{MAX_QUERY_CHARS, Node, ParseOptions, Query, WordPart};
use crate::Warning;

/// Reads a query. Never fails and takes linear time.
///
/// Words side by side bind tightest (with their exclusions), then `AND`, then `OR`:
/// `a b AND c OR d` is `((a b) AND c) OR d`.
pub fn parse(text: &str, options: &ParseOptions) -> Query {
    let mut warnings = Vec::new();
    let mut text = text;
    if let Some((end, _)) = text.char_indices().nth(MAX_QUERY_CHARS) {
        warnings.push(Warning::QueryCut {
            characters: text.chars().count(),
        });
        text = &text[..end];
    }
    let lexed = lexer::lex(text);
    warnings.extend(lexed.warnings);
    let mut tokens = lexed.tokens;
    if options.typing && !text.ends_with(char::is_whitespace) {
        mark_last_word(&mut tokens);
    }
    let mut parser = Parser {
        tokens: Cursor::new(tokens),
        previous_is_shouted: false,
        warnings,
    };
    let root = parser.or();
    let root = parser.without_lone_exclusion(root);
    let mut warnings = parser.warnings;
    if root.is_none() && lexed.filters.is_empty() {
        warnings.push(Warning::NothingToSearch);
    }
    Query {
        root,
        filters: lexed.filters,
        warnings,
    }
}

fn mark_last_word(tokens: &mut [Token]) {
    if let Some(Token::Operand(Node::Word(word))) = tokens.last_mut()
        && word.part == WordPart::Whole
    {
        word.part = WordPart::Typing;
    }
}

/// Tokens with two of look-ahead.
struct Cursor {
    /// In reverse order, the next one last.
    rest: Vec<Token>,
}

impl Cursor {
    fn new(mut tokens: Vec<Token>) -> Self {
        tokens.reverse();
        Self { rest: tokens }
    }

    fn next(&mut self) -> Option<Token> {
        self.rest.pop()
    }

    fn peek(&self) -> Option<&Token> {
        self.rest.last()
    }

    fn second(&self) -> Option<&Token> {
        self.rest.iter().nth_back(1)
    }

    fn next_if_eq(&mut self, token: &Token) -> Option<Token> {
        if self.peek() == Some(token) {
            self.next()
        } else {
            None
        }
    }
}

struct Parser {
    tokens: Cursor,
    /// The operand before the present token is a word in capitals: `NOT` between two of them is SQL, not ours.
    previous_is_shouted: bool,
    warnings: Vec<Warning>,
}

impl Parser {
    fn or(&mut self) -> Option<Node> {
        let mut parts = Vec::new();
        loop {
            let part = self.and();
            let part = self.without_lone_exclusion(part);
            parts.extend(part);
            if self.tokens.next_if_eq(&Token::Or).is_none() {
                return joined(parts, Node::Or);
            }
        }
    }

    fn and(&mut self) -> Option<Node> {
        let mut parts: Vec<Node> = Vec::new();
        loop {
            let part = self.list();
            match (parts.last_mut(), part) {
                // `a AND -b`: what is excluded, is excluded from a.
                (Some(last), Some(part)) if is_exclusion(&part) => exclude_from(last, part),
                (Some(last), Some(part)) if is_exclusion(last) => {
                    let mut both = part;
                    exclude_from(&mut both, std::mem::replace(last, Node::Or(Vec::new())));
                    *last = both;
                }
                (_, part) => parts.extend(part),
            }
            if self.tokens.next_if_eq(&Token::And).is_none() {
                return joined(parts, Node::And);
            }
        }
    }

    /// Operands and exclusions side by side.
    fn list(&mut self) -> Option<Node> {
        let mut nodes = Vec::new();
        while let Some(token) = self.tokens.peek() {
            match token {
                Token::And | Token::Or => {
                    let operator = *token == Token::Or;
                    if !nodes.is_empty() && self.operand_follows_operator() {
                        break;
                    }
                    self.tokens.next();
                    nodes.push(self.operator_as_text(if operator { "OR" } else { "AND" }));
                }
                Token::Close => {
                    break;
                }
                Token::Exclude { .. } => nodes.extend(self.exclusion()),
                Token::Open | Token::Operand(_) => nodes.extend(self.operand()),
            }
        }
        flatten(&mut nodes);
        joined(nodes, Node::List)
    }

    fn exclusion(&mut self) -> Option<Node> {
        let Some(Token::Exclude { word }) = self.tokens.next() else {
            return None;
        };
        if word && (!self.operand_follows() || self.is_sql()) {
            return Some(self.operator_as_text("NOT"));
        }
        match self.operand()? {
            // Excluding an exclusion needs nothing: `-(-a)` cannot be built, groups are never exclusions alone.
            Node::List(nodes) if nodes.iter().all(is_exclusion) => None,
            node => Some(Node::Not(Box::new(node))),
        }
    }

    fn operand(&mut self) -> Option<Node> {
        self.previous_is_shouted = false;
        match self.tokens.next()? {
            Token::Operand(node) => {
                self.previous_is_shouted = is_shouted(&node);
                Some(node)
            }
            Token::Open => {
                let group = self.or();
                let group = self.without_lone_exclusion(group);
                if self.tokens.next_if_eq(&Token::Close).is_none() {
                    self.warn(Warning::UnbalancedParenthesis);
                }
                group
            }
            _ => None,
        }
    }

    /// Whether an operand comes next.
    fn operand_follows(&self) -> bool {
        matches!(self.tokens.peek(), Some(Token::Open | Token::Operand(_)))
    }

    /// Whether the operator that comes next has an operand behind it.
    fn operand_follows_operator(&self) -> bool {
        matches!(
            self.tokens.second(),
            Some(Token::Open | Token::Operand(_) | Token::Exclude { .. })
        )
    }

    /// `email TEXT NOT NULL`: a column, not a search.
    fn is_sql(&self) -> bool {
        const AFTER_NOT: [&str; 6] = ["NULL", "EXISTS", "IN", "LIKE", "BETWEEN", "FOUND"];
        match self.tokens.peek() {
            Some(Token::Operand(Node::Word(word))) => {
                let bare = word.text.trim_end_matches(|c: char| !c.is_alphanumeric());
                AFTER_NOT.contains(&bare)
                    || self.previous_is_shouted && word.text.len() > 1 && is_capitals(&word.text)
            }
            _ => false,
        }
    }

    /// Text that looks like an operator; as a phrase, so that printing it does not make it an operator again.
    fn operator_as_text(&mut self, operator: &str) -> Node {
        self.warn(Warning::OperatorAsText {
            operator: operator.into(),
        });
        Node::Phrase(operator.to_owned())
    }

    /// An exclusion with nothing beside it becomes text: there is nothing it could be excluded from.
    fn without_lone_exclusion(&mut self, node: Option<Node>) -> Option<Node> {
        let node = node?;
        if !is_exclusion(&node) {
            return Some(node);
        }
        self.warn(Warning::OnlyExclusions);
        let nodes = match node {
            Node::Not(inner) => vec![*inner],
            Node::List(nodes) => nodes
                .into_iter()
                .map(|node| match node {
                    Node::Not(inner) => *inner,
                    other => other,
                })
                .collect(),
            other => vec![other],
        };
        let mut nodes = nodes;
        flatten(&mut nodes);
        joined(nodes, Node::List)
    }

    fn warn(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

/// True for `-a` and `-a -b`.
fn is_exclusion(node: &Node) -> bool {
    match node {
        Node::Not(_) => true,
        Node::List(nodes) => nodes.iter().all(|node| matches!(node, Node::Not(_))),
        _ => false,
    }
}

/// Puts the exclusions beside what they are excluded from.
fn exclude_from(node: &mut Node, exclusions: Node) {
    let exclusions = match exclusions {
        Node::List(nodes) => nodes,
        other => vec![other],
    };
    match node {
        Node::List(nodes) => nodes.extend(exclusions),
        other => {
            let kept = std::mem::replace(other, Node::Or(Vec::new()));
            let mut nodes = vec![kept];
            nodes.extend(exclusions);
            *other = Node::List(nodes);
        }
    }
}

/// A list inside a list says nothing, unless it has exclusions of its own.
fn flatten(nodes: &mut Vec<Node>) {
    if !nodes.iter().any(is_plain_list) {
        return;
    }
    let old = std::mem::take(nodes);
    for node in old {
        match node {
            Node::List(inner) if inner.iter().all(|node| !matches!(node, Node::Not(_))) => {
                nodes.extend(inner)
            }
            other => nodes.push(other),
        }
    }
}

fn is_plain_list(node: &Node) -> bool {
    matches!(node, Node::List(inner) if inner.iter().all(|node| !matches!(node, Node::Not(_))))
}

fn joined(mut nodes: Vec<Node>, join: fn(Vec<Node>) -> Node) -> Option<Node> {
    match nodes.len() {
        0 => None,
        1 => nodes.pop(),
        _ => Some(join(nodes)),
    }
}

fn is_shouted(node: &Node) -> bool {
    matches!(node, Node::Word(word) if word.text.len() > 1 && is_capitals(&word.text))
}

/// No small letters, and at least one capital one.
fn is_capitals(text: &str) -> bool {
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
}
