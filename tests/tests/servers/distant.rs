//! Transactions at a distance of 60 ms, in which statements are cut short at every point.

use std::time::Duration;

use folio::{DB, Folio, FrameworkError, Result};
use folio_tests::limit::limited;
use folio_tests::proxy::Proxy;
use tokio::time::timeout;

use crate::server;
use crate::suite::db::{self, Pool};
use crate::suite::programs::{run_programs, set_up};
use crate::suite::transactions::notes::{Note, insert, kept, schema};

/// An application behind a proxy that delays each message by 30 ms, and a pool that is not.
async fn distant() -> (Folio, Pool, Proxy) {
    let direct = server::pool(2).await;
    db::run(&direct, schema()).await;
    db::run(&direct, "CREATE TABLE many (id BIGINT PRIMARY KEY, text VARCHAR(50))").await;
    let proxy = Proxy::before(server::port(&direct)).await;
    let options = direct.options().clone().max_connections(1).acquire_timeout(Duration::from_secs(3));
    let pool = options.connect_lazy_with(server::at_port(proxy.port(), &direct).connect_options().as_ref().clone());
    drop(pool.acquire().await.unwrap());
    proxy.delay(Duration::from_millis(30));
    (Folio::new(pool), direct, proxy)
}

/// Runs a statement that is prepared first, which takes two round trips.
async fn read_many() -> Result<()> {
    sqlx::query("SELECT id, text FROM many").fetch_all(&mut *server::connection().await?).await?;
    Ok(())
}

#[tokio::test]
async fn a_time_limit_around_the_last_statement_does_not_make_the_commit_wait() {
    for nested in [false, true] {
        for cut in [10, 50, 90, 130, 160] {
            let (folio, direct, _proxy) = distant().await;
            let work = DB::transaction(async || {
                insert(1).await?;
                let limited = async || {
                    let _ = timeout(Duration::from_millis(cut), read_many()).await;
                    Ok::<_, FrameworkError>(())
                };
                if nested { DB::transaction(limited).await } else { limited().await }
            });
            let result = limited(folio.scope(work)).await;
            match result {
                Ok(()) => assert_eq!(kept(&direct).await, [1], "cut after {cut} ms"),
                Err(error) => assert_eq!(kept(&direct).await, Vec::<i64>::new(), "cut after {cut} ms: {error}"),
            }
            // Neither locks nor answers are left behind.
            limited(folio.scope(DB::transaction(async || insert(2).await))).await.unwrap();
            assert!(limited(folio.scope(Note::paginate(5))).await.unwrap().data.iter().any(|note| note.id == 2));
        }
    }
}

/// `FOLIO_DISTANT_PROGRAMS` sets the number of programs, of which each takes about a second.
#[test]
fn the_reports_of_a_distant_program_match_the_committed_rows() {
    let programs = std::env::var("FOLIO_DISTANT_PROGRAMS").ok().and_then(|number| number.parse().ok()).unwrap_or(20);
    let runtime = db::runtime();
    let (pool, direct, _proxy) = runtime.block_on(async {
        let direct = server::pool(3).await;
        set_up(&direct).await;
        let proxy = Proxy::before(server::port(&direct)).await;
        let options = direct.options().clone().max_connections(3);
        let pool = options.connect_lazy_with(server::at_port(proxy.port(), &direct).connect_options().as_ref().clone());
        proxy.delay(Duration::from_millis(30));
        (pool, direct, proxy)
    });
    run_programs(&runtime, programs, &pool, &direct);
}
