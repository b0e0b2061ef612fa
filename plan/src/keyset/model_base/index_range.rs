//! A page of the rows with one value in a column, as one range of the index that begins with this column.
//!
//! PostgreSQL takes a column that equals a value out of the ORDER BY. It may then read another index, such as the
//! primary key's, and discard thousands of rows with other values. With a range of the column in place of the equality,
//! only the index of the filter and the order has the rows in order, for any value. So a generic plan is right, too.
//!
//! The first page, a page after a row, and the page before it, of the rows with `author_id = 7`:
//!
//! ```sql
//! SELECT * FROM posts WHERE author_id <= 7 AND author_id >= 7
//! ORDER BY author_id, created_at, id LIMIT 16
//!
//! SELECT * FROM posts WHERE author_id <= 7 AND (author_id, created_at, id) > (7, '2026-03-01', 42)
//! ORDER BY author_id, created_at, id LIMIT 16
//!
//! SELECT * FROM posts WHERE author_id >= 7 AND (author_id, created_at, id) < (7, '2026-03-01', 42)
//! ORDER BY author_id DESC, created_at DESC, id DESC LIMIT 16
//! ```
//!
//! The row value finds the first row, and the other condition ends the range at the last row with the value. With
//! several equality columns, only the last one in the index is part of the range, and the others stay equalities.
//! Otherwise, a row value of several columns would have to end the range, and PostgreSQL stops reading only when the
//! first column of a row value no longer matches.
//!
//! ```sql
//! SELECT * FROM posts
//! WHERE tenant = 3 AND author_id <= 7 AND (author_id, created_at, id) > (7, '2026-03-01', 42)
//! ORDER BY author_id, created_at, id LIMIT 16
//! ```
//!
//! A server that sends a statement to one of several shards finds it by an equality, so there the filters stay as they
//! are.
//!
//! All columns of the range need the same direction in the index, because a row value compares them in one. A row value
//! never matches NULL, so none of the order's columns may be NULL.

use std::slice;

use sea_query::Expr;

use crate::access::{AccessPath, Comparison, column};
use crate::boundary::{Boundary, BoundaryValue};
use crate::dialect::catalog::RangeColumn;
use crate::dialect::{Param, Sql};
use crate::keyset::PageOrder;
use crate::order::OrderColumn;
use crate::predicate::{Span, ValueSource, until};
use crate::statement::condition::{Condition, operand};
use crate::statement::filtered::FilteredRows;
use crate::statement::select::Select;
use crate::value::{INTEGERS, Variant};

/// A page as one index range: equality columns, the last of them part of the row value.
pub(super) struct IndexRange<'a> {
    rows: &'a FilteredRows,
    /// The equality columns.
    columns: &'a [Comparison],
    /// Which of them is the last one in the index.
    last: usize,
    /// This column, as the first sort column.
    sort: OrderColumn,
}

impl<'a> IndexRange<'a> {
    /// `None` if the rows are not one range of an index in this order.
    ///
    /// The model has to have the filter's column: if the page is read by an inner select, the order around it names the
    /// column too.
    pub(super) fn new(rows: &'a FilteredRows, access: &AccessPath, sorts: &[OrderColumn]) -> Option<Self> {
        let RangeColumn { name, family } = access.range_column().filter(|column| rows.may_select(&column.name))?;
        let columns = rows.plan.comparisons.all()?;
        let is_last = |expr: &Expr| column(expr).is_some_and(|column| column == *name);
        let last = columns.iter().position(|equal| is_last(&equal.column) && has_family(equal.variant, family))?;
        // The filter's column in the direction of the order.
        let sort = OrderColumn::by(columns.get(last)?.column.clone(), sorts.first()?.direction);
        Some(Self { rows, last, sort, columns })
    }

    /// Whether a generic plan is right for all values. With other filters, an index without their columns may look
    /// better for an average value.
    pub(super) fn generic_plan(&self) -> bool {
        self.columns.len() == 1
    }

    /// The rows of a span. `None` at a boundary with NULL, which no row value matches.
    ///
    /// Only the order's columns mark where a page ends, since the filter's column has one value in all rows.
    pub(super) fn select(&self, order: &PageOrder<'_>, span: Span<'_>) -> Option<Select> {
        if span.boundary.is_some_and(|boundary| boundary.values.iter().any(|value| value.is_null())) {
            return None;
        }
        let dialect = span.access.dialect();
        let equalities = self.columns.iter().map(|equal| {
            let value = Sql::new(dialect).param(Param::Filter(equal.place));
            Condition::comparison(operand(dialect, &equal.column), "=", &value)
        });
        let equalities: Vec<Condition> = equalities.collect();
        let last = BoundaryValue::plain(self.rows.values.get(self.last)?.clone());
        let others = equalities.iter().enumerate().filter(|(at, _)| *at != self.last).map(|(_, other)| other.clone());
        let end = until(dialect, &self.sort, &last, ValueSource::Filtered(self.last));
        let list = || self.rows.select_all().and_all(equalities.iter().cloned());
        let rows = match self.rows.has(&self.sort.output) {
            true => self.rows.select_all(),
            false => self.rows.select_all().expr_as(&self.sort.expr, &self.sort.output),
        };
        let base = order.with_marks(span, rows, list).and_all(others.chain([end]));

        // Without a boundary, the page begins at the first row with the filter's value.
        let sorts = [slice::from_ref(&self.sort), span.sorts].concat();
        let after = span.boundary.map_or(&[][..], |boundary| boundary.values);
        let values = [slice::from_ref(&last), after].concat();
        let inclusive = span.boundary.is_none_or(|boundary| boundary.inclusive);
        let boundary = Some(Boundary { values: &values, inclusive });
        Some(Span { sorts: &sorts, boundary, source: ValueSource::Filtered(self.last), end: None, ..span }.of(&base))
    }
}

/// The operator families, and the types of the values that compare with their columns as they are.
///
/// - The integers of all widths are one family, and so are the two floating-point types.
/// - Dates and moments are missing: PostgreSQL compares a `timestamp` with a `timestamptz` in the session's time zone,
///   where two different values can be equal.
/// - `text_ops` also has `varchar`. The families of `char(n)`, `citext` and enums are others, because folio binds their
///   values as `text`.
const FAMILIES: [(&str, &[Variant]); 8] = [
    ("bool_ops", &[Variant::Bool]),
    ("integer_ops", INTEGERS),
    ("float_ops", &[Variant::Float, Variant::Double]),
    ("numeric_ops", &[Variant::Decimal, Variant::BigDecimal]),
    ("text_ops", &[Variant::String]),
    ("bytea_ops", &[Variant::Bytes]),
    ("uuid_ops", &[Variant::Uuid]),
    ("time_ops", &[Variant::ChronoTime, Variant::TimeTime]),
];

/// Whether values of a type compare with the columns of an operator family as they are.
///
/// Otherwise, PostgreSQL casts the column: a number to `double precision`, in which several values are equal, or
/// `citext` to `text`. The index has another order then, so a range of it could lack rows, and the filter stays an
/// equality. The same applies to types that are not in the table, such as arrays.
fn has_family(variant: Option<Variant>, family: &str) -> bool {
    let has = |variants: &[Variant]| variant.is_some_and(|variant| variants.contains(&variant));
    FAMILIES.iter().any(|(name, variants)| *name == family && has(variants))
}
