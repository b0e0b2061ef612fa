//! Cursors that are encoded from the keys of models: columns of every type that SQLite has, up to eight of them, in
//! every direction, with and without NULLs, of two tables and of a schema.

use folio::{CursorDirection, Model, Paginate};
use sea_query::prelude::Uuid;
use sea_query::prelude::chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sea_query::prelude::time::OffsetDateTime;

use super::shapes::Shape;

macro_rules! models {
    ($($model:ident: $($attribute:ident = $value:literal),+;)*) => {
        $(
            #[derive(Debug, PartialEq, sqlx::FromRow, Paginate)]
            #[paginate($($attribute = $value),+)]
            struct $model {
                id: i64,
                live: bool,
                level: i16,
                rank: i32,
                score: Option<i32>,
                share: f64,
                weight: Option<f32>,
                title: String,
                subtitle: Option<String>,
                digest: Vec<u8>,
                token: Uuid,
                day: NaiveDate,
                hour: NaiveTime,
                at: DateTime<Utc>,
                since: OffsetDateTime,
            }

            impl $model {
                /// A row, in which columns that may be NULL are NULL or not.
                fn row(has_values: bool) -> Self {
                    Self {
                        id: i64::from(has_values),
                        live: has_values,
                        level: -7,
                        rank: i32::MAX,
                        score: has_values.then_some(7),
                        share: 0.1,
                        weight: has_values.then_some(1.5),
                        title: "naïve \"quoted\"".into(),
                        subtitle: has_values.then(String::new),
                        digest: vec![0, 255, 7],
                        token: Uuid::from_u128(0xab),
                        day: NaiveDate::from_ymd_opt(2026, 5, 14).unwrap(),
                        hour: NaiveTime::MIN,
                        at: DateTime::UNIX_EPOCH,
                        since: OffsetDateTime::UNIX_EPOCH,
                    }
                }
            }
        )*

        pub(super) fn shapes() -> Vec<Shape> {
            let ways = [(false, CursorDirection::Next), (true, CursorDirection::Next), (true, CursorDirection::Prev)];
            vec![$({
                let tokens = ways.map(|(has_values, way)| $model::row(has_values).cursor_key().encode(way).unwrap());
                let open = |text: &str| <$model as Model>::Key::decode(text).map(drop);
                Shape::of_key(stringify!($model), stringify!($model), tokens.into(), open)
            }),*]
        }
    };
}

models! {
    ById: table = "notes";
    Newest: table = "notes", cursor_key = "id desc";
    ByState: table = "notes", cursor_key = "live desc, level";
    Ranked: table = "notes", cursor_key = "rank";
    RankedDown: table = "notes", cursor_key = "rank desc";
    RankedMixed: table = "notes", cursor_key = "rank desc, id";
    Scored: table = "notes", cursor_key = "score nulls first";
    ScoredLast: table = "notes", cursor_key = "score nulls last";
    ScoredDown: table = "notes", cursor_key = "score desc nulls last";
    Shared: table = "notes", cursor_key = "share, weight desc nulls first";
    Titled: table = "notes", cursor_key = "title, subtitle nulls last";
    Digested: table = "notes", cursor_key = "digest";
    Tokened: table = "notes", cursor_key = "token";
    Dated: table = "notes", cursor_key = "day desc, hour";
    Moments: table = "notes", cursor_key = "at desc, since";
    Eight: table = "notes", cursor_key = "at desc, rank, score nulls last, title desc, digest, token, live, id";
    Twisted: table = "notes", cursor_key = "at desc, score nulls last, rank, title desc, digest, token, live, id";
    Memo: table = "memos";
    RankedMemo: table = "memos", cursor_key = "rank";
    OfSchema: table = "notes", schema = "main";
}
