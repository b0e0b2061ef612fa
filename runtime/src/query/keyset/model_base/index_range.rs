//! A page of the rows with one value in a column, as one range of the index that begins with this column.
//!
//! PostgreSQL takes a column that equals a value out of the ORDER BY. It may then read another index, such as that of the
//! primary key, and discard the rows with other values: thousands, if those with this value are far apart or at the other
//! end. With a range of the column in place of the equality, only the index of the filter and the order has the rows in
//! order, for any value. So the plan can also be kept.
//!
//! ```sql
//! SELECT * FROM posts WHERE author_id <= 7 AND (author_id, created_at, id) > (7, '2026-03-01', 42)
//! ORDER BY author_id, created_at, id LIMIT 16
//! ```

use sea_query::{Expr, ExprTrait as _, SelectStatement, Value};

use crate::query::access::{Access, column, compared};
use crate::query::deferred_join::{ModelRows, filtered_by};
use crate::query::keyset::KeysetOrder;
use crate::query::order_column::OrderColumn;
use crate::query::predicate::{Bound, Boundary, Span, until};

/// The rows of a model with these values in some columns, of which the last one is compared together with the order.
pub(super) struct IndexRange<'a> {
    rows: &'a ModelRows,
    /// The columns that the filters fix.
    columns: Vec<&'a Expr>,
    /// Which of them is the last one in the index.
    last: usize,
    /// This column as the first one of the order.
    sort: OrderColumn,
}

impl<'a> IndexRange<'a> {
    /// `None` if the rows are not one range of an index in this order.
    pub(super) fn new(rows: &'a ModelRows, access: &Access, sorts: &[OrderColumn]) -> Option<Self> {
        let name = access.range_column.as_deref()?;
        let columns = compared(&rows.filters)?;
        let last = columns.iter().position(|expr| column(expr).is_some_and(|column| column == name))?;
        let sort = OrderColumn::by((*columns.get(last)?).clone(), sorts.first()?.direction);
        rows.table.columns.has(name).then_some(Self { rows, columns, last, sort })
    }

    /// Whether one plan suits all values. With other filters, an index without their columns may look better for an
    /// average value.
    pub(super) fn suits_all_values(&self) -> bool {
        self.columns.len() == 1
    }

    /// The rows of a span, if these are the values of the filters.
    pub(super) fn select(&self, order: &KeysetOrder, span: Span<'_>, filters: &[Value]) -> Option<SelectStatement> {
        let bound = Bound { value: filters.get(self.last)?, cast: None };
        let conditions = self.others(filters).chain([until(&self.sort, bound)]);
        let base = filtered_by(order.with_marks(span, self.rows.unfiltered()), conditions);
        let sorts = [std::slice::from_ref(&self.sort), span.sorts].concat();
        let values = [std::slice::from_ref(&bound), span.boundary.map_or(&[], |boundary| boundary.values)].concat();
        // A page without a boundary begins with the first row that has the value.
        let inclusive = span.boundary.is_none_or(|boundary| boundary.inclusive);
        let boundary = Some(Boundary { values: &values, inclusive });
        Some(Span { sorts: &sorts, boundary, end: None, ..span }.of(&base))
    }

    /// The filters of the other columns.
    fn others(&self, filters: &[Value]) -> impl Iterator<Item = Expr> {
        let columns = self.columns.iter().zip(filters).enumerate().filter(|(at, _)| *at != self.last);
        columns.map(|(_, (column, value))| (*column).clone().eq(Expr::Value(value.clone())))
    }
}
