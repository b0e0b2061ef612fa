//! What Citus is sent, which refuses LATERAL joins and series over several servers, and asks one server alone if each
//! part of a statement has an equality on the distribution column. The catalog looks like that of Citus.

use folio::{Builder, CursorPaginator, Folio, Paginate, Total, load};
use folio_tests::recorder::record_statements;
use tokio::sync::{Mutex, MutexGuard};

use crate::suite::db;

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "spread", cursor_key = "moment, id")]
struct Spread {
    id: i64,
    tenant: i64,
    author: i64,
    moment: i64,
}

const SCHEMA: &str = "
    CREATE TABLE spread (id BIGINT PRIMARY KEY, tenant BIGINT NOT NULL, author BIGINT NOT NULL, moment BIGINT NOT NULL);
    INSERT INTO spread SELECT n, n % 3, n % 5, n / 7 FROM generate_series(1, 300) AS n;
    CREATE INDEX ON spread (author, moment, id);
    CREATE INDEX ON spread (tenant, author, moment, id);
    CREATE TABLE pg_dist_partition (logicalrelid REGCLASS, partmethod \"char\", partkey TEXT);
    INSERT INTO pg_dist_partition VALUES ('spread', 'h', 'tenant');
    CREATE FUNCTION column_to_column_name(REGCLASS, TEXT) RETURNS TEXT LANGUAGE SQL RETURN $2";

/// An application on the table, and a guard: the statements of two tests are recorded together.
async fn folio() -> (Folio, MutexGuard<'static, ()>) {
    static ALONE: Mutex<()> = Mutex::const_new(());
    let alone = ALONE.lock().await;
    let (folio, _pool) = db::folio(SCHEMA).await;
    record_statements();
    (folio, alone)
}

/// The ids of all pages, forwards, and the statements that read them.
async fn walk(list: impl Fn() -> Builder<Spread>) -> (Vec<i64>, Vec<String>) {
    let _earlier = db::selects("spread");
    let (mut ids, mut cursor) = (Vec::new(), None);
    loop {
        let page: CursorPaginator<Spread> = list().cursor(cursor.as_deref()).cursor_paginate(8).await.unwrap();
        ids.extend(page.data.iter().map(|row| row.id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return (ids, db::selects("spread"));
        }
    }
}

/// The ids of the rows that match, in the order of a key.
fn expected<K: Ord>(matches: impl Fn(&Spread) -> bool, key: impl Fn(&Spread) -> K) -> Vec<i64> {
    let row = |n: i64| Spread { id: n, tenant: n % 3, author: n % 5, moment: n / 7 };
    let mut rows: Vec<Spread> = (1..=300).map(row).filter(matches).collect();
    rows.sort_by_key(key);
    rows.iter().map(|row| row.id).collect()
}

fn assert_flat(statements: &[String]) {
    assert!(!statements.is_empty());
    for sql in statements {
        for refused in ["LATERAL", "UNION", "generate_series", " JOIN ", "LIMIT 128"] {
            assert!(!sql.contains(refused), "{refused} in {sql}");
        }
    }
}

#[tokio::test]
async fn without_the_distribution_column_a_page_is_one_flat_select() {
    let (folio, _alone) = folio().await;
    folio
        .scope(async {
            let (ids, statements) = walk(Spread::query).await;
            assert_eq!(ids, expected(|_| true, |row| (row.moment, row.id)));
            assert_flat(&statements);
            assert!(statements.iter().any(|sql| sql.contains("\"id\") > ($1, $2)")), "{statements:?}");

            let mixed = || Spread::query().cursor_by((Spread::MOMENT.desc(), Spread::ID));
            let (ids, statements) = walk(mixed).await;
            assert_eq!(ids, expected(|_| true, |row| (-row.moment, row.id)));
            assert_flat(&statements);
            assert!(statements.iter().any(|sql| sql.contains("\"moment\" <= $1 AND (")), "{statements:?}");

            let feed = || Spread::query().among(Spread::AUTHOR, [1, 3, 4]);
            let (ids, statements) = walk(feed).await;
            assert_eq!(ids, expected(|row| [1, 3, 4].contains(&row.author), |row| (row.moment, row.id)));
            assert_flat(&statements);
            assert!(statements.iter().all(|sql| sql.contains("ANY(")), "{statements:?}");
        })
        .await;
}

/// Citus reads the whole table for a join with the keys of a page, and each server sends the rows of a literal limit.
#[tokio::test]
async fn a_numbered_page_is_one_flat_select() {
    let (folio, _alone) = folio().await;
    folio
        .scope(async {
            let all = expected(|_| true, |row| (row.moment, row.id));
            for page in [1, 2, 12, 27] {
                let list = || Spread::query().order_by((Spread::MOMENT, Spread::ID)).page(page);
                let from = (usize::try_from(page).unwrap() - 1) * 10;
                let counted = list().paginate(10).await.unwrap();
                let simple = list().simple_paginate(10).await.unwrap();
                assert_eq!((counted.total, simple.has_more), (300, true));
                for data in [counted.data, simple.data] {
                    assert_eq!(data.iter().map(|row| row.id).collect::<Vec<_>>(), all[from..from + 10]);
                }
                assert_flat(&db::selects("spread"));
            }
        })
        .await;
}

#[tokio::test]
async fn children_have_a_select_for_each_group() {
    let (folio, _alone) = folio().await;
    folio
        .scope(async {
            let _earlier = db::selects("spread");
            let four = || Spread::query().filter(Spread::ID.lt(5)).order_by(Spread::ID);
            let rows = load::many(Spread::query(), Spread::AUTHOR, |row: &Spread| row.author);
            let page = four().simple_paginate(9).await.unwrap().load(rows.first(3)).await.unwrap();
            for (row, found) in &page.data {
                let all = expected(|other| other.author == row.author, |row| (row.moment, row.id));
                assert_eq!(found.iter().map(|row| row.id).collect::<Vec<_>>(), all[..3]);
            }
            let named = load::one(Spread::query(), Spread::ID, |row: &Spread| row.author + 1);
            let page = four().simple_paginate(9).await.unwrap().load(named).await.unwrap();
            for (row, found) in &page.data {
                assert_eq!(found.as_ref().map(|found| found.id), Some(row.author + 1));
            }
            let first = Spread::query().each_of(Spread::AUTHOR, [4, 2, 9]).first(3).await.unwrap();
            for author in [2, 4] {
                let all = expected(|row| row.author == author, |row| (row.moment, row.id));
                assert_eq!(first[&author].iter().map(|row| row.id).collect::<Vec<_>>(), all[..3]);
            }
            assert!(first[&9].is_empty());
            let counted = Spread::query().counted().each_of(Spread::AUTHOR, [1, 2]).cursor_paginate(4).await.unwrap();
            assert_eq!((counted[&1].total, counted[&2].total), (Some(Total::Exact(60)), Some(Total::Exact(60))));
            for sql in db::selects("spread") {
                let refused =
                    ["LATERAL", "generate_series", "unnest", " JOIN "].iter().find(|word| sql.contains(**word));
                assert_eq!(refused, None, "{sql}");
            }
        })
        .await;
}

#[tokio::test]
async fn with_the_distribution_column_each_part_of_a_statement_has_its_equality() {
    let (folio, _alone) = folio().await;
    folio
        .scope(async {
            let of_tenant = || Spread::query().filter(Spread::TENANT.eq(1));
            for is_feed in [false, true] {
                let list = || if is_feed { of_tenant().among(Spread::AUTHOR, [1, 3, 4]) } else { of_tenant() };
                let authors = if is_feed { &[1, 3, 4][..] } else { &[0, 1, 2, 3, 4] };
                let (ids, statements) = walk(list).await;
                let matches = |row: &Spread| row.tenant == 1 && authors.contains(&row.author);
                assert_eq!(ids, expected(matches, |row| (row.moment, row.id)));
                for sql in statements {
                    let tables = sql.matches("FROM \"spread\"").count() + sql.matches("JOIN \"spread\"").count();
                    assert_eq!(sql.matches("\"tenant\" = $").count(), tables, "{sql}");
                }
            }
        })
        .await;
}
