//! What the catalog has said about a table may be old, or be about another table. That costs time, but no row.

use folio::{Builder, CursorDirection, CursorPaginator, DB, Folio, IntoOrder as _, Order, Paginate, Result, Select};
use sea_query::Query;

use super::db::{self, Pool};
use crate::server;

/// The model has no `Option`, because the columns were NOT NULL when it was written.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "facts")]
struct Fact {
    id: i64,
    author: i64,
    moment: i64,
}

/// The same rows as the database has them.
type Loose = (Option<i64>, Option<i64>);

const INDEXES: &str = "CREATE INDEX facts_order ON facts (moment, id); \
                       CREATE INDEX facts_feed ON facts (author, moment, id)";

/// Rows of three authors, four of each moment.
const ROWS: &str = "INSERT INTO facts (id, author, moment) VALUES \
    (1, 0, 1), (2, 1, 1), (3, 1, 1), (4, 2, 1), (5, 1, 2), (6, 0, 2), (7, 1, 2), (8, 2, 2), (9, 0, 3), (10, 1, 3), \
    (11, 1, 3), (12, 2, 3)";

/// Which rows a list has.
#[derive(Debug, Clone, Copy)]
enum Rows {
    All,
    OfAuthor,
    OfAuthors(i64),
    Selected,
}

const LISTS: [Rows; 5] = [Rows::All, Rows::OfAuthor, Rows::OfAuthors(2), Rows::OfAuthors(70), Rows::Selected];

impl Rows {
    /// The condition, in SQL.
    fn sql(self) -> &'static str {
        match self {
            Self::All | Self::Selected => "1 = 1",
            Self::OfAuthor => "author = 1",
            Self::OfAuthors(2) => "author IN (0, 1)",
            Self::OfAuthors(_) => "author IN (0, 1, 2)",
        }
    }
}

/// A list in an order, whose columns are descending or not.
#[derive(Debug, Clone, Copy)]
struct List {
    rows: Rows,
    descends: [bool; 2],
}

impl List {
    fn order(self) -> Order {
        let [moment, id] = self.descends;
        match (moment, id) {
            (false, false) => (Fact::MOMENT, Fact::ID).erased(),
            (false, true) => (Fact::MOMENT, Fact::ID.desc()).erased(),
            (true, false) => (Fact::MOMENT.desc(), Fact::ID).erased(),
            (true, true) => (Fact::MOMENT.desc(), Fact::ID.desc()).erased(),
        }
    }

    fn query(self) -> Builder<Fact> {
        let query = Fact::query().order_by(self.order());
        match self.rows {
            Rows::OfAuthor => query.filter(Fact::AUTHOR.eq(1)),
            Rows::OfAuthors(count) => query.among(Fact::AUTHOR, 0..count),
            Rows::All | Rows::Selected => query,
        }
    }

    /// Whether a page on MySQL may be put together from several selects of the table.
    fn needs_several_selects(self) -> bool {
        let [moment, id] = self.descends;
        moment != id || matches!(self.rows, Rows::OfAuthor | Rows::OfAuthors(_))
    }

    /// A page at a cursor.
    async fn page(self, cursor: Option<&str>, size: u64) -> Result<CursorPaginator<Fact>> {
        match self.rows {
            Rows::Selected => {
                let all = Query::select().columns(["id", "author", "moment"]).from("facts").take();
                let select = Select::<Fact>::from(all).order_by(self.order());
                select.cursor(cursor).cursor_paginate(size).await
            }
            _ => self.query().cursor(cursor).cursor_paginate(size).await,
        }
    }

    /// The rows in the order in which the database sorts them.
    async fn sorted(self) -> Result<Vec<Loose>> {
        let [moment, id] = self.descends.map(|descends| if descends { "DESC" } else { "ASC" });
        let condition = self.rows.sql();
        let sql = format!("SELECT moment, id FROM facts WHERE {condition} ORDER BY moment {moment}, id {id}");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&mut *server::connection().await?).await?)
    }

    /// The rest of a walk, in the order in which it reads the rows.
    async fn walk(self, cursor: &Place, size: u64) -> Result<Vec<Loose>> {
        let mut rows = Vec::new();
        let mut next = Some(cursor.token.clone());
        while let Some(token) = next {
            let page = self.page(Some(&token), size).await?;
            let mut keys: Vec<Loose> = page.data.iter().map(|row| (Some(row.moment), Some(row.id))).collect();
            if cursor.direction == CursorDirection::Prev {
                keys.reverse();
            }
            rows.extend(keys);
            next = if cursor.direction == CursorDirection::Next { page.next_cursor } else { page.prev_cursor };
        }
        Ok(rows)
    }
}

