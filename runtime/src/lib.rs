// On docs.rs, the README's links to files of the repository need its address. The first definition of a link takes
// precedence.
#![cfg_attr(
    docsrs,
    feature(doc_cfg),
    doc = concat!(
        "\n[LICENSE-APACHE]: ", env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/LICENSE-APACHE",
        "\n[LICENSE-MIT]: ", env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/LICENSE-MIT",
        "\n[benches/README.md]: ", env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/benches/README.md",
        "\n[benches/depth.svg]: ", env!("CARGO_PKG_REPOSITORY"), "/raw/HEAD/benches/depth.svg",
        "\n[benches/round_trips.svg]: ", env!("CARGO_PKG_REPOSITORY"), "/raw/HEAD/benches/round_trips.svg",
        "\n[examples/api]: ", env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/examples/api",
        "\n[examples/catalogue]: ", env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/examples/catalogue",
        "\n[examples/sea-orm]: ", env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/examples/sea-orm",
        "\n[examples/shop]: ", env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/examples/shop",
        "\n[examples/shop/screenshot.png]: ", env!("CARGO_PKG_REPOSITORY"), "/raw/HEAD/examples/shop/screenshot.png",
        "\n[examples/tracker]: ", env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/examples/tracker",
        "\n[npm/README.md]: ", env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/npm/README.md",
    )
)]
#![doc = include_str!("../README.md")]

mod app;
mod bind;
mod crypt;
mod cursor;
mod db;
mod derive_support;
mod driver;
mod encode;
mod error;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
pub mod guide;
pub mod id_as_string;
pub mod load;
mod model;
mod once;
pub mod page_tokens;
mod paginator;
mod pool;
mod query;
mod read;
pub mod relay;
mod request;
mod schema;
#[cfg(feature = "_sea-orm")]
pub mod sea_orm;
mod source;
pub mod sql;
#[cfg(feature = "testing")]
pub mod testing;
mod transaction;
mod value;
mod watch;
mod web;

pub use app::Folio;
pub use crypt::{CryptPurpose, Key, Keyring};
pub use db::DB;
pub use driver::FromDatabaseRow;
pub use encode::{decode_cursor, encode_cursor};
pub use error::{FrameworkError, Result, Retryable};
/// ```
#[doc = include_str!("doc/posts.txt")]
/// use folio::CursorDirection;
///
/// let before_3 = PostKey { id: 3 }.encode(CursorDirection::Prev)?;
/// let page = Post::query().cursor(Some(&before_3)).cursor_paginate(2).await?;
/// assert_eq!(ids(&page.data), [1, 2]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[doc(inline)]
pub use folio_plan::cursor::CursorDirection;
/// ```
/// use folio::{Column, Nulls};
///
/// assert_ne!(Nulls::First, Nulls::Last);
/// let order = Column::<Option<i32>>::new("score").desc().nulls_first();
/// assert_eq!(format!("{order:?}"), "score Desc nulls First");
/// ```
#[doc(inline)]
pub use folio_plan::schema::table::Nulls;
#[doc(inline)]
pub use folio_plan::value::{UnknownVariant, Value, Variant};
pub use model::{CursorKey, IdentifiedBy, Model};
pub use paginator::{Around, CursorPaginator, LengthAwarePaginator, LinkKind, PageLink, Paginator, Total};
pub use pool::Pool;
pub use query::{Builder, EachOf, Moment, Newer, Of, Pagination, Query, QuerySource, RowOf, Rows, Select};
pub use read::{ListPlan, PlannedStatement};
pub use request::ActiveRequest;
pub use request::filters::Filters;
pub use request::filters::allowed::AllowedFilter;
pub use request::filters::requested::{ActiveFilter, FilterOperator, RequestedFilters};
pub use request::per_page::PerPage;
pub use request::sorts::Sorts;
pub use schema::column::{Column, Operand};
pub use schema::expression::{ExprSort, NamedExpr};
pub use schema::filter::{AnyModel, Filter, FilterExpr};
pub use schema::group::GroupColumns;
pub use schema::key_values::{KeyValue, KeyValues};
pub use schema::order::{IntoOrder, Order, OrderOf, Sort};
pub use schema::primary_key::PrimaryKey;
pub use sea_query::{self, ExprTrait};
pub use source::{ConnectionGuard, using};
pub use transaction::{Begin, Isolation, TransactionHandle};
pub use value::{ColumnValue, CursorValue};
pub use web::ErrorBody;
#[cfg(feature = "actix")]
pub use web::actix;
#[cfg(feature = "async-graphql")]
pub use web::async_graphql;
#[cfg(feature = "axum")]
pub use web::axum;
#[cfg(feature = "html")]
pub use web::html;
#[cfg(feature = "inertia")]
pub use web::inertia;
#[cfg(feature = "json-api")]
pub use web::json_api;
#[cfg(feature = "utoipa")]
pub use web::openapi;

