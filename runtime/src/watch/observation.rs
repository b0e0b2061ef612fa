//! What a service sees of its pages: a span for each in `tracing`, a warning for a slow one, and metrics.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use folio_plan::dialect::Dialect;
use tracing::Span;
use tracing::field::Empty;

use super::page::Page;
use crate::app::Folio;
use crate::error::FrameworkError;
use crate::request::context::Context;

impl Folio {
    /// Logs a warning for each page that takes longer than `limit`, which includes the wait for a connection. A page
    /// whose future is dropped after that time counts as well, for example because a client has given up.
    ///
    /// The warning goes to `tracing`, with the target `folio::slow_page`. It has the fields of the
    /// [page's span](crate::guide::operation), and no values of the query.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
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
    pub fn slow_page(mut self, limit: Duration) -> Self {
        self.settings_mut().slow_page = Some(limit);
        self
    }
}

/// What the statements of a page have added up to.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) statements: AtomicU64,
    pub(super) rows: AtomicU64,
    pub(super) retries: AtomicU64,
    pub(super) catalog_lookups: AtomicU64,
    pub(super) total: OnceLock<&'static str>,
    pub(super) dialect: OnceLock<Dialect>,
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
pub(super) struct Observation {
    kind: &'static str,
    table: Option<&'static str>,
    row_type: &'static str,
    pub(super) tally: Arc<Tally>,
    pub(super) span: Span,
    slow: Option<Duration>,
    began: Instant,
    outcome: Outcome,
}

impl Observation {
    /// `None` if nobody would see it.
    pub(super) fn begin(context: &Context, page: &Page<'_>) -> Option<Self> {
        let Page { kind, row_type, .. } = *page;
        let table = page.table.map(|table| table.name);
        // The names of OpenTelemetry's conventions for databases, and of its bridge for `tracing`.
        let span = tracing::info_span!(
            target: "folio::page",
            "page",
            otel.name = Empty,
            otel.kind = "client",
            otel.status_code = Empty,
            db.system.name = Empty,
            db.operation.name = "SELECT",
            db.collection.name = table,
            db.response.returned_rows = Empty,
            db.response.status_code = Empty,
            error.type = Empty,
            folio.kind = kind,
            folio.rows_of = row_type,
            folio.outcome = Empty,
            folio.statements = Empty,
            folio.total = Empty,
            folio.retries = Empty,
            folio.catalog_lookups = Empty,
        );
        let slow = context.application.as_ref().and_then(|folio| folio.settings.slow_page);
        if span.is_disabled() && slow.is_none() && cfg!(not(feature = "metrics")) {
            return None;
        }
        match table {
            Some(table) if !span.is_disabled() => span.record("otel.name", format!("SELECT {table}")),
            _ => span.record("otel.name", "SELECT"),
        };
        let tally = Tally { dialect: page.dialect.map_or_else(OnceLock::new, OnceLock::from), ..Tally::default() };
        let (tally, began) = (Arc::new(tally), Instant::now());
        Some(Self { kind, table, row_type, tally, span, slow, began, outcome: Outcome::Dropped })
    }

    /// Notes that the page was read, or failed with an error.
    pub(super) fn ended(&mut self, error: Option<&FrameworkError>) {
        self.outcome = error.map_or(Outcome::Read, Outcome::of);
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
        let Self { kind, table, row_type, .. } = *self;
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
            metrics::Label::from_static_parts("kind", self.kind),
            metrics::Label::from_static_parts("list", self.table.unwrap_or(self.row_type)),
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
