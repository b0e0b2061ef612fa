//! Identifies the future that runs inside a transaction, tells whether it is being polled or dropped, and notices when
//! it waits for itself.
//!
//! A transaction has one connection. Work that holds it in the caller's guard and then waits for it would wait forever.
//! But if another branch of a `join!` holds the guard, it may release it soon. The wakers show which case it is: if all
//! remaining wakers of the work belong to such waits, nothing can ever wake it again.
//!
//! To count the wakers, the work is polled with a waker of folio, a [`Relay`] in an `Arc`, whose reference count is the
//! number of wakers. A timer, a socket or another task that will wake the work holds a clone. After each poll that is
//! not ready, the count is compared with the waits for the work itself ([`Work::wait`]). If there are no others, the
//! work is marked as stuck and polled again, and one of these waits ends with an error.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

/// A future that runs inside a transaction, including its branches, such as those of a `join!`. A spawned task with a
/// handle is different work.
#[derive(Debug, Clone, Default)]
pub(crate) struct Work(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// Whether the future is being polled right now.
    polled: AtomicBool,
    /// The waker with which the future is polled.
    waker: Mutex<Option<Waker>>,
    /// How many waits for the work itself have registered that waker.
    waits: AtomicUsize,
    /// Whether nothing else can wake the work.
    stuck: AtomicBool,
}

impl Work {
    /// folio's own work, whose statements report when they are dropped, so it does not have to be watched.
    pub(super) fn always_polled() -> Self {
        Self(Arc::new(State { polled: AtomicBool::new(true), ..State::default() }))
    }

    /// Whether both are the same future.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether the future is being polled right now. If not, code that runs inside it is a destructor.
    pub(super) fn is_polled(&self) -> bool {
        self.0.polled.load(Ordering::Acquire)
    }

    /// Wraps a future so that [`is_polled`](Self::is_polled) is true while it is being polled, and that it ends its
    /// waits for itself.
    pub(super) fn watch<F: Future>(self, future: F) -> impl Future<Output = F::Output> + use<F> {
        let mut future = Box::pin(future);
        let mut relay = None;
        poll_fn(move |context| {
            let (relay, waker) = Relay::to(&mut relay, context.waker());
            self.set_waker(waker);
            self.poll_relayed(relay, || future.as_mut().poll(&mut Context::from_waker(waker)))
        })
    }

    /// Polls the future. As long as nothing can wake it again, it is polled once more, so that a wait for itself ends.
    fn poll_relayed<R>(&self, relay: &Arc<Relay>, mut poll: impl FnMut() -> Poll<R>) -> Poll<R> {
        loop {
            relay.woken.store(false, Ordering::Release);
            let polled = self.poll_once(&mut poll);
            if polled.is_ready() || !self.is_stuck(relay) {
                return polled;
            }
            self.0.stuck.store(true, Ordering::Release);
        }
    }

    /// Polls the future once, marked as being polled.
    fn poll_once<R>(&self, poll: impl FnOnce() -> Poll<R>) -> Poll<R> {
        let _polled = Polled::begin(&self.0.polled);
        poll()
    }

    /// Waits for something that this work may hold itself, according to `is_held`. `None` if it would wait forever.
    pub(super) async fn wait<R>(&self, wait: impl Future<Output = R>, is_held: impl Fn() -> bool) -> Option<R> {
        let mut wait = pin!(wait);
        let mut counted = Counted::new(&self.0.waits);
        poll_fn(|context| {
            let for_itself = is_held() && self.is_woken_by(context.waker());
            if for_itself && self.0.stuck.swap(false, Ordering::AcqRel) {
                return Poll::Ready(None);
            }
            counted.set(for_itself);
            wait.as_mut().poll(context).map(Some)
        })
        .await
    }

    /// Records the waker with which the future is polled.
    fn set_waker(&self, waker: &Waker) {
        let mut own = self.0.waker.lock().unwrap_or_else(PoisonError::into_inner);
        if !own.as_ref().is_some_and(|own| own.will_wake(waker)) {
            *own = Some(waker.clone());
        }
    }

    /// Whether a waker belongs to this work, and not to an executor inside it.
    fn is_woken_by(&self, waker: &Waker) -> bool {
        self.0.waker.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(|own| own.will_wake(waker))
    }

    /// Whether every waker that exists belongs to a wait for the work itself.
    fn is_stuck(&self, relay: &Arc<Relay>) -> bool {
        /// The relay and its waker in `watch`, and the waker in the state.
        const OWN: usize = 3;
        let waits = self.0.waits.load(Ordering::Acquire);
        waits > 0 && Arc::strong_count(relay) == waits.saturating_add(OWN) && !relay.woken.load(Ordering::Acquire)
    }
}

/// Passes a wake-up on. The number of references to it is the number of wakers that exist.
#[derive(Debug)]
struct Relay {
    /// The waker of the task that polls the work.
    to: Waker,
    /// Whether it has been woken since the future was last polled.
    woken: AtomicBool,
}

impl Relay {
    /// The relay to `waker` and the relay's own waker. Reuses the existing ones if they still match.
    fn to<'a>(relay: &'a mut Option<(Arc<Self>, Waker)>, waker: &Waker) -> &'a (Arc<Self>, Waker) {
        if relay.as_ref().is_some_and(|(relay, _)| !relay.to.will_wake(waker)) {
            *relay = None;
        }
        relay.get_or_insert_with(|| Self::new(waker.clone()))
    }

    /// A new relay to a waker, with its own waker.
    fn new(to: Waker) -> (Arc<Self>, Waker) {
        let relay = Arc::new(Self { to, woken: AtomicBool::new(false) });
        (Arc::clone(&relay), Waker::from(relay))
    }
}

impl Wake for Relay {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.woken.store(true, Ordering::Release);
        self.to.wake_by_ref();
    }
}

/// A wait that may be counted. Dropping it ends the wait.
struct Counted<'a> {
    waits: &'a AtomicUsize,
    is_counted: bool,
}

impl<'a> Counted<'a> {
    fn new(waits: &'a AtomicUsize) -> Self {
        Self { waits, is_counted: false }
    }

    /// Counts the wait, or no longer does.
    fn set(&mut self, is_counted: bool) {
        match (self.is_counted, is_counted) {
            (false, true) => self.waits.fetch_add(1, Ordering::AcqRel),
            (true, false) => self.waits.fetch_sub(1, Ordering::AcqRel),
            _ => return,
        };
        self.is_counted = is_counted;
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.set(false);
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

#[cfg(test)]
mod tests;
