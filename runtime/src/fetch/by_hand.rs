//! Cursors made from a key alone, by `row.cursor_key().encode(..)`.
//!
//! A page seals each value in the form in which its column compares it. A key only has the Rust values, and `encode`
//! has no connection to ask for more. So the page that such a cursor leads to first looks up the column's type or, if
//! several values of the column may read as one Rust value, the row itself.

use sea_query::{Expr, ExprTrait as _, Query, SelectStatement};

use super::key::{named, part};
use crate::connection::Lease;
use crate::cursor::{Cursor, Part};
use crate::dialect::Dialect;
use crate::driver::{Driver, Form, Slot};
use crate::error::{FrameworkError, Result};
use crate::model::table::Table;
use crate::model::term::Term;
use crate::query::keyset::KeysetOrder;
use crate::query::order_column::key_name;
use crate::query::template::BoundSql;
use crate::value::{Value, Variant};

/// The cursor as a page at its row would have sealed it; `None` if the table has no rows.
pub(super) async fn resolve<D: Driver>(
    connection: &mut Lease<'_, D>,
    order: &KeysetOrder,
    cursor: &Cursor,
) -> Result<Option<Cursor>> {
    // Only a model has a key to seal by hand.
    let table = order.binding.model().ok_or_else(FrameworkError::invalid_cursor)?;
    let mut key = Key { table, terms: &order.terms, parts: cursor.boundary.clone() };
    let is_ambiguous = key.is_ambiguous::<D>();
    let Some(are_typed) = key.look_up_types(connection).await? else { return Ok(None) };
    if is_ambiguous || !are_typed {
        key.parts = key.look_up_row(connection).await?;
    }
    Ok(Some(Cursor { inclusive: cursor.inclusive, ..Cursor::at(cursor.direction, key.parts) }))
}

/// A model's key whose row has not been read yet.
struct Key<'a> {
    table: &'static Table,
    terms: &'a [Term],
    parts: Vec<Part>,
}

impl Key<'_> {
    fn terms(&self) -> impl Iterator<Item = (&Term, &Part)> {
        self.terms.iter().zip(&self.parts)
    }

    /// Whether one of the values gets its form this way.
    fn has<D: Driver>(&self, form: Form) -> bool {
        self.parts.iter().any(|part| D::form(&part.value) == form)
    }

    /// Whether several values of a column may read as its Rust value, so that only the row tells which one it is.
    fn is_ambiguous<D: Driver>(&self) -> bool {
        self.has::<D>(Form::Stored) || !self.terms.iter().all(|term| term.key.canonical.is_exact())
    }

    /// Applies the forms that depend on the columns' types, if there are any. Returns whether the types decide all of
    /// them; `None` if the table has no rows.
    async fn look_up_types<D: Driver>(&mut self, connection: &mut Lease<'_, D>) -> Result<Option<bool>> {
        if !self.has::<D>(Form::Typed) {
            return Ok(Some(true));
        }
        let row = connection.fetch_first(BoundSql::of(D::DIALECT, &self.any_row(D::DIALECT))).await?;
        row.map(|row| self.type_by::<D>(&row)).transpose()
    }

    /// The key as its own row has it.
    async fn look_up_row<D: Driver>(&self, connection: &mut Lease<'_, D>) -> Result<Vec<Part>> {
        let row = connection.fetch_first(BoundSql::of(D::DIALECT, &self.own_row(D::DIALECT))).await?;
        row.map(|row| self.read::<D>(&row)).transpose()?.flatten().ok_or_else(gone)
    }

    /// The key's columns, each with the type of its values.
    fn columns(&self) -> Vec<(Variant, Expr)> {
        self.terms.iter().map(|term| (term.key.variant, self.column(term))).collect()
    }

    /// The key's columns in any row of the table.
    fn any_row(&self, dialect: Dialect) -> SelectStatement {
        let mut select = Query::select();
        let columns = self.columns();
        for (at, (_, column)) in columns.iter().enumerate() {
            select.expr_as(column.clone(), key_name(at));
        }
        dialect.select_key_facts(&mut select, columns.iter().map(|(variant, column)| (*variant, column)));
        select.from(self.table.source()).limit(1).take()
    }

    /// The key's columns in the row that its primary key names.
    fn own_row(&self, dialect: Dialect) -> SelectStatement {
        let mut row = self.any_row(dialect);
        for (term, part) in self.terms().filter(|(term, _)| self.table.primary_key.iter().any(|key| term.is_named(key)))
        {
            row.and_where(self.column(term).eq(part.bound().expr()));
        }
        row
    }

    fn column(&self, term: &Term) -> Expr {
        Term::of_table(self.table, term.key).expr()
    }

    /// Applies the forms that depend on the columns' types. Returns whether the types decide all of them.
    fn type_by<D: Driver>(&mut self, row: &D::Row) -> Result<bool> {
        let mut all = true;
        for (at, (term, part)) in self.terms.iter().zip(&mut self.parts).enumerate() {
            if D::form(&part.value) != Form::Typed {
                continue;
            }
            match typed::<D>(row, at, term, &part.value)? {
                Some(typed) => *part = typed,
                None => all = false,
            }
        }
        Ok(all)
    }

    /// The key as a page would seal it at its row; `None` if the row's key has changed.
    fn read<D: Driver>(&self, row: &D::Row) -> Result<Option<Vec<Part>>> {
        let mut parts = Vec::with_capacity(self.parts.len());
        for (at, (term, own)) in self.terms().enumerate() {
            let found = part::<D>(term, row, Slot { at, name: &key_name(at) })?;
            if term.key.canonical.of_value(&found.value).as_ref() != Some(&own.value) {
                return Ok(None);
            }
            parts.push(found);
        }
        Ok(Some(parts))
    }
}

/// The value of the term at this place in the key, as its column compares it; `None` if the column's type does not tell.
fn typed<D: Driver>(row: &D::Row, at: usize, term: &Term, value: &Value) -> Result<Option<Part>> {
    let typed = D::typed(row, Slot { at, name: &key_name(at) }, value);
    Ok(typed.map_err(|error| named(term.key.name, error))?)
}

fn gone() -> FrameworkError {
    FrameworkError::Domain {
        message: "The row of this cursor was deleted or its key has changed. \
                  Start from the first page, or use the next or previous cursor of a page."
            .into(),
        status_code: 400,
    }
}
