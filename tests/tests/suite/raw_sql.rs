//! Lists of SQL text: all pages together have the rows of the text, in the requested order.

use std::cmp::Ordering;
use std::collections::HashSet;

use folio::{Column, CursorPaginator, DB, Folio, FrameworkError, IntoOrder, Order, Paginate, Result, Select, Total};
use sqlx::{AssertSqlSafe, Database as _};

use crate::server::{self, ID, TEXT};
use crate::suite::db::{self, Pool};

const ROWS: i64 = 45;

/// Songs, with titles and ranks that tie, and singers.
async fn songs() -> (Folio, Pool) {
    let song = |id: i64| {
        let rank = if id % 4 == 0 { "NULL".to_owned() } else { (id % 3).to_string() };
        format!("({id}, {}, 't{}', {rank})", id % 3, id * 7 % 5)
    };
    let songs: Vec<String> = (1..=ROWS).map(song).collect();
    db::folio(&format!(
        "CREATE TABLE songs (id {ID}, singer BIGINT NOT NULL, title {TEXT} NOT NULL, stars BIGINT); \
         INSERT INTO songs VALUES {}; \
         CREATE TABLE singers (id {ID}, name {TEXT} NOT NULL); INSERT INTO singers VALUES (0, 'Ada'), (1, 'Max'); \
         CREATE TABLE notes (id {ID}, song BIGINT NOT NULL); INSERT INTO notes VALUES (1, 1), (2, 1), (3, 5)",
        songs.join(", ")
    ))
    .await
}

/// The text for this database, whose parameters are written as `?`.
fn written(text: &str) -> String {
    if server::Driver::NAME != "PostgreSQL" {
        return text.to_owned();
    }
    let parts = text.split('?').enumerate();
    parts.map(|(at, part)| if at == 0 { part.to_owned() } else { format!("${at}{part}") }).collect()
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "songs", cursor_key = "title")]
struct Song {
    id: i64,
    title: String,
}

/// A row of every text below: an id, a text and a number that may be NULL.
type Row = (i64, String, Option<i64>);

/// Texts that return such rows, and how many values each has: 1, 2 and so on.
const TEXTS: [(&str, usize); 18] = [
    ("SELECT id, title, stars FROM songs", 0),
    ("SELECT id, title, stars FROM songs WHERE singer = ?", 1),
    ("SELECT id, title, stars FROM songs WHERE singer = ? OR title = 't1' -- a comment", 1),
    (
        "SELECT s.id, a.name AS title, s.stars FROM songs AS s JOIN singers AS a ON a.id = s.singer WHERE s.singer <> ?",
        1,
    ),
    (
        "SELECT s.id, COALESCE(a.name, '-') AS title, a.id AS stars FROM songs s LEFT JOIN singers a ON a.id = s.singer",
        0,
    ),
    ("SELECT id, title, (SELECT COUNT(*) FROM notes WHERE song = songs.id) AS stars FROM songs WHERE singer <> ?", 1),
    ("SELECT id, upper(title) AS title, stars * 2 AS stars FROM songs /* ; */", 0),
    ("WITH own AS (SELECT * FROM songs WHERE singer = ?) SELECT id, title, stars FROM own", 1),
    (
        "WITH a AS (SELECT * FROM songs), b AS (SELECT * FROM a WHERE singer = ?) \
      SELECT b.id, a.title, b.stars FROM b JOIN a ON a.id = b.id",
        1,
    ),
    ("SELECT id, title, stars FROM songs WHERE singer = ? UNION ALL SELECT id + 100, title, NULL FROM songs", 1),
    ("SELECT id, title, stars FROM songs UNION SELECT id, title, stars FROM songs WHERE singer = ?", 1),
    ("SELECT DISTINCT singer AS id, title, stars FROM songs WHERE singer >= ?", 1),
    ("SELECT MIN(id) AS id, title, COUNT(*) AS stars FROM songs WHERE singer <> ? GROUP BY title", 1),
    ("SELECT id, title, COUNT(*) OVER (PARTITION BY singer ORDER BY id) AS stars FROM songs WHERE singer < ?", 1),
    ("SELECT * FROM (SELECT id, title, stars FROM songs WHERE singer = ? ORDER BY id DESC LIMIT 20) AS newest", 1),
    ("(SELECT id, title, stars FROM songs WHERE singer = ?) UNION ALL (SELECT id + 50, title, 7 FROM songs)", 1),
    ("SELECT id, title, stars FROM songs WHERE singer = ? AND title IN (SELECT title FROM songs WHERE id > ?)", 2),
    (
        "WITH own AS (SELECT id, title, stars FROM songs WHERE singer = ?) SELECT * FROM own WHERE id > ? UNION SELECT \
         id + 100, title, stars FROM own",
        2,
    ),
];

