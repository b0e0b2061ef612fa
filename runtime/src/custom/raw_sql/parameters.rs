//! The parameters of SQL text.

use std::collections::BTreeSet;
use std::ops::Range;

use super::lexer::{Kind, Token, wrong};
use crate::error::{FrameworkError, Result};

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// The parameters of the texts.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    /// How many are written as `?`.
    next: usize,
    pub(super) numbers: BTreeSet<usize>,
}

impl Parameters {
    /// Reads the parameters of the next text, and returns its share of those without numbers.
    pub(super) fn read(&mut self, tokens: &[Token<'_>]) -> Result<Range<usize>> {
        let first = self.next;
        for token in tokens {
            self.add(token.kind);
        }
        if self.next > 0 && !self.numbers.is_empty() {
            return Err(wrong("has parameters with and without numbers: write either `?` or `?1` for all of them"));
        }
        Ok(first..self.next)
    }

    /// Adds a token, if it is a parameter.
    fn add(&mut self, kind: Kind) {
        match kind {
            Kind::Next => self.next = self.next.saturating_add(1),
            Kind::Numbered(number) => {
                self.numbers.insert(number);
            }
            Kind::Plain | Kind::Quoted => {}
        }
    }

    /// Rejects values whose number differs from that of the parameters.
    pub(super) fn check(&self, bound: usize) -> Result<()> {
        let last = self.numbers.last().copied().unwrap_or(self.next);
        if last != bound {
            return Err(unequal(last, bound));
        }
        match self.first_unused(bound) {
            Some(unused) => Err(wrong(&format!("does not use parameter {unused}: number the parameters without gaps"))),
            None => Ok(()),
        }
    }

    /// The first number that no parameter has, if they are numbered.
    fn first_unused(&self, bound: usize) -> Option<usize> {
        (1..=bound).find(|number| self.next == 0 && !self.numbers.contains(number))
    }
}

/// The error for a number of values that differs from that of the parameters.
fn unequal(parameters: usize, bound: usize) -> FrameworkError {
    let parameters = counted(parameters, "parameter", "parameters");
    let values = counted(bound, "value was", "values were");
    wrong(&format!("has {parameters}, but {values} bound: call `bind` once for each parameter, in order"))
}
