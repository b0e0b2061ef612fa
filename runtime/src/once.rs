//! Warnings that are logged once for each model.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::model::table::Table;

/// The models that a warning was logged for.
#[derive(Debug)]
pub(crate) struct Once(Mutex<BTreeSet<usize>>);

impl Once {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(BTreeSet::new()))
    }

    /// Whether this is the first call for the table of a model.
    pub(crate) fn is_first(&self, table: &'static Table) -> bool {
        let address = std::ptr::from_ref(table).addr();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(address)
    }
}
