//! Groups of rows that have the same value in one or more columns.
//!
//! A feed lists the rows of many groups in one order, such as the posts of all authors that a reader follows. `each_of`
//! reads a page of each group, such as the first comments of each post. [`Groups`] has the columns and the values;
//! [`crate::feed`] decides how a page reads them.

#[cfg(feature = "postgres")]
use std::mem;
use std::slice::Chunks;

use sea_query::{Expr, OptionEnum, Value};

use crate::schema::column::{Column, Operand};
use crate::schema::filter::SameModel;
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
        values.push(value::operand(group));
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
    add: fn(V, &mut Vec<Value>),
}

impl<V> GroupKey<V> {
    pub(crate) fn new<M, C: GroupColumns<M, V>>(columns: C) -> Self {
        Self { columns: columns.columns(), add: C::add }
    }

    /// A group for each of these, in their order.
    pub(crate) fn groups(self, groups: impl IntoIterator<Item = V>) -> Groups {
        let mut values = Vec::new();
        groups.into_iter().for_each(|group| (self.add)(group, &mut values));
        Groups::of(self.columns, values)
    }
}

/// Columns, and the values that each group has in them.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    pub(crate) columns: Vec<Expr>,
    /// The values of the first group, then those of the second, and so on.
    values: Vec<Value>,
    /// The columns of which SQLite compares the moments, by their places.
    #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
    moments: Vec<(usize, value::MomentColumn)>,
}

impl Groups {
    fn of(columns: Vec<Expr>, values: Vec<Value>) -> Self {
        Self {
            columns,
            values,
            #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
            moments: Vec::new(),
        }
    }

    /// Groups of the same columns.
    fn with_values(&self, values: Vec<Value>) -> Self {
        Self {
            columns: self.columns.clone(),
            values,
            #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
            moments: self.moments.clone(),
        }
    }

    /// The groups of a feed, without repeated ones. Groups with NULL are dropped, because they have no rows. The groups
    /// are sorted, so their order does not matter to a cursor that is bound to the filters.
    pub(crate) fn new<M, V, C: GroupColumns<M, V>>(columns: C, groups: impl IntoIterator<Item = V>) -> Self {
        GroupKey::new(columns).groups(groups).distinct()
    }

    /// The groups with their texts in the types of the columns of which `is_text` is true.
    #[cfg(feature = "postgres")]
    pub(crate) fn typed_by_columns(mut self, is_text: impl Fn(&Expr) -> bool) -> Self {
        let width = self.columns.len().max(1);
        let texts = self.columns.iter().enumerate().filter(|(_, column)| is_text(column));
        for (at, _) in texts {
            let values = self.values.iter_mut().skip(at).step_by(width);
            values.for_each(|value| *value = value::of_column(mem::replace(value, Value::Bool(None))));
        }
        self
    }

    /// The groups with their moments compared as moments, whatever text SQLite stores.
    #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
    pub(crate) fn with_moments(mut self) -> Self {
        let width = self.columns.len().max(1);
        for at in 0..self.columns.len() {
            let Some(column) = self.columns.get(at) else { break };
            let Some((moments, texts)) = value::MomentColumn::of_groups(column, self.of_column(at)) else { continue };
            self.values.iter_mut().skip(at).step_by(width).zip(texts).for_each(|(value, text)| *value = text);
            if let Some(column) = self.columns.get_mut(at) {
                *column = moments.text();
            }
            self.moments.push((at, moments));
        }
        self
    }

    /// For the columns with moments, the condition that a row is near the group with these values, for which an index is
    /// used.
    pub(crate) fn is_near(&self, values: &[Value]) -> Option<Expr> {
        #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
        return self
            .moments
            .iter()
            .filter_map(|(at, column)| {
                let seconds = values.get(*at)?.clone().into();
                Some(column.is_between(&seconds, &seconds))
            })
            .reduce(sea_query::ExprTrait::and);
        #[cfg(not(all(feature = "sqlite", any(feature = "chrono", feature = "time"))))]
        {
            let _ = values;
            None
        }
    }

