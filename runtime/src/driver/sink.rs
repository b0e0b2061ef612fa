//! [`RowSink`]: where the rows of a statement go.
//!
//! The code that reads a page does not depend on the type of its rows, so the compiler generates it once, and not for
//! each model of a service. It passes each row of the database to a [`RowSink`]. [`TypedRows`] decodes it, and [`RowCount`] only counts it.

use std::any::type_name;

use folio_plan::schema::table::Field;
use sqlx::Database as _;

use super::RowOf;
use super::panic::caught;
use super::row::{Reader, unreadable_error};

/// A row of any driver.
#[derive(Clone, Copy)]
pub(crate) enum AnyRow<'r> {
    #[cfg(feature = "sqlite")]
    Sqlite(&'r RowOf<sqlx::Sqlite>),
    #[cfg(feature = "postgres")]
    Postgres(&'r RowOf<sqlx::Postgres>),
    #[cfg(feature = "mysql")]
    MySql(&'r RowOf<sqlx::MySql>),
}

/// Takes rows in the order in which they are added.
pub(crate) trait RowSink: Send {
    fn row_type(&self) -> &'static str;

    fn len(&self) -> usize;

    fn clear(&mut self);

    fn reverse(&mut self);

    fn add(&mut self, row: AnyRow<'_>) -> sqlx::Result<()>;
}

/// Decodes rows, and keeps them.
pub(crate) struct TypedRows<T> {
    reader: Reader<T>,
    rows: Vec<T>,
}

impl<T> TypedRows<T> {
    /// Room for the rows of a page with this limit. A larger page grows as its rows arrive, because there may be fewer
    /// rows than requested.
    pub(crate) fn new(reader: Reader<T>, limit: u64) -> Self {
        let capacity = usize::try_from(limit.min(64)).unwrap_or_default();
        Self { reader, rows: Vec::with_capacity(capacity) }
    }

    /// An empty sink for each group, without reserved capacity, because most groups may have few rows.
    pub(crate) fn of_groups(reader: Reader<T>, groups: usize) -> Vec<Self> {
        (0..groups).map(|_| Self::new(reader, 0)).collect()
    }

    pub(crate) fn into_vec(self) -> Vec<T> {
        self.rows
    }
}

impl<T: Send> RowSink for TypedRows<T> {
    fn row_type(&self) -> &'static str {
        type_name::<T>()
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn clear(&mut self) {
        self.rows.clear();
    }

    fn reverse(&mut self) {
        self.rows.reverse();
    }

    fn add(&mut self, row: AnyRow<'_>) -> sqlx::Result<()> {
        let unreadable = |driver, has: fn(&Field) -> bool| {
            Err(unreadable_error(type_name::<T>(), driver, (self.reader.fields)(), has))
        };
        let row = match row {
            #[cfg(feature = "sqlite")]
            AnyRow::Sqlite(row) => match self.reader.sqlite {
                Some(read) => caught(|| read(row)),
                None => unreadable(sqlx::Sqlite::NAME, |field| field.sqlite),
            },
            #[cfg(feature = "postgres")]
            AnyRow::Postgres(row) => match self.reader.postgres {
                Some(read) => caught(|| read(row)),
                None => unreadable(sqlx::Postgres::NAME, |field| field.postgres),
            },
            #[cfg(feature = "mysql")]
            AnyRow::MySql(row) => match self.reader.mysql {
                Some(read) => caught(|| read(row)),
                None => unreadable(sqlx::MySql::NAME, |field| field.mysql),
            },
        };
        self.rows.push(row?);
        Ok(())
    }
}

/// Counts rows without decoding them.
pub(crate) struct RowCount {
    row_type: &'static str,
    rows: usize,
}

impl RowCount {
    /// A count of rows that the reader could decode.
    pub(crate) fn of<T>(_: Reader<T>) -> Self {
        Self { row_type: type_name::<T>(), rows: 0 }
    }
}

impl RowSink for RowCount {
    fn row_type(&self) -> &'static str {
        self.row_type
    }

    fn len(&self) -> usize {
        self.rows
    }

    fn clear(&mut self) {
        self.rows = 0;
    }

    fn reverse(&mut self) {}

    fn add(&mut self, _: AnyRow<'_>) -> sqlx::Result<()> {
        self.rows = self.rows.saturating_add(1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads no rows.
    fn reader() -> Reader<i64> {
        Reader { sqlite: Default::default(), postgres: Default::default(), mysql: Default::default(), fields: || &[] }
    }

    #[test]
    fn rows_are_reversed_and_cleared() {
        let mut rows = TypedRows { reader: reader(), rows: vec![1, 2, 3] };
        rows.reverse();
        assert_eq!((rows.len(), &*rows.rows), (3, &[3, 2, 1][..]));
        rows.clear();
        assert_eq!(rows.len(), 0);
    }

    #[test]
    fn each_group_has_rows_of_its_own() {
        let groups = TypedRows::of_groups(reader(), 3);
        assert!(groups.len() == 3 && groups.into_iter().all(|rows| rows.into_vec().is_empty()));
    }
}
