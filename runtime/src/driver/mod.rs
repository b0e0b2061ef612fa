//! Runs statements and decodes rows, with one file for each of sqlx's drivers.
//!
//! [`Driver`] is what folio needs from a database except for its SQL, which is in [`folio_plan::dialect`]. `row.rs` finds
//! out at compile time which types a driver can read.
//!
//! | file | what it answers |
//! |---|---|
//! | `sqlite.rs`, `postgres.rs`, `mysql.rs` | how to run a select, and how to read a key column's value from a row |
//! | `*_catalog.rs` | the indexes and NOT NULL columns of a table |
//! | `mysql_order.rs` | columns that MySQL sorts by other rules than it compares |
//! | `postgres_range.rs` | values that PostgreSQL stores and Rust's types do not hold |
//! | `dates.rs` | the days and leap seconds of dates and times, which a database may not have |
//! | `session.rs` | what runs a statement: sqlx's connection, or one of sea-orm's |
//! | `sea_orm.rs` | statements on sea-orm's connections |
//! | `postgres_texts.rs` | texts that sea-orm would bind as another type than folio |
//! | `arguments.rs` | how the values of a statement are bound |
//! | `errors.rs` | the errors for a column, a value or an answer that cannot be used |
//! | `result_row.rs` | a row that both sqlx's and sea-orm's types can be read from, with a feature `sea-orm-…` |
//! | `sink.rs` | where rows go, and how they become values of the row type |
//! | `plan.rs` | the plan of a statement, for the feature `testing` |
//! | `panic.rs` | panics in decoding, which become errors |
//! | `stored_as.rs` | how to find out what a column stores for a value that was not read from a row |
//!
//! A boundary has to compare like the value in the column. Otherwise, the next page would silently repeat rows or leave
//! some out. So each driver reads a key column's value together with the form in which the database compares it (see
//! [`BoundaryValue`]), and refuses a value or a column without such a form, with an error that names the column.

mod arguments;
#[cfg(any(feature = "postgres", feature = "mysql"))]
mod dates;
mod errors;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "mysql")]
mod mysql_catalog;
#[cfg(feature = "mysql")]
mod mysql_order;
mod panic;
#[cfg(feature = "testing")]
mod plan;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "postgres")]
mod postgres_catalog;
#[cfg(feature = "postgres")]
mod postgres_range;
#[cfg(all(feature = "postgres", feature = "_sea-orm"))]
mod postgres_texts;
#[cfg(feature = "_sea-orm")]
mod result_row;
mod row;
#[cfg(feature = "_sea-orm")]
mod sea_orm;
mod session;
mod sink;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "sqlite")]
mod sqlite_catalog;
mod stored_as;

use std::future::Future;
use std::time::Duration;

use futures_core::stream::BoxStream;
use futures_util::TryStreamExt as _;
use sea_query::Values;
use sqlx::database::HasStatementCache;
use sqlx::{Column as _, ColumnIndex, Decode, Either, FromRow, Row, Type};

use self::arguments::{Bind, arguments, encode};
#[cfg(any(feature = "postgres", all(feature = "mysql", feature = "rust_decimal")))]
use self::errors::TOO_MANY_DIGITS;
use self::errors::{OUT_OF_RANGE, unsupported_variant_error};
pub(crate) use self::errors::{column_error, enum_error, inconsistent_error};
use self::panic::{caught, is_panic};
#[cfg(feature = "testing")]
pub(crate) use self::plan::{Plan, Sorts};
#[cfg(feature = "_sea-orm")]
pub(crate) use self::result_row::{DriverRow, ResultRow};
pub use self::row::*;
#[cfg(feature = "_sea-orm")]
pub use self::sea_orm::Connection;
#[cfg(feature = "_sea-orm")]
pub(crate) use self::sea_orm::{sqlx_error, undecodable};
pub(crate) use self::session::Session;
pub(crate) use self::sink::{AnyRow, RowCount, RowSink, TypedRows};
pub(crate) use self::stored_as::StoredAs;
use crate::error::{Refusal, Refused, Retryable, refused};
use crate::value::CursorValue;
use folio_plan::boundary::BoundaryValue;
use folio_plan::dialect::Dialect;
use folio_plan::dialect::catalog::TableInfo;
use folio_plan::schema::table::Table;
use folio_plan::statement::template::{BoundSql, CallerValues};
use folio_plan::value::{Value, Variant};