/// A cursor, and the row that it was made from.
#[derive(Debug)]
struct Place {
    token: String,
    row: Loose,
    direction: CursorDirection,
}

fn lists() -> impl Iterator<Item = List> {
    let directions = [[false, false], [true, true], [false, true], [true, false]];
    LISTS.into_iter().flat_map(move |rows| directions.map(|descends| List { rows, descends }))
}

/// The cursors of all pages of a list, in both directions.
async fn places(list: List, size: u64) -> Vec<Place> {
    let (mut places, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let page = list.page(cursor.as_deref(), size).await.unwrap();
        let key = |row: Option<&Fact>| row.map(|row| (Some(row.moment), Some(row.id))).unwrap();
        let mut add = |token: Option<&String>, row, direction| {
            places.extend(token.cloned().map(|token| Place { token, row: key(row), direction }));
        };
        add(page.next_cursor.as_ref(), page.data.last(), CursorDirection::Next);
        add(page.prev_cursor.as_ref(), page.data.first(), CursorDirection::Prev);
        cursor = page.next_cursor;
        if cursor.is_none() {
            return places;
        }
    }
}

/// The rows that a walk from a place has to return; `None` if one of them has NULL, which the model cannot hold.
fn rest(place: &Place, mut sorted: Vec<Loose>) -> Option<Vec<Loose>> {
    if place.direction == CursorDirection::Prev {
        sorted.reverse();
    }
    let at = sorted.iter().position(|row| *row == place.row).expect("the row is in the table");
    let rest = sorted.split_off(at + 1);
    rest.iter().all(|(moment, id)| moment.is_some() && id.is_some()).then_some(rest)
}

/// A table without NULL, and the cursors of all lists.
async fn not_null() -> (Folio, Pool, impl Sized, Vec<(List, Vec<Place>)>) {
    let columns = "id BIGINT NOT NULL, author BIGINT NOT NULL, moment BIGINT NOT NULL";
    let (folio, pool, kept) = db::lasting(&format!("CREATE TABLE facts ({columns}); {INDEXES}; {ROWS}"), 4).await;
    let mut all = Vec::new();
    for list in lists() {
        all.push((list, folio.scope(places(list, 2)).await));
    }
    (folio, pool, kept, all)
}

/// Each walk that continues has all rows that the database sorts after its cursor, or is an error.
async fn check_rest(all: &[(List, Vec<Place>)]) -> Result<()> {
    let (mut complete, mut refused) = (0, 0);
    for (list, places) in all {
        let sorted = list.sorted().await?;
        for place in places {
            let context = format!("{list:?} from {place:?}");
            match (list.walk(place, 2).await, rest(place, sorted.clone())) {
                (Ok(walked), Some(expected)) => {
                    assert_eq!(walked, expected, "{context}");
                    complete += 1;
                }
                // MySQL cannot read a temporary table twice in one statement, as some pages do.
                (Err(error), _) if error.to_string().contains("reopen table") => {
                    assert!(list.needs_several_selects(), "{context}: {error}");
                }
                (Err(error), None) => {
                    assert!(error.to_string().to_lowercase().contains("null"), "{context}: {error}");
                    refused += 1;
                }
                (walked, expected) => panic!("{context}: {walked:?} instead of {expected:?}"),
            }
        }
    }
    assert!(complete > 5 && refused > 20, "{complete} walks were complete and {refused} refused");
    Ok(())
}

const COLUMNS: &str = "id BIGINT, author BIGINT NOT NULL, moment BIGINT";

/// Rows with NULL in the order's first column, and in the one after it.
const WITH_NULL: [&str; 2] = ["(20, 1, NULL), (21, 0, NULL)", "(NULL, 1, 1), (NULL, 0, 3)"];