// The specification names these in the root.
#[cfg(feature = "inertia")]
#[doc(no_inline)]
pub use inertia::ScrollMetadata;
#[cfg(feature = "json-api")]
#[doc(no_inline)]
pub use json_api::{Paginated, Resource};

/// Implements [`Model`] for a struct, and generates typed columns, the key type and query methods.
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
/// let title: Column<String, Post> = Post::TITLE;
/// assert_eq!(title.name(), "title");
/// // The primary key is appended as a tie-breaker.
/// assert_eq!(PostKey::VARIANTS, [Variant::Int, Variant::String, Variant::BigInt]);
/// let post = Post { id: 1, title: "first".into(), score: None };
/// assert_eq!(post.cursor_key(), PostKey { score: None, title: "first".into(), id: 1 });
/// ```
///
/// # On the struct: `#[paginate(…)]`
///
/// | attribute | meaning | default |
/// |---|---|---|
/// | `table = "posts"` | the table | sea-orm's `table_name`, else the struct's name in snake case, plural |
/// | `schema = "blog"` | the table's schema | sea-orm's `schema_name`, else that of the connection |
/// | `cursor_key = "created_at desc, title"` | the order of cursor pages, written like ORDER BY | the primary key, ascending |
/// | `primary_key = "tenant_id, id"` | the primary key columns | the marked fields, else the field `id` |
/// | `filter = "deleted_at IS NULL"` | the condition, in SQL, that all queries have by default | none |
/// | `tenant = "tenant_id"` | the column with the tenant that a row belongs to | none |
/// | `connection = "blog"` | the registered connection to read from | the task's transaction, else the replica, else the default pool |
/// | `resource = "articles"` | implements [`JsonResource`](json_api::JsonResource) with this type | none |
/// | `crate = "pages"` | the path of the folio crate, if it is renamed | `folio` |
///
/// # On a field: `#[paginate(…)]`
///
/// | attribute | meaning |
/// |---|---|
/// | `primary_key` | the field is part of the primary key |
/// | `column = "created"` | the name of its column |
/// | `skip` | the field has no column |
/// | `to_one = "people"` | the field is the id of a related resource of this type |
///
/// sqlx's attributes `rename`, `rename_all`, `skip`, `default`, `json`, `flatten` and `try_from` apply; do not repeat
/// them. A model with a flattened field selects all columns of its table.
///
/// # Entities of sea-orm
///
/// sea-orm's attributes apply as well, before sqlx's: `table_name`, `schema_name` and `rename_all` on the struct, and
/// `column_name`, `enum_name`, `primary_key` and `ignore` on its fields; `from_alias`, `skip` and `nested` on the
/// fields of a row with `FromQueryResult`. With a feature `sea-orm-…`, a model needs only one of `sqlx::FromRow` and
/// `FromQueryResult`, which every entity has; if it has both, its rows are read by `FromRow`. With `table_name` or
/// `rename_all`, a column has the name that sea-orm gives it: a field `htmlBody` has the column `html_body`.
///
/// ```
/// # #[cfg(not(feature = "_sea-orm"))] fn main() {}
/// # #[cfg(feature = "_sea-orm")] fn main() {
/// # mod cake {
/// use sea_orm::entity::prelude::*;
///
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, folio::Paginate)]
/// #[sea_orm(table_name = "cakes")]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub number: i64,
///     #[sea_orm(column_name = "label")]
///     pub title: String,
/// }
/// #
/// # #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
/// # pub enum Relation {}
/// # impl ActiveModelBehavior for ActiveModel {}
/// # }
///
/// assert_eq!(cake::Model::TITLE.name(), "label");
/// let cake = cake::Model { number: 7, title: "Lemon".into() };
/// assert_eq!(cake.cursor_key(), cake::ModelKey { number: 7 });
/// # }
/// ```
///
/// A struct named `Model` has no default table. An entity in sea-orm's expanded format, whose table and columns are
/// named elsewhere, needs `#[paginate(table = "...")]`, and `#[paginate(column = "...")]` on a field whose column has
/// another name. `#[sea_orm::model]` and `#[sea_orm::compact_model]` copy the derives to a struct `ModelEx`, for which
/// `Paginate` generates nothing.
///
/// # Default filter and tenant
///
/// With `filter`, `Post::query()` lists only the rows for which the condition is true, and `Post::unfiltered()` lists
/// all. With `tenant`, `Post::query()` does not compile: `Post::of(tenant)` lists the rows with this value in the
/// column, and binds its cursors to it; `Post::unfiltered()` lists the rows of all tenants. Both also apply in
/// `among`, `each_of` and [`load`]. A [`Select`] has neither.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # sqlx::raw_sql("CREATE TABLE products (id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, deleted_at TEXT);
/// #     INSERT INTO products VALUES (1, 7, NULL), (2, 7, '2026-01-01'), (3, 8, NULL)").execute(&pool).await?;
/// # folio::Folio::new(pool).scope(async {
/// #[derive(sqlx::FromRow, folio::Paginate)]
/// #[paginate(filter = "deleted_at IS NULL", tenant = "shop_id")]
/// struct Product {
///     id: i64,
///     shop_id: i64,
/// }
///
/// assert_eq!(Product::of(7).paginate(15).await?.total, 1);
/// assert_eq!(Product::unfiltered().paginate(15).await?.total, 3);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// # Resources
///
/// With `resource`, the model implements [`JsonResource`](json_api::JsonResource). The id is the primary key, and the
/// attributes are all other serialized fields, so the model has to implement `Serialize`. Serde's attributes, such as
/// `rename`, `rename_all` and `skip`, apply. A primary key of several columns becomes an id such as `7~en`; a `~` or
/// `%` in a value is percent-encoded.
///
/// A foreign key with `to_one` becomes a relationship instead of an attribute. The relationship's name is the field's
/// name in the JSON without `_id` or `Id`, and its `data` is `null` if the field is `None`:
///
/// ```
/// use folio::json_api::JsonResource;
/// use folio::Paginate;
/// use serde_json::json;
///
/// #[derive(serde::Serialize, sqlx::FromRow, Paginate)]
/// #[paginate(resource = "posts")]
/// struct Post {
///     id: i64,
///     title: String,
///     #[paginate(to_one = "people")]
///     author_id: i64,
///     #[paginate(to_one = "people")]
///     editor_id: Option<i64>,
/// }
///
/// let post = Post { id: 1, title: "Pages".into(), author_id: 7, editor_id: None };
/// let expected = json!({ "author": { "data": { "type": "people", "id": "7" } }, "editor": { "data": null } });
/// assert_eq!(post.relationships(), Some(expected));
/// ```
///
/// # Cursor keys
///
/// The type of each cursor key column has to implement [`CursorValue`]. A nullable column has to state `nulls first` or
/// `nulls last`. Missing primary key columns are appended in the direction of the last column, so that one index serves
/// both directions.
pub use folio_macros::Paginate;

