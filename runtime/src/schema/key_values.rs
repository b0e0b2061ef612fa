//! Values for the first columns of an order, at which a page can begin.

use folio_plan::value::Value;

use crate::value::CursorValue;

/// A value for a column, of any type that a cursor key can have, or a `&str`.
pub trait KeyValue {
    #[doc(hidden)]
    fn into_key_value(self) -> Value;
}

#[diagnostic::do_not_recommend]
impl<V: CursorValue> KeyValue for V {
    fn into_key_value(self) -> Value {
        self.into_value()
    }
}

impl KeyValue for &str {
    fn into_key_value(self) -> Value {
        self.to_owned().into_value()
    }
}

/// The argument of [`seek`](crate::Builder::seek): a value for the order's first column, or a tuple of up to eight
/// values for its first columns.
///
/// The values need to have the columns' types, including `Option` for a nullable column. With any other type, reading
/// the page fails.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value that a page can begin at",
    label = "write a value of the order's first column, or a tuple of up to eight values"
)]
pub trait KeyValues {
    #[doc(hidden)]
    fn into_key_values(self) -> Vec<Value>;
}

#[diagnostic::do_not_recommend]
impl<V: KeyValue> KeyValues for V {
    fn into_key_values(self) -> Vec<Value> {
        vec![self.into_key_value()]
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),*))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($name: KeyValue),*> KeyValues for ($($name,)*) {
            fn into_key_values(self) -> Vec<Value> {
                vec![$(self.$at.into_key_value()),*]
            }
        }
    )*};
}
tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
