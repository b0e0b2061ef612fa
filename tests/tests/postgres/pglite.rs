//! PGlite: PostgreSQL in WebAssembly, which has one session. `tests/pglite/run.js` starts it.

use std::time::Duration;

use folio::{DB, Folio, FrameworkError, Key, Keyring, Paginate, Result};
use sqlx::PgPool as Pool;
use sqlx::postgres::PgPoolOptions;

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "events", cursor_key = "moment desc, id desc")]
struct Event {
    id: i64,
    #[expect(dead_code, reason = "only its column matters")]
    moment: i32,
    #[expect(dead_code, reason = "only its column matters")]
    author_id: i64,
}

/// A table of 200 rows, and a pool of the only connection.
async fn events() -> (Folio, Pool) {
    let pool = connect().await;
    let create = "DROP TABLE IF EXISTS events; \
         CREATE TABLE events (id BIGINT PRIMARY KEY, moment INT NOT NULL, author_id BIGINT NOT NULL); \
         INSERT INTO events SELECT id, id / 3, id % 2 FROM generate_series(1::BIGINT, 200) AS id; \
         CREATE INDEX ON events (author_id, moment, id)";
    sqlx::raw_sql(create).execute(&pool).await.unwrap();
    (Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())), pool)
}

/// Connects, as the guide says. PGlite resets the connection until it has noticed that the last one is closed.
async fn connect() -> Pool {
    let url = std::env::var("FOLIO_POSTGRES_URL").expect("FOLIO_POSTGRES_URL names a server to test on");
    // The session, and thus its prepared statements, outlive the connection.
    let options = PgPoolOptions::new().max_connections(1).after_connect(|connection, _| {
        Box::pin(async move { sqlx::raw_sql("DISCARD ALL").execute(connection).await.map(drop) })
    });
    for _ in 0..100 {
        match options.clone().connect(&url).await {
            Err(sqlx::Error::Io(_)) => tokio::time::sleep(Duration::from_millis(50)).await,
            connected => return connected.unwrap(),
        }
    }
    panic!("PGlite accepts no connection");
}

fn ids(rows: &[Event]) -> Vec<i64> {
    rows.iter().map(|row| row.id).collect()
}

#[tokio::test]
#[ignore = "needs PGlite: see tests/pglite"]
async fn a_list_is_read_by_number_and_by_cursor() {
    let (folio, pool) = events().await;
    let read = async {
        let page = Event::query().order_by_desc(Event::ID).page(3).paginate(15).await?;
        assert_eq!((page.total, page.last_page, ids(&page.data)), (200, 14, (156..=170).rev().collect()));
        let page = async |cursor: Option<&str>| {
            Event::query().filter(Event::AUTHOR_ID.eq(1)).cursor(cursor).cursor_paginate(7).await
        };
        let mut at = page(None).await?;
        let mut forwards = ids(&at.data);
        while let Some(next) = at.next_cursor {
            at = page(Some(&next)).await?;
            forwards.extend(ids(&at.data));
        }
        assert_eq!(forwards, (1..200).rev().step_by(2).collect::<Vec<_>>());
        let mut backwards = ids(&at.data);
        while let Some(previous) = at.prev_cursor {
            at = page(Some(&previous)).await?;
            backwards.splice(0..0, ids(&at.data));
        }
        assert_eq!(backwards, forwards);
        Ok::<_, FrameworkError>(())
    };
    folio.scope(read).await.unwrap();
    pool.close().await;
}

#[tokio::test]
#[ignore = "needs PGlite: see tests/pglite"]
async fn a_transaction_is_kept_or_rolled_back() {
    let (folio, pool) = events().await;
    let insert = async |id: i64| -> Result<()> {
        let sql = sqlx::query("INSERT INTO events VALUES ($1, 0, 2)").bind(id);
        sql.execute(&mut *DB::postgres().await?).await?;
        Ok(())
    };
    let ours = async || -> Result<Vec<i64>> {
        Ok(ids(&Event::query().filter(Event::AUTHOR_ID.eq(2)).cursor_paginate(7).await?.data))
    };
    let write = async {
        DB::transaction(async || {
            insert(301).await?;
            let failed = DB::transaction(async || {
                insert(302).await?;
                assert_eq!(ours().await?, [302, 301]);
                insert(301).await
            });
            assert!(failed.await.is_err());
            assert_eq!(ours().await?, [301]);
            Ok::<_, FrameworkError>(())
        })
        .await?;
        let failed = DB::transaction(async || {
            insert(303).await?;
            Err::<(), _>(FrameworkError::Internal { message: "on purpose".into() })
        });
        assert!(failed.await.is_err());
        assert_eq!(ours().await?, [301]);
        Ok::<_, FrameworkError>(())
    };
    folio.scope(write).await.unwrap();
    pool.close().await;
}
