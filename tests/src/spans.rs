//! Records the spans of pages on the test's own thread, with their fields.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, Interest};
use tracing::{Event, Metadata, Subscriber};

use crate::recorder;

/// The fields of a span or event, by name.
pub type Fields = BTreeMap<String, String>;

/// Records the spans and events of folio on this thread until it is dropped.
pub struct Spans {
    fields: Arc<Mutex<Vec<Fields>>>,
    _guard: DefaultGuard,
}

impl Spans {
    /// Records those of one target.
    pub fn of_target(target: &'static str) -> Self {
        recorder::listen();
        let fields: Arc<Mutex<Vec<Fields>>> = Arc::default();
        let listener = Listener { target, fields: Arc::clone(&fields) };
        Self { fields, _guard: tracing::subscriber::set_default(listener) }
    }

    /// Those since the last call, in the order in which they began. No page may be in progress.
    pub fn take(&self) -> Vec<Fields> {
        std::mem::take(&mut self.fields.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

struct Listener {
    target: &'static str,
    fields: Arc<Mutex<Vec<Fields>>>,
}

impl Listener {
    /// Adds a span or event, and returns its number, counted from 1.
    fn add(&self, record: impl FnOnce(&mut Visitor<'_>)) -> u64 {
        let mut fields = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        fields.push(Fields::new());
        let number = fields.len();
        record(&mut Visitor(&mut fields[number - 1]));
        number as u64
    }
}

impl Subscriber for Listener {
    /// Asks again for each span, because other threads record other targets.
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::sometimes()
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == self.target
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        Id::from_u64(self.add(|visitor| attributes.record(visitor)))
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        let mut fields = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        let number = usize::try_from(id.into_u64()).unwrap();
        values.record(&mut Visitor(&mut fields[number - 1]));
    }

    fn event(&self, event: &Event<'_>) {
        self.add(|visitor| event.record(visitor));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Visitor<'a>(&'a mut Fields);

impl Visit for Visitor<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}
