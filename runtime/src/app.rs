//! The application's connections and keyring: installed for the process, or scoped to a task.

use std::future::Future;
use std::sync::{Arc, OnceLock};

use crate::advice::Advice;
use crate::connection::{Connections, Held, Pool, Source};
use crate::crypt::Keyring;
use crate::cursor::{self, CursorDirection};
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
use crate::shell::Shell;
use crate::transaction::{self, Ambient, Handle, Isolation};
use crate::value::CursorValue;

static INSTALLED: OnceLock<Folio> = OnceLock::new();

tokio::task_local! {
    static SCOPED: Folio;
}

/// An application's connections and keyring.
///
/// One line at start is all the set-up there is. Cursors need a keyring; the other paginators do without.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// use folio::{Folio, Key, Keyring};
///
/// let pool = sqlx::SqlitePool::connect("sqlite::memory:").await?;
/// Folio::new(pool).keyring(Keyring::new(Key::generate())).install()?; // in production: Keyring::from_env()?
/// assert!(Folio::current().is_ok());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Folio {
    // One allocation to share: each request has its application around it.
    application: Arc<Application>,
}

#[derive(Debug, Clone)]
struct Application {
    connections: Connections,
    keyring: Option<Arc<Keyring>>,
    shell: Shell,
    advice: Option<Arc<Advice>>,
}

impl Folio {
    /// An application on a default pool.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// let folio = folio::Folio::new(sqlx::SqlitePool::connect("sqlite::memory:").await?);
    /// assert_eq!(folio.scope(async { 1 + 1 }).await, 2);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn new(pool: impl Into<Pool>) -> Self {
        let connections = Connections::new(pool.into());
        Self {
            application: Arc::new(Application { connections, keyring: None, shell: Shell::default(), advice: None }),
        }
    }

    /// Adds a pool under a name. One named `__read_replica__` serves all reads outside of transactions.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let (pool, replica) = (sqlx::SqlitePool::connect_lazy("sqlite::memory:")?, sqlx::SqlitePool::connect_lazy("sqlite::memory:")?);
    /// use folio::Folio;
    ///
    /// let folio = Folio::new(pool).connection("__read_replica__", replica.clone())?;
    /// assert!(folio.connection("__primary__", replica).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Database`] for a name that is taken, empty, or `__primary__`, which is the default pool's.
    pub fn connection(mut self, name: &str, pool: impl Into<Pool>) -> Result<Self> {
        self.application_mut().connections.register(name, pool.into())?;
        Ok(self)
    }

    /// Sets the keys that seal cursors.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::{CursorDirection, Folio, Key, Keyring, encode_cursor};
    ///
    /// let folio = Folio::new(pool);
    /// assert!(folio.scope(async { encode_cursor(&7, CursorDirection::Next) }).await.is_err());
    /// let folio = folio.keyring(Keyring::new(Key::generate()));
    /// assert!(folio.scope(async { encode_cursor(&7, CursorDirection::Next) }).await.is_ok());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn keyring(mut self, keyring: Keyring) -> Self {
        self.application_mut().keyring = Some(Arc::new(keyring));
        self
    }

    /// Warns through `tracing` of each walk that no index has the order of, once, with the index to create: for
    /// development, where tables are too small for a slow page to be noticed.
    ///
    /// The first page of each key asks the database for the table's indexes. An index that holds for some rows only, or
    /// is over expressions, is not counted.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    ///
    /// let folio = Folio::new(pool);
    /// let folio = if cfg!(debug_assertions) { folio.explain_cursors() } else { folio };
    /// # drop(folio); Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn explain_cursors(mut self) -> Self {
        self.application_mut().advice = Some(Arc::default());
        self
    }

    /// Makes this the process's default.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    ///
    /// Folio::new(pool.clone()).install()?;
    /// assert_eq!(Folio::new(pool).install().unwrap_err().to_string(), "folio is installed already");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] on a second call.
    pub fn install(self) -> Result<()> {
        INSTALLED.set(self).map_err(|_| FrameworkError::internal("folio is installed already"))
    }

    /// Runs a future with this as its application, whatever is installed. Tasks that it spawns are outside.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::{CursorDirection, Folio, Key, Keyring, decode_cursor, encode_cursor};
    ///
    /// let folio = Folio::new(pool).keyring(Keyring::new(Key::generate()));
    /// let token = folio.scope(async { encode_cursor(&7_i64, CursorDirection::Next) }).await?;
    /// assert_eq!(folio.scope(async { decode_cursor(&token) }).await?, (7_i64, CursorDirection::Next));
    /// # Ok(())
    /// # }
    /// ```
    pub fn scope<F: Future>(&self, future: F) -> impl Future<Output = F::Output> {
        SCOPED.scope(self.clone(), future)
    }

    /// The application of this task, else of the process.
    ///
    /// To hand it on to a task: `let folio = Folio::current()?; tokio::spawn(async move { folio.scope(work).await })`.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    ///
    /// assert!(Folio::current().is_err());
    /// let scoped = Folio::new(pool).scope(async { Folio::current() }).await?;
    /// let task = tokio::spawn(async move { scoped.scope(async { Folio::current().is_ok() }).await });
    /// assert!(task.await.unwrap());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] where there is none.
    pub fn current() -> Result<Self> {
        let scoped = SCOPED.try_with(Clone::clone).ok();
        scoped.or_else(|| INSTALLED.get().cloned()).ok_or_else(|| {
            FrameworkError::internal("folio is not set up: call `Folio::new(pool).install()` once at start")
        })
    }
}

