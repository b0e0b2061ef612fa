//! Values that callers bind to their SQL text, of any type that sqlx can encode.
//!
//! A select does not know yet from which database it will be read, so values are encoded when a statement is made.
//! Every enabled driver has to be able to bind a value, unless it is given for one driver.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use folio_plan::statement::template::OpaqueValue;
use sqlx::error::BoxDynError;

#[cfg(feature = "postgres")]
use crate::error::{NUL, Refusal};

/// A caller's value. One statement may bind it several times.
#[derive(Clone, Default)]
pub struct CallerValue {
    /// Whether it is a text with characters that are not ASCII. A type that folio does not know counts as no text.
    pub(crate) is_beyond_ascii: bool,
    #[cfg(feature = "sqlite")]
    sqlite: Option<Add<sqlx::sqlite::SqliteArguments>>,
    #[cfg(feature = "postgres")]
    postgres: Option<Add<sqlx::postgres::PgArguments>>,
    #[cfg(feature = "postgres")]
    postgres_type: String,
    #[cfg(feature = "mysql")]
    mysql: Option<Add<sqlx::mysql::MySqlArguments>>,
}

impl fmt::Debug for CallerValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallerValue(..)")
    }
}

type Add<A> = Arc<dyn Fn(&mut A) -> Result<(), BoxDynError> + Send + Sync>;

/// A value that every enabled driver can bind, because its type implements sqlx's `Encode` and `Type` for each of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to SQL text on every enabled database",
    label = "`bind` takes what sqlx can encode for each of them, and `bind_for` a value for one",
    note = "derive `sqlx::Type` for your own types"
)]
pub trait BindValue: SqliteValue + PostgresValue + MySqlValue + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<V: SqliteValue + PostgresValue + MySqlValue + Send + Sync + 'static> BindValue for V {}

/// A database to which values of type `V` can be bound.
#[diagnostic::on_unimplemented(message = "sqlx cannot bind `{V}` on `{Self}`")]
pub trait BindFor<V>: sqlx::Database {
    #[doc(hidden)]
    fn caller_value(value: V) -> CallerValue;
}

impl CallerValue {
    pub(crate) fn for_all<V: BindValue>(value: V) -> Self {
        let is_beyond_ascii = text(&value).is_some_and(|text| !text.is_ascii());
        let value = Arc::new(value);
        Self {
            is_beyond_ascii,
            #[cfg(feature = "postgres")]
            postgres_type: type_name(&*value),
            #[cfg(feature = "postgres")]
            postgres: Some(PostgresValue::adding(value.clone())),
            #[cfg(feature = "mysql")]
            mysql: Some(MySqlValue::adding(value.clone())),
            #[cfg(feature = "sqlite")]
            sqlite: Some(SqliteValue::adding(value)),
        }
    }

    /// The value behind one of a statement's.
    pub(crate) fn of(value: &dyn OpaqueValue) -> Result<&Self, BoxDynError> {
        let value: &dyn Any = value;
        value.downcast_ref().ok_or_else(|| "a value of the SQL text was not bound by folio".into())
    }

    fn with(given: &impl Any, set: impl FnOnce(&mut Self)) -> Self {
        let is_beyond_ascii = text(given).is_some_and(|text| !text.is_ascii());
        let mut value = Self { is_beyond_ascii, ..Self::default() };
        set(&mut value);
        value
    }

    #[cfg(feature = "sqlite")]
    pub(crate) fn add_to_sqlite(&self, arguments: &mut sqlx::sqlite::SqliteArguments) -> Result<(), BoxDynError> {
        self.sqlite.as_ref().ok_or_else(|| other_database_error("SQLite"))?(arguments)
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn add_to_postgres(&self, arguments: &mut sqlx::postgres::PgArguments) -> Result<(), BoxDynError> {
        self.postgres.as_ref().ok_or_else(|| other_database_error("PostgreSQL"))?(arguments)
    }

    #[cfg(feature = "mysql")]
    pub(crate) fn add_to_mysql(&self, arguments: &mut sqlx::mysql::MySqlArguments) -> Result<(), BoxDynError> {
        self.mysql.as_ref().ok_or_else(|| other_database_error("MySQL"))?(arguments)
    }
}

impl OpaqueValue for CallerValue {
    /// Its bytes, as the first enabled driver that can bind it encodes them.
    fn to_key(&self) -> String {
        #[cfg(feature = "sqlite")]
        if let Some(key) = key(self.sqlite.as_ref()) {
            return key;
        }
        #[cfg(feature = "postgres")]
        if let Some(key) = key(self.postgres.as_ref()) {
            return key;
        }
        #[cfg(feature = "mysql")]
        if let Some(key) = key(self.mysql.as_ref()) {
            return key;
        }
        String::new()
    }

