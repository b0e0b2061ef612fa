//! What sqlx says while it works: the text of every statement, and what the server sends beside its rows.

use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Metadata, Subscriber};

/// The words of this thread, from [`listen`](Log::listen) on.
pub(crate) struct Log {
    lines: Arc<Mutex<Vec<String>>>,
    _listening: DefaultGuard,
}

impl Log {
    pub(crate) fn listen() -> Self {
        let lines = Arc::default();
        let listening = tracing::subscriber::set_default(Listener { lines: Arc::clone(&lines) });
        Self { lines, _listening: listening }
    }

    /// What was said since this was last asked.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.lock().unwrap())
    }
}

struct Listener {
    lines: Arc<Mutex<Vec<String>>>,
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        matches!(metadata.target(), "sqlx::query" | "sqlx::postgres::notice")
    }

    fn event(&self, event: &Event<'_>) {
        let mut text = Text::default();
        event.record(&mut text);
        let line = if text.statement.is_empty() { text.summary } else { text.statement };
        self.lines.lock().unwrap().push(line.trim().to_owned());
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// A statement, whole or its beginning where that is all of it; or a notice.
#[derive(Default)]
struct Text {
    summary: String,
    statement: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" && self.summary.is_empty() {
            self.summary = format!("{value:?}");
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" | "message" => self.summary = value.to_owned(),
            "db.statement" => self.statement = value.to_owned(),
            _ => {}
        }
    }
}