fn select(text: &str, values: usize) -> Select<Row> {
    let select = Select::<Row>::sql(AssertSqlSafe(written(text)));
    (1_i64..).take(values).fold(select, |select, value| select.bind(value))
}

/// The rows of a text, in no order.
async fn rows(pool: &Pool, text: &str, values: usize) -> Vec<Row> {
    let query = sqlx::query_as(AssertSqlSafe(written(text)));
    (1_i64..).take(values).fold(query, |query, value| query.bind(value)).fetch_all(pool).await.unwrap()
}

const NUMBER: Column<i64> = Column::new("id");
const LABEL: Column<String> = Column::new("title");
const STARS: Column<Option<i64>> = Column::new("stars");

type Compare = fn(&Row, &Row) -> Ordering;

/// Orders in which no two rows of a text tie, and the same as a function.
fn orders() -> Vec<(Order, Compare)> {
    // `Option` has `None` first.
    fn last(row: &Row) -> (bool, Option<i64>) {
        (row.2.is_none(), row.2)
    }
    vec![
        ((NUMBER, LABEL, STARS.nulls_first()).erased(), |a, b| (a.0, &a.1, a.2).cmp(&(b.0, &b.1, b.2))),
        ((LABEL.desc(), NUMBER, STARS.nulls_last()).erased(), |a, b| {
            b.1.cmp(&a.1).then(a.0.cmp(&b.0)).then(last(a).cmp(&last(b)))
        }),
        ((STARS.nulls_last(), NUMBER.desc(), LABEL).erased(), |a, b| {
            last(a).cmp(&last(b)).then(b.0.cmp(&a.0)).then(a.1.cmp(&b.1))
        }),
        ((STARS.desc().nulls_last(), LABEL, NUMBER.desc()).erased(), |a, b| {
            (a.2.is_none(), b.2).cmp(&(b.2.is_none(), a.2)).then(a.1.cmp(&b.1)).then(b.0.cmp(&a.0))
        }),
    ]
}

/// All pages by cursor, forwards and then back to the first.
async fn walk(select: &Select<Row>, size: u64) -> Result<Vec<Row>> {
    let page = async |cursor: Option<String>| select.clone().cursor(cursor.as_deref()).cursor_paginate(size).await;
    let mut forwards: Vec<CursorPaginator<Row>> = vec![page(None).await?];
    while let Some(next) = forwards.last().and_then(|page| page.next_cursor.clone()) {
        forwards.push(page(Some(next)).await?);
    }
    let mut back = forwards.last().and_then(|page| page.prev_cursor.clone());
    for expected in forwards.iter().rev().skip(1) {
        let found = page(back.take()).await?;
        assert_eq!(found.data, expected.data, "backwards");
        back = found.prev_cursor;
    }
    assert_eq!(back, None);
    Ok(forwards.into_iter().flat_map(|page| page.data).collect())
}

