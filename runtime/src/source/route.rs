//! Chooses the connection that answers a query: a transaction of the task, a pool, the replica, or one that the caller
//! lends.

use std::sync::Arc;

use sqlx::pool::PoolConnection;

use crate::dialect::Dialect;
use crate::error::Result;
use crate::pool::{Fallback, PoolEntry};
use crate::pool::{Pool, PoolId, acquire, dispatch};
use crate::request::context::Context;
use crate::source::{AnyLease, Borrowed, Lease};
use crate::transaction::{Ambient, Isolation, Transactional};

/// The connection that a query asks for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Route {
    pub(crate) using: Option<Pool>,
    pub(crate) on: Option<String>,
    pub(crate) model: Option<&'static str>,
}

impl Route {
    /// The given pool, or else the named connection, or else the model's. If the task is in a transaction on that pool,
    /// the transaction is used. If none of them is given, a query is read in the ambient transaction, or else from the
    /// replica, or else from the default pool.
    ///
    /// A connection that the caller has lent takes precedence. Without an application, its statements are named.
    pub(crate) fn source<'c>(self, context: &Context, lent: Option<Borrowed<'c>>) -> Result<Source<'c>> {
        if let Some(connection) = lent {
            let dialect = connection.dialect();
            let persistent = context.folio().map_or(true, |folio| folio.connections().persistent(dialect));
            return Ok(Source::Borrowed { connection, persistent });
        }
        let target: PoolEntry = match (self.using, self.on.as_deref().or(self.model)) {
            (Some(pool), _) => pool.into(),
            (None, Some(name)) => context.folio()?.connections().named(name)?.clone(),
            (None, None) => return Source::unnamed(context),
        };
        Ok(Ambient::on(&target.pool).map_or(Source::Pool(target), Source::Ambient))
    }
}

/// Where a call's statements run.
#[derive(Debug)]
pub(crate) enum Source<'c> {
    Borrowed {
        connection: Borrowed<'c>,
        persistent: bool,
    },
    Ambient(Ambient),
    Pool(PoolEntry),
    /// On the replica, or on the primary while the replica is unavailable.
    Replica {
        replica: PoolEntry,
        primary: PoolEntry,
        fallback: Arc<Fallback>,
    },
}

/// The transaction of this task that answers queries without a named connection.
pub(crate) fn ambient(context: &Context) -> Option<Ambient> {
    Ambient::unnamed(context.scoped_connections())
}

impl<'c> Source<'c> {
    /// Where a read goes that names no connection.
    fn unnamed(context: &Context) -> Result<Self> {
        if let Some(ambient) = ambient(context) {
            return Ok(Self::Ambient(ambient));
        }
        let connections = context.folio()?.connections();
        Ok(match connections.unnamed() {
            (replica, Some(fallback)) => Self::Replica {
                replica: replica.clone(),
                primary: connections.default.clone(),
                fallback: Arc::clone(fallback),
            },
            (target, None) => Self::Pool(target.clone()),
        })
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Borrowed { connection, .. } => connection.dialect(),
            Self::Ambient(ambient) => ambient.dialect(),
            Self::Pool(target) | Self::Replica { replica: target, .. } => target.pool.dialect(),
        }
    }

    /// The pool whose catalog applies. A replica has the schema of its primary. A borrowed connection may be of any
    /// database.
    pub(crate) fn pool_id(&self) -> Option<PoolId> {
        match self {
            Self::Borrowed { .. } => None,
            Self::Ambient(ambient) => Some(ambient.pool_id()),
            Self::Pool(target) | Self::Replica { replica: target, .. } => Some(target.pool.id()),
        }
    }

    /// One connection for all statements of a call.
    pub(crate) async fn connect(self) -> Result<AnyLease<'c>> {
        self.connect_for(false).await
    }

    /// One connection for all statements of a call. With `same_rows`, they all see the same rows, unless they run in a
    /// transaction that the caller has begun: see [`Lease::is_snapshot`].
    pub(crate) async fn connect_for(self, same_rows: bool) -> Result<AnyLease<'c>> {
        let isolation = same_rows.then_some(Isolation::RepeatableRead);
        match self {
            Self::Borrowed { connection, persistent } => AnyLease::borrowed(connection, persistent).await,
            Self::Ambient(ambient) => AnyLease::of_transaction(&ambient).await,
            Self::Pool(target) => connect(target, isolation).await,
            Self::Replica { replica, primary, fallback } => connect_to(replica, primary, &fallback, isolation).await,
        }
    }
}

/// A connection for all statements of a call. With an isolation level they run in a transaction.
async fn connect(target: PoolEntry, isolation: Option<Isolation>) -> Result<AnyLease<'static>> {
    let brief = isolation.is_some() || !target.persistent;
    dispatch!(Pool, target.pool, pool => {
        let connection = acquire(&pool).await?;
        hold(connection, pool, brief, isolation).await
    })
}

/// A connection of the replica, or of the primary while the replica is unavailable.
async fn connect_to(
    replica: PoolEntry,
    primary: PoolEntry,
    fallback: &Fallback,
    isolation: Option<Isolation>,
) -> Result<AnyLease<'static>> {
    let brief = isolation.is_some() || !replica.persistent;
    dispatch!(Pool, replica.pool, pool => match fallback.acquire(&pool).await {
        Some(connection) => hold(connection, pool, brief, isolation).await,
        None => connect(primary, isolation).await,
    })
}

/// A connection of a pool: in a separate transaction if `brief`, or if a read would leave one open.
async fn hold<D: Transactional>(
    connection: PoolConnection<D>,
    pool: sqlx::Pool<D>,
    brief: bool,
    isolation: Option<Isolation>,
) -> Result<AnyLease<'static>>
where
    AnyLease<'static>: From<Lease<'static, D>>,
{
    let mut lease = Lease::Pooled(connection);
    let brief = brief || !lease.commits_alone(&pool).await?;
    let lease = if brief { Box::pin(lease.into_read_transaction(pool, isolation)).await? } else { lease };
    Ok(lease.into())
}
