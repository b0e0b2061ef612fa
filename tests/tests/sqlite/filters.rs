//! When SQLite keeps the plan of a filtered page for all values of the filter.

use std::sync::atomic::Ordering;

use folio::Paginate;
use folio_tests::recorder::record_statements;

use super::steps::count_steps;
use crate::suite::db;

/// Nearly all rows are of one tenant. The statistics are from the time before another one had the oldest and the latest
/// rows, so that the second page of the other one begins before all rows of the first.
const SCHEMA: &str = "CREATE TABLE leased (id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, moment INTEGER NOT NULL,
        note TEXT);
    CREATE INDEX leased_tenant ON leased (tenant, moment, id);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
    INSERT INTO leased SELECT i, 1, i, NULL FROM n;";
const LATER: &str = "ANALYZE;
    INSERT INTO leased
    SELECT 20000 + id, 2, CASE WHEN id <= 20 THEN 20000 + id ELSE -id END, NULL
    FROM leased WHERE id <= 40;";

/// The maximum number of instructions of a page. A page that reads the rows of the other tenant takes more than 50,000.
const MAX_STEPS: u64 = 2_000;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "leased", cursor_key = "moment desc, id desc")]
struct Leased {
    id: i64,
    tenant: i64,
    moment: i64,
    note: Option<String>,
}

/// SQLite plans a bare comparison for the bound value, and then prepares the statement again for each page.
#[tokio::test]
async fn a_plan_is_kept_unless_another_index_has_the_whole_list() {
    record_statements();
    for (indexes, is_kept) in [
        ("", true),
        ("CREATE INDEX leased_alone ON leased (tenant);", true),
        ("CREATE INDEX leased_other ON leased (tenant, id);", true),
        ("CREATE INDEX leased_moment ON leased (moment, id);", true),
        ("CREATE INDEX leased_all ON leased (moment, id, tenant, note);", false),
    ] {
        let (folio, pool) = db::folio(&[SCHEMA, indexes, LATER].concat()).await;
        let steps = count_steps(&pool).await;
        let read = async {
            db::selects("leased");
            for tenant in [1, 2] {
                let list = || Leased::query().filter(Leased::TENANT.eq(tenant));
                let mut cursor = None;
                for page in 0..2 {
                    steps.store(0, Ordering::Relaxed);
                    let found = list().cursor(cursor.as_deref()).cursor_paginate(15).await.unwrap();
                    assert_eq!(found.data.len(), 15);
                    assert!(found.data.iter().all(|row| row.tenant == tenant && row.note.is_none()));
                    assert!(found.data.is_sorted_by_key(|row| std::cmp::Reverse((row.moment, row.id))));
                    let steps = steps.load(Ordering::Relaxed);
                    assert!((1..=MAX_STEPS).contains(&steps), "{indexes} tenant {tenant}, page {page}: {steps}");
                    cursor = found.next_cursor;
                }
            }
            let statements = db::selects("leased");
            assert_eq!(statements.len(), 4);
            for sql in statements {
                assert_eq!(sql.contains("\"tenant\" = + ?"), is_kept, "{indexes}: {sql}");
                assert_eq!(sql.contains("\"tenant\" = ?"), !is_kept, "{indexes}: {sql}");
            }
        };
        folio.scope(read).await;
    }
}