/// Lets a column have the type of an enum or a newtype, in filters, orders and cursor keys.
///
/// ```
/// use folio::{ColumnValue, Paginate};
///
/// #[derive(Debug, Clone, PartialEq, sqlx::Type, ColumnValue)]
/// #[sqlx(transparent)]
/// struct IssueId(i64);
///
/// #[derive(Debug, Clone, PartialEq, sqlx::Type, ColumnValue)]
/// #[sqlx(rename_all = "snake_case")]
/// enum State {
///     Open,
///     InReview,
/// }
///
/// #[derive(Debug, sqlx::FromRow, Paginate)]
/// #[paginate(cursor_key = "state desc")]
/// struct Issue {
///     id: IssueId,
///     state: State,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # sqlx::raw_sql("CREATE TABLE issues (id INTEGER PRIMARY KEY, state TEXT NOT NULL);
/// #     INSERT INTO issues VALUES (1, 'open'), (2, 'in_review'), (3, 'open')").execute(&pool).await?;
/// # let keyring = folio::Keyring::new(folio::Key::generate());
/// # folio::Folio::new(pool).keyring(keyring).scope(async {
/// let open = Issue::query().filter(Issue::STATE.eq(State::Open)).cursor_paginate(1).await?;
/// assert_eq!(open.data[0].cursor_key(), IssueKey { state: State::Open, id: IssueId(3) });
///
/// let states = Issue::STATE.is_in([State::Open, State::InReview]);
/// let page = Issue::query().filter(states).cursor(open.next_cursor.as_deref()).cursor_paginate(5).await?;
/// assert_eq!(page.data.iter().map(|issue| issue.id.0).collect::<Vec<_>>(), [1, 2]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// | type | stored as |
/// |---|---|
/// | an enum | the text of the variant, according to sqlx's `rename` and `rename_all` |
/// | an enum with `#[repr(i32)]`, or another integer | the variant's number |
/// | `struct PostId(i64)`, or `#[sqlx(transparent)] struct PostId { id: i64 }` | its field, of any type with [`CursorValue`] |
///
/// The type also has to implement `Clone`, `Debug`, `PartialEq` and `sqlx::Type`. For a nullable column, the model's
/// field is an `Option` of the type.
///
/// # Types of sea-orm
///
/// Beside `DeriveActiveEnum` and `DeriveValueType`, the derive reads their attributes, and the type needs no
/// `sqlx::Type`. An enum is stored as sea-orm stores it: by `rs_type`, `db_type`, `string_value`, `num_value`, `rename`
/// and `rename_all`. With `db_type = "Enum"`, PostgreSQL compares it as the enum `enum_name`.
///
/// A type with an attribute `#[sea_orm(...)]` gets no conversion into a sea-query [`Value`] from this derive, because
/// sea-orm's has it. `DeriveValueType` needs no attribute on a newtype, and a derive cannot see it. There, write
/// `#[paginate(sea_orm)]`; without it, both implement `From` and `Nullable`, and the compiler reports the conflict
/// (E0119).
///
/// ```
/// # #[cfg(not(feature = "_sea-orm"))] fn main() {}
/// # #[cfg(feature = "_sea-orm")] fn main() {
/// use folio::{ColumnValue, CursorValue};
/// use sea_orm::entity::prelude::*;
///
/// #[derive(Clone, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum, ColumnValue)]
/// #[sea_orm(rs_type = "String", db_type = "Enum", enum_name = "tea", rename_all = "snake_case")]
/// enum Tea {
///     Green,
///     #[sea_orm(string_value = "bergamot")]
///     EarlGrey,
/// }
///
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveValueType, ColumnValue)]
/// #[paginate(sea_orm)]
/// struct CupId(i64);
///
/// // sea-orm's `ActiveEnum` has a method of this name, too.
/// assert_eq!(CursorValue::into_value(Tea::EarlGrey), "bergamot".into());
/// assert_eq!(Tea::from_value("green".into()), Some(Tea::Green));
/// assert_eq!(CupId(7).into_value(), 7_i64.into());
/// # }
/// ```
///
/// # Order and filters
///
/// Sorting, `gt` and its siblings use the database's order: numbers by value, texts by their collation, and the values
/// of a PostgreSQL enum in the order of its declaration. MySQL's `ENUM` can be compared with `eq` and `is_in`, but not
/// used in a cursor key.
///
/// On PostgreSQL, a text is cast to the type that sqlx's derive declares, such as `issue_state` with `#[sqlx(type_name
/// = "issue_state")]`. A value converts into a sea-query [`Value`] with the same cast, so it can be used in any
/// [sea-query](crate::sea_query) expression.
///
/// # Cursors
///
/// A cursor contains the stored text or number. It stays valid if a variant is renamed in Rust but not in the database.
/// A cursor with the value of a removed variant is invalid, which is a 400.
///
/// # Attributes
///
/// The derive uses the attributes of sea-orm or else sqlx.
///
/// | `#[paginate(…)]` | meaning |
/// |---|---|
/// | `sea_orm` | sea-orm's derive has the conversions into a sea-query value |
/// | `crate = "pages"` | the path of the folio crate, if it is renamed |
pub use folio_macros::ColumnValue;

