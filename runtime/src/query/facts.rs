//! What MySQL and MariaDB say about a key's column beside its value: its collation, or the session's time zone.
//!
//! They sort some columns by one rule and compare them by another, and they send some different values as the same one.
//! The rows do not show that. An extra column in the page's statement does, without another round trip.

use sea_query::{Expr, Func, SelectStatement};

use crate::dialect::Dialect;
use crate::value::Variant;

/// The name under which a fact about the key's column at this place is selected.
pub(crate) fn name(at: usize) -> String {
    format!("folio_fact_{at}")
}

/// Selects what has to be known about a key's columns: their types and expressions, in the order of the key.
pub(crate) fn select<'a>(
    dialect: Dialect,
    select: &mut SelectStatement,
    columns: impl Iterator<Item = (Variant, &'a Expr)>,
) {
    if dialect != Dialect::MySql {
        return;
    }
    for (at, (variant, column)) in columns.enumerate() {
        if let Some(fact) = fact(variant, column) {
            select.expr_as(fact, name(at));
        }
    }
}

/// Both are written as JSON, which tells their words apart without a literal in the statement.
fn fact(variant: Variant, column: &Expr) -> Option<Expr> {
    let words = if is_text(variant) {
        // The collation, and how many bytes of a value are sorted by.
        [Func::cust("COLLATION").arg(column.clone()).into(), Expr::cust("@@max_sort_length")]
    } else if is_moment(variant) {
        // The session's zone, and what `SYSTEM` means there.
        [Expr::cust("@@session.time_zone"), Expr::cust("@@system_time_zone")]
    } else {
        return None;
    };
    Some(Func::cust("JSON_ARRAY").args(words).into())
}

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
