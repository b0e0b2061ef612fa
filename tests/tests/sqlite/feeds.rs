//! What SQLite does for a page of many groups: it leaves each as soon as its next row cannot be on the page. It takes
//! few instructions of its virtual machine, however many rows the groups have.

use std::sync::atomic::Ordering;

use folio::{CursorPaginator, Paginate};
use folio_tests::recorder::record_statements;
use tokio::sync::Mutex;

use super::steps::count_steps;
use crate::suite::db;

/// The recorder has the statements of all tests, so these tests, which read the same table, take turns.
static ALONE: Mutex<()> = Mutex::const_new(());

/// Posts of 1,000 authors, each with 100.
const SCHEMA: &str = "CREATE TABLE fed (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL, moment INTEGER NOT NULL);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000)
    INSERT INTO fed SELECT i, i * 7919 % 1000, i * 104729 % 50021 FROM n;
    CREATE INDEX fed_author ON fed (author_id, moment, id);
    ANALYZE;";

/// A moment in the middle.
const MIDDLE: i64 = 25_000;

/// The maximum number of instructions for each group, and for each row of the page. To read all rows of a group takes
/// more than 1,000.
const STEPS: u64 = 100;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "fed", cursor_key = "moment desc, id desc")]
struct Fed {
    id: i64,
    author_id: i64,
    moment: i64,
}

async fn page(groups: u64, cursor: Option<&str>) -> CursorPaginator<Fed> {
    let list = Fed::query().among(Fed::AUTHOR_ID, 0..i64::try_from(groups).unwrap());
    let page = list.cursor(cursor).cursor_paginate(15).await.unwrap();
    assert_eq!(page.data.len(), 15);
    assert!(page.data.iter().all(|row| u64::try_from(row.author_id).unwrap() < groups));
    assert!(page.data.is_sorted_by_key(|row| std::cmp::Reverse((row.moment, row.id))));
    page
}

#[tokio::test]
async fn a_page_of_a_feed_reads_few_rows_of_each_group() {
    let _alone = ALONE.lock().await;
    let (folio, pool) = db::folio(SCHEMA).await;
    let steps = count_steps(&pool).await;
    let check = |page: &str, groups: u64| {
        let steps = steps.swap(0, Ordering::Relaxed);
        println!("{page} of {groups} groups: {steps} instructions");
        let most = STEPS * (groups + 2 * 15 + 10);
        assert!((1..=most).contains(&steps), "{page} of {groups} groups: {steps} instructions");
    };
    let measure = async {
        for groups in [10, 50, 200, 1_000] {
            let middle = Fed::query().filter(Fed::MOMENT.lte(MIDDLE)).cursor_paginate(1).await.unwrap();
            steps.store(0, Ordering::Relaxed);
            page(groups, None).await;
            check("first page", groups);
            let after = page(groups, middle.next_cursor.as_deref()).await;
            check("after a boundary", groups);
            page(groups, after.prev_cursor.as_deref()).await;
            check("before a boundary", groups);
        }
    };
    folio.scope(measure).await;
}

/// SQLite plans a bare comparison for the bound value, so it would prepare the statement again for each page.
#[tokio::test]
async fn a_feed_of_one_group_is_planned_once_for_all_values() {
    let _alone = ALONE.lock().await;
    record_statements();
    let (folio, _pool) = db::folio(SCHEMA).await;
    let read = async {
        let first = page(1, None).await;
        page(1, first.next_cursor.as_deref()).await;
        let statements = db::selects("fed");
        assert_eq!(statements.len(), 2);
        for sql in statements {
            assert!(sql.contains("= + ?"), "{sql}");
            let bare = ["= ?", "< ?", "> ?"].iter().find(|comparison| sql.contains(*comparison));
            assert_eq!(bare, None, "{sql}");
        }
    };
    folio.scope(read).await;
}
