//! The limit and the offset that a caller's select has.

use sea_query::{SelectStatement, Value};

use crate::dialect::Dialect;

/// The largest limit and offset that every database takes.
const UNLIMITED: u64 = i64::MAX as u64;

/// The number, or the largest one that every database takes.
pub(super) fn bounded(number: u64) -> u64 {
    number.min(UNLIMITED)
}

/// A select's limit and offset.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) limit: Option<u64>,
    pub(super) offset: Option<u64>,
}

impl Window {
    pub(super) fn of(select: &SelectStatement, dialect: Dialect) -> Self {
        let number = |reset, replace| number(select, dialect, reset, replace);
        Self {
            limit: number(SelectStatement::reset_limit, SelectStatement::limit),
            offset: number(SelectStatement::reset_offset, SelectStatement::offset),
        }
    }

    /// Writes the window with numbers that every database takes. Some databases have no OFFSET without LIMIT.
    pub(super) fn apply(self, select: &mut SelectStatement) {
        if self.limit.is_some() || self.offset.is_some() {
            select.limit(self.limit.map_or(UNLIMITED, bounded)).offset(self.offset.map_or(0, bounded));
        }
    }
}

/// Removes a number from a select.
type Reset = fn(&mut SelectStatement) -> &mut SelectStatement;

/// Overwrites a number of a select.
type Replace = fn(&mut SelectStatement, u64) -> &mut SelectStatement;

/// The number that `reset` removes, if the select has it.
fn number(select: &SelectStatement, dialect: Dialect, reset: Reset, replace: Replace) -> Option<u64> {
    let has_none = reset(&mut select.clone()) == select;
    if has_none { None } else { replaced(select, dialect, replace) }
}

/// The number that `replace` overwrites. sea-query has no getter for it, so it is found among the bound values, by
/// comparing them before and after.
fn replaced(select: &SelectStatement, dialect: Dialect, replace: Replace) -> Option<u64> {
    let before = numbers(select, dialect);
    let other = (0..u64::MAX).find(|number| !before.contains(&Some(*number)))?;
    let after = numbers(replace(&mut select.clone(), other), dialect);
    let at = after.iter().position(|number| *number == Some(other))?;
    *before.get(at)?
}

/// The values that a select binds, as the numbers that limits and offsets are.
fn numbers(select: &SelectStatement, dialect: Dialect) -> Vec<Option<u64>> {
    let (_, values) = dialect.render(select, &|_| None);
    let number = |value| if let Value::BigUnsigned(number) = value { number } else { None };
    values.0.into_iter().map(number).collect()
}
