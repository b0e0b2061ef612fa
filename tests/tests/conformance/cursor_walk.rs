//! Walks by cursor over a real table, step by step.

use folio::{CursorPaginator, Model, Paginate};
use folio_tests::cases::read;
use folio_tests::sqlite as db;
use serde_json::Value;
use sqlx::SqlitePool;
use uuid::Uuid;

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    key_type: String,
    rows: Vec<Value>,
    per_page: u64,
    steps: Vec<Step>,
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Step {
    Insert { insert: Vec<Value> },
    Delete { delete: Vec<Value> },
    Go { go: String, rows: Vec<Value>, has_next: bool, has_prev: bool },
}

/// A table that has only its key, and the form of the key in the file.
trait Keyed: Model {
    const SCHEMA: &'static str;
    fn key(&self) -> Value;
    async fn run(pool: &SqlitePool, sql: &'static str, key: &Value);
}

macro_rules! keyed {
    ($($model:ident($type:ty: $sql:literal) = $read:expr, $write:expr;)*) => {$(
        #[derive(sqlx::FromRow, Paginate)]
        #[paginate(table = "t")]
        struct $model {
            id: $type,
        }

        impl Keyed for $model {
            const SCHEMA: &'static str = concat!("CREATE TABLE t (id ", $sql, " PRIMARY KEY NOT NULL)");

            fn key(&self) -> Value {
                let write: fn(&$type) -> Value = $write;
                write(&self.id)
            }

            async fn run(pool: &SqlitePool, sql: &'static str, key: &Value) {
                let read: fn(&Value) -> $type = $read;
                sqlx::query(sql).bind(read(key)).execute(pool).await.unwrap();
            }
        }
    )*};
}

keyed! {
    Int(i32: "INTEGER") = |key| key.as_i64().unwrap().try_into().unwrap(), |id| Value::from(*id);
    BigInt(i64: "INTEGER") = |key| key.as_str().unwrap().parse().unwrap(), |id| Value::from(id.to_string());
    Text(String: "TEXT") = |key| key.as_str().unwrap().to_owned(), |id| Value::from(id.as_str());
    Id(Uuid: "BLOB") = |key| key.as_str().unwrap().parse().unwrap(), |id| Value::from(id.to_string());
}

async fn run<M: Keyed>(case: &Case) {
    let (folio, pool) = db::folio(M::SCHEMA).await;
    let insert = "INSERT INTO t (id) VALUES (?)";
    for key in &case.rows {
        M::run(&pool, insert, key).await;
    }
    let mut page: Option<CursorPaginator<M>> = None;
    for (at, step) in case.steps.iter().enumerate() {
        match step {
            Step::Insert { insert: keys } => {
                for key in keys {
                    M::run(&pool, insert, key).await;
                }
            }
            Step::Delete { delete } => {
                for key in delete {
                    M::run(&pool, "DELETE FROM t WHERE id = ?", key).await;
                }
            }
            Step::Go { go, rows, has_next, has_prev } => {
                let cursor = match (go.as_str(), page) {
                    ("start", _) => None,
                    ("next", Some(page)) => Some(page.next_cursor.unwrap()),
                    ("prev", Some(page)) => Some(page.prev_cursor.unwrap()),
                    _ => panic!("{}: a step of another name: {go}", case.name),
                };
                let query = folio::Builder::<M>::new().cursor(cursor.as_deref());
                let reached = folio.scope(query.cursor_paginate(case.per_page)).await.unwrap();
                let seen: Vec<Value> = reached.data.iter().map(Keyed::key).collect();
                assert_eq!(&seen, rows, "{} step {at}", case.name);
                let cursors = (reached.next_cursor.is_some(), reached.prev_cursor.is_some());
                assert_eq!(cursors, (*has_next, *has_prev), "{} step {at}", case.name);
                page = Some(reached);
            }
        }
    }
}

#[tokio::test]
async fn every_walk_matches_the_reference() {
    let cases: Vec<Case> = read("cursor_walk");
    for case in &cases {
        match case.key_type.as_str() {
            "int" => run::<Int>(case).await,
            "bigint" => run::<BigInt>(case).await,
            "string" => run::<Text>(case).await,
            "uuid" => run::<Id>(case).await,
            other => panic!("a key of another type: {other}"),
        }
    }
    assert_eq!(cases.len(), 64);
}
