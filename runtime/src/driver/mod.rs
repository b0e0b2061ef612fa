//! Runs statements and decodes rows, with one file for each of sqlx's drivers.
//!
//! [`Driver`] is what folio needs from a database beside its SQL, which is in [`crate::dialect`]. `row.rs` finds out at
//! compile time which types a driver can read.

#[cfg(feature = "postgres")]
mod beyond;
mod errors;
mod form;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "mysql")]
mod mysql_catalog;
#[cfg(feature = "mysql")]
mod mysql_order;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "postgres")]
mod postgres_catalog;
mod row;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "sqlite")]
mod sqlite_catalog;

use std::future::Future;

use futures_core::stream::BoxStream;
use sea_query::{SelectStatement, Values};
use sea_query_sqlx::SqlxValues;
use sqlx::{Arguments as _, ColumnIndex, Decode, IntoArguments, Row, Type};

#[cfg(any(feature = "postgres", all(feature = "mysql", feature = "rust_decimal")))]
use self::errors::TOO_MANY_DIGITS;
pub(crate) use self::errors::column_error;
use self::errors::unsupported_variant;
pub(crate) use self::form::Form;
use self::row::unreadable;
pub use self::row::*;
use crate::cursor::Part;
use crate::dialect::Dialect;
use crate::dialect::catalog::{Index, TableInfo};
use crate::model::table::{Direction, Table};
use crate::query::template::BoundSql;
use crate::value::{CursorValue, Value, Variant};

/// A column of the cursor key in a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot<'a> {
    /// Its position in the key.
    #[cfg_attr(not(feature = "mysql"), expect(dead_code, reason = "only MySQL says more about a column"))]
    pub(crate) at: usize,
    /// Its name in the row.
    pub(crate) name: &'a str,
}

/// A database that pages are read from.
pub(crate) trait Driver: sqlx::Database {
    const DIALECT: Dialect;

    /// Whether a connection is unusable after a statement on it was cancelled.
    const BREAKS_ON_CANCEL: bool = false;

    /// Whether statements on this pool's connections may be named.
    fn names_statements(_pool: &sqlx::Pool<Self>) -> bool {
        true
    }

    /// Runs a select as a named statement, which the connection caches, or as an unnamed one.
    fn fetch(
        connection: &mut Self::Connection,
        select: BoundSql,
        named: bool,
    ) -> sqlx::Result<BoxStream<'_, sqlx::Result<Self::Row>>>;

    /// What the database's catalog says about a table.
    fn table_info(
        connection: &mut Self::Connection,
        table: &Table,
    ) -> impl Future<Output = sqlx::Result<TableInfo>> + Send;

    /// Whether a statement failed because an index that it names does not exist.
    fn is_missing_index(_error: &sqlx::Error) -> bool {
        false
    }

    /// Whether a statement failed because a value of its cursor is not one of the column's type any more.
    fn refuses_boundary(_error: &sqlx::Error) -> bool {
        false
    }

    /// The number of rows that a plan estimates.
    fn planned(plan: &[Self::Row]) -> Option<u64>;

    /// The database's estimate of a select's rows; `None` if it has none.
    fn estimate(
        connection: &mut Self::Connection,
        select: BoundSql,
        named: bool,
    ) -> impl Future<Output = sqlx::Result<Option<u64>>> + Send;

    /// Decodes a row.
    fn read<T>(reader: &Reader<T>, row: &Self::Row) -> sqlx::Result<T>;

    /// A count, which is the only column of its row.
    fn count(row: &Self::Row) -> sqlx::Result<i64>;

    /// Rejects a column that the database sorts by other rules than it compares, for selects whose rows do not show it:
    /// the columns of a UNION have types of their own.
    fn check_column(
        _connection: &mut Self::Connection,
        _select: &SelectStatement,
        _column: &str,
    ) -> impl Future<Output = sqlx::Result<()>> + Send {
        async { Ok(()) }
    }

