//! Chooses the connection that answers a query: a transaction of the task, a pool, the replica, or one that the caller
//! lends.

use std::sync::Arc;
use std::time::Duration;

use folio_core::dialect::Dialect;

use crate::error::Result;
use crate::pool::{Fallback, Pool, PoolEntry, PoolId, acquire, dispatch};
use crate::request::context::Context;
use crate::source::freshness::Freshness;
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
        let target = self.target(context, lent)?;
        let settings = context.application.as_ref().map(|folio| &folio.settings);
        let freshness = match settings.and_then(|settings| settings.read_your_writes) {
            Some(wait) => Freshness::of(context, wait, target.pool())?,
            None => None,
        };
        Ok(Source { target, is_plain: settings.is_some_and(|settings| settings.plain_statements), freshness })
    }

    fn target<'c>(self, context: &Context, lent: Option<Borrowed<'c>>) -> Result<Target<'c>> {
        if let Some(connection) = lent {
            let dialect = connection.dialect();
            let persistent = context.folio().map_or(true, |folio| folio.settings.connections.persistent(dialect));
            return Ok(Target::Borrowed { connection, persistent });
        }
        let target: PoolEntry = match (self.using, self.on.as_deref().or(self.model)) {
            (Some(pool), _) => pool.into(),
            (None, Some(name)) => context.folio()?.settings.connections.named(name)?.clone(),
            (None, None) => {
                if let Some(ambient) = ambient(context) {
                    return Ok(Target::Ambient(ambient));
                }
                let folio = context.folio()?;
                let (connections, limit) = (&folio.settings.connections, folio.settings.statement_timeout);
                return Ok(match connections.replica() {
                    Some(replica) => Target::Replica {
                        replica: replica.clone(),
                        primary: connections.default.clone(),
                        fallback: connections.fallback().cloned(),
                        limit,
                    },
                    None => Target::Pool(connections.default.clone(), limit),
                });
            }
        };
        let limit = context.application.as_ref().and_then(|folio| folio.settings.statement_timeout);
        Ok(Ambient::on(&target.pool).map_or(Target::Pool(target, limit), Target::Ambient))
    }
}

/// Where a call's statements run.
#[derive(Debug)]
pub(crate) struct Source<'c> {
    target: Target<'c>,
    /// Whether the application reads through a proxy: see [`Folio::plain_statements`](crate::Folio::plain_statements).
    is_plain: bool,
    /// What the page has to see, if the application does not go back in time.
    pub(crate) freshness: Option<Freshness>,
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
        /// When the primary answers because the replica is away; `None` for never.
        fallback: Option<Arc<Fallback>>,
        limit: Option<Duration>,
    },
}

impl Target<'_> {
    /// Its pool, if that is known.
    fn pool(&self) -> Option<PoolId> {
        match self {
            Self::Borrowed { .. } => None,
            Self::Ambient(ambient) => Some(ambient.pool_id()),
            Self::Pool(target, _) | Self::Replica { replica: target, .. } => Some(target.pool.id()),
        }
    }
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
        if let Target::Ambient(_) = self.target { None } else { self.target.pool() }
    }

    /// One connection for all statements of a call. With `same_rows`, they all see the same rows, unless they run in a
    /// transaction that the caller has begun: see [`Lease::is_snapshot`].
    pub(crate) async fn connect(self, same_rows: bool) -> Result<AnyLease<'c>> {
        let isolation = same_rows.then_some(Isolation::RepeatableRead);
        let freshness = self.freshness;
        let (PoolEntry { pool, persistent }, limit) = match self.target {
            Target::Borrowed { connection, persistent } => return AnyLease::borrowed(connection, persistent).await,
            Target::Ambient(ambient) => return AnyLease::of_transaction(&ambient).await,
            Target::Pool(target, limit) => (target, limit),
            Target::Replica { replica, primary, fallback, limit } => {
                let needed = match &freshness {
                    Some(freshness) => freshness.needed(&primary).await?,
                    None => Vec::new(),
                };
                dispatch!(Pool, &replica.pool, pool => {
                    let mut connection = match &fallback {
                        Some(fallback) => fallback.acquire(pool).await,
                        None => Some(acquire(pool).await?),
                    };
                    if let (Some(freshness), Some(held)) = (&freshness, connection.take_if(|_| !needed.is_empty())) {
                        connection = freshness.reached(held, pool, &needed).await?;
                    }
                    if let Some(connection) = connection {
                        return Ok(Lease::of_pool(connection, pool, replica.persistent, isolation, limit).await?.into());
                    }
                });
                (primary, limit)
            }
        };
        dispatch!(Pool, &pool, pool => {
            Ok(Lease::of_pool(acquire(pool).await?, pool, persistent, isolation, limit).await?.into())
        })
    }
}
