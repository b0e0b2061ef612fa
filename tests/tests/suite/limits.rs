//! As much as the documentation allows: values of a filter, texts in a key, and bytes of a query string that links
//! keep.

use folio::relay::Window;
use folio::testing::Walk;
use folio::{ActiveRequest, Column, Folio, FrameworkError, Paginate, Pagination, Result, Select, Total};
use sea_query::{Asterisk, ExprTrait as _, Query};
use sqlx::Database as _;

use super::db;
use crate::server;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "notes", cursor_key = "title, id")]
struct Note {
    id: i64,
    #[expect(dead_code, reason = "only the cursors have it")]
    title: String,
    #[expect(dead_code, reason = "only an order has it")]
    stars: Option<i64>,
}

const ID: Column<i64> = Column::new("id");

async fn notes(titles: &[String]) -> (Folio, db::Pool) {
    let schema = "CREATE TABLE notes (id BIGINT PRIMARY KEY, title VARCHAR(4000) NOT NULL, stars BIGINT)";
    let (folio, pool) = db::folio(schema).await;
    for (id, title) in (1..).zip(titles) {
        let row = Query::insert()
            .into_table("notes")
            .columns(["id", "title"])
            .values_panic([i64::into(id), title.as_str().into()])
            .to_owned();
        folio.scope(async { sqlx_insert(&row).await }).await.unwrap();
    }
    (folio, pool)
}

/// Runs an INSERT whose values are written as literals.
async fn sqlx_insert(row: &sea_query::InsertStatement) -> Result<()> {
    let sql = match server::Driver::NAME {
        "SQLite" => row.to_string(sea_query::SqliteQueryBuilder),
        "PostgreSQL" => row.to_string(sea_query::PostgresQueryBuilder),
        _ => row.to_string(sea_query::MysqlQueryBuilder),
    };
    db::here(sql).await
}

/// A filter may have as many values as the database allows, on every kind of page.
#[tokio::test]
async fn a_filter_has_as_many_values_as_the_database_allows() {
    let (folio, _pool) = notes(&["a", "b", "c"].map(str::to_owned)).await;
    let most: i64 = if server::Driver::NAME == "SQLite" { 32_700 } else { 65_500 };
    let check = async {
        let filter = || Note::ID.is_in(2..2 + most);
        let select =
            || Query::select().column(Asterisk).from("notes").and_where(ID.to_expr().is_in(2..2 + most)).take();
        let model = async || Note::query().filter(filter()).order_by(Note::ID).page(1).paginate(1).await;
        let numbered = [
            model().await,
            Select::<Note>::from(select()).page(1).paginate(1).await,
            Select::<Note>::from(select()).order_by(ID).page(1).paginate(1).await,
        ];
        for (at, page) in numbered.into_iter().enumerate() {
            let page = page.unwrap_or_else(|error| panic!("numbered list {at}: {error}"));
            assert_eq!((page.total, page.data.len()), (2, 1), "numbered list {at}");
        }
        let query = || Note::query().filter(filter());
        // SQLite takes long to find parameters by their numbers.
        let few = || Note::query().filter(Note::ID.is_in(2..2 + most / 2 + 700));
        assert_eq!(query().page(2).simple_paginate(1).await.unwrap().data[0].id, 3);
        for nulls in [false, true] {
            // MySQL cannot refer to a parameter twice, and its own NULLs are first.
            let stars =
                if server::Driver::NAME == "MySQL" { Note::STARS.nulls_first() } else { Note::STARS.nulls_last() };
            let ordered = || match nulls {
                true => few().cursor_by((stars, Note::ID)),
                false => query().cursor_by(Note::ID),
            };
            let first = ordered().counted().cursor_paginate(1).await.unwrap();
            assert_eq!((first.data[0].id, first.total), (2, Some(Total::Exact(2))));
            let next = ordered().cursor(first.next_cursor.as_deref()).cursor_paginate(1).await.unwrap();
            assert_eq!(next.data[0].id, 3);
        }
    };
    folio.scope(check).await;
}