    /// The value that the row has in a key's column.
    fn part(row: &Self::Row, slot: Slot<'_>, variant: Variant) -> sqlx::Result<Part>;

    /// Why a value, as the server sent it, may differ from the one in the column.
    fn doubt(_row: &Self::Row, _slot: Slot<'_>, _value: &Value) -> sqlx::Result<Option<&'static str>> {
        Ok(None)
    }

    /// How to find the form in which the column compares a value, if no row with that value is known.
    fn form(value: &Value) -> Form;

    /// A value of the form [`Form::Typed`] as the column compares it, by the column's type in any row; `None` if the
    /// type does not tell.
    fn typed(_row: &Self::Row, _slot: Slot<'_>, value: &Value) -> sqlx::Result<Option<Part>> {
        Ok(Some(Part::plain(value.clone())))
    }
}

/// Methods that are the same for every driver, but whose bounds only hold for concrete types of sqlx.
macro_rules! driver {
    () => {
        fn fetch(
            connection: &mut Self::Connection,
            select: BoundSql,
            named: bool,
        ) -> sqlx::Result<futures_core::stream::BoxStream<'_, sqlx::Result<Self::Row>>> {
            let arguments = representable(select.values).and_then(arguments::<Self>)?;
            let query = sqlx::query_with(sqlx::AssertSqlSafe(select.sql), arguments);
            Ok(query.persistent(named).fetch(connection))
        }

        fn estimate(
            connection: &mut Self::Connection,
            select: BoundSql,
            named: bool,
        ) -> impl Future<Output = sqlx::Result<Option<u64>>> + Send {
            let statement = Self::DIALECT.explain().map(|explain| {
                (format!("{explain} {}", select.sql), representable(select.values).and_then(arguments::<Self>))
            });
            async move {
                let Some((sql, arguments)) = statement else { return Ok(None) };
                let query = sqlx::query_with(sqlx::AssertSqlSafe(sql), arguments?);
                Ok(Self::planned(&query.persistent(named).fetch_all(connection).await?))
            }
        }

        fn count(row: &Self::Row) -> sqlx::Result<i64> {
            sqlx::Row::try_get(row, 0)
        }
    };
}
use driver;

/// Groups the columns of a table's indexes by index. Each row has the index's name, the column's name, and whether the
/// column is descending.
fn by_index(rows: Vec<(String, String, bool)>) -> Vec<Index> {
    let mut indexes: Vec<Index> = Vec::new();
    for (name, column, descends) in rows {
        let column = (column, if descends { Direction::Desc } else { Direction::Asc });
        match indexes.last_mut().filter(|index| *index.name == *name) {
            Some(index) => index.columns.push(column),
            None => indexes.push(Index { name: name.into(), columns: vec![column] }),
        }
    }
    indexes
}

/// The values as a statement's arguments. It is an error if the driver has no form for one of them: sea-query-sqlx
/// would leave it out, and the next value would take its place.
fn arguments<D: sqlx::Database>(values: Values) -> sqlx::Result<D::Arguments>
where
    SqlxValues: IntoArguments<D>,
{
    let count = values.0.len();
    let arguments = SqlxValues(values).into_arguments();
    if arguments.len() == count {
        Ok(arguments)
    } else {
        Err(sqlx::Error::Encode(format!("a value is outside of what {} can hold", D::NAME).into()))
    }
}

/// A column's value by its variant: for the types that all drivers have, and those of this one, as in
/// `decode!(Sqlite, row, at, column, variant, { TinyInt: i8, … })`.
macro_rules! decode {
    ($driver:ty, $row:expr, $at:expr, $column:expr, $variant:expr, { $($(#[$attr:meta])* $name:ident: $type:ty),* $(,)? }) => {
        match $variant {
            Variant::Bool => get::<bool, _>($row, $at),
            Variant::SmallInt => get::<i16, _>($row, $at),
            Variant::Int => get::<i32, _>($row, $at),
            Variant::BigInt => get::<i64, _>($row, $at),
            Variant::Float => get::<f32, _>($row, $at),
            Variant::Double => get::<f64, _>($row, $at),
            Variant::String => get::<String, _>($row, $at),
            Variant::Bytes => get::<Vec<u8>, _>($row, $at),
            #[cfg(feature = "uuid")]
            Variant::Uuid => get::<uuid::Uuid, _>($row, $at),
            #[cfg(feature = "chrono")]
            Variant::ChronoDate => get::<chrono::NaiveDate, _>($row, $at),
            #[cfg(feature = "chrono")]
            Variant::ChronoTime => get::<chrono::NaiveTime, _>($row, $at),
            #[cfg(feature = "chrono")]
            Variant::ChronoDateTime => get::<chrono::NaiveDateTime, _>($row, $at),
            #[cfg(feature = "chrono")]
            Variant::ChronoDateTimeUtc => get::<chrono::DateTime<chrono::Utc>, _>($row, $at),
            #[cfg(feature = "chrono")]
            Variant::ChronoDateTimeLocal => get::<chrono::DateTime<chrono::Local>, _>($row, $at),
            #[cfg(feature = "time")]
            Variant::TimeDate => get::<time::Date, _>($row, $at),
            #[cfg(feature = "time")]
            Variant::TimeTime => get::<time::Time, _>($row, $at),
            #[cfg(feature = "time")]
            Variant::TimeDateTime => get::<time::PrimitiveDateTime, _>($row, $at),
            #[cfg(feature = "time")]
            Variant::TimeDateTimeWithTimeZone => get::<time::OffsetDateTime, _>($row, $at),
            $($(#[$attr])* Variant::$name => get::<$type, _>($row, $at),)*
            other => Err(unsupported_variant::<$driver>($column, other)),
        }
    };
}
use decode;

fn get<T, R>(row: &R, at: usize) -> sqlx::Result<Value>
where
    T: CursorValue + Type<R::Database> + for<'r> Decode<'r, R::Database>,
    R: Row,
    usize: ColumnIndex<R>,
{
    Ok(row.try_get::<Option<T>, _>(at)?.into_value())
}
