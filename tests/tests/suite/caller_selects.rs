//! Selects that the caller writes: a page shows the rows of the statement, or an error says what to write instead.

use folio::{Column, Folio, FrameworkError, IntoOrder, Paginate, Pagination};
use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};

use crate::server::{self, ID, TEXT};
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "books")]
#[expect(dead_code, reason = "only its columns matter here")]
struct Book {
    id: i64,
    title: String,
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "copies")]
#[expect(dead_code, reason = "only its columns matter here")]
struct BookCopy {
    id: i64,
    book_id: i64,
}

/// Nine books with three copies each. Two of three titles differ only in case.
async fn library() -> (Folio, Pool) {
    let (create, folded) = server::FOLDED;
    let schema = format!(
        "{create} CREATE TABLE books (id {ID}, title {TEXT} NOT NULL, folded {folded} NOT NULL, shelf INTEGER);
         CREATE TABLE copies (id {ID}, book_id BIGINT NOT NULL)"
    );
    let (folio, pool) = db::folio(&schema).await;
    let book = |id: i64| {
        let letter = [b'a', b'A', b'b'][usize::try_from(id % 3).unwrap()] as char;
        let shelf = if id % 3 == 0 { "NULL".to_owned() } else { id.to_string() };
        format!("({id}, 'title {id}', '{letter}{}', {shelf})", id / 3)
    };
    let books: Vec<String> = (0..9).map(book).collect();
    let copies: Vec<String> = (0..27).map(|id| format!("({id}, {})", id % 9)).collect();
    db::run(&pool, format!("INSERT INTO books VALUES {}", books.join(", "))).await;
    db::run(&pool, format!("INSERT INTO copies VALUES {}", copies.join(", "))).await;
    (folio, pool)
}

fn books() -> SelectStatement {
    Query::select().column(("books", "id")).from("books").take()
}

/// Books joined with each of their copies.
fn joined() -> SelectStatement {
    books().inner_join("copies", BookCopy::BOOK_ID.to_expr().eq(Book::ID.to_expr())).take()
}

type Walked = Result<Vec<i64>, FrameworkError>;

/// The first columns of the rows of a walk to the end and back.
async fn walk<T: First>(select: &SelectStatement, per_page: u64, order: impl IntoOrder + Copy) -> Walked {
    let (mut rows, mut cursor, mut pages) = (Vec::new(), None::<String>, 0);
    let last = loop {
        let page = Pagination::cursor::<T>(select.clone(), cursor.as_deref(), per_page, order).await?;
        rows.extend(page.data.iter().map(First::first));
        pages += 1;
        assert!(pages < 100, "the walk never ends");
        if page.next_cursor.is_none() {
            break page;
        }
        cursor = page.next_cursor;
    };
    let (mut back, mut cursor) = (last.data.iter().map(First::first).rev().collect::<Vec<_>>(), last.prev_cursor);
    while let Some(prev) = cursor {
        let page = Pagination::cursor::<T>(select.clone(), Some(&prev), per_page, order).await?;
        back.extend(page.data.iter().map(First::first).rev());
        pages += 1;
        assert!(pages < 200, "the walk back never ends");
        cursor = page.prev_cursor;
    }
    back.reverse();
    assert_eq!(back, rows, "the way back");
    Ok(rows)
}

trait First: folio::FromDatabaseRow {
    fn first(&self) -> i64;
}

macro_rules! first {
    ($($row:ty),*) => {$(
        impl First for $row {
            fn first(&self) -> i64 {
                self.0
            }
        }
    )*};
}
first!((i64,), (i64, i64), (i64, String));

fn message<T: std::fmt::Debug>(outcome: Result<T, FrameworkError>) -> String {
    outcome.unwrap_err().to_string()
}

