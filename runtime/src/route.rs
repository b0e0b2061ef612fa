//! Which connection answers a query.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sea_query::{Expr, SelectStatement, Value, Values};
use sqlx::pool::PoolConnection;

use crate::app::Folio;
use crate::connection::{Connection, Held};
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
use crate::fallback::Fallback;
use crate::keyset::Dialect;
use crate::pool::{Pool, PoolId, dispatch};
use crate::table::Direction;
use crate::transaction::{Ambient, Brief, Isolation, Transactional};

/// If a pool is registered under this name, reads use it by default.
const READ_REPLICA: &str = "__read_replica__";

/// The name of the default pool. It bypasses the replica.
pub(crate) const PRIMARY: &str = "__primary__";

/// A pool that pages can be read from.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) pool: Pool,
    /// Whether its statements have names, which a pooler in front of the server may not support.
    named_statements: bool,
}

impl From<Pool> for Target {
    fn from(pool: Pool) -> Self {
        let named_statements = dispatch!(Pool, &pool, pool => Driver::names_statements(pool));
        Self { pool, named_statements }
    }
}

impl Target {
    /// A connection for all statements of a call. With an isolation level they run in a transaction.
    async fn connect(self, isolation: Option<Isolation>) -> Result<Connection> {
        let brief = isolation.is_some() || !self.named_statements;
        dispatch!(Pool, self.pool, pool => {
            let connection = pool.acquire().await?;
            hold(connection, pool, brief, isolation).await
        })
    }
}

/// A connection of a pool: in a transaction of its own if it is to be `brief`, or would leave one open.
async fn hold<D: Transactional>(
    connection: PoolConnection<D>,
    pool: sqlx::Pool<D>,
    brief: bool,
    isolation: Option<Isolation>,
) -> Result<Connection>
where
    Connection: From<Held<D>>,
{
    let mut held = Held::Pooled(connection);
    let brief = brief || !held.commits_alone(&pool).await?;
    Ok(match held {
        Held::Pooled(connection) if brief => Held::Brief(Brief::begin(connection, pool, isolation).await?),
        held => held,
    }
    .into())
}

/// An application's default pool and its named ones.
#[derive(Debug, Clone)]
pub(crate) struct Connections {
    default: Target,
    named: Arc<BTreeMap<String, Target>>,
    fallback: Option<Arc<Fallback>>,
}

impl Connections {
    pub(crate) fn new(default: Pool) -> Self {
        Self { default: default.into(), named: Arc::default(), fallback: None }
    }

    /// Registers a pool under a name that is still free.
    pub(crate) fn register(&mut self, name: &str, pool: Pool) -> Result<()> {
        if name.is_empty() || name == PRIMARY {
            let message = format!("`{name}` cannot be registered: the default pool is given to `Folio::new`");
            return Err(FrameworkError::configuration(message));
        }
        if Arc::make_mut(&mut self.named).insert(name.to_owned(), pool.into()).is_some() {
            return Err(FrameworkError::configuration(format!("the connection `{name}` is registered twice")));
        }
        Ok(())
    }

    /// Has the primary answer if the replica gives no connection within a time.
    pub(crate) fn fall_back_after(&mut self, wait: Duration) {
        self.fallback = Some(Arc::new(Fallback::new(wait)));
    }

    /// The default pool.
    pub(crate) fn primary(&self) -> &Pool {
        &self.default.pool
    }

    /// The pool of a name.
    pub(crate) fn named(&self, name: &str) -> Result<&Target> {
        let target = if name == PRIMARY { Some(&self.default) } else { self.named.get(name) };
        target.ok_or_else(|| FrameworkError::configuration(format!("no connection is registered as `{name}`")))
    }

    /// Where a read goes that names no connection.
    fn unnamed(&self) -> Source {
        let Some(replica) = self.named.get(READ_REPLICA) else { return Source::Pool(self.default.clone()) };
        match &self.fallback {
            // The statements are made for one dialect.
            Some(fallback) if replica.pool.dialect() == self.default.pool.dialect() => Source::Replica {
                replica: replica.clone(),
                primary: self.default.clone(),
                fallback: Arc::clone(fallback),
            },
            _ => Source::Pool(replica.clone()),
        }
    }

