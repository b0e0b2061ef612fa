//! Pages on MySQL name an index. A walk continues when that index is renamed, dropped or hidden.

use folio::{CursorPaginator, DB, FrameworkError, Paginate, load};
use folio_tests::recorder::record_statements;
use tokio::sync::Mutex;

use crate::suite::db::{self, Pool};

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "indexed", cursor_key = "score, id desc")]
struct Indexed {
    id: i64,
    score: i64,
}

/// The same rows through a view, which has no index to name.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "seen_through", cursor_key = "score, id desc")]
struct Seen {
    id: i64,
    #[expect(dead_code, reason = "only the index is about it")]
    score: i64,
}

/// The recorder has the statements of all tests, so these tests take turns.
static ALONE: Mutex<()> = Mutex::const_new(());

/// Rows whose scores and ids sort alike, and an index whose name must be quoted.
async fn indexed() -> (folio::Folio, Pool) {
    let rows: Vec<String> = (1..=25).map(|id| format!("({id}, {id})")).collect();
    let schema = format!(
        "CREATE TABLE indexed (id BIGINT PRIMARY KEY, score BIGINT NOT NULL, INDEX `by ``score``` (score, id DESC), \
         INDEX mirrored (score DESC, id)); INSERT INTO indexed VALUES {}; \
         CREATE VIEW seen_through AS SELECT * FROM indexed",
        rows.join(", ")
    );
    db::folio(&schema).await
}

async fn is_mysql(pool: &Pool) -> bool {
    let version: String = sqlx::query_scalar("SELECT VERSION()").fetch_one(pool).await.unwrap();
    !version.contains("MariaDB")
}

/// The ids of the next five rows, and the cursor after them.
async fn page(cursor: Option<&str>) -> (Vec<i64>, Option<String>) {
    let page = Indexed::query().cursor(cursor).cursor_paginate(5).await.unwrap();
    (page.data.iter().map(|row| row.id).collect(), page.next_cursor)
}

#[tokio::test]
async fn a_walk_survives_its_index() {
    let _alone = ALONE.lock().await;
    record_statements();
    let (folio, pool) = indexed().await;
    let check = async {
        db::selects("indexed");
        let changes = [
            "SELECT 1",
            "ALTER TABLE indexed RENAME INDEX `by ``score``` TO renamed",
            "SELECT 2",
            "ALTER TABLE indexed DROP INDEX renamed, DROP INDEX mirrored",
        ];
        let (mut cursor, mut seen) = (None, Vec::new());
        for change in changes {
            let (ids, next) = page(cursor.as_deref()).await;
            seen.extend(ids);
            cursor = next;
            db::run(&pool, change).await;
        }
        seen.extend(page(cursor.as_deref()).await.0);
        assert_eq!(seen, (1..=25).collect::<Vec<i64>>());

        let run = db::selects("indexed");
        let named = |name: &str| run.iter().filter(|sql| sql.contains(&format!("FORCE INDEX (`{name}`)"))).count();
        let is_mysql = is_mysql(&pool).await;
        // The page that fails also names the index.
        assert_eq!(named("by ``score``"), if is_mysql { 3 } else { 0 }, "{run:#?}");
        assert_eq!(named("renamed"), if is_mysql { 2 } else { 0 }, "{run:#?}");
    };
    folio.scope(check).await;
}

/// With a filter, MariaDB names an index too.
#[tokio::test]
async fn a_filtered_walk_survives_its_index() {
    let _alone = ALONE.lock().await;
    record_statements();
    let (folio, pool) = indexed().await;
    db::run(&pool, "UPDATE indexed SET score = 9").await;
    let check = async {
        let list = || Indexed::query().filter(Indexed::SCORE.eq(9)).cursor_by(Indexed::ID);
        let ids = |page: &CursorPaginator<Indexed>| page.data.iter().map(|row| row.id).collect::<Vec<_>>();
        let first = list().cursor_paginate(2).await.unwrap();
        let next = list().cursor(first.next_cursor.as_deref()).cursor_paginate(2).await.unwrap();
        assert_eq!([ids(&first), ids(&next)].concat(), [1, 2, 3, 4]);

        db::run(&pool, "ALTER TABLE indexed DROP INDEX mirrored").await;
        db::selects("indexed");
        for _ in 0..2 {
            let third = list().cursor(next.next_cursor.as_deref()).cursor_paginate(2).await.unwrap();
            assert_eq!(ids(&third), [5, 6]);
        }
        // The page that fails, the same page without an index, and the next one, for which the catalog is read again.
        let run = db::selects("indexed");
        let named: Vec<_> = run.iter().map(|sql| sql.split_once("FORCE INDEX (").map(|(_, rest)| &rest[..3])).collect();
        assert_eq!(named, [Some("`mi"), None, Some("`by")], "{run:#?}");
    };
    folio.scope(check).await;
}

