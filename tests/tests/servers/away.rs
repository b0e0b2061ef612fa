//! Replicas that are down: the connection is refused, or the server has stopped answering.

use std::time::Duration;

use folio::{Folio, FrameworkError, Paginate, Result};
use folio_tests::limit::limited;
use folio_tests::proxy::Proxy;
use folio_tests::recorder::Recorder;

use crate::server::{self, ID};
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
struct Place {
    id: i64,
}

const WAIT: Duration = Duration::from_millis(50);

/// A database with one row.
async fn database(id: i64) -> Pool {
    let pool = server::pool(1).await;
    db::run(&pool, format!("CREATE TABLE places (id {ID}); INSERT INTO places VALUES ({id})")).await;
    pool
}

fn application(primary: &Pool, replica: &Pool) -> Folio {
    let folio = Folio::new(primary.clone()).connection("__read_replica__", replica.clone()).unwrap();
    folio.replica_fallback(WAIT)
}

async fn id() -> Result<i64> {
    Ok(Place::simple_paginate(5).await?.data[0].id)
}

#[tokio::test]
async fn a_replica_that_refuses_connections_is_bypassed() {
    let _log = Recorder::of_target("folio::fallback");
    let primary = database(1).await;
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let replica = server::at_port(port, &primary);
    let check = async {
        for _ in 0..3 {
            assert_eq!(id().await?, 1);
        }
        Ok::<_, FrameworkError>(())
    };
    limited(application(&primary, &replica).scope(check)).await.unwrap();
}

#[tokio::test]
async fn a_replica_that_never_answers_is_bypassed() {
    let _log = Recorder::of_target("folio::fallback");
    let (primary, database) = (database(1).await, database(2).await);
    let gate = Proxy::before(server::port(&database)).await;
    let check = async {
        // Before there is a connection, and when one is idle in the pool.
        gate.freeze(true);
        assert_eq!(id().await?, 1);
        gate.freeze(false);
        while id().await? != 2 {
            tokio::time::sleep(WAIT).await;
        }
        gate.freeze(true);
        for _ in 0..3 {
            assert_eq!(id().await?, 1);
        }
        gate.freeze(false);
        while id().await? != 2 {
            tokio::time::sleep(WAIT).await;
        }
        Ok::<_, FrameworkError>(())
    };
    let replica = server::at_port(gate.port(), &database);
    limited(application(&primary, &replica).scope(check)).await.unwrap();
}