    fn postgres_type(&self) -> &str {
        #[cfg(feature = "postgres")]
        return &self.postgres_type;
        #[cfg(not(feature = "postgres"))]
        ""
    }
}

/// The text of a value, if it is one of the usual types.
fn text(value: &dyn Any) -> Option<&str> {
    let owned = || value.downcast_ref::<String>().map(String::as_str);
    let optional = || value.downcast_ref::<Option<String>>()?.as_deref();
    value.downcast_ref::<&str>().copied().or_else(owned).or_else(optional)
}

fn other_database_error(driver: &str) -> BoxDynError {
    format!("a value of the SQL text was bound with `bind_for` for another database than {driver}").into()
}

/// Arguments with one value, as text.
fn key<A: Default + fmt::Debug>(add: Option<&Add<A>>) -> Option<String> {
    let mut arguments = A::default();
    add?(&mut arguments).ok().map(|()| format!("{arguments:?}"))
}

#[cfg(feature = "postgres")]
fn type_name<V: for<'q> sqlx::Encode<'q, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>>(value: &V) -> String {
    sqlx::TypeInfo::name(&value.produces().unwrap_or_else(V::type_info)).to_owned()
}

/// Any value, on a database whose own error says what it cannot store.
#[cfg(any(feature = "sqlite", feature = "mysql"))]
fn storable<V>(_value: &V) -> Result<(), BoxDynError> {
    Ok(())
}

/// Rejects a text with a NUL character, which PostgreSQL cannot store and clients may send.
#[cfg(feature = "postgres")]
fn without_nul<V: PostgresValue>(value: &V) -> Result<(), BoxDynError> {
    let name = type_name(value);
    let element = name.strip_suffix("[]");
    // How the character is written in a value of the type.
    let nul: &[u8] = match element.unwrap_or(&name) {
        "TEXT" | "VARCHAR" | "CHAR" | "NAME" => b"\0",
        "JSON" | "JSONB" => b"\\u0000",
        _ => return Ok(()),
    };
    let mut bytes = sqlx::postgres::PgArgumentBuffer::default();
    let _ = value.encode_by_ref(&mut bytes)?;
    let has_nul = |text: &[u8]| text.windows(nul.len()).any(|window| window == nul);
    let is_refused = if element.is_some() { elements(&bytes).any(has_nul) } else { has_nul(&bytes) };
    if is_refused {
        return Err(Refusal::Unstorable(NUL).into());
    }
    Ok(())
}

/// The elements of an array, in the form in which PostgreSQL receives it: the number of dimensions, a flag, the type of
/// the elements, length and lower bound of each dimension, then each element after its length. That of NULL is -1.
#[cfg(feature = "postgres")]
fn elements(array: &[u8]) -> impl Iterator<Item = &[u8]> {
    let dimensions = array.first_chunk().map_or(0, |dimensions| u32::from_be_bytes(*dimensions));
    let header = usize::try_from(dimensions).ok().and_then(|dimensions| dimensions.checked_mul(8)?.checked_add(12));
    let mut rest = header.and_then(|header| array.get(header..)).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, elements) = rest.split_first_chunk()?;
        let length = usize::try_from(i32::from_be_bytes(*length)).unwrap_or(0);
        let (element, others) = elements.split_at_checked(length)?;
        rest = others;
        Some(element)
    })
}

/// The values of one driver: `$value` is the trait of the types that it can bind, which are all types if the driver is
/// not enabled, and `$arguments` is sqlx's type for the arguments of a statement.
macro_rules! values {
    ($feature:literal: $driver:ident, $arguments:path, $value:ident, $check:expr) => {
        /// A value that this driver can bind. Every value, if the driver is not enabled.
        #[cfg(feature = $feature)]
        pub trait $value: for<'q> sqlx::Encode<'q, sqlx::$driver> + sqlx::Type<sqlx::$driver> {
            #[doc(hidden)]
            fn adding(self: Arc<Self>) -> Add<$arguments>
            where
                Self: Send + Sync + 'static;
        }

        #[cfg(feature = $feature)]
        impl<V: for<'q> sqlx::Encode<'q, sqlx::$driver> + sqlx::Type<sqlx::$driver>> $value for V {
            fn adding(self: Arc<Self>) -> Add<$arguments>
            where
                Self: Send + Sync + 'static,
            {
                Arc::new(move |arguments| {
                    $check(&*self)?;
                    sqlx::Arguments::add(arguments, &*self)
                })
            }
        }

        /// A value that this driver can bind. Every value, if the driver is not enabled.
        #[cfg(not(feature = $feature))]
        pub trait $value {}

        #[cfg(not(feature = $feature))]
        impl<V> $value for V {}
    };
}
values!("sqlite": Sqlite, sqlx::sqlite::SqliteArguments, SqliteValue, storable);
values!("postgres": Postgres, sqlx::postgres::PgArguments, PostgresValue, without_nul);
values!("mysql": MySql, sqlx::mysql::MySqlArguments, MySqlValue, storable);

#[cfg(feature = "sqlite")]
impl<V: SqliteValue + Send + Sync + 'static> BindFor<V> for sqlx::Sqlite {
    fn caller_value(value: V) -> CallerValue {
        let value = Arc::new(value);
        CallerValue::with(&*value.clone(), |bound| bound.sqlite = Some(value.adding()))
    }
}

#[cfg(feature = "postgres")]
impl<V: PostgresValue + Send + Sync + 'static> BindFor<V> for sqlx::Postgres {
    fn caller_value(value: V) -> CallerValue {
        let postgres_type = type_name(&value);
        let value = Arc::new(value);
        CallerValue::with(&*value.clone(), |bound| {
            bound.postgres_type = postgres_type;
            bound.postgres = Some(value.adding());
        })
    }
}

#[cfg(feature = "mysql")]
impl<V: MySqlValue + Send + Sync + 'static> BindFor<V> for sqlx::MySql {
    fn caller_value(value: V) -> CallerValue {
        let value = Arc::new(value);
        CallerValue::with(&*value.clone(), |bound| bound.mysql = Some(value.adding()))
    }
}
