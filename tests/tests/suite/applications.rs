//! Transactions next to other pools and other applications: each statement runs where it should.

use folio::{DB, Folio, FrameworkError, Paginate, Result};
use folio_tests::limit::limited;

use crate::server::{self, ID, TEXT};
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[expect(dead_code, reason = "only the name tells the database")]
struct Place {
    id: i64,
    name: String,
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "places", connection = "archive")]
#[expect(dead_code, reason = "only the name tells the database")]
struct Archived {
    id: i64,
    name: String,
}

/// A database with a row that names it, on a pool of one connection.
async fn database(name: &str) -> Pool {
    let pool = server::pool(1).await;
    db::run(&pool, format!("CREATE TABLE places (id {ID}, name {TEXT} NOT NULL)")).await;
    db::run(&pool, format!("INSERT INTO places (id, name) VALUES (1, '{name}')")).await;
    pool
}

async fn rename(name: &str) -> Result<()> {
    db::here(format!("UPDATE places SET name = '{name}' WHERE id = 1")).await
}

async fn name() -> Result<String> {
    Ok(Place::paginate(5).await?.data.remove(0).name)
}

async fn name_on(pool: &Pool) -> Result<String> {
    Ok(Place::query().using(pool.clone()).cursor_paginate(5).await?.data.remove(0).name)
}

async fn raw_name() -> Result<String> {
    let mut connection = server::connection().await?;
    Ok(sqlx::query_scalar("SELECT name FROM places WHERE id = 1").fetch_one(&mut *connection).await?)
}

async fn stored(pool: &Pool) -> String {
    sqlx::query_scalar("SELECT name FROM places WHERE id = 1").fetch_one(pool).await.unwrap()
}

fn failure() -> FrameworkError {
    FrameworkError::Internal { message: "on purpose".into() }
}

/// Two applications, and the pools of their databases, `one` and `two`.
async fn applications() -> ((Folio, Pool), (Folio, Pool)) {
    let (one, two) = (database("one").await, database("two").await);
    let application = |pool: &Pool| Folio::new(pool.clone()).keyring(folio::Keyring::new(folio::Key::generate()));
    ((application(&one), one), (application(&two), two))
}

#[tokio::test]
async fn an_explicit_pool_is_read_outside_a_transaction_on_another_pool() {
    let ((one, pool), (_, other)) = applications().await;
    let work = DB::transaction(async || {
        rename("changed").await?;
        assert_eq!(name_on(&other).await?, "two");
        // Its own pool is that of the transaction.
        assert_eq!(name_on(&pool).await?, "changed");
        Err::<(), _>(failure())
    });
    limited(one.scope(work)).await.unwrap_err();
    assert_eq!(stored(&pool).await, "one");
}

#[tokio::test]
async fn a_named_connection_is_used() {
    let ((one, _), (_, archive)) = applications().await;
    let one = one.connection("archive", archive).unwrap();
    let work = DB::transaction(async || {
        rename("changed").await?;
        assert_eq!(Place::on("archive").paginate(5).await?.data[0].name, "two");
        assert_eq!(Archived::paginate(5).await?.data[0].name, "two");
        assert_eq!(Place::on("__primary__").paginate(5).await?.data[0].name, "changed");
        assert_eq!(Archived::on("__primary__").paginate(5).await?.data[0].name, "changed");
        assert_eq!(name().await?, "changed");
        Ok::<_, FrameworkError>(())
    });
    limited(one.scope(work)).await.unwrap();
    // A transaction on a named connection serves the pages that name no connection.
    let work = DB::transaction_on("archive", async || {
        rename("archived").await?;
        assert_eq!(name().await?, "archived");
        assert_eq!(Archived::paginate(5).await?.data[0].name, "archived");
        assert_eq!(Place::on("__primary__").paginate(5).await?.data[0].name, "changed");
        DB::transaction(async || rename("archived again").await).await?;
        assert_eq!(raw_name().await?, "archived again");
        Ok::<_, FrameworkError>(())
    });
    limited(one.scope(work)).await.unwrap();
}

