//! Models of the table `t`, by the type of `v`.

use folio_tests::own_types::{Level, Slug};
use sea_query::prelude::Uuid;
use sea_query::prelude::chrono::{DateTime, Local, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use sea_query::prelude::time::{Date, OffsetDateTime, PrimitiveDateTime, Time};

/// Models by the type of `v`, and their cursor keys.
macro_rules! keyed {
    ($($model:ident: $(#[$attribute:meta])? $type:ty = $key:literal;)*) => {$(
        #[derive(Debug, Clone, PartialEq, sqlx::FromRow, folio::Paginate)]
        #[paginate(table = "t", cursor_key = $key)]
        pub(crate) struct $model {
            pub(crate) id: i64,
            $(#[$attribute])?
            pub(crate) v: $type,
        }

        impl $crate::values::Keyed for $model {
            type Value = $type;
            const KEY: &'static str = $key;

            fn id(&self) -> i64 {
                self.id
            }

            fn value(&self) -> $type {
                self.v.clone()
            }

            fn sealed(&self, direction: folio::CursorDirection) -> folio::Result<String> {
                self.cursor_key().encode(direction)
            }

            fn is_at(&self, cursor: &str, direction: folio::CursorDirection) -> bool {
                <$model as folio::Model>::Key::decode(cursor).unwrap() == (self.cursor_key(), direction)
            }
        }
    )*};
}
pub(crate) use keyed;

keyed! {
    OfBool: bool = "v";
    OfI16: i16 = "v";
    OfI32: i32 = "v";
    OfI64: i64 = "v";
    OfF32: f32 = "v";
    OfF64: f64 = "v";
    OfString: String = "v";
    OfBytes: Vec<u8> = "v";
    OfUuid: Uuid = "v";
    OfNaiveDate: NaiveDate = "v";
    OfNaiveTime: NaiveTime = "v";
    OfNaiveDateTime: NaiveDateTime = "v";
    OfUtc: DateTime<Utc> = "v";
    OfDate: Date = "v";
    OfTime: Time = "v";
    OfPrimitive: PrimitiveDateTime = "v";
    OfOffset: OffsetDateTime = "v";
    OfLevel: Level = "v";
    OfLocal: DateTime<Local> = "v";
    OfSlug: #[sqlx(try_from = "String")] Slug = "v";
    MaybeBool: Option<bool> = "v nulls first";
    MaybeI16: Option<i16> = "v nulls last";
    MaybeI32: Option<i32> = "v nulls first";
    MaybeI64: Option<i64> = "v nulls last";
    MaybeF32: Option<f32> = "v nulls last";
    MaybeF64: Option<f64> = "v nulls first";
    MaybeString: Option<String> = "v nulls last";
    MaybeBytes: Option<Vec<u8>> = "v nulls first";
    MaybeUuid: Option<Uuid> = "v nulls first";
    MaybeNaiveDate: Option<NaiveDate> = "v nulls first";
    MaybeNaiveTime: Option<NaiveTime> = "v nulls last";
    MaybeNaiveDateTime: Option<NaiveDateTime> = "v nulls last";
    MaybeUtc: Option<DateTime<Utc>> = "v nulls first";
    MaybeDate: Option<Date> = "v nulls last";
    MaybeTime: Option<Time> = "v nulls first";
    MaybePrimitive: Option<PrimitiveDateTime> = "v nulls last";
    MaybeOffset: Option<OffsetDateTime> = "v nulls last";
    MaybeLevel: Option<Level> = "v nulls last";
}
