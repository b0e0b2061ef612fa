//! The value of a primary key, by which a row is found.

use sea_query::Expr;

use crate::schema::column::Operand;

/// The argument of [`find`](crate::Builder::find): a value of the primary key's column, or a tuple of values if the key
/// has several columns, up to eight. `K` is the type of the key, by which the model is
/// [identified](crate::IdentifiedBy).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a primary key of the type `{K}`",
    label = "write a value of the type `{K}`"
)]
pub trait PrimaryKey<K> {
    #[doc(hidden)]
    fn into_operands(self) -> Vec<Expr>;
}

#[diagnostic::do_not_recommend]
impl<K, V: Operand<K>> PrimaryKey<K> for V {
    fn into_operands(self) -> Vec<Expr> {
        vec![self.into_operand()]
    }
}

macro_rules! tuples {
    ($(($($column:ident $value:ident $at:tt),*))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($column, $value: Operand<$column>),*> PrimaryKey<($($column,)*)> for ($($value,)*) {
            fn into_operands(self) -> Vec<Expr> {
                vec![$(self.$at.into_operand()),*]
            }
        }
    )*};
}
tuples! {
    (A VA 0, B VB 1)
    (A VA 0, B VB 1, C VC 2)
    (A VA 0, B VB 1, C VC 2, D VD 3)
    (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4)
    (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5)
    (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6)
    (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7)
}
