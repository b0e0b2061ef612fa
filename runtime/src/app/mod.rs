//! [`Folio`]: the application's connections, keyring and settings.
//!
//! An application is installed once for the process with [`Folio::install`], or belongs to a task with
//! [`Folio::scope`]. Everything that needs a connection or a key finds the application through [`Folio::current`]; a
//! scope takes precedence over the installed one. [`crate::source::route`] decides which of its connections a page
//! uses.

mod current;

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[cfg(any(feature = "actix", feature = "axum"))]
pub(crate) use self::current::within;
use crate::crypt::Keyring;
use crate::cursor::CursorKeys;
use crate::error::{FrameworkError, Result};
use crate::pool::{Pool, Pools};

/// The application: its connections, keyring and settings.
///
/// Create it once at startup, and make it available in one of three ways: [`install`](Self::install) it for the
/// process, put its [layer or middleware](crate::guide::frameworks) on a router, or run a future in its
/// [`scope`](Self::scope), as tests do. Cursor pages need a [`keyring`](Self::keyring); the other paginators do not.
///
/// Cloning is cheap: clones share the pools and keys.
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
    // Shared, because each request carries its application.
    pub(crate) settings: Arc<Settings>,
}

/// What the methods of [`Folio`] have set, under their names.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) connections: Pools,
    keyring: Option<Arc<Keyring>>,
    // Shared by copies with other settings, which are the same application.
    missing_keyring_reported: Arc<AtomicBool>,
    cursor_lifetime: Option<Duration>,
    pub(crate) with_query_string: bool,
    pub(crate) max_query_string: usize,
    pub(crate) max_offset: Option<u64>,
    pub(crate) max_window: u64,
    pub(crate) statement_timeout: Option<Duration>,
    pub(crate) plain_statements: bool,
    /// How long a page waits for the replica.
    pub(crate) read_your_writes: Option<Duration>,
    pub(crate) slow_page: Option<Duration>,
    /// The lists that the index advisor has checked, and its warnings; `None` without it. Copies share them.
    pub(crate) warn_missing_indexes: Option<Arc<Mutex<BTreeSet<String>>>>,
    /// The settings of modules above this one, each under its type in an `Arc`.
    extensions: http::Extensions,
}

/// How many bytes of a query string page URLs keep, unless the application sets another maximum. With a cursor and the
/// path, a URL stays within what proxies accept.
pub(crate) const MAX_QUERY_STRING: usize = 2_048;

/// How many rows a Relay window may have, unless the application sets another maximum.
pub(crate) const MAX_WINDOW: u64 = 1_000;

impl Folio {
    /// Creates an application with a default pool: any of sqlx's pools whose feature is enabled.
    ///
    /// The pool's own settings apply, such as `max_connections` and `acquire_timeout`. A page uses one connection.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// use folio::{DB, Folio};
    ///
    /// let folio = Folio::new(sqlx::SqlitePool::connect("sqlite::memory:").await?);
    /// folio
    ///     .scope(async {
    ///         let answer: i64 = sqlx::query_scalar("SELECT 42").fetch_one(&mut *DB::sqlite().await?).await?;
    ///         assert_eq!(answer, 42);
    ///         folio::Result::Ok(())
    ///     })
    ///     .await
    /// # }
    /// ```
    #[must_use]
    pub fn new(pool: impl Into<Pool>) -> Self {
        let connections = Pools::new(pool.into());
        Self {
            settings: Arc::new(Settings {
                connections,
                keyring: None,
                missing_keyring_reported: Arc::default(),
                cursor_lifetime: None,
                with_query_string: false,
                max_query_string: MAX_QUERY_STRING,
                max_offset: None,
                max_window: MAX_WINDOW,
                statement_timeout: None,
                plain_statements: false,
                read_your_writes: None,
                slow_page: None,
                warn_missing_indexes: None,
                extensions: http::Extensions::new(),
            }),
        }
    }

