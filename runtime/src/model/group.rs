//! Groups of rows that have the same value in one or more columns.
//!
//! A feed lists the rows of many groups in one order, such as the posts of all authors that a reader follows. Children
//! are a page of each group, such as the first comments of each post. [`Groups`] is the columns and the values; how a
//! page reads them is decided in `query::feed`.

use std::collections::HashSet;

use sea_query::{Expr, OptionEnum, Value};

use crate::model::column::{Column, Operand};
use crate::model::filter::SameModel;
use crate::value::{self, CursorValue, Variant};

/// The columns that group rows, for [`among`](crate::Builder::among), [`each_of`](crate::Builder::each_of) and
/// [`load`](crate::load): a [`Column`], or a tuple of up to four. `V` is the type of a group's value: the column's
/// type, or a tuple of the columns' types.
///
/// For a column whose type is an `Option`, pass the values inside it, because in SQL nothing equals NULL.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// let page = Post::query().among((Post::AUTHOR_ID, Post::TITLE), [(7, "b".to_owned()), (8, "x".to_owned())]);
/// assert_eq!(ids(&page.paginate(15).await?.data), [1]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not group rows of `{M}` by values of `{V}`",
    label = "write a column of `{M}`, or a tuple of up to four",
    note = "the values have the column's type: `i64` for a `Column<i64, {M}>` or a `Column<Option<i64>, {M}>`"
)]
pub trait GroupColumns<M, V> {
    #[doc(hidden)]
    fn columns(self) -> Vec<Expr>;
    #[doc(hidden)]
    fn values(value: V) -> Vec<Value>;
}

impl<T, M, N: SameModel<M>, V: CursorValue + Operand<T>> GroupColumns<M, V> for Column<T, N> {
    fn columns(self) -> Vec<Expr> {
        vec![self.to_expr()]
    }

    fn values(value: V) -> Vec<Value> {
        vec![value::operand(value)]
    }
}

/// Several columns.
macro_rules! tuples {
    ($(($($column:ident $value:ident),+);)*) => {$(
        impl<M, $($column, $value),+> GroupColumns<M, ($($value,)+)> for ($($column,)+)
        where
            $($column: GroupColumns<M, $value>),+
        {
            fn columns(self) -> Vec<Expr> {
                #[expect(non_snake_case, reason = "each variable has the name of its type")]
                let ($($column,)+) = self;
                [$($column.columns()),+].concat()
            }

            fn values(values: ($($value,)+)) -> Vec<Value> {
                #[expect(non_snake_case, reason = "each variable has the name of its type")]
                let ($($value,)+) = values;
                [$(<$column as GroupColumns<M, $value>>::values($value)),+].concat()
            }
        }
    )*};
}
tuples! {
    (A VA, B VB);
    (A VA, B VB, C VC);
    (A VA, B VB, C VC, D VD);
}

/// The columns of groups, without their type.
pub(crate) struct GroupKey<V> {
    columns: Vec<Expr>,
    values: fn(V) -> Vec<Value>,
}

impl<V> GroupKey<V> {
    pub(crate) fn new<M, C: GroupColumns<M, V>>(columns: C) -> Self {
        Self { columns: columns.columns(), values: C::values }
    }

    /// A group for each of these values, in their order.
    pub(crate) fn groups(self, values: impl IntoIterator<Item = V>) -> Groups {
        Groups { values: values.into_iter().map(self.values).collect(), columns: self.columns }
    }
}

/// Columns, and the values that each group has in them. No value is NULL, and no two groups have the same values.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    pub(crate) columns: Vec<Expr>,
    pub(crate) values: Vec<Vec<Value>>,
}

impl Groups {
    /// The groups with these values, without repeated ones. Groups with NULL are dropped, because they have no rows.
    pub(crate) fn new<M, V, C: GroupColumns<M, V>>(columns: C, values: impl IntoIterator<Item = V>) -> Self {
        let mut seen = HashSet::new();
        let values = values.into_iter().map(C::values);
        let values = values.filter(|values| !values.iter().any(is_null) && seen.insert(Identity::of(values)));
        Self { values: values.collect(), columns: columns.columns() }
    }

    /// Whether two groups never have the same row. Texts that differ may be equal to the database.
    pub(crate) fn are_disjoint(&self) -> bool {
        self.values.iter().flatten().all(is_compared_exactly)
    }
}

/// Whether a value is NULL. That of an enum is not recognized by [`value::is_null`].
fn is_null(value: &Value) -> bool {
    matches!(value, Value::Enum(OptionEnum::None(_))) || value::is_null(value)
}

/// Identifies the values of a group. Most are a single integer.
#[derive(PartialEq, Eq, Hash)]
enum Identity {
    Integer(i128),
    Bytes(Vec<u8>),
}

impl Identity {
    fn of(values: &[Value]) -> Self {
        match values {
            [value] => value::integer(value).map_or_else(|| Self::Bytes(bytes_of(values)), Self::Integer),
            values => Self::Bytes(bytes_of(values)),
        }
    }
}

/// Bytes that are different for different values.
fn bytes_of(values: &[Value]) -> Vec<u8> {
    let mut identity = Vec::new();
    for value in values {
        if value::write(value, &mut identity).is_err() {
            identity.extend(format!("{value:?}").bytes());
        }
        identity.push(0);
    }
    identity
}

/// Whether databases consider two values of this type equal only if they are identical.
fn is_compared_exactly(value: &Value) -> bool {
    value::integer(value).is_some() || matches!(value::variant(value), Some(Variant::Bool | Variant::Uuid))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_taken_once_and_never_with_null() {
        let author = Column::<Option<i64>>::new("author");
        let groups = Groups::new::<crate::AnyModel, _, _>(author, [Some(7), None, Some(8), Some(7)]);
        assert_eq!(groups.values, [vec![Value::from(7_i64)], vec![Value::from(8_i64)]]);
        assert!(groups.are_disjoint());
    }

    #[test]
    fn pairs_are_told_apart_and_texts_may_be_equal_to_the_database() {
        let columns = (Column::<String>::new("a"), Column::<String>::new("b"));
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let groups = Groups::new::<crate::AnyModel, _, _>(columns, [pair("x", "y"), pair("xy", ""), pair("x", "y")]);
        assert_eq!(groups.values.len(), 2);
        assert!(!groups.are_disjoint());
    }
}
