//! What is said on a test's own thread: what a server sends beside its rows, and what folio warns of.

use std::sync::{Arc, Mutex};

use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Metadata, Subscriber};

use crate::suite::said::text;

/// The words of this thread, from [`listen`](Log::listen) on.
pub(crate) struct Log {
    lines: Arc<Mutex<Vec<String>>>,
    _listening: DefaultGuard,
}

impl Log {
    /// Listens to one target.
    pub(crate) fn listen(target: &'static str) -> Self {
        let lines = Arc::default();
        let listening = tracing::subscriber::set_default(Listener { target, lines: Arc::clone(&lines) });
        Self { lines, _listening: listening }
    }

    /// What was said since this was last asked.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.lock().unwrap())
    }
}

struct Listener {
    target: &'static str,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == self.target
    }

    fn event(&self, event: &Event<'_>) {
        self.lines.lock().unwrap().push(text(event));
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}