    /// Registers another pool under a name.
    ///
    /// Queries select it with [`on`](crate::Builder::on), models with `#[paginate(connection = "…")]`, and transactions
    /// with [`DB::transaction_on`](crate::DB::transaction_on). Two names are special:
    ///
    /// - If `__read_replica__` is registered, pages that name no connection are read from it, except inside a
    ///   transaction.
    /// - `__primary__` is always the default pool. A query that names it bypasses the replica.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// # let replica = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    ///
    /// let folio = Folio::new(pool).connection("__read_replica__", replica.clone())?;
    /// assert!(folio.connection("__primary__", replica).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// To read a page from another database:
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let memory = || sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:");
    /// # let (pool, archive) = (memory().await?, memory().await?);
    /// # for pool in [&pool, &archive] {
    /// #     sqlx::query("CREATE TABLE posts (id INTEGER PRIMARY KEY)").execute(pool).await?;
    /// # }
    /// # sqlx::query("INSERT INTO posts VALUES (1), (2)").execute(&archive).await?;
    /// # use folio::Folio;
    /// let folio = Folio::new(pool).connection("archive", archive)?;
    /// folio
    ///     .scope(async {
    ///         assert_eq!(Post::query().paginate(15).await?.total, 0);
    ///         assert_eq!(Post::query().on("archive").paginate(15).await?.total, 2);
    ///         folio::Result::Ok(())
    ///     })
    ///     .await
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Database`] if the name is taken, empty, or `__primary__`.
    pub fn connection(mut self, name: &str, pool: impl Into<Pool>) -> Result<Self> {
        self.settings_mut().connections.register(name, pool.into())?;
        Ok(self)
    }

    /// Reads from the primary if the replica provides no connection within `wait`.
    ///
    /// Without this setting, a page waits for the `acquire_timeout` of the replica's pool, 30 seconds by default, and
    /// then fails.
    ///
    /// - After a failed attempt, the replica is not tried again for ten times `wait`, but at most 30 seconds. Each
    ///   failure logs a warning through `tracing`, with the target `folio::fallback`.
    /// - It limits the wait for a connection, not the time of a statement. Limit statements on the server.
    /// - Pages that name `__read_replica__` never fall back, nor do any pages if replica and primary are different
    ///   kinds of databases, such as PostgreSQL and SQLite.
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
        self.settings_mut().connections.fall_back_after(wait);
        self
    }

    /// Keeps reads from going back in time while the replica is behind the primary. A page that needs changes which the
    /// replica does not have yet waits for them, for at most `wait`, and is then read from the primary.
    ///
    /// - After a request has begun a transaction with [`DB::transaction`](crate::DB::transaction) or taken a connection of
    ///   the default pool for its own statements, its pages see what it has written. Each of them first asks the primary
    ///   for its position, which takes one round trip. A job has to run in
    ///   [`ActiveRequest::scope`](crate::ActiveRequest::scope) for this.
    /// - Each cursor has the position of the server that its page was read from. The page that it leads to is not read
    ///   from a server that is behind it, so a walk over several replicas misses nothing that an earlier page could see.
    ///   The position takes one more statement for each cursor page, and makes a cursor longer, by about 50 characters on
    ///   PostgreSQL and MariaDB, and at least 80 on MySQL. A cursor from inside a transaction has the position before its commit.
    ///
    /// It applies to pages that name no connection, if there is a `__read_replica__`. Without this setting, such a page
    /// shows what the replica has.
    ///
    /// | server | position | needs |
    /// |---|---|---|
    /// | PostgreSQL | the place in its log | streaming replication |
    /// | MySQL | `gtid_executed` | `gtid_mode = ON` |
    /// | MariaDB | `gtid_current_pos` | the binary log |
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let primary = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// # let replica = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use std::time::Duration;
    ///
    /// use folio::Folio;
    ///
    /// let folio = Folio::new(primary)
    ///     .connection("__read_replica__", replica)?
    ///     .read_your_writes(Duration::from_millis(200));
    /// # drop(folio); Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A page fails with [`FrameworkError::Database`] if the replica is another kind of database than the primary, and with
    /// [`FrameworkError::Internal`] if the server has no position, as without GTIDs, and on SQLite.
    #[must_use]
    pub fn read_your_writes(mut self, wait: Duration) -> Self {
        self.settings_mut().read_your_writes = Some(wait);
        self
    }

    /// Sets the keys that encrypt cursors. All processes that serve the same lists need the same keys.
    ///
    /// An application without keys reads numbered pages, and a cursor page is an error. It logs one line at INFO
    /// through `tracing`, with the target `folio`, when it is installed or made a layer or a middleware.
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
        self.settings_mut().keyring = Some(Arc::new(keyring));
        self
    }

    /// Rejects cursors that are older than `lifetime`, with status 400 and the message "Pagination cursor has expired".
    /// Without this setting, a cursor is valid as long as its key is in the keyring.
    ///
    /// It applies to all cursors, including those from [`encode_cursor`](crate::encode_cursor) and from a model's key.
    /// They then contain the time at which they were made, in whole seconds, which makes them 16 or 32 characters
    /// longer. Cursors that were made without a lifetime contain no time, and count as expired once a lifetime is set.
    /// Each page has new cursors, so clients that keep paging are not interrupted.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use std::time::Duration;
    ///
    /// use folio::{CursorDirection, Folio, Key, Keyring, decode_cursor, encode_cursor};
    ///
    /// let folio = Folio::new(pool).keyring(Keyring::new(Key::generate()));
    /// let old = folio.scope(async { encode_cursor(&7_i64, CursorDirection::Next) }).await?;
    /// let folio = folio.cursor_lifetime(Duration::from_secs(24 * 60 * 60));
    /// let new = folio.scope(async { encode_cursor(&7_i64, CursorDirection::Next) }).await?;
    /// folio
    ///     .scope(async {
    ///         assert_eq!(decode_cursor(&new)?, (7_i64, CursorDirection::Next));
    ///         let error = decode_cursor::<i64>(&old).unwrap_err();
    ///         assert_eq!((error.status(), error.to_string().as_str()), (400, "Pagination cursor has expired"));
    ///         Ok(())
    ///     })
    ///     .await
    /// # }
    /// ```
    #[must_use]
    pub fn cursor_lifetime(mut self, lifetime: Duration) -> Self {
        self.settings_mut().cursor_lifetime = Some(lifetime);
        self
    }

