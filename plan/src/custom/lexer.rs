//! Splits SQL text into tokens, by the rules of one database.
//!
//! A caller's SQL text has to be read to its end: for example, a parenthesis inside a string does not count. A select
//! that sea-query wrote may have raw SQL in it. If that cannot be read, the tokens before it still can.

use crate::dialect::{Dialect, Facts, ParameterForm, Syntax};
use crate::error::{Misuse, Result};

/// A token other than spaces and comments.
#[derive(Debug, Clone, Copy)]
pub struct Token<'a> {
    pub text: &'a str,
    pub kind: Kind,
    /// Where it begins, in bytes.
    pub start: usize,
    /// How many parentheses and brackets are open around it.
    pub depth: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A word, a number or a mark.
    Plain,
    /// A string or a quoted name.
    Quoted,
    /// The next value, written as `?`.
    Next,
    /// The value with this number, written as `$1` or `?1`.
    Numbered(usize),
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start.saturating_add(self.text.len())
    }

    /// Whether it is the parenthesis or bracket that opens this depth.
    pub(super) fn opens(&self, depth: usize) -> bool {
        self.is_any(&["(", "["]) && self.depth.saturating_add(1) == depth
    }

    /// Whether it is this keyword or mark, outside of all parentheses.
    pub(super) fn is_top_level(&self, text: &str) -> bool {
        self.depth == 0 && self.is(text)
    }

    /// Whether it is this keyword or mark.
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind == Kind::Plain && self.text.eq_ignore_ascii_case(text)
    }

    pub(super) fn is_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is(text))
    }

    /// Whether it can be a name or a keyword.
    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Quoted || self.text.starts_with(|first: char| first.is_alphanumeric() || first == '_')
    }

    /// The identifier without quotes, if it is one.
    pub(super) fn name(&self) -> Option<String> {
        let first = self.text.chars().next()?;
        match (self.kind, first) {
            (Kind::Quoted, '"' | '`') => {
                let inner = self.text.strip_prefix(first)?.strip_suffix(first)?;
                Some(inner.replace(&format!("{first}{first}"), &first.to_string()))
            }
            (Kind::Quoted, '[') => Some(self.text.strip_prefix('[')?.strip_suffix(']')?.to_owned()),
            (Kind::Plain, _) if first.is_alphabetic() || first == '_' => Some(self.text.to_owned()),
            _ => None,
        }
    }
}

/// The tokens of a text, up to the first place that cannot be read.
#[derive(Debug)]
pub struct Tokens<'a> {
    pub(super) sql: &'a str,
    pub(super) read: Vec<Token<'a>>,
    /// Why the rest cannot be read: for example, a string has no end, or a setting of the server decides where it ends.
    pub(super) refusal: Option<Misuse>,
    /// Whether a comment may hide what follows the text: it has no end, or it begins with `--` or `#`, which hide the
    /// rest of the line on some database and are operators on others.
    pub(super) may_hide_rest: bool,
}

impl<'a> Tokens<'a> {
    pub fn of(dialect: Dialect, sql: &'a str) -> Self {
        let (mut lexer, mut read) = (Lexer { facts: dialect.facts(), sql, at: 0, may_hide_rest: false }, Vec::new());
        let refusal = lexer.read_all(&mut read).err();
        Self { sql, read, refusal, may_hide_rest: lexer.may_hide_rest }
    }
}

/// The tokens of a whole text.
///
/// # Errors
/// [`Misuse`] for a text without an end, such as one with an open parenthesis, and for one whose end depends on the
/// settings of the server.
pub fn tokens(dialect: Dialect, sql: &str) -> Result<Vec<Token<'_>>> {
    let Tokens { read, refusal, .. } = Tokens::of(dialect, sql);
    refusal.map_or(Ok(read), Err)
}

/// Whether a text names a column, in quotes or without. A name before a dot is a table's.
pub fn names_column(dialect: Dialect, sql: &str, column: &str) -> bool {
    let tokens = Tokens::of(dialect, sql).read;
    let is_named = |token: &Token<'_>| token.name().is_some_and(|name| name.eq_ignore_ascii_case(column));
    let is_qualifier = |at: usize| tokens.get(at.saturating_add(1)).is_some_and(|next| next.is("."));
    tokens.iter().enumerate().any(|(at, token)| is_named(token) && !is_qualifier(at))
}

/// The text from the first to the last of these tokens.
pub(super) fn text_of<'a>(sql: &'a str, tokens: &[Token<'_>]) -> &'a str {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return "" };
    sql.get(first.start..last.end()).unwrap_or_default()
}

/// Whether there may be a variable of MySQL.
pub(super) fn has_variable(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|token| token.is("@"))
}

