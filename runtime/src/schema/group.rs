//! Groups of rows that have the same value in one or more columns.
//!
//! A feed lists the rows of many groups in one order, such as the posts of all authors that a reader follows. `each_of`
//! reads a page of each group, such as the first comments of each post.

use folio_plan::schema::group::{Groups, Link};
use sea_query::{Expr, Value};

use crate::schema::column::{Column, Operand};
use crate::schema::filter::SameModel;
use crate::value::{CursorValue, operand};

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
    label = "write a column of `{M}` that has the type of the values, or a tuple of up to four",
    note = "for example, a `Column<i64, {M}>` and a `Column<Option<i64>, {M}>` take values of `i64`"
)]
pub trait GroupColumns<M, V> {
    #[doc(hidden)]
    fn columns(self) -> Vec<Expr>;
    /// Adds the values of a group.
    #[doc(hidden)]
    fn add(group: V, values: &mut Vec<Value>);
}

// Otherwise one mistake is reported twice: as a value that no cursor can store, and as one of another type.
#[diagnostic::do_not_recommend]
impl<T, M, N: SameModel<M>, V: CursorValue + Operand<T>> GroupColumns<M, V> for Column<T, N> {
    fn columns(self) -> Vec<Expr> {
        vec![self.to_expr()]
    }

    fn add(group: V, values: &mut Vec<Value>) {
        values.push(operand(group));
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

            fn add(group: ($($value,)+), values: &mut Vec<Value>) {
                #[expect(non_snake_case, reason = "each variable has the name of its type")]
                let ($($value,)+) = group;
                $(<$column as GroupColumns<M, $value>>::add($value, values);)+
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
    /// The table that has them, if it is not that of the rows.
    link: Option<Link>,
    add: fn(V, &mut Vec<Value>),
}

#[cfg(feature = "_sea-orm")]
impl<V> GroupKey<V> {
    /// A key of columns that are known at run time. With a link, they are those of its table.
    pub(crate) fn of_columns(columns: Vec<Expr>, link: Option<Link>, add: fn(V, &mut Vec<Value>)) -> Self {
        Self { columns, link, add }
    }
}

impl<V> GroupKey<V> {
    pub(crate) fn new<M, C: GroupColumns<M, V>>(columns: C) -> Self {
        Self { columns: columns.columns(), link: None, add: C::add }
    }

    /// A group for each of these, in their order.
    pub(crate) fn groups(self, groups: impl IntoIterator<Item = V>) -> Groups {
        let mut values = Vec::new();
        groups.into_iter().for_each(|group| (self.add)(group, &mut values));
        Groups::new(self.columns, values).through(self.link)
    }
}
