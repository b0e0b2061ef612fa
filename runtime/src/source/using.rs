//! The arguments of [`using`](crate::Builder::using): pools, and your own connections.
//!
//! A query that reads from a pool can be cloned. A query that borrows a connection cannot, and has the lifetime of the
//! borrow. So the last type parameter of [`Builder`](crate::Builder) and [`Select`](crate::Select) is either [`Pooled`]
//! or [`Borrowed`].

use crate::pool::Pool;
pub use crate::source::Borrowed;

/// A source to read pages from: a sqlx pool, or a borrowed connection such as `&mut *transaction`.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::using::ConnectionSource;
///
/// async fn count(source: impl ConnectionSource) -> folio::Result<u64> {
///     Ok(Post::query().using(source).paginate(1).await?.total)
/// }
///
/// let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// let mut transaction = pool.begin().await?;
/// let create = "CREATE TABLE posts (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL, title TEXT NOT NULL)";
/// sqlx::query(create).execute(&mut *transaction).await?;
/// assert_eq!(count(&mut *transaction).await?, 0);
///
/// transaction.commit().await?;
/// assert_eq!(count(&pool).await?, 0);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "pages cannot be read from `{Self}`",
    label = "pass a pool, `&mut *transaction` or `&mut *connection`",
    note = "folio's feature for the database has to be enabled: `sqlite`, `postgres` or `mysql`"
)]
pub trait ConnectionSource {
    /// [`Pooled`] for a pool, [`Borrowed`] for a connection.
    type Connection: Connect;

    #[doc(hidden)]
    fn into_parts(self) -> (Option<Pool>, Self::Connection);
}

#[diagnostic::do_not_recommend]
impl<P: Into<Pool>> ConnectionSource for P {
    type Connection = Pooled;

    fn into_parts(self) -> (Option<Pool>, Pooled) {
        (Some(self.into()), Pooled)
    }
}

macro_rules! borrowed {
    ($($feature:literal $driver:ident $connection:ident),*) => {$(
        #[cfg(feature = $feature)]
        impl<'c> ConnectionSource for &'c mut sqlx::$connection {
            type Connection = Borrowed<'c>;

            fn into_parts(self) -> (Option<Pool>, Borrowed<'c>) {
                (None, Borrowed::$driver(self))
            }
        }
    )*};
}
borrowed!("sqlite" Sqlite SqliteConnection, "postgres" Postgres PgConnection, "mysql" MySql MySqlConnection);

#[cfg(feature = "_sea-orm")]
impl<'c> ConnectionSource for crate::driver::Connection<'c> {
    type Connection = Borrowed<'c>;

    fn into_parts(self) -> (Option<Pool>, Borrowed<'c>) {
        (None, Borrowed::SeaOrm(self))
    }
}

#[cfg(feature = "_sea-orm")]
impl<'c> ConnectionSource for &'c ::sea_orm::DatabaseTransaction {
    type Connection = Borrowed<'c>;

    fn into_parts(self) -> (Option<Pool>, Borrowed<'c>) {
        (None, Borrowed::SeaOrm(crate::driver::Connection::new(self)))
    }
}

#[cfg(feature = "_sea-orm")]
impl<'c> ConnectionSource for &'c ::sea_orm::DatabaseExecutor<'_> {
    type Connection = Borrowed<'c>;

    fn into_parts(self) -> (Option<Pool>, Borrowed<'c>) {
        (None, Borrowed::SeaOrm(crate::driver::Connection::new(self)))
    }
}

/// The kind of connection of a query: [`Pooled`] or [`Borrowed`]. The trait is sealed.
pub trait Connect: sealed::Lend {}

impl<C: sealed::Lend> Connect for C {}

/// The kind of a query that reads from a pool, or in the task's transaction.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Pooled;

mod sealed {
    use super::{Borrowed, Pooled};

    pub trait Lend {
        /// The connection that the caller has lent, for one page.
        fn lend(&mut self) -> Option<Borrowed<'_>>;
    }

    impl Lend for Pooled {
        fn lend(&mut self) -> Option<Borrowed<'_>> {
            None
        }
    }

    impl Lend for Borrowed<'_> {
        fn lend(&mut self) -> Option<Borrowed<'_>> {
            Some(self.reborrow())
        }
    }
}
