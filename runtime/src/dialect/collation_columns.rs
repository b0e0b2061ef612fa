//! What a page selects about a key column in addition to its value: its collation, or the session's time zone.
//!
//! MySQL and MariaDB order and compare some columns by different rules, and send some different values as the same one.
//! The rows do not show this, but an extra column in the page's statement does, without another round trip.

use sea_query::{Expr, Func, SelectStatement};

use super::Dialect;
use crate::value::Variant;

/// The name of the collation column for the key column at this place.
pub(crate) fn collation_column_name(at: usize) -> String {
    format!("folio_fact_{at}")
}

impl Dialect {
    /// Adds the collation columns of a key to a select, which the driver checks. The columns are given in the order of
    /// the key, and not each of them needs one.
    pub(crate) fn select_collation_columns<'a>(
        self,
        select: &mut SelectStatement,
        columns: impl Iterator<Item = (Variant, &'a Expr)>,
    ) {
        if !self.facts().has_collation_columns {
            return;
        }
        for (at, (variant, column)) in columns.enumerate() {
            let collation = match variant {
                // How many bytes of a text are sorted by, followed by its collation, whose name begins with a letter. A
                // BINARY column has the collation `binary`. JSON would take the server longer.
                Variant::String | Variant::Bytes => {
                    let collation = Func::cust("COLLATION").arg(column.clone());
                    Func::cust("CONCAT").args([Expr::cust("@@max_sort_length"), collation.into()]).into()
                }
                // The value may come from a TIMESTAMP, which is converted to the session's time zone and back. `SYSTEM`
                // means the zone of the server.
                Variant::ChronoDateTimeUtc
                | Variant::ChronoDateTimeLocal
                | Variant::ChronoDateTimeWithTimeZone
                | Variant::TimeDateTimeWithTimeZone => {
                    Expr::cust("IF(@@session.time_zone = 'SYSTEM', @@system_time_zone, @@session.time_zone)")
                }
                _ => continue,
            };
            select.expr_as(collation, collation_column_name(at));
        }
    }
}
