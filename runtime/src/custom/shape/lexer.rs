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

impl<'a> Tokens<'a> {
    fn add(&mut self, meaning: Meaning<'a>) {
        match meaning {
            Meaning::Nothing => {}
            Meaning::Text(text, quoted) if !self.continues_dollar(text) => self.push(text, quoted),
            Meaning::Text(..) | Meaning::Unclear => self.is_clear = false,
        }
    }

    fn push(&mut self, text: &'a str, quoted: bool) {
        let lexeme = Lexeme::after(self.tokens.last().copied(), text, quoted);
        self.tokens.push(lexeme.unwrap_or(Lexeme { text, quoted, depth: 0 }));
    }

    /// Whether a text continues a name that begins with a dollar, as the quotes of a string on PostgreSQL do. A number
    /// after a dollar is a parameter.
    fn continues_dollar(&self, text: &str) -> bool {
        let after_dollar = self.tokens.last().is_some_and(|last| last.is("$"));
        after_dollar && !text.starts_with(|first: char| first.is_ascii_digit())
    }
}

enum Meaning<'a> {
    /// Spaces or a comment.
    Nothing,
    /// A text, and whether it is quoted.
    Text(&'a str, bool),
    /// Something that differs between databases.
    Unclear,
}

/// Returns the meaning of a token.
///
/// # Errors
/// Same as [`meaning_of_comment`].
fn meaning(token: Token<'_>) -> Result<Meaning<'_>> {
    Ok(match token {
        Token::Space(_) => Meaning::Nothing,
        Token::Comment(comment) => meaning_of_comment(comment)?,
        Token::Quoted(text) if is_clear(text) => Meaning::Text(text, true),
        Token::Unquoted(text) | Token::Punctuation(text) if !matches!(text, "#" | "\\") => Meaning::Text(text, false),
        _ => Meaning::Unclear,
    })
}

/// Returns the meaning of a comment.
///
/// # Errors
/// [`FrameworkError::Internal`] for one that would hide what is appended to the text.
fn meaning_of_comment(comment: &str) -> Result<Meaning<'_>> {
    if comment.starts_with("--") {
        return Err(commented());
    }
    Ok(if is_plain_comment(comment) { Meaning::Nothing } else { Meaning::Unclear })
}

/// Reads a text, up to the first token whose end differs between databases, such as a string with a backslash.
pub(super) fn tokens(sql: &str) -> Result<Tokens<'_>> {
    let mut tokens = Tokens { tokens: Vec::new(), is_clear: true };
    for token in Tokenizer::new(sql).iter() {
        tokens.add(meaning(token)?);
        if !tokens.is_clear {
            break;
        }
    }
    Ok(tokens)
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

/// Whether there may be a variable of MySQL.
pub(super) fn has_variable(tokens: &[Lexeme<'_>]) -> bool {
    tokens.iter().any(|token| token.is("@"))
}

/// Whether one of these keywords is outside of all parentheses.
pub(super) fn has_any(tokens: &[Lexeme<'_>], keywords: &[&str]) -> bool {
    tokens.iter().any(|token| token.depth == 0 && token.is_any(keywords))
}
