//! The types, and the columns that store them.

use folio::ColumnValue;
use sea_query::prelude::Uuid;
use sea_query::prelude::chrono::{DateTime, Utc};
use sqlx::Database as _;

use crate::server;

/// Whether the database is PostgreSQL.
pub(super) fn is_postgres() -> bool {
    server::Driver::NAME == "PostgreSQL"
}

/// Whether the database is MySQL or MariaDB.
pub(super) fn is_mysql() -> bool {
    server::Driver::NAME == "MySQL"
}

/// Implements `sqlx::Type` for an enum in a text column. sqlx's derive only reads MySQL's ENUM and the type that it
/// names on PostgreSQL.
macro_rules! in_text_columns {
    ($($type:ty),*) => {$(
        impl<DB: sqlx::Database> sqlx::Type<DB> for $type
        where
            str: sqlx::Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <str as sqlx::Type<DB>>::type_info()
            }

            fn compatible(info: &DB::TypeInfo) -> bool {
                <str as sqlx::Type<DB>>::compatible(info)
            }
        }

        impl<'r, DB: sqlx::Database> sqlx::Decode<'r, DB> for $type
        where
            &'r str: sqlx::Decode<'r, DB>,
        {
            fn decode(value: DB::ValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
                let text = <&str as sqlx::Decode<'r, DB>>::decode(value)?;
                <Self as folio::CursorValue>::from_value(text.into()).ok_or_else(|| text.into())
            }
        }
    )*};
}
pub(super) use in_text_columns;

/// An enum in a text column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ColumnValue)]
#[sqlx(rename_all = "snake_case")]
pub(crate) enum Stage {
    InReview,
    Accepted,
    #[sqlx(rename = "b-list")]
    Reserve,
}

in_text_columns!(Stage);

/// The texts of [`Stage`].
pub(super) const STAGES: [&str; 3] = ["'in_review'", "'accepted'", "'b-list'"];

/// An enum of PostgreSQL and MySQL. On SQLite it is a text. Its declaration is not in alphabetical order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[sqlx(type_name = "issue_state", rename_all = "snake_case")]
pub(crate) enum State {
    Open,
    InProgress,
    #[sqlx(rename = "done")]
    Closed,
}

/// The texts of [`State`], in the order in which it is declared.
pub(in crate::suite) const STATES: [&str; 3] = ["'open'", "'in_progress'", "'done'"];

/// What creates the type of [`State`], and the column's type.
pub(in crate::suite) fn state_column() -> (String, String) {
    let values = format!("ENUM ({})", STATES.join(", "));
    if is_postgres() {
        (format!("CREATE TYPE issue_state AS {values};"), "issue_state".to_owned())
    } else if is_mysql() {
        (String::new(), values)
    } else {
        (String::new(), server::TEXT.to_owned())
    }
}

/// An enum that is stored as a number. The numbers are not in the order of the variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[repr(i32)]
pub(crate) enum Priority {
    Low = 30,
    Normal = 2,
    High = -100_000,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[repr(i16)]
pub(crate) enum Severity {
    Minor,
    Major = 300,
    Fatal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[sqlx(transparent)]
pub(crate) struct IssueId(pub(crate) i64);

/// A newtype of a newtype, with a named field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[sqlx(transparent)]
pub(crate) struct ParentId {
    pub(crate) issue: IssueId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[sqlx(transparent)]
pub(crate) struct Small(pub(crate) i16);

#[derive(Debug, Clone, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[sqlx(transparent)]
pub(crate) struct Title(pub(crate) String);

/// A newtype of an enum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[sqlx(transparent)]
pub(crate) struct LastState(pub(crate) State);

#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[sqlx(transparent)]
pub(crate) struct Token(pub(crate) Uuid);

#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[sqlx(transparent)]
pub(crate) struct At(pub(crate) DateTime<Utc>);
