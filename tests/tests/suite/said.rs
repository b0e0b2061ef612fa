//! The statements that really run, as sqlx reports them from whichever thread they run on.

use std::sync::{Mutex, OnceLock};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::suite::db::quoted;

/// Keeps the text of every statement.
struct Statements;

static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps the statements of the process from here on.
pub(crate) fn listen() {
    static LISTENING: OnceLock<()> = OnceLock::new();
    LISTENING.get_or_init(|| tracing::subscriber::set_global_default(Statements).unwrap());
}

/// The SELECTs over a table since this was last asked.
pub(crate) fn statements(table: &str) -> Vec<String> {
    let mut seen = SEEN.lock().unwrap();
    let (taken, left) = seen.drain(..).partition(|sql| is_select(sql) && sql.contains(&quoted(table)));
    *seen = left;
    taken
}

type Work = Box<dyn FnOnce() + Send>;

static AFTER: Mutex<Vec<(Vec<String>, Work)>> = Mutex::new(Vec::new());

/// Lets something be done, once, as soon as a statement with all of these words in it has run, before the next one does.
/// [`listen`] comes first.
pub(crate) fn after(words: &[&str], work: impl FnOnce() + Send + 'static) {
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    AFTER.lock().unwrap().push((words, Box::new(work)));
}

/// Does what was to be done after such a statement, on a thread that no runtime is on.
fn follow(statement: &str) {
    let mut waiting = AFTER.lock().unwrap();
    let Some(at) = waiting.iter().position(|(words, _)| words.iter().all(|word| statement.contains(word))) else {
        return;
    };
    let (_, work) = waiting.swap_remove(at);
    drop(waiting);
    std::thread::spawn(work).join().unwrap();
}

/// Whether it is a SELECT, or several of them in parentheses.
fn is_select(sql: &str) -> bool {
    sql.trim_start_matches('(').starts_with("SELECT")
}

impl Subscriber for Statements {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn event(&self, event: &Event<'_>) {
        let statement = text(event);
        SEEN.lock().unwrap().push(statement.clone());
        follow(&statement);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// What an event says: a statement, or its beginning where that is all of it; else its message.
pub(crate) fn text(event: &Event<'_>) -> String {
    let mut text = Text::default();
    event.record(&mut text);
    let said = if text.statement.is_empty() { text.message } else { text.statement };
    said.trim().to_owned()
}

#[derive(Default)]
struct Text {
    message: String,
    statement: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.message = format!("{value:?}");
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" | "message" => value.clone_into(&mut self.message),
            "db.statement" => value.clone_into(&mut self.statement),
            _ => {}
        }
    }
}
