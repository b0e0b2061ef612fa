//! Cursors made from a key alone, by `row.cursor_key().encode(..)`.
//!
//! A page seals each value in the form in which its column compares it. A key only has the Rust values, and `encode`
//! has no connection. So when a page is read at such a cursor, folio first looks up the columns' types and, if several
//! stored values may read as the same Rust value, the row itself.

use sea_query::{Expr, ExprTrait as _, Query, SelectStatement};

use super::key::{Key, boundary_value, naming};
use crate::boundary::BoundaryValue;
use crate::cursor::Cursor;
use crate::dialect::Sql;
use crate::driver::{Driver, ResultColumn, StoredAs};
use crate::error::{FrameworkError, Refusal, Result};
use crate::keyset::KeysetOrder;
use crate::order::key_name;
use crate::schema::table::Table;
use crate::schema::term::Term;
use crate::source::Lease;
use crate::statement::template::BoundSql;
use crate::value::Variant;

/// The cursor with its values as stored; `None` if the table has no rows.
pub(super) async fn resolve<D: Driver>(
    connection: &mut Lease<'_, D>,
    order: &KeysetOrder,
    cursor: &Cursor,
) -> Result<Option<Cursor>> {
    // Only a model has a key to seal by hand.
    let table = order.binding.model().ok_or(Refusal::InvalidCursor)?;
    let mut key = KeyLookup { connection, table, terms: &order.terms, boundary: cursor.boundary.clone() };
    if !key.run().await? {
        return Ok(None);
    }
    Ok(Some(Cursor { inclusive: cursor.inclusive, ..Cursor::at(cursor.direction, key.boundary) }))
}

/// A model's key whose row has not been read yet.
struct KeyLookup<'a, 'c, D: Driver> {
    connection: &'a mut Lease<'c, D>,
    table: &'static Table,
    terms: &'a [Term],
    boundary: Key,
}

impl<D: Driver> KeyLookup<'_, '_, D> {
    fn terms(&self) -> impl Iterator<Item = (&Term, &BoundaryValue)> {
        self.terms.iter().zip(&self.boundary)
    }

    /// The columns of the primary key, which the cursor key contains, with their values.
    fn primary_key(&self) -> impl Iterator<Item = (&Term, &BoundaryValue)> {
        self.terms().filter(|(term, _)| self.table.primary_key.iter().any(|column| term.is_named(column)))
    }

    /// Whether one of the values gets its form this way.
    fn has(&self, form: StoredAs) -> bool {
        self.boundary.iter().any(|given| D::stored_as(&given.value) == form)
    }

    /// Whether several stored values may read as the same Rust value, so that the row has to be looked up.
    fn is_ambiguous(&self) -> bool {
        self.has(StoredAs::ByRow) || !self.terms.iter().all(|term| term.key.canonical.is_exact())
    }

    /// Looks up the values as their columns compare them. Returns whether the table has rows.
    async fn run(&mut self) -> Result<bool> {
        let is_ambiguous = self.is_ambiguous();
        if !self.look_up_types().await? {
            return Ok(false);
        }
        if is_ambiguous {
            self.boundary = self.look_up_row().await?;
        }
        Ok(true)
    }

    /// Applies the forms that depend on the columns' types, if there are any. Returns whether there is a row to read
    /// the types from.
    async fn look_up_types(&mut self) -> Result<bool> {
        if !self.has(StoredAs::ByType) {
            return Ok(true);
        }
        let any = self.any_row();
        let row = self.first(any).await?;
        row.as_ref().map(|row| self.type_by(row)).transpose()?;
        Ok(row.is_some())
    }

    /// The key's values as they are stored in its row.
    async fn look_up_row(&mut self) -> Result<Key> {
        let own = self.own_row();
        self.first(own).await?.map(|row| self.read(&row)).transpose()?.flatten().ok_or_else(gone)
    }

    async fn first(&mut self, select: SelectStatement) -> sqlx::Result<Option<D::Row>> {
        self.connection.fetch_first(BoundSql::of(D::DIALECT, &select)).await
    }

    fn columns(&self) -> Vec<(Variant, Expr)> {
        self.terms.iter().map(|term| (term.key.variant, self.column(term))).collect()
    }

    /// The key's columns in any row of the table.
    fn any_row(&self) -> SelectStatement {
        let mut select = Query::select();
        let columns = self.columns();
        for (at, (_, column)) in columns.iter().enumerate() {
            select.expr_as(column.clone(), key_name(at));
        }
        let written: Vec<_> = columns.iter().map(|(variant, column)| (*variant, Sql::of(D::DIALECT, column))).collect();
        for (fact, name) in D::DIALECT.collation_columns(written.iter().map(|(variant, column)| (*variant, column))) {
            select.expr_as(Expr::cust(fact.text()), name);
        }
        select.from(self.table.source()).limit(1).take()
    }

    /// The key's columns in the row that its primary key names.
    fn own_row(&self) -> SelectStatement {
        let mut row = self.any_row();
        for (term, given) in self.primary_key() {
            row.and_where(self.column(term).eq(given.bound().expr()));
        }
        row
    }

    fn column(&self, term: &Term) -> Expr {
        Term::of_table(self.table, term.key).expr()
    }

    /// Applies the forms that depend on the columns' types.
    fn type_by(&mut self, row: &D::Row) -> Result<()> {
        let values = self.terms.iter().zip(&mut self.boundary).enumerate();
        let mut typed = values.filter(|(_, (_, given))| D::stored_as(&given.value) == StoredAs::ByType);
        typed.try_for_each(|(at, (term, given))| apply_type::<D>(row, at, term, given))
    }

    /// The key as a page would seal it at its row; `None` if the row's key has changed.
    fn read(&self, row: &D::Row) -> Result<Option<Key>> {
        self.terms().enumerate().map(|(at, (term, own))| read_own::<D>(row, at, term, own)).collect()
    }
}

/// Applies the form of the key's value at this place, which depends on the column's type.
fn apply_type<D: Driver>(row: &D::Row, at: usize, term: &Term, given: &mut BoundaryValue) -> Result<()> {
    *given = D::typed(row, ResultColumn { at, name: &key_name(at) }, &given.value).map_err(naming(term))?;
    Ok(())
}

/// The key's value at this place in its row; `None` if it has changed.
fn read_own<D: Driver>(row: &D::Row, at: usize, term: &Term, own: &BoundaryValue) -> Result<Option<BoundaryValue>> {
    let found = boundary_value::<D>(term, row, ResultColumn { at, name: &key_name(at) })?;
    let is_own = term.key.canonical.of_value(&found.value).as_ref() == Some(&own.value);
    Ok(is_own.then_some(found))
}

fn gone() -> FrameworkError {
    FrameworkError::bad_request(
        "The row of this cursor was deleted or its key has changed. Start from the first page, or use the next or previous \
         cursor of a page.",
    )
}
