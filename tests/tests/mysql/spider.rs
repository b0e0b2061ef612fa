//! Tables of MariaDB's engine Spider, whose rows are in tables of other servers: here, of the same one.

use folio::{DB, FrameworkError, Paginate};

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
    let (_, pool) = db::folio(&format!("CREATE TABLE near_0 {COLUMNS}; CREATE TABLE near_1 {COLUMNS}")).await;
    let options = pool.connect_options();
    // A plugin that is installed already is an error.
    let _ = sqlx::raw_sql("INSTALL SONAME 'ha_spider'").execute(&pool).await;
    // For connections that are opened from now on.
    db::run(&pool, "SET GLOBAL spider_same_server_link = 1").await;
    let pool = db::Pool::connect_with((*options).clone()).await.unwrap();
    let (port, name) = (options.get_port(), options.get_database().unwrap_or_default());
    let link = format!(
        "CREATE TABLE linked {COLUMNS} ENGINE = SPIDER \
         COMMENT = 'wrapper \"mysql\", host \"127.0.0.1\", port \"{port}\", user \"root\", database \"{name}\"' \
         PARTITION BY KEY (id) (PARTITION p0 COMMENT = 'table \"near_0\"', PARTITION p1 COMMENT = 'table \"near_1\"')"
    );
    db::run(&pool, link).await;
    db::run(&pool, "INSERT INTO linked SELECT seq, seq DIV 20, NULLIF(seq % 3, 0) FROM seq_1_to_200").await;
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
