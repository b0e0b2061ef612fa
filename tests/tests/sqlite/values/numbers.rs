//! Integers and floats.

use folio::CursorDirection;

use super::{OfI8, OfU8, OfU16, OfU32, OfU64, bound, written};
use crate::values::models::*;
use crate::values::{Keyed, ROWS, own_page};

#[tokio::test]
async fn integers_of_other_widths() {
    bound("TINYINT NOT NULL", vec![i8::MIN, -1, 0, 1, 5, i8::MAX]).await.walks_by_hand::<OfI8>().await;
    bound("INTEGER NOT NULL", vec![u8::MIN, 1, 127, 128, u8::MAX]).await.walks_by_hand::<OfU8>().await;
    bound("INTEGER NOT NULL", vec![u16::MIN, 1, 32_768, u16::MAX]).await.walks_by_hand::<OfU16>().await;
    bound("INTEGER NOT NULL", vec![u32::MIN, 1, 1 << 31, u32::MAX]).await.walks_by_hand::<OfU32>().await;
    let wide: Vec<i64> = vec![0, 1, 1 << 31, (1 << 53) + 1, i64::MAX - 1, i64::MAX];
    bound("INTEGER NOT NULL", wide).await.walks_by_hand::<OfU64>().await;
    // A column without a type.
    bound("", vec![1_i64, 2, i64::MAX]).await.walks_by_hand::<OfI64>().await;
}

#[tokio::test]
async fn booleans_with_other_values_than_0_and_1() {
    written("INTEGER NOT NULL", &["0", "1", "2", "-1", "100"]).await.walks::<OfBool>().await;
}

/// SQLite has no integers above `i64::MAX`, so a boundary above it is after every row.
#[tokio::test]
async fn a_boundary_above_every_integer_is_after_every_row() {
    let table = bound("INTEGER NOT NULL", vec![0_i64, 1, i64::MAX]).await;
    let work = async {
        for v in [u64::MAX, 1 << 63] {
            let at = OfU64 { id: 1, v };
            let after = own_page::<OfU64>(Some(&at.sealed(CursorDirection::Next).unwrap())).await.unwrap();
            assert!(after.data.is_empty());
            let before = own_page::<OfU64>(Some(&at.sealed(CursorDirection::Prev).unwrap())).await.unwrap();
            assert_eq!(before.data.last().unwrap().v, i64::MAX.unsigned_abs());
        }
        let all = OfU64::query().filter(OfU64::V.lt(u64::MAX)).page(1).paginate(1).await.unwrap();
        assert_eq!(all.total, ROWS as u64);
    };
    table.folio.scope(work).await;
}

#[tokio::test]
async fn floats_with_infinities_and_nan() {
    let doubles = vec![f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, -5e-324, 0.0, -0.0, 1e15];
    bound("REAL NOT NULL", doubles.clone()).await.walks_by_hand::<OfF64>().await;
    bound("DOUBLE PRECISION NOT NULL", doubles.clone()).await.walks_by_hand::<OfF64>().await;
    let nullable = doubles.into_iter().map(Some).chain([None, None, None]).collect();
    bound("REAL", nullable).await.walks_by_hand::<MaybeF64>().await;
    // SQLite stores NaN as NULL.
    bound("REAL", vec![f64::NAN, 1.0, 2.0]).await.walks_by_hand::<MaybeF64>().await;
    let floats = vec![0.1_f32, 0.2, 0.3, -0.1, f32::MAX, f32::MIN, f32::INFINITY, 1e-45, 16_777_216.0, 0.0];
    bound("REAL NOT NULL", floats).await.walks_by_hand::<OfF32>().await;
}

/// The column holds values that no `f32` has, and rows that are equal as `f32`.
#[tokio::test]
async fn floats_that_the_model_reads_with_less_precision() {
    let finer = ["0.1", "0.1000000000001", "0.10000000149011612", "0.3", "0.30000000000000004", "-0.7", "1e300", "3"];
    written("REAL NOT NULL", &finer).await.walks::<OfF32>().await;
    written("FLOAT", &["0.1", "NULL", "0.1000000000001", "0.3", "NULL"]).await.walks::<MaybeF32>().await;
}
