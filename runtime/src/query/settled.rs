//! Rows before which no transaction in progress can still insert another, for jobs that read on from a position.

use std::time::Duration;

use folio_plan::custom::lexer::names_column;
use folio_plan::dialect::{Dialect, Sql};
use folio_plan::schema::table::Table;
use folio_plan::schema::term::Term;
use sea_query::{Expr, ExprTrait as _};

use crate::error::{FrameworkError, Result};

/// The longest lag. A longer one is probably a mistake in the unit.
const MAX_LAG: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// A type of date and time, for [`settled`](crate::Builder::settled): `NaiveDateTime` and `DateTime` of chrono,
/// `PrimitiveDateTime` and `OffsetDateTime` of time, and an `Option` of each. The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a date and time",
    label = "`settled` takes a column with the moment at which a row was written",
    note = "it takes `NaiveDateTime` and `DateTime` of chrono with folio's feature `chrono`, and `PrimitiveDateTime` and \
            `OffsetDateTime` of time with the feature `time`"
)]
pub trait Moment: sealed::DateTime {}

mod sealed {
    #[expect(unnameable_types, reason = "the trait is sealed")]
    pub trait DateTime {
        /// Whether the type has a time zone.
        const HAS_ZONE: bool;
    }
}

impl<T: sealed::DateTime> Moment for T {}

impl<T: sealed::DateTime> sealed::DateTime for Option<T> {
    const HAS_ZONE: bool = T::HAS_ZONE;
}

#[cfg(feature = "chrono")]
impl sealed::DateTime for chrono::NaiveDateTime {
    const HAS_ZONE: bool = false;
}

#[cfg(feature = "chrono")]
impl<Z: chrono::TimeZone> sealed::DateTime for chrono::DateTime<Z> {
    const HAS_ZONE: bool = true;
}

#[cfg(feature = "time")]
impl sealed::DateTime for time::PrimitiveDateTime {
    const HAS_ZONE: bool = false;
}

#[cfg(feature = "time")]
impl sealed::DateTime for time::OffsetDateTime {
    const HAS_ZONE: bool = true;
}

/// Which rows are settled.
#[derive(Clone)]
pub(super) enum Settled {
    /// Those whose moment in this column is older than the lag.
    Before { column: Expr, has_zone: bool, lag: Duration },
    /// Those whose transaction, in this `xid8` column, is older than every transaction in progress.
    ByTransaction { column: Expr, name: &'static str },
}

impl Settled {
    /// The column, for the check that the model's table has it.
    pub(super) fn column(&self) -> &Expr {
        let (Self::Before { column, .. } | Self::ByTransaction { column, .. }) = self;
        column
    }

    /// The condition of a database.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for a lag that is too long, and for a transaction on a database that has no columns
    /// for it.
    pub(super) fn condition(&self, dialect: Dialect) -> Result<Expr> {
        match self {
            Self::Before { lag, .. } if *lag > MAX_LAG => Err(FrameworkError::internal(format!(
                "`settled` got a lag of {} seconds: pass one of at most {}, which is 366 days",
                lag.as_secs(),
                MAX_LAG.as_secs()
            ))),
            Self::Before { column, has_zone, lag } => Ok(dialect.is_older(column, *has_zone, *lag)),
            Self::ByTransaction { column, .. } => match dialect.facts().oldest_transaction {
                Some(oldest) => Ok(column.clone().lt(Expr::cust(oldest))),
                None => Err(FrameworkError::internal(
                    "`settled_by_transaction` needs PostgreSQL, which has the type `xid8`: use `settled` with a lag",
                )),
            },
        }
    }

    /// Rejects an order of cursor pages in which a transaction in progress can insert rows before settled ones.
    pub(super) fn check_order(&self, dialect: Dialect, table: &Table, order: &[Term]) -> Result<()> {
        let Self::ByTransaction { name, .. } = self else { return Ok(()) };
        let is_sorted = |term: &Term| match term.expression() {
            Some(expression) => names_column(dialect, &Sql::of(dialect, expression.expr()).text(), name),
            None => term.is_named(name),
        };
        if order.first().is_some_and(is_sorted) {
            return Ok(());
        }
        Err(FrameworkError::internal(format!(
            "`settled_by_transaction` needs `{}` in the order of `{name}`, because transactions do not end in the order of \
             another column: write `.order_by(Column::<i64>::expr(\"{name}\", \
             Expr::cust(\"{name}::text::bigint\")).not_null().asc())`",
            table.name
        )))
    }
}
