//! The tokens of SQL text, as one database reads them.
//!
//! [`crate::query::shape`] has a lexer for text that sea-query wrote, which stops where databases differ. The text here
//! is a caller's, and has to be understood to its end: for example, a parenthesis inside a string does not count.

use crate::dialect::Dialect;
use crate::error::{FrameworkError, Result};
use crate::query::shape::Lexeme;

/// A token that is neither space nor comment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) lexeme: Lexeme<'a>,
    /// Where it begins, in bytes.
    pub(super) start: usize,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
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
    pub(super) fn end(&self) -> usize {
        self.start.saturating_add(self.lexeme.text.len())
    }
}

/// Reads a text to its end.
///
/// # Errors
/// [`FrameworkError::Internal`] for a text without an end, such as one with an open parenthesis, and for one whose end
/// depends on the settings of the server.
pub(super) fn tokens(dialect: Dialect, sql: &str) -> Result<Vec<Token<'_>>> {
    let mut lexer = Lexer { dialect, sql, at: 0 };
    let (mut tokens, mut depth) = (Vec::new(), 0_usize);
    while let Some((start, kind)) = lexer.next()? {
        let text = sql.get(start..lexer.at).unwrap_or_default();
        let is = |parenthesis: &str| kind == Kind::Plain && text == parenthesis;
        if is(")") {
            depth = depth.checked_sub(1).ok_or_else(|| wrong("closes a parenthesis that it does not open"))?;
        }
        let lexeme = Lexeme { text, quoted: kind == Kind::Quoted, depth };
        tokens.push(Token { lexeme, start, kind });
        depth = depth.saturating_add(is("(").into());
    }
    if depth > 0 { Err(wrong("has a parenthesis without an end")) } else { Ok(tokens) }
}

/// The error for a text that cannot be a list.
pub(super) fn wrong(what: &str) -> FrameworkError {
    FrameworkError::internal(format!("the SQL text {what}"))
}

