//! The application's connections and keyring: installed for the process, or scoped to a task.

use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::crypt::Keyring;
use crate::cursor::{self, CursorDirection};
use crate::error::{FrameworkError, Result};
use crate::index_advisor::IndexAdvisor;
use crate::inertia_settings::Shell;
use crate::pool::Pool;
use crate::registry::Connections;
use crate::value::CursorValue;

static INSTALLED: OnceLock<Folio> = OnceLock::new();

tokio::task_local! {
    static SCOPED: Folio;
}

/// An application's connections and keyring.
///
/// Set it up once at startup. Cursor pages need a keyring; the other paginators do not.
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
    index_advisor: Option<Arc<IndexAdvisor>>,
}

impl Folio {
    /// Creates an application with a default pool.
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
            application: Arc::new(Application {
                connections,
                keyring: None,
                shell: Shell::default(),
                index_advisor: None,
            }),
        }
    }

    /// Registers a pool under a name. Outside of transactions, pages that name no connection are read from
    /// `__read_replica__` if it is registered.
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
    /// [`FrameworkError::Database`] if the name is taken, empty, or `__primary__`, which is the default pool's name.
    pub fn connection(mut self, name: &str, pool: impl Into<Pool>) -> Result<Self> {
        self.application_mut().connections.register(name, pool.into())?;
        Ok(self)
    }

    /// Reads from the primary if the replica provides no connection within `wait`. Without this, a page waits for the
    /// replica's `acquire_timeout`, 30 seconds by default, and fails.
    ///
    /// This applies to pages that name no connection; those that name `__read_replica__` never fall back. After a
    /// timeout the replica is not tried again for ten times as long as `wait`, but at most 30 seconds, and a warning is
    /// logged through `tracing`. A replica on another kind of database than the primary has no fallback.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// use std::time::Duration;
    ///
    /// use folio::{Folio, Pagination, sea_query::Query};
    ///
    /// let primary = sqlx::SqlitePool::connect("sqlite::memory:").await?;
    /// let away = sqlx::SqlitePool::connect_lazy("sqlite:///nowhere/replica.db")?;
    /// let folio = Folio::new(primary).connection("__read_replica__", away)?;
    /// let page = async || {
    ///     let one = Query::select().expr_as(1, "one").take();
    ///     Pagination::simple::<(i64,)>(one, 15, 1).await
    /// };
    /// assert!(folio.scope(page()).await.is_err());
    /// let folio = folio.replica_fallback(Duration::from_millis(200));
    /// assert_eq!(folio.scope(page()).await?.data, [(1,)]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn replica_fallback(mut self, wait: Duration) -> Self {
        self.application_mut().connections.fall_back_after(wait);
        self
    }

    /// Sets the keys that encrypt cursors.
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

    /// Warns through `tracing`, once for each cursor key, if no index has its order, with the statement that creates
    /// one. For development, where tables are too small for a slow page to be noticed. The target is
    /// `folio::index_advisor`.
    ///
    /// The first page of each key reads the table's indexes from the catalog. Partial indexes and indexes on
    /// expressions are ignored.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    ///
    /// let folio = Folio::new(pool);
    /// let folio = if cfg!(debug_assertions) { folio.warn_missing_indexes() } else { folio };
    /// # drop(folio); Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn warn_missing_indexes(mut self) -> Self {
        self.application_mut().index_advisor = Some(Arc::default());
        self
    }

    /// Makes this the default application of the process.
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

    /// Runs a future with this application instead of the installed one. Tasks that it spawns do not inherit it.
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

    /// The application of this task, else the installed one.
    ///
    /// To pass it on to a task: `let folio = Folio::current()?; tokio::spawn(async move { folio.scope(work).await })`.
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
    /// [`FrameworkError::Internal`] if there is none.
    pub fn current() -> Result<Self> {
        let scoped = SCOPED.try_with(Clone::clone).ok();
        scoped.or_else(|| INSTALLED.get().cloned()).ok_or_else(|| {
            FrameworkError::internal("folio is not set up: call `Folio::new(pool).install()` once at start")
        })
    }
}

impl Folio {
    /// The connections of the scope that this task is in.
    pub(crate) fn scoped_connections() -> Option<Connections> {
        SCOPED.try_with(|folio| folio.application.connections.clone()).ok()
    }

    pub(crate) fn connections(&self) -> &Connections {
        &self.application.connections
    }

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

/// Runs `work` with the Inertia settings of the current application; with the defaults if there is none.
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

/// The index advisor of the current application, if it is enabled.
pub(crate) fn index_advisor() -> Option<Arc<IndexAdvisor>> {
    Folio::current().ok()?.application.index_advisor.clone()
}

/// The keyring of the current application.
pub(crate) fn keyring() -> Result<Arc<Keyring>> {
    let keyring = Folio::current()?.application.keyring.clone();
    keyring.ok_or_else(|| FrameworkError::internal("no keyring: cursors are sealed, so give one with `Folio::keyring`"))
}

/// Encodes one value and a direction as a cursor that belongs to no list, to be handled by your own code. Queries
/// reject it.
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

/// Decodes a cursor from [`encode_cursor`].
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
/// [`FrameworkError::Domain`], 400, if the cursor is invalid; [`FrameworkError::Internal`] without a keyring, or if the
/// cursor contains another type than `V`.
pub fn decode_cursor<V: CursorValue>(cursor: &str) -> Result<(V, CursorDirection)> {
    cursor::decode(&*keyring()?, cursor)
}
