//! Pages whose keys are found first repeat the equalities in the outer select, where a server in front of several
//! shards looks for them. On a single server, they read the same blocks as without.

use folio::{Builder, Folio, Key, Keyring, Paginate};
use folio_tests::recorder::{Recorder, record_statements};

use super::{Pool, explained_with, read};
use crate::server;
use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "sharded", cursor_key = "moment")]
struct Sharded {
    id: i64,
    tenant: i32,
    author: i32,
    moment: i32,
    body: String,
}

/// Tenant 0 has half of the rows, tenant 9 has 500, and the others have 5,000 each, next to each other. Autovacuum would
/// change what an index-only scan costs between two pages.
const TABLE: &str = "
    CREATE TABLE sharded (id BIGINT PRIMARY KEY, tenant INT NOT NULL, author INT NOT NULL, moment INT NOT NULL,
        body TEXT NOT NULL) WITH (autovacuum_enabled = false);
    INSERT INTO sharded SELECT n, CASE WHEN n > 79500 THEN 9 WHEN n <= 40000 THEN 0 ELSE n / 5000 - 7 END, n % 7, n * 7919 % 80000,
        repeat('x', 200) FROM generate_series(1, 80000) AS n;
    CREATE INDEX ON sharded (tenant, moment, id);
    CREATE INDEX ON sharded (tenant, author, moment, id);
    CREATE INDEX ON sharded (tenant);
    ANALYZE sharded";

fn of(tenant: i32) -> Builder<Sharded> {
    Sharded::query().filter(Sharded::TENANT.eq(tenant)).order_by((Sharded::MOMENT, Sharded::ID))
}

/// The statements of pages whose keys are found first, without the statements that look up the catalog.
async fn statements(tenant: i32) -> Vec<String> {
    let _earlier = db::selects("sharded");
    let page = of(tenant).page(20).paginate(15).await.unwrap();
    assert!(page.data.len() == 15 && page.data.iter().all(|row| row.tenant == tenant && row.body.len() == 200));
    assert!(page.data.is_sorted_by_key(|row| row.moment));
    let expected: Vec<i64> = page.data.iter().map(|row| row.id).collect();
    let ids = |rows: Vec<Sharded>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(of(tenant).page(20).simple_paginate(15).await.unwrap().data), expected);
    // A filter with several values before the tenant's, and a list of values after it.
    let listed = || {
        let list = Sharded::query().filter(Sharded::AUTHOR.any_of([0, 1, 2, 3, 4, 5, 6])).filter(Sharded::ID.gt(0));
        let list =
            list.filter(Sharded::TENANT.eq(tenant)).filter(Sharded::MOMENT.is_in([7, 8]).or(Sharded::ID.lt(90_000)));
        list.order_by((Sharded::MOMENT, Sharded::ID)).page(20)
    };
    // The second one is written by the template of the first.
    assert_eq!(ids(listed().simple_paginate(15).await.unwrap().data), expected);
    assert_eq!(ids(listed().simple_paginate(15).await.unwrap().data), expected);
    let feed = Sharded::query().filter(Sharded::TENANT.eq(tenant)).among(Sharded::AUTHOR, 0..3);
    let first = feed.clone().cursor_paginate(15).await.unwrap();
    assert!(first.data.len() == 15 && first.data.iter().all(|row| row.tenant == tenant && row.author < 3));
    feed.cursor(first.next_cursor.as_deref()).cursor_paginate(15).await.unwrap();
    Sharded::query().filter(Sharded::TENANT.eq(tenant)).each_of(Sharded::AUTHOR, 0..3).first(4).await.unwrap();
    db::selects("sharded")
}

#[tokio::test]
async fn the_rows_of_found_keys_are_filtered_by_the_equalities() {
    let pool = server::pool(1).await;
    db::run(&pool, TABLE).await;
    check_statements(&pool).await;
    check_blocks(&pool).await;
}

async fn check_statements(pool: &Pool) {
    record_statements();
    let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
    for tenant in [3, 9] {
        let statements = folio.scope(statements(tenant)).await;
        assert_eq!(statements.len(), 7, "{statements:#?}");
        for sql in statements {
            let (_, outer) = sql.rsplit_once("LEFT JOIN").unwrap_or_else(|| panic!("{sql}"));
            assert_eq!(outer.matches("\"tenant\" = $").count(), 1, "{sql}");
            assert!(!outer.contains("\"author\"") && !outer.contains("\"moment\" IN"), "{sql}");
        }
    }
}

/// The blocks of a numbered page, and of the same statement without the second filter.
async fn blocks(pool: &Pool, log: &Recorder, tenant: i32, page: u64) -> (u64, u64) {
    // The first statement of a session also reads the root of each index.
    of(tenant).page(page).simple_paginate(15).await.unwrap();
    let _earlier = log.take();
    of(tenant).page(page).simple_paginate(15).await.unwrap();
    let with = read(log).beside;
    let offset = i64::try_from(15 * (page - 1)).unwrap();
    let sql = "SELECT sharded.* FROM (SELECT id AS k FROM sharded WHERE tenant = $1 ORDER BY moment, id LIMIT $2 OFFSET $3) \
               keys CROSS JOIN sharded WHERE id = k ORDER BY moment, id";
    sqlx::query(sql).bind(tenant).bind(16_i64).bind(offset).execute(pool).await.unwrap();
    (with, read(log).beside)
}

async fn check_blocks(direct: &Pool) {
    for plans in ["auto", "force_generic_plan", "force_custom_plan"] {
        let pool = explained_with((*direct.connect_options()).clone(), plans).await;
        let log = Recorder::of_target("sqlx::postgres::notice");
        let check = async {
            for tenant in [0, 3, 9] {
                for page in [15, 20, 30, 300] {
                    for _ in 0..if plans == "auto" { 8 } else { 1 } {
                        let (with, without) = blocks(&pool, &log, tenant, page).await;
                        assert!(
                            with <= without + without / 50 + 4,
                            "{plans}, tenant {tenant}, page {page}: {with}, {without}"
                        );
                    }
                }
            }
        };
        Folio::new(pool.clone()).scope(check).await;
    }
}