/// Whoever writes a title does not decide whether others can read the list.
#[tokio::test]
async fn a_list_can_be_sorted_by_any_title() {
    // MySQL sorts by 1,024 bytes only, and folio refuses longer texts.
    let (short, long) = if server::Driver::NAME == "MySQL" { (250, 250) } else { (255, 2_000) };
    let control: String = (1..=short).map(|at: u8| char::from(at % 31 + 1)).collect();
    // As JSON, each of these characters takes six bytes, and the text would not fit into a cursor.
    let many = control.repeat(if server::Driver::NAME == "MySQL" { 1 } else { 5 }).replace('\u{3}', "\u{4}");
    let titles =
        [control.clone(), control.replace('\u{2}', "\\"), many, "a".repeat(long), "é".repeat(long), "\"".repeat(250)];
    let mut sorted: Vec<_> = (1..).zip(&titles).collect();
    sorted.sort_by_key(|(_, title)| title.as_str());
    let expected: Vec<i64> = sorted.into_iter().map(|(id, _)| id).collect();
    let (folio, pool) = notes(&titles).await;
    let check = async {
        // The order of the database itself, whose collation may not be that of bytes.
        let own: Vec<(i64,)> =
            sqlx::query_as("SELECT id FROM notes ORDER BY title, id").fetch_all(&pool).await.unwrap();
        let own: Vec<i64> = own.into_iter().map(|(id,)| id).collect();
        assert!(server::Driver::NAME != "SQLite" || own == expected);
        for per_page in [1, 2, 9] {
            let walk = Walk::over(own.clone()).both_ways().run(async |cursor| {
                let list = Note::query().with_row_cursors().cursor(cursor.as_deref());
                Ok(list.cursor_paginate(per_page).await?.map(|note| note.id))
            });
            walk.await.unwrap_or_else(|error| panic!("pages of {per_page}: {error}"));
        }
    };
    folio.scope(check).await;
}

/// A title that no cursor can hold is an error on the page that would need it, which names the column.
#[tokio::test]
async fn a_title_that_is_too_long_for_a_cursor_is_named() {
    if server::Driver::NAME == "MySQL" {
        return;
    }
    let (folio, _pool) = notes(&["a".to_owned(), "\u{1F600}".repeat(4_000)]).await;
    let check = async {
        let first = Note::cursor_paginate(1).await.unwrap();
        assert!(first.next_cursor.is_some());
        let error = Note::query().cursor(first.next_cursor.as_deref()).cursor_paginate(1).await.unwrap_err();
        assert!(error.to_string().contains("`title`"), "{error}");
        // No page begins there.
        assert_eq!(Note::cursor_paginate(2).await.unwrap().data.len(), 2);
    };
    folio.scope(check).await;
}

/// A query string is repeated in each of up to 17 links.
#[tokio::test]
async fn links_keep_only_so_much_of_a_query_string() {
    let (folio, _pool) = notes(&["a", "b", "c"].map(str::to_owned)).await;
    let status = async |folio: &Folio, uri: String, keeps: bool| {
        let query = || if keeps { Note::query().with_query_string() } else { Note::query() };
        let read = async {
            let outcomes = [
                query().paginate(1).await.map(drop),
                query().simple_paginate(1).await.map(drop),
                query().cursor(None).cursor_paginate(1).await.map(drop),
                query().each_of(Note::ID, [1]).cursor_paginate(1).await.map(drop),
            ];
            outcomes.map(|outcome| {
                outcome.map_or_else(|error| (error.status(), error.to_string()), |()| (200, String::new()))
            })
        };
        folio.scope(ActiveRequest::new(&uri).scope(read)).await
    };
    let uri = |bytes: usize| format!("/notes?q={}", "a".repeat(bytes - 2));
    for (folio, most) in [(folio.clone(), 2_048), (folio.max_query_string(100), 100)] {
        for (status, text) in status(&folio, uri(most), true).await {
            assert_eq!((status, text.as_str()), (200, ""), "{most} bytes");
        }
        for (status, text) in status(&folio, uri(most + 1), true).await {
            assert_eq!(status, 400);
            assert!(text.contains(&format!("{most} bytes")), "{text}");
        }
        // Without links that keep it, and in the page's own parameter, any length will do.
        assert!(status(&folio, uri(9_000), false).await.iter().all(|(status, _)| *status == 200));
        let cursor = format!("/notes?q=a&page=1&page={}", "1".repeat(5_000));
        let numbered = status(&folio, cursor, true).await;
        assert_eq!(numbered[0].0, 200, "{numbered:?}");
    }
}