#[tokio::test]
async fn all_pages_together_have_the_texts_rows() {
    let (folio, pool) = songs().await;
    let check = async {
        for (text, values) in TEXTS {
            if text.starts_with('(') && server::Driver::NAME == "SQLite" {
                // SQLite has no parentheses around the selects of a UNION.
                continue;
            }
            let mut expected = rows(&pool, text, values).await;
            assert!(expected.len() > 3, "{text}");
            for ((order, compare), size) in orders().into_iter().zip([4, 9, 100, 6]) {
                expected.sort_by(compare);
                let select = select(text, values).order_by(order.clone());
                assert_eq!(walk(&select, size).await.unwrap(), expected, "{text}: {order:?}");
                let mut numbered = Vec::new();
                for page in 1.. {
                    let found = select.clone().page(page).paginate(15).await.unwrap();
                    assert_eq!(found.total, u64::try_from(expected.len()).unwrap(), "{text}");
                    let simple = select.clone().page(page).simple_paginate(15).await.unwrap();
                    assert_eq!(simple.data, found.data, "{text}");
                    if found.data.is_empty() {
                        break;
                    }
                    numbered.extend(found.data);
                }
                assert_eq!(numbered, expected, "{text}: {order:?}");
            }
            let total = select(text, values).order_by(orders()[0].0.clone()).counted().cursor_paginate(1).await;
            assert_eq!(total.unwrap().total, Some(Total::Exact(u64::try_from(expected.len()).unwrap())), "{text}");
        }
    };
    folio.scope(check).await;
}

/// The same as UNION ALL, with the page read from each text.
#[tokio::test]
async fn pages_of_united_texts_are_the_rows_of_all() {
    let (folio, pool) = songs().await;
    let texts = [
        "SELECT id, title, stars FROM songs WHERE singer = ?",
        "SELECT id + 100 AS id, title, stars FROM songs WHERE singer <> ?",
        "SELECT MIN(id) + 200 AS id, title, COUNT(*) AS stars FROM songs GROUP BY title",
    ];
    let check = async {
        let mut expected = rows(&pool, &texts.join(" UNION ALL "), 2).await;
        let [first, second, third] = texts;
        let second = if server::Driver::NAME == "PostgreSQL" { second.replace('?', "$2") } else { second.to_owned() };
        for (order, compare) in orders() {
            expected.sort_by(compare);
            let select = select(first, 1).union_all(AssertSqlSafe(second.clone())).bind(2_i64);
            let select = select.union_all(third).order_by(order.clone());
            for size in [5, 100] {
                assert_eq!(walk(&select, size).await.unwrap(), expected, "{order:?}");
            }
            let pages = (1..=6).map(|page| select.clone().page(page).paginate(10));
            let mut numbered = Vec::new();
            for page in pages {
                let page = page.await.unwrap();
                assert_eq!(page.total, u64::try_from(expected.len()).unwrap());
                numbered.extend(page.data);
            }
            assert_eq!(numbered, expected, "{order:?}");
        }
    };
    folio.scope(check).await;
}

/// Any value that sqlx encodes: options, texts, bytes, and a value for one database.
#[tokio::test]
async fn any_value_is_bound() {
    let (folio, _pool) = songs().await;
    let check = async {
        let text = "SELECT id FROM songs WHERE (stars = ? OR title = ? OR title = ?) AND id > ?";
        let select = |stars: Option<i64>| {
            Select::<(i64,)>::sql(AssertSqlSafe(written(text)))
                .bind(stars)
                .bind("t0")
                .bind("t1".to_owned())
                .bind_for::<server::Driver, _>(40_i64)
                .order_by(NUMBER)
        };
        assert_eq!(select(None).cursor_paginate(9).await.unwrap().data, [(43,), (45,)]);
        assert_eq!(select(Some(2)).cursor_paginate(9).await.unwrap().data, [(41,), (43,), (45,)]);
        assert_eq!(select(Some(2)).paginate(2).await.unwrap().total, 3);
    };
    folio.scope(check).await;
}

