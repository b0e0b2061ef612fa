//! Values that only SQLite stores, in every form that it stores them in: a walk sees every row once.

mod moments;
mod numbers;
mod selects;
mod texts;
mod unreadable;

use sea_query::prelude::chrono::{DateTime, FixedOffset};
use sqlx::Sqlite;

use crate::server;
use crate::values::Table;
use crate::values::models::keyed;

keyed! {
    OfI8: i8 = "v";
    OfU8: u8 = "v";
    OfU16: u16 = "v";
    OfU32: u32 = "v";
    OfU64: u64 = "v";
    OfFixedOffset: DateTime<FixedOffset> = "v";
}

/// The table with values that sqlx binds.
async fn bound<T>(declared: &str, values: Vec<T>) -> Table
where
    T: for<'q> sqlx::Encode<'q, Sqlite> + sqlx::Type<Sqlite> + Clone + Send + 'static,
{
    Table::bound(server::pool(1).await, declared, values).await
}

/// The table with values in SQL.
async fn written(declared: &str, values: &[impl AsRef<str>]) -> Table {
    Table::new(server::pool(1).await, declared, "v, id", values).await
}
