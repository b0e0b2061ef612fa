//! The tokens of a select's text, if they mean the same on every database.

use sea_query::{Token, Tokenizer};

use crate::error::{FrameworkError, Result};

/// A token other than spaces and comments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lexeme<'a> {
    pub(crate) text: &'a str,
    pub(crate) quoted: bool,
    /// How many parentheses are open around it.
    pub(crate) depth: usize,
}

impl<'a> Lexeme<'a> {
    /// A token after another; `None` if it closes a parenthesis that was not opened.
    pub(crate) fn after(last: Option<Self>, text: &'a str, quoted: bool) -> Option<Self> {
        let depth = last.map_or(0, |last| last.depth_after());
        let closes = !quoted && text == ")";
        Some(Self { text, quoted, depth: depth.checked_sub(closes.into())? })
    }

    pub(crate) fn depth_after(&self) -> usize {
        self.depth.saturating_add(self.is("(").into())
    }

    /// Whether it is the parenthesis that opens this depth.
    pub(crate) fn opens(&self, depth: usize) -> bool {
        self.is("(") && self.depth_after() == depth
    }

    /// Whether it is this keyword or mark, outside of all parentheses.
    pub(crate) fn is_top_level(&self, text: &str) -> bool {
        self.depth == 0 && self.is(text)
    }

    /// Whether it is this keyword or mark.
    pub(crate) fn is(&self, text: &str) -> bool {
        !self.quoted && self.text.eq_ignore_ascii_case(text)
    }

    pub(crate) fn is_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is(text))
    }

    /// Whether it can be a name or a keyword.
    pub(super) fn is_word(&self) -> bool {
        self.quoted || self.text.starts_with(|first: char| first.is_alphanumeric() || first == '_')
    }

    /// The identifier without quotes, if it is one.
    pub(crate) fn name(&self) -> Option<String> {
        let first = self.text.chars().next()?;
        match first {
            '"' | '`' => unquoted(self.text, first),
            _ if !self.quoted && (first.is_alphabetic() || first == '_') => Some(self.text.to_owned()),
            _ => None,
        }
    }
}

/// A name without its quotes.
fn unquoted(name: &str, quote: char) -> Option<String> {
    let inner = name.strip_prefix(quote)?.strip_suffix(quote)?;
    Some(inner.replace(&format!("{quote}{quote}"), &quote.to_string()))
}

/// The tokens of a text, up to the first one that does not mean the same on every database.
pub(super) struct Tokens<'a> {
    pub(super) tokens: Vec<Lexeme<'a>>,
    /// Whether these are all of them.
    pub(super) is_clear: bool,
}

/// Reads a text, up to the first token whose end differs between databases, such as a string with a backslash.
///
/// # Errors
/// [`FrameworkError::Internal`] for a comment that would hide what is appended to the text.
pub(super) fn tokens(sql: &str) -> Result<Tokens<'_>> {
    let mut tokens: Vec<Lexeme<'_>> = Vec::new();
    for token in Tokenizer::new(sql).iter() {
        let (text, quoted) = match token {
            Token::Space(_) => continue,
            Token::Comment(comment) if comment.starts_with("--") => return Err(commented()),
            // MySQL runs what is in `/*! … */`, and PostgreSQL nests comments.
            Token::Comment(comment) if !comment.starts_with("/*!") && comment.matches("/*").count() == 1 => continue,
            Token::Quoted(text) if is_clear(text) => (text, true),
            Token::Unquoted(text) | Token::Punctuation(text) if !matches!(text, "#" | "\\") => (text, false),
            _ => return Ok(Tokens { tokens, is_clear: false }),
        };
        // A number after a dollar is a parameter. Anything else continues a name, as the quotes of a string on PostgreSQL
        // do.
        let after_dollar = tokens.last().is_some_and(|last| last.is("$"));
        if after_dollar && !text.starts_with(|first: char| first.is_ascii_digit()) {
            return Ok(Tokens { tokens, is_clear: false });
        }
        let lexeme = Lexeme::after(tokens.last().copied(), text, quoted);
        tokens.push(lexeme.unwrap_or(Lexeme { text, quoted, depth: 0 }));
    }
    Ok(Tokens { tokens, is_clear: true })
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

/// Whether there may be a variable of MySQL.
pub(super) fn has_variable(tokens: &[Lexeme<'_>]) -> bool {
    tokens.iter().any(|token| token.is("@"))
}

/// Whether one of these keywords is outside of all parentheses.
pub(super) fn has_any(tokens: &[Lexeme<'_>], keywords: &[&str]) -> bool {
    tokens.iter().any(|token| token.depth == 0 && token.is_any(keywords))
}
