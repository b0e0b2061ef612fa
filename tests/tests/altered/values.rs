//! Cursors of single values, of every type.

use folio::{CursorDirection, CursorValue, decode_cursor, encode_cursor};
use sea_query::prelude::chrono::{DateTime, FixedOffset, Local, NaiveDate, TimeZone as _};
use sea_query::prelude::time::{Date, Month, Time, UtcOffset};
use sea_query::prelude::{BigDecimal, Decimal, Uuid};

use super::shapes::Shape;

fn shape<T: CursorValue>(value: T) -> Shape {
    let directions = [CursorDirection::Next, CursorDirection::Prev];
    let tokens = directions
        .into_iter()
        .flat_map(|way| [encode_cursor(&value, way), encode_cursor(&None::<T>, way)].map(folio::Result::unwrap));
    Shape::of_key(T::VARIANT.as_str(), "single values", tokens.collect(), |text| {
        decode_cursor::<Option<T>>(text).map(drop)
    })
}

pub(super) fn shapes() -> Vec<Shape> {
    let mut shapes = vec![
        shape(true),
        shape(-1_i8),
        shape(-1_i16),
        shape(-1_i32),
        shape(i64::MIN),
        shape(1_u8),
        shape(1_u16),
        shape(1_u32),
        shape(u64::MAX),
        shape(1.5_f32),
        shape(-0.0_f64),
        shape("naïve \"quoted\"".to_owned()),
        shape("x".repeat(1_000)),
        shape(vec![0_u8, 255]),
        shape(Uuid::from_u128(0xab)),
        shape(Decimal::new(110, 2)),
        shape(BigDecimal::from(110)),
    ];
    let date = NaiveDate::from_ymd_opt(2026, 5, 14).unwrap();
    let at = date.and_hms_micro_opt(18, 30, 0, 123_456).unwrap();
    let east = FixedOffset::east_opt(20_700).unwrap();
    shapes.extend([shape(date), shape(at.time()), shape(at), shape(at.and_utc())]);
    shapes.extend([
        shape(Local.from_utc_datetime(&at)),
        shape(DateTime::<FixedOffset>::from_naive_utc_and_offset(at, east)),
    ]);
    let date = Date::from_calendar_date(2026, Month::May, 14).unwrap();
    let at = date.with_time(Time::from_hms_nano(18, 30, 0, 123_456_000).unwrap());
    shapes.extend([shape(date), shape(at.time()), shape(at), shape(at.assume_offset(UtcOffset::UTC))]);
    shapes
}
