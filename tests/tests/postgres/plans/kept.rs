//! Plans of filtered pages that PostgreSQL keeps for all values of the filters.

use folio::{Builder, Folio, Key, Keyring, Paginate};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};

use super::{PER_PAGE, plans_of};
use crate::server;
use crate::suite::db;

/// A row of a tenant. One tenant has three rows, at the end of the order, and the others have thousands.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "kept", cursor_key = "moment")]
struct Kept {
    id: i64,
    tenant: i32,
    moment: i32,
}

const RARE: i32 = 7;

const TABLE: &str = "
    CREATE TABLE kept (id BIGINT PRIMARY KEY, tenant INT NOT NULL, moment INT NOT NULL);
    INSERT INTO kept SELECT n, CASE WHEN n > 29997 THEN 7 ELSE n % 7 END, n / 3 FROM generate_series(1, 30000) AS n;
    CREATE INDEX by_tenant ON kept (tenant, moment, id);
    ANALYZE kept";

/// Another pool of one connection, so that no catalog is cached for it.
async fn new_pool(options: &PgConnectOptions) -> PgPool {
    PgPoolOptions::new().max_connections(1).connect_with(options.clone()).await.unwrap()
}

/// The first pages of each tenant, several times.
async fn pages_of_each(list: impl Fn(i32) -> Builder<Kept>) {
    for tenant in (0..=RARE).cycle().take(24) {
        let first = list(tenant).cursor_paginate(PER_PAGE).await.unwrap();
        assert!(first.data.iter().all(|row| row.tenant == tenant && row.moment == (row.id / 3) as i32));
        assert_eq!(first.data.len(), if tenant == RARE { 3 } else { PER_PAGE as usize });
        if let Some(next) = first.next_cursor {
            list(tenant).cursor(Some(&next)).cursor_paginate(PER_PAGE).await.unwrap();
        }
    }
}

/// Whether the pages of a list have a statement whose plan is kept, which then has to be.
async fn keeps_plan(options: &PgConnectOptions, list: impl Fn(i32) -> Builder<Kept>) -> bool {
    let pool = new_pool(options).await;
    let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
    folio.scope(pages_of_each(list)).await;
    let plans = plans_of(&pool).await;
    // A first page, and a later one.
    assert_eq!(plans.len(), 2, "{plans:#?}");
    let is_written = |sql: &str| sql.contains("LIMIT 16)");
    for (sql, generic, custom) in &plans {
        assert!(!is_written(sql) || *custom <= 5, "{sql}: planned {custom} times, {generic} times by one plan");
    }
    plans.iter().all(|(sql, ..)| is_written(sql))
}

/// Another index that the server may have to choose from.
const OTHERS: [&str; 3] = ["moment, id", "tenant", "moment"];

fn of_tenant(tenant: i32) -> Builder<Kept> {
    Kept::query().filter(Kept::TENANT.eq(tenant))
}

async fn table() -> (PgPool, PgConnectOptions) {
    let pool = server::pool(1).await;
    db::run(&pool, TABLE).await;
    let options = (*pool.connect_options()).clone();
    (pool, options)
}

#[tokio::test]
async fn a_plan_of_one_range_of_an_index_is_kept() {
    let (pool, options) = table().await;
    let backwards = |tenant| of_tenant(tenant).cursor_by((Kept::MOMENT.desc(), Kept::ID.desc()));
    for other in OTHERS {
        db::run(&pool, format!("CREATE INDEX other ON kept ({other})")).await;
        assert!(keeps_plan(&options, of_tenant).await, "{other}");
        assert!(keeps_plan(&options, backwards).await, "{other}");
        db::run(&pool, "DROP INDEX other").await;
    }
    assert!(!keeps_plan(&options, |tenant| of_tenant(tenant).filter(Kept::ID.gt(0))).await);
    assert!(!keeps_plan(&options, |tenant| of_tenant(tenant).cursor_by((Kept::MOMENT.desc(), Kept::ID))).await);
}

/// PostgreSQL may prefer another index for an average tenant, and then read the rows of all others before it finds the
/// three of the rare one.
#[tokio::test]
async fn a_plan_of_an_index_with_both_directions_is_kept_if_there_is_no_other_to_choose() {
    let (pool, options) = table().await;
    db::run(&pool, "DROP INDEX by_tenant; CREATE INDEX by_tenant ON kept (tenant, moment DESC, id)").await;
    let mixed = |tenant| of_tenant(tenant).cursor_by((Kept::MOMENT.desc(), Kept::ID));
    assert!(keeps_plan(&options, mixed).await);
    for other in OTHERS {
        db::run(&pool, format!("CREATE INDEX other ON kept ({other})")).await;
        assert!(!keeps_plan(&options, mixed).await, "{other}");
        db::run(&pool, "DROP INDEX other").await;
    }
}

/// What Citus' catalog has of a table in a schema that is distributed as a whole.
const CITUS: &str = "
    CREATE TABLE pg_dist_partition (logicalrelid REGCLASS, partmethod \"char\", partkey TEXT);
    INSERT INTO pg_dist_partition VALUES ('kept', 'n', NULL);
    CREATE FUNCTION column_to_column_name(REGCLASS, TEXT) RETURNS TEXT LANGUAGE SQL RETURN $2";

/// Citus has this table, and chooses a shard by an equality. Policies may fix the same column.
#[tokio::test]
async fn a_filter_stays_an_equality_on_citus_and_with_row_level_security() {
    let (pool, options) = table().await;
    for (schema, is_range) in [
        ("", true),
        (CITUS, false),
        ("DROP TABLE pg_dist_partition", true),
        ("ALTER TABLE kept ENABLE ROW LEVEL SECURITY", false),
    ] {
        db::run(&pool, schema).await;
        let pool = new_pool(&options).await;
        let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
        folio.scope(pages_of_each(of_tenant)).await;
        let plans = plans_of(&pool).await;
        // Citus refuses the subquery that verifies the page, so another statement does.
        let is_sharded = schema == CITUS;
        assert_eq!(plans.len(), if is_sharded { 3 } else { 2 }, "{schema}");
        for (sql, ..) in plans {
            assert_eq!(sql.contains("\"tenant\" <= $"), is_range, "{schema}: {sql}");
            assert!(!is_sharded || !sql.contains("EXISTS"), "{schema}: {sql}");
        }
    }
}
