//! Facts from the catalog: what folio does if they are about another column, or cannot be read.

use std::collections::BTreeMap;

use folio::{DB, Folio, Paginate};
use folio_tests::recorder::Recorder;

use crate::suite::db::{self, Pool};

#[derive(Debug, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "ranked", cursor_key = "score")]
struct Ranked {
    id: i64,
    score: i64,
}

/// `"Score"` is NOT NULL, which says nothing about `score`. Row 3 cannot be read, because the model has no `Option`.
#[tokio::test]
async fn a_column_is_not_one_that_differs_in_case() {
    let (folio, _) = db::folio(
        "CREATE TABLE ranked (id BIGINT PRIMARY KEY, \"Score\" BIGINT NOT NULL, score BIGINT);
         INSERT INTO ranked VALUES (1, 0, 7), (2, 0, 8), (3, 0, NULL)",
    )
    .await;
    let walk = folio.scope(async {
        let first = Ranked::query().cursor_paginate(2).await?;
        assert_eq!(first.data.iter().map(|row| row.id).collect::<Vec<_>>(), [1, 2]);
        Ranked::query().cursor(first.next_cursor.as_deref()).cursor_paginate(2).await
    });
    let error = walk.await.unwrap_err().to_string();
    assert!(error.contains("score"), "{error}");
}

#[derive(Debug, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "hidden_notes", cursor_key = "title")]
struct Note {
    id: i64,
    title: String,
}

/// Two pages, whose second asks the catalog, and a row that is added after them.
async fn read_and_write(connection: &mut sqlx::PgConnection) -> Vec<i64> {
    let mut seen = Vec::new();
    let mut cursor = None;
    for _ in 0..2 {
        let page = Note::query().cursor(cursor.as_deref()).using(&mut *connection).cursor_paginate(1).await.unwrap();
        seen.extend(page.data.iter().map(|note| note.id));
        cursor = page.next_cursor;
    }
    sqlx::query("INSERT INTO hidden_notes VALUES (4, 'd')").execute(connection).await.unwrap();
    seen
}

/// A schema in which `pg_index` is another table, and the path on which it comes first.
async fn hidden() -> (Folio, Pool, String) {
    let (folio, pool) = db::folio(
        "CREATE TABLE hidden_notes (id BIGINT PRIMARY KEY, title TEXT NOT NULL);
         CREATE INDEX hidden_notes_by_title ON hidden_notes (title, id);
         INSERT INTO hidden_notes VALUES (1, 'a'), (2, 'b'), (3, 'c');
         CREATE TABLE pg_index (nothing BIGINT)",
    )
    .await;
    let schema: String = sqlx::query_scalar("SELECT current_schema()::text").fetch_one(&pool).await.unwrap();
    (folio, pool, format!("SET LOCAL search_path TO \"{schema}\", pg_catalog"))
}

async fn count(pool: &Pool) -> i64 {
    sqlx::query_scalar("SELECT COUNT(*) FROM hidden_notes").fetch_one(pool).await.unwrap()
}

#[tokio::test]
async fn an_unreadable_catalog_leaves_the_ambient_transaction_usable() {
    let (folio, pool, path) = hidden().await;
    let transaction = folio.scope(DB::transaction(async || {
        sqlx::query(sqlx::AssertSqlSafe(path.clone())).execute(&mut *DB::postgres().await?).await?;
        let first = Note::query().cursor_paginate(1).await?;
        let second = Note::query().cursor(first.next_cursor.as_deref()).cursor_paginate(1).await?;
        assert_eq!(second.data[0].id, 2);
        sqlx::query("INSERT INTO hidden_notes VALUES (4, 'd')").execute(&mut *DB::postgres().await?).await?;
        Ok::<(), folio::FrameworkError>(())
    }));
    transaction.await.unwrap();
    assert_eq!(count(&pool).await, 4);
}

#[tokio::test]
async fn an_unreadable_catalog_leaves_the_callers_transaction_usable() {
    let (folio, pool, path) = hidden().await;
    let mut transaction = pool.begin().await.unwrap();
    sqlx::query(sqlx::AssertSqlSafe(path)).execute(&mut *transaction).await.unwrap();
    assert_eq!(folio.scope(read_and_write(&mut transaction)).await, [1, 2]);
    transaction.commit().await.unwrap();
    assert_eq!(count(&pool).await, 4);
}