/// The first rows of groups, and what `load` reads, name an index too.
#[tokio::test]
async fn the_rows_of_groups_survive_their_index() {
    let _alone = ALONE.lock().await;
    record_statements();
    let (folio, pool) = indexed().await;
    db::run(&pool, "UPDATE indexed SET score = id % 5").await;
    db::run(&pool, "ALTER TABLE indexed DROP INDEX `by ``score```, DROP INDEX mirrored, ADD INDEX ranked (score, id)")
        .await;
    db::run(&pool, &more_rows(2_000)).await;
    db::run(&pool, "ANALYZE TABLE indexed").await;
    let check = async {
        let newest = || Indexed::query().cursor_by(Indexed::ID);
        let each = async || {
            let mut groups = newest().each_of(Indexed::SCORE, [1, 2]).cursor_paginate(2).await.unwrap();
            [1, 2].map(|score| groups.remove(&score).unwrap().data.iter().map(|row| row.id).collect::<Vec<_>>())
        };
        let loaded = async || {
            let rows = Indexed::query().filter(Indexed::ID.is_in([1, 2])).paginate(5).await.unwrap();
            let same = load::many(newest(), Indexed::SCORE, |row: &Indexed| row.score).first(2);
            let rows = rows.load(same).await.unwrap().data;
            rows.into_iter().map(|(_, rows)| rows.iter().map(|row| row.id).collect()).collect::<Vec<Vec<_>>>()
        };
        let expected = [vec![1, 6], vec![2, 7]];
        for change in ["SELECT 1", "ALTER TABLE indexed RENAME INDEX ranked TO renamed", "SELECT 2"] {
            db::run(&pool, change).await;
            db::selects("indexed");
            assert_eq!(each().await, expected, "after {change}");
            assert!(db::selects("indexed").concat().contains("FORCE INDEX"), "after {change}");
        }
        db::run(&pool, "ALTER TABLE indexed DROP INDEX renamed").await;
        assert_eq!(loaded().await, expected);
        assert_eq!(loaded().await, expected);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_transaction_survives_an_index() {
    let _alone = ALONE.lock().await;
    let (folio, pool) = indexed().await;
    let check = async {
        let (_, cursor) = page(None).await;
        db::run(&pool, "ALTER TABLE indexed DROP INDEX `by ``score```").await;
        DB::transaction(async || {
            db::here("INSERT INTO indexed VALUES (26, 5)").await?;
            assert_eq!(page(cursor.as_deref()).await.0, [6, 7, 8, 9, 10]);
            Ok::<_, FrameworkError>(())
        })
        .await
        .unwrap();
        assert_eq!(page(None).await.0, [1, 2, 3, 4, 26]);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn an_index_that_is_not_used_is_not_named() {
    let _alone = ALONE.lock().await;
    record_statements();
    let (folio, pool) = indexed().await;
    let is_mysql = is_mysql(&pool).await;
    let hidden = if is_mysql { "INVISIBLE" } else { "IGNORED" };
    db::run(&pool, format!("ALTER TABLE indexed ALTER INDEX `by ``score``` {hidden}")).await;
    let check = async {
        db::selects("indexed");
        let (_, cursor) = page(None).await;
        assert_eq!(page(cursor.as_deref()).await.0, [6, 7, 8, 9, 10]);
        assert!(!db::selects("indexed").concat().contains("by ``score``"));
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_view_has_no_index_to_name() {
    let _alone = ALONE.lock().await;
    record_statements();
    let (folio, _pool) = indexed().await;
    let check = async {
        let first = Seen::cursor_paginate(5).await.unwrap();
        let next = Seen::query().cursor(first.next_cursor.as_deref()).cursor_paginate(5).await.unwrap();
        assert_eq!(next.data.iter().map(|row| row.id).collect::<Vec<_>>(), [6, 7, 8, 9, 10]);
        assert!(!db::selects("seen_through").concat().contains("FORCE"));
    };
    folio.scope(check).await;
}

/// Another condition may have an index that saves more than the order.
#[tokio::test]
async fn a_filter_without_an_index_is_left_to_the_server() {
    let _alone = ALONE.lock().await;
    record_statements();
    let (folio, _pool) = indexed().await;
    let check = async {
        db::selects("indexed");
        let few = || Indexed::query().cursor_by(Indexed::SCORE.desc()).filter(Indexed::SCORE.lt(9));
        let first = few().cursor_paginate(5).await.unwrap();
        let next = few().cursor(first.next_cursor.as_deref()).cursor_paginate(5).await.unwrap();
        assert_eq!(next.data.iter().map(|row| row.id).collect::<Vec<_>>(), [3, 2, 1]);
        assert!(!db::selects("indexed").concat().contains("FORCE"));
    };
    folio.scope(check).await;
}

/// On the first page, MySQL would read rows ahead if it expects many for a value, unless the page's keys are found
/// first. After a cursor it does not, and MariaDB never does with a named index. Rows that a page skips are read from
/// the index alone on both.
#[tokio::test]
async fn the_first_filtered_page_finds_keys_first_if_mysql_expects_many_rows() {
    let _alone = ALONE.lock().await;
    record_statements();
    // How many rows are added to one of 25 scores, and whether a score then has many rows on average.
    for (rows, are_many) in [(5, false), (5_000, true)] {
        let (folio, pool) = indexed().await;
        db::run(&pool, &more_rows(rows)).await;
        db::run(&pool, "ANALYZE TABLE indexed").await;
        let reads_ahead = are_many && is_mysql(&pool).await;
        let check = async {
            let list = || Indexed::query().filter(Indexed::SCORE.eq(9)).cursor_by(Indexed::ID.desc());
            // The first page of all looks up the indexes.
            list().cursor_paginate(2).await.unwrap();
            db::selects("indexed");
            let first = list().cursor_paginate(2).await.unwrap();
            let next = list().cursor(first.next_cursor.as_deref()).cursor_paginate(2).await.unwrap();
            let last = list().skip(3).cursor_paginate(2).await.unwrap();
            let ids: Vec<i64> =
                [&first, &next, &last].into_iter().flat_map(|page| &page.data).map(|row| row.id).collect();
            assert_eq!(ids, [0, 1, 2, 3, 3, 4].map(|before| 25 + rows - before));

            let run = db::selects("indexed");
            let finds_keys_first: Vec<bool> = run.iter().map(|sql| sql.contains("(SELECT")).collect();
            assert_eq!(finds_keys_first, [reads_ahead, false, true], "{rows} rows: {run:#?}");
            assert!(run.iter().all(|sql| sql.contains("FORCE INDEX (`by ``score```)")), "{run:#?}");
        };
        folio.scope(check).await;
    }
}

/// Adds rows with the score 9 and the ids from 26 on.
fn more_rows(rows: i64) -> String {
    let rows: Vec<String> = (26..26 + rows).map(|id| format!("({id}, 9)")).collect();
    format!("INSERT INTO indexed VALUES {}", rows.join(", "))
}

#[tokio::test]
async fn an_estimate_counts_nothing() {
    let _alone = ALONE.lock().await;
    record_statements();
    let (folio, pool) = indexed().await;
    db::run(&pool, "ANALYZE TABLE indexed").await;
    let check = async {
        db::selects("indexed");
        let page = Indexed::query().estimated_total().page(1).paginate(5).await.unwrap();
        assert!((20..=30).contains(&page.total), "{}", page.total);
        let run = db::selects("indexed");
        assert!(!run.concat().contains("COUNT("), "{run:#?}");
    };
    folio.scope(check).await;
}

/// A key whose only index has the opposite directions: `score desc, id` read backwards.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "mirrored", cursor_key = "score, id desc")]
struct Mirrored {
    id: i64,
    #[expect(dead_code, reason = "only the index is about it")]
    score: i64,
}

/// Walks to the end and back, and returns the ids of both directions.
async fn there_and_back(per_page: u64) -> [Vec<i64>; 2] {
    let ids = |page: &CursorPaginator<Mirrored>| page.data.iter().map(|row| row.id).collect::<Vec<_>>();
    let walk = async |cursor: Option<String>| {
        Mirrored::query().cursor(cursor.as_deref()).cursor_paginate(per_page).await.unwrap()
    };
    let mut page = walk(None).await;
    let mut there = ids(&page);
    while page.next_cursor.is_some() {
        page = walk(page.next_cursor).await;
        there.extend(ids(&page));
    }
    let mut back = ids(&page);
    while page.prev_cursor.is_some() {
        page = walk(page.prev_cursor).await;
        back.splice(0..0, ids(&page));
    }
    [there, back]
}

#[tokio::test]
async fn a_walk_along_an_index_of_other_directions_sees_each_row_once() {
    let _alone = ALONE.lock().await;
    record_statements();
    // The first rows tie in groups of up to six.
    let score = |id: i64| id * id / 37;
    let rows: Vec<String> = (1..=200).map(|id| format!("({id}, {})", score(id))).collect();
    let schema = format!(
        "CREATE TABLE mirrored (id BIGINT PRIMARY KEY, score BIGINT NOT NULL, INDEX other_way (score DESC, id)); \
         INSERT INTO mirrored VALUES {}",
        rows.join(", ")
    );
    let (folio, pool) = db::folio(&schema).await;
    let is_mysql = is_mysql(&pool).await;
    let mut expected: Vec<i64> = (1..=200).collect();
    expected.sort_by_key(|id| (score(*id), -id));
    let check = async {
        db::selects("mirrored");
        for per_page in [1, 4, 15, 64] {
            let [there, back] = there_and_back(per_page).await;
            assert_eq!(there, expected, "pages of {per_page}");
            assert_eq!(back, expected, "pages of {per_page}, back");
        }
        // The groups that a page is in are found first.
        assert_eq!(db::selects("mirrored").concat().contains("folio_groups"), is_mysql);
    };
    folio.scope(check).await;
}
