//! What `#[derive(Paginate)]` implements: [`Model`] for the struct, and [`CursorKey`] for the key type next to it.
//!
//! The derive emits static data and thin calls. The data is a [`Table`], and the functions that it calls are at the end
//! of this file, reachable through `folio::__private`. [`crate::schema`] has the columns, filters and orders.
//!
//! Nothing in here runs SQL. [`crate::query`] turns a model into queries.

use std::ptr;
use std::sync::Arc;
use std::vec::IntoIter;

use folio_plan::boundary::BoundaryValue;
use folio_plan::cache::BoundedCache;
use folio_plan::cursor::{Cursor, CursorBinding, CursorDirection};
use folio_plan::schema::table::{Field, KeyColumn, Table};
use folio_plan::schema::term::Term;
use folio_plan::value::{Kind, Value};

use crate::app::Folio;
use crate::crypt::Salt;
use crate::driver::Reader;
use crate::error::{FrameworkError, Refusal, Result};
use crate::schema::column::Column;
use crate::schema::filter::{AnyModel, SameModel};

/// A struct that is a row of a table. `#[derive(Paginate)]` implements it.
///
/// Use the trait as a bound in functions that are generic over models. Its associated constants are an implementation
/// detail of the derive.
///
/// ```
#[doc = include_str!("doc/posts.txt")]
/// use folio::{Builder, Model, Result};
///
/// /// Whether a model's table has rows.
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
    /// The type with the values of the model's cursor key: `PostKey` for a model `Post`.
    type Key: CursorKey<Model = Self>;
    #[doc(hidden)]
    const TABLE: &'static Table;
    #[doc(hidden)]
    const READER: Reader<Self>;
}

/// A model whose primary key has values of the type `K`: the type of its column, or a tuple of the types of its columns.
/// `#[derive(Paginate)]` implements it.
///
/// It is a bound of [`find`](crate::Builder::find), and of functions that are generic over models and call it.
///
/// ```
#[doc = include_str!("doc/posts.txt")]
/// use folio::{Builder, IdentifiedBy, PrimaryKey};
///
/// async fn has<M: IdentifiedBy<K>, K>(key: impl PrimaryKey<K>) -> folio::Result<bool> {
///     Ok(Builder::<M>::new().find(key).await?.is_some())
/// }
/// assert!(has::<Post, _>(3).await? && !has::<Post, _>(4).await?);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
pub trait IdentifiedBy<K>: Model {}

/// The values of a model's cursor key. For a model `Post`, `#[derive(Paginate)]` generates `PostKey` and implements
/// this trait for it.
///
/// The generated type has a public field for each column of the key, `encode` and `decode`, and implements `Clone`,
/// `Debug` and `PartialEq`. `post.cursor_key()` returns the key of a row.
///
/// # Cursors from a key
///
/// A cursor from `encode` is equivalent to a page's cursor at the same row. In some cases, the Rust type does not
/// determine how the database stores a value: for dates, times, UUIDs and bytes on SQLite, for an `f32` in a `DOUBLE`
/// on MySQL, for `citext`, `char(n)` and enums on PostgreSQL, and for your own types that are not
/// [`EXACT`](crate::CursorValue::EXACT) on any database. The next page then first looks up the row or the column's
/// type, with one or two more statements. Integers, `f64` and other types with a single stored form need no lookup.
///
/// If the row has to be looked up but was deleted, or its key has changed, the page fails with status 400. If rows can
/// be deleted, keep the `next_cursor` or `prev_cursor` of a page instead.
///
/// ```
#[doc = include_str!("doc/posts.txt")]
/// use folio::{CursorDirection, CursorKey};
///
/// fn model<K: CursorKey>(_: &K) -> &'static str {
///     std::any::type_name::<K::Model>()
/// }
///
/// let key = PostKey { id: 2 };
/// assert!(model(&key).ends_with("Post"));
/// // Continue after row 2.
/// let page = Post::query().cursor(Some(&key.encode(CursorDirection::Next)?)).cursor_paginate(15).await?;
/// assert_eq!(ids(&page.data), [3]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
pub trait CursorKey: Clone {
    /// The model that the key belongs to.
    type Model: Model<Key = Self>;
    #[doc(hidden)]
    const COLUMNS: &'static [KeyColumn];
    #[doc(hidden)]
    fn into_values(self) -> Vec<Value>;
    #[doc(hidden)]
    fn from_values(values: &mut Values) -> Result<Self>;
}

