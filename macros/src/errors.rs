//! The mistakes in one struct, collected so that the compiler reports all of them at once.
//!
//! A message is one lower-case sentence that says what is wrong, then what to write. Its span is the offending token.
//! `ui-tests` holds each message as the compiler shows it.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Error;

/// The mistakes found so far, in the order of their discovery.
#[derive(Default)]
pub(crate) struct Errors(Vec<Error>);

impl Errors {
    /// Adds a mistake in the token at `span`.
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.0.push(Error::new(span, message));
    }

    /// Adds a mistake in several tokens, such as a type.
    pub(crate) fn over(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.0.push(Error::new_spanned(tokens, message));
    }

    /// Returns what syn or darling read, or adds the mistakes that it found.
    pub(crate) fn read<T>(&mut self, read: Result<T, impl Into<Error>>) -> Option<T> {
        read.map_err(|error| self.0.extend(error.into())).ok()
    }

    /// Returns the value, or adds the message as a mistake in the token at `span`.
    pub(crate) fn handle<T>(&mut self, span: Span, value: Result<T, String>) -> Option<T> {
        value.map_err(|message| self.at(span, message)).ok()
    }

    /// Whether no mistake was found so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The mistakes as code. They come before the expansion, which may be incomplete.
impl ToTokens for Errors {
    /// One `compile_error!` for each mistake.
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.iter().map(Error::to_compile_error));
    }
}

/// A mistake that only the compiler can find, because it depends on a type: a macro sees `type Maybe = Option<i64>` as
/// the word `Maybe`. The expansion has a const assertion for it.
pub(crate) struct CompilerCheck {
    /// The offending tokens.
    pub(crate) span: SpanRange,
    /// What to write instead.
    pub(crate) message: String,
}

/// The span of consecutive tokens, as the spans of the first and the last one. Stable Rust cannot join two spans.
#[derive(Clone, Copy)]
pub(crate) struct SpanRange {
    /// The span of the first token.
    pub(crate) first: Span,
    /// The span of the last token; for a single token, that of the first.
    pub(crate) last: Span,
}

impl SpanRange {
    /// The span of these tokens. Of no tokens, it is the derive's own span.
    pub(crate) fn of(tokens: impl ToTokens) -> Self {
        let mut spans = tokens.into_token_stream().into_iter().map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        Self { first, last: spans.last().unwrap_or(first) }
    }
}

impl From<Span> for SpanRange {
    fn from(span: Span) -> Self {
        Self { first: span, last: span }
    }
}

#[cfg(test)]
impl IntoIterator for Errors {
    type Item = Error;
    type IntoIter = std::vec::IntoIter<Error>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
