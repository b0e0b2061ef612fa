//! sea-orm's connections: the pool of one, and [`Db`], on which its statements run where folio's pages are read.

use std::panic::Location;

use ::sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseConnectionType, DbBackend, DbErr, ExecResult, QueryResult, RuntimeErr,
    Statement,
};
use folio_plan::dialect::Dialect;
use folio_plan::value::Value;
use sea_query::Values;
use sea_query_sqlx::SqlxValues;
use sqlx::{AssertSqlSafe, Executor, IntoArguments};

use crate::db::lease;
use crate::driver::sqlx_error;
use crate::error::{FrameworkError, Refusal, Result, Retryable};
use crate::pool::Pool;
use crate::request::context::Context;
use crate::transaction::{Ambient, Transactional};

impl TryFrom<&DatabaseConnection> for Pool {
    type Error = FrameworkError;

    /// The pool of a connection.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for a connection without a pool of sqlx's, such as a mock, a proxy, rusqlite or one
    /// that is not connected, and for a database whose feature of folio is not enabled.
    fn try_from(connection: &DatabaseConnection) -> Result<Self> {
        match &connection.inner {
            #[cfg(feature = "sea-orm-sqlite")]
            DatabaseConnectionType::SqlxSqlitePoolConnection(_) => Ok(connection.get_sqlite_connection_pool().into()),
            #[cfg(feature = "sea-orm-postgres")]
            DatabaseConnectionType::SqlxPostgresPoolConnection(_) => {
                Ok(connection.get_postgres_connection_pool().into())
            }
            #[cfg(feature = "sea-orm-mysql")]
            DatabaseConnectionType::SqlxMySqlPoolConnection(_) => Ok(connection.get_mysql_connection_pool().into()),
            DatabaseConnectionType::Disconnected => Err(FrameworkError::configuration(
                "sea-orm's connection is not connected: create it with `Database::connect`",
            )),
            #[expect(unreachable_patterns, reason = "which variants there are depends on sea-orm's features")]
            _ => Err(FrameworkError::configuration(
                "sea-orm's connection has no pool that folio can read from: connect to SQLite, PostgreSQL or MySQL through \
                 sqlx, and enable folio's feature `sea-orm-sqlite`, `sea-orm-postgres` or `sea-orm-mysql`",
            )),
        }
    }
}

/// The connection on which folio reads, for sea-orm's statements: that of the task's transaction, or else one of the
/// default pool. See the [module](super).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Db;

impl Db {
    /// The database of the task's transaction, or else of the default pool.
    fn dialect() -> Result<Dialect> {
        let context = Context::current();
        match Ambient::current(&context) {
            Some(ambient) => Ok(ambient.dialect()),
            None => Ok(context.folio()?.settings.connections.default.dialect),
        }
    }
}

/// Calls an async function for the driver of the task's transaction, or else of the default pool.
macro_rules! run {
    ($function:ident($($argument:expr),+)) => {
        match Db::dialect().map_err(unavailable)? {
            #[cfg(feature = "sea-orm-sqlite")]
            Dialect::Sqlite => $function::<sqlx::Sqlite>($($argument),+).await,
            #[cfg(feature = "sea-orm-postgres")]
            Dialect::Postgres | Dialect::PlainPostgres => $function::<sqlx::Postgres>($($argument),+).await,
            #[cfg(feature = "sea-orm-mysql")]
            Dialect::MySql | Dialect::PlainMySql => $function::<sqlx::MySql>($($argument),+).await,
            #[cfg(not(all(feature = "sea-orm-sqlite", feature = "sea-orm-postgres", feature = "sea-orm-mysql")))]
            dialect => Err(unavailable(FrameworkError::configuration(format!(
                "folio's feature of sea-orm for {dialect:?} is not enabled: `sea-orm-sqlite`, `sea-orm-postgres` or \
                 `sea-orm-mysql`"
            )))),
        }
    };
}

#[async_trait::async_trait]
impl ConnectionTrait for Db {
    /// Without an application, the first database whose feature is enabled; its statements then fail.
    fn get_database_backend(&self) -> DbBackend {
        match Self::dialect() {
            Ok(dialect) => backend(dialect),
            Err(_) if cfg!(feature = "sea-orm-sqlite") => DbBackend::Sqlite,
            Err(_) if cfg!(feature = "sea-orm-postgres") => DbBackend::Postgres,
            Err(_) => DbBackend::MySql,
        }
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let (sql, values) = checked(statement)?;
        run!(execute(sql, values))
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        run!(execute_unprepared(sql.to_owned()))
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let (sql, values) = checked(statement)?;
        run!(query_one(sql, values))
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let (sql, values) = checked(statement)?;
        run!(query_all(sql, values))
    }
}

