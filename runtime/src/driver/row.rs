//! Which types a row of each driver can be read as.
//!
//! A model does not have to be readable by every enabled driver: one with an array column can be read from PostgreSQL
//! only, in a service that also uses SQLite. Rust has no test for "implements `FromRow`" in a generic function, but the
//! derive expands where the type is known. There, the path `Probe::<Post>::SQLITE` means an inherent constant if `Post`
//! can be read from a SQLite row, and else the constant of the trait [`NoSqlite`], which says that it cannot. The
//! constants become a [`Reader`], which `TypedRows` calls.
//!
//! With a feature `sea-orm-…`, a type that sqlx cannot read may implement sea-orm's `FromQueryResult` instead: the path
//! `Probe::<Post>::SQLITE_ENTITY` is found in the same way.
//!
//! A row type that is not a model, such as a tuple, is used in generic functions, so it has to be readable by all
//! enabled drivers: [`FromDatabaseRow`].

use std::fmt;
use std::marker::PhantomData;

use folio_plan::schema::table::Field;
use sqlx::{Decode, Type};

use super::ResultRow;
use super::errors::column_error;
#[cfg(feature = "_sea-orm")]
use super::undecodable;

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
/// - `$entity` is the function for a type that implements sea-orm's `FromQueryResult`, and `$or` prefers one function to
///   another
/// - `$fallback` is the trait that has the constants for all other types
///
/// Without the feature all of it still exists and reads nothing, so the derive does not have to know the features.
macro_rules! reader {
    (
        $feature:literal: $driver:ident, $row:path;
        read: $read:ident, rows: $rows:ident, constant: $constant:ident, decodes: $decodes:ident,
        entity: $entity:ident, or: $or:ident, fallback: $fallback:ident
    ) => {
        /// Reads a row of this driver, if `T` can be read from it.
        #[cfg(feature = $feature)]
        pub type $read<T> = Option<fn(&ResultRow<$row>) -> sqlx::Result<T>>;
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
            const $entity: $read<T>;
            #[doc(hidden)]
            const $decodes: bool = false;
        }

        impl<T> $fallback<T> for Probe<T> {
            #[cfg(feature = $feature)]
            const $constant: $read<T> = None;
            #[cfg(not(feature = $feature))]
            const $constant: $read<T> = PhantomData;
            #[cfg(feature = $feature)]
            const $entity: $read<T> = None;
            #[cfg(not(feature = $feature))]
            const $entity: $read<T> = PhantomData;
        }

        #[cfg(feature = $feature)]
        impl<T: for<'r> sqlx::FromRow<'r, $row>> Probe<T> {
            #[doc(hidden)]
            pub const $constant: $read<T> = Some(|row| T::from_row(row));
        }

        #[cfg(all(feature = $feature, feature = "_sea-orm"))]
        impl<T: ::sea_orm::FromQueryResult> Probe<T> {
            #[doc(hidden)]
            pub const $entity: $read<T> = Some(|row| T::from_query_result(row.result()?, "").map_err(undecodable));
        }

        /// The first of two functions that exists.
        #[cfg(feature = $feature)]
        #[must_use]
        pub const fn $or<T>(one: $read<T>, other: $read<T>) -> $read<T> {
            if one.is_some() { one } else { other }
        }

        /// Neither function exists.
        #[cfg(not(feature = $feature))]
        #[must_use]
        pub const fn $or<T>(_: $read<T>, _: $read<T>) -> $read<T> {
            PhantomData
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
    read: ReadSqlite, rows: SqliteRows, constant: SQLITE, decodes: IN_SQLITE,
    entity: SQLITE_ENTITY, or: or_sqlite, fallback: NoSqlite
}
reader! {
    "postgres": Postgres, sqlx::postgres::PgRow;
    read: ReadPostgres, rows: PostgresRows, constant: POSTGRES, decodes: IN_POSTGRES,
    entity: POSTGRES_ENTITY, or: or_postgres, fallback: NoPostgres
}
reader! {
    "mysql": MySql, sqlx::mysql::MySqlRow;
    read: ReadMySql, rows: MySqlRows, constant: MYSQL, decodes: IN_MYSQL,
    entity: MYSQL_ENTITY, or: or_mysql, fallback: NoMySql
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
            sqlite: $crate::__private::or_sqlite(__Probe::SQLITE, __Probe::SQLITE_ENTITY),
            postgres: $crate::__private::or_postgres(__Probe::POSTGRES, __Probe::POSTGRES_ENTITY),
            mysql: $crate::__private::or_mysql(__Probe::MYSQL, __Probe::MYSQL_ENTITY),
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
