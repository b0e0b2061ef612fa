//! What a test that watches a page finds out: plans, and whether an index has the list's order.

use std::sync::PoisonError;

use folio_plan::keyset::KeysetQuery;

use super::{WATCHED, Watched};
use crate::driver::Plan;

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
    /// Runs `future`, and returns what was found out about its statements.
    pub(crate) async fn scope<F: Future>(future: F) -> (F::Output, Found) {
        let watched = Self { found: Some(Default::default()), ..Self::default() };
        let output = WATCHED.scope(watched.clone(), future).await;
        let mut found = Found::default();
        watched.find(|all| found = all.clone());
        (output, found)
    }

    pub(crate) fn find(&self, add: impl FnOnce(&mut Found)) {
        if let Some(found) = &self.found {
            add(&mut found.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Notes a list whose pages are read. What the catalog says about it is found out once there is a connection.
    pub(super) fn find_list(&self, query: Option<&KeysetQuery>) {
        let Some(query) = query else { return };
        self.find(|found| {
            found.has_groups |= query.base.feed().is_some();
            if self.list.is_none() {
                found.lists.push(None);
            }
        });
    }
}