/// Reads all pages of a list, two rows at a time.
async fn walk() -> folio::Result<Vec<i64>> {
    let (mut ids, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let page = Ranked::query().cursor(cursor.as_deref()).cursor_paginate(2).await?;
        ids.extend(page.data.iter().map(|row| row.id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(ids);
        }
    }
}

/// One pool, and a schema for each tenant. What the catalog says about one tenant's table is not true of the other's.
#[tokio::test]
async fn the_tables_of_two_tenants_are_not_confused() {
    let (folio, pool) = db::folio("SELECT 1").await;
    let schema = |tenant: &str| format!("folio_tenant_{tenant}_{}", std::process::id());
    for (tenant, score) in [("strict", "BIGINT NOT NULL"), ("loose", "BIGINT")] {
        db::run(
            &pool,
            format!(
                "DROP SCHEMA IF EXISTS {0} CASCADE; CREATE SCHEMA {0}; \
                 CREATE TABLE {0}.ranked (id BIGINT PRIMARY KEY, score {score}); \
                 INSERT INTO {0}.ranked VALUES (1, 7), (2, 8), (3, 9)",
                schema(tenant)
            ),
        )
        .await;
    }
    db::run(&pool, format!("INSERT INTO {}.ranked VALUES (4, NULL)", schema("loose"))).await;
    let of = |tenant: &str| {
        let path = format!("SET LOCAL search_path TO {}", schema(tenant));
        DB::transaction(async move || {
            db::here(path).await?;
            walk().await
        })
    };
    let check = async {
        assert_eq!(of("strict").await.unwrap(), [1, 2, 3]);
        let error = of("loose").await.unwrap_err().to_string();
        assert!(error.contains("score"), "{error}");
        assert_eq!(of("strict").await.unwrap(), [1, 2, 3]);
    };
    folio.scope(check).await;
    db::run(&pool, format!("DROP SCHEMA {}, {} CASCADE", schema("strict"), schema("loose"))).await;
}

/// A child table need not enforce what its parent does.
#[tokio::test]
async fn a_null_in_a_child_table_is_refused() {
    let (folio, pool) = db::folio(
        "CREATE TABLE ranked (id BIGINT PRIMARY KEY, score BIGINT);
         CREATE TABLE ranked_child () INHERITS (ranked)",
    )
    .await;
    let version: i32 =
        sqlx::query_scalar("SELECT current_setting('server_version_num')::int4").fetch_one(&pool).await.unwrap();
    // Version 18 has constraints that rows from before may break; in earlier ones, a child's column may stay nullable.
    let constraint = if version >= 180_000 {
        "INSERT INTO ranked VALUES (4, NULL); ALTER TABLE ranked ADD CONSTRAINT has_score NOT NULL score NOT VALID"
    } else {
        "INSERT INTO ranked_child VALUES (4, NULL); ALTER TABLE ONLY ranked ALTER COLUMN score SET NOT NULL"
    };
    db::run(&pool, constraint).await;
    db::run(&pool, "INSERT INTO ranked VALUES (1, 7), (2, 8), (3, 9)").await;
    let error = folio.scope(walk()).await.unwrap_err().to_string();
    assert!(error.contains("score"), "{error}");
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "live_posts", cursor_key = "moment desc, id desc")]
#[expect(dead_code, reason = "only the plan matters here")]
struct LivePost {
    id: i64,
    author: i64,
    moment: i64,
    deleted_at: Option<i64>,
}

/// The same rows, by the model's default.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "live_posts", cursor_key = "moment desc, id desc", filter = "deleted_at IS NULL")]
#[expect(dead_code, reason = "only the plan matters here")]
struct Undeleted {
    id: i64,
    author: i64,
    moment: i64,
    deleted_at: Option<i64>,
}

/// The groups of a feed are read one by one along a partial index, and not all of their rows.
#[tokio::test]
async fn a_feed_is_read_along_a_partial_index() {
    let (folio, pool) = db::folio(
        "CREATE TABLE live_posts (id BIGINT PRIMARY KEY, author BIGINT NOT NULL, moment BIGINT NOT NULL, deleted_at BIGINT);
         INSERT INTO live_posts SELECT n, n % 30, n * 7 % 30001, NULL FROM generate_series(1, 30000) n;
         CREATE INDEX live_posts_feed ON live_posts (author, moment, id) WHERE deleted_at IS NULL;
         ANALYZE live_posts",
    )
    .await;
    folio_tests::recorder::record_statements();
    let feed = LivePost::query().filter(LivePost::DELETED_AT.is_null()).among(LivePost::AUTHOR, 0..30);
    folio.scope(feed.cursor_paginate(15)).await.unwrap();
    let [page] = &db::selects("live_posts")[..] else { panic!("a page is one statement") };
    let authors: Vec<i64> = (0..30).collect();
    let explain = format!("EXPLAIN (ANALYZE, FORMAT JSON) {page}");
    let plan: serde_json::Value =
        sqlx::query_scalar(sqlx::AssertSqlSafe(explain)).bind(authors).bind(16_i64).fetch_one(&pool).await.unwrap();
    let rows = super::plans::scanned(&plan[0]["Plan"]);
    assert!((1..600).contains(&rows), "{rows} rows: {page}");

    // A model's default filter is found in the index's condition as well.
    folio_tests::recorder::record_statements();
    folio.scope(Undeleted::query().among(Undeleted::AUTHOR, 0..30).cursor_paginate(15)).await.unwrap();
    let [default] = &db::selects("live_posts")[..] else { panic!("a page is one statement") };
    let unquoted = |page: &str| page.replace(['"', '(', ')'], "").replace("live_posts.deleted_at", "deleted_at");
    assert_eq!(unquoted(default), unquoted(page));
}

