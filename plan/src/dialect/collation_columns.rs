//! What a page selects about a key column in addition to its value: its collation, or the session's time zone.
//!
//! MySQL and MariaDB order and compare some columns by different rules, and send some different values as the same one.
//! The rows do not show this, but an extra column in the page's statement does, without another round trip.

use super::Dialect;
use super::sql::Sql;
use crate::value::Variant;

/// The name of the collation column for the key column at this place.
pub fn collation_column_name(at: usize) -> String {
    format!("folio_fact_{at}")
}

impl Dialect {
    /// The collation columns of a key, which the driver checks, each with its name in the result. The columns are given
    /// in the order of the key, and not each of them needs one.
    pub fn collation_columns<'a>(
        self,
        columns: impl IntoIterator<Item = (Variant, &'a Sql)>,
    ) -> impl Iterator<Item = (Sql, String)> {
        let columns = columns.into_iter().enumerate().filter(move |_| self.facts().has_collation_columns);
        columns.filter_map(move |(at, (variant, column))| {
            let collation = match variant {
                // How many bytes of a text are sorted by, followed by its collation, whose name begins with a letter. A
                // BINARY column has the collation `binary`. JSON would take the server longer.
                Variant::String | Variant::Bytes => {
                    Sql::new(self).push("CONCAT(@@max_sort_length, COLLATION(").append(column).push("))")
                }
                // The value may come from a TIMESTAMP, which is converted to the session's time zone and back. `SYSTEM`
                // means the zone of the server.
                Variant::ChronoDateTimeUtc
                | Variant::ChronoDateTimeLocal
                | Variant::ChronoDateTimeWithTimeZone
                | Variant::TimeDateTimeWithTimeZone => {
                    Sql::new(self).push("IF(@@session.time_zone = 'SYSTEM', @@system_time_zone, @@session.time_zone)")
                }
                _ => return None,
            };
            Some((collation, collation_column_name(at)))
        })
    }
}
