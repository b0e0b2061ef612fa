//! Cursors made from a key alone, by `row.cursor_key().encode(..)`.
//!
//! A page seals each value in the form in which its column compares it. A key only has the Rust values, and `encode`
//! has no connection. So when a page is read at such a cursor, folio first looks up the columns' types and, if several
//! stored values may read as the same Rust value, the row itself.

use folio_plan::cursor::Cursor;
use folio_plan::dialect::Sql;
use folio_plan::keyset::KeysetQuery;
use folio_plan::order::key_name;
use folio_plan::schema::term::Term;
use folio_plan::statement::condition::Condition;
use folio_plan::statement::filtered::FilteredRows;
use folio_plan::statement::select::{Number, Select};
use folio_plan::statement::template::PageValues;
use sea_query::{Expr, ExprTrait as _};

use super::key::{Key, column_value, naming};
use crate::driver::{Driver, ResultColumn, RowOf, StoredAs};
use crate::error::{FrameworkError, Refusal, Result};
use crate::source::Lease;

/// The cursor with its values as stored; `None` if the table has no rows.
pub(super) async fn resolve<D: Driver>(
    connection: &mut Lease<'_, D>,
    KeysetQuery { order, base, .. }: &KeysetQuery,
    cursor: &Cursor,
) -> Result<Option<Cursor>> {
    // Only a model has a key to seal by hand.
    let rows = base.rows().ok_or(Refusal::InvalidCursor)?;
    let mut key = KeyLookup { connection, rows, terms: &order.terms, boundary: cursor.boundary.clone() };
    // Whether several stored values may read as the same Rust value, so that the row has to be looked up.
    let is_ambiguous = key.has(StoredAs::ByRow) || !order.terms.iter().all(|term| term.key.canonical.is_exact);
    if !key.look_up_types().await? {
        return Ok(None);
    }
    if is_ambiguous {
        key.boundary = key.look_up_row().await?;
    }
    Ok(Some(Cursor { inclusive: cursor.inclusive, ..Cursor::at(cursor.direction, key.boundary) }))
}

/// A model's key whose row has not been read yet.
struct KeyLookup<'a, 'c, D: Driver> {
    connection: &'a mut Lease<'c, D>,
    rows: &'a FilteredRows,
    terms: &'a [Term],
    boundary: Key,
}

impl<D: Driver> KeyLookup<'_, '_, D> {
    /// Whether one of the values gets its form this way.
    fn has(&self, form: StoredAs) -> bool {
        self.boundary.iter().any(|given| D::stored_as(&given.value) == form)
    }

    /// Applies the forms that depend on the columns' types, if there are any. Returns whether there is a row to read
    /// the types from.
    async fn look_up_types(&mut self) -> Result<bool> {
        if !self.has(StoredAs::ByType) {
            return Ok(true);
        }
        let any = self.any_row();
        let Some(row) = self.first(any).await? else { return Ok(false) };
        for (at, (term, given)) in self.terms.iter().zip(&mut self.boundary).enumerate() {
            if D::stored_as(&given.value) == StoredAs::ByType {
                let column = ResultColumn { at, name: &key_name(at) };
                *given = D::typed(&row, column, &given.value).map_err(|error| naming(term, error))?;
            }
        }
        Ok(true)
    }

    /// The key as a page would seal it at its row.
    ///
    /// # Errors
    /// If the row was deleted or its key has changed.
    async fn look_up_row(&mut self) -> Result<Key> {
        // The cursor key contains the primary key.
        let mut select = self.any_row();
        for (term, given) in self.terms.iter().zip(&self.boundary) {
            if self.rows.plan.table.primary_key.iter().any(|column| term.is_named(column)) {
                select = select.and(Condition::of(self.rows.plan.dialect, &self.column(term).eq(given.expr())));
            }
        }
        let row = self.first(select).await?.ok_or_else(gone)?;
        let mut key = Key::with_capacity(self.boundary.len());
        for (at, (term, own)) in self.terms.iter().zip(&self.boundary).enumerate() {
            let found = column_value::<D>(&row, ResultColumn { at, name: &key_name(at) }, term)?.value;
            let is_own = (term.key.canonical.convert)(found.value.clone()).as_ref() == Some(&own.value);
            if !is_own {
                return Err(gone());
            }
            key.push(found);
        }
        Ok(key)
    }

    async fn first(&mut self, select: Select) -> sqlx::Result<Option<RowOf<D>>> {
        let statement = self.rows.statement(&select.sql(), PageValues::default());
        self.connection.fetch_first(statement).await
    }

    /// The key's columns in any row of the table, whether the filters match it or not.
    fn any_row(&self) -> Select {
        let (mut select, dialect) = (self.rows.whole_table(), self.rows.plan.dialect);
        let columns: Vec<_> = self.terms.iter().map(|term| (term.key.variant, self.column(term))).collect();
        for (at, (_, column)) in columns.iter().enumerate() {
            select = select.expr_as(column, &key_name(at));
        }
        let written: Vec<_> = columns.iter().map(|(variant, column)| (*variant, Sql::of(dialect, column))).collect();
        for (fact, name) in dialect.collation_columns(written.iter().map(|(variant, column)| (*variant, column))) {
            select = select.column_as(|sql| sql.append(&fact), &name);
        }
        select.limit(Number::Bound(1))
    }

    fn column(&self, term: &Term) -> Expr {
        Term::of_table(self.rows.plan.table, term.key).expr()
    }
}

fn gone() -> FrameworkError {
    FrameworkError::bad_request(
        "The row of this cursor was deleted or its key has changed. Start from the first page, or use the next or previous \
         cursor of a page.",
    )
}