#[tokio::test]
async fn rows_that_a_join_repeats_are_not_lost() {
    let (folio, _pool) = library().await;
    let work = async {
        // A page that ends between two of a book's copies would lose one.
        let error = message(walk::<(i64,)>(&joined(), 2, Book::ID).await);
        assert!(error.contains("rows tie in the cursor order (books.id)"), "{error}");
        let select = folio::Select::<Book>::model(joined().column(Book::TITLE).take());
        let error = message(Pagination::cursor(select, None, 2, Book::TITLE).await);
        assert!(error.contains("rows tie in the cursor order (books.title, books.id)"), "{error}");
        // Pages of whole groups of copies lose none.
        let whole = walk::<(i64,)>(&joined(), 3, Book::ID).await.unwrap();
        assert_eq!(whole, (0..27).map(|row| row / 3).collect::<Vec<_>>());
        let all = walk::<(i64,)>(&joined(), 2, (Book::ID, BookCopy::ID)).await.unwrap();
        assert_eq!(all, whole);
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn ties_are_found_as_the_database_compares() {
    let (folio, _pool) = library().await;
    let folded = Column::<String>::new("folded");
    let work = async {
        let select = Query::select().column("id").from("books").take();
        let error = message(walk::<(i64,)>(&select, 1, folded).await);
        assert!(error.contains("rows tie in the cursor order (folded)"), "{error}");
        assert_eq!(walk::<(i64,)>(&select, 2, (folded, Column::<i64>::new("id"))).await.unwrap().len(), 9);
        assert_eq!(walk::<(i64,)>(&select, 2, (folded, Book::ID)).await.unwrap().len(), 9);
        // A unique text needs no other column.
        assert_eq!(walk::<(i64,)>(&select, 2, Column::<String>::new("title")).await.unwrap().len(), 9);
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn an_alias_is_a_key_like_any_other() {
    let (folio, _pool) = library().await;
    let work = async {
        // The key names the alias, even if the table has a column of that name.
        for alias in ["label", "title", "Label"] {
            let select = books().expr_as(Expr::col("id").mul(-10), alias).take();
            let walked = walk::<(i64, i64)>(&select, 2, Column::<i64>::new(alias)).await.unwrap();
            assert_eq!(walked, [8, 7, 6, 5, 4, 3, 2, 1, 0], "{alias}");
        }
        let unknown = message(walk::<(i64,)>(&books(), 2, Column::<String>::new("label")).await);
        assert!(unknown.contains("label"), "{unknown}");
        // A grouped select has only the columns of its result.
        let grouped = books().distinct().take();
        let unknown = message(walk::<(i64,)>(&grouped, 2, Column::<String>::new("title")).await);
        assert!(unknown.contains("`title`, which is not among the columns of the select's result"), "{unknown}");
        let unknown = message(walk::<(i64,)>(&grouped, 2, BookCopy::ID).await);
        assert!(unknown.contains("`copies.id`, which is not among the columns"), "{unknown}");
        assert_eq!(walk::<(i64,)>(&grouped, 2, Book::ID).await.unwrap().len(), 9);
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn equal_column_names_are_refused() {
    let (folio, _pool) = library().await;
    let work = async {
        let both = joined().column(("copies", "id")).take();
        for select in [both.clone(), both.clone().distinct().take()] {
            for error in [
                message(walk::<(i64, i64)>(&select, 2, (Book::ID, BookCopy::ID)).await),
                message(walk::<(i64, i64)>(&select, 2, Column::<i64>::new("id")).await),
            ] {
                assert!(
                    error.contains("id") && error.to_lowercase().contains("alias") || error.contains("ambiguous"),
                    "{error}"
                );
            }
        }
        let named = joined().expr_as(BookCopy::ID.to_expr(), "copy_id").distinct().take();
        let walked = walk::<(i64, i64)>(&named, 2, (Book::ID, BookCopy::ID)).await.unwrap();
        assert_eq!(walked, (0..27).map(|row| row / 3).collect::<Vec<_>>());
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn aggregates_are_counted_and_walked_as_a_whole() {
    let (folio, pool) = library().await;
    let list = |sql: &str| Query::select().expr(Expr::cust(sql.to_owned())).from("books").take();
    let work = async {
        for sql in [
            "(CAST(SUM(id) AS DECIMAL(9)) + 1) AS n",
            "CASE WHEN SUM(id) > 1 THEN 1 ELSE 2 END AS n",
            "(COUNT(*)) AS n",
            "(COUNT(id) + 0) AS n",
        ] {
            assert_eq!(total(list(sql)).await, 1, "{sql}");
        }
        // PostgreSQL and SQLite accept a space before the parenthesis.
        if server::QUOTE == '"' {
            assert_eq!(total(list("COUNT (*) AS n")).await, 1);
        }
        // The numbers of a window function do not start over on each page.
        let number = "ROW_NUMBER() OVER (ORDER BY id DESC)";
        // On MySQL it is unsigned.
        let number = if server::QUOTE == '`' { format!("CAST({number} AS SIGNED)") } else { format!("({number} + 0)") };
        let numbered = list(&format!("id, {number} AS place"));
        assert_eq!(
            walk::<(i64, i64)>(&numbered, 2, Column::<i64>::new("place")).await.unwrap(),
            [8, 7, 6, 5, 4, 3, 2, 1, 0]
        );
        let second =
            Pagination::cursor::<(i64, i64)>(numbered.clone(), None, 2, Column::<i64>::new("id")).await.unwrap();
        let second = second.next_cursor;
        let second =
            Pagination::cursor::<(i64, i64)>(numbered, second.as_deref(), 2, Column::<i64>::new("id")).await.unwrap();
        assert_eq!(second.data, [(2, 7), (3, 6)]);
        // A raw select list may bring its own FROM, and there may be none.
        let raw = Query::select().expr(Expr::cust("id FROM books")).take();
        assert_eq!(
            (total(raw.clone()).await, walk::<(i64,)>(&raw, 2, Column::<i64>::new("id")).await.unwrap().len()),
            (9, 9)
        );
        assert_eq!(total(Query::select().expr(Expr::cust("1 AS n")).take()).await, 1);
        let subquery =
            books().expr_as(Expr::cust("(SELECT COUNT(*) FROM copies WHERE book_id = books.id)"), "copies").take();
        assert_eq!(total(subquery.clone()).await, 9);
        assert_eq!(walk::<(i64, i64)>(&subquery, 2, (Column::<i64>::new("copies"), Book::ID)).await.unwrap().len(), 9);
    };
    folio.scope(work).await;
    drop(pool);
}

/// The total of a select, without its rows.
async fn total(select: SelectStatement) -> u64 {
    // A page past the end reads no rows.
    Pagination::length_aware::<(i64,)>(select, 15, 1_000).await.unwrap().total
}

#[tokio::test]
async fn the_limit_of_a_select_is_kept() {
    let (folio, _pool) = library().await;
    let work = async {
        let top = || books().order_by("id", Order::Desc).limit(4).take();
        let page = Pagination::length_aware::<(i64,)>(top(), 3, 2).await.unwrap();
        assert_eq!((page.total, page.last_page, page.data), (4, 2, vec![(5,)]));
        let page = Pagination::simple::<(i64,)>(top(), 3, 1).await.unwrap();
        assert_eq!((page.has_more, page.data), (true, vec![(8,), (7,), (6,)]));
        let page = Pagination::simple::<(i64,)>(top(), 3, 2).await.unwrap();
        assert_eq!((page.has_more, page.data), (false, vec![(5,)]));
        assert_eq!(walk::<(i64,)>(&top(), 3, Book::ID).await.unwrap(), [5, 6, 7, 8]);
        let rest = books().order_by("id", Order::Asc).offset(7).take();
        assert_eq!(total(rest.clone()).await, 2);
        assert_eq!(walk::<(i64,)>(&rest, 1, Book::ID).await.unwrap(), [7, 8]);
        let distinct = top().distinct().offset(1).take();
        assert_eq!(walk::<(i64,)>(&distinct, 3, Book::ID).await.unwrap(), [4, 5, 6, 7]);
        // A limit in raw SQL is also a limit.
        let raw = books().and_where(Expr::cust("1 = 1 LIMIT 3")).take();
        assert_eq!(walk::<(i64,)>(&raw, 2, Column::<i64>::new("id")).await.unwrap().len(), 3);
        let error = message(Pagination::simple::<(i64,)>(raw, 2, 1).await);
        assert!(error.contains("LIMIT or OFFSET in raw SQL"), "{error}");
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn a_select_that_hides_rows_or_locks_beyond_the_page_is_refused() {
    let (folio, _pool) = library().await;
    let work = async {
        let mut selects = vec![(books().and_where(Expr::cust("1 = 1 -- all")).take(), "`--`")];
        // SQLite has no locks, and sea-query writes none for it.
        if !std::any::type_name::<server::Driver>().contains("Sqlite") {
            selects.push((books().lock(LockType::Update).take(), "remove the lock"));
            selects.push((books().lock(LockType::Share).take(), "remove the lock"));
        }
        for (select, expected) in selects {
            for error in [
                message(Pagination::length_aware::<(i64,)>(select.clone(), 2, 1).await),
                message(Pagination::simple::<(i64,)>(select.clone(), 2, 1).await),
                message(Pagination::cursor::<(i64,)>(select.clone(), None, 2, Book::ID).await),
            ] {
                assert!(error.contains(expected), "{error}");
            }
        }
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn text_in_a_literal_is_unchanged() {
    let (folio, pool) = library().await;
    db::run(&pool, "INSERT INTO books VALUES (100, 'a LIMIT ? b', 'x', 1)").await;
    let work = async {
        let raw = || Expr::cust("title = 'a LIMIT ? b'");
        assert_eq!(total(books().and_where(raw()).take()).await, 1);
        assert_eq!(walk::<(i64,)>(&books().and_where(raw()).take(), 2, Book::ID).await.unwrap(), [100]);
        assert_eq!(Book::query().filter(raw()).paginate(2).await.unwrap().total, 1);
        assert_eq!(Book::query().filter(raw()).cursor_paginate(2).await.unwrap().data.len(), 1);
    };
    folio.scope(work).await;
}

/// What a string with a backslash, a string between dollars or a bracket is differs between databases.
#[tokio::test]
async fn raw_sql_is_read_as_its_database_reads_it() {
    let (folio, pool) = library().await;
    db::run(&pool, "INSERT INTO books VALUES (100, 'it''s OR (', 'x', 1)").await;
    let conditions: &[&str] = match <server::Driver as sqlx::Database>::NAME {
        "SQLite" => &["[title] <> 'C:\\'", "title <> 'C:\\' /*! OR ( */", "[books].[title] <> ' OR (\\'"],
        "PostgreSQL" => &[
            "title = $$it's OR ($$ OR id < 9",
            "title = $a$it's OR ($a$ OR id < 9",
            "title = E'it\\'s OR (' OR id < 9",
            "id <> ALL (ARRAY[-1, -2]) /* OR ( /* */ OR ( */",
            "(ARRAY['a', title])[2] = title /*! OR ( */",
        ],
        _ => &["title <> 'C:\\dir OR ('", "title = \"it's OR (\" OR id < 9", "title <> 'it\\'s OR ( not'"],
    };
    let work = async {
        for condition in conditions {
            let all = || books().and_where(Expr::cust(*condition)).take();
            let ids = [0, 1, 2, 3, 4, 5, 6, 7, 8, 100];
            assert_eq!(total(all()).await, 10, "{condition}");
            assert_eq!(walk::<(i64,)>(&all(), 3, Book::ID).await.unwrap(), ids, "{condition}");
            let some = || all().and_where(Expr::col("id").gt(6)).take();
            assert_eq!(total(some()).await, 3, "{condition}");
            assert_eq!(walk::<(i64,)>(&some(), 2, Book::ID).await.unwrap(), [7, 8, 100], "{condition}");
        }
    };
    folio.scope(work).await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "books")]
#[expect(dead_code, reason = "it cannot be read")]
struct Misspelled {
    id: i64,
    titel: String,
}

/// SQLite reads a name in double quotes that it does not know as a string.
#[tokio::test]
async fn a_column_that_the_table_lacks_is_an_error() {
    let (folio, _pool) = library().await;
    let work = async {
        for error in [
            message(Misspelled::paginate(2).await),
            message(Misspelled::cursor_paginate(2).await),
            message(Misspelled::query().filter(Misspelled::TITEL.eq("titel")).simple_paginate(2).await),
        ] {
            assert!(error.contains("titel"), "{error}");
        }
    };
    folio.scope(work).await;
}

/// The same table with a field that is not an `Option`, though its column can be NULL.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "books")]
#[expect(dead_code, reason = "only its columns matter here")]
struct Shelved {
    id: i64,
    shelf: i32,
}

#[tokio::test]
async fn rows_with_an_undeclared_null_are_seen_or_refused() {
    let (folio, _pool) = library().await;
    let bare = Column::<i32>::new("shelf");
    let parity = Column::<i64>::new("parity");
    let halves = || {
        Query::select().column("id").expr_as(Expr::col("id").modulo(2), "parity").column("shelf").from("books").take()
    };
    let mut refused = 0;
    let mut check = |walked: Walked| match walked {
        Ok(mut rows) => {
            rows.sort_unstable();
            assert_eq!(rows, (0..9).collect::<Vec<_>>());
        }
        Err(error) => {
            assert!(
                error.to_string().contains("NULL in a cursor key column whose type cannot hold it: make it"),
                "{error}"
            );
            refused += 1;
        }
    };
    let work = async {
        for per_page in 1..=10 {
            check(walk::<(i64,)>(&books(), per_page, (Shelved::SHELF, Shelved::ID)).await);
            check(walk::<(i64,)>(&books(), per_page, (Shelved::SHELF.desc(), Shelved::ID)).await);
            check(walk::<(i64,)>(&books(), per_page, (bare, Column::<i64>::new("id"))).await);
            check(walk::<(i64,)>(&books(), per_page, (bare.desc(), Column::<i64>::new("id").desc())).await);
            check(
                walk::<(i64,)>(&joined().distinct().column("shelf").take(), per_page, (bare, Book::ID))
                    .await
                    .map(drop_copies),
            );
            check(walk::<Wide>(&halves(), per_page, (parity, bare, Book::ID)).await);
            check(walk::<Wide>(&halves(), per_page, (parity.desc(), bare.desc(), Book::ID)).await);
        }
    };
    folio.scope(work).await;
    assert!(refused > 0);
}

/// A book, its half and its shelf.
#[derive(Debug, sqlx::FromRow)]
#[expect(dead_code, reason = "only the first column matters here")]
struct Wide {
    id: i64,
    parity: i64,
    shelf: Option<i32>,
}

impl First for Wide {
    fn first(&self) -> i64 {
        self.id
    }
}

fn drop_copies(mut ids: Vec<i64>) -> Vec<i64> {
    ids.dedup();
    ids
}
