//! The futures that run inside a transaction.

use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A future that runs inside a transaction, with all its branches. A task that is spawned and handed the transaction is
/// another one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Work {
    polled: Arc<AtomicBool>,
}

impl Work {
    /// Work that is never dropped half-way unnoticed, so that nobody has to watch it being polled.
    pub(super) fn always_polled() -> Self {
        Self { polled: Arc::new(AtomicBool::new(true)) }
    }

    /// Whether both are the same future.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.polled, &other.polled)
    }

    /// Whether the future is being polled right now. If not, it is being dropped.
    pub(super) fn is_polled(&self) -> bool {
        self.polled.load(Ordering::Acquire)
    }

    /// Watches a future being polled.
    pub(super) fn watch<F: Future>(self, future: F) -> impl Future<Output = F::Output> + use<F> {
        let mut future = Box::pin(future);
        poll_fn(move |context| {
            let _polled = Polled::begin(&self.polled);
            future.as_mut().poll(context)
        })
    }
}

/// A poll that has not returned yet.
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
