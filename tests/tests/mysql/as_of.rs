//! Walks over a system-versioned table at one moment, while its rows are inserted, moved and deleted. Only MariaDB has
//! such tables; MySQL refuses them.

use std::cell::Cell;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use folio::page_tokens::TokenRequest;
use folio::relay::Window;
use folio::testing::{Walk, read_along_index};
use folio::{Builder, Column, CursorDirection, CursorPaginator, Folio, IntoOrder as _, Paginate, Result, Total};
use folio_tests::recorder::record_statements;
use futures_util::TryStreamExt as _;
use sqlx::mysql::MySqlPoolOptions;

use crate::suite::db::{self, Pool};

#[derive(Debug, Clone, PartialEq, Eq, Hash, sqlx::FromRow, Paginate)]
#[paginate(table = "versions", cursor_key = "grade, id")]
struct Version {
    id: i64,
    author_id: i64,
    grade: i64,
    score: Option<i64>,
}

/// How many rows there are: enough for deferred joins of numbered pages.
const ROWS: i64 = 320;

/// A table of some rows that keeps its history; `None` on MySQL, which has none.
async fn versions(table: &str) -> Option<(Folio, Pool)> {
    let row = |id: i64| {
        let score = if id % 5 == 0 { "NULL".to_owned() } else { (id % 4).to_string() };
        format!("({id}, {}, {}, {score})", id % 60, id * 7 % 40)
    };
    let rows: Vec<String> = (1..=ROWS).map(row).collect();
    let (folio, pool) = db::folio("SELECT 1").await;
    if !is_mariadb(&pool).await {
        return None;
    }
    db::run(
        &pool,
        format!(
            "CREATE TABLE {table} (id BIGINT PRIMARY KEY, author_id BIGINT NOT NULL, grade BIGINT NOT NULL, \
             score BIGINT NULL, INDEX by_grade (grade, id), INDEX by_author (author_id, grade, id), \
             INDEX by_score (score, id)) WITH SYSTEM VERSIONING; INSERT INTO {table} VALUES {}",
            rows.join(", ")
        ),
    )
    .await;
    Some((folio, pool))
}

async fn is_mariadb(pool: &Pool) -> bool {
    let version: String = sqlx::query_scalar("SELECT VERSION()").fetch_one(pool).await.unwrap();
    version.contains("MariaDB")
}

/// The moment by the server's clock. All rows so far were written before it, and all others will be after it.
async fn moment(pool: &Pool) -> SystemTime {
    let pause = || tokio::time::sleep(Duration::from_millis(2));
    pause().await;
    let sql = "SELECT CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)";
    let moment: i64 = sqlx::query_scalar(sql).fetch_one(pool).await.unwrap();
    pause().await;
    UNIX_EPOCH + Duration::from_micros(moment.unsigned_abs())
}

/// Writes that are different each time: rows are inserted, moved in each order, and deleted.
struct Writer<'a> {
    pool: &'a Pool,
    table: &'static str,
    state: Cell<u64>,
}

impl<'a> Writer<'a> {
    fn new(pool: &'a Pool, table: &'static str, seed: u64) -> Self {
        Self { pool, table, state: Cell::new(seed) }
    }

