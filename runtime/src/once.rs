//! Warnings that are logged once for each model or list, and once for all selects without one.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Mutex, PoisonError};

use folio_plan::schema::table::Table;

/// How many lists a warning is logged for. Selects may be built at run time, so there can be any number of them.
const MOST_LISTS: usize = 1_024;

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

    /// Whether this is the first call for the list with this name.
    pub(crate) fn is_first_list(&self, name: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.len() < MOST_LISTS && seen.insert(usize::try_from(hasher.finish() >> 32).ok())
    }
}
