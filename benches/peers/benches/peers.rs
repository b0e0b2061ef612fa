//! Pages of other libraries, of folio, and by hand, in turn and with the same rows.
//!
//! A library is only measured on what it supports. sea-orm's cursor takes and returns plain values, does not encrypt
//! them, and does not tell whether more rows follow. sqlx-paginated only has numbered pages, sorted by one column, and
//! does not support MariaDB.

use std::path::Path;

use anyhow::{Context as _, Result};
use chrono::{DateTime, Utc};
use folio::{Builder, Folio, Key, Keyring};
use folio_benches::contest::{Outcome, Rival, contest};
use folio_benches::data::{Bind, Database, Post, databases};
use folio_benches::report::{Report, median, ratio};
use sea_orm::{
    DatabaseConnection, EntityTrait as _, PaginatorTrait as _, QueryOrder as _, SqlxMySqlConnector,
    SqlxPostgresConnector, SqlxSqliteConnector,
};
use sqlx::{Postgres, Sqlite};
use sqlx_paginated::{QueryParamsBuilder, QuerySortDirection, paginated_query_as};

const ROWS: i64 = 200_000;
const PER_PAGE: u64 = 15;
const LIMIT: i64 = 15;

const BY_HAND: &str = "by hand";
const FOLIO: &str = "folio";
const SEA_ORM: &str = "sea-orm";
const SQLX_PAGINATED: &str = "sqlx-paginated";

const COLUMNS: &str = "SELECT id, title, author_id, status, score, tie, views, created_at FROM posts";

/// A page's rows, and the total if the page has one.
type Page = (Option<i64>, Vec<Post>);

/// The row with the derives that the other libraries need.
mod posts {
    use sea_orm::entity::prelude::*;

    #[derive(
        Clone, Debug, PartialEq, Default, DeriveEntityModel, serde::Serialize, sqlx::FromRow, sqlx_paginated::Fields,
    )]
    #[sea_orm(table_name = "posts")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub title: String,
        pub author_id: i64,
        pub status: String,
        pub score: Option<i32>,
        pub tie: i64,
        pub views: i64,
        pub created_at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

impl From<posts::Model> for Post {
    fn from(row: posts::Model) -> Self {
        let posts::Model { id, title, author_id, status, score, tie, views, created_at } = row;
        Self { id, title, author_id, status, score, tie, views, created_at }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut report = Report::default();
    for database in databases(Path::new(env!("CARGO_TARGET_TMPDIR")), ROWS).await? {
        report.heading(&format!("{} {}, {ROWS} rows", database.name(), database.version().await?));
        let folio = Folio::new(database.pool()).keyring(Keyring::new(Key::generate()));
        let orm = match &database {
            Database::Sqlite(pool) => SqlxSqliteConnector::from_sqlx_sqlite_pool(pool.clone()),
            Database::Postgres(pool) => SqlxPostgresConnector::from_sqlx_postgres_pool(pool.clone()),
            Database::MySql(pool) | Database::MariaDb(pool) => SqlxMySqlConnector::from_sqlx_mysql_pool(pool.clone()),
        };
        let bench = Bench { database: &database, orm };
        let rows = folio
            .scope(async {
                let mut rows = bench.numbered().await?;
                rows.extend(bench.cursors().await?);
                anyhow::Ok(rows)
            })
            .await?;
        let header = ["page", "rounds", BY_HAND, FOLIO, "ratio", SEA_ORM, "ratio", SQLX_PAGINATED, "ratio"];
        report.table(&header, &rows);
    }
    report.write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md"), "peers")
}

struct Bench<'a> {
    database: &'a Database,
    orm: DatabaseConnection,
}