    /// Keeps the path and the query string of the active request in the URLs of every page. See
    /// [`Builder::with_query_string`](crate::Builder::with_query_string); a path that a query sets takes precedence.
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # let table = "CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3)";
    /// # sqlx::raw_sql(table).execute(&pool).await?;
    /// use folio::{ActiveRequest, Folio};
    ///
    /// let folio = Folio::new(pool).with_query_string();
    /// let request = ActiveRequest::new("/posts?sort=id");
    /// let page = folio.scope(request.scope(Post::query().paginate(2))).await?;
    /// assert_eq!(page.next_page_url().as_deref(), Some("/posts?sort=id&page=2"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_query_string(mut self) -> Self {
        self.settings_mut().with_query_string = true;
        self
    }

    /// Sets how many bytes of a query string page URLs keep at most; the default is 2,048. A page whose request has
    /// more fails with [`Domain`](crate::FrameworkError::Domain), 400, if it keeps the query string. The parameters of
    /// the page itself do not count.
    ///
    /// A numbered page has up to 17 links, and each repeats the query string.
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::raw_sql("CREATE TABLE posts (id INTEGER PRIMARY KEY)").execute(&pool).await?;
    /// use folio::{ActiveRequest, Folio};
    ///
    /// let folio = Folio::new(pool).with_query_string().max_query_string(16);
    /// let status = async |uri| {
    ///     let page = folio.scope(ActiveRequest::new(uri).scope(Post::query().paginate(2))).await;
    ///     page.map_or_else(|error| error.status(), |_| 200)
    /// };
    /// assert_eq!(status("/posts?sort=id&page=2").await, 200);
    /// assert_eq!(status("/posts?sort=id&author=70&page=2").await, 400);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn max_query_string(mut self, bytes: usize) -> Self {
        self.settings_mut().max_query_string = bytes;
        self
    }

    /// Rejects numbered pages that would skip more than `rows` rows, with status 400. Without this setting, there is no
    /// limit.
    ///
    /// The database reads the rows before a page, so a client that asks for page 1,000,000 makes it read the whole list.
    /// The limit applies to [`paginate`](crate::Builder::paginate) and
    /// [`simple_paginate`](crate::Builder::simple_paginate) of models and selects, and to the functions of
    /// [`Pagination`](crate::Pagination), whether the page number is the active request's or set by
    /// [`page`](crate::Builder::page). The error is an
    /// [`InvalidParameter`](crate::FrameworkError::InvalidParameter) that names the parameter, before any statement is
    /// sent. Cursor pages are not limited: [`skip`](crate::Builder::skip) has a limit of its own.
    ///
    /// The JSON of a page does not change: `total`, `last_page` and the links are those of the whole list, so the links
    /// of a longer list lead to pages that are rejected. A front end that lists page numbers can leave those out.
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::raw_sql("CREATE TABLE posts (id INTEGER PRIMARY KEY)").execute(&pool).await?;
    /// use folio::{ActiveRequest, Folio};
    ///
    /// let folio = Folio::new(pool).max_offset(10_000);
    /// let page = async |uri| folio.scope(ActiveRequest::new(uri).scope(Post::query().paginate(15))).await;
    /// assert!(page("/posts?page=667").await.is_ok()); // 9,990 rows are before it
    ///
    /// let error = page("/posts?page=668").await.unwrap_err();
    /// assert_eq!(error.status(), 400);
    /// let message = "`page` is a number up to 667, because a page skips at most 10000 rows: narrow the filter, or read \
    ///                the list by cursor";
    /// assert_eq!(error.to_string(), message);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn max_offset(mut self, rows: u64) -> Self {
        self.settings_mut().max_offset = Some(rows);
        self
    }

    /// Limits how long each statement of a page may take. The database ends a statement that takes longer, and the page
    /// fails with [`TimedOut`](crate::FrameworkError::TimedOut), 503. A limit of zero is none, which is the default.
    ///
    /// It applies to every query that folio reads on a connection of a pool: pages, counts, and each page of a stream.
    /// It does not apply inside a transaction, and on a connection that is passed to
    /// [`using`](crate::Builder::using), where the limit is yours to set. If the client disconnects, the limit still
    /// ends the statement, and no session keeps it: the next statement on the connection has the session's own.
    ///
    /// | database | how | round trips |
    /// |---|---|---|
    /// | PostgreSQL | the page is read in a transaction with `SET LOCAL statement_timeout`, which is sent with its BEGIN | one more |
    /// | MariaDB | `SET STATEMENT max_statement_time` before the SELECT | none |
    /// | MySQL | the hint `MAX_EXECUTION_TIME` after the first SELECT, so SQL text that begins with WITH has no limit | none |
    /// | SQLite | the progress handler of the connection, in a transaction; the statements of a page share the limit | none |
    ///
    /// SQLite has one progress handler for each connection: one of your own is removed. PostgreSQL also ends the
    /// statements that read the catalog, once a minute. There, after a migration has changed the columns of a
    /// statement, the next page on a connection that had prepared it is an error, because it is in a transaction.
    ///
    /// For a job whose statements take longer, copy the application: clones share the pools.
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// use std::time::Duration;
    ///
    /// use folio::{Column, Folio, FrameworkError, Select};
    ///
    /// // Counts to a billion.
    /// let slow = "SELECT MAX(n) AS n FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000000)
    ///     SELECT n FROM c) AS c";
    /// let folio = Folio::new(pool).statement_timeout(Duration::from_millis(50));
    /// let list = Select::<(i64,)>::sql(slow).order_by(Column::<i64>::new("n"));
    /// let error = folio.scope(list.page(1).simple_paginate(1)).await.unwrap_err();
    /// assert!(matches!(error, FrameworkError::TimedOut { .. }));
    /// assert_eq!(error.status(), 503);
    /// assert!(error.to_string().starts_with("reading this list took longer than 50ms, which is the limit"));
    ///
    /// let jobs = folio.clone().statement_timeout(Duration::from_secs(60));
    /// # drop(jobs); Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn statement_timeout(mut self, limit: Duration) -> Self {
        self.settings_mut().statement_timeout = Some(limit).filter(|limit| !limit.is_zero());
        self
    }

    /// Reads each list with flat SELECTs, for applications behind a proxy that sends a statement to several servers and
    /// merges their rows, such as PgDog, Vitess, or ProxySQL with sharding rules.
    ///
    /// Such a proxy merges rows by the ORDER BY, LIMIT and OFFSET of the statement. It does not look inside a subquery or
    /// a UNION, and sends these to one server, or to each: without this setting, a page can lose rows without an error.
    /// You do not need it if every list is filtered by the sharding key, so that one server has all of its rows.
    ///
    /// It applies to all connections of the application to PostgreSQL, MySQL and MariaDB. The pages and their cursors are
    /// the same; what changes is how they are read:
    ///
    /// - A numbered page is one SELECT, and its total another one, so a row that is added in between may be in one of them
    ///   alone. Totals always count all rows: [`count_up_to`](crate::Builder::count_up_to) and
    ///   [`exists`](crate::Builder::exists) do not stop early, and estimates are counts.
    /// - A deep numbered page also reads the rows that it skips. On PostgreSQL, a page in a key of mixed directions also
    ///   reads the rows before it that have the same value in the first column.
    /// - The rows of several groups are read by an IN, and the children of [`load`](crate::load) and
    ///   [`each_of`](crate::Builder::each_of) with a statement for each parent.
    ///
    /// What you write yourself is not changed: a subquery in a filter only sees the rows of the server that runs it. A
    /// proxy may also sort texts by another collation than the database; a collation that sorts by bytes, such as `C`, is
    /// the same for both.
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # // SQLite has no servers, so the setting changes nothing here.
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::raw_sql("CREATE TABLE posts (id INTEGER PRIMARY KEY)").execute(&pool).await?;
    /// use folio::Folio;
    ///
    /// let folio = Folio::new(pool).plain_statements();
    /// assert_eq!(folio.scope(Post::query().paginate(15)).await?.total, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A page fails with [`Internal`](crate::FrameworkError::Internal) if a proxy cannot merge its rows: with NULLs in
    /// another place than the database's own (last in ascending order on PostgreSQL, first on MySQL and MariaDB), in the
    /// order of an expression without a name, in [`count_by`](crate::Builder::count_by), through a third table, and for a
    /// select that would have to be a derived table, such as SQL text.
    #[must_use]
    pub fn plain_statements(mut self) -> Self {
        self.settings_mut().plain_statements = true;
        self
    }

    /// Sets how many rows a [`relay::Window`](crate::relay::Window) may ask for; the default is 1,000. A
    /// [`connection`](crate::Builder::connection) with a larger `first` or `last` fails with
    /// [`InvalidParameter`](crate::FrameworkError::InvalidParameter), 400.
    ///
    /// [`Window::at_most`](crate::relay::Window::at_most) limits a window without an error, and does not raise this
    /// maximum.
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::raw_sql("CREATE TABLE posts (id INTEGER PRIMARY KEY)").execute(&pool).await?;
    /// use folio::{Folio, Key, Keyring, relay::Window};
    ///
    /// let folio = Folio::new(pool).keyring(Keyring::new(Key::generate()));
    /// let all = async |folio: &Folio| folio.scope(Post::query().connection(Window::first(5_000))).await;
    /// let error = all(&folio).await.unwrap_err();
    /// assert_eq!((error.status(), error.to_string().as_str()), (400, "`first` is a number from 0 to 1000"));
    /// assert!(all(&folio.max_window(5_000)).await.is_ok());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn max_window(mut self, rows: u64) -> Self {
        self.settings_mut().max_window = rows;
        self
    }
}

