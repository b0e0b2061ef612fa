//! What the derive implements.

pub(crate) mod column;
pub(crate) mod column_check;
pub(crate) mod order;
pub(crate) mod table;

use std::ptr;
use std::sync::Arc;
use std::vec::IntoIter;

use crate::app;
use crate::cache::BoundedCache;
use crate::crypt::Salt;
use crate::cursor::{Cursor, CursorDirection, Scope};
use crate::driver::Reader;
use crate::error::{FrameworkError, Result};
use crate::model::column::Column;
use crate::model::order::Term;
use crate::model::table::{Field, KeyColumn, Table};
use crate::value::{Value, Variant};

/// A row type that folio knows the table, the columns and the keys of. `#[derive(Paginate)]` implements it.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::{Builder, Model, Result};
///
/// /// Whether there are rows: of any model.
/// async fn any<M: Model>() -> Result<bool> {
///     Ok(!Builder::<M>::new().page(1).simple_paginate(1).await?.is_empty())
/// }
/// assert!(any::<Post>().await?);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a folio model",
    label = "write `#[derive(folio::Paginate)]` on it"
)]
pub trait Model: Sized + Send + Unpin {
    /// The values of the cursor key.
    type Key: CursorKey<Model = Self>;
    #[doc(hidden)]
    const TABLE: &'static Table;
    #[doc(hidden)]
    const READER: Reader<Self>;
}

/// The values of a model's cursor key. `#[derive(Paginate)]` makes and implements it.
///
/// A cursor made with `encode` continues exactly where a page's cursor at the same row does. Some columns hold a value
/// in another form than its type binds: on SQLite dates, times, UUIDs and bytes, on MySQL an `f32` in a `DOUBLE`, on
/// PostgreSQL `citext`, `char(n)` and enums, and everywhere a type of your own that is not
/// [`EXACT`](crate::CursorValue::EXACT). For those the next page looks the row or the column's type up first, in one or
/// two more statements. If it needs the row and the row was deleted or its key has changed, the page is an error with
/// status 400: use `next_cursor` or `prev_cursor` of a page if rows may go. Integers, `f64` and other types that bind
/// in one way need no lookup and no row.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::{CursorDirection, CursorKey};
///
/// fn model<K: CursorKey>(_: &K) -> &'static str {
///     std::any::type_name::<K::Model>()
/// }
///
/// let key = PostKey { id: 2 };
/// assert!(model(&key).ends_with("Post"));
/// // To go on behind the row 2.
/// let page = Post::query().cursor(Some(&key.encode(CursorDirection::Next)?)).cursor_paginate(15).await?;
/// assert_eq!(ids(&page.data), [3]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
pub trait CursorKey: Clone {
    /// The model whose key it is.
    type Model: Model<Key = Self>;
    #[doc(hidden)]
    const COLUMNS: &'static [KeyColumn];
    #[doc(hidden)]
    fn into_values(self) -> Vec<Value>;
    #[doc(hidden)]
    fn from_values(values: &mut Values) -> Result<Self>;
}

/// The values of a key, taken one after another.
#[derive(Debug)]
pub struct Values(IntoIter<Value>);

impl Values {
    /// The next value.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if it has another type, or does not exist.
    pub fn take<T>(&mut self, read: fn(Value) -> Option<T>) -> Result<T> {
        let value = self.0.next().and_then(read);
        value.ok_or_else(|| FrameworkError::internal("the cursor carries a value of another type"))
    }
}

impl<T> Column<T> {
    #[doc(hidden)]
    #[must_use]
    pub const fn __of<M: Model>(name: &'static str) -> Self {
        Self::__of_table(M::TABLE, name)
    }
}

/// A model's fields. Generic, for the compiler to look at a table only once where the table has a mistake.
#[must_use]
pub fn fields<M: Model>() -> &'static [Field] {
    M::TABLE.fields()
}

/// Refuses to compile what is not `valid`, where the caller stands.
#[track_caller]
pub const fn assert(valid: bool, message: &'static str) {
    assert!(valid, "{}", message);
}

/// Refuses a field, the one at this place, of a type that no driver has. In a row that is read by hand there may be
/// any.
#[track_caller]
#[expect(clippy::indexing_slicing, reason = "looked at while compiling, with places that the derive counts")]
pub const fn assert_held<M: Model>(at: usize) {
    assert(
        M::READER.reads() || M::TABLE.fields()[at].is_held(),
        "no enabled driver of sqlx has this type; derive `sqlx::Type` on it, or enable the driver or the feature that has it",
    );
}

/// Refuses a model that no driver reads, unless a field's type is why.
#[track_caller]
pub const fn assert_readable<M: Model>() {
    let mut fields = M::TABLE.fields();
    while let [field, rest @ ..] = fields {
        if !field.is_held() {
            return;
        }
        fields = rest;
    }
    assert(
        M::READER.reads(),
        "no enabled driver of sqlx reads this struct from a row; derive `sqlx::FromRow` on it, or enable the driver that \
         has all its types",
    );
}

/// The terms of a model's cursor key.
pub(crate) fn cursor_terms(table: &'static Table) -> Vec<Term> {
    table.cursor_key.iter().map(|key| Term::of_table(table, *key)).collect()
}

static SEALABLE: BoundedCache<usize, Sealable> = BoundedCache::new();

/// What the cursors of a model's own key are bound to, and the types in them.
#[derive(Debug)]
struct Sealable {
    scope: Scope,
    types: Vec<(Variant, bool)>,
}

impl Sealable {
    fn of(table: &'static Table) -> Arc<Self> {
        SEALABLE.get(ptr::from_ref(table).addr(), || {
            let terms = cursor_terms(table);
            (
                Self { scope: Scope::of_model(table, &terms), types: terms.iter().map(Term::kind).collect() },
                size_of::<Self>(),
            )
        })
    }
}

/// Seals a key as a cursor of its model.
///
/// # Errors
/// [`FrameworkError::Internal`] without a keyring.
pub fn encode_key<K: CursorKey>(key: &K, direction: CursorDirection) -> Result<String> {
    let cursor = Cursor::by_hand(direction, key.clone().into_values());
    let [salt] = Salt::fresh()?;
    cursor.seal(&*app::keyring()?, &Sealable::of(K::Model::TABLE).scope, salt)
}

/// Opens a cursor of a key's model.
///
/// # Errors
/// [`FrameworkError::Domain`], 400, if the cursor is invalid; [`FrameworkError::Internal`] without a keyring.
pub fn decode_key<K: CursorKey>(cursor: &str) -> Result<(K, CursorDirection)> {
    let sealable = Sealable::of(K::Model::TABLE);
    let cursor = Cursor::open(&*app::keyring()?, &sealable.scope, &sealable.types, cursor)?;
    let values: Vec<Value> = cursor.boundary.into_iter().map(|part| part.value).collect();
    Ok((K::from_values(&mut Values(values.into_iter()))?, cursor.direction))
}
