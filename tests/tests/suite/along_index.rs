//! `testing::read_along_index`: what it says about lists that have their index, and about lists that have none.

use folio::testing::read_along_index;
use folio::{Builder, Column, IntoOrder as _, Order, Paginate, Select};

use crate::server::{self, ID, TEXT};
use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "along")]
#[expect(dead_code, reason = "only the plans matter here")]
struct Along {
    id: i64,
    a: i64,
    b: Option<i64>,
    tenant: i64,
    label: String,
}

fn schema() -> String {
    let rows: Vec<String> = (1..=30)
        .map(|id| {
            let b = if id % 3 == 0 { "NULL".to_owned() } else { (id % 5).to_string() };
            format!("({id}, {}, {b}, {}, 'l{}')", id % 4, id % 2, id % 7)
        })
        .collect();
    format!(
        "CREATE TABLE along (id {ID}, a BIGINT NOT NULL, b BIGINT, tenant BIGINT NOT NULL, label {TEXT} NOT NULL); \
         CREATE INDEX along_a ON along (a, id); CREATE INDEX along_b ON along (b, id); \
         CREATE INDEX along_ab ON along (a, b, id); CREATE INDEX along_tenant ON along (tenant, label, id); \
         CREATE INDEX along_mixed ON along (label DESC, id); CREATE INDEX along_mirrored ON along (label, id DESC); \
         INSERT INTO along VALUES {}",
        rows.join(", ")
    )
}

/// What is said about the pages of a list: the first, the next, the one before the third, and the last.
async fn said(list: impl Fn() -> Builder<Along>) -> Vec<String> {
    let first = list().cursor_paginate(4).await.unwrap().next_cursor;
    let second = list().cursor(first.as_deref()).cursor_paginate(4).await.unwrap().next_cursor;
    let third = list().cursor(second.as_deref()).cursor_paginate(4).await.unwrap().prev_cursor;
    let pages = [
        read_along_index(list().cursor_paginate(4)).await,
        read_along_index(list().cursor(first.as_deref()).cursor_paginate(4)).await,
        read_along_index(list().cursor(third.as_deref()).cursor_paginate(4)).await,
        read_along_index(list().last_page(4)).await,
    ];
    pages.into_iter().filter_map(Result::err).map(|error| error.to_string()).collect()
}

