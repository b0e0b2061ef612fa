//! Warnings that are logged once for each model, and once for all selects without one.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::model::table::Table;

/// The models for which a warning was logged, and `None` for selects.
#[derive(Debug)]
pub(crate) struct Once(Mutex<BTreeSet<Option<usize>>>);

impl Once {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(BTreeSet::new()))
    }

    /// Whether this is the first call for the table of a model.
    pub(crate) fn is_first(&self, table: Option<&'static Table>) -> bool {
        let address = table.map(|table| std::ptr::from_ref(table).addr());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(address)
    }
}
