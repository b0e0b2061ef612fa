//! [`RowSink`]: where the rows of a statement go.
//!
//! The code that reads a page does not depend on the type of its rows, so the compiler generates it once, and not for
//! each model of a service. It passes each row of the database to a [`RowSink`]. [`TypedRows`] decodes it, and [`RowCount`] only counts it.

use std::any::type_name;

use folio_core::schema::table::Field;
use sqlx::Database;

use super::panic::caught;
use super::result_row::ResultRow;
use super::row::{Reader, unreadable_error};

/// Takes rows in the order in which they are added.
pub(crate) trait RowSink: Send {
    fn row_type(&self) -> &'static str;

    fn len(&self) -> usize;

    fn clear(&mut self);

    fn reverse(&mut self);

    #[cfg(feature = "sqlite")]
    fn add_sqlite(&mut self, row: &ResultRow<sqlx::sqlite::SqliteRow>) -> sqlx::Result<()>;

    #[cfg(feature = "postgres")]
    fn add_postgres(&mut self, row: &ResultRow<sqlx::postgres::PgRow>) -> sqlx::Result<()>;

    #[cfg(feature = "mysql")]
    fn add_mysql(&mut self, row: &ResultRow<sqlx::mysql::MySqlRow>) -> sqlx::Result<()>;
}

type Read<R, T> = fn(&ResultRow<R>) -> sqlx::Result<T>;

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

    /// Adds a row by the function that reads it, if this driver has one.
    fn add<D: Database>(
        &mut self,
        row: &ResultRow<D::Row>,
        read: Option<Read<D::Row, T>>,
        has: fn(&Field) -> bool,
    ) -> sqlx::Result<()> {
        let read = read.ok_or_else(|| unreadable_error(type_name::<T>(), D::NAME, (self.reader.fields)(), has))?;
        self.rows.push(caught(|| read(row))?);
        Ok(())
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

    #[cfg(feature = "sqlite")]
    fn add_sqlite(&mut self, row: &ResultRow<sqlx::sqlite::SqliteRow>) -> sqlx::Result<()> {
        self.add::<sqlx::Sqlite>(row, self.reader.sqlite, |field| field.sqlite)
    }

    #[cfg(feature = "postgres")]
    fn add_postgres(&mut self, row: &ResultRow<sqlx::postgres::PgRow>) -> sqlx::Result<()> {
        self.add::<sqlx::Postgres>(row, self.reader.postgres, |field| field.postgres)
    }

    #[cfg(feature = "mysql")]
    fn add_mysql(&mut self, row: &ResultRow<sqlx::mysql::MySqlRow>) -> sqlx::Result<()> {
        self.add::<sqlx::MySql>(row, self.reader.mysql, |field| field.mysql)
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

    fn add(&mut self) -> sqlx::Result<()> {
        self.rows = self.rows.saturating_add(1);
        Ok(())
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

    #[cfg(feature = "sqlite")]
    fn add_sqlite(&mut self, _: &ResultRow<sqlx::sqlite::SqliteRow>) -> sqlx::Result<()> {
        self.add()
    }

    #[cfg(feature = "postgres")]
    fn add_postgres(&mut self, _: &ResultRow<sqlx::postgres::PgRow>) -> sqlx::Result<()> {
        self.add()
    }

    #[cfg(feature = "mysql")]
    fn add_mysql(&mut self, _: &ResultRow<sqlx::mysql::MySqlRow>) -> sqlx::Result<()> {
        self.add()
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