/// A column of the cursor key in a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResultColumn<'a> {
    #[cfg_attr(not(feature = "mysql"), expect(dead_code, reason = "only MySQL says more about a column"))]
    pub(crate) at: usize,
    pub(crate) name: &'a str,
}

/// A row's value in a column of the cursor key, as the server sent it.
pub(crate) struct SentValue {
    /// With the form in which the database compares it.
    pub(crate) value: BoundaryValue,
    /// Why the column may have another value: the server rounds values when it sends them, or replaces characters. Whoever
    /// uses the key looks its row up, and fails with this reason if the row is not found.
    pub(crate) inexact: Option<&'static str>,
}

/// The answer to a statement as it arrives: its rows, and then its end.
pub(crate) type Answer<'c, D> =
    BoxStream<'c, sqlx::Result<Either<<D as sqlx::Database>::QueryResult, <D as sqlx::Database>::Row>>>;

/// A row of one of sqlx's drivers.
#[cfg(not(feature = "_sea-orm"))]
pub(crate) use sqlx::Row as DriverRow;

/// A row that folio owns, as the driver returned it.
#[cfg(not(feature = "_sea-orm"))]
pub(crate) type ResultRow<R> = R;

/// A row of the driver `D`, which folio owns.
pub(crate) type RowOf<D> = ResultRow<<D as sqlx::Database>::Row>;

/// What is true of a driver and of its server's connections. What is true of the server's SQL is in
/// [`Facts`](folio_plan::dialect::Facts).
pub(crate) struct DriverFacts {
    /// Whether a connection is unusable after a statement on it was cancelled.
    pub(crate) breaks_on_cancel: bool,
    /// Whether a persistent statement keeps the names of its columns when a migration changes those of `*`. Its rows
    /// would have other values under these names.
    pub(crate) keeps_column_names: bool,
    /// Whether the driver can lose a statement that is not persistent: see [`Failure::Lost`].
    pub(crate) loses_statements: bool,
    /// Whether a read outside of a transaction is worth another attempt after a [`Failure::Conflict`]. SQLite has waited
    /// for the lock already.
    pub(crate) retries_reads: bool,
    /// Whether a session may be without autocommit, so that a read outside of a transaction opens one: see
    /// [`Transactional::commits_alone`](crate::transaction::Transactional::commits_alone).
    pub(crate) may_lack_autocommit: bool,
    /// Whether a moment is read in the session's time zone, as a TIMESTAMP of MySQL is.
    pub(crate) reads_in_session_zone: bool,
    /// Whether the server may refuse a character of a text without saying that it does: see
    /// [`Refused::CharacterOrColumn`].
    pub(crate) hides_refused_characters: bool,
    /// Adds a time limit to a select's own text. `None` if only a transaction limits the time of its statements.
    pub(crate) limited: Option<fn(BoundSql, Duration) -> BoundSql>,
}

/// Why a statement failed, where folio does something about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Another transaction was in the way: a serialization failure, a deadlock, or a lock that was held for too long. The
    /// statement may succeed if it is run again.
    Conflict,
    /// It took too long and was ended. Without a time limit, it may have been ended for another reason.
    OutOfTime,
    /// It is persistent, and a migration changed the columns of its result. It works again once the connection has
    /// prepared it again.
    Outdated,
    /// The driver lost it before it ran. sqlx looks up the types of a result that the connection does not know yet, and
    /// PostgreSQL then forgets the statement if it has no name. The connection knows the types from then on.
    Lost,
    /// An index that it names does not exist.
    MissingIndex,
    /// Several columns of a subquery have the same name.
    EqualColumn,
}

/// A database that pages are read from.
pub(crate) trait Driver: HasStatementCache + sqlx::Database<Row: DriverRow> {
    const DIALECT: Dialect;

    const FACTS: DriverFacts;

