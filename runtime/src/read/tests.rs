//! A model's queries for unit tests, and its table on SQLite.

use std::sync::Arc;

use folio_plan::dialect::Dialect;
use folio_plan::keyset::{Base, BindingOptions, KeysetOrder, KeysetQuery, ModelBase};
use folio_plan::offset::{ModelList, OffsetQuery};
use folio_plan::order::OrderColumn;
use folio_plan::schema::group::Groups;
use folio_plan::schema::table::{Direction, Field, KeyColumn, Nulls, Table};
use folio_plan::schema::term::Term;
use folio_plan::statement::filtered::FilteredRows;
use sea_query::{Expr, ExprTrait as _, Value};

use crate::read::list::{OffsetSelect, TotalSource};
use crate::value::ValueProbe;

const ID: KeyColumn = KeyColumn::new("id", ValueProbe::<Option<i64>>::KIND, Direction::Asc, None);
const ID_FIELD: Field =
    Field { column: "id", kind: || "i64", sqlite: true, postgres: true, mysql: true, postgres_type: None };
static POSTS: Table = Table::new("posts", &[ID_FIELD], &["id"], &[ID]);

/// The dialects for which `folio-plan` writes SQL: those of the enabled databases.
pub(super) const ENABLED: &[Dialect] = &[
    #[cfg(feature = "sqlite")]
    Dialect::Sqlite,
    #[cfg(feature = "postgres")]
    Dialect::Postgres,
    #[cfg(feature = "mysql")]
    Dialect::MySql,
];

/// A query of posts in the order of their id, with or without a filter. With `authors` above 0, it is a feed of that
/// many authors. `nulls` is where the NULLs of the id are.
pub(super) fn query(dialect: Dialect, is_filtered: bool, authors: i64, nulls: Option<Nulls>) -> KeysetQuery {
    let filters = if is_filtered { vec![Expr::col("title").eq(7)] } else { Vec::new() };
    let rows = FilteredRows::new(dialect, &POSTS, filters, &[]);
    let groups = Groups::new(vec![Expr::col("author")], (0..authors).map(Value::from).collect());
    let base = ModelBase::new(rows, (authors > 0).then_some(groups));
    let terms = vec![Term::of_table(&POSTS, KeyColumn { nulls, ..ID })];
    let order = KeysetOrder::of_model(dialect, &POSTS, terms).expect("its order is stable");
    KeysetQuery { order: Arc::new(order), base: Base::Model(Box::new(base)), binding: BindingOptions::default() }
}

/// A numbered list of all posts, whose pages can be read from its end.
pub(super) fn list(dialect: Dialect, total: TotalSource) -> OffsetSelect {
    let orders = vec![OrderColumn::by(Expr::col("id"), Direction::Asc)];
    let rows = FilteredRows::new(dialect, &POSTS, Vec::new(), &orders);
    OffsetSelect { query: OffsetQuery::Model(Box::new(ModelList::new(rows, orders))), total }
}

/// The posts 1, 2 and 3.
#[cfg(feature = "sqlite")]
pub(super) mod posts {
    use sqlx::sqlite::{SqlitePoolOptions, SqliteRow};
    use sqlx::{Row as _, Sqlite};

    use crate::driver::{Reader, ResultRow, TypedRows};
    use crate::pool::{Pool, PoolEntry};
    use crate::source::Lease;

    /// A connection to a database in memory that has them.
    pub(in crate::read) async fn connect() -> Lease<'static, Sqlite> {
        let pool = SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await.expect("SQLite opens");
        let table = "CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3)";
        sqlx::raw_sql(table).execute(&pool).await.expect("the table is new");
        let connection = pool.acquire().await.expect("the pool is open");
        let entry = PoolEntry::from(Pool::from(&pool));
        Lease::of_pool(connection, &pool, &entry, None, None).await.expect("it needs no transaction")
    }

    /// No posts yet. They are read as their ids.
    pub(in crate::read) fn none() -> TypedRows<i64> {
        let id = |row: &ResultRow<SqliteRow>| row.try_get("id");
        let reader =
            Reader { sqlite: Some(id), postgres: Default::default(), mysql: Default::default(), fields: || &[] };
        TypedRows::new(reader, 9)
    }
}