/// Whether one of these keywords is outside of all parentheses.
pub(super) fn has_any(tokens: &[Token<'_>], keywords: &[&str]) -> bool {
    tokens.iter().any(|token| token.depth == 0 && token.is_any(keywords))
}

/// The error for a text that cannot be a list.
pub(super) fn wrong(what: &str) -> Misuse {
    Misuse::new(format!("the SQL text {what}"))
}

struct Lexer<'a> {
    facts: &'static Facts,
    sql: &'a str,
    at: usize,
    /// See [`Tokens::may_hide_rest`].
    may_hide_rest: bool,
}

impl<'a> Lexer<'a> {
    /// Reads the tokens up to the end.
    fn read_all(&mut self, tokens: &mut Vec<Token<'a>>) -> Result<()> {
        // What closes each of those that are open. A comma inside brackets does not end an item of a list.
        let mut open = Vec::new();
        while let Some((start, kind)) = self.next()? {
            let text = self.sql.get(start..self.at).unwrap_or_default();
            let mark = if kind == Kind::Plain { text } else { "" };
            if matches!(mark, ")" | "]") && open.pop() != Some(mark) {
                return Err(wrong("closes a parenthesis that it does not open"));
            }
            tokens.push(Token { text, kind, start, depth: open.len() });
            match mark {
                "(" => open.push(")"),
                "[" => open.push("]"),
                _ => {}
            }
        }
        if open.is_empty() { Ok(()) } else { Err(wrong("has a parenthesis without an end")) }
    }

    /// Where the next token begins, and its kind. It ends where the lexer then is.
    fn next(&mut self) -> Result<Option<(usize, Kind)>> {
        while self.skip_spaces_and_comment()? {}
        let start = self.at;
        match self.rest().chars().next() {
            Some(first) => Ok(Some((start, self.read(first)?))),
            None => Ok(None),
        }
    }

    /// Reads a token that begins with this character.
    fn read(&mut self, first: char) -> Result<Kind> {
        let Facts { parameters, syntax, .. } = self.facts;
        match (first, parameters) {
            _ if syntax.name_quotes.contains(&first) => self.quoted_name(first),
            ('\'' | '"', _) => self.string(),
            _ if syntax.named_parameters.contains(&first) => {
                Err(wrong("has a parameter with a name, which sqlx cannot bind: write `?` or `?1`"))
            }
            ('$', ParameterForm::Dollar) => self.dollar(),
            ('?', ParameterForm::Positional | ParameterForm::Question) => self.question_mark(),
            _ if is_word(first) => self.word(),
            _ => Ok(self.advance(first.len_utf8())),
        }
    }

