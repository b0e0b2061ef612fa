//! Partial indexes that are created while a service runs, whose conditions compare with a value of a list's filter.

use folio::{Builder, Paginate};
use folio_tests::recorder::record_statements;

use super::steps::count_steps;
use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "jobs", cursor_key = "moment, id")]
struct Job {
    id: i64,
    state: String,
    tenant: i64,
    moment: i64,
}

const STATES: [&str; 3] = ["new", "open", "closed"];

const SCHEMA: &str = "CREATE TABLE jobs (id INTEGER PRIMARY KEY, state TEXT NOT NULL, tenant INTEGER NOT NULL, \
        moment INTEGER NOT NULL);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 900)
    INSERT INTO jobs SELECT i, CASE i % 3 WHEN 0 THEN 'new' WHEN 1 THEN 'open' ELSE 'closed' END, i % 4, i / 7 FROM n;";

fn jobs() -> impl Iterator<Item = Job> {
    let state = |id: i64| STATES[usize::try_from(id % 3).unwrap()].to_owned();
    (1..=900).map(move |id| Job { id, state: state(id), tenant: id % 4, moment: id / 7 })
}

/// Every kind of read of a list finds exactly the rows that match, which are in the order of their ids.
async fn check(list: impl Fn() -> Builder<Job>, matches: impl Fn(&Job) -> bool, case: &str) {
    let expected: Vec<i64> = jobs().filter(|job| matches(job)).map(|job| job.id).collect();
    let total = u64::try_from(expected.len()).unwrap();
    let (mut ids, mut cursor) = (Vec::new(), None);
    loop {
        let page = list().cursor(cursor.as_deref()).counted().cursor_paginate(100).await.unwrap();
        assert_eq!(page.total.map(|total| total.rows()), Some(total), "{case}");
        ids.extend(page.data.iter().map(|job| job.id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(ids, expected, "{case}");
    let numbered = || list().order_by((Job::MOMENT, Job::ID));
    let page = numbered().paginate(50).await.unwrap();
    assert_eq!((page.total, page.data.len()), (total, expected.len().min(50)), "{case}");
    let simple = numbered().page(2).simple_paginate(10).await.unwrap();
    assert_eq!(simple.data.iter().map(|job| job.id).collect::<Vec<_>>(), expected[10..20], "{case}");
    assert_eq!(list().count().await.unwrap(), total, "{case}");
    assert!(list().exists().await.unwrap(), "{case}");
    assert_eq!(numbered().first().await.unwrap().map(|job| job.id), expected.first().copied(), "{case}");
    let each = list().each_of(Job::TENANT, [1, 2]).first(1_000).await.unwrap();
    let of_two = expected.iter().filter(|id| [1, 2].contains(&(*id % 4))).count();
    assert_eq!(each.values().map(Vec::len).sum::<usize>(), of_two, "{case}");
}

/// SQLite 3.51 prepares a statement again after the schema has changed, chooses the index for the value that is bound
/// then, and keeps it for all other values.
#[tokio::test]
async fn an_index_for_one_value_that_is_created_later_hides_no_row_of_another() {
    for (index, statistics) in [
        ("state = 'open'", ""),
        ("state = 'open'", "CREATE INDEX by_tenant ON jobs (tenant, state); ANALYZE"),
        ("state = 'open'", "CREATE INDEX by_state ON jobs (state)"),
        ("state = 'open'", "CREATE INDEX by_state ON jobs (state); ANALYZE"),
        ("state = 'open'", "CREATE INDEX closed ON jobs (moment) WHERE state = 'closed'"),
    ] {
        let (folio, pool) = db::folio(&format!("{SCHEMA} {statistics}")).await;
        let of = |state: &'static str| {
            let list = move || Job::query().filter(Job::STATE.eq(state));
            check(list, move |job| job.state == state, "state")
        };
        let read = async {
            for state in ["open", "closed", "open"] {
                of(state).await;
            }
            db::run(&pool, format!("CREATE INDEX partial ON jobs (moment, id) WHERE {index}")).await;
            for state in ["open", "closed", "new", "open"] {
                of(state).await;
            }
        };
        folio.scope(read).await;
    }
}

#[tokio::test]
async fn an_index_for_one_tenant_or_range_that_is_created_later_hides_no_row_of_another() {
    let (folio, pool) = db::folio(SCHEMA).await;
    let of = |tenant: i64| {
        check(move || Job::query().filter(Job::TENANT.eq(tenant)), move |job| job.tenant == tenant, "tenant")
    };
    let from = |moment: i64| {
        check(move || Job::query().filter(Job::MOMENT.gte(moment)), move |job| job.moment >= moment, "from")
    };
    let between = |from: i64| {
        let list = move || Job::query().filter(Job::MOMENT.between(from, 120));
        check(list, move |job| (from..=120).contains(&job.moment), "between")
    };
    let read = async {
        for value in [1, 2] {
            of(value).await;
            from(50 * value).await;
            between(50 * value).await;
        }
        let indexes = "CREATE INDEX of_one ON jobs (moment, id) WHERE tenant = 1; \
                       CREATE INDEX late ON jobs (moment, id) WHERE moment >= 50";
        db::run(&pool, indexes).await;
        for value in [1, 2, 0, 1] {
            of(value).await;
            from(50 * value).await;
            between(50 * value).await;
        }
    };
    folio.scope(read).await;
}

/// If the index is there when the service starts, its list is read along it, as a list of bound values can be.
#[tokio::test]
async fn an_index_for_one_value_is_used_for_that_value() {
    record_statements();
    let partial = "CREATE INDEX partial ON jobs (moment, id) WHERE state = 'open'";
    let (folio, pool) = db::folio(&format!("{SCHEMA} {partial}")).await;
    let steps = count_steps(&pool).await;
    let read = async {
        for state in ["open", "closed", "new", "open"] {
            let list = || Job::query().filter(Job::STATE.eq(state));
            check(list, |job| job.state == state, state).await;
        }
        steps.store(0, std::sync::atomic::Ordering::Relaxed);
        let list = || Job::query().filter(Job::STATE.eq("open"));
        list().cursor_paginate(5).await.unwrap();
        list().order_by((Job::MOMENT, Job::ID)).simple_paginate(5).await.unwrap();
        // Without the index, each page reads and sorts 900 rows.
        let steps = steps.load(std::sync::atomic::Ordering::Relaxed);
        assert!((1..=1_000).contains(&steps), "{steps}");
    };
    folio.scope(read).await;
}
