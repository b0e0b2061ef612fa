//! Cached SQL templates, and the position of each parameter.
//!
//! A select is built with marks in place of a page's values. Its text is the same for every page of its form, and the
//! marks show where the boundary, the limit and the offset are bound. All other values are the caller's: they come from
//! the filters, which are in each part of a statement in the same order.

use std::sync::Arc;

use sea_query::{SelectStatement, Value, Values};

use crate::dialect::Dialect;
use crate::driver::Driver;
use crate::model::table::Table;
use crate::query::bound_sql::{BoundSql, FEW};
use crate::query::predicate::Bound;

/// Sentinels for LIMIT and OFFSET, replaced when values are bound. No page has as many rows, and no database counts
/// that far.
pub(crate) const LIMIT: u64 = u64::MAX - 1;
pub(crate) const OFFSET: u64 = u64::MAX - 2;

/// The beginning of a boundary's mark.
const MARK: &str = "\0folio ";

/// Sentinel for the boundary's value with this number.
pub(crate) fn mark(at: usize) -> Value {
    Value::String(Some(format!("{MARK}{at}")))
}

/// Whether a caller's value would be taken for a mark.
fn is_mark(value: &Value) -> bool {
    match value {
        Value::String(Some(text)) => text.starts_with(MARK),
        Value::BigUnsigned(Some(number)) => (FEW..=LIMIT).contains(number),
        _ => false,
    }
}

/// The values of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BindArgs<'a> {
    /// The caller's.
    pub(crate) own: &'a [Value],
    pub(crate) boundary: &'a [Bound<'a>],
    pub(crate) limit: u64,
    pub(crate) offset: u64,
}

/// A text, and which value each of its parameters is.
#[derive(Debug)]
pub(crate) struct Statement {
    sql: Arc<str>,
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy)]
enum Slot {
    Own(usize),
    Boundary(usize),
    Limit,
    Offset,
}

impl Statement {
    /// The statement of a select with marks: its text, its values, and how many of them are the caller's, once each.
    fn marked(sql: String, values: &Values, own: usize) -> Self {
        let mut owns = (0..own).cycle();
        let slot = |value: &Value| match value {
            Value::BigUnsigned(Some(LIMIT)) => Some(Slot::Limit),
            Value::BigUnsigned(Some(OFFSET)) => Some(Slot::Offset),
            Value::String(Some(text)) if text.starts_with(MARK) => {
                text.strip_prefix(MARK).and_then(|at| at.parse().ok()).map(Slot::Boundary)
            }
            _ => owns.next().map(Slot::Own),
        };
        let slots = values.iter().filter_map(slot).collect();
        Self { sql: sql.into(), slots }
    }

    /// The statement with the values of a call.
    pub(crate) fn with(&self, given: BindArgs<'_>) -> BoundSql {
        let value = |slot: &Slot| match *slot {
            Slot::Own(at) => given.own.get(at).cloned(),
            Slot::Boundary(at) => given.boundary.get(at).map(|bound| bound.value.clone()),
            Slot::Limit => Some(Value::from(given.limit)),
            Slot::Offset => Some(Value::from(given.offset)),
        };
        BoundSql { sql: self.sql.clone(), values: Values(self.slots.iter().filter_map(value).collect()) }
    }

    /// The statement of a select with marks, with the text of such a call.
    pub(crate) fn of<D: Driver>(select: &SelectStatement, given: BindArgs<'_>) -> Self {
        let (sql, values) = D::build_marked(select);
        let mut statement = Self::marked(sql, &values, given.own.len());
        let values = statement.with(given).values;
        let mut sql = statement.sql.to_string();
        D::end(&mut sql, &values.0);
        statement.sql = sql.into();
        statement
    }

    /// About how much memory it takes, in bytes.
    pub(crate) fn size(&self) -> usize {
        let slots = self.slots.len().saturating_mul(size_of::<Slot>());
        self.sql.len().saturating_add(slots).saturating_add(ENTRY)
    }
}

/// A query's conditions and order as text, by which its statements are found again, and the values in them.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) key: Key,
    pub(crate) own: Vec<Value>,
}

/// What a model's query is known by: its database, its table, and what it adds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    dialect: Dialect,
    /// Where the table is in memory: there is one for each model, and a copy of it has statements of its own.
    table: usize,
    sql: Arc<str>,
}

impl Written {
    /// The text and the values of a query over a table, if its statements can be kept.
    ///
    /// Not if its text is large: it is hardly ever sent again, and would fill the memory. And not if one of its values
    /// would be taken for a mark.
    pub(crate) fn new(dialect: Dialect, table: &'static Table, (sql, own): (String, Vec<Value>)) -> Option<Self> {
        let kept = sql.len() <= LARGEST && !own.iter().any(is_mark);
        let key = Key { dialect, table: std::ptr::from_ref(table).addr(), sql: sql.into() };
        kept.then_some(Self { key, own })
    }
}

impl Key {
    /// How much memory it takes, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.sql.len()
    }
}

/// The longest text that is kept, or given a name on the server, in bytes.
pub(crate) const LARGEST: usize = 8 * 1024;

/// What an entry takes beside its texts, in bytes: an estimate.
const ENTRY: usize = 256;