struct Lexer<'a> {
    dialect: Dialect,
    sql: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    /// Where the next token begins, and its kind. It ends where the lexer then is.
    fn next(&mut self) -> Result<Option<(usize, Kind)>> {
        while self.skip_blank()? {}
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let kind = match first {
            '\'' => self.string()?,
            '"' if self.dialect == Dialect::MySql => self.string()?,
            '"' => self.quoted('"')?,
            '`' if self.dialect != Dialect::Postgres => self.quoted('`')?,
            '[' if self.dialect == Dialect::Sqlite => self.quoted(']')?,
            '$' if self.dialect == Dialect::Postgres => self.dollar()?,
            // SQLite takes `$1` for a name, and gives it any number.
            '$' | ':' | '@' if self.dialect == Dialect::Sqlite => return Err(named()),
            '?' if self.dialect != Dialect::Postgres => self.question_mark()?,
            first if is_word(first) => self.word()?,
            first => self.advance(first.len_utf8()),
        };
        Ok(Some((start, kind)))
    }

    fn rest(&self) -> &'a str {
        self.sql.get(self.at..).unwrap_or_default()
    }

    fn advance(&mut self, bytes: usize) -> Kind {
        self.at = self.at.saturating_add(bytes);
        Kind::Plain
    }

    /// Skips spaces or a comment, if one of them is next.
    fn skip_blank(&mut self) -> Result<bool> {
        let rest = self.rest();
        // Other spaces belong to a name.
        let spaces = rest.len().saturating_sub(rest.trim_start_matches(is_space).len());
        self.advance(spaces);
        let rest = self.rest();
        let is_dashed = match rest.strip_prefix("--") {
            // `5--3` is a difference on MySQL.
            Some(rest) if self.dialect == Dialect::MySql => {
                rest.chars().next().is_none_or(|next| next.is_ascii_control() || next == ' ')
            }
            found => found.is_some(),
        };
        if is_dashed || self.dialect == Dialect::MySql && rest.starts_with('#') {
            let ends = |next: char| next == '\n' || next == '\r' && self.dialect == Dialect::Postgres;
            self.advance(rest.find(ends).unwrap_or(rest.len()));
            return Ok(true);
        }
        if rest.starts_with("/*") {
            self.comment()?;
            return Ok(true);
        }
        Ok(spaces > 0)
    }

    fn comment(&mut self) -> Result<()> {
        let rest = self.rest();
        if self.dialect == Dialect::MySql && (rest.starts_with("/*!") || rest.starts_with("/*M!")) {
            return Err(wrong("has a comment that MySQL runs: write its content without the comment"));
        }
        let nests = self.dialect == Dialect::Postgres;
        let (mut at, mut open) = (2_usize, 1_usize);
        while open > 0 {
            let inside = rest.get(at..).unwrap_or_default();
            let end = inside.find("*/").ok_or_else(|| wrong("has a comment without an end"))?;
            match inside.find("/*").filter(|nested| nests && *nested < end) {
                Some(nested) => (at, open) = (at.saturating_add(nested).saturating_add(2), open.saturating_add(1)),
                None => (at, open) = (at.saturating_add(end).saturating_add(2), open.saturating_sub(1)),
            }
        }
        self.advance(at);
        Ok(())
    }

    /// A string between equal quotes. Where a setting of the server decides whether a backslash escapes a quote, the text
    /// has to end at the same place either way.
    fn string(&mut self) -> Result<Kind> {
        let rest = self.rest();
        let plain = end_of_string(rest, false);
        if self.dialect != Dialect::Sqlite && end_of_string(rest, true) != plain {
            return Err(wrong(match self.dialect {
                Dialect::Postgres => {
                    "has a backslash before a quote, which is read by the server's settings: write the string as `E'…'`, or \
                     bind it with `bind`"
                }
                _ => {
                    "has a backslash before a quote, which is read by the server's settings: bind the string with `bind`"
                }
            }));
        }
        self.advance(plain.ok_or_else(|| wrong("has a string without an end"))?);
        Ok(Kind::Quoted)
    }

    /// A string in which a backslash escapes: `E'…'`.
    fn escape_string(&mut self) -> Result<Kind> {
        let end = end_of_string(self.rest(), true).ok_or_else(|| wrong("has a string without an end"))?;
        self.advance(end);
        Ok(Kind::Quoted)
    }

    /// A quoted name.
    fn quoted(&mut self, end: char) -> Result<Kind> {
        let mut chars = self.rest().char_indices().skip(1).peekable();
        while let Some((at, next)) = chars.next() {
            if next == end && chars.next_if(|(_, next)| *next == end && end != ']').is_none() {
                self.advance(at.saturating_add(1));
                return Ok(Kind::Quoted);
            }
        }
        Err(wrong("has a quoted name without an end"))
    }

    /// A parameter or, on PostgreSQL, a string between `$tag$` and `$tag$`.
    fn dollar(&mut self) -> Result<Kind> {
        let rest = self.rest().get(1..).unwrap_or_default();
        if rest.starts_with(|next: char| next.is_ascii_digit()) {
            return self.numbered();
        }
        let name = rest.find(|next: char| !is_word(next)).unwrap_or(rest.len());
        if !rest.get(name..).unwrap_or_default().starts_with('$') {
            return Ok(self.advance(1));
        }
        let tag = self.rest().get(..name.saturating_add(2)).unwrap_or_default();
        let inside = self.rest().get(tag.len()..).unwrap_or_default();
        let end = inside.find(tag).ok_or_else(|| wrong("has a string without an end"))?;
        self.advance(tag.len().saturating_mul(2).saturating_add(end));
        Ok(Kind::Quoted)
    }

    fn question_mark(&mut self) -> Result<Kind> {
        let is_numbered = self.rest().get(1..).is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()));
        if is_numbered && self.dialect == Dialect::Sqlite {
            return self.numbered();
        }
        self.advance(1);
        Ok(Kind::Next)
    }

    /// A parameter with a number, after a mark of one byte.
    fn numbered(&mut self) -> Result<Kind> {
        let rest = self.rest().get(1..).unwrap_or_default();
        let digits = rest.find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest.get(..digits).and_then(|digits| digits.parse().ok()).filter(|number| *number > 0);
        self.advance(digits.saturating_add(1));
        number
            .map(Kind::Numbered)
            .ok_or_else(|| wrong("has an invalid parameter number: parameters are numbered from 1"))
    }

    fn word(&mut self) -> Result<Kind> {
        let rest = self.rest();
        // A number has its point, also at its end.
        let is_number = rest.starts_with(|first: char| first.is_ascii_digit());
        let belongs = |next: char| is_word(next) || next == '$' || is_number && next == '.';
        let end = rest.find(|next| !belongs(next)).unwrap_or(rest.len());
        let is_prefix = rest.get(..end).is_some_and(|word| word.eq_ignore_ascii_case("e"));
        self.advance(end);
        if self.dialect == Dialect::Postgres && is_prefix && self.rest().starts_with('\'') {
            return self.escape_string();
        }
        Ok(Kind::Plain)
    }
}

fn named() -> FrameworkError {
    wrong("has a parameter with a name, which sqlx cannot bind: write `?` or `?1`")
}

fn is_word(next: char) -> bool {
    next.is_ascii_alphanumeric() || next == '_' || !next.is_ascii()
}

fn is_space(next: char) -> bool {
    next.is_ascii_whitespace() || next == '\u{b}'
}

/// The length of the string at the beginning of a text, with its quotes. Two quotes in it are one.
fn end_of_string(text: &str, escapes: bool) -> Option<usize> {
    let mut chars = text.char_indices();
    let (_, quote) = chars.next()?;
    let mut chars = chars.peekable();
    while let Some((at, next)) = chars.next() {
        if next == '\\' && escapes {
            chars.next();
        } else if next == quote && chars.next_if(|(_, next)| *next == quote).is_none() {
            return at.checked_add(quote.len_utf8());
        }
    }
    None
}
