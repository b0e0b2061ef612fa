//! What a service sees of its pages: a span for each in `tracing`, a warning for a slow one, and metrics.
//!
//! While an observed page is read, its task has a [`Tally`], to which each statement adds. Without one, statements
//! count nothing.

use std::borrow::Cow;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use folio_core::dialect::Dialect;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

use crate::app::Folio;
use crate::error::FrameworkError;
use crate::request::context::Context;

tokio::task_local! {
    static TALLY: Arc<Tally>;
}

impl Folio {
    /// Logs a warning for each page that takes longer than `limit`, which includes the wait for a connection. A page
    /// whose future is dropped after that time counts as well, for example because a client has given up.
    ///
    /// The warning goes to `tracing`, with the target `folio::slow_page`. It has the fields of the
    /// [page's span](crate::guide::operation), and no values of the query.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use std::time::Duration;
    ///
    /// use folio::Folio;
    ///
    /// let folio = Folio::current()?.slow_page(Duration::from_millis(500));
    /// assert_eq!(folio.scope(Post::query().paginate(2)).await?.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn slow_page(self, limit: Duration) -> Self {
        self.with_extension(|settings: &mut SlowPage| settings.0 = Some(limit))
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct SlowPage(Option<Duration>);

/// What is read, by names that do not depend on values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page {
    pub(crate) kind: &'static str,
    /// The table of a model's query.
    pub(crate) table: Option<&'static str>,
    pub(crate) row_type: &'static str,
    /// `None` if it is not known before the page has a connection.
    pub(crate) dialect: Option<Dialect>,
}

/// An error of a page, or one that wraps it.
pub(crate) trait Failure: Sized {
    fn error(&self) -> &FrameworkError;

    /// The same error with another cause.
    fn map(self, change: impl FnOnce(FrameworkError) -> FrameworkError) -> Self;
}

impl Failure for FrameworkError {
    fn error(&self) -> &FrameworkError {
        self
    }

    fn map(self, change: impl FnOnce(FrameworkError) -> FrameworkError) -> Self {
        change(self)
    }
}

/// What the statements of a page have added up to.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    statements: AtomicU64,
    rows: AtomicU64,
    retries: AtomicU64,
    catalog_lookups: AtomicU64,
    total: OnceLock<&'static str>,
    dialect: OnceLock<Dialect>,
}

impl Tally {
    /// Changes the tally of the page that this task reads, if somebody observes it.
    pub(crate) fn add(change: impl FnOnce(&Self)) {
        let _unobserved = TALLY.try_with(|tally| change(tally));
    }

    /// Counts a statement that has ended, and the rows that it returned.
    pub(crate) fn statement(&self, rows: u64) {
        self.statements.fetch_add(1, Ordering::Relaxed);
        self.rows.fetch_add(rows, Ordering::Relaxed);
    }

    /// Counts that a page, or a part of it, is read again because something has changed meanwhile.
    pub(crate) fn retry(&self) {
        self.retries.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a question to the catalog about a table, for which no answer was cached.
    pub(crate) fn catalog_lookup(&self) {
        self.catalog_lookups.fetch_add(1, Ordering::Relaxed);
    }

    /// Records where the total of the page comes from.
    pub(crate) fn total(&self, source: &'static str) {
        self.total.get_or_init(|| source);
    }
}

/// Reads a page, and shows how it went. What is read as a part of another page counts there.
pub(crate) async fn page<T, E: Failure>(
    context: &Context,
    page: Page,
    reading: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let reading = pin!(reading);
    let Some(mut observation) = Observation::begin(context, page) else { return reading.await };
    let (tally, span) = (Arc::clone(&observation.tally), observation.span.clone());
    let read = TALLY.scope(tally, reading).instrument(span).await;
    observation.outcome = match &read {
        Ok(_) => Outcome::Read,
        Err(error) => Outcome::of(error.error()),
    };
    read
}

enum Outcome {
    Read,
    /// The status of the answer, and the database's own code.
    Error {
        status: u16,
        code: Option<String>,
    },
    /// The future was dropped before it had ended.
    Dropped,
}

impl Outcome {
    fn of(error: &FrameworkError) -> Self {
        let code = match error {
            FrameworkError::Database(cause) | FrameworkError::TimedOut { cause, .. } => {
                cause.as_database_error().and_then(|cause| cause.code())
            }
            _ => None,
        };
        Self::Error { status: error.status(), code: code.map(Cow::into_owned) }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Error { status: 500.., .. } => "failed",
            Self::Error { .. } => "refused",
            Self::Dropped => "dropped",
        }
    }
}

/// A page that is being read. It reports when it is dropped.
struct Observation {
    page: Page,
    tally: Arc<Tally>,
    span: Span,
    slow: Option<Duration>,
    began: Instant,
    outcome: Outcome,
}

