use smol_str::SmolStr;

use super::{DEFAULT_NEAR, Filter, FilterKind, MAX_NEAR, MAX_NESTING, Node, Word, WordPart};
use crate::{Warning, analysis::is_searchable};

/// A piece of a query before operators are joined.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A word, phrase or `NEAR(…)`.
    Operand(Node),
    /// `(`
    Open,
    /// `)`
    Close,
    /// A `-` before an operand, or `NOT` (which can turn out to be text).
    Exclude { word: bool },
    /// `AND`
    And,
    /// `OR`
    Or,
}

/// What a query is made of.
#[derive(Debug, Default)]
pub(super) struct Lexed {
    pub(super) tokens: Vec<Token>,
    pub(super) filters: Vec<Filter>,
    pub(super) warnings: Vec<Warning>,
}

/// Splits a query. One pass; every chunk between spaces is looked at once.
pub(super) fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer {
        rest: text,
        open: 0,
        out: Lexed::default(),
    };
    while lexer.step() {}
    lexer.out
}

struct Lexer<'q> {
    rest: &'q str,
    /// Groups that are open.
    open: usize,
    out: Lexed,
}

/// What separates chunks: white space, controls, and the invisible characters that come with pasted text.
fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{feff}' | '\u{200b}' | '\u{2060}')
}

impl<'q> Lexer<'q> {
    /// Reads one token. False at the end.
    fn step(&mut self) -> bool {
        self.rest = self.rest.trim_start_matches(is_space);
        let Some(first) = self.rest.chars().next() else {
            return false;
        };
        match first {
            '"' => self.quote(),
            '(' => {
                self.rest = &self.rest[1..];
                if self.open < MAX_NESTING {
                    self.open += 1;
                    self.out.tokens.push(Token::Open);
                } else {
                    self.warn(Warning::UnbalancedParenthesis);
                }
            }
            ')' => {
                self.rest = &self.rest[1..];
                self.close();
            }
            // A dash before a quotation mark without partner is a dash.
            '-' if self.rest[1..].starts_with('"') && !self.rest[2..].contains('"') => {
                self.rest = &self.rest[1..]
            }
            // So is one before a parenthesis that is too deep to be one.
            '-' if self.rest[1..].starts_with('(') && self.open >= MAX_NESTING => self.rest = &self.rest[1..],
            '-' if self.excludes(&self.rest[1..]) => {
                self.rest = &self.rest[1..];
                if !self.filter(true) {
                    self.out.tokens.push(Token::Exclude { word: false });
                }
            }
            _ => {
                if !self.near() && !self.filter(false) {
                    self.chunk();
                }
            }
        }
        true
    }

    fn close(&mut self) {
        if self.open > 0 {
            self.open -= 1;
            self.out.tokens.push(Token::Close);
        } else {
            self.warn(Warning::UnbalancedParenthesis);
        }
    }

    fn quote(&mut self) {
        let inside = &self.rest[1..];
        match inside.find('"') {
            Some(end) => {
                self.rest = &inside[end + 1..];
                if let Some(phrase) = phrase(&inside[..end]) {
                    self.out.tokens.push(Token::Operand(phrase));
                }
            }
            None => {
                self.rest = inside;
                self.warn(Warning::UnclosedQuote);
            }
        }
    }

    /// Whether a `-` before `rest` can be meant as an exclusion. Options of a command line (`-m`, `-rf`), numbers,
    /// dashes and `--flags` are text.
    fn excludes(&self, rest: &str) -> bool {
        let Some(first) = rest.chars().next() else {
            return false;
        };
        if first == '"' {
            return rest[1..].contains('"');
        }
        if first == '(' {
            return self.open < MAX_NESTING;
        }
        let (chunk, _) = split_chunk(rest);
        if first == '#' {
            tag(chunk).is_some()
        } else {
            can_follow_dash(chunk)
        }
    }

