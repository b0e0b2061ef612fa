//! Tables of MariaDB's engine Spider, whose rows are in tables of other servers: here, of the same one.

use folio::{Builder, DB, FrameworkError, Paginate, Total, load};

use crate::suite::db;

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "linked", cursor_key = "tie, id")]
struct Linked {
    id: i64,
    #[expect(dead_code, reason = "only its column matters")]
    tie: i64,
    #[expect(dead_code, reason = "only its column matters")]
    maybe: Option<i64>,
}

const COLUMNS: &str = "(id BIGINT PRIMARY KEY, tie BIGINT NOT NULL, maybe BIGINT, KEY tied (tie, id))";

/// Twenty rows for each value of `tie`, in two tables that a third one is linked to.
async fn linked() -> (folio::Folio, db::Pool) {
    linked_table("linked", COLUMNS, "SELECT seq, seq DIV 20, NULLIF(seq % 3, 0) FROM seq_1_to_200").await
}

/// A table with these columns and rows, which are in two tables that it is linked to.
async fn linked_table(table: &str, columns: &str, rows: &str) -> (folio::Folio, db::Pool) {
    let (_, pool) = db::folio(&format!("CREATE TABLE near_0 {columns}; CREATE TABLE near_1 {columns}")).await;
    let options = pool.connect_options();
    // A plugin that is installed already is an error.
    let _ = sqlx::raw_sql("INSTALL SONAME 'ha_spider'").execute(&pool).await;
    // For connections that are opened from now on.
    db::run(&pool, "SET GLOBAL spider_same_server_link = 1").await;
    let pool = db::Pool::connect_with((*options).clone()).await.unwrap();
    let (port, name) = (options.get_port(), options.get_database().unwrap_or_default());
    let link = format!(
        "CREATE TABLE {table} {columns} ENGINE = SPIDER \
         COMMENT = 'wrapper \"mysql\", host \"127.0.0.1\", port \"{port}\", user \"root\", database \"{name}\"' \
         PARTITION BY KEY (id) (PARTITION p0 COMMENT = 'table \"near_0\"', PARTITION p1 COMMENT = 'table \"near_1\"')"
    );
    db::run(&pool, link).await;
    db::run(&pool, format!("INSERT INTO {table} {rows}")).await;
    (db::application(&pool), pool)
}

#[tokio::test]
#[ignore = "needs MariaDB with Spider: see .ci/newer"]
async fn each_row_of_a_linked_table_is_on_one_page() {
    let (folio, _pool) = linked().await;
    let check = async {
        for descends in [false, true] {
            let list = || {
                let list = Linked::query();
                if descends {
                    list.cursor_by((Linked::TIE.desc(), Linked::ID))
                } else {
                    list.cursor_by((Linked::TIE, Linked::ID))
                }
            };
            let (mut ids, mut cursor) = (Vec::new(), None);
            loop {
                let page = list().cursor(cursor.as_deref()).cursor_paginate(7).await?;
                ids.extend(page.data.iter().map(|row| row.id));
                cursor = page.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            let mut expected: Vec<i64> = (1..=200).collect();
            expected.sort_by_key(|id| (if descends { -(id / 20) } else { id / 20 }, *id));
            assert_eq!(ids, expected);
        }
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

#[tokio::test]
#[ignore = "needs MariaDB with Spider: see .ci/newer"]
async fn what_spider_cannot_do_is_an_error() {
    let (folio, _pool) = linked().await;
    let check = async {
        let by_maybe = Linked::query().cursor_by((Linked::MAYBE.asc().nulls_last(), Linked::ID));
        let error = by_maybe.cursor_paginate(7).await.unwrap_err();
        assert!(error.to_string().contains("`maybe` may be NULL, and the table's storage engine SPIDER"), "{error}");

        let nested = DB::transaction(async || {
            sqlx::query("INSERT INTO linked VALUES (900, 1, NULL)").execute(&mut *DB::mysql().await?).await?;
            DB::transaction(async || Ok::<_, FrameworkError>(Linked::query().count().await?)).await
        });
        let error = nested.await.unwrap_err();
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("do all the work in the outer transaction"), "{cause}");
        assert_eq!(Linked::query().filter(Linked::ID.eq(900)).count().await.unwrap(), 0);
    };
    folio.scope(check).await;
}

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "linked_posts", cursor_key = "tie, tenant, id")]
struct Post {
    id: i64,
    tenant: i64,
    tie: i64,
}

/// Six rows for each value of `tie`. The index does not begin with the column of the filters.
const POSTS: &str = "(id BIGINT PRIMARY KEY, tenant BIGINT NOT NULL, tie BIGINT NOT NULL, KEY tied (tie, tenant, id))";

async fn linked_posts() -> (folio::Folio, db::Pool) {
    linked_table("linked_posts", POSTS, "SELECT seq, seq % 5, seq DIV 6 FROM seq_1_to_600").await
}

/// The ids of the rows that match, from the last one in the order of the key.
fn backwards(matches: impl Fn(&Post) -> bool) -> Vec<i64> {
    let row = |id: i64| Post { id, tenant: id % 5, tie: id / 6 };
    let mut rows: Vec<Post> = (1..=600).map(row).filter(matches).collect();
    rows.sort_by_key(|row| std::cmp::Reverse((row.tie, row.tenant, row.id)));
    rows.iter().map(|row| row.id).collect()
}

