//! Who watches a page: `tracing`, metrics, the warning for a slow page, the index advisor, and a test.
//!
//! A page is read inside of [`page()`], which decides once who watches. The task then has a [`Watched`], which a lease
//! takes with it: its statements add to it, and no other code on a page's path has to ask. If nobody watches, the task
//! has none.

mod index_advisor;
mod observation;
mod page;
#[cfg(feature = "testing")]
mod testing;

use std::pin::pin;
use std::sync::Arc;
#[cfg(feature = "testing")]
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use tracing::Instrument as _;

pub(crate) use self::index_advisor::AdvisedList;
use self::observation::{Observation, Tally};
pub(crate) use self::page::Page;
#[cfg(feature = "testing")]
pub(crate) use self::testing::{Advice, Found};
use crate::error::FrameworkError;
use crate::request::context::Context;

tokio::task_local! {
    static WATCHED: Watched;
}

/// An error of a page, or one that wraps it.
pub(crate) trait PageError: Sized {
    fn error(&self) -> &FrameworkError;

    /// The same error with another cause.
    fn map(self, change: impl FnOnce(FrameworkError) -> FrameworkError) -> Self;
}

impl PageError for FrameworkError {
    fn error(&self) -> &FrameworkError {
        self
    }

    fn map(self, change: impl FnOnce(FrameworkError) -> FrameworkError) -> Self {
        change(self)
    }
}

/// What is found out about a page while it is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watched {
    /// What its statements add up to, for spans, metrics and the warning about a slow page.
    tally: Option<Arc<Tally>>,
    /// The list whose indexes somebody wants to know about.
    pub(crate) list: Option<Arc<AdvisedList>>,
    /// What a test finds out.
    #[cfg(feature = "testing")]
    pub(crate) found: Option<Arc<Mutex<Found>>>,
}

/// Reads a page, and shows those who watch how it went. An error says what was read. A page that is read as a part of
/// another one counts there.
pub(crate) async fn page<T, E: PageError>(
    context: &Context,
    page: Page<'_>,
    reading: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let reading = pin!(async { reading.await.map_err(|error| error.map(|error| page.explain(error))) });
    let Some((watched, observation)) = Watched::begin(context, &page) else { return reading.await };
    let reading = WATCHED.scope(watched, reading);
    let Some(mut observation) = observation else { return reading.await };
    let read = reading.instrument(observation.span.clone()).await;
    observation.ended(read.as_ref().err().map(PageError::error));
    read
}

impl Watched {
    /// `None` if nobody watches the page. If somebody wants to know how it went, there is an [`Observation`].
    fn begin(context: &Context, page: &Page<'_>) -> Option<(Self, Option<Observation>)> {
        let mut watched = Self::current();
        let advised = context.application.as_ref().and_then(|folio| folio.settings.warn_missing_indexes.clone());
        #[cfg(feature = "testing")]
        let is_wanted = advised.is_some() || watched.found.is_some();
        #[cfg(not(feature = "testing"))]
        let is_wanted = advised.is_some();
        let list = page.list.filter(|_| is_wanted);
        watched.list = list.and_then(|query| AdvisedList::of(query, advised)).map(Arc::new);
        #[cfg(feature = "testing")]
        watched.find_list(list);
        // A part of another page has no span of its own.
        if let Some(whole) = &watched.tally {
            if let Some(dialect) = page.dialect {
                whole.dialect.get_or_init(|| dialect);
            }
            return Some((watched, None));
        }
        let observation = Observation::begin(context, page);
        watched.tally = observation.as_ref().map(|observation| Arc::clone(&observation.tally));
        (observation.is_some() || watched.list.is_some()).then_some((watched, observation))
    }

    /// That of the page that this task reads; empty if nobody watches.
    pub(crate) fn current() -> Self {
        WATCHED.try_with(Self::clone).unwrap_or_default()
    }

    /// Counts a statement that has ended, and the rows that it returned.
    pub(crate) fn statement(&self, rows: u64) {
        if let Some(tally) = &self.tally {
            tally.statements.fetch_add(1, Ordering::Relaxed);
            tally.rows.fetch_add(rows, Ordering::Relaxed);
        }
    }

    /// Counts that a page, or a part of it, is read again because something has changed meanwhile.
    pub(crate) fn retry(&self) {
        if let Some(tally) = &self.tally {
            tally.retries.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts a question to the catalog about a table, for which no answer was cached.
    pub(crate) fn catalog_lookup(&self) {
        if let Some(tally) = &self.tally {
            tally.catalog_lookups.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Records where the total of the page comes from.
    pub(crate) fn total(&self, source: &'static str) {
        if let Some(tally) = &self.tally {
            tally.total.get_or_init(|| source);
        }
    }
}
