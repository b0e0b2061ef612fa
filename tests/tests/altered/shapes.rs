//! Shapes of cursors, and what opens them.

use std::future::Future;
use std::pin::Pin;

use folio::Result;

use super::{lists, models, values};

pub(super) type Boxed<T> = Pin<Box<dyn Future<Output = T>>>;

/// What opens the cursors of a list.
pub(super) enum Open {
    /// Its key, or the type of the value.
    Key(fn(&str) -> Result<()>),
    /// A page.
    Page(Box<dyn Fn(String) -> Boxed<Result<()>>>),
}

/// Cursors of one list.
pub(super) struct Shape {
    pub(super) name: String,
    /// Shapes of the same list are told apart by the types of their values only, which is not an invalid cursor.
    pub(super) list: &'static str,
    pub(super) tokens: Vec<String>,
    /// Cursors of the list under another key.
    pub(super) strange: Vec<String>,
    pub(super) opens: Open,
}

impl Shape {
    pub(super) fn of_key(
        name: &'static str,
        list: &'static str,
        tokens: Vec<String>,
        by: fn(&str) -> Result<()>,
    ) -> Self {
        Self { name: name.to_owned(), list, tokens, strange: Vec::new(), opens: Open::Key(by) }
    }

    /// Whether it is opened without a page.
    pub(super) fn has_key(&self) -> bool {
        matches!(self.opens, Open::Key(_))
    }

    pub(super) async fn open(&self, text: &str) -> Result<()> {
        match &self.opens {
            Open::Key(open) => open(text),
            Open::Page(open) => open(text.to_owned()).await,
        }
    }
}

/// All shapes, under the keyring of the application. `strange` has the cursors of each under another one.
pub(super) async fn shapes(strange: Vec<Vec<String>>) -> Vec<Shape> {
    let mut shapes = values::shapes();
    shapes.extend(models::shapes());
    shapes.extend(lists::shapes().await);
    for (shape, strange) in shapes.iter_mut().zip(strange) {
        shape.strange = strange;
    }
    shapes
}

/// Each cursor opens as it is, so that a cursor that does not open is refused for its alteration.
pub(super) async fn assert_genuine(shapes: &[Shape]) {
    for shape in shapes {
        assert!(!shape.tokens.is_empty() && !shape.strange.is_empty(), "{}", shape.name);
        for token in &shape.tokens {
            let opened = shape.open(token).await;
            assert!(opened.is_ok(), "{}: {opened:?}", shape.name);
        }
    }
}
