//! Cursors at values that a caller gave, for a page that begins at a date or a name.
//!
//! No row has to have these values, so they are bound like in a filter. A text needs the type of its column on
//! PostgreSQL. SQLite compares what is stored, and a date can be stored as different texts, so the first value of the
//! list is compared with the form in which sqlx writes it. A page can begin at a moment if
//! the texts of the days around it sort as their moments do.

use folio_plan::boundary::{BoundaryValue, Stored};
use folio_plan::cursor::{Cursor, CursorDirection};
use folio_plan::dialect::Dialect;
use folio_plan::keyset::{KeysetOrder, KeysetQuery};
use folio_plan::order::OrderColumn;
use folio_plan::schema::table::Direction;
use folio_plan::schema::term::Term;
use folio_plan::statement::condition::{Condition, operand};
use folio_plan::statement::select::Number;
use folio_plan::statement::template::BoundSql;
use folio_plan::value::{Value, is_null, microseconds};
use sea_query::{Expr, ExprTrait as _, SelectStatement};

use super::key::{Key, column_value, naming};
use super::{first_rows, select_one};
use crate::driver::{Driver, ResultColumn, StoredAs, column_error};
use crate::error::{Refusal, Result};
use crate::source::Lease;

/// The cursor with its values as the columns compare them; `None` if the list has no rows.
pub(super) async fn resolve<D: Driver>(
    connection: &mut Lease<'_, D>,
    query: &KeysetQuery,
    cursor: &Cursor,
) -> Result<Option<Cursor>> {
    let cursor = between_microseconds(D::DIALECT, &query.order, cursor.clone());
    if cursor.boundary.iter().all(|given| form::<D>(&given.value) == StoredAs::AsBound) {
        return Ok(Some(cursor));
    }
    // The first row of the list, in the order of its type.
    let order = query.order.for_page(None);
    let first = query.base.page(&order, first_rows(CursorDirection::Next, 1));
    let Some(row) = connection.fetch_first(first).await? else { return Ok(None) };
    let mut boundary = Key::with_capacity(cursor.boundary.len());
    let columns = query.order.terms.iter().zip(&query.order.sorts).enumerate();
    for ((at, (term, sort)), given) in columns.zip(&cursor.boundary) {
        let sought = SoughtColumn::<D::Row> { query, at, term, sort, row: &row, before: &boundary };
        let value = sought.value::<D>(connection, &given.value).await?;
        boundary.push(value);
    }
    Ok(Some(Cursor { boundary, ..cursor }))
}

/// The cursor at a moment that the server can store. No row has a moment with more digits, so the list continues
/// between two rows: after those with the last moment before it, or before them if later moments come first.
fn between_microseconds(dialect: Dialect, order: &KeysetOrder, mut cursor: Cursor) -> Cursor {
    if !dialect.facts().stores_microseconds {
        return cursor;
    }
    let found = cursor.boundary.iter().zip(&order.sorts).enumerate().find_map(|(at, (given, sort))| {
        let value = microseconds::before(&given.value)?;
        Some((at, value, sort.direction))
    });
    if let Some((at, value, direction)) = found {
        cursor.boundary.truncate(at);
        cursor.boundary.push(BoundaryValue::plain(value));
        cursor.inclusive = (direction == Direction::Desc) == (cursor.direction == CursorDirection::Next);
    }
    cursor
}

/// How to find the form in which a column compares a value. Only SQLite compares values as they are stored.
fn form<D: Driver>(value: &Value) -> StoredAs {
    match D::stored_as(value) {
        StoredAs::ByRow if !D::DIALECT.facts().compares_stored_forms => StoredAs::AsBound,
        form => form,
    }
}

/// A column of the order for which a value is given, and a row of the list.
struct SoughtColumn<'a, R> {
    query: &'a KeysetQuery,
    at: usize,
    term: &'a Term,
    sort: &'a OrderColumn,
    row: &'a R,
    /// The values that were given for the columns before it.
    before: &'a [BoundaryValue],
}