/// The same text with values of other types is another statement on PostgreSQL.
#[tokio::test]
async fn a_text_is_read_with_values_of_other_types() {
    let (folio, _pool) = songs().await;
    let text = written("SELECT id FROM songs WHERE stars = ? AND id > 3");
    let check = async {
        let select = || Select::<(i64,)>::sql(AssertSqlSafe(text.clone())).order_by(NUMBER);
        for _ in 0..3 {
            assert_eq!(select().bind(2_i64).cursor_paginate(2).await.unwrap().data, [(5,), (11,)]);
            assert_eq!(select().bind(2_i32).cursor_paginate(2).await.unwrap().data, [(5,), (11,)]);
            assert_eq!(select().bind(2_i16).paginate(2).await.unwrap().data, [(5,), (11,)]);
        }
    };
    folio.scope(check).await;
}

/// What the text, its values or its order have wrong.
#[tokio::test]
async fn a_mistake_says_what_to_write() {
    let (folio, pool) = songs().await;
    let plain = "SELECT id, title, stars FROM songs";
    let check = async {
        let fails = async |select: Select<Row>, expected: &str| {
            for error in [
                select.clone().paginate(2).await.unwrap_err(),
                select.clone().simple_paginate(2).await.unwrap_err(),
                select.cursor_paginate(2).await.unwrap_err(),
            ] {
                assert!(matches!(error, FrameworkError::Internal { .. }), "{error:?}");
                assert!(error.to_string().contains(expected), "{error}");
            }
        };
        fails(select(plain, 0), "needs an order: add `order_by`").await;
        let by_id = |text: &str| select(text, 0).order_by(NUMBER);
        fails(by_id("SELECT id, title, stars FROM songs ORDER BY id"), "has ORDER BY: remove it").await;
        fails(by_id("SELECT id, title, stars FROM songs;"), "ends with a semicolon").await;
        fails(by_id("SELECT id, title, stars FROM songs WHERE id = 1 FOR UPDATE"), "locks rows").await;
        fails(by_id(plain).bind(1_i64), "has 0 parameters, but 1 value was bound").await;
        let missing = select(plain, 0).order_by((Column::<String>::new("titel"), NUMBER));
        fails(
            missing,
            "the order has `titel`, which is not a column of the SQL text: select it. The text's columns are `id`, `title`, `stars`",
        )
        .await;
        let other = select("SELECT a.id, a.name AS title, a.id AS stars FROM singers a", 0);
        fails(other.order_by(Song::ID), "the order has `songs.id`").await;
        let renamed = format!("SELECT id, title, stars, title AS {} FROM songs", db::quoted("TITLE"));
        for text in ["SELECT s.*, a.* FROM songs s JOIN singers a ON a.id = s.singer", &renamed] {
            fails(by_id(text), "several columns of the SQL text, or of a subquery in it, have the same name").await;
        }
        for other in ["SELECT id, stars, title FROM songs", "SELECT id, title, stars AS score FROM songs"] {
            let united = by_id(plain).union_all(other);
            fails(united, "have different columns: `id`, `title`, `stars`, and `id`, ").await;
        }
        let built = sea_query::Query::select().column("id").from("songs").take();
        let built = || Select::<(i64,)>::from(built.clone()).order_by(NUMBER);
        for (select, method) in
            [(built().bind(1_i64), "`bind` is for SQL text"), (built().union_all("SELECT 1"), "`union_all`")]
        {
            let error = select.paginate(2).await.unwrap_err();
            assert!(error.to_string().contains(method), "{error}");
        }
    };
    folio.scope(check).await;
    drop(pool);
}

