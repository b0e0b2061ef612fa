//! Records the events of sqlx and folio in `tracing`: on the test's own thread, or every statement of the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread::ThreadId;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, Interest};
use tracing::{Event, Level, Metadata, Subscriber};

/// Records the events of this thread until it is dropped.
pub struct Recorder {
    events: Arc<Mutex<Vec<String>>>,
    _guard: DefaultGuard,
}

impl Recorder {
    /// Records the events of one target.
    pub fn of_target(target: &'static str) -> Self {
        Self::new(move |metadata| metadata.target() == target)
    }

    /// Records errors.
    pub fn of_errors() -> Self {
        Self::new(|metadata| *metadata.level() == Level::ERROR)
    }

    /// Records warnings.
    pub fn of_warnings() -> Self {
        Self::new(|metadata| *metadata.level() == Level::WARN)
    }

    fn new(enabled: impl Fn(&Metadata<'_>) -> bool + Send + Sync + 'static) -> Self {
        let events: Arc<Mutex<Vec<String>>> = Arc::default();
        let sink = Arc::clone(&events);
        let listener = Listener { enabled, record: move |text| lock(&sink).push(text) };
        // Otherwise an event whose place another thread registers at this moment could be left out for good.
        listen();
        Self { events, _guard: tracing::subscriber::set_default(listener) }
    }

    /// The texts of the events since the last call.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.events))
    }
}

static RECORDING: AtomicBool = AtomicBool::new(false);
static STATEMENTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Records every statement of the process from now on, whichever thread runs it.
pub fn record_statements() {
    listen();
    RECORDING.store(true, Ordering::SeqCst);
}

/// Installs the process's listener. While there is one, `tracing` asks for each event whether anybody listens.
pub(crate) fn listen() {
    static START: Once = Once::new();
    START.call_once(|| {
        let listener = Listener {
            enabled: |metadata: &Metadata<'_>| metadata.target() == "sqlx::query" && RECORDING.load(Ordering::Relaxed),
            record: |statement: String| {
                lock(&STATEMENTS).push(statement.clone());
                run_hook(&statement);
            },
        };
        tracing::subscriber::set_global_default(listener).expect("nothing else sets a global subscriber");
    });
}

/// Records no more statements.
pub fn stop_recording_statements() {
    RECORDING.store(false, Ordering::SeqCst);
}

/// The recorded statements that match, since the last call that matched them.
pub fn take_statements(matches: impl Fn(&str) -> bool) -> Vec<String> {
    let mut all = lock(&STATEMENTS);
    let (taken, left) = all.drain(..).partition(|sql| matches(sql));
    *all = left;
    taken
}

/// Work that waits for a statement.
struct Hook {
    words: Vec<String>,
    /// The thread that has to run the statement, if not any does.
    thread: Option<ThreadId>,
    work: Box<dyn FnOnce() + Send>,
}

impl Hook {
    fn is_for(&self, statement: &str) -> bool {
        let is_thread = self.thread.is_none_or(|thread| thread == std::thread::current().id());
        is_thread && self.words.iter().all(|word| statement.contains(word))
    }
}

static HOOKS: Mutex<Vec<Hook>> = Mutex::new(Vec::new());

/// Runs `work` once, right after a statement that contains all of these words and before the next statement. Needs
/// [`record_statements`].
pub fn after_statement(words: &[&str], work: impl FnOnce() + Send + 'static) {
    add_hook(words, None, Box::new(work));
}

/// The same, but only after a statement of this thread, so not on SQLite, whose statements sqlx runs on other threads.
pub fn after_own_statement(words: &[&str], work: impl FnOnce() + Send + 'static) {
    add_hook(words, Some(std::thread::current().id()), Box::new(work));
}

fn add_hook(words: &[&str], thread: Option<ThreadId>, work: Box<dyn FnOnce() + Send>) {
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    lock(&HOOKS).push(Hook { words, thread, work });
}

/// Runs the first work that waits for this statement, on a thread without a tokio runtime.
fn run_hook(statement: &str) {
    let mut hooks = lock(&HOOKS);
    let Some(at) = hooks.iter().position(|hook| hook.is_for(statement)) else { return };
    let Hook { work, .. } = hooks.remove(at);
    drop(hooks);
    std::thread::spawn(work).join().expect("the work does not panic");
}

/// A test that panics must not fail the others.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Listener<E, R> {
    enabled: E,
    record: R,
}

impl<E, R> Subscriber for Listener<E, R>
where
    E: Fn(&Metadata<'_>) -> bool + 'static,
    R: Fn(String) + 'static,
{
    /// Asks again for each event, because recording starts and stops.
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::sometimes()
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        (self.enabled)(metadata)
    }

    fn event(&self, event: &Event<'_>) {
        let mut text = Text::default();
        event.record(&mut text);
        (self.record)(text.into_string());
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// The fields of an event.
#[derive(Default)]
struct Text {
    /// A statement, if it is too long for the summary.
    statement: String,
    summary: String,
    message: String,
    others: String,
}

impl Text {
    /// The statement if there is one, otherwise the message and the other fields.
    fn into_string(self) -> String {
        let Self { statement, summary, message, others } = self;
        let whole = [statement, summary].into_iter().find(|sql| !sql.is_empty());
        whole.unwrap_or_else(|| format!("{message}{others}")).trim().to_owned()
    }
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        match field.name() {
            "message" => self.message = format!("{value:?}"),
            name => self.others += &format!(" {name}={value:?}"),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "db.statement" => value.clone_into(&mut self.statement),
            "summary" => value.clone_into(&mut self.summary),
            "message" => value.clone_into(&mut self.message),
            name => self.others += &format!(" {name}={value}"),
        }
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.others += &format!(" {}={value}", field.name());
    }
}