/// Implements [`RowOf`](trait@RowOf) for a struct that has some columns of a model and computed ones. The trait lists
/// the attributes.
///
/// A field that is not computed has the name and the type of one of the model's, or it does not compile:
///
/// ```compile_fail,E0277
/// # #[derive(sqlx::FromRow, folio::Paginate)]
/// # struct Post { id: i64, title: String }
/// #[derive(sqlx::FromRow, folio::RowOf)]
/// #[paginate(of = Post)]
/// struct Title {
///     id: i32,
/// }
/// ```
pub use folio_macros::RowOf;

/// Only for the code that the derives generate. It can change without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::driver::{
        FromDatabaseRow, NoMySql, NoPostgres, NoPostgresType, NoSqlite, Probe, ReadMySql, ReadPostgres, ReadSqlite,
        Reader, or_mysql, or_postgres, or_sqlite,
    };
    pub use crate::model::{
        SameColumn, Values, WithoutTenant, assert, assert_column, assert_held, assert_readable, decode_key, encode_key,
        fields, has_field, is_held, is_readable,
    };
    pub use crate::query::{CheckedSql, is_readable_row};
    pub use crate::schema::filter::SameModel;
    pub use crate::schema::order::SortsRowsOf;
    pub use crate::value::{NoCursorValue, NullsUnstated, ValueProbe, operand};
    #[cfg(feature = "axum")]
    pub use crate::web::axum::json_response::json_response;
    pub use folio_plan::schema::table::{Columns, Direction, Field, KeyColumn, Table};
    pub use folio_plan::value::Kind;
}