async fn execute<D: Transactional>(sql: String, values: SqlxValues) -> Result<ExecResult, DbErr>
where
    SqlxValues: IntoArguments<D>,
    ExecResult: From<D::QueryResult>,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
{
    let mut connection = lease::<D>(Location::caller()).await.map_err(unavailable)?;
    let result = sqlx::query_with(AssertSqlSafe(sql), values).execute(&mut *connection).await;
    result.map(ExecResult::from).map_err(|error| DbErr::Exec(RuntimeErr::SqlxError(error.into())))
}

async fn execute_unprepared<D: Transactional>(sql: String) -> Result<ExecResult, DbErr>
where
    ExecResult: From<D::QueryResult>,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
{
    let mut connection = lease::<D>(Location::caller()).await.map_err(unavailable)?;
    let result = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *connection).await;
    result.map(ExecResult::from).map_err(|error| DbErr::Exec(RuntimeErr::SqlxError(error.into())))
}

async fn query_one<D: Transactional>(sql: String, values: SqlxValues) -> Result<Option<QueryResult>, DbErr>
where
    SqlxValues: IntoArguments<D>,
    QueryResult: From<D::Row>,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
{
    let mut connection = lease::<D>(Location::caller()).await.map_err(unavailable)?;
    let row = sqlx::query_with(AssertSqlSafe(sql), values).fetch_optional(&mut *connection).await;
    row.map(|row| row.map(QueryResult::from)).map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))
}

async fn query_all<D: Transactional>(sql: String, values: SqlxValues) -> Result<Vec<QueryResult>, DbErr>
where
    SqlxValues: IntoArguments<D>,
    QueryResult: From<D::Row>,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
{
    let mut connection = lease::<D>(Location::caller()).await.map_err(unavailable)?;
    let rows = sqlx::query_with(AssertSqlSafe(sql), values).fetch_all(&mut *connection).await;
    let rows = rows.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))?;
    Ok(rows.into_iter().map(QueryResult::from).collect())
}

const fn backend(dialect: Dialect) -> DbBackend {
    match dialect {
        Dialect::Sqlite => DbBackend::Sqlite,
        Dialect::Postgres | Dialect::PlainPostgres => DbBackend::Postgres,
        Dialect::MySql | Dialect::PlainMySql => DbBackend::MySql,
    }
}

/// The text and the values of a statement, if it was built for the connection's database, which can store its values.
fn checked(statement: Statement) -> Result<(String, SqlxValues), DbErr> {
    let dialect = Db::dialect().map_err(unavailable)?;
    let Statement { sql, values, db_backend } = statement;
    if db_backend != backend(dialect) {
        return Err(unavailable(FrameworkError::configuration(format!(
            "the statement was built for {db_backend:?}, and the connection is to {:?}: build it with \
             `Db.get_database_backend()`",
            backend(dialect)
        ))));
    }
    let values = values.unwrap_or(Values(Vec::new()));
    match values.0.iter().find_map(|value| unstorable(dialect, value)) {
        Some(what) => {
            let error = sqlx::Error::Encode(Refusal::Unstorable(what).into());
            Err(DbErr::Query(RuntimeErr::SqlxError(error.into())))
        }
        None => Ok((sql, SqlxValues(values))),
    }
}

/// What the database cannot store in a value, for which sea-query-sqlx would panic.
fn unstorable(dialect: Dialect, value: &Value) -> Option<&'static str> {
    match value {
        Value::BigUnsigned(Some(number)) if dialect != Dialect::MySql && i64::try_from(*number).is_err() => {
            Some("an integer above 9223372036854775807")
        }
        #[cfg(feature = "postgres")]
        Value::Array(_, Some(values)) if dialect == Dialect::Postgres => {
            values.iter().find_map(|value| unstorable(dialect, value))
        }
        #[cfg(feature = "postgres")]
        Value::Array(..) if dialect != Dialect::Postgres => Some("an array"),
        _ => None,
    }
}

/// sea-orm's error for a statement that has no connection to run on.
fn unavailable(error: FrameworkError) -> DbErr {
    match error {
        FrameworkError::Database(error) => DbErr::Conn(RuntimeErr::SqlxError(error.into())),
        other => DbErr::Conn(RuntimeErr::Internal(other.to_string())),
    }
}

impl Retryable for DbErr {
    fn is_retryable(&self) -> bool {
        let (DbErr::Conn(RuntimeErr::SqlxError(cause))
        | DbErr::Exec(RuntimeErr::SqlxError(cause))
        | DbErr::Query(RuntimeErr::SqlxError(cause))) = self
        else {
            return false;
        };
        cause.is_retryable()
    }
}

impl From<DbErr> for FrameworkError {
    /// sqlx's error behind sea-orm's, if there is one.
    fn from(error: DbErr) -> Self {
        sqlx_error(error).into()
    }
}
