//! Identifies the future that runs inside a transaction, and tells whether it is being polled or dropped.

use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A future that runs inside a transaction, including its branches, such as those of a `join!`. A spawned task that was
/// given a handle is other work.
#[derive(Debug, Clone, Default)]
pub(crate) struct Work {
    polled: Arc<AtomicBool>,
}

impl Work {
    /// Work of folio's own, whose statements report when they are dropped. It does not have to be watched.
    pub(super) fn always_polled() -> Self {
        Self { polled: Arc::new(AtomicBool::new(true)) }
    }

    /// Whether both are the same future.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.polled, &other.polled)
    }

    /// Whether the future is being polled right now. Code that runs inside it while it is not is a destructor.
    pub(super) fn is_polled(&self) -> bool {
        self.polled.load(Ordering::Acquire)
    }

    /// Wraps a future so that [`is_polled`](Self::is_polled) is true while it is being polled.
    pub(super) fn watch<F: Future>(self, future: F) -> impl Future<Output = F::Output> + use<F> {
        let mut future = Box::pin(future);
        poll_fn(move |context| {
            let _polled = Polled::begin(&self.polled);
            future.as_mut().poll(context)
        })
    }
}

/// A poll in progress. Dropping it ends the poll, even during a panic.
struct Polled<'a>(&'a AtomicBool);

impl<'a> Polled<'a> {
    fn begin(flag: &'a AtomicBool) -> Self {
        flag.store(true, Ordering::Release);
        Self(flag)
    }
}

impl Drop for Polled<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
