//! What the derives need of a type that may lack [`CursorValue`].
//!
//! A derive names the trait once for each type, where the compiler reports a type that lacks it. Everything else goes
//! through [`ValueProbe`], which accepts any type, so that one mistake is one error.
//!
//! The path `ValueProbe::<T>::clone` means the inherent function if `T` has the trait. Otherwise it means that of the
//! trait [`NoCursorValue`], which every type has: inherent items take precedence.

use std::fmt;
use std::marker::PhantomData;

use folio_plan::value::{Kind, Value, Variant};

use super::CursorValue;

/// The items of a type's [`CursorValue`]. For a type without the trait, the items of [`NoCursorValue`] take their
/// place.
#[derive(Debug)]
pub struct ValueProbe<T>(PhantomData<T>);

#[doc(hidden)]
impl<T: CursorValue> ValueProbe<T> {
    pub const EXACT: bool = T::EXACT;
    pub const NULLABLE: bool = T::NULLABLE;
    pub const KIND: Kind = T::__KIND;

    pub fn clone(value: &T) -> T {
        value.clone()
    }

    pub fn debug(value: &T) -> &dyn fmt::Debug {
        value
    }

    pub fn eq(value: &T, other: &T) -> bool {
        value == other
    }

    pub fn into_value(value: T) -> Value {
        value.into_value()
    }

    pub fn from_value(value: Value) -> Option<T> {
        T::from_value(value)
    }

    #[must_use]
    pub fn postgres_type() -> Option<String> {
        T::__postgres_type()
    }

    #[must_use]
    pub fn listed() -> Vec<String> {
        T::__listed()
    }
}

/// Items with which the derives' output compiles for a type that has been reported. They never run.
#[doc(hidden)]
pub trait NoCursorValue<T> {
    const EXACT: bool = false;
    const NULLABLE: bool = false;
    const KIND: Kind = <String as CursorValue>::__KIND;

    fn clone(_: &T) -> T {
        unreachable!("the type was reported")
    }

    fn debug(_: &T) -> &dyn fmt::Debug {
        &""
    }

    fn eq(_: &T, _: &T) -> bool {
        false
    }

    fn into_value(_: T) -> Value {
        Variant::String.null()
    }

    fn from_value(_: Value) -> Option<T> {
        None
    }

    #[must_use]
    fn postgres_type() -> Option<String> {
        None
    }

    #[must_use]
    fn listed() -> Vec<String> {
        Vec::new()
    }
}

impl<T> NoCursorValue<T> for ValueProbe<T> {}
