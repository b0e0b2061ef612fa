//! What folio asks of a database, with one file for each.

#[cfg(feature = "postgres")]
mod beyond;
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
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "sqlite")]
mod sqlite_catalog;

use std::fmt::{self, Write as _};
use std::future::Future;
use std::marker::PhantomData;

use futures_core::stream::BoxStream;
use sea_query::{Expr, QueryBuilder, SelectStatement, SqlWriterValues, Values};
use sea_query_sqlx::SqlxValues;
use sqlx::{Arguments as _, ColumnIndex, Decode, IntoArguments, Row, Type};

pub(crate) use self::form::Form;
use crate::cursor::Part;
use crate::dialect::Dialect;
use crate::dialect::catalog::{Index, TableInfo};
use crate::model::table::{Direction, Field, Table};
use crate::query::bound_sql::BoundSql;
use crate::value::{CursorValue, Value, Variant};

/// Why a number cannot be used in a cursor key.
#[cfg(any(feature = "postgres", all(feature = "mysql", feature = "rust_decimal")))]
const TOO_MANY_DIGITS: &str = "a value with more than 28 digits does not fit into `Decimal` and cannot be used in a cursor \
                               key: make the field a `BigDecimal`";

/// A key's column in a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot<'a> {
    /// Its place in the key.
    #[cfg_attr(not(feature = "mysql"), expect(dead_code, reason = "only MySQL says more about a column"))]
    pub(crate) at: usize,
    /// Its name in the row.
    pub(crate) name: &'a str,
}

/// A database that pages are read from.
pub(crate) trait Driver: sqlx::Database {
    const DIALECT: Dialect;

    /// From which offset on a page is found by its keys first: measured over an index of 200,000 rows of 200 bytes,
    /// where passing whole rows over begins to cost more than a join does.
    const DEFERRED_FROM: u64;

    /// Limit below which a literal LIMIT lets the database reuse a plan, if it does.
    const FEW: Option<u64> = None;

    /// Whether statements on a pool's connections are to have names.
    fn names_statements(_pool: &sqlx::Pool<Self>) -> bool {
        true
    }

    /// How its SQL is written.
    type Sql: QueryBuilder;
    const SQL: Self::Sql;

    /// A select's text and its values.
    fn build(select: &SelectStatement) -> (String, Values) {
        select.build(Self::SQL)
    }

    /// The same for a select with marks.
    fn build_marked(select: &SelectStatement) -> (String, Values) {
        Self::build(select)
    }

    /// Puts behind a statement's text what it ends in, for values of these types.
    fn end(_sql: &mut String, _values: &[Value]) {}

    /// A select as it is run.
    fn prepare(select: &SelectStatement) -> BoundSql {
        let (mut sql, values) = Self::build(select);
        Self::end(&mut sql, &values.0);
        BoundSql { sql: sql.into(), values }
    }

    /// Conditions and an order as they are written, and the values in them.
    fn write(conditions: &[Expr], orders: &[(Expr, Direction)]) -> (String, Vec<Value>) {
        let (placeholder, numbered) = Self::SQL.placeholder();
        let mut sql = SqlWriterValues::new(placeholder, numbered);
        for condition in conditions {
            Self::SQL.prepare_expr(condition, &mut sql);
        }
        for (expr, direction) in orders {
            Self::SQL.prepare_expr(expr, &mut sql);
            // Text that is put behind text cannot fail.
            let _ = sql.write_str(if *direction == Direction::Desc { " DESC," } else { " ASC," });
        }
        let (mut sql, values) = sql.into_parts();
        Self::end(&mut sql, &values.0);
        (sql, values.0)
    }

    /// The rows of a select, as a statement that the connection keeps under a name, or as one that it forgets.
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

    /// What is asked for the plan of a select, where the plan tells how many rows it has.
    const EXPLAIN: Option<&str>;

    /// How many rows a select has, by its plan.
    fn planned(plan: &[Self::Row]) -> Option<u64>;

    /// The database's estimate of a select's rows; `None` if it has none.
    fn estimate(
        connection: &mut Self::Connection,
        select: BoundSql,
        named: bool,
    ) -> impl Future<Output = sqlx::Result<Option<u64>>> + Send;

    /// A row as the type that the page is of.
    fn read<T>(reader: &Reader<T>, row: &Self::Row) -> sqlx::Result<T>;

