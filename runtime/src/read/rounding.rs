//! Values that the server may have rounded when it sent them, so that they may not find their own row.

use folio_plan::boundary::BoundaryValue;
use folio_plan::dialect::Sql;
use folio_plan::keyset::{Base, KeysetQuery};
use folio_plan::order::OrderColumn;
use folio_plan::schema::term::Term;
use folio_plan::statement::condition::{Condition, operand};
use folio_plan::statement::select::{Number, Select};
use folio_plan::value::Variant;

use crate::driver::Driver;
use crate::error::Result;
use crate::source::Lease;

/// The error to return if a key with a value that may have been rounded does not find its row.
pub(super) struct Rounding(pub(super) sqlx::Error);

const ROUNDED: &str = "the database compares more digits of the expression than it sends: wrap it in ROUND";

impl Rounding {
    /// Looks the rows up by their keys.
    pub(super) async fn resolve<D: Driver>(
        self,
        connection: &mut Lease<'_, D>,
        select: &KeysetQuery,
        keys: &[Vec<BoundaryValue>],
    ) -> Result<()> {
        for key in keys {
            if connection.fetch_first(select.base.statement(&row_of(select, key))).await?.is_none() {
                return Err(self.0.into());
            }
        }
        Ok(())
    }
}

/// Why a column may have more digits than were sent, on a server that rounds computed decimals.
pub(super) fn rounded(term: &Term, sort: &OrderColumn) -> Option<&'static str> {
    let is_decimal = matches!(term.key.variant, Variant::Decimal | Variant::BigDecimal);
    (sort.is_computed && is_decimal).then_some(ROUNDED)
}

/// The row of a key. For a model the filters do not matter, because the key contains the primary key.
fn row_of(select: &KeysetQuery, key: &[BoundaryValue]) -> Select {
    let dialect = select.base.dialect();
    let equal = select.order.sorts.iter().zip(key).map(|(sort, value)| {
        let column = operand(dialect, &sort.expr);
        if value.is_null() {
            Condition::is_null(column)
        } else {
            Condition::comparison(column, "=", &Sql::of(dialect, &value.expr()))
        }
    });
    let rows = match &select.base {
        Base::Model(model) => model.rows.whole_table().column(|sql| sql.push("1")),
        Base::Caller(rows) => rows.all(),
    };
    rows.and_all(equal).limit(Number::Bound(1))
}

#[cfg(test)]
#[cfg(all(feature = "mysql", feature = "rust_decimal", feature = "bigdecimal"))]
mod tests;
