//! The values of an order's columns at which a page begins or ends.
//!
//! A [`BoundaryValue`] knows how its type binds it and, if that differs, how the database stores it. A page compares
//! the stored form, so a cursor keeps both.

use sea_query::{Expr, ExprTrait as _};

use crate::value::{self, Value};

/// One column's value at a boundary.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BoundaryValue {
    /// The value as the field's Rust type binds it.
    pub(crate) value: Value,
    /// The value as the database stores it, if the database compares it in another form than the type binds.
    pub(crate) stored: Option<Stored>,
}

/// A value in the form in which the database compares it.
///
/// SQLite, for example, compares a timestamp that was stored as text byte by byte, and chrono may write the same
/// moment as another text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stored {
    /// The value in that form.
    pub(crate) value: Value,
    /// The column's SQL type, if a bound value has to be cast to it. On MySQL, `@` and the session's time zone, if the
    /// value depends on it.
    pub(crate) cast: Option<String>,
}

/// What comes before a time zone in the place of a type. No type's name begins with it.
const ZONE: char = '@';

impl BoundaryValue {
    /// A value that the database compares in the form that its type binds.
    pub(crate) fn plain(value: Value) -> Self {
        Self { value, stored: None }
    }

    /// The value with the time zone of the session that read it, if it depends on one.
    #[cfg(feature = "mysql")]
    pub(crate) fn in_zone(mut self, zone: Option<String>) -> Self {
        if let Some(zone) = zone {
            let value = self.bound().value.clone();
            self.stored = Some(Stored { value, cast: Some(format!("{ZONE}{zone}")) });
        }
        self
    }

    /// The time zone of the session that read the value, if it depends on one.
    pub(crate) fn zone(&self) -> Option<&str> {
        self.stored.as_ref()?.cast.as_deref()?.strip_prefix(ZONE)
    }

    /// The value to bind in the predicate.
    pub(crate) fn bound(&self) -> Bound<'_> {
        match &self.stored {
            Some(Stored { value, cast }) => {
                Bound { value, cast: cast.as_deref().filter(|cast| !cast.starts_with(ZONE)) }
            }
            None => Bound { value: &self.value, cast: None },
        }
    }
}

/// Where a page begins or ends: after these values, or with them. There may be fewer values than the order has columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Boundary<'a> {
    pub(crate) values: &'a [Bound<'a>],
    pub(crate) inclusive: bool,
}

/// A value of the boundary as a parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound<'a> {
    pub(crate) value: &'a Value,
    /// The type to cast it to, in SQL.
    pub(crate) cast: Option<&'a str>,
}

impl Bound<'_> {
    pub(crate) fn expr(self) -> Expr {
        let value = Expr::Value(self.value.clone());
        self.cast.map_or_else(|| value.clone(), |cast| value.clone().cast_as(cast.to_owned()))
    }

    pub(crate) fn is_null(self) -> bool {
        value::is_null(self.value)
    }
}
