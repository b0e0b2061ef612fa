//! The parameters of SQL text.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::custom::lexer::{Kind, Token, wrong};
use crate::error::Result;

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
            match token.kind {
                Kind::Next => self.next = self.next.saturating_add(1),
                Kind::Numbered(number) => {
                    self.numbers.insert(number);
                }
                Kind::Plain | Kind::Quoted => {}
            }
        }
        if self.next > 0 && !self.numbers.is_empty() {
            return Err(wrong("has parameters with and without numbers: write either `?` or `?1` for all of them"));
        }
        Ok(first..self.next)
    }

    /// Rejects a number of values that differs from that of the parameters, and numbers with gaps.
    pub(super) fn check(&self, bound: usize) -> Result<()> {
        let last = self.numbers.last().copied().unwrap_or(self.next);
        if last != bound {
            let counted = |count, one, several| format!("{count} {}", if count == 1 { one } else { several });
            let parameters = counted(last, "parameter", "parameters");
            let values = counted(bound, "value was", "values were");
            return Err(wrong(&format!(
                "has {parameters}, but {values} bound: call `bind` once for each parameter, in order"
            )));
        }
        match (1..=bound).find(|number| self.next == 0 && !self.numbers.contains(number)) {
            Some(unused) => Err(wrong(&format!("does not use parameter {unused}: number the parameters without gaps"))),
            None => Ok(()),
        }
    }
}