/// The values of a key, in the order of its columns.
#[derive(Debug)]
pub struct Values(IntoIter<Value>);

impl Values {
    fn of(boundary: Vec<BoundaryValue>) -> Self {
        let values: Vec<Value> = boundary.into_iter().map(|sealed| sealed.value).collect();
        Self(values.into_iter())
    }

    /// The next value.
    ///
    /// # Errors
    /// [`FrameworkError::Domain`], 400, if it is not a value of the type, such as a variant that an enum has lost;
    /// [`FrameworkError::Internal`] if there are no more values.
    pub fn take<T>(&mut self, read: fn(Value) -> Option<T>) -> Result<T> {
        let value = self.0.next().ok_or_else(|| FrameworkError::internal("the cursor has too few values"))?;
        Ok(read(value).ok_or(Refusal::InvalidCursor)?)
    }
}

#[diagnostic::do_not_recommend]
impl<M: Model> SameModel<M> for M {}

#[diagnostic::do_not_recommend]
impl<M: Model> SameModel<M> for AnyModel {}

#[diagnostic::do_not_recommend]
impl<M: Model> SameModel<AnyModel> for M {}

impl<T, M: Model> Column<T, M> {
    #[doc(hidden)]
    #[must_use]
    pub const fn __of(name: &'static str) -> Self {
        Self::__of_table(M::TABLE, name)
    }
}

/// A model whose rows belong to no tenant. Nothing implements it: the derive asks for it where a tenant is missing.
#[diagnostic::on_unimplemented(
    message = "a query over `{Self}` needs a tenant",
    label = "write `{Self}::of(tenant)`",
    note = "for the rows of all tenants, without the model's default filter, write `{Self}::unfiltered()`"
)]
pub trait WithoutTenant {}

/// A model's fields. Generic over the model, so that a mistake in the table is reported once and not for each field.
#[must_use]
pub fn fields<M: Model>() -> &'static [Field] {
    M::TABLE.fields()
}

/// The type of a column of a model, for the field of a row that reads it.
#[diagnostic::on_unimplemented(
    message = "the field has the type `{T}`, and the model reads its column as `{Self}`",
    label = "write `{Self}`"
)]
pub trait SameColumn<T> {}

#[diagnostic::do_not_recommend]
impl<T> SameColumn<T> for T {}

/// Fails to compile unless a model's column has the type `T` and this name.
#[track_caller]
pub const fn assert_column<T, C: SameColumn<T>, M: Model>(column: &Column<C, M>, name: &str, message: &'static str) {
    assert(is_same(column.name(), name), message);
}

/// Whether a model has a field with this column.
#[must_use]
pub const fn has_field<M: Model>(name: &str) -> bool {
    let mut fields = M::TABLE.fields();
    while let [field, rest @ ..] = fields {
        if is_same(field.column, name) {
            return true;
        }
        fields = rest;
    }
    false
}

/// Whether two names are the same, at compile time.
const fn is_same(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    while let ([first, rest @ ..], [second, others @ ..]) = (one, other) {
        if *first != *second {
            return false;
        }
        (one, other) = (rest, others);
    }
    one.is_empty() && other.is_empty()
}

/// Fails to compile unless `valid`. The error is reported at the caller.
#[track_caller]
pub const fn assert(valid: bool, message: &'static str) {
    assert!(valid, "{}", message);
}

/// Whether some enabled driver has the type of the field at this index. A model with a handwritten `FromRow` may have
/// fields of any type.
#[expect(clippy::indexing_slicing, reason = "evaluated at compile time, with indices that the derive counts")]
pub const fn is_held<M: Model>(at: usize) -> bool {
    M::READER.reads() || M::TABLE.fields()[at].is_held()
}