    fn below(&self, limit: u64) -> u64 {
        self.state
            .set(self.state.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
        (self.state.get() >> 33) % limit
    }

    async fn write(&self) {
        let (table, ids) = (self.table, ROWS.unsigned_abs() + 50);
        for _ in 0..6 {
            let (id, author, grade) = (1 + self.below(ids), self.below(60), self.below(40));
            let sql = match self.below(4) {
                0 => format!("DELETE FROM {table} WHERE id = {id}"),
                1 => format!("INSERT IGNORE INTO {table} VALUES ({id}, {author}, {grade}, NULL)"),
                2 => format!("UPDATE {table} SET score = {grade} WHERE id BETWEEN {id} AND {id} + 20"),
                _ => format!(
                    "UPDATE {table} SET author_id = {author}, grade = {grade} WHERE id BETWEEN {id} AND {id} + 9"
                ),
            };
            db::run(self.pool, sql).await;
        }
    }
}

type Lists = Vec<(&'static str, Builder<Version>)>;

/// Lists that are read by different statements: ranges, pages with NULL, found keys, feeds with and without lookups.
fn lists() -> Lists {
    let (id, grade, score) = (Version::ID, Version::GRADE, Version::SCORE);
    vec![
        ("all", Version::query()),
        ("filtered", Version::query().filter(grade.gte(5)).filter(Version::AUTHOR_ID.lt(50))),
        ("of an author", Version::query().filter(Version::AUTHOR_ID.any_of(0..30))),
        ("backwards", Version::query().order_by((grade.desc(), id.desc()))),
        ("mixed", Version::query().order_by((grade.desc(), id))),
        ("NULLs last", Version::query().order_by((score.nulls_last(), id))),
        ("NULLs first", Version::query().order_by((score.nulls_first(), id))),
        ("NULLs last, filtered", Version::query().filter(grade.lt(30)).order_by((score.desc().nulls_last(), id))),
        ("a small feed", Version::query().among(Version::AUTHOR_ID, [1, 2, 3, 4])),
        ("a large feed", Version::query().among(Version::AUTHOR_ID, 0..50)),
        ("without an index", Version::query().order_by((Version::AUTHOR_ID, score.nulls_first(), id.desc()))),
    ]
}

#[tokio::test]
async fn a_walk_shows_the_rows_of_its_moment() {
    for (name, list) in lists() {
        let Some((folio, pool)) = versions("versions").await else { return };
        let writer = Writer::new(&pool, "versions", 1);
        let check = async {
            let before = list.clone().cursor_paginate(1_000).await.unwrap().data;
            assert!(before.len() > 10, "{name}");
            let start = moment(&pool).await;
            // Each page but the first has a moment of its own, which its cursor replaces.
            let page = async |cursor: Option<String>| {
                let moment = if cursor.is_some() { SystemTime::now() } else { start };
                list.clone().as_of(moment).cursor(cursor.as_deref()).cursor_paginate(9).await
            };
            let walk = Walk::over(before.clone()).both_ways().between_pages(async |_: &[Version]| writer.write().await);
            let walked = walk.run(page).await.unwrap_or_else(|error| panic!("{name}: {error}"));
            // No other rows are shown, with any values.
            for pages in [&walked.forwards, &walked.backwards] {
                assert_eq!(pages.iter().flatten().count(), before.len(), "{name}");
            }
            let after = list.clone().cursor_paginate(1_000).await.unwrap().data;
            assert_ne!(before, after, "{name}: nothing was written");
        };
        folio.scope(check).await;
    }
}

/// Reads of a table that no other test reads, so that all of their statements are known.
mod reads {
    use super::*;

    #[derive(Debug, Clone, PartialEq, Eq, Hash, sqlx::FromRow, Paginate)]
    #[paginate(table = "versions_read", cursor_key = "grade, id")]
    struct Version {
        id: i64,
        author_id: i64,
        grade: i64,
        score: Option<i64>,
    }

    #[tokio::test]
    async fn every_read_is_at_the_moment() {
        let Some((folio, pool)) = versions("versions_read").await else { return };
        record_statements();
        let writer = Writer::new(&pool, "versions_read", 2);
        let check = async {
            let before = Version::query().cursor_paginate(1_000).await.unwrap().data;
            let total = before.len() as u64;
            let start = moment(&pool).await;
            for _ in 0..5 {
                writer.write().await;
            }
            db::run(
                &pool,
                "DELETE FROM versions_read WHERE id % 2 = 0; UPDATE versions_read SET author_id = 99 WHERE id < 99",
            )
            .await;
            db::selects("versions_read");
            let list = || Version::query().as_of(start);
            let sorted = || list().order_by((Version::GRADE, Version::ID));

            for number in 1..=9 {
                let rows: Vec<Version> = before.iter().skip((number - 1) * 40).take(40).cloned().collect();
                let page = sorted().page(number as u64).paginate(40).await.unwrap();
                assert_eq!((page.total, page.data), (total, rows.clone()), "page {number}");
                assert_eq!(sorted().page(number as u64).simple_paginate(40).await.unwrap().data, rows, "page {number}");
            }
            assert_eq!(list().count_up_to(100).paginate(9).await.unwrap().total, 100);
            assert_eq!(list().estimated_total_above(10_000).paginate(9).await.unwrap().total, total);
            assert_eq!(list().count().await.unwrap(), total);
            assert!(list().filter(Version::ID.eq(2)).exists().await.unwrap());
            assert_eq!(list().first().await.unwrap().as_ref(), before.first());
            assert_eq!(list().find(2).await.unwrap().unwrap().id, 2);
            let facets = list().count_by(Version::AUTHOR_ID, 100).await.unwrap();
            assert_eq!(facets.iter().map(|(_, count)| count).sum::<u64>(), total);
            let middle = &before[100];
            let key = middle.cursor_key();
            assert_eq!(list().count_after(&key).await.unwrap(), total - 101);
            assert_eq!(list().count_before(&key).await.unwrap(), 100);

            let counted = list().counted().last_page(10).await.unwrap();
            assert_eq!((counted.total, &counted.data[..]), (Some(Total::Exact(total)), &before[before.len() - 10..]));
            let feed = list().among(Version::AUTHOR_ID, 0..50).counted().cursor_paginate(1_000).await.unwrap();
            let of_feed: Vec<Version> = before.iter().filter(|row| row.author_id < 50).cloned().collect();
            assert_eq!((feed.total, &feed.data), (Some(Total::Exact(of_feed.len() as u64)), &of_feed));
            let now = || Version::query().as_of(SystemTime::now());
            let authors = 0..4;
            for list in [Version::query(), Version::query().among(Version::AUTHOR_ID, authors)] {
                // A total is counted at the cursor's moment too.
                let first = list.clone().as_of(start).counted().cursor_paginate(4).await.unwrap();
                let second = list.as_of(SystemTime::now()).counted().cursor(first.next_cursor.as_deref());
                assert!(first.total.is_some_and(|total| total.rows() > 8));
                assert_eq!(second.cursor_paginate(4).await.unwrap().total, first.total);
            }
            let around = list().around(&key, 3, 3).await.unwrap();
            assert_eq!(around.page.data, before[97..=103]);
            assert_eq!(list().around_id(middle.id, 3, 3).await.unwrap().page.data, before[97..=103]);
            let cursors = list().with_row_cursors().cursor_paginate(1_000).await.unwrap().row_cursors.unwrap();
            assert_eq!(now().around_cursor(&cursors[100], 3, 3).await.unwrap().page.data, before[97..=103]);
            let between = now().after(Some(&cursors[5])).before(Some(&cursors[9])).cursor_paginate(9).await.unwrap();
            assert_eq!(between.data, before[6..9]);
            let from = list().seek_inclusive(before[50].grade).cursor_paginate(5).await.unwrap();
            assert_eq!(from.data[0].grade, before[50].grade);
            assert_eq!(list().skip(7).cursor_paginate(5).await.unwrap().data, before[7..12]);
            let past = list().filter(Version::GRADE.gt(1_000)).cursor(cursors.last().map(|last| &**last));
            assert!(past.cursor_paginate(5).await.unwrap().is_empty());

            let rows: Vec<Version> = list().cursor_stream(50).try_collect().await.unwrap();
            assert_eq!(rows, before);
            let rows: Vec<Version> = now().cursor(Some(&cursors[9])).cursor_stream(50).try_collect().await.unwrap();
            assert_eq!(rows, before[10..]);
            let chunks: Vec<CursorPaginator<Version>> = list().cursor_chunks(50).try_collect().await.unwrap();
            assert_eq!(chunks.into_iter().flat_map(|page| page.data).collect::<Vec<_>>(), before);
            let relay = list().connection(Window::first(20)).await.unwrap();
            assert_eq!(relay.edges.len(), 20);
            let tokens = list().token_page(TokenRequest::default().limits(20, 20)).await.unwrap();
            assert_eq!(tokens.rows, before[..20]);

            let each =
                list().counted().each_of(Version::AUTHOR_ID, [7_i64, 8, 9, 98]).cursor_paginate(2).await.unwrap();
            for (author, page) in &each {
                let own: Vec<&Version> = before.iter().filter(|row| row.author_id == *author).collect();
                assert_eq!(page.total, Some(Total::Exact(own.len() as u64)), "{author}");
                assert_eq!(page.data.iter().collect::<Vec<_>>(), own[..2.min(own.len())], "{author}");
                let rest = now().filter(Version::AUTHOR_ID.eq(*author)).cursor(page.next_cursor.as_deref());
                let Some(_) = page.next_cursor else { continue };
                assert_eq!(
                    rest.cursor_paginate(99).await.unwrap().data.iter().collect::<Vec<_>>(),
                    own[2..],
                    "{author}"
                );
            }
            assert_eq!(list().each_of(Version::AUTHOR_ID, [7_i64]).first(1).await.unwrap()[&7].len(), 1);
            for number in 1..=3 {
                // Grades tie, so a page that ends before NULLs, and one that leaves rows out, are looked for.
                let scores = list().order_by((Version::SCORE.nulls_last(), Version::ID)).page(number);
                assert_eq!(scores.paginate(200).await.unwrap().total, total);
            }

            let statements = db::selects("versions_read");
            assert!(statements.len() > 60, "{}", statements.len());
            for sql in &statements {
                let named = sql.matches("FROM `versions_read`").count() + sql.matches("JOIN `versions_read`").count();
                assert!(named > 0, "{sql}");
                assert_eq!(sql.matches("`versions_read` FOR SYSTEM_TIME AS OF TIMESTAMP ").count(), named, "{sql}");
                assert!(!sql.contains("LEFT JOIN `versions_read`"), "{sql}");
            }
        };
        folio.scope(check).await;
    }
}

#[tokio::test]
async fn a_cursor_and_a_query_agree_on_whether_there_is_a_moment() {
    let Some((folio, pool)) = versions("versions").await else { return };
    let check = async {
        let start = moment(&pool).await;
        let list = || Version::query().as_of(start);
        let with = list().cursor_paginate(5).await.unwrap().next_cursor.unwrap();
        let without = Version::query().cursor_paginate(5).await.unwrap().next_cursor.unwrap();
        let by_hand =
            Version::query().first().await.unwrap().unwrap().cursor_key().encode(CursorDirection::Next).unwrap();
        let refused = |page: Result<CursorPaginator<Version>>| {
            let error = page.map(|page| page.data.len()).unwrap_err();
            assert_eq!((error.status(), error.to_string().as_str()), (400, "Invalid pagination cursor"));
        };
        assert_eq!(list().cursor(Some(&with)).cursor_paginate(5).await.unwrap().data.len(), 5);
        assert_eq!(Version::query().cursor(Some(&without)).cursor_paginate(5).await.unwrap().data.len(), 5);
        assert_eq!(Version::query().cursor(Some(&by_hand)).cursor_paginate(5).await.unwrap().data.len(), 5);
        refused(Version::query().cursor(Some(&with)).cursor_paginate(5).await);
        refused(list().cursor(Some(&without)).cursor_paginate(5).await);
        refused(list().cursor(Some(&by_hand)).cursor_paginate(5).await);
        refused(Version::query().after(Some(&with)).cursor_paginate(5).await);
        refused(list().before(Some(&without)).cursor_paginate(5).await);
        let refused_rows = Version::query().cursor(Some(&with)).cursor_stream(5).try_collect::<Vec<_>>().await;
        assert_eq!(refused_rows.unwrap_err().status(), 400);

        let later = moment(&pool).await;
        let other = Version::query().as_of(later).cursor_paginate(50).await.unwrap().next_cursor.unwrap();
        refused(list().after(Some(&with)).before(Some(&other)).cursor_paginate(5).await);
        let bound = list().bind_filters().cursor_paginate(5).await.unwrap().next_cursor;
        let now = Version::query().as_of(SystemTime::now()).bind_filters().cursor(bound.as_deref());
        assert_eq!(now.cursor_paginate(5).await.unwrap().data.len(), 5, "the moment is not one of the filters");

        // `newer_than` asks for what came since.
        let newest = || Version::query().order_by(Version::ID.desc());
        let seen = newest().as_of(start).with_positions().cursor_paginate(5).await.unwrap().start_cursor.unwrap();
        db::run(&pool, "INSERT INTO versions VALUES (1000, 1, 1, 1)").await;
        assert_eq!(newest().newer_than(&seen).count_at_most(9).await.unwrap(), Total::Exact(1));
        assert!(!newest().as_of(start).newer_than(&seen).exists().await.unwrap());
        let now = moment(&pool).await;
        assert!(newest().as_of(now).newer_than(&seen).exists().await.unwrap());
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn what_cannot_be_read_at_a_moment_is_an_error() {
    let columns = "(id BIGINT PRIMARY KEY, author_id BIGINT NOT NULL, grade BIGINT NOT NULL, score BIGINT)";
    let (folio, pool) =
        db::folio(&format!("CREATE TABLE versions {columns}; INSERT INTO versions VALUES (1, 1, 1, 1)")).await;
    let is_mariadb = is_mariadb(&pool).await;
    let check = async {
        let now = SystemTime::now();
        let second = Duration::from_secs(1);
        for (list, expected) in [
            (Version::query().as_of(now + 60 * second), "a moment in the future"),
            (Version::query().as_of(UNIX_EPOCH - second), "a moment before 1970"),
            (Version::query().as_of(now - second).as_of(now - 2 * second), "two different moments"),
        ] {
            for error in [list.clone().cursor_paginate(5).await.unwrap_err(), list.paginate(5).await.unwrap_err()] {
                assert!(error.to_string().contains(expected) && error.status() == 500, "{error}");
            }
        }
        let words = match is_mariadb {
            true => ["Table `versions` is not system-versioned", "`ALTER TABLE … ADD SYSTEM VERSIONING`"],
            false => ["You have an error in your SQL syntax", "`as_of` needs MariaDB"],
        };
        let list = || Version::query().as_of(now - second).as_of(now - second);
        let feed = list().among(Version::AUTHOR_ID, [1, 2]).cursor_paginate(5).await.map(|page| page.data);
        let page = list().cursor_paginate(5).await.map(|page| page.data);
        let numbered = list().paginate(5).await.map(|page| page.data);
        for error in [feed, page, numbered, list().cursor_stream(5).try_collect().await].map(Result::unwrap_err) {
            assert!(words.iter().all(|word| error.to_string().contains(word)), "{error}");
        }
        assert_eq!(Version::query().cursor_paginate(5).await.unwrap().data.len(), 1);
    };
    folio.scope(check).await;
}

/// A row that is written in three versions, a microsecond apart, and sessions in other zones.
#[tokio::test]
async fn a_moment_has_microseconds_and_no_time_zone() {
    let Some((_, pool)) = versions("versions").await else { return };
    let mut writing = pool.acquire().await.unwrap();
    for (micros, sql) in [
        ("1700000000.123456", "INSERT INTO versions VALUES (5000, 1, 1, NULL)"),
        ("1700000000.123457", "UPDATE versions SET grade = 2 WHERE id = 5000"),
        ("1700000000.123458", "DELETE FROM versions WHERE id = 5000"),
    ] {
        let sql = format!("SET timestamp = {micros}; {sql}");
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut *writing).await.unwrap();
    }
    for zone in ["+00:00", "+05:30", "-08:00", "SYSTEM"] {
        let options = (*pool.connect_options()).clone().timezone(zone.to_owned());
        let pool = MySqlPoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
        let check = async {
            for (micros, expected) in [(123_455, None), (123_456, Some(1)), (123_457, Some(2)), (123_458, None)] {
                let moment = UNIX_EPOCH + Duration::new(1_700_000_000, micros * 1_000 + 999);
                let list = Version::query().as_of(moment).filter(Version::ID.eq(5_000));
                let grade = |rows: Vec<Version>| rows.first().map(|row| row.grade);
                let page = list.clone().cursor_paginate(5).await.unwrap();
                assert_eq!(grade(page.data), expected, "{zone}, {micros}");
                assert_eq!(grade(list.paginate(5).await.unwrap().data), expected, "{zone}, {micros}");
            }
        };
        db::application(&pool).scope(check).await;
    }
}

/// All types of moments that convert to a `SystemTime`.
#[tokio::test]
async fn a_moment_can_be_of_chrono_or_time() {
    use sea_query::prelude::chrono::{DateTime, FixedOffset, Utc};
    use sea_query::prelude::time::OffsetDateTime;

    let Some((folio, pool)) = versions("versions").await else { return };
    let check = async {
        let start = moment(&pool).await;
        db::run(&pool, "DELETE FROM versions").await;
        let utc = DateTime::<Utc>::from(start);
        let east = utc.with_timezone(&FixedOffset::east_opt(7_200).unwrap());
        let query = Version::query;
        let lists = [query().as_of(utc), query().as_of(east), query().as_of(OffsetDateTime::from(start))];
        for list in lists {
            assert_eq!(list.count().await.unwrap(), ROWS.unsigned_abs());
        }
    };
    folio.scope(check).await;
}

/// MariaDB keeps the time of the statement, so the rows of a transaction appear once it commits.
#[tokio::test]
async fn rows_of_an_open_transaction_appear_later() {
    let Some((folio, pool)) = versions("versions").await else { return };
    let check = async {
        let mut transaction = pool.begin().await.unwrap();
        sqlx::raw_sql("INSERT INTO versions VALUES (5000, 1, 1, NULL)").execute(&mut *transaction).await.unwrap();
        let start = moment(&pool).await;
        let list = || Version::query().as_of(start);
        assert!(list().find(5_000).await.unwrap().is_none());
        transaction.commit().await.unwrap();
        assert!(list().find(5_000).await.unwrap().is_some());
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_page_at_a_moment_is_read_along_an_index() {
    let Some((folio, pool)) = versions("versions").await else { return };
    db::run(&pool, "INSERT INTO versions SELECT seq, seq % 60, seq % 40, NULL FROM seq_1000_to_4000; UPDATE versions SET score = 3").await;
    db::run(&pool, "ANALYZE TABLE versions").await;
    let check = async {
        let start = moment(&pool).await;
        let rank = Column::<i64>::new("grade");
        for list in [
            Version::query(),
            Version::query().order_by(rank.desc()),
            Version::query().filter(Version::AUTHOR_ID.eq(7)),
            Version::query().among(Version::AUTHOR_ID, [1, 2, 3]),
            Version::query().order_by(Version::SCORE.nulls_first().erased()),
        ] {
            let list = || list.clone().as_of(start);
            let first = read_along_index(list().cursor_paginate(10)).await.unwrap();
            let second = list().cursor(first.next_cursor.as_deref());
            let second = read_along_index(second.cursor_paginate(10)).await.unwrap();
            let back = list().cursor(second.prev_cursor.as_deref());
            read_along_index(back.cursor_paginate(10)).await.unwrap();
        }
    };
    folio.scope(check).await;
}
