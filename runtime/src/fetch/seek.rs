//! Cursors at values that a caller gave, for a page that begins at a date or a name.
//!
//! No row need have these values, so they are bound as a filter would bind them. A text needs the type of its column
//! on PostgreSQL. SQLite compares what is stored, and a date can be stored as different texts, so the first value of the
//! list is compared with the form in which sqlx writes it.

use sea_query::{Expr, ExprTrait as _, Query};

use super::key::{named, part};
use crate::connection::Lease;
use crate::cursor::{Cursor, CursorDirection, Part, Stored};
use crate::driver::{Driver, Form, Slot, column_error};
use crate::error::Result;
use crate::model::term::Term;
use crate::query::keyset::{KeysetQuery, PageRows};
use crate::query::order_column::OrderColumn;
use crate::query::template::BoundSql;
use crate::value::Value;

/// The cursor with its values as the columns compare them; `None` if the list has no rows.
pub(super) async fn resolve<D: Driver>(
    connection: &mut Lease<'_, D>,
    query: &KeysetQuery,
    cursor: &Cursor,
) -> Result<Option<Cursor>> {
    if cursor.boundary.iter().all(|part| D::form(&part.value) == Form::Exact) {
        return Ok(Some(cursor.clone()));
    }
    let Some(row) = connection.fetch_first(first_row(query)).await? else { return Ok(None) };
    let mut boundary = Vec::with_capacity(cursor.boundary.len());
    let columns = query.order.terms.iter().zip(&query.order.sorts).enumerate();
    for ((at, column), given) in columns.zip(&cursor.boundary) {
        let sought = SoughtColumn { query, at, column, row: &row };
        boundary.push(sought.value::<D>(connection, &given.value).await?);
    }
    Ok(Some(Cursor { boundary, ..cursor.clone() }))
}

/// The first row of the list, in the order of its type.
fn first_row(query: &KeysetQuery) -> BoundSql {
    let dialect = query.base.dialect();
    let order = query.order.for_page_of(dialect, None);
    let direction = CursorDirection::Next;
    let first = PageRows { direction, start: None, end: None, skip: 0, limit: 1, nearest: None };
    query.base.page(&query.order, &order, first)
}

/// A column of the order that a value is sought in, and a row of the list.
struct SoughtColumn<'a, R> {
    query: &'a KeysetQuery,
    at: usize,
    column: (&'a Term, &'a OrderColumn),
    row: &'a R,
}

impl<R> SoughtColumn<'_, R> {
    /// A value as the column compares it.
    async fn value<D: Driver<Row = R>>(&self, connection: &mut Lease<'_, D>, value: &Value) -> Result<Part> {
        match D::form(value) {
            Form::Exact => Ok(Part::plain(value.clone())),
            Form::Typed => self.typed::<D>(value),
            Form::Stored => {
                if D::DIALECT.compares_stored_forms() {
                    self.check_stored(connection).await?;
                }
                Ok(Part::plain(value.clone()))
            }
        }
    }

    /// A value as the column compares it, by the column's type.
    fn typed<D: Driver<Row = R>>(&self, value: &Value) -> Result<Part> {
        let typed = D::typed(self.row, self.slot(), value).map_err(|error| named(self.name(), error))?;
        Ok(typed.unwrap_or_else(|| Part::plain(value.clone())))
    }

    /// Rejects a column whose first value is a text or bytes other than those that it binds as.
    async fn check_stored<D: Driver<Row = R>>(&self, connection: &mut Lease<'_, D>) -> Result<()> {
        let mut first = self.query.base.select();
        first.and_where(self.column.1.expr.clone().is_not_null()).limit(1);
        let Some(row) = connection.fetch_first(self.query.base.statement(&first)).await? else { return Ok(()) };
        let found = part::<D>(self.column.0, &row, self.slot())?;
        let Some(Stored { value: stored, cast: None }) = found.stored else { return Ok(()) };
        if !matches!(stored, Value::String(_) | Value::Bytes(_)) {
            return Ok(());
        }
        let same = Query::select().expr(Expr::cust("1")).and_where(Expr::val(stored).eq(Expr::val(found.value))).take();
        match connection.fetch_first(BoundSql::of(D::DIALECT, &same)).await? {
            Some(_) => Ok(()),
            None => Err(column_error(self.name(), OTHER_FORM).into()),
        }
    }

    fn slot(&self) -> Slot<'_> {
        Slot { at: self.at, name: &self.column.1.output }
    }

    fn name(&self) -> &str {
        self.column.0.key.name
    }
}

const OTHER_FORM: &str = "a row of the list stores its value in another form than sqlx writes it, and SQLite compares what \
    is stored, so no value can be looked for: store values as sqlx writes them, or begin at a row with `after`";
