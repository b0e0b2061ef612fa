//! What PostgreSQL reads for a page of the rows with one value in a column, if these are far apart, or together at the
//! end.

use folio::{Builder, Folio, Key, Keyring, Paginate};
use folio_tests::recorder::Recorder;

use super::{BLOCKS, Cost, PER_PAGE, ROWS, explained_in, options, read};

const SCHEMA: &str = "folio_ranges";

/// The last tenth of the rows has the same tenant and kind.
const TABLE: &str = "
    DROP SCHEMA IF EXISTS folio_ranges CASCADE;
    CREATE SCHEMA folio_ranges;
    CREATE TABLE folio_ranges.ranged (id BIGINT PRIMARY KEY, tenant INT NOT NULL, kind INT NOT NULL,
        code TEXT NOT NULL, note TEXT NOT NULL);
    INSERT INTO folio_ranges.ranged
    SELECT n, CASE WHEN n > 90000 THEN 1 ELSE n % 50 + 2 END, CASE WHEN n > 90000 THEN 1 ELSE n % 3 END, 'c' || n % 2000,
        repeat('x', 100)
    FROM generate_series(1, 100000) AS n;
    CREATE INDEX ON folio_ranges.ranged (tenant, id);
    CREATE INDEX ON folio_ranges.ranged (kind, tenant, id);
    CREATE INDEX ON folio_ranges.ranged (kind, id DESC);
    CREATE INDEX ON folio_ranges.ranged (code text_pattern_ops, id);
    ANALYZE folio_ranges.ranged";

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "ranged")]
struct Ranged {
    id: i64,
    tenant: i32,
    kind: i32,
    code: String,
}

/// A list and its name.
type List = (&'static str, fn() -> Builder<Ranged>);

const LISTS: [List; 6] = [
    ("the last tenant", || by_id().filter(Ranged::TENANT.eq(1))),
    ("a tenant", || by_id().filter(Ranged::TENANT.eq(7))),
    ("a tenant and a kind", || by_id().filter(Ranged::TENANT.eq(1)).filter(Ranged::KIND.eq(1))),
    // The index has both directions, so the page is not one range of it.
    ("a kind, backwards", || Ranged::query().filter(Ranged::KIND.eq(1)).order_by(Ranged::ID.desc())),
    // ORDER BY does not sort as the index does, so the column stays out of it.
    ("a code", || by_id().filter(Ranged::CODE.eq("c3"))),
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
    (page.data.iter().map(|row| row.id).collect(), page.next_cursor, page.prev_cursor)
}

/// PostgreSQL takes a column that equals a value out of the ORDER BY, and expects to find rows of a frequent value soon in
/// any other index with the rest of the order, such as the primary key's.
#[tokio::test]
async fn a_page_of_a_value_reads_few_rows_wherever_they_are() {
    let setup = sqlx::PgPool::connect_with(options(SCHEMA)).await.unwrap();
    sqlx::raw_sql(TABLE).execute(&setup).await.unwrap();
    for plans in ["auto", "force_custom_plan", "force_generic_plan"] {
        let pool = explained_in(SCHEMA, plans).await;
        let log = Recorder::of_target("sqlx::postgres::notice");
        let measure = async {
            for (name, list) in LISTS {
                let all = list().page(1).paginate(20_000).await.unwrap().data;
                let all: Vec<i64> = all.iter().map(|row| row.id).collect();
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
                read(&log);
                let back = page(list(), found.2.as_deref()).await;
                let Cost { rows, beside } = read(&log);
                assert_eq!(back.0, all[per_page..2 * per_page], "{name}, back, {plans}");
                assert!((1..=ROWS).contains(&rows) && beside <= BLOCKS, "{name}, back: {rows} rows, {beside} blocks");
            }
        };
        Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(measure).await;
    }
    sqlx::raw_sql("DROP SCHEMA folio_ranges CASCADE").execute(&setup).await.unwrap();
}
