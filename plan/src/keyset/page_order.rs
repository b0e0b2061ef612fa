//! The order of one page.

use super::{DirectedOrder, KeysetOrder, PageRequest};
use crate::boundary::Boundary;
use crate::cursor::CursorDirection;
use crate::dialect::Sql;
use crate::dialect::catalog::{SharedInfo, TableInfo};
use crate::order::OrderColumn;
use crate::predicate::Span;
use crate::statement::select::Select;

/// The order of one page: that of its list, and what the database's catalog says about the table.
///
/// The catalog only helps to choose a plan. An answer that is old, or about another table of the same name, costs time
/// but no rows.
#[derive(Debug)]
pub struct PageOrder<'a> {
    pub keyset: &'a KeysetOrder,
    /// `None` if the catalog was not asked or cannot be read, or if an index that it named no longer exists.
    pub(super) info: Option<SharedInfo>,
    /// Whether a page's own statement verifies that it leaves no row out; otherwise, another statement does.
    pub verifies: bool,
}

impl PageOrder<'_> {
    fn directed(&self, direction: CursorDirection) -> &DirectedOrder {
        match direction {
            CursorDirection::Next => &self.keyset.forwards,
            CursorDirection::Prev => &self.keyset.backwards,
        }
    }

    /// The order in which a page's rows are read.
    pub fn sorts(&self, direction: CursorDirection) -> &[OrderColumn] {
        &self.directed(direction).sorts
    }

    /// Whether the conditions of a page may leave a row out: see [`Span::left_out`].
    pub fn may_leave_out(&self, page: PageRequest<'_>) -> bool {
        let values = page.start.map_or(0, |start| start.values.len());
        let mut after_first = self.directed(page.direction).hides_nulls.iter().take(values).skip(1);
        self.keyset.table.is_some() && after_first.any(|hides_nulls| *hides_nulls)
    }

    /// The columns for which a page after a whole key looks for rows that it would leave out, because they have NULL in
    /// one of them although its type has none.
    pub fn looked_for_nulls(&self, direction: CursorDirection) -> impl Iterator<Item = &'static str> {
        let directed = self.directed(direction);
        let hidden =
            self.keyset.terms.iter().zip(&directed.hides_nulls).skip(1).filter(|(_, hides_nulls)| **hides_nulls);
        hidden.map(|(term, _)| term.key.name).filter(|_| self.keyset.table.is_some())
    }

    /// Whether rows with NULL in the order's first column, whose type has none, would come after the last row of a page
    /// that begins after a value.
    pub fn ends_before_nulls(&self, page: PageRequest<'_>) -> bool {
        let is_after_value = |start: &Boundary<'_>| start.values.first().is_some_and(|first| !first.is_null());
        page.start.as_ref().is_some_and(is_after_value)
            && self.directed(page.direction).hides_nulls.first().is_some_and(|hides_nulls| *hides_nulls)
    }

    /// Adds the columns that a page is checked by: the key's collation columns, a mark for rows before the page's end,
    /// and a mark for a page that leaves a row out. `list` is a select of the list's rows.
    pub(super) fn with_marks(&self, span: Span<'_>, mut select: Select, list: impl FnOnce() -> Select) -> Select {
        let dialect = span.access.dialect();
        let columns: Vec<_> = self.keyset.columns().map(|(variant, expr)| (variant, Sql::of(dialect, expr))).collect();
        for (collation, name) in dialect.collation_columns(columns.iter().map(|(variant, column)| (*variant, column))) {
            select = select.column_as(|sql| sql.append(&collation), &name);
        }
        let select = span.mark(select);
        if self.keyset.table.is_some() && self.verifies { span.verify(select, list) } else { select }
    }

    /// What the catalog says about the table, if that is known and its indexes exist.
    pub fn info(&self) -> Option<&TableInfo> {
        self.info.as_deref()
    }

    /// The same order for a page that does not name an index.
    pub fn without_indexes(self) -> Self {
        self.keyset.for_page(None)
    }
}