#[tokio::test]
async fn a_list_with_its_index_is_read_along_it() {
    let (folio, _pool) = db::folio(&schema()).await;
    let (id, a, b, tenant, label) = (Along::ID, Along::A, Along::B, Along::TENANT, Along::LABEL);
    let check = async {
        for order in [
            id.erased(),
            id.desc().erased(),
            a.erased(),
            a.desc().erased(),
            b.nulls_first().erased(),
            b.nulls_last().erased(),
            b.desc().nulls_last().erased(),
            b.desc().nulls_first().erased(),
            // On each database, NULLs are at the other end of an index in one of them.
            (a, b.nulls_first()).erased(),
            (a, b.nulls_last()).erased(),
            (label.desc(), id).erased(),
            (label, id.desc()).erased(),
        ] {
            assert_eq!(said(|| Along::query().order_by(order.clone())).await, [""; 0], "{order:?}");
        }
        let of_tenant = || Along::query().filter(tenant.eq(1)).order_by(label);
        assert_eq!(said(of_tenant).await, [""; 0]);
        assert_eq!(said(|| Along::query().among(tenant, [0, 1]).order_by(label)).await, [""; 0]);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_list_without_its_index_is_told_which_one_to_create() {
    let (folio, pool) = db::folio(&schema()).await;
    let (a, b, id, tenant) = (Along::A, Along::B, Along::ID, Along::TENANT);
    let check = async {
        for (list, name, columns) in [
            (Along::query().order_by(tenant), "along_tenant_id", "(tenant, id)"),
            (Along::query().order_by((a, id.desc())), "along_a_id_desc", "(a, id DESC)"),
            (Along::query().filter(tenant.eq(1)).order_by(b.nulls_first()), "along_tenant_b_id", "(tenant, b, id)"),
            (
                Along::query().among(tenant, [0, 1]).order_by((b.nulls_first(), a)),
                "along_tenant_b_a_id",
                "(tenant, b, a, id)",
            ),
        ] {
            let told = said(|| list.clone()).await;
            // For a filtered list, the planner may take the index of the order, or sort the rows of the tenant.
            let is_served = columns == "(tenant, b, id)" && told.is_empty();
            assert!(told.len() == 4 || is_served, "{list:?}: {told:#?}");
            let name = db::quoted(name);
            assert!(told.iter().all(|told| told.contains(&format!("run CREATE INDEX {name}"))), "{told:#?}");
            assert!(
                told.iter().all(|told| told.contains("\nThe plan of SELECT") && told.contains("\n  ")),
                "{told:#?}"
            );
            db::run(&pool, format!("CREATE INDEX {name} ON along {columns}")).await;
            // MySQL reads an index only forwards if its columns differ in direction, so it needs a second one.
            let forwards_only = "MySQL does not read an index backwards";
            if let Some(told) = said(|| list.clone()).await.iter().find(|told| told.starts_with(forwards_only)) {
                assert_eq!(columns, "(a, id DESC)");
                let (_, second) = told.lines().next().and_then(|line| line.split_once("and run ")).unwrap();
                db::run(&pool, second).await;
            }
            assert_eq!(said(|| list.clone()).await, [""; 0], "{list:?}");
        }
    };
    folio.scope(check).await;
}

/// The catalog says nothing about them.
#[tokio::test]
async fn numbered_pages_and_sql_are_judged_by_their_plan() {
    let (folio, _pool) = db::folio(&schema()).await;
    let sql = |text| Select::<(i64, i64)>::sql(text).order_by((Column::<i64>::new("a"), Column::<i64>::new("id")));
    let check = async {
        let sorts = |told: &str| told.starts_with("the database sorts rows of a table for this page");
        for page in [1, 3] {
            let list = |order: Order| Along::query().order_by(order).page(page);
            let told = read_along_index(list(Along::TENANT.erased()).paginate(4)).await.unwrap_err().to_string();
            assert!(sorts(&told), "{told}");
            let told = read_along_index(sql("SELECT id, a + 1 AS a FROM along").cursor_paginate(4)).await;
            let told = told.unwrap_err().to_string();
            assert!(sorts(&told) && told.contains("a + 1"), "{told}");
            // MySQL and MariaDB sort a table of so few rows.
            if server::QUOTE == '"' {
                read_along_index(list(Along::A.erased()).paginate(4)).await.unwrap();
                read_along_index(sql("SELECT id, a FROM along WHERE label > 'l1'").cursor_paginate(4)).await.unwrap();
            }
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_check_that_saw_no_page_is_an_error() {
    let (folio, _pool) = db::folio(&schema()).await;
    let check = async {
        let error = read_along_index(async { Ok(()) }).await.unwrap_err();
        assert!(error.to_string().starts_with("folio has read no page"), "{error}");
        let error = read_along_index(Along::query().cursor(Some("altered")).cursor_paginate(4)).await.unwrap_err();
        assert_eq!(error.to_string(), "the page could not be read: Invalid pagination cursor");
    };
    folio.scope(check).await;
}

/// On PostgreSQL, the check changes settings of the session.
#[tokio::test]
async fn a_transaction_goes_on_after_a_check() {
    let (folio, _pool) = db::folio(&schema()).await;
    let work = folio::DB::transaction(async || {
        read_along_index(Along::query().cursor_paginate(4)).await.unwrap();
        db::here("DELETE FROM along WHERE id > 10").await?;
        read_along_index(Along::query().order_by(Along::TENANT).cursor_paginate(4)).await.unwrap_err();
        if <server::Driver as sqlx::Database>::NAME == "PostgreSQL" {
            let mut connection = server::connection().await?;
            for setting in ["enable_seqscan", "enable_bitmapscan", "enable_sort"] {
                let show = sqlx::AssertSqlSafe(format!("SHOW {setting}"));
                assert_eq!(sqlx::query_scalar::<_, String>(show).fetch_one(&mut *connection).await?, "on");
            }
        }
        Along::query().count().await
    });
    assert_eq!(folio.scope(work).await.unwrap(), 10);
}