impl Observation {
    /// `None` if nobody would see it, or if the page is a part of another one.
    fn begin(context: &Context, page: Page) -> Option<Self> {
        let is_part =
            TALLY.try_with(|outer| page.dialect.map(|dialect| *outer.dialect.get_or_init(|| dialect))).is_ok();
        if is_part {
            return None;
        }
        // The names of OpenTelemetry's conventions for databases, and of its bridge for `tracing`.
        let span = tracing::info_span!(
            target: "folio::page",
            "page",
            otel.name = Empty,
            otel.kind = "client",
            otel.status_code = Empty,
            db.system.name = Empty,
            db.operation.name = "SELECT",
            db.collection.name = page.table,
            db.response.returned_rows = Empty,
            db.response.status_code = Empty,
            error.type = Empty,
            folio.kind = page.kind,
            folio.rows_of = page.row_type,
            folio.outcome = Empty,
            folio.statements = Empty,
            folio.total = Empty,
            folio.retries = Empty,
            folio.catalog_lookups = Empty,
        );
        let slow = context.extension::<SlowPage>().and_then(|settings| settings.0);
        if span.is_disabled() && slow.is_none() && cfg!(not(feature = "metrics")) {
            return None;
        }
        match page.table {
            Some(table) if !span.is_disabled() => span.record("otel.name", format!("SELECT {table}")),
            _ => span.record("otel.name", "SELECT"),
        };
        let tally = Tally { dialect: page.dialect.map_or_else(OnceLock::new, OnceLock::from), ..Tally::default() };
        let (tally, began) = (Arc::new(tally), Instant::now());
        Some(Self { page, tally, span, slow, began, outcome: Outcome::Dropped })
    }

    fn record(&self, figures: &Figures) {
        let Figures { system, statements, rows, retries, catalog_lookups, total } = *figures;
        if let Some(system) = system {
            self.span.record("db.system.name", system);
        }
        self.span.record("db.response.returned_rows", rows);
        self.span.record("folio.statements", statements);
        self.span.record("folio.retries", retries);
        self.span.record("folio.catalog_lookups", catalog_lookups);
        self.span.record("folio.outcome", self.outcome.name());
        if let Some(total) = total {
            self.span.record("folio.total", total);
        }
        let Outcome::Error { status, code } = &self.outcome else { return };
        self.span.record("error.type", status);
        if let Some(code) = code {
            self.span.record("db.response.status_code", code);
        }
        if *status >= 500 {
            self.span.record("otel.status_code", "ERROR");
        }
    }

    fn warn_if_slow(&self, took: Duration, figures: &Figures) {
        let Some(limit) = self.slow.filter(|limit| took > *limit) else { return };
        let Page { kind, table, row_type, .. } = self.page;
        let Figures { system, statements, rows, retries, catalog_lookups, total } = *figures;
        tracing::warn!(
            target: "folio::slow_page",
            parent: &self.span,
            {
            db.system.name = system,
            db.collection.name = table,
            db.response.returned_rows = rows,
            folio.kind = kind,
            folio.rows_of = row_type,
            folio.outcome = self.outcome.name(),
            folio.statements = statements,
            folio.total = total,
            folio.retries = retries,
            folio.catalog_lookups = catalog_lookups,
            },
            "a page took {took:.1?}, more than {limit:?}",
        );
    }

    #[cfg(feature = "metrics")]
    fn measure(&self, took: Duration, figures: &Figures) {
        let labels = [
            metrics::Label::from_static_parts("kind", self.page.kind),
            metrics::Label::from_static_parts("list", self.page.table.unwrap_or(self.page.row_type)),
            metrics::Label::from_static_parts("db_system", figures.system.unwrap_or("unknown")),
            metrics::Label::from_static_parts("outcome", self.outcome.name()),
        ];
        metrics::histogram!("folio_page_duration_seconds", labels.iter()).record(took.as_secs_f64());
        metrics::counter!("folio_page_statements_total", labels.iter()).increment(figures.statements);
        metrics::counter!("folio_page_rows_total", labels.iter()).increment(figures.rows);
        metrics::counter!("folio_page_retries_total", labels.iter()).increment(figures.retries);
    }
}

impl Drop for Observation {
    fn drop(&mut self) {
        let took = self.began.elapsed();
        let figures = Figures::of(&self.tally);
        self.record(&figures);
        self.warn_if_slow(took, &figures);
        #[cfg(feature = "metrics")]
        self.measure(took, &figures);
    }
}

/// A [`Tally`] at the end of its page.
struct Figures {
    /// OpenTelemetry's name of the database; `None` if the page ended before it was known.
    system: Option<&'static str>,
    statements: u64,
    rows: u64,
    retries: u64,
    catalog_lookups: u64,
    total: Option<&'static str>,
}

impl Figures {
    fn of(tally: &Tally) -> Self {
        let [statements, rows, retries, catalog_lookups] =
            [&tally.statements, &tally.rows, &tally.retries, &tally.catalog_lookups]
                .map(|figure| figure.load(Ordering::Relaxed));
        let system = tally.dialect.get().map(|dialect| dialect.facts().system_name);
        Self { system, statements, rows, retries, catalog_lookups, total: tally.total.get().copied() }
    }
}
