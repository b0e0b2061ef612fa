//! Services on [sea-orm](::sea_orm): its connections, and its statements inside folio's transactions.
//!
//! This module needs one of the features `sea-orm-sqlite`, `sea-orm-postgres` and `sea-orm-mysql`.
//!
//! - [`Pool`](crate::Pool)`::try_from(&db)` is the pool of a `DatabaseConnection`, for
//!   [`Folio::new`](crate::Folio::new). sea-orm and folio then share its connections.
//! - [`Select::entity`](crate::Select::entity) pages through a select of sea-orm's, from `Entity::find()` to a join of
//!   six entities. Its orders are columns of entities, by the trait [`SortColumn`].
//! - `#[derive(DeriveEntityModel, Paginate)]` makes an entity a model of folio's: see [`Paginate`](crate::Paginate).
//! - [`related`] loads the rows of another entity for those of a page, by sea-orm's relation, also through a third
//!   table.
//! - [`Db`] runs sea-orm's statements where folio's pages are read: in the task's transaction, or else on the default
//!   pool. Pass it wherever sea-orm takes a connection.
//! - `query.using(&transaction)` reads a page in a transaction that sea-orm has begun, with [limits](connection()).
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> folio::Result<()> {
//! use folio::sea_orm::Db;
//! use folio::{DB, Folio, FrameworkError, Pool};
//! use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
//!
//! #[derive(sqlx::FromRow, folio::Paginate)]
//! struct Post {
//!     id: i64,
//! }
//!
//! # let mut options = sea_orm::ConnectOptions::new("sqlite::memory:");
//! # options.max_connections(1);
//! # let db = Database::connect(options).await?;
//! # db.execute_unprepared("CREATE TABLE posts (id INTEGER PRIMARY KEY)").await?;
//! # /*
//! let db = Database::connect("sqlite:posts.db").await?;
//! # */
//! let folio = Folio::new(Pool::try_from(&db)?);
//! # folio.scope(async {
//! let page = DB::transaction(async || {
//!     // With an entity: `post::ActiveModel { .. }.insert(&Db)`.
//!     let insert = "INSERT INTO posts VALUES (1), (2)";
//!     Db.execute_raw(Statement::from_string(DbBackend::Sqlite, insert)).await?;
//!     Post::query().paginate(15).await
//! })
//! .await?;
//! assert_eq!(page.total, 2);
//! # Ok::<_, FrameworkError>(()) }).await
//! # }
//! ```
//!
//! # Not through folio
//!
//! A page does not go through sea-orm's connection, so neither its metric callback nor its role-based access control
//! sees it. `Db` has no `begin`: use [`DB::transaction`](crate::DB::transaction), which can be nested.

mod connection;
mod db;
mod entity;
mod order;
mod related;
mod rows;

pub use self::connection::connection;
pub use self::db::Db;
pub use self::entity::EntitySelect;
pub use self::order::{EntitySort, SortColumn};
pub use self::related::{ForeignKey, linked, linked_one, related, related_one};
pub use crate::driver::Connection;
