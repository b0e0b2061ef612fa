//! What a call reads, for the errors that the database returns.

use crate::dialect::{Dialect, Missing};
use crate::driver::RowSink;
use crate::error::{FrameworkError, Result};
use crate::schema::table::Table;
use crate::source::route::Source;

/// The rows of a call.
pub(super) struct Subject {
    dialect: Dialect,
    /// The table of a model's query.
    table: Option<&'static Table>,
    row_type: &'static str,
}

impl Subject {
    pub(super) fn new(source: &Source<'_>, table: Option<&'static Table>, rows: &dyn RowSink) -> Self {
        Self { dialect: source.dialect(), table, row_type: rows.row_type() }
    }

    /// Runs the statements of the call. If the database refuses one of them, the error says what was read.
    pub(super) async fn reading<T>(self, reading: impl Future<Output = Result<T>>) -> Result<T> {
        reading.await.map_err(|error| {
            let note = match &error {
                FrameworkError::Database(sqlx::Error::Database(cause)) => {
                    self.note(self.dialect.missing(cause.code().as_deref(), cause.message()))
                }
                // SQLite takes a quoted name that it does not know for a text.
                FrameworkError::Database(sqlx::Error::ColumnNotFound(column)) => {
                    self.note(Some(Missing::Column(column)))
                }
                _ => return error,
            };
            error.with_note(&note)
        })
    }

    fn note(&self, missing: Option<Missing<'_>>) -> String {
        let row_type = self.row_type;
        let Some(table) = self.table else { return format!("in a list of `{row_type}`") };
        let name = table.name;
        match missing {
            Some(Missing::Table(missing)) if missing == name => format!(
                "`{row_type}` is read from the table `{name}`: name another one with `#[paginate(table = \"…\")]`, or the \
                 schema that it is in with `#[paginate(schema = \"…\")]`"
            ),
            Some(Missing::Column(column)) if table.fields().iter().any(|field| field.column == column) => format!(
                "`{row_type}` has a field for the column `{column}`, which the table `{name}` does not have: name the \
                 column with `#[sqlx(rename = \"…\")]`, or leave the field out with `#[sqlx(skip)]`"
            ),
            _ => format!("in a list of `{row_type}`, which is read from the table `{name}`"),
        }
    }
}