/// A migration allowed NULL after folio had asked the catalog.
#[tokio::test]
async fn a_null_that_a_migration_allows_is_read_or_refused() {
    let (folio, pool, _kept, all) = not_null().await;
    for rows in WITH_NULL {
        let insert = format!("INSERT INTO facts (id, author, moment) VALUES {rows}");
        db::run(&pool, format!("DROP TABLE facts; CREATE TABLE facts ({COLUMNS}); {INDEXES}; {ROWS}; {insert}")).await;
        folio.scope(check_rest(&all)).await.unwrap();
    }
}

/// A temporary table of the same name hides the table that folio asked about.
#[tokio::test]
async fn a_null_in_a_temporary_table_is_read_or_refused() {
    let (folio, _pool, _kept, all) = not_null().await;
    for rows in WITH_NULL {
        let work = DB::transaction(async || {
            db::here(format!("CREATE TEMPORARY TABLE facts ({COLUMNS})")).await?;
            db::here(ROWS).await?;
            db::here(format!("INSERT INTO facts (id, author, moment) VALUES {rows}")).await?;
            check_rest(&all).await?;
            // Another DROP TABLE would commit on MySQL.
            db::here(if server::QUOTE == '`' { "DROP TEMPORARY TABLE facts" } else { "DROP TABLE facts" }).await
        });
        folio.scope(work).await.unwrap();
    }
}

/// A page that skips rows does not know how many of them have a value.
#[tokio::test]
async fn a_null_behind_skipped_rows_is_refused() {
    let (folio, _pool, _kept, all) = not_null().await;
    // The direction in which rows with NULL come last.
    let descends = <server::Driver as sqlx::Database>::NAME != "PostgreSQL";
    let is_last = |list: &List| matches!(list.rows, Rows::All) && list.descends == [descends; 2];
    let (list, places) = all.iter().find(|(list, _)| is_last(list)).unwrap();
    let first = places.iter().find(|place| place.direction == CursorDirection::Next).unwrap();
    let page = async |skip| list.query().after(Some(&first.token)).skip(skip).cursor_paginate(2).await;
    let check = async {
        assert_eq!(page(50).await.unwrap().data, []);
        db::here("DROP TABLE facts").await?;
        db::here(format!("CREATE TABLE facts ({COLUMNS})")).await?;
        db::here(ROWS).await?;
        db::here(format!("INSERT INTO facts (id, author, moment) VALUES {}", WITH_NULL[0])).await?;
        let error = page(50).await.unwrap_err().to_string();
        assert!(error.contains("make the column an `Option`"), "{error}");
        Ok::<(), folio::FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

/// The rows after the cursor are gone, except for one that the page's conditions do not match, so no row says that it
/// is left out.
#[tokio::test]
async fn a_null_behind_an_empty_page_is_refused() {
    let (folio, _pool, _kept, all) = not_null().await;
    // The direction in which a row with NULL comes after the others of its moment.
    let descends = <server::Driver as sqlx::Database>::NAME != "PostgreSQL";
    let (kept, left_out) =
        if descends { ("moment = 3 AND id >= 11", "(NULL, 0, 3)") } else { ("id <= 2", "(NULL, 0, 1)") };
    let is_last = |list: &List| matches!(list.rows, Rows::All) && list.descends == [descends; 2];
    let (list, places) = all.iter().find(|(list, _)| is_last(list)).unwrap();
    let first = places.iter().find(|place| place.direction == CursorDirection::Next).unwrap();
    let check = async {
        db::here("DROP TABLE facts").await?;
        db::here(format!("CREATE TABLE facts ({COLUMNS})")).await?;
        db::here(ROWS).await?;
        db::here(format!("DELETE FROM facts WHERE NOT ({kept})")).await?;
        assert_eq!(list.page(Some(&first.token), 2).await?.data, []);
        db::here(format!("INSERT INTO facts (id, author, moment) VALUES {left_out}")).await?;
        let error = list.page(Some(&first.token), 2).await.unwrap_err().to_string();
        assert!(error.contains("make the column an `Option`"), "{error}");
        Ok::<(), folio::FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}
