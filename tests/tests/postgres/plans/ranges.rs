//! What PostgreSQL reads for a page of the rows with one value in a column, if these are far apart, or together at the
//! end.

use folio::{Builder, Column, CursorPaginator, Folio, Key, Keyring, Paginate};
use folio_tests::recorder::Recorder;

use super::{BLOCKS, Cost, PER_PAGE, ROWS, explained_with, read};
use crate::server;
use crate::suite::db;

/// The last tenth of the rows has the same tenant and kind.
const TABLE: &str = "
    CREATE TABLE ranged (id BIGINT PRIMARY KEY, tenant INT NOT NULL, kind INT NOT NULL,
        code TEXT NOT NULL, spot INT NOT NULL, huge BIGINT NOT NULL, note TEXT NOT NULL);
    INSERT INTO ranged
    SELECT n, CASE WHEN n > 90000 THEN 1 ELSE n % 50 + 2 END, CASE WHEN n > 90000 THEN 1 ELSE n % 3 END, 'c' || n % 2000,
        n % 400, 9007199254740992 + n % 2, repeat('x', 100)
    FROM generate_series(1, 100000) AS n;
    CREATE INDEX ON ranged (tenant, id);
    CREATE INDEX ON ranged (kind, tenant, id);
    CREATE INDEX ON ranged (kind, id DESC);
    CREATE INDEX ON ranged (spot NULLS FIRST, id);
    CREATE INDEX ON ranged (huge, id);
    CREATE INDEX ON ranged (code text_pattern_ops, id);
    ANALYZE ranged";

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "ranged")]
struct Ranged {
    id: i64,
    tenant: i32,
    kind: i32,
    code: String,
    spot: i32,
    huge: i64,
}

/// A list and its name.
type List = (&'static str, fn() -> Builder<Ranged>);

const LISTS: [List; 8] = [
    ("the last tenant", || by_id().filter(Ranged::TENANT.eq(1))),
    ("a tenant", || by_id().filter(Ranged::TENANT.eq(7))),
    ("a tenant and a kind", || by_id().filter(Ranged::TENANT.eq(1)).filter(Ranged::KIND.eq(1))),
    // The index has both directions, so the page is not one range of it.
    ("a kind, backwards", || Ranged::query().filter(Ranged::KIND.eq(1)).order_by(Ranged::ID.desc())),
    // ORDER BY does not sort as the index does, so the column stays out of it.
    ("a code", || by_id().filter(Ranged::CODE.eq("c3"))),
    ("a spot", || by_id().filter(Ranged::SPOT.eq(3))),
    // As a floating-point number, each value equals this one.
    ("a rounded number", || by_id().filter(Column::<f64>::new("huge").eq(9_007_199_254_740_992.0))),
    ("a kind and a tenant", || by_id().filter(Ranged::KIND.eq(1).and(Ranged::TENANT.eq(7)))),
];

fn by_id() -> Builder<Ranged> {
    Ranged::query().order_by(Ranged::ID)
}

/// The ids of a page, and the cursors to the next and to the previous page.
async fn page(list: Builder<Ranged>, cursor: Option<&str>) -> (Vec<i64>, Option<String>, Option<String>) {
    let page = list.cursor(cursor).cursor_paginate(PER_PAGE).await.unwrap();
    assert!(page.data.iter().all(|row| row.kind == if row.tenant == 1 { 1 } else { (row.id % 3) as i32 }));
    assert!(page.data.iter().all(|row| row.code == format!("c{}", row.id % 2_000)));
    assert!(page.data.iter().all(|row| i64::from(row.spot) == row.id % 400 && row.huge % 2 == row.id % 2));
    (ids(&page), page.next_cursor, page.prev_cursor)
}

fn ids(page: &CursorPaginator<Ranged>) -> Vec<i64> {
    page.data.iter().map(|row| row.id).collect()
}

/// Pages that begin and end at other places of a list than its pages do.
async fn check_windows(name: &str, list: fn() -> Builder<Ranged>, all: &[i64]) {
    let size = usize::try_from(PER_PAGE).unwrap();
    let skipped = list().skip(PER_PAGE + 3).cursor_paginate(PER_PAGE).await.unwrap();
    assert_eq!(ids(&skipped), all[size + 3..2 * size + 3], "{name}, skipped");
    assert_eq!(ids(&list().last_page(PER_PAGE).await.unwrap()), all[all.len() - size..], "{name}, last page");
    let (begin, end) = (skipped.prev_cursor.as_deref(), skipped.next_cursor.as_deref());
    let before = list().before(begin).last_page(100).await.unwrap();
    assert_eq!(ids(&before), all[..size + 3], "{name}, before");
    let between = list().after(before.prev_cursor.as_deref()).before(end).cursor_paginate(100).await.unwrap();
    assert_eq!(ids(&between), all[..2 * size + 2], "{name}, before the last row");
    let from = list().seek_inclusive(all[size]).cursor_paginate(PER_PAGE).await.unwrap();
    assert_eq!(ids(&from), all[size..2 * size], "{name}, from");
    let behind = list().seek(all[size]).cursor_paginate(PER_PAGE).await.unwrap();
    assert_eq!(ids(&behind), all[size + 1..=2 * size], "{name}, behind");
}

/// PostgreSQL takes a column that equals a value out of the ORDER BY, and expects to find rows of a frequent value soon
/// in any other index with the rest of the order, such as the primary key's.
#[tokio::test]
async fn a_page_of_a_value_reads_few_rows_wherever_they_are() {
    let table = server::pool(1).await;
    db::run(&table, TABLE).await;
    for plans in ["auto", "force_custom_plan", "force_generic_plan"] {
        let pool = explained_with((*table.connect_options()).clone(), plans).await;
        let log = Recorder::of_target("sqlx::postgres::notice");
        let measure = async {
            for (name, list) in LISTS {
                let all = list().page(1).paginate(u64::MAX).await.unwrap().data;
                let all: Vec<i64> = all.into_iter().map(|row| row.id).collect();
                let per_page = usize::try_from(PER_PAGE).unwrap();
                let (mut found, mut cursor) = (page(list(), None).await, None);
                for at in 0..3 {
                    read(&log);
                    found = page(list(), cursor.as_deref()).await;
                    let Cost { rows, beside } = read(&log);
                    assert_eq!(found.0, all[at * per_page..(at + 1) * per_page], "{name}, page {at}, {plans}");
                    assert!((1..=ROWS).contains(&rows), "{name}, page {at}: {rows} rows, {plans}");
                    assert!(beside <= BLOCKS, "{name}, page {at}: {beside} blocks, {plans}");
                    cursor = found.1.take();
                }
                check_windows(name, list, &all).await;
                read(&log);
                let back = page(list(), found.2.as_deref()).await;
                let Cost { rows, beside } = read(&log);
                assert_eq!(back.0, all[per_page..2 * per_page], "{name}, back, {plans}");
                assert!((1..=ROWS).contains(&rows) && beside <= BLOCKS, "{name}, back: {rows} rows, {beside} blocks");
            }
        };
        Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(measure).await;
    }
}
