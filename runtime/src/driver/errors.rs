//! Errors about a column of a row, a value of a statement, or an answer.
//!
//! Those about a column are sqlx's own error for one that does not decode, so the message starts with the column's name, like
//! every decode error.

use folio_plan::value::Variant;

use crate::error::Refusal;

/// What SQLite would store NULL in place of, and MySQL refuses.
#[cfg(any(feature = "sqlite", feature = "mysql"))]
pub(super) const NAN: &str = "NaN";

/// What PostgreSQL and MySQL do not have.
#[cfg(any(feature = "postgres", feature = "mysql"))]
pub(super) const LEAP_SECOND: &str = "a leap second";

/// Why a number cannot be used in a cursor key.
#[cfg(any(feature = "postgres", all(feature = "mysql", feature = "rust_decimal")))]
pub(super) const TOO_MANY_DIGITS: &str = "a value with more than 28 digits does not fit into `Decimal` and cannot be used in \
                                          a cursor key: make the field a `BigDecimal`";

/// Why a value on which sqlx panics cannot be read.
pub(super) const OUT_OF_RANGE: &str = "a value is outside of what its type in Rust can hold, such as a timestamp `infinity` \
                                       or milliseconds that are read as seconds: correct it, or read the column as \
                                       another type";

/// The error for a column that cannot be read, or not be used in a cursor key, and why.
pub(crate) fn column_error(column: &str, why: impl Into<sqlx::error::BoxDynError>) -> sqlx::Error {
    sqlx::Error::ColumnDecode { index: format!("{column:?}"), source: why.into() }
}

/// The error for a key column of a type, ENUM or SET, by which MySQL sorts and compares in two ways.
pub(crate) fn enum_error(column: &str, kind: &str) -> sqlx::Error {
    column_error(
        column,
        format!("{kind} columns cannot be in a cursor key: they are sorted by number but compared as text"),
    )
}

/// The error for a value that a database cannot store. Clients may send it, so the answer is a 400.
pub(super) fn unstorable_error(what: &'static str) -> sqlx::Error {
    sqlx::Error::Encode(Refusal::Unstorable(what).into())
}

/// The error for an answer that no single server gives for a page.
pub(crate) fn inconsistent_error(what: &str) -> sqlx::Error {
    sqlx::Error::Protocol(format!(
        "{what}: either a proxy runs each statement on several servers and puts their rows together, or a filter is not \
         deterministic, such as one with `random()`. For a proxy, call `Folio::plain_statements`, connect to a single \
         server, or filter by the column by which it chooses one. Pass a filter a value that was computed before"
    ))
}

/// The error for a key column of a type that the driver does not have.
pub(super) fn unsupported_variant_error<D: sqlx::Database>(column: &str, variant: Variant) -> sqlx::Error {
    let (name, instead) = match variant {
        Variant::Decimal | Variant::BigDecimal => (
            variant.as_str(),
            "; sort by a column of integers, such as cents, or by what it stores, as `Column::<f64>::new(\"…\")`",
        ),
        other => (other.as_str(), ""),
    };
    column_error(column, format!("{} has no type for a cursor value of the variant {name}{instead}", D::NAME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_several_servers_names_the_setting() {
        let error = inconsistent_error("the rows of one page have different totals, 3 and 2").to_string();
        assert!(error.contains("`Folio::plain_statements`") && error.contains("3 and 2"), "{error}");
    }
}
