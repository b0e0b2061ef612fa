//! Statements whose text is kept from one call to the next: which of a call's values goes where in it.
//!
//! A select is put together with marks where a page's own values go. Its text is the same for every page of its form,
//! and the marks in its values tell where the boundary, the limit and the offset stand. All other values are the
//! caller's, from the filters, which stand in each part of a statement, in the same order each time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use sea_query::{Value, Values};

use crate::keyset::Bound;

/// Stand for a limit and an offset. No page has as many rows, and no database counts as far.
pub(crate) const LIMIT: u64 = u64::MAX - 1;
pub(crate) const OFFSET: u64 = u64::MAX - 2;

/// Stands for a number of rows that is few: the driver's, which it writes into the text.
pub(crate) const FEW: u64 = u64::MAX - 3;

/// What a mark of the boundary begins with.
const MARK: &str = "\0folio ";

/// Stands for the boundary's value with this number.
pub(crate) fn mark(at: usize) -> Value {
    Value::String(Some(format!("{MARK}{at}")))
}

/// Whether a caller's value would be taken for a mark.
pub(crate) fn is_mark(value: &Value) -> bool {
    match value {
        Value::String(Some(text)) => text.starts_with(MARK),
        Value::BigUnsigned(Some(number)) => (FEW..=LIMIT).contains(number),
        _ => false,
    }
}

/// A statement that is ready to be run.
#[derive(Debug, Clone)]
pub(crate) struct Prepared {
    pub(crate) sql: Arc<str>,
    pub(crate) values: Values,
}

/// The values of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'a> {
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
    pub(crate) fn marked(sql: String, values: &Values, own: usize) -> Self {
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
    pub(crate) fn with(&self, given: Given<'_>) -> Prepared {
        let value = |slot: &Slot| match *slot {
            Slot::Own(at) => given.own.get(at).cloned(),
            Slot::Boundary(at) => given.boundary.get(at).map(|bound| bound.value.clone()),
            Slot::Limit => Some(Value::from(given.limit)),
            Slot::Offset => Some(Value::from(given.offset)),
        };
        Prepared { sql: self.sql.clone(), values: Values(self.slots.iter().filter_map(value).collect()) }
    }

    /// The statement with another text.
    pub(crate) fn map(self, text: impl FnOnce(&mut String)) -> Self {
        let mut sql = self.sql.to_string();
        text(&mut sql);
        Self { sql: sql.into(), ..self }
    }
}

/// What was made before, by what it was made of. Once there are too many of them it begins anew.
#[derive(Debug)]
pub(crate) struct Kept<K, V, const MOST: usize>(RwLock<Option<HashMap<K, Arc<V>>>>);

impl<K, V, const MOST: usize> Default for Kept<K, V, MOST> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V, const MOST: usize> Kept<K, V, MOST> {
    pub(crate) const fn new() -> Self {
        Self(RwLock::new(None))
    }
}

impl<K: Eq + Hash, V, const MOST: usize> Kept<K, V, MOST> {
    pub(crate) fn get(&self, key: K, make: impl FnOnce() -> V) -> Arc<V> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.as_ref().and_then(|kept| kept.get(&key)) {
            return found.clone();
        }
        drop(kept);
        let made = Arc::new(make());
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.get_or_insert_default();
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(key, made.clone());
        made
    }
}