    /// Whether this pool's connections keep prepared statements. They cannot behind a pooler such as PgBouncer in
    /// transaction mode, where the next statement can run on another connection of the server. Users say so with a
    /// statement cache of size 0.
    fn persistent(_pool: &sqlx::Pool<Self>) -> bool {
        true
    }

    /// Why a statement failed. `None` if that makes no difference to folio.
    fn classify(error: &sqlx::Error) -> Option<Failure>;

    /// Puts a value into the form in which the server compares it with a column. The error names what the database cannot
    /// store: such a value is in no column, so it does not compare with any either.
    fn adapt(value: &mut Value) -> Result<(), &'static str>;

    /// Binds the values of a statement.
    fn arguments(values: Values, caller: Option<CallerValues>) -> sqlx::Result<Self::Arguments>;

    /// Runs a select. The connection caches a `persistent` statement.
    fn fetch(connection: &mut Self::Connection, select: BoundSql, persistent: bool) -> sqlx::Result<Answer<'_, Self>>;

    /// Runs statements that have no values, and returns nothing of their answers.
    fn execute(session: Session<'_, Self>, sql: &str) -> impl Future<Output = sqlx::Result<()>> + Send;

    fn table_info(session: Session<'_, Self>, table: &Table) -> impl Future<Output = sqlx::Result<TableInfo>> + Send;

    /// The server's replication position, as a text: the last change that it has. `None` if it does not tell.
    fn position(_connection: &mut Self::Connection) -> impl Future<Output = sqlx::Result<Option<String>>> + Send {
        async { Ok(None) }
    }

    /// Waits until the server has all changes up to a position of another one, but no longer than this. Returns whether
    /// it has them.
    fn reaches(
        _connection: &mut Self::Connection,
        _position: &str,
        _wait: Duration,
    ) -> impl Future<Output = sqlx::Result<bool>> + Send {
        async { Ok(false) }
    }

    /// The number of rows that a plan estimates, from the answer to [`Facts::explain`](folio_plan::dialect::Facts::explain);
    /// `None` if it has no number that can be used.
    fn estimated_rows(_plan: &[RowOf<Self>]) -> Option<u64> {
        None
    }

    /// The plan of a select. Where a planner reads a small table as a whole, it shows the plan for a large one.
    #[cfg(feature = "testing")]
    fn plan(session: Session<'_, Self>, select: &BoundSql) -> impl Future<Output = sqlx::Result<Plan>> + Send;

    /// Decodes a row, and adds it to `rows`.
    fn decode_into(rows: &mut dyn RowSink, row: &RowOf<Self>) -> sqlx::Result<()>;

    /// A count, which is the last column of its row.
    fn count(row: &Self::Row) -> sqlx::Result<i64>;

    fn is_null(row: &Self::Row, column: &str) -> sqlx::Result<bool>;

    /// Rejects a column that the database orders and compares by different rules, for selects whose rows do not show
    /// it: the columns of a UNION have types of their own. `select` reads one row of these columns without a UNION.
    fn check_column(
        _session: Session<'_, Self>,
        _select: &BoundSql,
        _column: &str,
    ) -> impl Future<Output = sqlx::Result<()>> + Send {
        async { Ok(()) }
    }

    /// A row's value in a key column. Refuses a value or a column that the database does not compare like the value that
    /// folio would bind.
    fn boundary_value(row: &Self::Row, result_column: ResultColumn<'_>, variant: Variant) -> sqlx::Result<SentValue>;

    /// A row's value in a column, as its type reads it.
    fn value(row: &Self::Row, column: &str, variant: Variant) -> sqlx::Result<Value>;

    /// How to find out what a column stores for a value, if no row with that value is known.
    fn stored_as(value: &Value) -> StoredAs;

    /// What a column stores for a value, by the column's type, which any row shows: see [`StoredAs::ByType`].
    fn typed(_row: &Self::Row, _result_column: ResultColumn<'_>, value: &Value) -> sqlx::Result<BoundaryValue> {
        Ok(BoundaryValue::plain(value.clone()))
    }
}

impl Retryable for sqlx::Error {
    fn is_retryable(&self) -> bool {
        let drivers: &[fn(&Self) -> Option<Failure>] = &[
            #[cfg(feature = "sqlite")]
            sqlx::Sqlite::classify,
            #[cfg(feature = "postgres")]
            sqlx::Postgres::classify,
            #[cfg(feature = "mysql")]
            sqlx::MySql::classify,
        ];
        drivers.iter().any(|classify| classify(self) == Some(Failure::Conflict))
    }
}

/// A time limit in milliseconds, the servers' unit. It is at least 1, because 0 means no limit, and at most
/// PostgreSQL's maximum.
#[cfg(any(feature = "postgres", feature = "mysql"))]
pub(crate) fn milliseconds(limit: Duration) -> i32 {
    i32::try_from(limit.as_millis()).unwrap_or(i32::MAX).max(1)
}

/// Runs a select, and passes on every row.
pub(crate) async fn read<D: Driver>(
    session: Session<'_, D>,
    select: BoundSql,
    persistent: bool,
    mut take: impl FnMut(RowOf<D>),
) -> sqlx::Result<()> {
    // Looked at now, because the driver takes the values.
    let may_have_refused_character = D::FACTS.hides_refused_characters && !arguments::are_ascii(&select);
    let read = async {
        match session {
            Session::Connection(connection) => {
                let mut answer = D::fetch(connection, select, persistent)?;
                let mut is_complete = false;
                while let Some(part) = answer.try_next().await? {
                    match part {
                        Either::Left(_) => is_complete = true,
                        #[cfg(not(feature = "_sea-orm"))]
                        Either::Right(row) => take(row),
                        #[cfg(feature = "_sea-orm")]
                        Either::Right(row) => take(ResultRow::new(row)),
                    }
                }
                // sqlx reads from SQLite in a thread. If that panics, the rows just end.
                if is_complete { Ok(()) } else { Err(sqlx::Error::Protocol(INCOMPLETE.into())) }
            }
            #[cfg(feature = "_sea-orm")]
            Session::SeaOrm(connection) => {
                connection.read::<D>(select).await?.into_iter().for_each(take);
                Ok(())
            }
        }
    };
    read.await.map_err(|error| match refused(&error) {
        Some(Refused::CharacterOrColumn) if may_have_refused_character => {
            sqlx::Error::Encode(Refusal::ForeignCharacter.into())
        }
        _ => error,
    })
}

const INCOMPLETE: &str = "the rows ended before the statement did, because the connection failed: a migration may have \
                          changed the columns of a table while it was read";

async fn rows<D: Driver>(session: Session<'_, D>, select: BoundSql, persistent: bool) -> sqlx::Result<Vec<RowOf<D>>> {
    let mut rows = Vec::new();
    read::<D>(session, select, persistent, |row| rows.push(row)).await?;
    Ok(rows)
}

/// The statement that explains a select, for [`Driver::estimated_rows`]; `None` if the database's plans have no estimate.
pub(crate) fn explain<D: Driver>(select: BoundSql) -> Option<BoundSql> {
    let explain = D::DIALECT.facts().explain?;
    Some(BoundSql { sql: format!("{explain} {}", select.sql).into(), ..select })
}

/// Methods that are the same for every driver, but whose bounds only hold for sqlx's concrete types.
/// `$bind_callers` is the method of [`CallerValue`](crate::bind::CallerValue) for the driver, whose file has a function
/// `bind` for folio's own values.
macro_rules! driver {
    ($bind_callers:path) => {
        fn arguments(values: Values, caller: Option<CallerValues>) -> sqlx::Result<Self::Arguments> {
            super::arguments::<Self>(
                values,
                caller,
                &super::Bind { adapt: Self::adapt, own: bind, callers: $bind_callers },
            )
        }

        fn fetch(
            connection: &mut Self::Connection,
            select: BoundSql,
            persistent: bool,
        ) -> sqlx::Result<super::Answer<'_, Self>> {
            let arguments = Self::arguments(select.values, select.caller)?;
            let query = sqlx::query_with(sqlx::AssertSqlSafe(select.sql), arguments).persistent(persistent);
            Ok(sqlx::Executor::fetch_many(connection, query))
        }

        async fn execute(session: super::Session<'_, Self>, sql: &str) -> sqlx::Result<()> {
            match session {
                super::Session::Connection(connection) => {
                    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(connection).await.map(drop)
                }
                #[cfg(feature = "_sea-orm")]
                super::Session::SeaOrm(connection) => connection.execute(sql).await,
            }
        }

        fn count(row: &Self::Row) -> sqlx::Result<i64> {
            sqlx::Row::try_get(row, sqlx::Row::len(row).saturating_sub(1))
        }

        fn is_null(row: &Self::Row, column: &str) -> sqlx::Result<bool> {
            Ok(sqlx::ValueRef::is_null(&sqlx::Row::try_get_raw(row, column)?))
        }
    };
}
use driver;

/// The database's catalog, which is asked about one table. Its statements are not persistent: a process asks about a
/// table once a minute at most (see [`crate::source::catalog`]), so it would only take up a place among the
/// connection's prepared statements.
struct Catalog<'a, D: Driver> {
    session: Session<'a, D>,
    table: &'a Table,
}

impl<D: Driver> Catalog<'_, D> {
    /// The rows of a query whose parameters are the table's schema, NULL for the connection's default one, and the
    /// table's name.
    async fn rows<R: for<'r> FromRow<'r, D::Row>>(&mut self, sql: &str) -> sqlx::Result<Vec<R>> {
        let values = Values(vec![self.table.schema.map(str::to_owned).into(), self.table.name.into()]);
        let rows = rows::<D>(self.session.reborrow(), BoundSql::new(sql, values), false).await?;
        rows.iter().map(|row| R::from_row(row)).collect()
    }

    #[cfg(any(feature = "postgres", feature = "mysql"))]
    async fn row<R: for<'r> FromRow<'r, D::Row>>(&mut self, sql: &str) -> sqlx::Result<R> {
        self.rows(sql).await?.into_iter().next().ok_or(sqlx::Error::RowNotFound)
    }
}

/// Decodes a column's value by its variant: for the types that all drivers have, and those of this one, as in
/// `decode!(Sqlite, row, at, column, variant, { TinyInt: i8, … })`. Of any other variant it is an error that names the
/// column.
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
            other => Err(unsupported_variant_error::<$driver>($column, other)),
        }
    };
}
use decode;