impl Folio {
    pub(crate) fn shell(&self) -> &Shell {
        &self.application.shell
    }

    pub(crate) fn shell_mut(&mut self) -> &mut Shell {
        &mut self.application_mut().shell
    }

    fn application_mut(&mut self) -> &mut Application {
        Arc::make_mut(&mut self.application)
    }
}

/// Runs `work` with what the current application puts around its Inertia pages; with nothing, where there is none.
pub(crate) fn with_shell<R>(work: impl FnOnce(&Shell) -> R) -> R {
    match Folio::current() {
        Ok(folio) => work(folio.shell()),
        Err(_) => work(&Shell::default()),
    }
}

/// Runs `work` with this as its application.
#[cfg(feature = "axum")]
pub(crate) fn within<R>(folio: Folio, work: impl FnOnce() -> R) -> R {
    SCOPED.sync_scope(folio, work)
}

/// Who advises on walks, where the current application wants it.
pub(crate) fn advice() -> Option<Arc<Advice>> {
    Folio::current().ok()?.application.advice.clone()
}

/// The keyring of the current application.
pub(crate) fn keyring() -> Result<Arc<Keyring>> {
    let keyring = Folio::current()?.application.keyring.clone();
    keyring.ok_or_else(|| FrameworkError::internal("no keyring: cursors are sealed, so give one with `Folio::keyring`"))
}

/// Which connection a query asks for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Route {
    pub(crate) using: Option<Pool>,
    pub(crate) on: Option<String>,
    pub(crate) model: Option<&'static str>,
}

impl Route {
    /// The ambient transaction, else the pool given, else the one named, else the model's, else the replica, else the
    /// default. A pool of another driver than the transaction's is a database that the transaction is not in.
    pub(crate) fn source(self) -> Result<Source> {
        let ambient = Ambient::current();
        let named = self.using.is_some() || self.on.is_some() || self.model.is_some();
        if let (Some(ambient), false) = (&ambient, named) {
            return Ok(Source::Ambient(ambient.clone()));
        }
        let target = match self.using {
            Some(pool) => pool.into(),
            None => Folio::current()?.application.connections.reading(self.on.as_deref().or(self.model))?,
        };
        Ok(match ambient {
            Some(ambient) if ambient.dialect() == target.pool.dialect() => Source::Ambient(ambient),
            _ => Source::Pool(target),
        })
    }
}

/// Transactions, and the connection that they are on.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # folio::Folio::new(pool).scope(async {
/// use folio::{DB, FrameworkError};
///
/// let count: i64 = DB::transaction(async || {
///     sqlx::query("CREATE TABLE notes (id INTEGER PRIMARY KEY)").execute(&mut *DB::sqlite().await?).await?;
///     sqlx::query("INSERT INTO notes DEFAULT VALUES").execute(&mut *DB::sqlite().await?).await?;
///     let count = sqlx::query_scalar("SELECT COUNT(*) FROM notes").fetch_one(&mut *DB::sqlite().await?).await?;
///     Ok::<_, FrameworkError>(count)
/// })
/// .await?;
/// assert_eq!(count, 1);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct DB;

