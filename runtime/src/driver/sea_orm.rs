//! folio's statements on a connection of sea-orm's, such as a `DatabaseTransaction`, which has a connection of sqlx's but
//! does not show it.
//!
//! sea-orm prepares every statement by its text, binds the values itself, and returns all rows at once. Where a
//! statement needs more than that, it is an error.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ::sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, RuntimeErr, Statement};
use folio_plan::dialect::Dialect;
use folio_plan::statement::template::BoundSql;
use futures_util::future::BoxFuture;
use sea_query::Values;

use super::errors::unstorable_error;
#[cfg(feature = "postgres")]
use super::postgres_texts;
use super::{Driver, DriverRow, Failure, ResultRow, RowOf};

/// A connection of sea-orm's from which pages are read: the result of [`connection`](crate::sea_orm::connection).
#[derive(Clone, Copy)]
pub struct Connection<'c>(&'c dyn Statements);

impl fmt::Debug for Connection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connection(..)")
    }
}

/// The methods of sea-orm's [`ConnectionTrait`] that folio calls. That trait has generic methods, so it cannot be a `dyn`.
trait Statements: Sync {
    fn backend(&self) -> DbBackend;

    fn is_mock(&self) -> bool;

    fn query_all(&self, statement: Statement) -> BoxFuture<'_, Result<Vec<QueryResult>, DbErr>>;

    fn execute<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<(), DbErr>>;
}

impl<C: ConnectionTrait> Statements for C {
    fn backend(&self) -> DbBackend {
        self.get_database_backend()
    }

    fn is_mock(&self) -> bool {
        self.is_mock_connection()
    }

    fn query_all(&self, statement: Statement) -> BoxFuture<'_, Result<Vec<QueryResult>, DbErr>> {
        self.query_all_raw(statement)
    }

    fn execute<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<(), DbErr>> {
        Box::pin(async move { self.execute_unprepared(sql).await.map(drop) })
    }
}

/// How often a migration was found to have changed the columns of a prepared statement. sea-orm does not prepare a
/// statement again, so from then on the text is another one.
static MIGRATIONS: AtomicU64 = AtomicU64::new(0);

impl<'c> Connection<'c> {
    pub(crate) fn new(connection: &'c impl ConnectionTrait) -> Self {
        Self(connection)
    }

    pub(crate) fn dialect(self) -> Dialect {
        match self.0.backend() {
            DbBackend::Sqlite => Dialect::Sqlite,
            DbBackend::Postgres => Dialect::Postgres,
            // The other backends that sea-orm may have one day are refused by `read`.
            _ => Dialect::MySql,
        }
    }

    /// The error for what such a connection cannot do.
    pub(super) fn unsupported(what: &str) -> sqlx::Error {
        sqlx::Error::Configuration(
            format!("sea-orm's connection {what}: read the page on `folio::sea_orm::Db`'s transaction, or from a pool")
                .into(),
        )
    }

    /// Runs statements without values.
    pub(super) async fn execute(self, sql: &str) -> sqlx::Result<()> {
        self.0.execute(sql).await.map_err(sqlx_error)
    }

    /// The rows of a select.
    pub(super) async fn read<D: Driver>(self, select: BoundSql) -> sqlx::Result<Vec<RowOf<D>>> {
        if select.caller.as_ref().is_some_and(|caller| !caller.values.is_empty()) {
            return Err(Self::unsupported("cannot bind the values of SQL text"));
        }
        if self.0.is_mock() {
            return Err(Self::unsupported("is a mock, which has no rows of a database"));
        }
        // sea-orm binds each text as `text`.
        #[cfg(feature = "postgres")]
        if D::DIALECT.facts().types_texts_by_columns {
            postgres_texts::check(self, &select).await?;
        }
        self.fetch::<D>(text::<D>(&select), bindable::<D>(select.values)?).await
    }

    /// The rows of a select that was checked.
    pub(super) async fn fetch<D: Driver>(self, sql: String, values: Values) -> sqlx::Result<Vec<RowOf<D>>> {
        let statement = Statement { sql, values: Some(values), db_backend: self.0.backend() };
        let rows = self.0.query_all(statement).await.map_err(sqlx_error).inspect_err(|error| {
            if D::classify(error) == Some(Failure::Outdated) {
                MIGRATIONS.fetch_add(1, Ordering::Relaxed);
            }
        })?;
        let feature = <D::Row as DriverRow>::SEA_ORM;
        let foreign = || {
            Self::unsupported(&format!("does not return rows of sqlx's, or folio's feature `{feature}` is not enabled"))
        };
        rows.into_iter().map(|row| ResultRow::of(row).ok_or_else(foreign)).collect()
    }
}

/// The text of a statement, which sea-orm's connection keeps prepared.
fn text<D: Driver>(select: &BoundSql) -> String {
    static PREPARED: AtomicU64 = AtomicU64::new(1);
    let number = if D::FACTS.keeps_column_names && select.selects_star {
        PREPARED.fetch_add(1, Ordering::Relaxed)
    } else {
        MIGRATIONS.load(Ordering::Relaxed)
    };
    if number == 0 { select.sql.to_string() } else { format!("{} /* {number} */", select.sql) }
}

/// sqlx's error behind sea-orm's, if there is one.
pub(crate) fn sqlx_error(error: DbErr) -> sqlx::Error {
    match error {
        DbErr::Conn(RuntimeErr::SqlxError(cause))
        | DbErr::Exec(RuntimeErr::SqlxError(cause))
        | DbErr::Query(RuntimeErr::SqlxError(cause)) => {
            Arc::try_unwrap(cause).unwrap_or_else(|shared| sqlx::Error::AnyDriverError(Box::new(shared)))
        }
        other => sqlx::Error::AnyDriverError(Box::new(other)),
    }
}

/// The same for an error of a row.
pub(crate) fn undecodable(error: DbErr) -> sqlx::Error {
    match sqlx_error(error) {
        sqlx::Error::AnyDriverError(cause) => sqlx::Error::Decode(cause),
        cause => cause,
    }
}

/// The values of a statement as sea-orm binds them.
fn bindable<D: Driver>(mut values: Values) -> sqlx::Result<Values> {
    values.0.iter_mut().try_for_each(D::adapt).map_err(unstorable_error)?;
    #[cfg(feature = "postgres")]
    let values = Values(values.0.into_iter().map(postgres_texts::typed).collect());
    // Like folio, sea-orm passes its values to sea-query-sqlx, which may leave one out.
    D::arguments(values.clone(), None)?;
    Ok(values)
}
