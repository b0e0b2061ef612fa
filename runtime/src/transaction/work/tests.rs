use std::future::pending;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;

use futures_util::future::{BoxFuture, join, ready, select};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use tokio::sync::{OwnedMutexGuard, oneshot};

use super::*;

/// A waker that counts how often it is woken.
#[derive(Default)]
struct Counter(AtomicUsize);

impl Wake for Counter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }
}

impl Counter {
    fn woken(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }
}

/// Polls a future once, as a task with this waker does.
fn poll<F: Future + Unpin>(future: &mut F, task: &Arc<Counter>) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(&Waker::from(Arc::clone(task))))
}

/// Polls what work does once. The future is given the work.
fn poll_work<F: Future>(future: impl FnOnce(Work) -> F) -> Poll<F::Output> {
    let work = Work::default();
    poll(&mut pin!(work.clone().watch(future(work))), &Arc::default())
}

#[test]
fn work_is_polled_only_while_its_future_runs() {
    let work = Work::default();
    assert!(!work.is_polled());
    let mut watched = Box::pin(work.clone().watch(async { assert!(work.is_polled()) }));
    assert!(poll(&mut watched, &Arc::default()).is_ready());
    assert!(!work.is_polled());
    assert!(Work::always_polled().is_polled());
}

#[test]
fn a_panic_ends_the_poll() {
    let work = Work::default();
    let mut watched = Box::pin(work.clone().watch(async { panic!("on purpose") }));
    let polled: Result<Poll<()>, _> = catch_unwind(AssertUnwindSafe(|| poll(&mut watched, &Arc::default())));
    assert!(polled.is_err() && !work.is_polled());
}

#[test]
fn clones_are_the_same_work() {
    let work = Work::default();
    assert!(work.is(&work.clone()) && !work.is(&Work::default()));
}

/// Stands for the connection of a transaction.
type Connection = tokio::sync::Mutex<()>;

/// A connection that is held, and its guard.
fn held() -> (Arc<Connection>, OwnedMutexGuard<()>) {
    let connection = Arc::<Connection>::default();
    let guard = Arc::clone(&connection).try_lock_owned().expect("nobody holds it");
    (connection, guard)
}

#[test]
fn a_wait_for_itself_ends() {
    let (connection, _guard) = held();
    let wait = |work: Work| async move { work.wait(connection.lock_owned(), || true).await.is_none() };
    assert_eq!(poll_work(wait), Poll::Ready(true));
}

#[test]
fn two_waits_for_itself_both_end() {
    let (connection, _guard) = held();
    let waited = poll_work(|work| async move {
        let wait = async || work.wait(connection.lock(), || true).await.is_none();
        join(wait(), wait()).await
    });
    assert_eq!(waited, Poll::Ready((true, true)));
}

#[test]
fn a_wait_for_other_work_goes_on() {
    let (connection, _guard) = held();
    assert!(poll_work(|work| async move { work.wait(connection.lock_owned(), || false).await.is_some() }).is_pending());
}

#[test]
fn a_wait_for_a_free_connection_is_over_at_once() {
    let connection = Arc::<Connection>::default();
    let wait = |work: Work| async move { work.wait(connection.lock_owned(), || true).await.is_some() };
    assert_eq!(poll_work(wait), Poll::Ready(true));
}

#[test]
fn work_that_nothing_will_wake_is_pending_unless_it_waits_for_itself() {
    assert!(poll_work(|_| pending::<()>()).is_pending());
}

#[test]
fn a_wait_goes_on_while_another_branch_may_be_woken() {
    let (work, task) = (Work::default(), Arc::default());
    let (connection, guard) = held();
    let (release, released) = oneshot::channel();
    let branches = join(work.wait(connection.lock(), || true), async {
        let _: Result<(), _> = released.await;
        drop(guard);
    });
    let mut watched = pin!(work.clone().watch(branches));
    assert!(poll(&mut watched, &task).is_pending());
    assert_eq!(task.woken(), 0);
    release.send(()).expect("the branch waits");
    assert_eq!(task.woken(), 1);
    // The second branch releases the connection in this poll, after the first one has been polled again.
    assert!(poll(&mut watched, &task).is_pending());
    assert_eq!(task.woken(), 2);
    assert!(matches!(poll(&mut watched, &task), Poll::Ready((Some(_), ()))));
}

#[test]
fn a_wait_goes_on_while_another_branch_yields() {
    let (work, task) = (Work::default(), Arc::default());
    let (connection, guard) = held();
    let branches = join(work.wait(connection.lock(), || true), async {
        yield_once().await;
        drop(guard);
    });
    let mut watched = pin!(work.clone().watch(branches));
    assert!(poll(&mut watched, &task).is_pending());
    assert_eq!(task.woken(), 1);
    assert!(poll(&mut watched, &task).is_pending());
    assert!(matches!(poll(&mut watched, &task), Poll::Ready((Some(_), ()))));
}

/// Is pending once, and wakes its task at once, without keeping the waker.
async fn yield_once() {
    let mut has_yielded = false;
    poll_fn(|context| {
        if has_yielded {
            return Poll::Ready(());
        }
        has_yielded = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[test]
fn a_wait_that_is_dropped_no_longer_counts() {
    let (connection, _guard) = held();
    let (_release, released) = oneshot::channel::<()>();
    let polled = poll_work(|work| async move {
        // `select` polls the wait first, and drops it because the other future is ready.
        select(Box::pin(work.wait(connection.lock(), || true)), ready(())).await;
        released.await
    });
    assert!(polled.is_pending());
}

#[test]
fn a_wait_counts_only_while_the_work_itself_holds_the_connection() {
    let (work, task) = (Work::default(), Arc::default());
    let (connection, _guard) = held();
    let is_own = AtomicBool::new(true);
    let (release, released) = oneshot::channel();
    let branches = join(work.wait(connection.lock(), || is_own.load(Ordering::Acquire)), released);
    let mut watched = pin!(work.clone().watch(branches));
    assert!(poll(&mut watched, &task).is_pending());
    // Other work takes the connection, and will release it.
    is_own.store(false, Ordering::Release);
    release.send(()).expect("the branch waits");
    assert!(poll(&mut watched, &task).is_pending());
}

#[test]
fn a_wait_in_an_executor_of_its_own_does_not_count() {
    let (connection, guard) = held();
    let (_release, released) = oneshot::channel::<()>();
    let work = Work::default();
    let mut branches = FuturesUnordered::<BoxFuture<'_, bool>>::new();
    branches.push(Box::pin(async { work.wait(connection.lock(), || true).await.is_some() }));
    branches.push(Box::pin(async {
        let _ = released.await;
        drop(guard);
        true
    }));
    let mut watched = pin!(work.clone().watch(branches.next()));
    for _ in 0..3 {
        assert!(poll(&mut watched, &Arc::default()).is_pending());
    }
}

#[test]
fn the_task_that_polled_last_is_woken() {
    let work = Work::default();
    let (connection, guard) = held();
    let [first, last] = [Arc::<Counter>::default(), Arc::default()];
    let mut watched = pin!(work.clone().watch(connection.lock()));
    for task in [&first, &last] {
        assert!(poll(&mut watched, task).is_pending());
    }
    drop(guard);
    assert_eq!([first.woken(), last.woken()], [0, 1]);
}
