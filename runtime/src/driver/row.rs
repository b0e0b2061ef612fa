//! Which types a row of each driver can be read as.
//!
//! A model does not have to be readable by every enabled driver: one with an array column can be read from PostgreSQL
//! only, in a service that also uses SQLite. Rust has no test for "implements `FromRow`" in a generic function, but the
//! derive expands where the type is known. There, the path `Probe::<Post>::SQLITE` means an inherent constant if `Post`
//! can be read from a SQLite row, and else the constant of the trait [`NoSqlite`], which says that it cannot. The
//! constants become a [`Reader`], which `TypedRows` calls.
//!
//! A row type that is not a model, such as a tuple, is used in generic functions, so it has to be readable by all
//! enabled drivers: [`FromDatabaseRow`].

use std::fmt;
use std::marker::PhantomData;

use folio_core::schema::table::Field;
use sqlx::{Decode, Type};

use super::errors::column_error;

/// How a row of each enabled driver becomes a `T`.
pub struct Reader<T> {
    /// Reads a row of SQLite, if `T` can be read from one.
    #[doc(hidden)]
    pub sqlite: ReadSqlite<T>,
    /// Reads a row of PostgreSQL, if `T` can be read from one.
    #[doc(hidden)]
    pub postgres: ReadPostgres<T>,
    /// Reads a row of MySQL or MariaDB, if `T` can be read from one.
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

/// Finds out at compile time which drivers can read a `T`. An inherent constant exists only if `T` can be read, and
/// takes precedence over the constant of a trait, which always exists.
#[derive(Debug)]
pub struct Probe<T>(PhantomData<T>);

/// The readers of one driver: for any row that it can read, and for models that it may not be able to.
///
/// - `$read` is the type of a function that reads a row, if there is one
/// - `$rows` is the trait of the types that rows can be read as
/// - `$constant` of [`Probe`] is the function for a type, and `$decodes` is whether a column can be decoded as it
/// - `$fallback` is the trait that has both constants for all other types
///
/// Without the feature all of it still exists and reads nothing, so the derive does not have to know the features.
macro_rules! reader {
    (
        $feature:literal: $driver:ident, $row:path;
        read: $read:ident, rows: $rows:ident, constant: $constant:ident, decodes: $decodes:ident, fallback: $fallback:ident
    ) => {
        /// Reads a row of this driver, if `T` can be read from it.
        #[cfg(feature = $feature)]
        pub type $read<T> = Option<fn(&$row) -> sqlx::Result<T>>;
        /// Reads nothing: the driver is not enabled.
        #[cfg(not(feature = $feature))]
        pub type $read<T> = PhantomData<fn() -> T>;

        /// Implemented by every type that this driver can decode; by all types if its feature is off.
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
        pub trait $fallback<T> {
            #[doc(hidden)]
            const $constant: $read<T>;
            #[doc(hidden)]
            const $decodes: bool = false;
        }

        impl<T> $fallback<T> for Probe<T> {
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
            pub const $decodes: bool = true;
        }
    };
}
reader! {
    "sqlite": Sqlite, sqlx::sqlite::SqliteRow;
    read: ReadSqlite, rows: SqliteRows, constant: SQLITE, decodes: IN_SQLITE, fallback: NoSqlite
}
reader! {
    "postgres": Postgres, sqlx::postgres::PgRow;
    read: ReadPostgres, rows: PostgresRows, constant: POSTGRES, decodes: IN_POSTGRES, fallback: NoPostgres
}
reader! {
    "mysql": MySql, sqlx::mysql::MySqlRow;
    read: ReadMySql, rows: MySqlRows, constant: MYSQL, decodes: IN_MYSQL, fallback: NoMySql
}

/// Reads a row of any driver by sea-orm's trait, if `T` implements it.
#[cfg(feature = "sea-orm")]
pub type ReadSeaOrm<T> = Option<fn(&::sea_orm::QueryResult) -> Result<T, ::sea_orm::DbErr>>;
/// Reads nothing: the feature is not enabled.
#[cfg(not(feature = "sea-orm"))]
pub type ReadSeaOrm<T> = PhantomData<fn() -> T>;

/// The fallback for a type that sea-orm cannot read.
pub trait NoSeaOrm<T> {
    #[doc(hidden)]
    const SEA_ORM: ReadSeaOrm<T>;
}

impl<T> NoSeaOrm<T> for Probe<T> {
    #[cfg(feature = "sea-orm")]
    const SEA_ORM: ReadSeaOrm<T> = None;
    #[cfg(not(feature = "sea-orm"))]
    const SEA_ORM: ReadSeaOrm<T> = PhantomData;
}

#[cfg(feature = "sea-orm")]
impl<T: ::sea_orm::FromQueryResult> Probe<T> {
    #[doc(hidden)]
    pub const SEA_ORM: ReadSeaOrm<T> = Some(|row| T::from_query_result(row, ""));
}

/// The fallback for a type that PostgreSQL's driver does not have.
pub trait NoPostgresType<T> {
    #[doc(hidden)]
    const POSTGRES_TYPE: Option<fn() -> String> = None;
}

impl<T> NoPostgresType<T> for Probe<T> {}

#[cfg(feature = "postgres")]
impl<T: Type<sqlx::Postgres>> Probe<T> {
    /// The name of the type on PostgreSQL.
    #[doc(hidden)]
    pub const POSTGRES_TYPE: Option<fn() -> String> = Some(|| sqlx::TypeInfo::name(&T::type_info()).to_owned());
}

/// The error for a row that a driver cannot read. It names the first field whose type the driver does not support.
pub(super) fn unreadable_error(row: &str, driver: &str, fields: &[Field], has: fn(&Field) -> bool) -> sqlx::Error {
    match fields.iter().find(|field| !has(field)) {
        Some(Field { column, kind, .. }) => column_error(
            column,
            format!("its field in `{row}` has the type `{}`, which sqlx cannot decode on {driver}", kind()),
        ),
        None => {
            sqlx::Error::Decode(format!("`{row}` has a field of a type that sqlx cannot decode on {driver}").into())
        }
    }
}

/// A row type that every enabled driver can read: a type with `#[derive(sqlx::FromRow)]`, or a tuple of columns. Like
/// the rows of sqlx's `fetch_all`, it has to be `Send`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a row",
    label = "write `#[derive(sqlx::FromRow)]` on it, with types that every enabled driver has",
    note = "it also has to be `Send`"
)]
pub trait FromDatabaseRow: SqliteRows + PostgresRows + MySqlRows + Send {
    #[doc(hidden)]
    const READER: Reader<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: SqliteRows + PostgresRows + MySqlRows + Send> FromDatabaseRow for T {
    const READER: Reader<Self> = Reader {
        sqlite: <Self as SqliteRows>::READ,
        postgres: <Self as PostgresRows>::READ,
        mysql: <Self as MySqlRows>::READ,
        fields: || &[],
    };
}

/// The reader of a model, or of a row with these fields, which need not be readable by every driver.
#[doc(hidden)]
#[macro_export]
macro_rules! __reader {
    ($row:ty) => {
        $crate::__reader!($row, $crate::__private::fields::<$row>)
    };
    ($row:ty, $fields:expr) => {{
        #[expect(unused_imports, reason = "used only for what a driver cannot read")]
        use $crate::__private::{NoMySql as _, NoPostgres as _, NoSqlite as _};
        type __Probe = $crate::__private::Probe<$row>;
        $crate::__private::Reader {
            sqlite: __Probe::SQLITE,
            postgres: __Probe::POSTGRES,
            mysql: __Probe::MYSQL,
            fields: $fields,
        }
    }};
}

/// A model's columns: `"name": Type` each, and `"name"` alone for a JSON column, from which sqlx reads any type.
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
            postgres_type: $crate::__private::Probe::<$type>::POSTGRES_TYPE,
        }
    };
    (@field $column:literal) => {
        $crate::__private::Field {
            column: $column,
            kind: ::core::any::type_name::<()>,
            sqlite: true,
            postgres: true,
            mysql: true,
            postgres_type: ::core::option::Option::None,
        }
    };
    ($($column:literal $(: $type:ty)?),*) => {{
        #[expect(unused_imports, reason = "used only for what a driver cannot read")]
        use $crate::__private::{NoMySql as _, NoPostgres as _, NoPostgresType as _, NoSqlite as _};
        const COLUMNS: &[$crate::__private::Field] = &[$($crate::__fields!(@field $column $(: $type)?)),*];
        COLUMNS
    }};
}

#[cfg(all(test, feature = "sea-orm", feature = "sqlite"))]
mod tests {
    use ::sea_orm::{FromQueryResult, QueryResult};

    use super::{NoSeaOrm as _, Probe};

    #[derive(Debug, PartialEq, FromQueryResult)]
    struct Row {
        id: i64,
    }

    struct NoRow;

    #[tokio::test]
    async fn a_type_that_sea_orm_reads_is_found() {
        assert!(Probe::<NoRow>::SEA_ORM.is_none());
        let read = Probe::<Row>::SEA_ORM.unwrap();
        let pool = sqlx::SqlitePool::connect("sqlite::memory:").await.unwrap();
        let row = async |sql: &'static str| QueryResult::from(sqlx::query(sql).fetch_one(&pool).await.unwrap());
        assert_eq!(read(&row("SELECT 7 AS id").await).unwrap(), Row { id: 7 });
        assert!(read(&row("SELECT 7 AS other").await).is_err());
    }
}