    fn rest(&self) -> &'a str {
        self.sql.get(self.at..).unwrap_or_default()
    }

    /// The text after a mark of one byte.
    fn after_mark(&self) -> &'a str {
        self.rest().get(1..).unwrap_or_default()
    }

    fn advance(&mut self, bytes: usize) -> Kind {
        self.at = self.at.saturating_add(bytes);
        Kind::Plain
    }

    /// Skips spaces and one comment, and returns whether there was a comment.
    fn skip_spaces_and_comment(&mut self) -> Result<bool> {
        // Other whitespace characters can be part of a name.
        let spaces = leading(self.rest(), |next| next.is_ascii_whitespace() || next == '\u{b}').len();
        self.advance(spaces);
        self.may_hide_rest |= self.rest().starts_with("--") || self.rest().starts_with('#');
        if self.is_at_line_comment() {
            let ends = |next| next == '\n' || next == '\r' && self.facts.syntax.returns_end_comments;
            self.advance(leading(self.rest(), |next| !ends(next)).len());
        } else if self.rest().starts_with("/*") {
            self.comment()?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Whether the next token is a comment that ends with its line.
    fn is_at_line_comment(&self) -> bool {
        let rest = self.rest();
        match (rest.strip_prefix("--"), self.facts.syntax.has_mysql_comments) {
            // `5--3` is a difference on MySQL.
            (Some(rest), true) => rest.chars().next().is_none_or(|next| next.is_ascii_control() || next == ' '),
            (None, true) => rest.starts_with('#'),
            (found, false) => found.is_some(),
        }
    }

    fn comment(&mut self) -> Result<()> {
        let rest = self.rest();
        if self.facts.syntax.has_mysql_comments && (rest.starts_with("/*!") || rest.starts_with("/*M!")) {
            return Err(wrong("has a comment that MySQL runs: write its content without the comment"));
        }
        let end = end_of_comment(rest, self.facts.syntax.nests_comments);
        self.may_hide_rest |= end.is_none();
        self.advance(end.ok_or_else(|| wrong("has a comment without an end"))?);
        Ok(())
    }

    /// A string between equal quotes. Where a setting of the server decides whether a backslash escapes a quote, the
    /// text has to end at the same place either way.
    fn string(&mut self) -> Result<Kind> {
        let rest = self.rest();
        let plain = end_of_string(rest, false);
        if self.facts.syntax.may_escape_quotes && end_of_string(rest, true) != plain {
            return Err(wrong(ambiguous_backslash(&self.facts.syntax)));
        }
        self.quoted(plain, "has a string without an end")
    }

    fn quoted_name(&mut self, first: char) -> Result<Kind> {
        let rest = self.rest();
        let end = match first {
            '[' => rest.find(']').and_then(|at| at.checked_add(1)),
            _ => end_of_string(rest, false),
        };
        self.quoted(end, "has a quoted name without an end")
    }

    /// A string or a quoted name of this length.
    fn quoted(&mut self, length: Option<usize>, without_end: &str) -> Result<Kind> {
        self.advance(length.ok_or_else(|| wrong(without_end))?);
        Ok(Kind::Quoted)
    }

    /// A parameter or, on PostgreSQL, a string between `$tag$` and `$tag$`.
    fn dollar(&mut self) -> Result<Kind> {
        if self.after_mark().starts_with(is_digit) {
            return self.numbered();
        }
        match dollar_tag(self.rest()) {
            Some(tag) => self.quoted(end_of_dollar_string(self.rest(), tag), "has a string without an end"),
            None => Ok(self.advance(1)),
        }
    }

    fn question_mark(&mut self) -> Result<Kind> {
        if self.facts.parameters == ParameterForm::Question && self.after_mark().starts_with(is_digit) {
            return self.numbered();
        }
        self.advance(1);
        Ok(Kind::Next)
    }

    /// A parameter with a number, after a mark of one byte.
    fn numbered(&mut self) -> Result<Kind> {
        let digits = leading(self.after_mark(), is_digit);
        self.advance(digits.len().saturating_add(1));
        let number = digits.parse().ok().filter(|number| *number > 0);
        let kind = number.map(Kind::Numbered);
        kind.ok_or_else(|| wrong("has an invalid parameter number: parameters are numbered from 1"))
    }

    fn word(&mut self) -> Result<Kind> {
        let word = leading_word(self.rest());
        self.advance(word.len());
        if self.facts.syntax.has_escape_strings && word.eq_ignore_ascii_case("e") && self.rest().starts_with('\'') {
            // A string in which a backslash escapes.
            return self.quoted(end_of_string(self.rest(), true), "has a string without an end");
        }
        Ok(Kind::Plain)
    }
}

/// The error message for a string whose end depends on whether a backslash escapes.
fn ambiguous_backslash(syntax: &Syntax) -> &'static str {
    if syntax.has_escape_strings {
        "has a backslash before a quote, which is read by the server's settings: write the string as `E'…'`, or bind it \
         with `bind`"
    } else {
        "has a backslash before a quote, which is read by the server's settings: bind the string with `bind`"
    }
}

fn is_word(next: char) -> bool {
    next.is_ascii_alphanumeric() || next == '_' || !next.is_ascii()
}

pub(super) fn is_digit(next: char) -> bool {
    next.is_ascii_digit()
}

/// The part of a text before the first character that does not belong to it.
fn leading(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    let end = text.find(|next| !belongs(next)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// The word or number at the beginning of a text. The decimal point belongs to the number, even at its end.
fn leading_word(text: &str) -> &str {
    let is_number = text.starts_with(is_digit);
    leading(text, |next| is_word(next) || next == '$' || is_number && next == '.')
}

/// The length of the comment at the beginning of a text.
fn end_of_comment(text: &str, nests: bool) -> Option<usize> {
    let (mut at, mut open) = (2_usize, 1_usize);
    while open > 0 {
        let inside = text.get(at..)?;
        let end = inside.find("*/")?;
        let nested = inside.find("/*").filter(|nested| nests && *nested < end);
        open = if nested.is_some() { open.saturating_add(1) } else { open.saturating_sub(1) };
        at = at.saturating_add(nested.unwrap_or(end)).saturating_add(2);
    }
    Some(at)
}

/// The `$tag$` at the beginning of a text.
fn dollar_tag(text: &str) -> Option<&str> {
    let name = leading(text.get(1..)?, is_word);
    let tag = text.get(..name.len().saturating_add(2))?;
    tag.ends_with('$').then_some(tag)
}

/// The length of the string at the beginning of a text, with this tag at both ends.
fn end_of_dollar_string(text: &str, tag: &str) -> Option<usize> {
    let inside = text.get(tag.len()..)?;
    Some(inside.find(tag)?.saturating_add(tag.len().saturating_mul(2)))
}

/// The length of the string at the beginning of a text, with its quotes. Two quotes in it are one.
fn end_of_string(text: &str, escapes: bool) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    let (_, quote) = chars.next()?;
    while let Some((at, next)) = chars.next() {
        if next == '\\' && escapes {
            chars.next();
        } else if next == quote && chars.next_if(|(_, next)| *next == quote).is_none() {
            return at.checked_add(quote.len_utf8());
        }
    }
    None
}
