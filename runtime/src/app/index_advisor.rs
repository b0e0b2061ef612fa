//! What the index advisor of an application has seen. [`crate::index_advisor`] has the rest.

use std::collections::BTreeSet;
use std::sync::Mutex;

/// The maximum number of lists and warnings to remember. Raw SQL can have any number of texts.
const MOST: usize = 10_000;

/// The lists that were checked already, and the warnings about them.
#[derive(Debug, Default)]
pub(crate) struct IndexAdvisor {
    seen: Mutex<BTreeSet<String>>,
}

impl IndexAdvisor {
    /// Whether a text was not seen before.
    pub(crate) fn is_new(&self, text: String) -> bool {
        self.seen.lock().is_ok_and(|mut seen| seen.len() < MOST && seen.insert(text))
    }
}
