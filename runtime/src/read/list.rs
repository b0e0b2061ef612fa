//! The lists that pages are read from, as a query compiles them.

use folio_plan::dialect::Dialect;
use folio_plan::keyset::KeysetQuery;
use folio_plan::offset::OffsetQuery;
use folio_plan::statement::slice::Slice;

use crate::driver::Driver;
use crate::source::{Lease, catalog};

/// An offset query, and where the total of its list comes from.
pub(crate) struct OffsetSelect {
    pub(crate) query: OffsetQuery,
    pub(crate) total: TotalSource,
}

impl OffsetSelect {
    /// Asks the catalog about the table, if the statement of a page, or without a slice of a count, depends on it.
    pub(super) async fn learn<D: Driver>(
        &self,
        connection: &mut Lease<'_, D>,
        slice: Option<Slice>,
    ) -> sqlx::Result<()> {
        let is_cached = connection.pool.is_some();
        let Some(table) = self.query.table_to_learn(slice, is_cached) else { return Ok(()) };
        if let Some(info) = catalog::of(connection, table).await? {
            self.query.learn(info);
        }
        Ok(())
    }
}

/// A keyset query, and the total of its pages.
pub(crate) struct KeysetSelect {
    pub(crate) query: KeysetQuery,
    /// The list whose total the pages have, if they have one.
    pub(crate) counted: Option<Box<OffsetSelect>>,
}

/// Where the total of a list comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum TotalSource {
    /// `COUNT(*)`.
    #[default]
    Counted,
    /// A count that ends at a number of rows.
    CountedUpTo(u64),
    /// The caller.
    Known(u64),
    /// The database's statistics.
    Estimated,
    /// A count, or the database's statistics if there are more rows than this.
    EstimatedAbove(u64),
}

/// The maximum for a total's limit. One row more is counted, and LIMIT is an i64 on every database.
pub(crate) const MAX_LIMIT: u64 = i64::MAX as u64 - 1;

impl TotalSource {
    /// Its name in spans.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::CountedUpTo(_) => "counted_up_to",
            Self::Known(_) => "known",
            Self::Estimated => "estimated",
            Self::EstimatedAbove(_) => "estimated_above",
        }
    }

    /// The source for a database, which may have no estimates, and whose limits are i64.
    pub(crate) fn on(self, dialect: Dialect) -> Self {
        match self {
            Self::Estimated | Self::EstimatedAbove(_) if dialect.facts().explain.is_none() => Self::Counted,
            Self::CountedUpTo(limit) => Self::CountedUpTo(limit.min(MAX_LIMIT)),
            Self::EstimatedAbove(exact) => Self::EstimatedAbove(exact.min(MAX_LIMIT)),
            source => source,
        }
    }
}
