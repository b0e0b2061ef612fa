//! Chooses the connection that answers a query: a transaction of the task, a pool, the replica, or one that the caller
//! lends.

use std::sync::Arc;
use std::time::Duration;

use folio_core::dialect::Dialect;

use crate::app::Folio;
use crate::error::Result;
use crate::pool::{Fallback, Pool, PoolEntry, PoolId, acquire, dispatch};
use crate::request::context::Context;
use crate::source::{AnyLease, Borrowed, Lease};
use crate::transaction::{Ambient, Isolation};

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
    /// A connection that the caller has lent takes precedence. Without an application, its statements are persistent.
    pub(crate) fn source<'c>(self, context: &Context, lent: Option<Borrowed<'c>>) -> Result<Source<'c>> {
        let is_plain = context.folio().is_ok_and(Folio::has_plain_statements);
        Ok(Source { target: self.target(context, lent)?, is_plain })
    }

    fn target<'c>(self, context: &Context, lent: Option<Borrowed<'c>>) -> Result<Target<'c>> {
        if let Some(connection) = lent {
            let dialect = connection.dialect();
            let persistent = context.folio().map_or(true, |folio| folio.connections().persistent(dialect));
            return Ok(Target::Borrowed { connection, persistent });
        }
        let target: PoolEntry = match (self.using, self.on.as_deref().or(self.model)) {
            (Some(pool), _) => pool.into(),
            (None, Some(name)) => context.folio()?.connections().named(name)?.clone(),
            (None, None) => {
                if let Some(ambient) = ambient(context) {
                    return Ok(Target::Ambient(ambient));
                }
                let folio = context.folio()?;
                let (connections, limit) = (folio.connections(), folio.time_limit());
                return Ok(match connections.unnamed() {
                    (replica, Some(fallback)) => Target::Replica {
                        replica: replica.clone(),
                        primary: connections.default.clone(),
                        fallback: Arc::clone(fallback),
                        limit,
                    },
                    (target, None) => Target::Pool(target.clone(), limit),
                });
            }
        };
        let limit = context.folio().ok().and_then(Folio::time_limit);
        Ok(Ambient::on(&target.pool).map_or(Target::Pool(target, limit), Target::Ambient))
    }
}

/// Where a call's statements run.
#[derive(Debug)]
pub(crate) struct Source<'c> {
    target: Target<'c>,
    /// Whether the application reads through a proxy: see [`Folio::plain_statements`].
    is_plain: bool,
}

/// The connection on which a call's statements run.
#[derive(Debug)]
enum Target<'c> {
    Borrowed {
        connection: Borrowed<'c>,
        persistent: bool,
    },
    Ambient(Ambient),
    /// On a pool, where each statement may take this long.
    Pool(PoolEntry, Option<Duration>),
    /// On the replica, or on the primary while the replica is unavailable.
    Replica {
        replica: PoolEntry,
        primary: PoolEntry,
        fallback: Arc<Fallback>,
        limit: Option<Duration>,
    },
}

/// The transaction of this task that answers queries without a named connection.
pub(crate) fn ambient(context: &Context) -> Option<Ambient> {
    Ambient::unnamed(context.scoped_connections())
}

impl<'c> Source<'c> {
    pub(crate) fn dialect(&self) -> Dialect {
        let dialect = match &self.target {
            Target::Borrowed { connection, .. } => connection.dialect(),
            Target::Ambient(ambient) => ambient.dialect(),
            Target::Pool(target, _) | Target::Replica { replica: target, .. } => target.pool.dialect(),
        };
        if self.is_plain { dialect.plain() } else { dialect }
    }

    /// The pool that it reads from; `None` for a transaction, and for a connection that the caller has lent.
    pub(crate) fn pool(&self) -> Option<PoolId> {
        let (Target::Pool(target, _) | Target::Replica { replica: target, .. }) = &self.target else { return None };
        Some(dispatch!(Pool, &target.pool, pool => PoolId::of(pool)))
    }

    /// One connection for all statements of a call.
    pub(crate) async fn connect(self) -> Result<AnyLease<'c>> {
        self.connect_for(false).await
    }

    /// One connection for all statements of a call. With `same_rows`, they all see the same rows, unless they run in a
    /// transaction that the caller has begun: see [`Lease::is_snapshot`].
    pub(crate) async fn connect_for(self, same_rows: bool) -> Result<AnyLease<'c>> {
        let isolation = same_rows.then_some(Isolation::RepeatableRead);
        let (PoolEntry { pool, persistent }, limit) = match self.target {
            Target::Borrowed { connection, persistent } => return AnyLease::borrowed(connection, persistent).await,
            Target::Ambient(ambient) => return AnyLease::of_transaction(&ambient).await,
            Target::Pool(target, limit) => (target, limit),
            Target::Replica { replica, primary, fallback, limit } => {
                dispatch!(Pool, &replica.pool, pool => if let Some(connection) = fallback.acquire(pool).await {
                    return Ok(Lease::of_pool(connection, pool, replica.persistent, isolation, limit).await?.into());
                });
                (primary, limit)
            }
        };
        dispatch!(Pool, &pool, pool => {
            Ok(Lease::of_pool(acquire(pool).await?, pool, persistent, isolation, limit).await?.into())
        })
    }
}
