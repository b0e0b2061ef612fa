//! Models of two tables, and the ways to open their cursors.

use std::future::Future;
use std::pin::Pin;

use folio::{Builder, CursorDirection, CursorPaginator, Folio, Model, Paginate, Result};
use sea_query::prelude::{
    chrono::{DateTime, Utc},
    uuid::Uuid,
};
use sqlx::SqlitePool;

use crate::suite::db;

/// A model whose cursors are tested, through its key alone.
pub(super) trait Listed: Model + 'static {
    const NAME: &'static str;
    fn encode(&self, direction: CursorDirection) -> Result<String>;
    fn decode(cursor: &str) -> Result<CursorDirection>;
}

macro_rules! listed {
    ($($model:ident: $($attribute:ident = $value:literal),+;)*) => {$(
        #[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
        #[paginate($($attribute = $value),+)]
        pub(super) struct $model {
            pub(super) id: i64,
            pub(super) rank: i32,
            pub(super) score: Option<i32>,
            pub(super) title: String,
            pub(super) digest: Vec<u8>,
            pub(super) token: Uuid,
            pub(super) at: DateTime<Utc>,
        }

        impl Listed for $model {
            const NAME: &'static str = stringify!($model);

            fn encode(&self, direction: CursorDirection) -> Result<String> {
                self.cursor_key().encode(direction)
            }

            fn decode(cursor: &str) -> Result<CursorDirection> {
                <$model as Model>::Key::decode(cursor).map(|(_, direction)| direction)
            }
        }
    )*};
}

listed! {
    Note: table = "notes";
    Newest: table = "notes", cursor_key = "id desc";
    Ranked: table = "notes", cursor_key = "rank";
    RankedDown: table = "notes", cursor_key = "rank desc";
    RankedMixed: table = "notes", cursor_key = "rank desc, id";
    Scored: table = "notes", cursor_key = "score nulls first";
    ScoredLast: table = "notes", cursor_key = "score nulls last";
    ScoredRanked: table = "notes", cursor_key = "score desc nulls last, rank, id";
    Titled: table = "notes", cursor_key = "title";
    Digested: table = "notes", cursor_key = "digest";
    Tokened: table = "notes", cursor_key = "token";
    Dated: table = "notes", cursor_key = "at desc";
    Memo: table = "memos";
    RankedMemo: table = "memos", cursor_key = "rank";
    MainNote: table = "notes", schema = "main";
    MainMemo: table = "memos", schema = "main";
}

/// Two tables of the same columns, with twelve rows each.
pub(super) async fn notes() -> (Folio, SqlitePool) {
    let (folio, pool) = db::folio(
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, score INTEGER, title TEXT NOT NULL,
                             digest BLOB NOT NULL, token BLOB NOT NULL, at TEXT NOT NULL);
         CREATE TABLE memos (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, score INTEGER, title TEXT NOT NULL,
                             digest BLOB NOT NULL, token BLOB NOT NULL, at TEXT NOT NULL);",
    )
    .await;
    for id in 1..=12_u8 {
        let title = ["", "a", "naïve \"quoted\"", "日本"][usize::from(id % 4)];
        sqlx::query("INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?, ?)")
            .bind(id)
            .bind(id / 3)
            .bind((id % 4 != 0).then_some(id / 4))
            .bind(title)
            .bind([id, 0, 255].repeat(3))
            .bind(Uuid::from_bytes([id.wrapping_mul(151); 16]))
            .bind(DateTime::<Utc>::from_timestamp(1_800_000_000 + i64::from(id) / 2, 123_456_789))
            .execute(&pool)
            .await
            .unwrap();
    }
    sqlx::raw_sql("INSERT INTO memos SELECT * FROM notes").execute(&pool).await.unwrap();
    (folio, pool)
}

pub(super) async fn page<M: Model>(cursor: Option<&str>) -> Result<CursorPaginator<M>> {
    Builder::<M>::new().cursor(cursor).cursor_paginate(3).await
}

pub(super) type Boxed<T> = Pin<Box<dyn Future<Output = T>>>;

/// Cursors of one model, and two ways to open them.
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) tokens: Vec<String>,
    pub(super) decode: fn(&str) -> Result<CursorDirection>,
    pub(super) page: fn(String) -> Boxed<Result<()>>,
}

impl Shape {
    pub(super) async fn of<M: Listed>() -> Self {
        let first = page::<M>(None).await.unwrap();
        let second = page::<M>(first.next_cursor.as_deref()).await.unwrap();
        let by_hand = [CursorDirection::Next, CursorDirection::Prev].map(|way| first.data[2].encode(way).unwrap());
        let tokens = by_hand.into_iter().chain([second.next_cursor.unwrap(), second.prev_cursor.unwrap()]).collect();
        let page =
            |cursor: String| -> Boxed<Result<()>> { Box::pin(async move { page::<M>(Some(&cursor)).await.map(drop) }) };
        Self { name: M::NAME, tokens, decode: M::decode, page }
    }

    /// One of each shape: one or several columns, with and without NULLs, of every kind of type.
    pub(super) async fn all() -> Vec<Self> {
        vec![
            Self::of::<Note>().await,
            Self::of::<Ranked>().await,
            Self::of::<Scored>().await,
            Self::of::<ScoredRanked>().await,
            Self::of::<Titled>().await,
            Self::of::<Digested>().await,
            Self::of::<Tokened>().await,
            Self::of::<Dated>().await,
        ]
    }
}