/// A column that a migration adds is found without a restart.
#[tokio::test]
async fn a_new_column_is_found() {
    let (folio, pool) = songs().await;
    let all = || Select::<(i64,)>::sql("SELECT notes.* FROM notes").order_by(NUMBER);
    let newer = || all().order_by((Column::<Option<i64>>::new("added").nulls_last(), NUMBER));
    let both = || Select::<(i64,)>::sql("SELECT notes.*, 1 AS added FROM notes").order_by(NUMBER);
    let check = async {
        assert_eq!(all().paginate(2).await.unwrap().total, 3);
        both().simple_paginate(2).await.unwrap();
        assert!(newer().paginate(2).await.unwrap_err().to_string().contains("`added`"));
        db::run(&pool, "ALTER TABLE notes ADD COLUMN added BIGINT").await;
        assert_eq!(newer().paginate(2).await.unwrap().total, 3);
        // Two columns have the name now, and which of them is read would be chance.
        both().paginate(2).await.unwrap_err();
        both().page(2).simple_paginate(2).await.unwrap_err();
    };
    folio.scope(check).await;
}

/// A mistake that is found before the page's statement does not end the transaction.
#[tokio::test]
async fn a_missing_column_does_not_end_the_transaction() {
    let (folio, _pool) = songs().await;
    let work = async || {
        db::here("DELETE FROM songs WHERE id > 40").await?;
        let text = "SELECT id, title, stars FROM songs WHERE id > 0";
        assert!(select(text, 0).order_by(Column::<i64>::new("none")).paginate(2).await.is_err());
        Ok::<_, FrameworkError>(select(text, 0).order_by(NUMBER).paginate(2).await?.total)
    };
    assert_eq!(folio.scope(DB::transaction(work)).await.unwrap(), 40);
}

/// A value that PostgreSQL cannot store comes from a client, as it does in a filter.
#[tokio::test]
async fn a_text_with_a_nul_character_is_the_clients_mistake() {
    let (folio, _pool) = songs().await;
    let select =
        || Select::<(i64,)>::sql(AssertSqlSafe(written("SELECT id FROM songs WHERE title = ?"))).order_by(NUMBER);
    let check = async {
        for page in [select().bind("a\0").paginate(2).await, select().bind(Some("\0".to_owned())).paginate(2).await] {
            match page {
                Err(error) => {
                    assert_eq!((error.status(), server::Driver::NAME), (400, "PostgreSQL"));
                    assert_eq!(error.to_string(), "the database cannot store a text with a NUL character");
                }
                Ok(page) => assert!(page.total == 0 && server::Driver::NAME != "PostgreSQL"),
            }
        }
    };
    folio.scope(check).await;
}

/// Cursors are bound to a name and, if asked for, to the text and its values.
#[tokio::test]
async fn cursors_are_bound_to_text_and_values() {
    let (folio, _pool) = songs().await;
    let text = written("SELECT id FROM songs WHERE singer = ?");
    let list = |singer: i64| Select::<(i64,)>::sql(AssertSqlSafe(text.clone())).bind(singer).order_by(NUMBER);
    let check = async {
        let next = list(1).bind_filters().cursor_paginate(2).await.unwrap().next_cursor;
        let status = async |select: Select<(i64,)>| {
            select.cursor(next.as_deref()).cursor_paginate(2).await.map_or_else(|error| error.status(), |_| 200)
        };
        assert_eq!(status(list(1).bind_filters()).await, 200);
        assert_eq!(status(list(2).bind_filters()).await, 400);
        assert_eq!(status(list(1)).await, 400);
        let other = text.replace("singer", "stars");
        assert_eq!(status(Select::sql(AssertSqlSafe(other)).bind(1_i64).order_by(NUMBER).bind_filters()).await, 400);
    };
    folio.scope(check).await;
}

/// Ties that a page would lose are an error, and so is a text that returns a NULL as a plain value.
#[tokio::test]
async fn ties_are_refused() {
    let (folio, _pool) = songs().await;
    let check = async {
        let error =
            select("SELECT id, title, stars FROM songs", 0).order_by(LABEL).cursor_paginate(2).await.unwrap_err();
        assert!(error.to_string().contains("rows tie in the cursor order (title)"), "{error}");
        let ids: HashSet<_> = rows(&_pool, "SELECT id, title, stars FROM songs", 0).await.into_iter().collect();
        assert_eq!(ids.len(), usize::try_from(ROWS).unwrap());
    };
    folio.scope(check).await;
}
