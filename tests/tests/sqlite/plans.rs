//! What SQLite does for a page: every shape of key searches an index in its order and sorts nothing.
//!
//! The statements are those that run, as sqlx reports them.

use folio::{Column, IntoOrder, Order, Paginate, Select};
use folio_tests::recorder::record_statements;
use sea_query::{Expr, ExprTrait as _, Func, Query};
use sqlx::{Row as _, SqlitePool};

use crate::suite::db;

/// SQLite compares BLOBs byte by byte, so two UUIDs that differ do not tie, and the database is not asked.
#[tokio::test]
async fn a_page_of_a_join_by_uuids_takes_one_statement() {
    record_statements();
    let schema = "CREATE TABLE uu_authors (id BLOB PRIMARY KEY, name TEXT NOT NULL); \
                  CREATE TABLE uu_posts (id BLOB PRIMARY KEY, author BLOB NOT NULL); \
                  INSERT INTO uu_authors VALUES (zeroblob(16), 'a'); \
                  INSERT INTO uu_posts VALUES (zeroblob(16), zeroblob(16)), (x'00000000000000000000000000000001', zeroblob(16)), \
                  (x'00000000000000000000000000000002', zeroblob(16)), (x'00000000000000000000000000000003', zeroblob(16))";
    let (folio, _pool) = db::folio(schema).await;
    let check = async {
        let mut join = Query::select();
        join.column(("uu_posts", "id"))
            .column(("uu_authors", "name"))
            .from("uu_posts")
            .inner_join("uu_authors", Expr::col(("uu_authors", "id")).equals(("uu_posts", "author")));
        let list = || Select::<(uuid::Uuid, String)>::from(join.clone()).order_by(Column::<uuid::Uuid>::new("id"));
        db::selects("uu_posts");
        let page = list().with_row_cursors().cursor_paginate(2).await.unwrap();
        assert_eq!((page.data.len(), db::selects("uu_posts").len()), (2, 1));
        let next = list().cursor(page.next_cursor.as_deref()).cursor_paginate(1).await.unwrap();
        assert_eq!(next.data[0].0.as_u128(), 2);
        assert_eq!(db::selects("uu_posts").len(), 1);
    };
    folio.scope(check).await;
}

async fn plan(pool: &SqlitePool, sql: &str) -> Vec<String> {
    let explain = format!("EXPLAIN QUERY PLAN {sql}");
    let rows = sqlx::query(sqlx::AssertSqlSafe(explain)).fetch_all(pool).await.unwrap();
    rows.iter().map(|row| row.get("detail")).collect()
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "planned", cursor_key = "a")]
#[expect(dead_code, reason = "only the statements matter here")]
struct Planned {
    id: i64,
    a: i64,
    b: Option<i64>,
    c: String,
}

/// Its own table, so that the recorder can tell its statements from those of other tests.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "briefly", cursor_key = "a")]
#[expect(dead_code, reason = "only the statements matter here")]
struct Briefly {
    id: i64,
    a: i64,
}

const SCHEMA: &str = "CREATE TABLE planned (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER, c TEXT NOT NULL);
    CREATE INDEX planned_a ON planned (a, id);
    CREATE INDEX planned_b ON planned (b, id);
    CREATE INDEX planned_ab ON planned (a DESC, b, id);
    CREATE INDEX planned_ca ON planned (c, a, id);
    CREATE INDEX planned_upper ON planned (upper(c), id);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
    INSERT INTO planned SELECT i, i % 7, CASE WHEN i % 3 THEN i % 11 END, 'c' || (i % 5) FROM n;
    ANALYZE;";

/// Whether an index has the order as SQLite sees it: with NULLs before every value, and without expressions, which it
/// sorts by although a range fixes them.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Index {
    InOrder,
    SortedPages,
}

fn shapes() -> Vec<(&'static str, Order, Index)> {
    use Index::{InOrder, SortedPages};
    let (id, a, b, c) = (Planned::ID, Planned::A, Planned::B, Planned::C);
    let upper = || Column::<String>::expr("upper", Func::upper(Expr::col(c)));
    let maybe = Column::<Option<String>>::expr("upper", Func::upper(Expr::col(c)));
    vec![
        ("upper(c), id", upper().not_null().erased(), SortedPages),
        ("upper(c) desc, id desc", upper().not_null().desc().erased(), SortedPages),
        ("upper(c) nulls first, id", maybe.nulls_first().erased(), SortedPages),
        ("id", id.erased(), InOrder),
        ("id desc", id.desc().erased(), InOrder),
        ("a, id", a.erased(), InOrder),
        ("a desc, id desc", a.desc().erased(), InOrder),
        ("a desc, b nulls first, id", (a.desc(), b.nulls_first(), id).erased(), InOrder),
        ("a, b desc nulls last, id desc", (a, b.desc().nulls_last()).erased(), InOrder),
        ("c, a, id", (c, a).erased(), InOrder),
        ("c desc, a desc, id desc", (c.desc(), a.desc()).erased(), InOrder),
        ("b nulls first, id", b.nulls_first().erased(), InOrder),
        ("b desc nulls last, id desc", b.desc().nulls_last().erased(), InOrder),
        ("b nulls last, id", b.nulls_last().erased(), SortedPages),
        ("b desc nulls first, id desc", b.desc().nulls_first().erased(), SortedPages),
    ]
}