/// The value of a column that is read as a `T`, or NULL of that type.
fn get<T, R>(row: &R, at: usize) -> sqlx::Result<Value>
where
    T: CursorValue + Type<R::Database> + for<'r> Decode<'r, R::Database>,
    R: Row,
    usize: ColumnIndex<R>,
{
    let value = caught(|| row.try_get::<Option<T>, _>(at)).map_err(|error| match row.try_column(at) {
        Ok(column) if is_panic(&error) => column_error(column.name(), OUT_OF_RANGE),
        _ => error,
    })?;
    Ok(value.into_value())
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use sqlx::{Connection as _, Sqlite, SqliteConnection};

    use super::*;

    /// sqlx's thread of a SQLite connection panics if a row has more columns than its named statement had. The rows
    /// then end, which is not taken for the end of the table.
    #[tokio::test]
    async fn rows_that_end_before_their_statement_are_an_error() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.expect("SQLite opens");
        let table = "CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2)";
        sqlx::raw_sql(table).execute(&mut connection).await.expect("the table is new");
        let all = || BoundSql::new("SELECT * FROM posts WHERE id > ?", Values(vec![0_i64.into()]));
        assert_eq!(
            rows::<Sqlite>(Session::Connection(&mut connection), all(), true).await.expect("it has rows").len(),
            2
        );

        sqlx::raw_sql("ALTER TABLE posts ADD COLUMN title TEXT")
            .execute(&mut connection)
            .await
            .expect("the column is new");
        let error = rows::<Sqlite>(Session::Connection(&mut connection), all(), true)
            .await
            .expect_err("the thread has panicked");
        assert!(error.to_string().contains("the rows ended before the statement did"), "{error}");
    }
}