    /// The condition that a row is near one of the groups: see [`is_near`](Self::is_near).
    pub(crate) fn are_near(&self) -> Option<Expr> {
        #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
        return self
            .moments
            .iter()
            .filter_map(|(at, column)| {
                let seconds = || self.of_column(*at).filter_map(value::seconds_of_moment);
                Some(column.is_between(&seconds().min()?.into(), &seconds().max()?.into()))
            })
            .reduce(sea_query::ExprTrait::and);
        #[cfg(not(all(feature = "sqlite", any(feature = "chrono", feature = "time"))))]
        None
    }

    /// Whether a value has the type of its column, so that it can only be compared with the column itself.
    pub(crate) fn are_typed_by_columns(&self) -> bool {
        #[cfg(feature = "postgres")]
        return self.values.iter().any(|value| value::column_text(value).is_some());
        #[cfg(not(feature = "postgres"))]
        false
    }

    /// The number of groups.
    pub(crate) fn len(&self) -> usize {
        self.iter().len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values of each group.
    pub(crate) fn iter(&self) -> Chunks<'_, Value> {
        self.of_each(&self.values)
    }

    /// Splits values into those of each group.
    pub(crate) fn of_each<'a>(&self, values: &'a [Value]) -> Chunks<'a, Value> {
        values.chunks(self.columns.len().max(1))
    }

    /// The values that the groups have in a column.
    pub(crate) fn of_column(&self, at: usize) -> impl Iterator<Item = &Value> + Clone {
        self.iter().filter_map(move |values| values.get(at))
    }

    /// The groups at these places.
    pub(crate) fn only(&self, places: impl IntoIterator<Item = usize>) -> Self {
        let mut values = Vec::with_capacity(self.values.len());
        let groups = places.into_iter().filter_map(|at| self.iter().nth(at));
        groups.for_each(|group| values.extend_from_slice(group));
        self.with_values(values)
    }

    /// The groups in blocks of at most `size`.
    pub(crate) fn blocks(&self, size: usize) -> impl Iterator<Item = Self> {
        (0..).map_while(move |number| self.block(size, number))
    }

    /// One of these blocks, by its number from 0 on; `None` if there are fewer.
    pub(crate) fn block(&self, size: usize, number: usize) -> Option<Self> {
        let size = size.max(1).saturating_mul(self.columns.len().max(1));
        let values = self.values.chunks(size).nth(number)?;
        Some(self.with_values(values.to_vec()))
    }

    /// Whether two groups never have the same row. Texts that differ may be equal to the database.
    pub(crate) fn are_disjoint(&self) -> bool {
        // Databases consider two values of these types equal only if they are identical.
        self.values.iter().all(|value| {
            value::integer(value).is_some() || matches!(value::variant(value), Some(Variant::Bool | Variant::Uuid))
        })
    }

    /// The groups that may have rows, sorted, each once.
    fn distinct(&self) -> Self {
        let mut places = Vec::with_capacity(self.len());
        let groups = self.iter().enumerate().filter(|(_, values)| !values.iter().any(is_null));
        places.extend(groups.map(|(at, values)| (Identity::of(values), at)));
        places.sort_unstable();
        places.dedup_by(|(one, _), (other, _)| one == other);
        self.only(places.into_iter().map(|(_, at)| at))
    }
}

/// Whether a value is NULL. [`value::is_null`] does not recognize the NULL of an enum.
fn is_null(value: &Value) -> bool {
    matches!(value, Value::Enum(OptionEnum::None(_))) || value::is_null(value)
}

/// Identifies the values of a group. Most are a single integer.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_sorted_and_taken_once_and_never_with_null() {
        let author = Column::<Option<i64>>::new("author");
        let groups = Groups::new::<crate::AnyModel, _, _>(author, [Some(8), None, Some(7), Some(8)]);
        assert_eq!(groups.values, [7_i64, 8].map(Value::from));
        assert!(groups.are_disjoint());
    }

    #[test]
    fn pairs_are_told_apart_and_texts_may_be_equal_to_the_database() {
        let columns = (Column::<String>::new("a"), Column::<String>::new("b"));
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let groups = Groups::new::<crate::AnyModel, _, _>(columns, [pair("x", "y"), pair("xy", ""), pair("x", "y")]);
        assert_eq!(groups.len(), 2);
        assert!(!groups.are_disjoint());
    }
}