    /// `NEAR(a b, 5)`, when it is one.
    fn near(&mut self) -> bool {
        let Some(inside) = self.rest.strip_prefix("NEAR(") else {
            return false;
        };
        match near(inside) {
            Some((node, rest)) => {
                self.rest = rest;
                self.out.tokens.push(Token::Operand(node));
            }
            None => {
                // The parenthesis is read for itself.
                self.rest = &self.rest["NEAR".len()..];
                self.out
                    .tokens
                    .push(Token::Operand(Node::Phrase("NEAR".to_owned())));
                self.warn(Warning::OperatorAsText {
                    operator: "NEAR".into(),
                });
            }
        }
        true
    }

    /// `#tag` or `name:value`, when it is one.
    fn filter(&mut self, negated: bool) -> bool {
        let (chunk, after) = self.peek_chunk();
        if let Some(tag) = tag(chunk) {
            self.rest = after;
            self.push_filter(FilterKind::Tag(tag), negated);
            return true;
        }
        let Some((name, value)) = chunk.split_once(':') else {
            return false;
        };
        if !FilterKind::NAMES.contains(&name) || value.is_empty() {
            return false;
        }
        let (value, after) = if value.starts_with('"') {
            let inside = &self.rest[name.len() + 2..];
            match inside.split_once('"') {
                Some((value, after)) => (value.trim(), after),
                None => return false,
            }
        } else {
            (value, after)
        };
        if value.is_empty() || value.contains('"') || value.contains(is_control_or_invisible) {
            return false;
        }
        match FilterKind::parse(name, value) {
            Some(Ok(kind)) => {
                self.rest = after;
                self.push_filter(kind, negated);
                true
            }
            Some(Err(expected)) => {
                self.warn(Warning::BadFilterValue {
                    filter: name.into(),
                    value: value.to_owned(),
                    expected,
                });
                false
            }
            None => false,
        }
    }

    fn push_filter(&mut self, kind: FilterKind, mut negated: bool) {
        // `NOT role:user`
        if self.out.tokens.last() == Some(&Token::Exclude { word: true }) {
            self.out.tokens.pop();
            negated = !negated;
        }
        let filter = Filter { kind, negated };
        if !self.out.filters.contains(&filter) {
            self.out.filters.push(filter);
        }
    }

    fn peek_chunk(&self) -> (&'q str, &'q str) {
        split_chunk(self.rest)
    }

    fn chunk(&mut self) {
        let (mut chunk, mut rest) = self.peek_chunk();
        // The quotation marks of a filter that makes no sense are quotation marks. Inside of a word they would take
        // another value, or none, when the query is printed and what stands behind them has moved.
        if let Some((name, value)) = chunk.split_once(':')
            && FilterKind::NAMES.contains(&name)
            && value.starts_with('"')
        {
            (chunk, rest) = self.rest.split_at(name.len() + 1);
        }
        self.rest = rest;
        let token = match chunk {
            "AND" => Token::And,
            "OR" => Token::Or,
            "NOT" => Token::Exclude { word: true },
            _ => match word(chunk) {
                Some(word) => Token::Operand(Node::Word(word)),
                None => return,
            },
        };
        self.out.tokens.push(token);
    }

    fn warn(&mut self, warning: Warning) {
        if !self.out.warnings.contains(&warning) {
            self.out.warnings.push(warning);
        }
    }
}

/// The text up to the next space, without parentheses at its end that close groups, and what follows.
fn split_chunk(rest: &str) -> (&str, &str) {
    let end = rest.find(is_space).unwrap_or(rest.len());
    let chunk = &rest[..end];
    let body = chunk.trim_end_matches(')');
    let mut surplus = chunk.len() - body.len();
    // Parentheses that the chunk opened itself (`foo(bar)`) belong to it.
    let mut depth = 0usize;
    for byte in body.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    surplus = surplus.saturating_sub(depth);
    rest.split_at(end - surplus)
}

