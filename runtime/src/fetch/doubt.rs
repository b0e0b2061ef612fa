//! Values that may have changed on the way from the database, and so may no longer find their own row.

use sea_query::{Expr, ExprTrait as _, Query, SelectStatement};

use crate::connection::Lease;
use crate::cursor::Part;
use crate::driver::{Driver, Slot, column_error};
use crate::error::Result;
use crate::query::keyset::{Base, KeysetOrder, KeysetQuery};
use crate::query::template::BoundSql;
use crate::value::is_null;

/// The error to return if a doubtful key does not find its row.
pub(super) struct Doubt(sqlx::Error);

impl Doubt {
    /// The doubt about a row's key, if there is one.
    pub(super) fn of<D: Driver>(order: &KeysetOrder, row: &D::Row, key: &[Part]) -> sqlx::Result<Option<Self>> {
        for (at, ((term, sort), part)) in order.terms.iter().zip(&order.sorts).zip(key).enumerate() {
            if let Some(why) = D::doubt(row, Slot { at, name: &sort.output }, &part.value)? {
                return Ok(Some(Self(column_error(term.key.name, why))));
            }
        }
        Ok(None)
    }

    /// Looks the rows up by their keys.
    pub(super) async fn resolve<D: Driver>(
        self,
        connection: &mut Lease<'_, D>,
        select: &KeysetQuery,
        keys: [&[Part]; 2],
    ) -> Result<()> {
        for key in keys {
            if connection.fetch_first(BoundSql::of(D::DIALECT, &row_of(select, key))).await?.is_none() {
                return Err(self.0.into());
            }
        }
        Ok(())
    }
}

/// The row of a key. For a model the filters do not matter, because the key contains the primary key.
fn row_of(select: &KeysetQuery, key: &[Part]) -> SelectStatement {
    let order = &*select.order;
    let mut row = match &select.base {
        Base::Model(rows, _) => Query::select().expr(Expr::cust("1")).from(rows.table.source()).take(),
        Base::Caller(select, _) => (**select).clone(),
    };
    for (sort, part) in order.sorts.iter().zip(key) {
        let bound = part.bound();
        row.and_where(match is_null(bound.value) {
            true => sort.expr.clone().is_null(),
            false => sort.expr.clone().eq(bound.expr()),
        });
    }
    row.limit(1).take()
}
