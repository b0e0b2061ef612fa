//! Groups of rows that have the same value in one or more columns.
//!
//! A feed lists the rows of many groups in one order, such as the posts of all authors that a reader follows. `each_of`
//! reads a page of each group, such as the first comments of each post. [`crate::feed`] decides how a page reads them.

#[cfg(feature = "postgres")]
use std::mem;
use std::slice::Chunks;

use sea_query::{ColumnName, DynIden, Expr, OptionEnum, TableName, Value};

use crate::value::{self, Variant};

/// Columns, and the values that each group has in them.
#[derive(Debug, Clone)]
pub struct Groups {
    /// Columns of the rows' own table, or else of the link's.
    pub columns: Vec<Expr>,
    /// The table that links the rows to the groups, if they do not have the columns themselves.
    pub link: Option<Link>,
    /// The values of the first group, then those of the second, and so on.
    values: Vec<Value>,
    /// The columns of which SQLite compares the moments, by their places.
    #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
    moments: Vec<(usize, value::MomentColumn)>,
}

impl Groups {
    /// Groups of these columns. The values are those of the first group, then those of the second, and so on.
    pub fn new(columns: Vec<Expr>, values: Vec<Value>) -> Self {
        Self {
            columns,
            link: None,
            values,
            #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
            moments: Vec::new(),
        }
    }

    /// The same groups, whose columns are those of a link.
    pub fn through(self, link: Option<Link>) -> Self {
        Self { link, ..self }
    }

    /// Groups of the same columns.
    fn with_values(&self, values: Vec<Value>) -> Self {
        Self {
            columns: self.columns.clone(),
            link: self.link.clone(),
            values,
            #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
            moments: self.moments.clone(),
        }
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

    /// For the columns with moments, the condition that a row is near the group with these values, for which an index
    /// is used.
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
    pub fn len(&self) -> usize {
        self.iter().len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values of each group.
    pub fn iter(&self) -> Chunks<'_, Value> {
        self.of_each(&self.values)
    }

    /// Splits values into those of each group.
    pub(crate) fn of_each<'a>(&self, values: &'a [Value]) -> Chunks<'a, Value> {
        values.chunks(self.columns.len().max(1))
    }

    /// The values that the groups have in a column.
    pub fn of_column(&self, at: usize) -> impl Iterator<Item = &Value> + Clone {
        self.iter().filter_map(move |values| values.get(at))
    }

    /// The groups at these places.
    pub fn only(&self, places: impl IntoIterator<Item = usize>) -> Self {
        let mut values = Vec::with_capacity(self.values.len());
        let groups = places.into_iter().filter_map(|at| self.iter().nth(at));
        groups.for_each(|group| values.extend_from_slice(group));
        self.with_values(values)
    }

    /// The groups in blocks of at most `size`.
    pub fn blocks(&self, size: usize) -> impl Iterator<Item = Self> {
        (0..).map_while(move |number| self.block(size, number))
    }

    /// One of these blocks, by its number from 0 on; `None` if there are fewer.
    pub fn block(&self, size: usize, number: usize) -> Option<Self> {
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

    /// The groups that may have rows, sorted, each once. Groups with NULL have none. They are sorted, so that their order
    /// does not matter to a cursor that is bound to the filters.
    pub fn distinct(&self) -> Self {
        let mut places = Vec::with_capacity(self.len());
        let groups = self.iter().enumerate().filter(|(_, values)| !values.iter().any(is_null));
        places.extend(groups.map(|(at, values)| (Identity::of(values), at)));
        places.sort_unstable();
        places.dedup_by(|(one, _), (other, _)| one == other);
        self.only(places.into_iter().map(|(_, at)| at))
    }
}

/// A table whose rows link those of another table to groups: `post_tags`, for the tags of each post.
///
/// A row is in a group if the table links it to the group at least once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Link {
    pub table: TableName,
    /// Each of its columns that identifies a row, and the column of the row that it equals.
    pub keys: Vec<(DynIden, ColumnName)>,
}

impl Link {
    /// The alias of the table, which may also be that of the rows.
    pub const ALIAS: &str = "folio_links";

    /// One of its columns.
    pub fn column(name: DynIden) -> Expr {
        Expr::col((Self::ALIAS, name))
    }

    /// The columns of the rows.
    pub fn of_rows(&self) -> impl Iterator<Item = Expr> {
        self.keys.iter().map(|(_, column)| Expr::Column(column.clone().into()))
    }
}

/// Whether a value is NULL. [`value::is_null`] does not recognize the NULL of an enum of PostgreSQL.
pub fn is_null(value: &Value) -> bool {
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
            [value] => value::integer(value).map_or_else(|| Self::Bytes(value::identity(values)), Self::Integer),
            values => Self::Bytes(value::identity(values)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_sorted_and_taken_once_and_never_with_null() {
        let authors = [Some(8), None, Some(7), Some(8)].map(Value::BigInt);
        let groups = Groups::new(vec![Expr::col("author")], authors.to_vec()).distinct();
        assert_eq!(groups.values, [7_i64, 8].map(Value::from));
        assert!(groups.are_disjoint());
    }

    #[test]
    fn pairs_are_told_apart_and_texts_may_be_equal_to_the_database() {
        let pairs = ["x", "y", "xy", "", "x", "y"].map(Value::from);
        let groups = Groups::new(["a", "b"].map(Expr::col).to_vec(), pairs.to_vec()).distinct();
        assert_eq!(groups.len(), 2);
        assert!(!groups.are_disjoint());
    }
}
