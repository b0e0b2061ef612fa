#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(not(any(feature = "sqlite", feature = "postgres", feature = "mysql")))]
compile_error!("folio reads from a database: enable its feature `sqlite`, `postgres` or `mysql`");

mod app;
mod builder;
mod cache;
mod connection;
mod crypt;
mod cursor;
mod db;
mod derive_support;
mod dialect;
mod driver;
mod error;
mod fetch;
pub mod guide;
mod index_advisor;
mod inertia_settings;
mod model;
mod pagination;
mod paginator;
mod pool;
mod query;
mod registry;
mod request;
mod response;
mod route;
mod select;
mod transaction;
mod transaction_handle;
mod url;
mod value;

pub use app::{Folio, decode_cursor, encode_cursor};
pub use builder::{Builder, Filter};
pub use connection::ConnectionGuard;
pub use crypt::{CryptPurpose, Key, Keyring};
pub use cursor::CursorDirection;
pub use db::DB;
pub use driver::FromDatabaseRow;
pub use error::{FrameworkError, Result};
pub use model::column::{Column, Operand};
pub use model::order::{CursorOrder, ErasedOrder, KeyOrder};
pub use model::table::Nulls;
pub use model::{CursorKey, Model};
pub use pagination::Pagination;
pub use paginator::{CursorPaginator, LengthAwarePaginator, PageLink, Paginator};
pub use pool::Pool;
pub use request::ActiveRequest;
pub use request::per_page::PerPage;
#[cfg(feature = "utoipa")]
pub use response::{CursorParams, PageParams, PerPageParams};
pub use response::{ErrorBody, JsonApi, JsonApiError, JsonResource, Paginated, Relationships, Resource};
#[cfg(feature = "axum")]
pub use response::{FolioBody, FolioFuture, FolioLayer, FolioService, WithLinkHeader};
pub use response::{
    Inertia, InertiaAnswer, InertiaResponse, PageIdentifier, ProvidesScrollMetadata, ScrollMetadata, ScrollProp,
};
pub use sea_query::{self, ExprTrait};
pub use select::Select;
pub use transaction::Isolation;
pub use transaction_handle::TransactionHandle;
pub use value::{CursorValue, UnknownVariant, Value, Variant};

/// Makes a struct a [`Model`]: its table, its typed columns, its keys, and the queries over it.
///
/// ```
/// use folio::{Column, Paginate, Variant};
///
/// #[derive(sqlx::FromRow, Paginate)]
/// #[paginate(table = "posts", cursor_key = "score desc nulls last, title")]
/// struct Post {
///     id: i64,
///     title: String,
///     score: Option<i32>,
/// }
///
/// let title: Column<String> = Post::TITLE;
/// assert_eq!(title.name(), "title");
/// // The primary key closes the cursor key.
/// assert_eq!(PostKey::VARIANTS, [Variant::Int, Variant::String, Variant::BigInt]);
/// let post = Post { id: 1, title: "first".into(), score: None };
/// assert_eq!(post.cursor_key(), PostKey { score: None, title: "first".into(), id: 1 });
/// ```
///
/// # On the struct: `#[paginate(…)]`
///
/// | attribute | meaning | default |
/// |---|---|---|
/// | `table = "posts"` | the table | the struct's name in snake case, plural |
/// | `schema = "blog"` | its schema | that of the connection |
/// | `cursor_key = "created_at desc, title"` | the order of a cursor walk, written like ORDER BY | the primary key |
/// | `primary_key = "tenant_id, id"` | the columns that name a row | the field `id` |
/// | `connection = "blog"` | the registered connection to read from | the replica, else the default pool |
/// | `resource = "articles"` | makes it a [`JsonResource`] of this type | none |
/// | `crate = "pages"` | folio, where it has another name | `folio` |
///
/// # On a field: `#[paginate(…)]`
///
/// | attribute | meaning |
/// |---|---|
/// | `primary_key` | is part of the primary key |
/// | `column = "created"` | has this column |
/// | `skip` | has none |
///
/// Of sqlx's attributes `rename`, `rename_all`, `skip`, `default`, `json`, `flatten` and `try_from` are read, so that
/// nothing is said twice. A flattened field makes the model select all columns of its table.
///
/// # Resources
///
/// With `resource` the model is a [`JsonResource`]: its id is the primary key, and its attributes are all else that it
/// serializes to, so it has to be `Serialize`. Serde's `rename`, `rename_all`, `skip` and their like are followed. A key
/// of several columns makes an id like `7~en`, where a `~` or `%` in a value is percent-encoded.
///
/// # Cursor keys
///
/// Every column of a cursor key has a type that is a [`CursorValue`]. A column that may be NULL says `nulls first` or
/// `nulls last`. The primary key is appended where it is missing, in the direction of the last column named, so that one
/// index over all of them serves both ways.
pub use folio_macros::Paginate;

/// What the derive's code names. Not for use by hand: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::driver::{
        FromDatabaseRow, NoMySql, NoPostgres, NoSqlite, Probe, ReadMySql, ReadPostgres, ReadSqlite, Reader,
    };
    pub use crate::model::table::{Columns, Direction, Field, KeyColumn, Table};
    pub use crate::model::{Values, assert, assert_held, assert_readable, decode_key, encode_key, fields};
    #[cfg(feature = "axum")]
    pub use crate::response::json_response;
    pub use crate::response::{Whole, resource_id};
    pub use crate::value::Kind;
}
