//! Numbers from the client, however large: a page that is right or empty, never a database error.

mod limits;
mod numbered;
mod order_of_checks;
mod walks;

use folio::{Column, Folio, Paginate};
use sea_query::{Order, Query, SelectStatement};
use sqlx::SqlitePool;

use crate::suite::db;

#[derive(Debug, Clone, PartialEq, serde::Serialize, sqlx::FromRow, Paginate)]
struct Item {
    id: i64,
}

/// A table of the ids from 1 to `total`.
async fn items(total: u64) -> (Folio, SqlitePool) {
    let (folio, pool) = db::folio("CREATE TABLE items (id INTEGER PRIMARY KEY)").await;
    for _ in 0..total {
        sqlx::raw_sql("INSERT INTO items DEFAULT VALUES").execute(&pool).await.unwrap();
    }
    (folio, pool)
}

fn select() -> SelectStatement {
    Query::select().column("id").from("items").order_by("id", Order::Asc).take()
}

const ID: Column<i64> = Column::new("id");
const I64_MAX: u64 = i64::MAX.unsigned_abs();

/// Numbers at which an integer could overflow.
const LIMITS: [u64; 16] = [
    0,
    1,
    2,
    3,
    i32::MAX.unsigned_abs() as u64,
    u32::MAX as u64,
    1 << 32,
    (1 << 53) + 1,
    I64_MAX / 2,
    I64_MAX - 1,
    I64_MAX,
    I64_MAX + 1,
    I64_MAX + 2,
    u64::MAX / 2 + 2,
    u64::MAX - 1,
    u64::MAX,
];

/// Page sizes: the limits, and sizes around that of the table.
fn sizes(total: u64) -> Vec<u64> {
    let mut sizes = LIMITS[1..].to_vec();
    sizes.extend([total.saturating_sub(1).max(1), total.max(1), total + 1]);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// The ids on a page, computed without overflow.
fn on_page(total: u64, per_page: u64, page: u64) -> Vec<i64> {
    let first = u128::from(page.max(1) - 1) * u128::from(per_page);
    let last = (first + u128::from(per_page)).min(u128::from(total));
    (first..last).map(|before| i64::try_from(before + 1).unwrap()).collect()
}

fn ids(data: &[Item]) -> Vec<i64> {
    data.iter().map(|item| item.id).collect()
}

const TOTALS: [u64; 6] = [0, 1, 2, 9, 10, 11];
