//! A model over a view that joins tables: its pages are those of the plain ORDER BY.

use folio::{IntoOrder as _, Key, Keyring, Paginate};

use crate::server::{ID, TEXT};
use crate::suite::db;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "listed_books", cursor_key = "author, id")]
struct ListedBook {
    id: i64,
    title: String,
    author: String,
    copies: i64,
}

#[tokio::test]
async fn a_view_is_a_model_over_a_join() {
    let books: Vec<String> = (1..=45).map(|id| format!("({id}, 'book {id}', {})", id * 7 % 4 + 1)).collect();
    let copies: Vec<String> = (1..=80).map(|id| format!("({id}, {})", id % 45 + 1)).collect();
    let (folio, pool) = db::folio(&format!(
        "CREATE TABLE authors (id {ID}, name {TEXT} NOT NULL); \
         INSERT INTO authors VALUES (1, 'Ada'), (2, 'Max'), (3, 'Eve'), (4, 'Ida'); \
         CREATE TABLE books (id {ID}, title {TEXT} NOT NULL, author_id BIGINT NOT NULL); \
         INSERT INTO books VALUES {}; \
         CREATE TABLE copies (id {ID}, book_id BIGINT NOT NULL); INSERT INTO copies VALUES {}; \
         CREATE VIEW listed_books AS SELECT books.id, books.title, authors.name AS author, \
             (SELECT COUNT(*) FROM copies WHERE copies.book_id = books.id) AS copies \
             FROM books JOIN authors ON authors.id = books.author_id",
        books.join(", "),
        copies.join(", ")
    ))
    .await;
    let check = async {
        for (order, sql) in [
            ((ListedBook::AUTHOR, ListedBook::ID).erased(), "author, id"),
            (ListedBook::COPIES.desc().erased(), "copies DESC, id DESC"),
        ] {
            let sql =
                format!("SELECT id, title, author, copies FROM listed_books WHERE author <> 'Eve' ORDER BY {sql}");
            let expected: Vec<ListedBook> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&pool).await.unwrap();
            let list = || ListedBook::query().filter(ListedBook::AUTHOR.ne("Eve")).order_by(order.clone());
            let (mut walked, mut numbered, mut cursor) = (Vec::new(), Vec::new(), None::<String>);
            for page in 1..=5 {
                let by_cursor = list().cursor(cursor.as_deref()).cursor_paginate(8).await.unwrap();
                walked.extend(by_cursor.data);
                cursor = by_cursor.next_cursor;
                let by_number = list().page(page).paginate(8).await.unwrap();
                assert_eq!(by_number.total, expected.len() as u64);
                numbered.extend(by_number.data);
            }
            assert_eq!((&walked, &numbered), (&expected, &expected));
            assert_eq!(cursor, None);
        }
    };
    folio.keyring(Keyring::new(Key::generate())).scope(check).await;
}