impl DB {
    /// Runs `work` in a transaction of the default pool: committed on `Ok`, rolled back on `Err`, on a panic, and when
    /// the future is dropped. Inside another it is a savepoint.
    ///
    /// Every page that `work` asks for is read on the transaction's connection. A task that it spawns is outside, until
    /// the transaction is handed on to it: see [`current`](Self::current).
    ///
    /// What is dropped while it is being committed is committed, or rolled back, as a whole. On MySQL a statement that
    /// is dropped half-way leaves a connection of no use: dropped in a savepoint, it takes the transaction around it
    /// along. So where time is limited, limit that of the outermost transaction.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{DB, FrameworkError};
    ///
    /// let undone: Result<(), FrameworkError> = DB::transaction(async || {
    ///     sqlx::query("DELETE FROM posts").execute(&mut *DB::sqlite().await?).await?;
    ///     assert_eq!(Post::paginate(15).await?.total, 0);
    ///     Err(FrameworkError::Internal { message: "not these".into() })
    /// })
    /// .await;
    /// assert!(undone.is_err());
    /// assert_eq!(Post::paginate(15).await?.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of `work`, and [`FrameworkError::Database`] where the transaction cannot be begun or committed. On
    /// PostgreSQL that is so after a statement has failed, even if `work` makes nothing of it.
    pub async fn transaction<R, E>(work: impl AsyncFnOnce() -> Result<R, E>) -> Result<R, E>
    where
        E: From<FrameworkError>,
    {
        match Ambient::current() {
            Some(ambient) => ambient.nested(work).await,
            None => Self::transaction_on(crate::connection::PRIMARY, work).await,
        }
    }

    /// As [`transaction`](Self::transaction), at an isolation level.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # folio::Folio::new(pool).scope(async {
    /// use folio::{DB, FrameworkError, Isolation};
    ///
    /// let answer = DB::transaction_with(Isolation::Serializable, async || {
    ///     let nested = DB::transaction_with(Isolation::Serializable, async || Ok::<_, FrameworkError>(())).await;
    ///     assert!(nested.is_err(), "a savepoint has the level of its transaction");
    ///     Ok::<i64, FrameworkError>(sqlx::query_scalar("SELECT 42").fetch_one(&mut *DB::sqlite().await?).await?)
    /// });
    /// assert_eq!(answer.await?, 42);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// As there, and [`FrameworkError::Database`] inside another transaction.
    pub async fn transaction_with<R, E>(isolation: Isolation, work: impl AsyncFnOnce() -> Result<R, E>) -> Result<R, E>
    where
        E: From<FrameworkError>,
    {
        if Ambient::current().is_some() {
            let message =
                "an isolation level cannot be set inside a transaction: a savepoint has that of its transaction";
            return Err(FrameworkError::configuration(message).into());
        }
        let pool = Folio::current()?.application.connections.named(crate::connection::PRIMARY)?.pool;
        transaction::begin(pool, Some(isolation), work).await
    }

