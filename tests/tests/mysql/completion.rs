//! Sessions with `completion_type = CHAIN`, in which the end of a transaction begins the next one.

use folio::{DB, Folio, Isolation, Result};
use folio_tests::limit::limited;
use sqlx::Executor as _;
use sqlx::mysql::{MySqlPool, MySqlPoolOptions};

use crate::server;
use crate::suite::db;
use crate::suite::transactions::notes::{Note, drop_after, failure, insert, kept, schema};

/// An application on one connection that chains transactions, and another pool on the same database.
async fn set_up() -> (Folio, MySqlPool, MySqlPool) {
    let usual = server::pool(1).await;
    db::run(&usual, schema()).await;
    let options = MySqlPoolOptions::new().max_connections(1).after_connect(|connection, _| {
        Box::pin(async move { connection.execute("SET completion_type = 'CHAIN'").await.map(drop) })
    });
    let pool = options.connect_with((*usual.connect_options()).clone()).await.unwrap();
    (Folio::new(pool.clone()), pool, usual)
}

#[tokio::test]
async fn a_transaction_leaves_no_other_one_on_its_connection() {
    let (folio, pool, usual) = set_up().await;
    let check = async {
        let is_free = async || !server::in_transaction(&mut pool.acquire().await.unwrap()).await;
        DB::transaction(async || insert(1).await).await.unwrap();
        assert!(is_free().await, "after a commit");
        let failed: Result<()> = DB::transaction(async || Err(failure())).await;
        assert!(failed.is_err() && is_free().await, "after a rollback");
        let pages = DB::transaction(async || Note::paginate(5).await.map(drop));
        pages.await.unwrap();
        assert!(is_free().await, "after a page");
        let dropped = DB::transaction(async || -> Result<()> {
            insert(4).await?;
            loop {
                tokio::task::yield_now().await;
            }
        });
        drop_after(dropped, 200).await;
        assert!(is_free().await, "after it was dropped");
        // Deep enough to be read in a transaction of folio's.
        Note::query().page(10_001).paginate(1).await.unwrap();
        assert!(is_free().await, "after a distant page");
        // Outside of a transaction each page sees what is committed.
        assert_eq!(Note::paginate(5).await.unwrap().total, 1);
        db::run(&usual, "INSERT INTO notes VALUES (2)").await;
        assert_eq!(Note::paginate(5).await.unwrap().total, 2);
        // sqlx leaves a transaction open, in which no level can be set.
        pool.begin().await.unwrap().commit().await.unwrap();
        DB::transaction_with(Isolation::Serializable, async || insert(3).await).await.unwrap();
        assert!(is_free().await);
    };
    limited(folio.scope(check)).await;
    assert_eq!(kept(&usual).await, [1, 2, 3]);
}
