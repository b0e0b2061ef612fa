//! The tokens of a select's text, if they mean the same on every database.

use sea_query::{Token, Tokenizer};

use crate::error::{FrameworkError, Result};

/// A token that is neither space nor comment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexeme<'a> {
    pub(super) text: &'a str,
    pub(super) quoted: bool,
    /// How many parentheses are open around it.
    pub(super) depth: usize,
}

impl Lexeme<'_> {
    /// Whether it is this keyword or mark.
    pub(super) fn is(&self, text: &str) -> bool {
        !self.quoted && self.text.eq_ignore_ascii_case(text)
    }

    pub(super) fn is_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is(text))
    }

    /// The identifier that it is, without quotes.
    pub(super) fn name(&self) -> Option<String> {
        let mut chars = self.text.chars();
        match chars.next()? {
            quote @ ('"' | '`') if self.quoted => {
                let inner = chars.as_str().strip_suffix(quote)?;
                Some(inner.replace(&format!("{quote}{quote}"), &quote.to_string()))
            }
            first if !self.quoted && first.is_alphabetic() => Some(self.text.to_owned()),
            _ => None,
        }
    }
}

/// The tokens of a text, up to the first one that does not mean the same on every database.
pub(super) struct Tokens<'a> {
    pub(super) tokens: Vec<Lexeme<'a>>,
    /// Whether these are all of them.
    pub(super) is_clear: bool,
}

/// Reads a text, up to the first token whose end differs between databases, such as a string with a backslash.
pub(super) fn tokens(sql: &str) -> Result<Tokens<'_>> {
    let mut depth = 0_usize;
    let mut tokens = Vec::new();
    for token in Tokenizer::new(sql).iter() {
        let (text, quoted) = match token {
            Token::Space(_) => continue,
            Token::Comment(comment) if comment.starts_with("--") => return Err(commented()),
            Token::Comment(comment) if is_plain_comment(comment) => continue,
            Token::Quoted(text) if is_clear(text) => (text, true),
            Token::Unquoted(text) | Token::Punctuation(text) if !matches!(text, "#" | "\\") => (text, false),
            _ => return Ok(Tokens { tokens, is_clear: false }),
        };
        let after_dollar = tokens.last().is_some_and(|last: &Lexeme<'_>| last.is("$"));
        if after_dollar && !text.starts_with(|first: char| first.is_ascii_digit()) {
            return Ok(Tokens { tokens, is_clear: false });
        }
        let is = |parenthesis: &str| !quoted && text == parenthesis;
        depth = depth.saturating_sub(is(")").into());
        tokens.push(Lexeme { text, quoted, depth });
        depth = depth.saturating_add(is("(").into());
    }
    Ok(Tokens { tokens, is_clear: true })
}

/// Whether a comment means the same on every database. MySQL runs what is in `/*! … */`, and PostgreSQL nests comments.
fn is_plain_comment(comment: &str) -> bool {
    !comment.starts_with("/*!") && comment.matches("/*").count() == 1
}

/// Whether a quoted token means the same on every database: a backslash escapes on some, and `[` opens an array on
/// others.
fn is_clear(text: &str) -> bool {
    let end = text.chars().next();
    !text.contains('\\') && end != Some('[') && text.len() > 1 && text.chars().next_back() == end
}

pub(super) fn commented() -> FrameworkError {
    FrameworkError::internal("the select has a comment that would hide what folio appends to it: remove `--` and `#`")
}