impl Folio {
    /// The keys of the application's cursors.
    pub(crate) fn cursor_keys(&self) -> Result<CursorKeys> {
        let keyring = self.settings.keyring.clone().ok_or_else(|| {
            FrameworkError::internal(
                "no keyring is set: cursors are encrypted, so call `Folio::keyring` with `Keyring::from_env()?`",
            )
        })?;
        Ok(CursorKeys { keyring, lifetime: self.settings.cursor_lifetime })
    }

    /// The settings of a module above this one; `None` unless [`with_extension`](Self::with_extension) was called.
    pub(crate) fn extension<S: Send + Sync + 'static>(&self) -> Option<Arc<S>> {
        self.settings.extensions.get().cloned()
    }

    /// Changes the settings of a module above this one, beginning with the defaults.
    pub(crate) fn with_extension<S>(mut self, change: impl FnOnce(&mut S)) -> Self
    where
        S: Clone + Default + Send + Sync + 'static,
    {
        let all = &mut self.settings_mut().extensions;
        let mut settings: Arc<S> = all.remove().unwrap_or_default();
        change(Arc::make_mut(&mut settings));
        all.insert(settings);
        self
    }

    pub(crate) fn settings_mut(&mut self) -> &mut Settings {
        Arc::make_mut(&mut self.settings)
    }
}
