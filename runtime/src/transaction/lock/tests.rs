use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::FutureExt as _;
use sqlx::{Sqlite, SqlitePool};
use tokio::sync;

use super::*;
use crate::transaction::tests::{begun, pool};

/// An open transaction, as all of its users share it.
struct Shared(Arc<sync::Mutex<Option<Open<Sqlite>>>>);

impl Shared {
    async fn begin(pool: &SqlitePool) -> Self {
        Self(Arc::new(sync::Mutex::new(Some(begun(pool).await))))
    }

    /// The connection, for work.
    fn lock(&self, work: &Work) -> Lock<Sqlite> {
        Lock::new(Arc::clone(&self.0).try_lock_owned().expect("nothing holds it"), work.clone())
    }

    /// Whether the transaction may have ended.
    fn is_unchecked(&self) -> bool {
        self.0.try_lock().expect("nothing holds it").as_ref().is_some_and(Open::is_unchecked)
    }
}

#[tokio::test]
async fn a_lock_records_what_may_have_ended_the_transaction() {
    type Record = fn(&mut Lock<Sqlite>);
    let reading = Work::always_polled();
    let records: [(Record, bool); 3] = [(|_| {}, false), (Lock::mark_failed, true), (Lock::mark_interrupted, true)];
    for (record, expected) in records {
        let shared = Shared::begin(&pool().await).await;
        record(&mut shared.lock(&reading));
        assert_eq!(shared.is_unchecked(), expected);
    }
}

#[tokio::test]
async fn a_lock_that_is_dropped_with_its_work_was_interrupted() {
    let shared = Shared::begin(&pool().await).await;
    let work = Work::default();
    work.clone().watch(async { drop(shared.lock(&work)) }).await;
    assert!(!shared.is_unchecked(), "its statements have ended");
    drop(shared.lock(&work));
    assert!(shared.is_unchecked(), "the work is not being polled");
}

#[tokio::test]
async fn a_lock_that_a_panic_drops_was_interrupted() {
    let shared = Shared::begin(&pool().await).await;
    let work = Work::default();
    let watched = work.clone().watch(async {
        let _lock = shared.lock(&work);
        panic!("on purpose")
    });
    let outcome: Result<Option<()>, _> = catch_unwind(AssertUnwindSafe(|| watched.now_or_never()));
    assert!(outcome.is_err() && shared.is_unchecked());
}

#[tokio::test]
async fn a_guard_of_the_caller_is_recorded_until_it_is_dropped() {
    let shared = Shared::begin(&pool().await).await;
    let (work, holder) = (Work::always_polled(), Holder::default());
    let guard = shared.lock(&work).lent(holder.clone());
    assert!(holder.is(&work) && !holder.is(&Work::default()));
    drop(guard);
    assert!(!holder.is(&work));
}

#[tokio::test]
async fn statements_are_named_as_the_pool_names_them() {
    for named in [false, true] {
        let pool = pool().await;
        let connection = pool.acquire().await.expect("the connection is free");
        let open = Open::begin(connection, pool, named, None, false).await.expect("it begins");
        let shared = Shared(Arc::new(sync::Mutex::new(Some(open))));
        assert_eq!(shared.lock(&Work::always_polled()).names_statements(), named);
    }
}