/// A page is refused before its statement is sent if it would skip too many rows, whoever chose its number.
#[tokio::test]
async fn a_page_skips_at_most_as_many_rows_as_it_is_told() {
    let (folio, pool) = notes(&["a", "b", "c", "d", "e", "f", "g"].map(str::to_owned)).await;
    let select = || Query::select().column("id").from("notes").order_by("id", sea_query::Order::Asc).take();
    let pages = async |number: u64, size: u64| {
        let request = ActiveRequest::new(&format!("/notes?page={number}&p={number}"));
        let named = request.clone().scope(Note::query().paginate_using("p", size)).await.map(|page| page.data.len());
        let (numbered, simple, text) = request
            .scope(async {
                let text = Select::<(i64,)>::sql("SELECT id FROM notes").order_by(ID);
                (
                    Note::query().paginate(size).await.map(|page| page.data.len()),
                    Note::query().simple_paginate(size).await.map(|page| page.data.len()),
                    text.paginate(size).await.map(|page| page.data.len()),
                )
            })
            .await;
        let by_hand = Note::query().page(number).paginate(size).await.map(|page| page.data.len());
        let function = Pagination::length_aware::<(i64,)>(select(), size, number).await.map(|page| page.data.len());
        let simply = Pagination::simple::<(i64,)>(select(), size, number).await.map(|page| page.data.len());
        [named, numbered, simple, text, by_hand, function, simply]
    };
    let check = async {
        for (number, size, rows) in [(0, 2, 2), (1, 2, 2), (2, 2, 2), (3, 2, 2), (1, u64::MAX, 7), (5, 1, 1), (2, 4, 3)]
        {
            for read in pages(number, size).await {
                assert_eq!(read.unwrap(), rows, "page {number} of {size}");
            }
        }
    };
    folio.clone().max_offset(4).scope(check).await;
    // Without the setting, and with none too small, every page is read.
    for folio in [folio.clone(), folio.clone().max_offset(u64::MAX)] {
        for number in [1, 9, u64::MAX / 2] {
            assert!(folio.scope(pages(number, 2)).await.iter().all(Result::is_ok), "{number}");
        }
    }
    // The database is not asked.
    pool.close().await;
    let check = async {
        for (number, size, last) in [(4, 2, 3), (6, 1, 5), (2, 5, 1), (2, u64::MAX, 1), (u64::MAX, 2, 3)] {
            for (at, read) in pages(number, size).await.into_iter().enumerate() {
                let error = read.unwrap_err();
                let name = if at == 0 { "p" } else { "page" };
                let message = format!(
                    "`{name}` is a number up to {last}, because a page skips at most 4 rows: narrow the filter, or read the \
                     list by cursor"
                );
                assert_eq!((error.status(), error.to_string()), (400, message));
                assert!(matches!(&error, FrameworkError::InvalidParameter { parameter, .. } if parameter == name));
            }
        }
        assert_eq!(Note::query().page(9).paginate(0).await.unwrap_err().to_string(), "invalid parameter `per_page`");
    };
    folio.max_offset(4).scope(check).await;
}

#[tokio::test]
async fn a_window_has_at_most_a_thousand_rows_unless_told_otherwise() {
    let (folio, _pool) = notes(&["a", "b", "c"].map(str::to_owned)).await;
    let windows = async |rows: i64| {
        let mut read = Vec::new();
        for (name, window) in [("first", Window::first(rows)), ("last", Window::last(rows))] {
            let posts = Note::query().connection(window.clone()).await.map(|connection| connection.edges.len());
            let each = Note::query().each_of(Note::TITLE, ["a".to_owned()]).connection(window.clone()).await;
            let select = Select::<Note>::sql("SELECT * FROM notes").order_by(ID).connection(window).await;
            read.extend([
                (name, posts),
                (name, each.map(|_| std::cmp::min(rows, 3) as usize)),
                (name, select.map(|select| select.edges.len())),
            ]);
        }
        read
    };
    for (folio, most) in
        [(folio.clone(), 1_000_i64), (folio.clone().max_window(2_000), 2_000), (folio.max_window(2), 2)]
    {
        let check = async {
            for (name, read) in windows(most).await {
                assert_eq!(read.unwrap() as i64, std::cmp::min(most, 3), "{name}");
            }
            for rows in [most + 1, i64::MAX] {
                for (name, read) in windows(rows).await {
                    let error = read.unwrap_err();
                    let message = format!("`{name}` is a number from 0 to {most}");
                    assert_eq!((error.status(), error.to_string()), (400, message));
                }
            }
        };
        folio.scope(check).await;
    }
}