/// Whether `-chunk` excludes: it starts with a letter and is longer than an option of a command line.
pub(super) fn can_follow_dash(chunk: &str) -> bool {
    let letters = chunk.chars().filter(|c| c.is_alphanumeric()).count();
    chunk.starts_with(char::is_alphabetic) && (letters > 2 || !chunk.is_ascii())
}

fn is_control_or_invisible(c: char) -> bool {
    is_space(c) && !c.is_whitespace()
}

/// A phrase of this text, without the space around and with single spaces inside; `None` without a word in it.
fn phrase(text: &str) -> Option<Node> {
    let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
    let text = words.join(" ");
    is_searchable(&text).then_some(Node::Phrase(text))
}

/// The word of a chunk with its stars; `None` when there is nothing to search in it.
fn word(chunk: &str) -> Option<Word> {
    if !is_searchable(chunk) {
        return None;
    }
    let (text, part) = wildcard(chunk).unwrap_or((chunk, WordPart::Whole));
    Some(Word {
        text: text.to_owned(),
        part,
    })
}

/// Stars are meant when they stand alone at the ends of something: `**bold**`, `a*b` and `.*` are text.
fn wildcard(chunk: &str) -> Option<(&str, WordPart)> {
    let (inner, part) = match (chunk.strip_prefix('*'), chunk.strip_suffix('*')) {
        (Some(_), Some(_)) if chunk.len() > 2 => (&chunk[1..chunk.len() - 1], WordPart::Infix),
        (Some(inner), None) => (inner, WordPart::Suffix),
        (None, Some(inner)) => (inner, WordPart::Prefix),
        _ => return None,
    };
    let open_end = match part {
        WordPart::Suffix => inner.chars().next(),
        _ => inner.chars().next_back(),
    };
    let joins = open_end.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let plain = !inner.contains('*') && !inner.starts_with(['"', '(', '-', '#']);
    (plain && (joins || part == WordPart::Infix)).then_some((inner, part))
}

/// The tag of `#tag`. `#123` is the number of an issue, `##` a heading.
fn tag(chunk: &str) -> Option<SmolStr> {
    let name = chunk.strip_prefix('#')?;
    let starts = name.chars().next().is_some_and(char::is_alphabetic);
    let plain = name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    (starts && plain).then(|| SmolStr::new(name.to_lowercase()))
}

/// The operands and the number of `NEAR(` up to its parenthesis, and what follows.
fn near(mut rest: &str) -> Option<(Node, &str)> {
    let mut operands = Vec::new();
    // The last word, when a comma stands before it: it may be the number.
    let mut after_comma = false;
    let mut number = None;
    loop {
        rest = rest.trim_start_matches(is_space);
        let first = rest.chars().next()?;
        if first == ')' {
            rest = &rest[1..];
            break;
        }
        if first == '"' {
            let (text, after) = rest[1..].split_once('"')?;
            operands.extend(phrase(text));
            number = None;
            after_comma = after.starts_with(',');
            rest = after.strip_prefix(',').unwrap_or(after);
            continue;
        }
        let end = rest.find(|c| is_space(c) || c == ')').filter(|end| *end > 0)?;
        let chunk = &rest[..end];
        rest = &rest[end..];
        let text = chunk.trim_matches(',');
        let is_number = (after_comma || chunk.starts_with(',')) && text.bytes().all(|b| b.is_ascii_digit());
        number = (is_number && !text.is_empty()).then_some((text, operands.len()));
        if !text.is_empty() {
            after_comma = chunk.ends_with(',');
            if text.contains('"') || text.contains('(') {
                return None;
            }
            operands.extend(word(text).map(Node::Word));
        } else {
            after_comma = true;
        }
    }
    let distance = match number {
        Some((digits, at)) => {
            operands.truncate(at);
            digits.parse().unwrap_or(MAX_NEAR).min(MAX_NEAR)
        }
        None => DEFAULT_NEAR,
    };
    let ends = rest.chars().next().is_none_or(|c| is_space(c) || c == ')');
    (ends && operands.len() >= 2).then_some((Node::Near { operands, distance }, rest))
}
