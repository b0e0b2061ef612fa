//! Column types that cannot be NULL.

use super::CursorValue;

/// A column type that cannot be NULL: any [`CursorValue`] except `Option`.
///
/// An order by such a column needs no NULL position. For an enum or a newtype, the derive macro of the same name
/// implements this trait and [`CursorValue`].
///
/// ```
/// use folio::{ColumnValue, IntoOrder};
///
/// fn ascending<T: ColumnValue>(name: &'static str) -> folio::Order {
///     folio::Column::<T>::new(name).erased()
/// }
/// assert_eq!(format!("{:?}", ascending::<i64>("id")), "[id Asc]");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a cursor key",
    label = "a cursor cannot store this type",
    note = "for an enum or a newtype of your own, add `#[derive(folio::ColumnValue)]` to it",
    note = "for the types of uuid, chrono, time, rust_decimal and bigdecimal, enable folio's feature of that name"
)]
pub trait ColumnValue: CursorValue {}

/// A nullable column in an order without a NULL position. Nothing implements this trait. It makes the compiler report
/// what to write, instead of a missing [`ColumnValue`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a column of this order may be NULL",
    label = "write `.nulls_first()` or `.nulls_last()` after the column"
)]
pub trait NullsUnstated: CursorValue {}

impl<T> ColumnValue for Option<T> where Self: NullsUnstated {}