    /// A count, which is the only column of its row.
    fn count(row: &Self::Row) -> sqlx::Result<i64>;

    /// Refuses a column of a select that is sorted otherwise than it is compared, where the rows will not tell: those
    /// of a UNION have other types than their columns.
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

    /// How a value, of which no row is known, gets the form in which its column compares it.
    fn form(value: &Value) -> Form;

    /// A value of the form [`Form::Typed`] as the column compares it, by the column's type in any row; `None` if the
    /// type does not tell.
    fn typed(_row: &Self::Row, _slot: Slot<'_>, value: &Value) -> sqlx::Result<Option<Part>> {
        Ok(Some(Part::plain(value.clone())))
    }
}

/// What is the same for every driver, but has to be written for each because of sqlx's bounds.
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
            let statement = Self::EXPLAIN.map(|explain| {
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

/// The columns of a table's indexes, together by their indexes: the index's name, the column's, and whether it
/// descends.
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

/// The values as a statement's arguments. One that the driver has no form for is left out on the way, and the next one
/// would stand in its place: that is an error.
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
            other => Err(lacking::<$driver>($column, other)),
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

/// A column that cannot be read, or not be walked by, and why.
pub(crate) fn refused(column: &str, why: impl Into<sqlx::error::BoxDynError>) -> sqlx::Error {
    sqlx::Error::ColumnDecode { index: format!("{column:?}"), source: why.into() }
}

/// A key column whose type the driver does not have.
fn lacking<D: sqlx::Database>(column: &str, variant: Variant) -> sqlx::Error {
    refused(column, format!("{} has no type for a cursor value of the variant {}", D::NAME, variant.as_str()))
}

/// How a row of each enabled driver becomes a `T`.
pub struct Reader<T> {
    #[doc(hidden)]
    pub sqlite: ReadSqlite<T>,
    #[doc(hidden)]
    pub postgres: ReadPostgres<T>,
    #[doc(hidden)]
    pub mysql: ReadMySql<T>,
    /// A model's fields, to name the one that a driver cannot read.
    #[doc(hidden)]
    pub fields: fn() -> &'static [Field],
}

impl<T> Clone for Reader<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Reader<T> {}

impl<T> Reader<T> {
    /// Whether any enabled driver reads a `T`.
    pub(crate) const fn reads(&self) -> bool {
        #[cfg(feature = "sqlite")]
        if self.sqlite.is_some() {
            return true;
        }
        #[cfg(feature = "postgres")]
        if self.postgres.is_some() {
            return true;
        }
        #[cfg(feature = "mysql")]
        if self.mysql.is_some() {
            return true;
        }
        false
    }
}

impl<T> fmt::Debug for Reader<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader(..)")
    }
}

/// Finds out at compile time which drivers can read a `T`: an inherent constant, which is there only where `T` can be
/// read, goes before the one of a trait, which is always there.
#[derive(Debug)]
pub struct Probe<T>(PhantomData<T>);

/// The readers of one driver: for any row that it can read, and for models that it may not be able to.
///
/// With the feature off all of it is still there and reads nothing, so that the derive need not know the features.
macro_rules! reader {
    ($feature:literal, $driver:ident, $row:path, $read:ident, $constant:ident, $held:ident, $rows:ident, $unreadable:ident) => {
        /// Reads a row of this driver, where it can.
        #[cfg(feature = $feature)]
        pub type $read<T> = Option<fn(&$row) -> sqlx::Result<T>>;
        /// Reads nothing: the driver is not enabled.
        #[cfg(not(feature = $feature))]
        pub type $read<T> = PhantomData<fn() -> T>;

        /// A type that this driver reads rows as. Every type, where the driver is not enabled.
        pub trait $rows: Sized {
            #[doc(hidden)]
            const READ: $read<Self>;
        }

        #[cfg(feature = $feature)]
        impl<T: for<'r> sqlx::FromRow<'r, $row>> $rows for T {
            const READ: $read<Self> = Some(|row| T::from_row(row));
        }

        #[cfg(not(feature = $feature))]
        impl<T> $rows for T {
            const READ: $read<Self> = PhantomData;
        }

        /// The fallback for a type that this driver cannot read.
        pub trait $unreadable<T> {
            #[doc(hidden)]
            const $constant: $read<T>;
            #[doc(hidden)]
            const $held: bool = false;
        }

        impl<T> $unreadable<T> for Probe<T> {
            #[cfg(feature = $feature)]
            const $constant: $read<T> = None;
            #[cfg(not(feature = $feature))]
            const $constant: $read<T> = PhantomData;
        }

        #[cfg(feature = $feature)]
        impl<T: for<'r> sqlx::FromRow<'r, $row>> Probe<T> {
            #[doc(hidden)]
            pub const $constant: $read<T> = Some(|row| T::from_row(row));
        }

        #[cfg(feature = $feature)]
        impl<T: Type<sqlx::$driver> + for<'r> Decode<'r, sqlx::$driver>> Probe<T> {
            #[doc(hidden)]
            pub const $held: bool = true;
        }
    };
}
reader!("sqlite", Sqlite, sqlx::sqlite::SqliteRow, ReadSqlite, SQLITE, IN_SQLITE, SqliteRows, NoSqlite);
reader!("postgres", Postgres, sqlx::postgres::PgRow, ReadPostgres, POSTGRES, IN_POSTGRES, PostgresRows, NoPostgres);
reader!("mysql", MySql, sqlx::mysql::MySqlRow, ReadMySql, MYSQL, IN_MYSQL, MySqlRows, NoMySql);

