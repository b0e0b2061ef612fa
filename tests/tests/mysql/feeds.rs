//! Pages of feeds for which other statements first find out how far they reach: rows that are deleted in between do not
//! end the list early, and no others are left out.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use folio::{Builder, CursorPaginator, Folio, IntoOrder as _, Order, Paginate};
use folio_tests::recorder::{after_own_statement, record_statements};
use sea_query::prelude::chrono::{DateTime, NaiveDate, Utc};
use sea_query::prelude::{Decimal, Uuid};

use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "raced_posts", cursor_key = "moment, id")]
struct Post {
    id: i64,
    #[expect(dead_code, reason = "only the index is about it")]
    author_id: i64,
    #[expect(dead_code, reason = "only the index is about it")]
    moment: i64,
}

/// A column of each type.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "bounded")]
#[expect(dead_code, reason = "only the statements matter here")]
struct Bounded {
    id: i64,
    g: i64,
    number: i64,
    float_: f32,
    price: Decimal,
    title: String,
    day: NaiveDate,
    moment: DateTime<Utc>,
    code: Uuid,
}

const ROWS: i64 = 600;
const PER_PAGE: u64 = 10;

fn page(authors: i64) -> Builder<Post> {
    Post::query().among(Post::AUTHOR_ID, 0..authors)
}

fn ids(page: &CursorPaginator<Post>) -> Vec<i64> {
    page.data.iter().map(|post| post.id).collect()
}

/// Posts of authors in turn, with different moments, and statements are recorded.
async fn posts(authors: i64) -> (Folio, Pool) {
    posts_at(authors, |id| id).await
}

/// Posts of authors in turn, with these moments.
async fn posts_at(authors: i64, moment: fn(i64) -> i64) -> (Folio, Pool) {
    let rows: Vec<String> = (1..=ROWS).map(|id| format!("({id}, {}, {})", id % authors, moment(id))).collect();
    record_statements();
    db::folio(&format!(
        "CREATE TABLE raced_posts (id BIGINT PRIMARY KEY, author_id BIGINT NOT NULL, moment BIGINT NOT NULL, \
         INDEX raced_feed (author_id, moment, id)); INSERT INTO raced_posts VALUES {}",
        rows.join(", ")
    ))
    .await
}

/// Deletes the posts with these ids right after a statement with these words. Returns whether it has.
fn delete_after(words: &[&str], pool: &Pool, ids: RangeInclusive<i64>) -> Arc<AtomicBool> {
    let was_deleted = Arc::new(AtomicBool::new(false));
    let (options, done) = (pool.connect_options(), Arc::clone(&was_deleted));
    after_own_statement(&[words, &["raced_posts"]].concat(), move || {
        let (first, last) = ids.into_inner();
        db::runtime().block_on(async {
            let pool = sqlx::MySqlPool::connect_with((*options).clone()).await.unwrap();
            db::run(&pool, format!("DELETE FROM raced_posts WHERE id BETWEEN {first} AND {last}")).await;
        });
        done.store(true, Ordering::SeqCst);
    });
    was_deleted
}

async fn is_mariadb(pool: &Pool) -> bool {
    let version: String = sqlx::query_scalar("SELECT VERSION()").fetch_one(pool).await.unwrap();
    version.contains("MariaDB")
}

/// Reads the second page, while the rows that would be on it are deleted right after a statement with these words.
async fn race(authors: i64, words: &[&str]) {
    let (folio, pool) = posts(authors).await;
    let pages = async {
        let first = page(authors).cursor_paginate(PER_PAGE).await.unwrap();
        assert_eq!(ids(&first), (1..=10).collect::<Vec<_>>());
        let was_deleted = delete_after(words, &pool, 11..=20);
        let second = page(authors).cursor(first.next_cursor.as_deref()).cursor_paginate(PER_PAGE).await.unwrap();
        let third = page(authors).cursor(second.next_cursor.as_deref()).cursor_paginate(PER_PAGE).await.unwrap();
        assert!(was_deleted.load(Ordering::SeqCst), "no statement has {words:?}");
        (ids(&second), ids(&third))
    };
    let expected = ((21..=30).collect(), (31..=40).collect());
    assert_eq!(folio.scope(pages).await, expected, "{authors} authors");
}

#[tokio::test]
async fn rows_that_are_deleted_after_the_heads_were_found_do_not_end_the_list() {
    for authors in [60, 200] {
        race(authors, &["folio_head", "RANK()"]).await;
    }
}

/// MariaDB finds the heads of a first page with a statement too. If all moments are the same, only the ids tell which
/// heads come first.
#[tokio::test]
async fn rows_that_are_deleted_after_the_heads_of_a_first_page_were_found_leave_no_others_out() {
    for moment in [|id| id, |_| 7] {
        let (folio, pool) = posts_at(60, moment).await;
        if !is_mariadb(&pool).await {
            return;
        }
        let was_deleted = delete_after(&["JSON_TABLE", "`folio_key_1` IS NOT NULL"], &pool, 1..=10);
        let pages = async {
            let first = page(60).cursor_paginate(PER_PAGE).await.unwrap();
            let second = page(60).cursor(first.next_cursor.as_deref()).cursor_paginate(PER_PAGE).await.unwrap();
            (ids(&first), ids(&second))
        };
        assert_eq!(folio.scope(pages).await, ((11..=20).collect(), (21..=30).collect()));
        assert!(was_deleted.load(Ordering::SeqCst));
    }
}