async fn expect_plans(pool: &SqlitePool, page: &str, index: Index) {
    let run = db::selects("planned");
    assert_eq!(run.len(), 1, "{page}: one statement a page, not {run:#?}");
    let plan = plan(pool, &run[0]).await;
    let searched = plan.iter().any(|step| step.contains("SEARCH planned USING"));
    let first = page.ends_with("first page");
    for step in &plan {
        let walks_index = step.starts_with("SCAN planned") && (step.contains("USING INDEX") || step == "SCAN planned");
        // The first page in the order of an index is read from one end and stops after a page.
        assert!(!step.starts_with("SCAN planned") || first && walks_index, "{page}: {plan:#?}");
        // Otherwise a page of each range is sorted, never a whole range.
        let sorts = step.contains("TEMP B-TREE");
        assert!(!sorts || index == Index::SortedPages, "{page}: {plan:#?}\n{}", run[0]);
    }
    assert!(searched || first, "{page}: {plan:#?}");
}

#[tokio::test]
async fn every_shape_of_key_searches_its_index() {
    record_statements();
    let (folio, pool) = db::folio(SCHEMA).await;
    let check = async {
        for (name, order, index) in shapes() {
            let query = |cursor: Option<String>| {
                Planned::query().cursor_by(order.clone()).cursor(cursor.as_deref()).cursor_paginate(15)
            };
            db::selects("planned");
            let first = query(None).await.unwrap();
            expect_plans(&pool, &format!("{name}: first page"), index).await;
            // Deep inside, at a tie, next to NULLs.
            let mut page = first;
            for _ in 0..40 {
                page = query(page.next_cursor).await.unwrap();
                expect_plans(&pool, &format!("{name}: next page"), index).await;
            }
            query(page.prev_cursor).await.unwrap();
            expect_plans(&pool, &format!("{name}: previous page"), index).await;
        }
    };
    folio.scope(check).await;
}

/// A count after a row searches the index for each range, and other small reads stop at their row.
#[tokio::test]
async fn small_reads_search_an_index() {
    record_statements();
    let (folio, pool) = db::folio(&SCHEMA.replace("planned", "briefly")).await;
    let check = async {
        let key = BrieflyKey { a: 3, id: 10_000 };
        let list = || Briefly::query().filter(Briefly::A.eq(3));
        macro_rules! steps {
            ($read:expr) => {{
                db::selects("briefly");
                $read.await.unwrap();
                let run = db::selects("briefly");
                assert_eq!(run.len(), 1, "{run:#?}");
                plan(&pool, &run[0]).await
            }};
        }
        // Two ranges, along the index that has the key, and nothing else.
        let after = steps!(Briefly::query().count_after(&key));
        let searches: Vec<_> = after.iter().filter(|step| step.contains("SEARCH briefly")).collect();
        assert_eq!(searches.len(), 2, "{after:#?}");
        assert!(searches.iter().all(|step| step.contains("USING COVERING INDEX briefly_a")), "{after:#?}");
        assert!(
            !after.iter().any(|step| step.starts_with("SCAN briefly") || step.contains("TEMP B-TREE")),
            "{after:#?}"
        );
        for steps in [
            steps!(list().count_up_to(5).count_before(&key)),
            steps!(list().exists()),
            steps!(list().first()),
            steps!(list().find(7)),
        ] {
            assert!(steps.iter().any(|step| step.contains("SEARCH briefly")), "{steps:#?}");
            assert!(!steps.iter().any(|step| step.contains("SCAN briefly") || step.contains("TEMP")), "{steps:#?}");
        }
        let facets = steps!(list().count_by(Briefly::A, 5));
        assert!(facets.iter().any(|step| step.contains("USING COVERING INDEX briefly_a")), "{facets:#?}");
    };
    folio.scope(check).await;
}