/// The error for a row that a driver cannot read, which names the first field of a type that the driver lacks.
fn unreadable<D: sqlx::Database, T>(fields: &[Field], has: impl Fn(&Field) -> bool) -> sqlx::Error {
    let (row, driver) = (std::any::type_name::<T>(), D::NAME);
    match fields.iter().find(|field| !has(field)) {
        Some(Field { column, kind, .. }) => {
            refused(column, format!("`{row}` has a `{}` there, a type that sqlx cannot read from {driver}", kind()))
        }
        None => {
            sqlx::Error::Decode(format!("`{row}` has a field of a type that sqlx cannot read from {driver}").into())
        }
    }
}

/// A row that every enabled driver can read: what derives `sqlx::FromRow`, and tuples of columns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a row",
    label = "write `#[derive(sqlx::FromRow)]` on it, with types that every enabled driver has"
)]
pub trait FromDatabaseRow: SqliteRows + PostgresRows + MySqlRows {
    #[doc(hidden)]
    const READER: Reader<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: SqliteRows + PostgresRows + MySqlRows> FromDatabaseRow for T {
    const READER: Reader<Self> = Reader {
        sqlite: <Self as SqliteRows>::READ,
        postgres: <Self as PostgresRows>::READ,
        mysql: <Self as MySqlRows>::READ,
        fields: || &[],
    };
}

/// The reader of a model, which need not be readable by every driver.
#[doc(hidden)]
#[macro_export]
macro_rules! __reader {
    ($row:ty) => {{
        #[expect(unused_imports, reason = "used only for what a driver cannot read")]
        use $crate::__private::{NoMySql as _, NoPostgres as _, NoSqlite as _};
        type __Probe = $crate::__private::Probe<$row>;
        $crate::__private::Reader {
            sqlite: __Probe::SQLITE,
            postgres: __Probe::POSTGRES,
            mysql: __Probe::MYSQL,
            fields: $crate::__private::fields::<$row>,
        }
    }};
}

/// A model's columns: `"name": Type` each, and `"name"` alone where the column holds JSON, as which sqlx reads any
/// type.
#[doc(hidden)]
#[macro_export]
macro_rules! __fields {
    (@field $column:literal: $type:ty) => {
        $crate::__private::Field {
            column: $column,
            kind: ::core::any::type_name::<$type>,
            sqlite: $crate::__private::Probe::<$type>::IN_SQLITE,
            postgres: $crate::__private::Probe::<$type>::IN_POSTGRES,
            mysql: $crate::__private::Probe::<$type>::IN_MYSQL,
        }
    };
    (@field $column:literal) => {
        $crate::__private::Field { column: $column, kind: ::core::any::type_name::<()>, sqlite: true, postgres: true, mysql: true }
    };
    ($($column:literal $(: $type:ty)?),*) => {{
        #[expect(unused_imports, reason = "used only for what a driver cannot read")]
        use $crate::__private::{NoMySql as _, NoPostgres as _, NoSqlite as _};
        const COLUMNS: &[$crate::__private::Field] = &[$($crate::__fields!(@field $column $(: $type)?)),*];
        COLUMNS
    }};
}