#[tokio::test]
async fn the_scope_of_another_application_is_outside_the_transaction() {
    let ((one, first), (two, second)) = applications().await;
    let work = DB::transaction(async || {
        rename("changed").await?;
        let elsewhere = async {
            assert_eq!((name().await?, raw_name().await?), ("two".into(), "two".into()));
            rename("two changed").await?;
            // A separate transaction.
            DB::transaction(async || {
                rename("two changed again").await?;
                assert_eq!(
                    (name().await?, raw_name().await?),
                    ("two changed again".into(), "two changed again".into())
                );
                assert_eq!(name_on(&first).await?, "changed", "the transaction around it, on its own pool");
                Ok::<_, FrameworkError>(())
            })
            .await
        };
        two.scope(elsewhere).await?;
        assert_eq!((name().await?, raw_name().await?), ("changed".into(), "changed".into()));
        Err::<(), _>(failure())
    });
    limited(one.scope(work)).await.unwrap_err();
    assert_eq!((stored(&first).await, stored(&second).await), ("one".into(), "two changed again".into()));
}

#[tokio::test]
async fn the_innermost_transaction_on_a_pool_serves_it() {
    let ((one, first), (two, second)) = applications().await;
    let work = DB::transaction(async || {
        rename("outer").await?;
        let inside_two = DB::transaction(async || {
            rename("second").await?;
            // Back in the first application: a savepoint of its transaction, which is rolled back alone.
            let nested: Result<()> = one
                .scope(DB::transaction(async || {
                    rename("inner").await?;
                    assert_eq!((name_on(&first).await?, name_on(&second).await?), ("inner".into(), "second".into()));
                    Err(failure())
                }))
                .await;
            nested.unwrap_err();
            assert_eq!(one.scope(name()).await?, "outer");
            // A task with the handle has both.
            let (transaction, first, second) = (DB::current().unwrap(), first.clone(), second.clone());
            let task = async move { (name_on(&first).await, name_on(&second).await) };
            let (first, second) = tokio::spawn(async move { transaction.scope(task).await }).await.unwrap();
            // It has no keyring, which a cursor page asks for before anything else.
            assert!(first.is_err() && second.is_err());
            Ok::<_, FrameworkError>(())
        });
        two.scope(inside_two).await?;
        assert_eq!(name().await?, "outer");
        Ok::<_, FrameworkError>(())
    });
    limited(one.scope(work)).await.unwrap();
    assert_eq!((stored(&first).await, stored(&second).await), ("outer".into(), "second".into()));
}

/// The same connections in another configuration are the same application.
#[tokio::test]
async fn a_variant_of_the_application_stays_in_the_transaction() {
    let ((one, _), _) = applications().await;
    let variant = one.clone().keyring(folio::Keyring::new(folio::Key::generate()));
    let work = DB::transaction(async || {
        rename("changed").await?;
        assert_eq!(variant.scope(name()).await?, "changed");
        Ok::<_, FrameworkError>(())
    });
    limited(one.scope(work)).await.unwrap();
}

/// Naming a pool of another application does not make it the primary.
#[tokio::test]
async fn a_pool_that_another_application_names_does_not_serve_its_unnamed_pages() {
    let ((one, first), (two, _)) = applications().await;
    let two = two.connection("legacy", first).unwrap();
    let work = DB::transaction(async || {
        rename("changed").await?;
        let elsewhere = async {
            assert_eq!((name().await?, raw_name().await?), ("two".into(), "two".into()));
            assert_eq!(Place::on("legacy").paginate(5).await?.data[0].name, "changed");
            // Another transaction on that pool would wait for this one.
            let nested = DB::transaction_on("legacy", async || Ok::<_, FrameworkError>(())).await;
            assert!(nested.unwrap_err().to_string().contains("inside another transaction"));
            Ok::<_, FrameworkError>(())
        };
        two.scope(elsewhere).await
    });
    limited(one.scope(work)).await.unwrap();
}

