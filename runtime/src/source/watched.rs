//! The plans of the statements that a test watches.

use std::sync::{Arc, Mutex, PoisonError};

use crate::driver::Plan;

tokio::task_local! {
    static WATCHED: Watched;
}

/// What is found out about the statements of a task, and about the lists that they are for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watched {
    found: Arc<Mutex<Found>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    pub(crate) plans: Vec<Plan>,
    /// What the catalog says about each cursor list; `None` if it cannot tell.
    pub(crate) lists: Vec<Option<Advice>>,
    /// Whether a list is of groups. SQLite's plan sorts the rows of all groups, but the sort ends with the page.
    pub(crate) has_groups: bool,
}

/// What the index advisor says about a list.
#[derive(Debug, Clone)]
pub(crate) struct Advice {
    /// Its warning; `None` if an index has the list's order.
    pub(crate) missing: Option<String>,
    /// The statement that creates the best index for it.
    pub(crate) index: String,
}

impl Watched {
    /// That of this task; `None` if nobody watches.
    pub(crate) fn current() -> Option<Self> {
        WATCHED.try_with(Self::clone).ok()
    }

    /// Runs `future`, and returns what was found out about its statements.
    pub(crate) async fn scope<F: Future>(future: F) -> (F::Output, Found) {
        let watched = Self::default();
        let output = WATCHED.scope(watched.clone(), future).await;
        let found = watched.found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (output, found)
    }

    pub(crate) fn add(&self, add: impl FnOnce(&mut Found)) {
        add(&mut self.found.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
