//! Pages of feeds after a cursor, for which other statements first find out how far they reach: rows that are deleted in
//! between do not end the list early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use folio::{Builder, CursorPaginator, Paginate};
use folio_tests::recorder::{after_statement, record_statements};

use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "raced_posts", cursor_key = "moment, id")]
struct Post {
    id: i64,
    #[expect(dead_code, reason = "only the index is about it")]
    author_id: i64,
    #[expect(dead_code, reason = "only the index is about it")]
    moment: i64,
}

const ROWS: i64 = 600;
const PER_PAGE: u64 = 10;

fn page(authors: i64) -> Builder<Post> {
    Post::query().among(Post::AUTHOR_ID, 0..authors)
}

fn ids(page: &CursorPaginator<Post>) -> Vec<i64> {
    page.data.iter().map(|post| post.id).collect()
}

/// Reads the second page, while the rows that would be on it are deleted right after a statement with these words.
async fn race(authors: i64, words: &[&str]) {
    let rows: Vec<String> = (1..=ROWS).map(|id| format!("({id}, {}, {id})", id % authors)).collect();
    let (folio, pool) = db::folio(&format!(
        "CREATE TABLE raced_posts (id BIGINT PRIMARY KEY, author_id BIGINT NOT NULL, moment BIGINT NOT NULL, \
         INDEX raced_feed (author_id, moment, id)); INSERT INTO raced_posts VALUES {}",
        rows.join(", ")
    ))
    .await;
    record_statements();
    let was_deleted = Arc::new(AtomicBool::new(false));
    let second = async {
        let first = page(authors).cursor_paginate(PER_PAGE).await.unwrap();
        assert_eq!(ids(&first), (1..=10).collect::<Vec<_>>());
        let (other, done) = (pool.connect_options(), Arc::clone(&was_deleted));
        after_statement(&[words, &["raced_posts"]].concat(), move || {
            db::runtime().block_on(async {
                let pool = sqlx::MySqlPool::connect_with((*other).clone()).await.unwrap();
                db::run(&pool, "DELETE FROM raced_posts WHERE moment BETWEEN 11 AND 20").await;
            });
            done.store(true, Ordering::SeqCst);
        });
        let second = page(authors).cursor(first.next_cursor.as_deref()).cursor_paginate(PER_PAGE).await.unwrap();
        let third = page(authors).cursor(second.next_cursor.as_deref()).cursor_paginate(PER_PAGE).await.unwrap();
        [ids(&second), ids(&third)]
    };
    let [second, third] = folio.scope(second).await;
    assert!(was_deleted.load(Ordering::SeqCst), "no statement has {words:?}");
    let version: String = sqlx::query_scalar("SELECT VERSION()").fetch_one(&pool).await.unwrap();
    // MariaDB reads the page in the snapshot of the heads.
    let begin = if version.contains("MariaDB") { 11 } else { 21 };
    assert_eq!(
        (second, third),
        ((begin..begin + 10).collect(), (begin + 10..begin + 20).collect()),
        "{authors} authors"
    );
}

#[tokio::test]
async fn rows_that_are_deleted_after_the_heads_were_found_do_not_end_the_list() {
    for authors in [60, 200] {
        race(authors, &["folio_head", "RANK()"]).await;
    }
}

/// With fewer groups than the page has rows, one group tells how far it reaches. MariaDB has no such statement.
#[tokio::test]
async fn rows_that_are_deleted_after_the_last_row_was_found_do_not_end_the_list() {
    let version: String =
        sqlx::query_scalar("SELECT VERSION()").fetch_one(&crate::server::pool(1).await).await.unwrap();
    if !version.contains("MariaDB") {
        race(8, &["OFFSET"]).await;
    }
}
