//! Runs the statements of a page. One connection serves the whole call.
//!
//! `offset.rs` reads numbered pages, `keyset.rs` and `page_reader.rs` cursor pages, `each.rs` a page of each of several
//! groups, `total.rs` totals, which `remembered.rs` keeps for a while, and `small.rs` counts and single rows; the other
//! files have the parts and checks that these need. This is the only module that runs page queries.
//!
//! The functions that [`crate::query`] calls return a boxed future. So their code is compiled with folio and not with
//! the service, and a service that awaits pages inside several of its own async functions does not reach the compiler's
//! limit for the depth of types.

mod checks;
mod columns;
mod each;
mod from_key;
mod key;
mod keyset;
mod list;
mod offset;
mod page_reader;
mod plan;
mod remembered;
mod rounding;
mod rows;
mod seek;
mod small;
#[cfg(test)]
mod tests;
mod total;
mod window;

use std::num::NonZeroU64;

use folio_plan::cursor::CursorDirection;
use folio_plan::keyset::{PageOrder, PageRequest};
use folio_plan::statement::slice::Slice;
use sea_query::{Expr, Query, SelectStatement};

pub(crate) use self::each::{rows_of_each, window_of_each};
pub(crate) use self::keyset::{newer_rows, place_of_row, rows_after, sealed_window};
pub(crate) use self::list::{KeysetSelect, MAX_LIMIT, OffsetSelect, TotalSource};
pub(crate) use self::offset::{first_of, length_aware, simple};
pub(crate) use self::page_reader::WindowPage;
pub(crate) use self::plan::plan;
pub use self::plan::{ListPlan, PlannedStatement};
pub(crate) use self::small::{FacetColumn, count, count_beyond, count_by, first};
pub(crate) use self::window::{Place, Window, WindowError};
use crate::driver::{Driver, Failure};
use crate::error::{FrameworkError, Result};
use crate::source::{Lease, catalog};

/// The number of rows on a page: at least one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageSize(NonZeroU64);

impl PageSize {
    /// # Errors
    /// [`FrameworkError::ParamError`], 400, for 0.
    pub(crate) fn new(per_page: u64) -> Result<Self> {
        let size = NonZeroU64::new(per_page).map(Self);
        size.ok_or_else(|| FrameworkError::ParamError { param_name: "per_page".into() })
    }

    pub(crate) fn get(self) -> u64 {
        self.0.get()
    }

    /// The rows of the page with this number; `None` if no database counts that far.
    fn slice(self, number: u64) -> Option<Slice> {
        Slice::of_page(number, self.get())
    }
}

/// `SELECT 1`, for statements that only tell whether a row exists.
fn select_one() -> SelectStatement {
    Query::select().expr(Expr::cust("1")).take()
}

/// The first rows of a list, or the last ones.
fn first_rows(direction: CursorDirection, limit: u64) -> PageRequest<'static> {
    PageRequest { direction, start: None, end: None, skip: 0, limit, candidates: None }
}

/// The order for reading a page again whose statement named an index that no longer exists. Any other error is
/// returned.
fn without_missing_index<'a, D: Driver>(
    order: PageOrder<'a>,
    error: FrameworkError,
    connection: &Lease<'_, D>,
) -> Result<PageOrder<'a>> {
    match (&error, order.keyset.table) {
        (FrameworkError::Database(cause), Some(table)) if D::classify(cause) == Some(Failure::MissingIndex) => {
            catalog::forget(connection, table);
            connection.watched.retry();
            Ok(order.without_indexes())
        }
        _ => Err(error),
    }
}