/// A handle names its transaction, whichever application's scope it is entered in.
#[tokio::test]
async fn a_handle_takes_its_transaction_into_the_scope_of_another_application() {
    let ((one, first), (two, second)) = applications().await;
    let work = DB::transaction(async || {
        rename("changed").await?;
        let transaction = DB::current().unwrap();
        let inside = transaction.scope(async { (name().await, raw_name().await) });
        let (page, raw) = two.scope(inside).await;
        assert_eq!((page?, raw?), ("changed".into(), "changed".into()));
        two.scope(transaction.scope(rename("changed again"))).await
    });
    limited(one.scope(work)).await.unwrap();
    assert_eq!((stored(&first).await, stored(&second).await), ("changed again".into(), "two".into()));
}

/// Back in an application, its unnamed pages are read in its transaction, whichever of its connections that is on.
#[tokio::test]
async fn a_transaction_on_a_named_connection_serves_its_application_again() {
    let ((one, first), (two, _)) = applications().await;
    let archive = database("archive").await;
    let one = one.connection("archive", archive.clone()).unwrap();
    let work = DB::transaction_on("archive", async || {
        rename("changed").await?;
        let elsewhere = DB::transaction(async || {
            assert_eq!((name().await?, one.scope(name()).await?), ("two".into(), "changed".into()));
            Ok::<_, FrameworkError>(())
        });
        two.scope(elsewhere).await
    });
    limited(one.scope(work)).await.unwrap();
    assert_eq!((stored(&first).await, stored(&archive).await), ("one".into(), "changed".into()));
}

/// A transaction on an application's default pool serves it, also if another application has begun it.
#[tokio::test]
async fn a_transaction_of_another_application_on_the_default_pool_serves_it() {
    let ((one, first), (two, _)) = applications().await;
    let two = two.connection("legacy", first).unwrap();
    let work = DB::transaction_on("legacy", async || {
        rename("changed").await?;
        assert_eq!(one.scope(name()).await?, "changed");
        Ok::<_, FrameworkError>(())
    });
    limited(two.scope(work)).await.unwrap();
}

/// Runs work in another task, to which application and transaction are passed on as the guide says.
async fn passed_on<R: Send + 'static>(work: impl Future<Output = R> + Send + 'static) -> Result<R> {
    let (folio, transaction) = (Folio::current()?, DB::current());
    let task = async move {
        match transaction {
            Some(transaction) => folio.scope(transaction.scope(work)).await,
            None => folio.scope(work).await,
        }
    };
    Ok(tokio::spawn(task).await.unwrap())
}

/// `DB::current()` returns the transaction that serves statements without a named connection.
#[tokio::test]
async fn context_that_is_passed_on_reaches_the_database_of_its_scope() {
    let ((one, first), (two, second)) = applications().await;
    let work = DB::transaction(async || {
        passed_on(rename("by a task")).await??;
        two.scope(async { passed_on(rename("by another")).await? }).await?;
        assert!(
            two.scope(async { DB::current().is_none() }).await,
            "its unnamed statements run outside of a transaction"
        );
        assert_eq!(name().await?, "by a task");
        Ok::<_, FrameworkError>(())
    });
    limited(one.scope(work)).await.unwrap();
    assert_eq!((stored(&first).await, stored(&second).await), ("by a task".into(), "by another".into()));
}

/// The future of a scope borrows nothing, so it can be spawned.
#[tokio::test]
async fn a_scope_can_be_spawned() {
    fn spawned(folio: &Folio) -> tokio::task::JoinHandle<bool> {
        tokio::spawn(folio.scope(async { Folio::current().is_ok() }))
    }
    let ((one, _), _) = applications().await;
    assert!(spawned(&one).await.unwrap());
}
