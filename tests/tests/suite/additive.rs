//! Features add up: with all three drivers compiled in, a model with types that one of them lacks works on the others,
//! and on that one fails with an error that says so.

use folio::{FrameworkError, Paginate};
use sqlx::Database as _;
use sqlx::types::Decimal;

use crate::server::{Driver, ID, JSON};
use crate::suite::db;

/// The error of a page that this driver cannot read, which names the column, the row's type and the driver.
fn expect_refusal<T: std::fmt::Debug>(page: folio::Result<T>, [column, kind, row]: [&str; 3]) {
    let error = page.unwrap_err();
    assert!(matches!(error, FrameworkError::Database(_)), "{error}");
    let message = error.to_string();
    let words = [&*format!("\"{column}\""), kind, row, Driver::NAME];
    assert!(words.iter().all(|word| message.contains(*word)), "{message}");
}

/// The error of a page that this driver cannot walk, which names the column, its type's variant and the driver.
fn expect_no_key<T: std::fmt::Debug>(page: folio::Result<T>, [column, variant]: [&str; 2]) {
    let error = page.unwrap_err();
    assert!(matches!(error, FrameworkError::Database(_)), "{error}");
    let message = error.to_string();
    let words = [&format!("\"{column}\""), variant, Driver::NAME];
    assert!(words.iter().all(|word| message.contains(*word)), "{message}");
}

#[derive(Debug, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "price desc")]
struct Product {
    id: i64,
    price: Decimal,
}

/// SQLite has no decimals.
#[tokio::test]
async fn a_decimal_is_read_if_the_database_has_them() {
    let (folio, pool) = db::folio(&format!("CREATE TABLE products (id {ID}, price DECIMAL(12, 4) NOT NULL)")).await;
    db::run(&pool, "INSERT INTO products VALUES (1, 0.1000), (2, 12345678.9012), (3, -5.5000)").await;
    let check = async {
        if Driver::NAME == "SQLite" {
            expect_refusal(Product::paginate(2).await, ["price", "Decimal", "Product"]);
            expect_refusal(Product::simple_paginate(2).await, ["price", "Decimal", "Product"]);
            expect_refusal(
                Product::query().cursor_by(Product::ID).cursor_paginate(2).await,
                ["price", "Decimal", "Product"],
            );
            expect_no_key(Product::cursor_paginate(2).await, ["price", "Decimal"]);
            return;
        }
        let prices = |page: &[Product]| page.iter().map(|product| product.price.to_string()).collect::<Vec<_>>();
        let page = Product::query().filter(Product::PRICE.gt(Decimal::ZERO)).paginate(5).await.unwrap();
        assert_eq!((page.total, prices(&page.data)), (2, vec!["0.1000".to_owned(), "12345678.9012".to_owned()]));
        let first = Product::cursor_paginate(2).await.unwrap();
        assert_eq!(prices(&first.data), ["12345678.9012", "0.1000"]);
        let second = Product::query().cursor(first.next_cursor.as_deref()).cursor_paginate(2).await.unwrap();
        assert_eq!(prices(&second.data), ["-5.5000"]);
    };
    folio.scope(check).await;
}

#[derive(Debug, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "views")]
struct Counter {
    id: i64,
    views: u64,
}

/// PostgreSQL has no unsigned integers.
#[tokio::test]
async fn an_unsigned_integer_is_read_if_the_database_has_them() {
    let unsigned = if Driver::NAME == "MySQL" { "BIGINT UNSIGNED" } else { "BIGINT" };
    let (folio, pool) = db::folio(&format!("CREATE TABLE counters (id {ID}, views {unsigned} NOT NULL)")).await;
    db::run(&pool, "INSERT INTO counters VALUES (1, 9223372036854775807), (2, 0)").await;
    let check = async {
        if Driver::NAME == "PostgreSQL" {
            expect_refusal(Counter::paginate(2).await, ["views", "u64", "Counter"]);
            expect_no_key(Counter::cursor_paginate(2).await, ["views", "BigUnsigned"]);
            return;
        }
        let first = Counter::cursor_paginate(1).await.unwrap();
        assert_eq!(first.data, [Counter { id: 2, views: 0 }]);
        let second = Counter::query().cursor(first.next_cursor.as_deref()).cursor_paginate(1).await.unwrap();
        assert_eq!(second.data, [Counter { id: 1, views: 9_223_372_036_854_775_807 }]);
    };
    folio.scope(check).await;
}

#[derive(Debug, PartialEq)]
struct Level(i64);

impl From<i64> for Level {
    fn from(level: i64) -> Self {
        Self(level)
    }
}

/// A field of JSON and one that is converted are read everywhere, so they are not what the error names.
#[derive(Debug, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "series")]
struct Series {
    id: i64,
    #[sqlx(json)]
    labels: Vec<String>,
    #[sqlx(try_from = "i64")]
    level: Level,
    #[sqlx(rename = "all points")]
    points: Option<Vec<i32>>,
}

/// Only PostgreSQL has arrays.
#[tokio::test]
async fn an_array_is_read_if_the_database_has_them() {
    let (array, points) = if Driver::NAME == "PostgreSQL" { ("INTEGER[]", "'{1, 2, 3}'") } else { ("INTEGER", "1") };
    let column = db::quoted("all points");
    let schema =
        format!("CREATE TABLE series (id {ID}, labels {JSON} NOT NULL, level BIGINT NOT NULL, {column} {array})");
    let (folio, pool) = db::folio(&schema).await;
    db::run(&pool, format!("INSERT INTO series VALUES (1, '[\"a\"]', 7, {points})")).await;
    let check = async {
        if Driver::NAME == "PostgreSQL" {
            let row = Series { id: 1, labels: vec!["a".into()], level: Level(7), points: Some(vec![1, 2, 3]) };
            assert_eq!(Series::paginate(5).await.unwrap().data, [row]);
            assert_eq!(Series::cursor_paginate(5).await.unwrap().data.len(), 1);
        } else {
            expect_refusal(Series::paginate(5).await, ["all points", "Vec<i32>", "Series"]);
            expect_refusal(Series::cursor_paginate(5).await, ["all points", "Vec<i32>", "Series"]);
        }
    };
    folio.scope(check).await;
}
