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
use crate::model::order::Term;
use crate::model::table::Table;
use crate::query::deferred_join::key_name;
use crate::query::keyset::KeysetOrder;
use crate::query::template::BoundSql;
use crate::value::Variant;

/// The cursor as a page at its row would have sealed it; `None` if the table has no rows.
pub(super) async fn resolve<D: Driver>(
    connection: &mut Lease<'_, D>,
    order: &KeysetOrder,
    cursor: &Cursor,
) -> Result<Option<Cursor>> {
    // Only a model has a key to seal by hand.
    let table = order.scope.model().ok_or_else(FrameworkError::invalid_cursor)?;
    let mut key = Key { table, terms: &order.terms, parts: cursor.boundary.clone() };
    let mut by_row = key.has::<D>(Form::Stored) || !key.terms.iter().all(|term| term.key.canonical.is_exact());
    if key.has::<D>(Form::Typed) {
        let Some(row) = connection.fetch_first(BoundSql::of(D::DIALECT, &key.any_row(D::DIALECT))).await? else {
            return Ok(None);
        };
        by_row |= !key.type_by::<D>(&row)?;
    }
    if by_row {
        let row = connection.fetch_first(BoundSql::of(D::DIALECT, &key.own_row(D::DIALECT))).await?;
        key.parts = row.map(|row| key.read::<D>(&row)).transpose()?.flatten().ok_or_else(gone)?;
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

    /// The key's columns in any row of the table.
    fn any_row(&self, dialect: Dialect) -> SelectStatement {
        let mut select = Query::select();
        let columns: Vec<(Variant, Expr)> =
            self.terms.iter().map(|term| (term.key.variant, self.column(term))).collect();
        for (at, (_, column)) in columns.iter().enumerate() {
            select.expr_as(column.clone(), key_name(at));
        }
        dialect.select_key_facts(&mut select, columns.iter().map(|(variant, column)| (*variant, column)));
        select.from(self.table.source()).limit(1).take()
    }

    /// The key's columns in the row that its primary key names.
    fn own_row(&self, dialect: Dialect) -> SelectStatement {
        let mut row = self.any_row(dialect);
        for (term, part) in self.terms().filter(|(term, _)| self.table.primary_key.contains(&term.key.name)) {
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
            if D::form(&part.value) == Form::Typed {
                let typed = D::typed(row, Slot { at, name: &key_name(at) }, &part.value)
                    .map_err(|error| named(term.key.name, error))?;
                match typed {
                    Some(typed) => *part = typed,
                    None => all = false,
                }
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

fn gone() -> FrameworkError {
    FrameworkError::Domain {
        message: "The row of this cursor was deleted or its key has changed. \
                  Start from the first page, or use the next or previous cursor of a page."
            .into(),
        status_code: 400,
    }
}