/// If rows are deleted whenever the heads were found, all groups are read.
#[tokio::test]
async fn a_page_whose_rows_are_deleted_again_and_again_is_read_from_all_groups() {
    let (folio, pool) = posts(60).await;
    let pages = async {
        let first = page(60).cursor_paginate(PER_PAGE).await.unwrap();
        let deleted =
            [11..=20, 21..=30, 31..=40, 41..=50].map(|ids| delete_after(&["folio_head", "RANK()"], &pool, ids));
        let second = page(60).cursor(first.next_cursor.as_deref()).cursor_paginate(PER_PAGE).await.unwrap();
        (ids(&second), deleted.map(|was_deleted| was_deleted.load(Ordering::SeqCst)))
    };
    assert_eq!(folio.scope(pages).await, ((41..=50).collect(), [true, true, true, false]));
}

/// With fewer groups than the page has rows, one group tells how far it reaches. MariaDB has no such statement.
#[tokio::test]
async fn rows_that_are_deleted_after_the_last_row_was_found_do_not_end_the_list() {
    if !is_mariadb(&crate::server::pool(1).await).await {
        race(8, &["OFFSET"]).await;
    }
}

/// Whether rows precede a page that begins at a value takes another look, backwards.
#[tokio::test]
async fn rows_that_are_deleted_while_the_page_before_is_looked_up_do_not_hide_the_rows_before_them() {
    let (folio, pool) = posts(60).await;
    let pages = async {
        let was_deleted = delete_after(&["folio_head", "MAX("], &pool, 290..=299);
        let found = page(60).seek_inclusive(300_i64).cursor_paginate(PER_PAGE).await.unwrap();
        assert!(was_deleted.load(Ordering::SeqCst));
        let before = page(60).cursor(found.prev_cursor.as_deref()).cursor_paginate(PER_PAGE).await.unwrap();
        (ids(&found), ids(&before))
    };
    assert_eq!(folio.scope(pages).await, ((300..310).collect(), (280..290).collect()));
}

/// The columns' types decide how a value comes back from a statement. A page that it bounds has one more condition.
#[tokio::test]
async fn a_value_of_each_type_bounds_a_page() {
    let (folio, pool) = db::folio(
        "CREATE TABLE bounded (id BIGINT PRIMARY KEY, g BIGINT NOT NULL, number BIGINT NOT NULL, float_ FLOAT NOT NULL, \
         price DECIMAL(12, 2) NOT NULL, title VARCHAR(40) NOT NULL, day DATE NOT NULL, moment TIMESTAMP(6) NOT NULL, \
         code BINARY(16) NOT NULL, INDEX (g, number, id), INDEX (g, float_, id), INDEX (g, price, id), INDEX (g, title, id), \
         INDEX (g, day, id), INDEX (g, moment, id), INDEX (g, code, id))",
    )
    .await;
    // From these numbers of groups on, statements find out how far a page reaches.
    let is_mariadb = is_mariadb(&pool).await;
    let groups = if is_mariadb { 33 } else { 9 };
    let row = |id: i64| {
        let (group, day, code) = (id % groups, id % 28 + 1, id % 256);
        format!(
            "({id}, {group}, {id}, {id}.5, {id}.25, 'title {id:03}', '2026-01-{day:02}', '2026-01-01 00:{:02}:{:02}.5', \
             X'{code:032x}')",
            id / 60,
            id % 60
        )
    };
    let rows: Vec<String> = (1..=400).map(row).collect();
    db::run(&pool, format!("INSERT INTO bounded VALUES {}", rows.join(", "))).await;
    let id = Bounded::ID;
    let orders: [(&str, Order); 7] = [
        ("number", (Bounded::NUMBER, id).erased()),
        ("float_", (Bounded::FLOAT_, id).erased()),
        ("price", (Bounded::PRICE, id).erased()),
        ("title", (Bounded::TITLE, id).erased()),
        ("day", (Bounded::DAY, id).erased()),
        ("moment", (Bounded::MOMENT, id).erased()),
        ("code", (Bounded::CODE, id).erased()),
    ];
    record_statements();
    let check = async {
        // The heads bound a page of 5 rows. On MySQL, the rows of one group bound a page of 15.
        for ((name, order), rows) in orders.iter().flat_map(|order| [(order, 5), (order, 15)]) {
            let page = || Bounded::query().among(Bounded::G, 0..groups).cursor_by(order.clone());
            let first = page().cursor_paginate(rows).await.unwrap();
            let statements = db::selects("bounded");
            // The next head has the same day or code, and the database may consider different titles equal.
            let bound = match *name {
                "day" | "title" | "code" => {
                    format!("(`bounded`.`{name}` = ? AND `bounded`.`id` <= ?) OR (`bounded`.`{name}` = ?")
                }
                // Rows with NULL would come first.
                _ => format!("= ? AND (`bounded`.`{name}` <= ? OR `bounded`.`{name}` IS NULL) ORDER"),
            };
            let is_bounded = statements.last().is_some_and(|page| page.contains(&bound));
            assert_eq!(is_bounded, is_mariadb, "{name}: {statements:#?}");
            page().cursor(first.next_cursor.as_deref()).cursor_paginate(rows).await.unwrap();
            let statements = db::selects("bounded");
            let bound = format!("`bounded`.`{name}` <= ? AND ((");
            assert!(statements.last().is_some_and(|page| page.contains(&bound)), "{name}: {statements:#?}");
        }
    };
    folio.scope(check).await;
}