/// The ids of all pages from the end of the list.
async fn walk_back(list: impl Fn() -> Builder<Post>) -> Vec<i64> {
    let mut page = list().last_page(15).await.unwrap();
    let mut ids = Vec::new();
    loop {
        ids.extend(page.data.iter().rev().map(|row| row.id));
        let Some(cursor) = page.prev_cursor.take() else { return ids };
        page = list().cursor(Some(&cursor)).cursor_paginate(15).await.unwrap();
    }
}

#[tokio::test]
#[ignore = "needs MariaDB with Spider: see .ci/newer"]
async fn pages_backwards_have_each_row_of_a_filtered_linked_table() {
    let (folio, _pool) = linked_posts().await;
    let check = async {
        let of_one = || Post::query().filter(Post::TENANT.eq(1));
        assert_eq!(walk_back(of_one).await, backwards(|row| row.tenant == 1));
        let of_two = || Post::query().filter(Post::TENANT.any_of([1, 2]));
        assert_eq!(walk_back(of_two).await, backwards(|row| row.tenant == 1 || row.tenant == 2));
        let feed = || Post::query().among(Post::TENANT, [1, 2]);
        assert_eq!(walk_back(feed).await, backwards(|row| row.tenant == 1 || row.tenant == 2));
        let around = of_one().around_id(301, 5, 5).await.unwrap();
        assert_eq!(around.page.data.len(), 11);
    };
    folio.scope(check).await;
}

#[tokio::test]
#[ignore = "needs MariaDB with Spider: see .ci/newer"]
async fn a_descending_feed_has_each_row_of_a_linked_table() {
    let (folio, _pool) = linked_posts().await;
    let check = async {
        for tenants in [&[1, 2, 3][..], &[0, 4]] {
            let order = || (Post::TIE.desc(), Post::TENANT.desc(), Post::ID.desc());
            let feed = || Post::query().among(Post::TENANT, tenants.to_vec()).cursor_by(order());
            let (mut ids, mut cursor) = (Vec::new(), None);
            loop {
                let page = feed().cursor(cursor.as_deref()).cursor_paginate(18).await.unwrap();
                ids.extend(page.data.iter().map(|row| row.id));
                cursor = page.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(ids, backwards(|row| tenants.contains(&row.tenant)));
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
#[ignore = "needs MariaDB with Spider: see .ci/newer"]
async fn a_numbered_page_of_a_range_has_each_row_of_a_linked_table() {
    let (folio, _pool) = linked_posts().await;
    let check = async {
        let expected = backwards(|row| row.tenant == 1 && row.tie <= 80);
        for page in [1, 2, 6] {
            let order = (Post::TIE.desc(), Post::TENANT.desc(), Post::ID.desc());
            let list = Post::query().filter(Post::TENANT.eq(1)).filter(Post::TIE.lte(80)).order_by(order).page(page);
            let found = list.paginate(15).await.unwrap();
            let from = (usize::try_from(page).unwrap() - 1) * 15;
            assert_eq!(found.data.iter().map(|row| row.id).collect::<Vec<_>>(), expected[from..from + 15]);
            assert_eq!(found.total, u64::try_from(expected.len()).unwrap());
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
#[ignore = "needs MariaDB with Spider: see .ci/newer"]
async fn each_group_of_a_linked_table_has_its_own_rows_and_total() {
    let (folio, _pool) = linked_posts().await;
    let check = async {
        let ties: Vec<i64> = (1..=100).collect();
        for ties in [&ties[..3], &ties] {
            let order = (Post::TIE.desc(), Post::TENANT.desc(), Post::ID.desc());
            let list = Post::query().filter(Post::TENANT.lte(3)).cursor_by(order).counted();
            let pages = list.each_of(Post::TIE, ties.to_vec()).cursor_paginate(2).await.unwrap();
            for tie in ties {
                let mut all = backwards(|row| row.tie == *tie && row.tenant <= 3);
                let total = u64::try_from(all.len()).unwrap();
                assert_eq!(pages[tie].total, Some(Total::Exact(total)), "{tie}");
                all.truncate(2);
                assert_eq!(pages[tie].data.iter().map(|row| row.id).collect::<Vec<_>>(), all, "{tie}");
            }
        }
        let of_tenants = Post::query().filter(Post::TIE.lte(9)).counted().each_of(Post::TENANT, [1, 2, 9]);
        let pages = of_tenants.cursor_paginate(2).await.unwrap();
        let of_tenant = |tenant| backwards(|row| row.tenant == tenant && row.tie <= 9).len();
        for tenant in [1, 2, 9] {
            let total = u64::try_from(of_tenant(tenant)).unwrap();
            assert_eq!(pages[&tenant].total, Some(Total::Exact(total)), "{tenant}");
        }
        let posts = load::many(Post::query(), Post::TIE, |row: &Post| row.tie);
        let page = Post::query().filter(Post::ID.lt(5)).order_by(Post::ID).simple_paginate(9).await.unwrap();
        let page = page.load(posts.first(2)).await.unwrap();
        assert!(page.data.iter().all(|(row, found)| found.len() == 2 && found.iter().all(|post| post.tie == row.tie)));
    };
    folio.scope(check).await;
}