impl<R> SoughtColumn<'_, R> {
    /// A value as the column compares it.
    async fn value<D: Driver<Row = R>>(&self, connection: &mut Lease<'_, D>, value: &Value) -> Result<BoundaryValue> {
        match form::<D>(value) {
            StoredAs::ByType => return self.typed::<D>(value),
            // A client may send such a value, so this is a 400.
            StoredAs::ByRow if D::DIALECT.sorts_too_early(value) => return Err(Refusal::InvalidStart.into()),
            StoredAs::ByRow => match D::DIALECT.sorts_apart(&self.sort.expr, value) {
                Some(sorts_apart) => self.refuse_rows(connection, &sorts_apart).await?,
                None => self.check_stored(connection).await?,
            },
            StoredAs::AsBound => {}
        }
        Ok(BoundaryValue::plain(value.clone()))
    }

    /// A value as the column compares it, by the column's type.
    fn typed<D: Driver<Row = R>>(&self, value: &Value) -> Result<BoundaryValue> {
        let column = ResultColumn { at: self.at, name: &self.sort.output };
        Ok(D::typed(self.row, column, value).map_err(|error| naming(self.term, error))?)
    }

    /// Fails if a row with the given values in the columns before this one sorts on the wrong side of the value.
    async fn refuse_rows<D: Driver<Row = R>>(&self, connection: &mut Lease<'_, D>, sorts_apart: &Expr) -> Result<()> {
        let before = self.query.order.sorts.iter().zip(self.before).map(|(sort, before)| match &before.value {
            value if is_null(value) => sort.expr.clone().is_null(),
            value => sort.expr.clone().eq(Expr::val(value.clone())),
        });
        let conditions = before.chain([sorts_apart.clone()]).map(|expr| Condition::of(D::DIALECT, &expr));
        let found = self.query.base.select().and_all(conditions).limit(Number::Bound(1));
        match connection.fetch_first(self.query.base.statement(&found)).await? {
            Some(_) => Err(column_error(self.term.key.name, OTHER_FORM).into()),
            None => Ok(()),
        }
    }

    /// Rejects a column whose first value is stored in another form than sqlx binds it.
    async fn check_stored<D: Driver<Row = R>>(&self, connection: &mut Lease<'_, D>) -> Result<()> {
        let Some(first) = self.first_value(connection).await? else { return Ok(()) };
        let Some(comparison) = comparison_with_stored(first) else { return Ok(()) };
        match connection.fetch_first(BoundSql::of(D::DIALECT, &comparison)).await? {
            Some(_) => Ok(()),
            None => Err(column_error(self.term.key.name, OTHER_FORM).into()),
        }
    }

    /// The first value of the column that is not NULL.
    async fn first_value<D: Driver<Row = R>>(&self, connection: &mut Lease<'_, D>) -> Result<Option<BoundaryValue>> {
        let column = operand(D::DIALECT, &self.sort.expr);
        let first = self.query.base.select().and(Condition::is_not_null(column)).limit(Number::Bound(1));
        let row = connection.fetch_first(self.query.base.statement(&first)).await?;
        let Some(row) = row else { return Ok(None) };
        let column = ResultColumn { at: self.at, name: &self.sort.output };
        Ok(Some(column_value::<D>(&row, column, self.term)?.value))
    }
}

/// A statement that returns a row if the value is stored as sqlx binds it. `None` if the value is not stored as a text
/// or bytes.
fn comparison_with_stored(BoundaryValue { value, stored }: BoundaryValue) -> Option<SelectStatement> {
    let Stored { value: stored @ (Value::String(_) | Value::Bytes(_)), read_as: None } = stored? else { return None };
    let is_same = Expr::val(stored).eq(Expr::val(value));
    Some(select_one().and_where(is_same).take())
}

const OTHER_FORM: &str = "a row of the list stores its value in a format other than the one sqlx writes, and SQLite compares \
    what is stored, so `seek` cannot find a position: store values as sqlx writes them, or begin at a row with `after`";

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql", feature = "chrono"))]
mod tests;