/// SQL text is merged into the statement around it.
#[tokio::test]
async fn a_page_of_sql_text_searches_its_index() {
    record_statements();
    let (folio, pool) = db::folio(&SCHEMA.replace("planned", "texts")).await;
    let check = async {
        for text in [
            "SELECT id, a FROM \"texts\" WHERE c > 'c1'",
            "SELECT t.id, t.a FROM \"texts\" AS t JOIN texts AS other ON other.id = t.b",
            "SELECT id, a, (SELECT COUNT(*) FROM texts AS other WHERE other.id = t.b) AS others FROM \"texts\" AS t",
            "WITH own AS (SELECT * FROM \"texts\" WHERE c > 'c1') SELECT id, a FROM own",
        ] {
            let page = async |cursor: Option<String>| {
                let select =
                    Select::<(i64, i64)>::sql(text).order_by((Column::<i64>::new("a"), Column::<i64>::new("id")));
                select.cursor(cursor.as_deref()).cursor_paginate(15).await.unwrap()
            };
            let mut found = page(None).await;
            for _ in 0..5 {
                db::selects("texts");
                found = page(found.next_cursor).await;
                let run = db::selects("texts");
                assert_eq!(run.len(), 1, "{run:#?}");
                let plan = plan(&pool, &run[0]).await;
                let is_searched = plan.iter().any(|step| step.contains("USING") && step.contains("texts_a ("));
                let is_whole =
                    |step: &String| ["SCAN", "MATERIALIZE", "USE TEMP"].iter().any(|word| step.starts_with(word));
                assert!(is_searched && !plan.iter().any(is_whole), "{text}: {plan:#?}");
            }
        }
    };
    folio.scope(check).await;
}

/// The keys before a deep page are skipped in an index and its rows are looked up, not joined with all rows.
#[tokio::test]
async fn a_deep_page_looks_up_its_rows() {
    record_statements();
    let (folio, pool) = db::folio(&SCHEMA.replace("planned", "planned_deep")).await;
    #[derive(Debug, sqlx::FromRow, Paginate)]
    #[paginate(table = "planned_deep")]
    #[expect(dead_code, reason = "only the statements matter here")]
    struct Deep {
        id: i64,
        a: i64,
        c: String,
    }
    let check = async {
        for (query, index) in
            [(Deep::query(), "planned_deep"), (Deep::query().order_by_desc(Deep::A), "planned_deep_a")]
        {
            db::selects("planned_deep");
            query.page(1_000).simple_paginate(15).await.unwrap();
            let run = db::selects("planned_deep");
            assert_eq!(run.len(), 1, "{run:#?}");
            let plan = plan(&pool, &run[0]).await;
            let step = |step: &str| plan.iter().any(|found| found.trim_end_matches(" LEFT-JOIN") == step);
            assert!(step("SEARCH planned_deep USING INTEGER PRIMARY KEY (rowid=?)"), "{plan:#?}");
            assert!(
                step("SCAN planned_deep") || step(&format!("SCAN planned_deep USING COVERING INDEX {index}")),
                "{plan:#?}"
            );
            assert!(!plan.iter().any(|step| step.contains("AUTOMATIC")), "{plan:#?}");
        }
    };
    folio.scope(check).await;
}

/// The number of pages does not change the number of statements: values, limits and offsets are bound.
#[tokio::test]
async fn a_call_site_has_a_handful_of_statements() {
    record_statements();
    let (folio, _pool) = db::folio(
        "CREATE TABLE repeated (id INTEGER PRIMARY KEY, a INTEGER NOT NULL);
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500) INSERT INTO repeated SELECT i, i % 7 FROM n;",
    )
    .await;
    #[derive(Debug, sqlx::FromRow, Paginate)]
    #[paginate(table = "repeated", cursor_key = "a")]
    struct Text {
        id: i64,
        a: i64,
    }
    let check = async {
        db::selects("repeated");
        let mut cursor = None;
        for page in 0..20 {
            Text::query()
                .filter(Text::A.ne(page))
                .page(page.unsigned_abs())
                .paginate(10 + page.unsigned_abs())
                .await
                .unwrap();
            let page = Text::query().cursor(cursor.as_deref()).cursor_paginate(20).await.unwrap();
            assert!(page.data.iter().all(|text| text.a < 7 && text.id <= 500));
            cursor = page.next_cursor;
        }
        let mut texts = db::selects("repeated");
        texts.sort();
        texts.dedup();
        // By offset the first page, later pages, deep pages and the count of a page past the end; by cursor the first
        // page and later pages.
        assert_eq!(texts.len(), 6, "{texts:#?}");
        let has_number = |text: &String| text.replace("folio_key_0", "").contains(|c: char| c.is_ascii_digit());
        assert!(!texts.iter().any(has_number), "{texts:#?}");
    };
    folio.scope(check).await;
}