/// Whether some enabled driver can read the model. If a field's type is the reason why not, [`assert_held`] reports it.
pub const fn is_readable<M: Model>() -> bool {
    let mut fields = M::TABLE.fields();
    while let [field, rest @ ..] = fields {
        if !field.is_held() {
            return true;
        }
        fields = rest;
    }
    M::READER.reads()
}

/// The type of a field, if `IS_HELD` by a driver. The compiler's error is that of a missing trait, and not of a panic.
#[diagnostic::on_unimplemented(
    message = "no enabled sqlx driver supports the type `{Self}`",
    label = "not a type of a column",
    note = "write `#[sqlx(flatten)]` on a struct of further columns, and `#[sqlx(json)]` on a value that is stored as JSON",
    note = "write `#[derive(sqlx::Type, folio::ColumnValue)]` on an enum or a newtype",
    note = "for `usize` and `isize`, and on PostgreSQL for any unsigned integer, use `i64`",
    note = "for a type of chrono, time, uuid, rust_decimal or bigdecimal, enable folio's feature of that name"
)]
pub trait HeldColumn<const IS_HELD: bool> {}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> HeldColumn<true> for T {}

/// Fails to compile if no enabled driver has the type of a field.
pub const fn assert_held<T: HeldColumn<IS_HELD> + ?Sized, const IS_HELD: bool>() {}

/// A model, if it `IS_READABLE` from a row.
#[diagnostic::on_unimplemented(
    message = "no enabled sqlx driver can read `{Self}` from a row",
    label = "derive `sqlx::FromRow` on it",
    note = "if it implements `sqlx::FromRow`, enable the driver that supports all its types"
)]
pub trait ReadableModel<const IS_READABLE: bool> {}

#[diagnostic::do_not_recommend]
impl<M> ReadableModel<true> for M {}

/// Fails to compile if no enabled driver can read a model.
pub const fn assert_readable<M: ReadableModel<IS_READABLE>, const IS_READABLE: bool>() {}

pub(crate) fn cursor_terms(table: &'static Table) -> Vec<Term> {
    table.cursor_key.iter().map(|key| Term::of_table(table, *key)).collect()
}

static SEALABLE: BoundedCache<usize, Sealable> = BoundedCache::new();

/// What is needed to seal and open cursors of a model's own key: their binding, and the types of the columns.
#[derive(Debug)]
struct Sealable {
    binding: CursorBinding,
    types: Vec<Kind>,
}

impl Sealable {
    fn of(table: &'static Table) -> Arc<Self> {
        SEALABLE.get(ptr::from_ref(table).addr(), || {
            let terms = cursor_terms(table);
            let binding = CursorBinding::of_model(table, &terms);
            (Self { binding, types: terms.iter().map(Term::kind).collect() }, size_of::<Self>())
        })
    }
}

/// Seals a key as a cursor of its model.
///
/// # Errors
/// [`FrameworkError::Internal`] without a keyring, for NaN, and if the cursor would be too long for a URL.
pub fn encode_key<K: CursorKey>(key: &K, direction: CursorDirection) -> Result<String> {
    let cursor = Cursor::of_key(direction, key.clone().into_values());
    let [salt] = Salt::fresh()?;
    let sealed = Folio::current()?.cursor_keys()?.seal(&cursor, &Sealable::of(K::Model::TABLE).binding, salt);
    sealed.map_err(|error| error.naming(K::Model::TABLE.cursor_key.iter().map(|column| column.name)))
}

/// Opens a cursor of the key's model.
///
/// # Errors
/// [`FrameworkError::Domain`], 400, if the cursor is invalid; [`FrameworkError::Internal`] without a keyring.
pub fn decode_key<K: CursorKey>(cursor: &str) -> Result<(K, CursorDirection)> {
    let key = Sealable::of(K::Model::TABLE);
    let cursor = Folio::current()?.cursor_keys()?.open(&key.binding, &key.types, cursor)?;
    Ok((K::from_values(&mut Values::of(cursor.boundary))?, cursor.direction))
}
