//! The values of an order's columns at which a page begins or ends.
//!
//! A [`BoundaryValue`] knows how its type binds it and, if that differs, how the database stores it. A page compares
//! the stored form, so a cursor keeps both.

use sea_query::{Expr, ExprTrait as _};

use crate::value::{self, Value};

/// One column's value at a boundary.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundaryValue {
    /// The value as the field's Rust type binds it.
    pub value: Value,
    /// The value as the database stores it, if the database compares it in another form than the type binds.
    pub stored: Option<Stored>,
}

/// A value in the form in which the database compares it.
///
/// SQLite, for example, compares a timestamp that was stored as text byte by byte, and chrono may write the same
/// moment as another text.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// The value in that form.
    pub value: Value,
    /// How the database reads it when it is bound, if not by its own type alone.
    pub read_as: Option<ReadAs>,
}

/// How the database reads a bound value.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadAs {
    /// Cast to the column's type, in SQL.
    Cast(String),
    /// In the time zone of the session, which was this one when the value was read.
    Zone(String),
}

impl BoundaryValue {
    /// A value that the database compares in the form that its type binds.
    pub fn plain(value: Value) -> Self {
        Self { value, stored: None }
    }

    /// The value with the time zone of the session that read it, if it depends on one.
    #[cfg(feature = "mysql")]
    pub fn in_zone(mut self, zone: Option<String>) -> Self {
        if let Some(zone) = zone {
            let value = self.bound().clone();
            self.stored = Some(Stored { value, read_as: Some(ReadAs::Zone(zone)) });
        }
        self
    }

    /// The time zone of the session that read the value, if it depends on one.
    pub fn zone(&self) -> Option<&str> {
        match self.stored.as_ref()?.read_as.as_ref()? {
            ReadAs::Zone(zone) => Some(zone),
            ReadAs::Cast(_) => None,
        }
    }

    /// The value to bind: in the form in which the database compares it.
    pub fn bound(&self) -> &Value {
        self.stored.as_ref().map_or(&self.value, |stored| &stored.value)
    }

    /// The type to cast it to, in SQL.
    pub fn cast(&self) -> Option<&str> {
        match self.stored.as_ref()?.read_as.as_ref()? {
            ReadAs::Cast(name) => Some(name),
            ReadAs::Zone(_) => None,
        }
    }

    /// The value to bind, with its cast.
    pub fn expr(&self) -> Expr {
        let value = Expr::Value(self.bound().clone());
        match self.cast() {
            Some(cast) => value.cast_as(cast.to_owned()),
            None => value,
        }
    }

    pub fn is_null(&self) -> bool {
        value::is_null(self.bound())
    }
}

/// Where a page begins or ends: after these values, or with them. There may be fewer values than the order has columns.
#[derive(Debug, Clone, Copy)]
pub struct Boundary<'a> {
    pub values: &'a [BoundaryValue],
    pub inclusive: bool,
}