impl Bench<'_> {
    /// Pages with a total, sorted by id: sqlx-paginated sorts by one column, so it has to be unique.
    async fn numbered(&self) -> Result<Vec<Vec<String>>> {
        let (first, second) = (self.database.placeholder(1), self.database.placeholder(2));
        let by_hand: &'static str = format!("{COLUMNS} ORDER BY id LIMIT {first} OFFSET {second}").leak();
        let pages = ROWS.unsigned_abs().div_ceil(PER_PAGE);
        let mut rows = Vec::new();
        for (name, page) in [("numbered, page 1", 1), ("numbered, 99 %", pages / 100 * 99)] {
            let binds = [Bind::Int(LIMIT), Bind::Int(((page - 1) * PER_PAGE).try_into()?)];
            let hand = Rival::new(BY_HAND, async || {
                let total = self.database.count("SELECT COUNT(*) FROM posts").await?;
                Ok((Some(total), self.database.rows(by_hand, &binds).await?))
            });
            let folio = Rival::new(FOLIO, async || {
                let page = Post::query().order_by_asc(Post::ID).page(page).paginate(PER_PAGE).await?;
                Ok((Some(page.total.try_into()?), page.data))
            });
            let sea_orm = Rival::new(SEA_ORM, async || {
                let list = posts::Entity::find().order_by_asc(posts::Column::Id).paginate(&self.orm, PER_PAGE);
                let total = list.num_items_and_pages().await?.number_of_items;
                Ok((Some(total.try_into()?), into_posts(list.fetch_page(page - 1).await?)))
            });
            let outcome = match self.database {
                Database::MySql(_) | Database::MariaDb(_) => contest([hand, folio, sea_orm]).await?,
                _ => {
                    let paginated = Rival::new(SQLX_PAGINATED, || self.sqlx_paginated(page));
                    contest([hand, folio, sea_orm, paginated]).await?
                }
            };
            rows.push(line(name, &outcome));
        }
        Ok(rows)
    }

    async fn sqlx_paginated(&self, page: u64) -> Result<Page> {
        let params = QueryParamsBuilder::<posts::Model>::new()
            .with_pagination(page.try_into()?, LIMIT)
            .with_sort("id", QuerySortDirection::Ascending)
            .build();
        macro_rules! page {
            ($driver:ty, $pool:expr) => {
                paginated_query_as::<posts::Model, $driver>(COLUMNS).with_params(params).fetch_paginated($pool).await?
            };
        }
        let page = match self.database {
            Database::Sqlite(pool) => page!(Sqlite, pool),
            Database::Postgres(pool) => page!(Postgres, pool),
            Database::MySql(_) | Database::MariaDb(_) => anyhow::bail!("sqlx-paginated has no MySQL"),
        };
        Ok((page.total, into_posts(page.records)))
    }

    /// Pages in the order of (created_at, id). By hand this is a row value; on MariaDB, where a row value scans the
    /// whole index, it is the form with OR.
    async fn cursors(&self) -> Result<Vec<Vec<String>>> {
        let mark = |number| self.database.placeholder(number);
        let order = "ORDER BY created_at, id LIMIT";
        let first: &'static str = format!("{COLUMNS} {order} {}", mark(1)).leak();
        let behind: &'static str = match self.database {
            Database::MySql(_) | Database::MariaDb(_) => {
                format!("{COLUMNS} WHERE created_at > ? OR (created_at = ? AND id > ?) {order} ?")
            }
            _ => format!("{COLUMNS} WHERE (created_at, id) > ({}, {}) {order} {}", mark(1), mark(2), mark(3)),
        }
        .leak();
        let hand = async |sql, binds: &[Bind]| {
            let mut rows = self.database.rows(sql, binds).await?;
            rows.truncate(PER_PAGE.try_into()?);
            Ok((None, rows))
        };
        let limit = Bind::Int(LIMIT + 1);
        let outcome = contest([
            Rival::new(BY_HAND, async || hand(first, &[limit]).await),
            Rival::new(FOLIO, || cursor(Post::query(), None)),
            Rival::new(SEA_ORM, || self.sea_orm_cursor(None)),
        ])
        .await?;
        let mut rows = vec![line("cursor, first page", &outcome)];

        let far = ROWS / 100 * 99;
        let to = Post::query().page(far.unsigned_abs()).order_by_asc(Post::CREATED_AT).simple_paginate(1).await?;
        let row = to.data.first().context("the row is there")?;
        let next = row.cursor_key().encode(folio::CursorDirection::Next)?;
        let (moment, id) = (Bind::Moment(row.created_at), Bind::Int(row.id));
        let binds = match self.database {
            Database::MySql(_) | Database::MariaDb(_) => vec![moment, moment, id, limit],
            _ => vec![moment, id, limit],
        };
        let outcome = contest([
            Rival::new(BY_HAND, async || hand(behind, &binds).await),
            Rival::new(FOLIO, || cursor(Post::query(), Some(&next))),
            Rival::new(SEA_ORM, || self.sea_orm_cursor(Some((row.created_at, row.id)))),
        ])
        .await?;
        rows.push(line("cursor, 99 %", &outcome));
        Ok(rows)
    }

    /// Like the others, it reads one row more than the page shows, to know whether another page follows.
    async fn sea_orm_cursor(&self, after: Option<(DateTime<Utc>, i64)>) -> Result<Page> {
        let mut list = posts::Entity::find().cursor_by((posts::Column::CreatedAt, posts::Column::Id));
        if let Some(after) = after {
            list.after(after);
        }
        let mut rows = list.first(PER_PAGE + 1).all(&self.orm).await?;
        rows.truncate(PER_PAGE.try_into()?);
        Ok((None, into_posts(rows)))
    }
}

async fn cursor(list: Builder<Post>, token: Option<&str>) -> Result<Page> {
    Ok((None, list.cursor(token).cursor_paginate(PER_PAGE).await?.data))
}

fn into_posts(rows: Vec<posts::Model>) -> Vec<Post> {
    rows.into_iter().map(Post::from).collect()
}

fn line(name: &str, outcome: &Outcome) -> Vec<String> {
    let mut line = vec![name.to_owned(), outcome.rounds.to_string(), median(outcome, BY_HAND)];
    for rival in [FOLIO, SEA_ORM, SQLX_PAGINATED] {
        line.extend([median(outcome, rival), ratio(outcome, rival, BY_HAND)]);
    }
    line
}
