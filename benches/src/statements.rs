//! Captures the statements that folio runs from sqlx's log, so that the same can be run by hand.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

static LISTENING: AtomicBool = AtomicBool::new(false);
static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());
static START: Once = Once::new();

/// The result of `work`, and the statements that it ran on the measured table, without those that look up the catalog
/// once a minute. The statements are leaked, because sqlx accepts a `&'static str` as it is.
pub async fn of<T>(work: impl Future<Output = T>) -> (T, Vec<&'static str>) {
    START.call_once(|| tracing::subscriber::set_global_default(Ear).expect("nobody else listens"));
    LISTENING.store(true, Ordering::SeqCst);
    let done = work.await;
    // SQLite logs from its own thread, possibly a little later.
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    LISTENING.store(false, Ordering::SeqCst);
    let heard = std::mem::take(&mut *HEARD.lock().unwrap_or_else(PoisonError::into_inner));
    let read = heard.into_iter().filter(|sql| sql.contains("posts"));
    (done, read.map(|sql| &*sql.leak()).collect())
}

struct Ear;

impl Subscriber for Ear {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query" && LISTENING.load(Ordering::Relaxed)
    }

    fn event(&self, event: &Event<'_>) {
        let mut text = Text::default();
        event.record(&mut text);
        let sql = if text.statement.is_empty() { text.summary } else { text.statement };
        HEARD.lock().unwrap_or_else(PoisonError::into_inner).push(sql.trim().to_owned());
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[derive(Default)]
struct Text {
    summary: String,
    statement: String,
}

impl Visit for Text {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => value.clone_into(&mut self.summary),
            "db.statement" => value.clone_into(&mut self.statement),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}
