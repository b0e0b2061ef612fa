//! What MySQL and MariaDB say about a key column in addition to its value: its collation, or the session's time zone.
//!
//! These databases sort some columns by other rules than they compare them by, and send some different values as the
//! same one. The rows do not show this, but an extra column in the page's statement does, without another round trip.

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

    /// The fact about a key column that the driver checks; `None` if it needs none. Both facts are written as JSON,
    /// which separates their words without a literal in the statement.
    fn key_fact(self, variant: Variant, column: &Expr) -> Option<Expr> {
        let words = if self == Self::MySql { words(variant, column) } else { None };
        Some(Func::cust("JSON_ARRAY").args(words?).into())
    }
}

/// The words of the fact about a key column.
fn words(variant: Variant, column: &Expr) -> Option<[Expr; 2]> {
    if is_text(variant) {
        // The collation, and how many bytes of a value are sorted by.
        Some([Func::cust("COLLATION").arg(column.clone()).into(), Expr::cust("@@max_sort_length")])
    } else if is_moment(variant) {
        // The session's zone, and what `SYSTEM` means there.
        Some([Expr::cust("@@session.time_zone"), Expr::cust("@@system_time_zone")])
    } else {
        None
    }
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
