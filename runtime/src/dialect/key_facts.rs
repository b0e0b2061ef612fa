//! What MySQL and MariaDB say about a key column in addition to its value: its collation, or the session's time zone.
//!
//! These databases order and compare some columns by different rules, and send some different values as the same one.
//! The rows do not show this, but an extra column in the page's statement does, without another round trip.

use super::Dialect;
use super::sql::Sql;
use crate::value::Variant;

/// The name under which the fact about the key column at this place is selected.
pub(crate) fn key_fact_name(at: usize) -> String {
    format!("folio_fact_{at}")
}

impl Dialect {
    /// The facts about a key's columns that the driver checks, each with its name in the result. The columns are given in the
    /// order of the key.
    pub(crate) fn key_facts<'a>(
        self,
        columns: impl IntoIterator<Item = (Variant, &'a Sql)>,
    ) -> impl Iterator<Item = (Sql, String)> {
        let columns = columns.into_iter().enumerate().filter(move |_| self == Self::MySql);
        columns.filter_map(move |(at, (variant, column))| {
            let fact = if is_text(variant) {
                // How many bytes of a text are sorted by, followed by its collation, whose name begins with a letter. JSON
                // would take the server longer.
                Sql::new(self).push("CONCAT(@@max_sort_length, COLLATION(").append(column).push("))")
            } else if is_moment(variant) {
                // The session's time zone. `SYSTEM` means the zone of the server.
                Sql::new(self).push("IF(@@session.time_zone = 'SYSTEM', @@system_time_zone, @@session.time_zone)")
            } else {
                return None;
            };
            Some((fact, key_fact_name(at)))
        })
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
