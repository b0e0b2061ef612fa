//! [`Page`]: what a page reads, and what its errors say about that.

use folio_plan::dialect::{Dialect, Missing};
use folio_plan::keyset::KeysetQuery;
use folio_plan::schema::table::Table;
use folio_plan::statement::filtered::FilteredRows;

use crate::error::{FrameworkError, NOT_ALLOWED, Refusal, Refused, listed, refused};

/// What a page reads, as spans, metrics, errors and the index advisor name it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page<'a> {
    pub(crate) kind: &'static str,
    /// `None` for a page that consists of others. They know it, and say in their errors what they read.
    pub(crate) dialect: Option<Dialect>,
    /// The table of a model's query.
    pub(crate) table: Option<&'static Table>,
    pub(crate) row_type: &'static str,
    /// The parameters of the request that chose values of the filters.
    pub(crate) request_parameters: &'a [String],
    /// The list, if an index should have its order.
    pub(crate) list: Option<&'a KeysetQuery>,
}

impl<'a> Page<'a> {
    /// `model` are the rows of a model's query.
    pub(crate) fn new(
        kind: &'static str,
        dialect: Dialect,
        model: Option<&'a FilteredRows>,
        row_type: &'static str,
    ) -> Self {
        Self {
            kind,
            dialect: Some(dialect),
            table: model.map(|rows| rows.plan.table),
            row_type,
            request_parameters: model.map_or(&[], |rows| &rows.request_parameters),
            list: None,
        }
    }
}

impl Page<'_> {
    /// If the database has refused a value, and the request has chosen values of the filters, the error names their
    /// parameters. If it has refused the statement, the error says what was read.
    pub(super) fn explain(&self, error: FrameworkError) -> FrameworkError {
        let Some(dialect) = self.dialect else { return error };
        if !self.request_parameters.is_empty() && refuses_value(&error) {
            tracing::warn!(
                target: "folio",
                "the database refuses a value, which is probably one of the request's filters: {error}"
            );
            return self.refused_parameters();
        }
        let note = match &error {
            FrameworkError::Database(sqlx::Error::Database(cause)) => {
                self.note(dialect.missing(cause.code().as_deref(), cause.message()))
            }
            // SQLite takes a quoted name that it does not know for a text.
            FrameworkError::Database(sqlx::Error::ColumnNotFound(column)) => self.note(Some(Missing::Column(column))),
            _ => return error,
        };
        error.with_note(&note)
    }

    /// The error for a value of these parameters. The database does not say which.
    fn refused_parameters(&self) -> FrameworkError {
        let mut parameters = self.request_parameters.to_vec();
        parameters.sort_unstable();
        parameters.dedup();
        match parameters.as_slice() {
            [parameter] => FrameworkError::invalid_parameter(parameter, NOT_ALLOWED),
            parameters => {
                FrameworkError::bad_request(format!("one of the parameters {} {NOT_ALLOWED}", listed(parameters)))
            }
        }
    }

    fn note(&self, missing: Option<Missing<'_>>) -> String {
        let row_type = self.row_type;
        let Some(table) = self.table else {
            return match missing {
                Some(Missing::Column(column)) => format!(
                    "in a list of `{row_type}`: if its order has `{column}`, select it, because a select that groups, \
                     unites or deduplicates rows is sorted by columns of its result"
                ),
                _ => format!("in a list of `{row_type}`"),
            };
        };
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

/// Whether the database has refused a value that was bound. It may also be one that the statement has computed.
fn refuses_value(error: &FrameworkError) -> bool {
    match error {
        FrameworkError::Database(cause) => {
            matches!(refused(cause), Some(Refused::Bound | Refused::BoundOrComputed))
        }
        error => error.is_of(Refusal::ForeignCharacter),
    }
}
