//! What MySQL and MariaDB say about a key column in addition to its value: its collation, or the session's time zone.
//!
//! These databases order and compare some columns by different rules, and send some different values as the same one.
//! The rows do not show this, but an extra column in the page's statement does, without another round trip.

use sea_query::{Expr, Func, SelectStatement};

use super::Dialect;
use crate::value::Variant;

/// The name under which the fact about the key column at this place is selected.
pub(crate) fn key_fact_name(at: usize) -> String {
    format!("folio_fact_{at}")
}

impl Dialect {
    /// Adds the facts about a key's columns to a select. The columns are given in the order of the key.
    pub(crate) fn select_key_facts<'a>(
        self,
        select: &mut SelectStatement,
        columns: impl Iterator<Item = (Variant, &'a Expr)>,
    ) {
        for (at, (variant, column)) in columns.enumerate() {
            if let Some(fact) = self.key_fact(variant, column) {
                select.expr_as(fact, key_fact_name(at));
            }
        }
    }

    /// The fact about a key column that the driver checks; `None` if it needs none.
    fn key_fact(self, variant: Variant, column: &Expr) -> Option<Expr> {
        if self != Self::MySql {
            None
        } else if is_text(variant) {
            Some(text_fact(column))
        } else {
            is_moment(variant).then(zone_fact)
        }
    }
}

/// How many bytes of a text are sorted by, followed by its collation, whose name begins with a letter. JSON would take the
/// server longer.
fn text_fact(column: &Expr) -> Expr {
    let collation = Func::cust("COLLATION").arg(column.clone());
    Func::cust("CONCAT").args([Expr::cust("@@max_sort_length"), collation.into()]).into()
}

/// The session's time zone. `SYSTEM` means the zone of the server.
fn zone_fact() -> Expr {
    Expr::cust("IF(@@session.time_zone = 'SYSTEM', @@system_time_zone, @@session.time_zone)")
}

/// Whether values of the type come from a column with a collation. A BINARY column has the collation `binary`.
fn is_text(variant: Variant) -> bool {
    matches!(variant, Variant::String | Variant::Bytes)
}

/// Whether values of the type may come from a TIMESTAMP, which is converted to the session's time zone and back.
fn is_moment(variant: Variant) -> bool {
    matches!(
        variant,
        Variant::ChronoDateTimeUtc
            | Variant::ChronoDateTimeLocal
            | Variant::ChronoDateTimeWithTimeZone
            | Variant::TimeDateTimeWithTimeZone
    )
}
