//! Pages of a list, which is either a model's query or a select.
//!
//! `numbered_pages.rs` reads numbered pages, `cursor_pages.rs` cursor pages, windows and streams. The public methods
//! are those of [`Builder`](crate::Builder) and [`Select`](crate::Select). [`crate::read`] runs the statements.
//!
//! Only the functions that return rows are generic over the row type. The others pass the rows on as a
//! [`RowSink`](crate::driver::RowSink), so the compiler does not generate them again for each model.

pub(crate) mod cursor_pages;
pub(crate) mod numbered_pages;

use crate::error::Result;
use crate::position::Position;
use crate::schema::table::Table;
use crate::select::{KeysetSelect, OffsetSelect};
use crate::source::route::{Route, Source};

/// A list without its row type. A clone reads the same list.
pub(crate) trait List: Clone {
    /// Rejects an invalid query, before a connection is leased.
    fn check(&self) -> Result<()>;

    /// The table, if the list is of one.
    fn table(&self) -> Option<&'static Table>;

    fn position(&mut self) -> &mut Position;

    fn take_route(&mut self) -> Route;

    /// Drops the total of cursor pages.
    fn uncount(&mut self);

    /// Compiles to an offset query.
    fn numbered(self, source: &Source<'_>) -> Result<OffsetSelect>;

    /// Compiles to a keyset query.
    fn keyset(self, source: &Source<'_>) -> Result<KeysetSelect>;
}