    /// The transaction of this task, to be handed on to another: see [`Handle`].
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{DB, FrameworkError};
    ///
    /// assert!(DB::current().is_none());
    /// let inside = DB::transaction(async || Ok::<_, FrameworkError>(DB::current().is_some())).await?;
    /// assert!(inside);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn current() -> Option<Handle> {
        Ambient::current().map(Handle)
    }

    /// As [`transaction`](Self::transaction), on a named connection.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{DB, FrameworkError};
    ///
    /// let total = DB::transaction_on("reports", async || {
    ///     let insert = sqlx::query("INSERT INTO posts VALUES (4, 8, 'c')");
    ///     insert.execute(&mut *DB::sqlite().await?).await?;
    ///     Ok::<_, FrameworkError>(Post::paginate(15).await?.total)
    /// });
    /// assert_eq!(total.await?, 4);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// As there, and [`FrameworkError::Database`] for an unknown name, or inside another transaction.
    pub async fn transaction_on<R, E>(connection: &str, work: impl AsyncFnOnce() -> Result<R, E>) -> Result<R, E>
    where
        E: From<FrameworkError>,
    {
        if Ambient::current().is_some() {
            let message = "a transaction on a named connection cannot begin inside another transaction";
            return Err(FrameworkError::configuration(message).into());
        }
        let pool = Folio::current()?.application.connections.named(connection)?.pool;
        transaction::begin(pool, None, work).await
    }

    /// SQLite's connection of the ambient transaction, else one of the default pool.
    ///
    /// Inside a transaction it is lent for as long as it is held: give it back, by letting go of it, before a page is
    /// asked for.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::DB;
    ///
    /// let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM posts").fetch_one(&mut *DB::sqlite().await?).await?;
    /// assert_eq!(count, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Database`] where the transaction or the default pool is of another driver, or no connection
    /// can be had.
    #[cfg(feature = "sqlite")]
    pub async fn sqlite() -> Result<Held<sqlx::Sqlite>> {
        held().await
    }

    /// PostgreSQL's connection of the ambient transaction, else one of the default pool; see [`sqlite`](Self::sqlite).
    ///
    /// ```no_run
    /// # async fn work() -> folio::Result<()> {
    /// use folio::DB;
    ///
    /// let version: String = sqlx::query_scalar("SHOW server_version").fetch_one(&mut *DB::postgres().await?).await?;
    /// assert!(!version.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "postgres")]
    pub async fn postgres() -> Result<Held<sqlx::Postgres>> {
        held().await
    }

    /// MySQL's connection of the ambient transaction, else one of the default pool; see [`sqlite`](Self::sqlite).
    ///
    /// ```no_run
    /// # async fn work() -> folio::Result<()> {
    /// use folio::DB;
    ///
    /// let version: String = sqlx::query_scalar("SELECT VERSION()").fetch_one(&mut *DB::mysql().await?).await?;
    /// assert!(!version.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "mysql")]
    pub async fn mysql() -> Result<Held<sqlx::MySql>> {
        held().await
    }
}

async fn held<D: Driver>() -> Result<Held<D>> {
    let other = || FrameworkError::configuration(format!("this connection is not one of {}", D::NAME));
    if let Some(ambient) = Ambient::current() {
        return Ok(Held::Transaction(ambient.downcast::<D>().ok_or_else(other)?.lock().await?));
    }
    let pool = Folio::current()?.application.connections.named(crate::connection::PRIMARY)?.pool;
    Ok(Held::Pooled(pool.downcast::<D>().ok_or_else(other)?.acquire().await?))
}

/// Seals one value and a direction, bound to no list: for cursors that are handled by hand. A query never accepts one.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
/// # folio::Folio::new(pool).keyring(folio::Keyring::new(folio::Key::generate())).scope(async {
/// use folio::{CursorDirection, encode_cursor};
///
/// let token = encode_cursor(&7_i64, CursorDirection::Next)?;
/// assert_ne!(token, encode_cursor(&7_i64, CursorDirection::Next)?); // each has a salt of its own
/// assert!(encode_cursor(&f64::NAN, CursorDirection::Next).is_err());
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// # Errors
/// [`FrameworkError::Internal`] without a keyring, and for NaN.
pub fn encode_cursor<V: CursorValue>(value: &V, direction: CursorDirection) -> Result<String> {
    cursor::encode(&*keyring()?, value.clone(), direction)
}

/// Opens what [`encode_cursor`] sealed.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
/// # folio::Folio::new(pool).keyring(folio::Keyring::new(folio::Key::generate())).scope(async {
/// use folio::{CursorDirection, decode_cursor, encode_cursor};
///
/// let token = encode_cursor(&"rust".to_owned(), CursorDirection::Prev)?;
/// assert_eq!(decode_cursor::<String>(&token)?, ("rust".to_owned(), CursorDirection::Prev));
/// assert_eq!(decode_cursor::<String>("rust").unwrap_err().status(), 400);
/// assert_eq!(decode_cursor::<i64>(&token).unwrap_err().status(), 500);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// # Errors
/// [`FrameworkError::Domain`], 400, where it does not open; [`FrameworkError::Internal`] without a keyring, or where it
/// carries another type than `V`.
pub fn decode_cursor<V: CursorValue>(cursor: &str) -> Result<(V, CursorDirection)> {
    cursor::decode(&*keyring()?, cursor)
}