    /// Whether both name the same pools, as all variants of one application do.
    pub(crate) fn are(&self, other: &Self) -> bool {
        let same = |(one, other): (&Target, &Target)| one.pool.same(&other.pool);
        same((&self.default, &other.default))
            && (Arc::ptr_eq(&self.named, &other.named)
                || (self.named.keys().eq(other.named.keys())
                    && self.named.values().zip(other.named.values()).all(same)))
    }
}

/// Which connection a query asks for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Route {
    pub(crate) using: Option<Pool>,
    pub(crate) on: Option<String>,
    pub(crate) model: Option<&'static str>,
}

impl Route {
    /// The pool given, else the one named, else the model's. A transaction of this task on that pool serves it. A route
    /// without any of them is served by the ambient transaction, else by the replica, else by the default pool.
    pub(crate) fn source(self) -> Result<Source> {
        let target = match (self.using, self.on.as_deref().or(self.model)) {
            (Some(pool), _) => pool.into(),
            (None, Some(name)) => Folio::current()?.connections().named(name)?.clone(),
            (None, None) => {
                return match Ambient::unnamed() {
                    Some(ambient) => Ok(Source::Ambient(ambient)),
                    None => Ok(Folio::current()?.connections().unnamed()),
                };
            }
        };
        Ok(Ambient::on(&target.pool).map_or(Source::Pool(target), Source::Ambient))
    }
}

/// Where a call's statements run.
#[derive(Debug)]
pub(crate) enum Source {
    Ambient(Ambient),
    Pool(Target),
    /// On the replica, or on the primary while that is away.
    Replica {
        replica: Target,
        primary: Target,
        fallback: Arc<Fallback>,
    },
}

impl Source {
    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Ambient(ambient) => ambient.dialect(),
            Self::Pool(target) | Self::Replica { replica: target, .. } => target.pool.dialect(),
        }
    }

    /// Conditions and an order as SQL, and the values in them.
    pub(crate) fn write(&self, conditions: &[Expr], orders: &[(Expr, Direction)]) -> (String, Vec<Value>) {
        match self {
            Self::Ambient(ambient) => ambient.write(conditions, orders),
            Self::Pool(target) | Self::Replica { replica: target, .. } => target.pool.write(conditions, orders),
        }
    }

    /// A select's text and its values.
    pub(crate) fn build(&self, select: &SelectStatement) -> (String, Values) {
        match self {
            Self::Ambient(ambient) => ambient.build(select),
            Self::Pool(target) | Self::Replica { replica: target, .. } => target.pool.build(select),
        }
    }

    /// The pool that it is of. A replica has the schema of its primary.
    pub(crate) fn pool_id(&self) -> PoolId {
        match self {
            Self::Ambient(ambient) => ambient.pool_id(),
            Self::Pool(target) | Self::Replica { replica: target, .. } => target.pool.id(),
        }
    }

    /// One connection for all statements of a call.
    pub(crate) async fn connect(self) -> Result<Connection> {
        self.connect_at(None).await
    }

    /// One connection for all statements of a call, which are to see the same rows. They do unless they run in a
    /// transaction that the caller has begun: see [`Held::is_snapshot`].
    pub(crate) async fn connect_to_snapshot(self) -> Result<Connection> {
        self.connect_at(Some(Isolation::RepeatableRead)).await
    }

    async fn connect_at(self, isolation: Option<Isolation>) -> Result<Connection> {
        match self {
            Self::Ambient(ambient) => ambient.connect().await,
            Self::Pool(target) => target.connect(isolation).await,
            Self::Replica { replica: Target { pool, named_statements }, primary, fallback } => {
                let brief = isolation.is_some() || !named_statements;
                dispatch!(Pool, pool, pool => match fallback.acquire(&pool).await {
                    Some(connection) => hold(connection, pool, brief, isolation).await,
                    None => primary.connect(isolation).await,
                })
            }
        }
    }
}