/// A model of a table in which one row is in a foreign table, with NULL in its id.
macro_rules! far {
    ($model:ident, $table:literal) => {
        #[derive(Debug, sqlx::FromRow, Paginate)]
        #[paginate(table = $table, cursor_key = "moment, id")]
        struct $model {
            #[expect(dead_code, reason = "only its column matters")]
            id: i64,
            #[expect(dead_code, reason = "only its column matters")]
            moment: i64,
        }
    };
}

far!(Linked, "linked");
far!(Partitioned, "partitioned");
far!(Inherited, "inherited");
far!(Nested, "nested");
far!(Near, "near");

/// A foreign table, and tables with a foreign one below them; `near` has none.
const FOREIGN: &str = "
    CREATE TABLE stored (id BIGINT, moment BIGINT);
    INSERT INTO stored VALUES (1, 1), (2, 1), (NULL, 1), (3, 2);
    CREATE FOREIGN TABLE linked (id BIGINT NOT NULL, moment BIGINT NOT NULL) SERVER {} OPTIONS (table_name 'stored');
    CREATE TABLE partitioned (id BIGINT NOT NULL, moment BIGINT NOT NULL) PARTITION BY RANGE (moment);
    CREATE FOREIGN TABLE old PARTITION OF partitioned FOR VALUES FROM (0) TO (9) SERVER {} OPTIONS (table_name 'stored');
    CREATE TABLE inherited (id BIGINT NOT NULL, moment BIGINT NOT NULL);
    CREATE FOREIGN TABLE heir () INHERITS (inherited) SERVER {} OPTIONS (table_name 'stored');
    CREATE TABLE nested (id BIGINT NOT NULL, moment BIGINT NOT NULL) PARTITION BY RANGE (moment);
    CREATE TABLE middle PARTITION OF nested FOR VALUES FROM (0) TO (9) PARTITION BY RANGE (moment);
    CREATE FOREIGN TABLE low PARTITION OF middle FOR VALUES FROM (0) TO (9) SERVER {} OPTIONS (table_name 'stored');
    CREATE TABLE near (id BIGINT NOT NULL, moment BIGINT NOT NULL) PARTITION BY RANGE (moment);
    CREATE TABLE low_near PARTITION OF near FOR VALUES FROM (0) TO (9);
    INSERT INTO near VALUES (1, 1), (2, 1), (3, 2)";

/// The schema of [`FOREIGN`], whose server is this one; `None` if it has no `postgres_fdw`.
async fn foreign() -> Option<Folio> {
    let (folio, pool) = db::folio("").await;
    let has = "SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'postgres_fdw')";
    if !sqlx::query_scalar(has).fetch_one(&pool).await.unwrap_or(false) {
        eprintln!("skipped: the server does not have postgres_fdw");
        return None;
    }
    let (options, schema): (_, String) =
        (pool.connect_options(), sqlx::query_scalar("SELECT current_schema()::text").fetch_one(&pool).await.unwrap());
    let literal = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let created = format!(
        "SELECT pg_advisory_lock(7422); CREATE EXTENSION IF NOT EXISTS postgres_fdw SCHEMA pg_catalog; \
         SELECT pg_advisory_unlock(7422); DROP SERVER IF EXISTS \"{schema}\" CASCADE; \
         CREATE SERVER \"{schema}\" FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host {}, port '{}', dbname {}); \
         CREATE USER MAPPING FOR CURRENT_USER SERVER \"{schema}\" OPTIONS (user {})",
        literal(options.get_host()),
        options.get_port(),
        literal(options.get_database().unwrap_or("postgres")),
        literal(options.get_username())
    );
    db::run(&pool, created).await;
    let linked = format!("schema_name {}, table_name", literal(&schema));
    db::run(&pool, FOREIGN.replace("SERVER {}", &format!("SERVER \"{schema}\"")).replace("table_name", &linked)).await;
    Some(folio)
}

/// PostgreSQL does not look for the row with NULL, so folio cannot find it either.
#[tokio::test]
async fn a_foreign_table_below_another_table_is_warned_about() {
    let Some(folio) = foreign().await else { return };
    let warnings = Recorder::of_warnings();
    let mut warned = BTreeMap::new();
    macro_rules! walk {
        ($($model:ident),*) => {$(
            let first = $model::query().cursor_paginate(1).await.unwrap();
            let _refused_or_not = $model::query().cursor(first.next_cursor.as_deref()).cursor_paginate(1).await;
            let is_warning = |text: &String| text.contains("PostgreSQL assumes the NOT NULL constraints of a foreign");
            warned.insert(stringify!($model), warnings.take().iter().filter(|text| is_warning(text)).count());
        )*};
    }
    let check = async {
        walk!(Linked, Partitioned, Inherited, Nested, Near);
    };
    folio.scope(check).await;
    let expected = [("Linked", 1), ("Partitioned", 1), ("Inherited", 1), ("Nested", 1), ("Near", 0)];
    assert_eq!(warned, BTreeMap::from(expected));
}
