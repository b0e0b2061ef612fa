//! The typed columns, filters, orders, groups and expressions that a caller writes. They compile to the data of
//! [`folio_plan::schema`].

pub(crate) mod any_of;
pub(crate) mod column;
pub(crate) mod expression;
pub(crate) mod filter;
pub(crate) mod group;
pub(crate) mod key_values;
pub(crate) mod order;
pub(crate) mod primary_key;
pub(crate) mod text;
