//! Values that the server may have rounded when it sent them, so that they may not find their own row.

use folio_core::boundary::BoundaryValue;
use folio_core::dialect::Sql;
use folio_core::keyset::{Base, KeysetOrder, KeysetQuery};
use folio_core::statement::condition::{Condition, operand};
use folio_core::statement::select::{Number, Select};
use folio_core::value::Variant;

use super::key::{Key, SortedColumn, sorted_columns};
use crate::driver::{Driver, column_error};
use crate::error::Result;
use crate::source::Lease;

/// The error to return if a key with a value that may have been rounded does not find its row.
pub(super) struct Rounding(sqlx::Error);

const ROUNDED: &str = "the database compares more digits of the expression than it sends: wrap it in ROUND";

impl Rounding {
    pub(super) fn of<D: Driver>(
        order: &KeysetOrder,
        row: &D::Row,
        key: &[BoundaryValue],
    ) -> sqlx::Result<Option<Self>> {
        for (column, value) in sorted_columns(order).zip(key) {
            if let Some(why) = D::rounding(row, column.result_column, &value.value)?.or(rounded::<D>(column)) {
                return Ok(Some(Self(column_error(column.term.key.name, why))));
            }
        }
        Ok(None)
    }

    /// Looks the rows up by their keys.
    pub(super) async fn resolve<D: Driver>(
        self,
        connection: &mut Lease<'_, D>,
        select: &KeysetQuery,
        keys: &[Key],
    ) -> Result<()> {
        for key in keys {
            if connection.fetch_first(select.base.statement(&row_of(select, key))).await?.is_none() {
                return Err(self.0.into());
            }
        }
        Ok(())
    }
}

/// Why an expression of the key may have more digits than were sent.
fn rounded<D: Driver>(SortedColumn { term, sort, .. }: SortedColumn<'_>) -> Option<&'static str> {
    let rounds = sort.is_computed && D::DIALECT.facts().rounds_sent_decimals && is_decimal(term.key.variant);
    rounds.then_some(ROUNDED)
}

/// Whether values are decimals. By name, because the variants exist only with their features.
fn is_decimal(variant: Variant) -> bool {
    ["Decimal", "BigDecimal"].contains(&variant.as_str())
}

/// The row of a key. For a model the filters do not matter, because the key contains the primary key.
fn row_of(select: &KeysetQuery, key: &[BoundaryValue]) -> Select {
    let dialect = select.base.dialect();
    let equal = select.order.sorts.iter().zip(key).map(|(sort, value)| {
        let (column, bound) = (operand(dialect, &sort.expr), value.bound());
        if bound.is_null() {
            Condition::is_null(column)
        } else {
            Condition::comparison(column, "=", &Sql::of(dialect, &bound.expr()))
        }
    });
    let rows = match &select.base {
        Base::Model(model) => model.rows().whole_table().column(|sql| sql.push("1")),
        Base::Caller(rows) => rows.all(),
    };
    rows.and_all(equal).limit(Number::Bound(1))
}

#[cfg(test)]
#[cfg(all(feature = "mysql", feature = "postgres", feature = "rust_decimal", feature = "bigdecimal"))]
mod tests;
