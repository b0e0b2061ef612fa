//! Pages of other libraries, of folio, and by hand, in turn and with the same rows.
//!
//! A library is only measured on what it supports. sea-orm's cursor takes and returns plain values, does not encrypt
//! them, and does not tell whether more rows follow. sqlx-paginated only has numbered pages, sorted by one column, and
//! does not support MariaDB.

use std::path::Path;

use anyhow::{Context as _, Result};
use folio::sea_orm::SortColumn as _;
use folio::{Folio, Key, Keyring, Select};
use folio_benches::contest::{Outcome, Rival, contest};
use folio_benches::data::{Bind, Database, Post, databases};
use folio_benches::report::{Report, median, ratio};
use folio_peers::{COLUMNS, PER_PAGE, into_posts, posts, sea_orm_connection, sea_orm_cursor};
use sea_orm::{DatabaseConnection, EntityTrait as _, PaginatorTrait as _, QueryOrder as _};
use sqlx::{Postgres, Sqlite};
use sqlx_paginated::{QueryParamsBuilder, QuerySortDirection, paginated_query_as};

const ROWS: i64 = 200_000;
const LIMIT: i64 = 15;

const BY_HAND: &str = "by hand";
const FOLIO: &str = "folio";
/// folio over sea-orm's select, whose rows are sea-orm's models.
const FOLIO_ENTITY: &str = "folio, sea-orm's select";
const SEA_ORM: &str = "sea-orm";
const SQLX_PAGINATED: &str = "sqlx-paginated";

/// A page's rows, and the total if the page has one.
type Page = (Option<i64>, Vec<Post>);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut report = Report::default();
    for database in databases(Path::new(env!("CARGO_TARGET_TMPDIR")), ROWS).await? {
        report.heading(&format!("{} {}, {ROWS} rows", database.name(), database.version().await?));
        let folio = Folio::new(database.pool()).keyring(Keyring::new(Key::generate()));
        let bench = Bench { database: &database, orm: sea_orm_connection(&database) };
        let rows = folio
            .scope(async {
                let mut rows = bench.numbered().await?;
                rows.extend(bench.cursors().await?);
                anyhow::Ok(rows)
            })
            .await?;
        let header = [
            "page",
            "rounds",
            BY_HAND,
            FOLIO,
            "ratio",
            FOLIO_ENTITY,
            "ratio",
            SEA_ORM,
            "ratio",
            SQLX_PAGINATED,
            "ratio",
        ];
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
                let total = self.database.count("SELECT COUNT(*) FROM posts", &[]).await?;
                Ok((Some(total), self.database.rows(by_hand, &binds).await?))
            });
            let folio = Rival::new(FOLIO, async || {
                let page = Post::query().order_by_asc(Post::ID).page(page).paginate(PER_PAGE).await?;
                Ok((Some(page.total.try_into()?), page.data))
            });
            let entity = Rival::new(FOLIO_ENTITY, async || {
                let list = Select::entity(posts::Entity::find().order_by_asc(posts::Column::Id));
                let page = list.page(page).paginate(PER_PAGE).await?;
                Ok((Some(page.total.try_into()?), into_posts(page.data)))
            });
            let sea_orm = Rival::new(SEA_ORM, async || {
                let list = posts::Entity::find().order_by_asc(posts::Column::Id).paginate(&self.orm, PER_PAGE);
                let total = list.num_items_and_pages().await?.number_of_items;
                Ok((Some(total.try_into()?), into_posts(list.fetch_page(page - 1).await?)))
            });
            let outcome = match self.database {
                Database::MySql(_) | Database::MariaDb(_) => contest([hand, folio, entity, sea_orm]).await?,
                _ => {
                    let paginated = Rival::new(SQLX_PAGINATED, || self.sqlx_paginated(page));
                    contest([hand, folio, entity, sea_orm, paginated]).await?
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
            Rival::new(FOLIO, || cursor(None)),
            Rival::new(FOLIO_ENTITY, || entity_cursor(None)),
            Rival::new(SEA_ORM, async || Ok((None, sea_orm_cursor(&self.orm, None).await?))),
        ])
        .await?;
        let mut rows = vec![line("cursor, first page", &outcome)];

        // The cursor of a page, which a client follows. One that is made from a key may take a look-up.
        let to = Post::query().filter(Post::ID.gte(ROWS / 100 * 99)).cursor_paginate(1).await?;
        let row = to.data.first().context("the row is there")?;
        let next = to.next_cursor.context("the list goes on")?;
        let (moment, id) = (Bind::Moment(row.created_at), Bind::Int(row.id));
        let binds = match self.database {
            Database::MySql(_) | Database::MariaDb(_) => vec![moment, moment, id, limit],
            _ => vec![moment, id, limit],
        };
        let outcome = contest([
            Rival::new(BY_HAND, async || hand(behind, &binds).await),
            Rival::new(FOLIO, || cursor(Some(&next))),
            Rival::new(FOLIO_ENTITY, || entity_cursor(Some(&next))),
            Rival::new(SEA_ORM, async || Ok((None, sea_orm_cursor(&self.orm, Some((row.created_at, row.id))).await?))),
        ])
        .await?;
        rows.push(line("cursor, 99 %", &outcome));
        Ok(rows)
    }
}

async fn cursor(token: Option<&str>) -> Result<Page> {
    Ok((None, Post::query().cursor(token).cursor_paginate(PER_PAGE).await?.data))
}

/// Its cursors are those of the model, because both have the same table and order.
async fn entity_cursor(token: Option<&str>) -> Result<Page> {
    let list = Select::entity(posts::Entity::find());
    let list = list.order_by((posts::Column::CreatedAt.asc(), posts::Column::Id.asc()));
    Ok((None, into_posts(list.cursor(token).cursor_paginate(PER_PAGE).await?.data)))
}

fn line(name: &str, outcome: &Outcome) -> Vec<String> {
    let mut line = vec![name.to_owned(), outcome.rounds.to_string(), median(outcome, BY_HAND)];
    for rival in [FOLIO, FOLIO_ENTITY, SEA_ORM, SQLX_PAGINATED] {
        line.extend([median(outcome, rival), ratio(outcome, rival, BY_HAND)]);
    }
    line
}
