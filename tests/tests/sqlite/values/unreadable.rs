//! Values that cannot be read or bound as the model's type: an error, and never other rows.

use folio::{Column, CursorDirection, FrameworkError, IntoOrder, Paginate, Pagination, Result};
use sea_query::Query;
use sea_query::prelude::time::{Date, Month, UtcOffset};
use sea_query::prelude::{BigDecimal, Decimal};

use super::{OfU8, bound, written};
use crate::values::models::*;
use crate::values::{Keyed, PER_PAGE, Page, ROWS, Table, assert_refused, of_model, of_select, own_page};

/// A model whose key type the driver lacks, although the rows can be read.
#[derive(Debug, Clone, PartialEq, Paginate)]
#[paginate(table = "t", cursor_key = "v")]
struct Priced {
    id: i64,
    v: Decimal,
}

impl sqlx::FromRow<'_, sqlx::sqlite::SqliteRow> for Priced {
    fn from_row(row: &sqlx::sqlite::SqliteRow) -> sqlx::Result<Self> {
        use sqlx::Row as _;
        let text: String = row.try_get("v")?;
        Ok(Self { id: row.try_get("id")?, v: text.parse().map_err(|error| sqlx::Error::Decode(Box::new(error)))? })
    }
}

#[tokio::test]
async fn a_key_that_the_driver_cannot_bind_is_refused_at_the_first_page() {
    let Table { folio, pool } = written("TEXT NOT NULL", &["'1.10'", "'1.1'", "'2'"]).await;
    let work = async {
        assert_refused(Priced::cursor_paginate(7).await.unwrap_err(), &[], "a model");
        assert_refused(Priced::cursor_paginate(u64::MAX).await.unwrap_err(), &[], "a model on one page");
        assert_eq!(Priced::query().page(2).paginate(7).await.unwrap().data.len(), 7, "other pages need no key");
        let error = Priced::cursor_paginate(7).await.unwrap_err().to_string();
        assert!(error.contains("Decimal") && error.to_lowercase().contains("sqlite"), "{error}");
        let rows = || Query::select().columns(["id", "v"]).from("t").take();
        let id = Column::<i64>::new("id");
        let by_decimal = Pagination::cursor::<(i64, String)>(rows(), None, 7, (Column::<Decimal>::new("v"), id)).await;
        let error = by_decimal.unwrap_err();
        assert!(matches!(&error, FrameworkError::Database(_)) && error.to_string().contains("Decimal"), "{error}");
        let by_big = Pagination::cursor::<(i64, String)>(rows(), None, 7, (Column::<BigDecimal>::new("v"), id)).await;
        let error = by_big.unwrap_err();
        assert!(matches!(&error, FrameworkError::Database(_)) && error.to_string().contains("BigDecimal"), "{error}");
        // The text that the column holds can be walked by.
        let by_text = Pagination::cursor::<(i64, String)>(rows(), None, 7, (Column::<String>::new("v"), id)).await;
        assert_eq!(by_text.unwrap().data.len(), 7);
    };
    folio.scope(work).await;
    sqlx::query("DELETE FROM t").execute(&pool).await.unwrap();
    assert!(folio.scope(Priced::cursor_paginate(7)).await.unwrap().data.is_empty(), "no rows, no keys");
}

/// Rows that cannot be read as the model's type are an error, and are never skipped.
#[tokio::test]
async fn rows_that_cannot_be_read_are_errors() {
    async fn refused<M: Keyed>(declared: &str, values: &[&str]) {
        let table = written(declared, values).await;
        let page = table.folio.scope(own_page::<M>(None)).await;
        assert_refused(page.unwrap_err(), &[], &format!("{declared} {values:?}"));
    }
    refused::<OfUuid>("TEXT NOT NULL", &["'67e55044-10b1-426f-9247-bb680e5fe0c8'"]).await;
    refused::<OfUuid>("BLOB NOT NULL", &["x'00'", "x'01'"]).await;
    refused::<OfI32>("INTEGER NOT NULL", &["-2147483649", "1"]).await;
    refused::<OfU8>("INTEGER NOT NULL", &["-1", "1"]).await;
    refused::<OfI64>("INTEGER NOT NULL", &["1.5", "0.5"]).await;
    refused::<OfI64>("", &["'text'"]).await;
    refused::<OfF64>("DECIMAL(10, 2) NOT NULL", &["1.00", "1.5"]).await;
    refused::<OfString>("INTEGER NOT NULL", &["1", "2"]).await;
    refused::<OfUtc>("TEXT NOT NULL", &["'now'", "''", "'2026-13-45'"]).await;
    refused::<OfOffset>("TEXT NOT NULL", &["'now'", "''", "'2026-13-45'"]).await;
    refused::<OfNaiveDate>("TEXT NOT NULL", &["'14.5.2026'"]).await;
}

/// Milliseconds are far beyond the year 9999 if they are read as seconds, and sqlx panics on them.
#[tokio::test]
async fn milliseconds_that_are_read_as_seconds_are_an_error() {
    let table = written("INTEGER NOT NULL", &["1800000000000", "1800000000001"]).await;
    let work = async {
        assert_refused(own_page::<OfPrimitive>(None).await.unwrap_err(), &["outside"], "by the column");
        let by_id = OfPrimitive::query().cursor_by(OfPrimitive::ID);
        for error in [
            by_id.cursor_paginate(7).await.unwrap_err(),
            OfPrimitive::paginate(7).await.unwrap_err(),
            OfPrimitive::simple_paginate(7).await.unwrap_err(),
        ] {
            assert!(matches!(error, FrameworkError::Database(_)), "{error:?}");
            assert!(error.to_string().contains("panicked") && error.to_string().contains("timestamp"), "{error}");
        }
    };
    table.folio.scope(work).await;
}

/// A walk by a nullable column that the model declares NOT NULL sees every row or is an error. It never skips rows.
#[tokio::test]
async fn undeclared_nulls_lose_no_rows() {
    let table = written("INTEGER", &["NULL", "1", "2", "NULL", "3"]).await;
    let order = OfI32::V.erased().then(OfI32::ID);
    let expected = table.sorted("v, id").await;
    // sqlx reads NULL as 0 on SQLite, so a walk of the model can reach its end.
    let model = table.folio.scope(walked(async |cursor| of_model::<OfI32>(&order, cursor).await)).await;
    let select = table.folio.scope(walked(async |cursor| of_select(&order, cursor).await)).await;
    for (walked, of) in [(model, "a model"), (select, "a select")] {
        match walked {
            Ok(seen) => assert_eq!(seen, expected, "{of}"),
            Err(error) => assert_eq!(error.status(), 500, "{of}: {error}"),
        }
    }
}

/// The ids of all pages.
async fn walked(page: impl AsyncFn(Option<&str>) -> Result<Page>) -> Result<Vec<i64>> {
    let (mut seen, mut next, _) = page(None).await?;
    while let Some(cursor) = next {
        assert!(seen.len() < ROWS, "the walk goes in circles");
        let (ids, on, _) = page(Some(&cursor)).await?;
        seen.extend(ids);
        next = on;
    }
    Ok(seen)
}

/// A value that the driver cannot encode must not shift the values after it.
#[tokio::test]
async fn a_value_that_cannot_be_bound_is_an_error_or_the_right_rows() {
    let at = |year| Date::from_calendar_date(year, Month::January, 1).unwrap().midnight().assume_utc();
    let table = bound("TEXT NOT NULL", vec![at(2026), at(2027)]).await;
    let east = UtcOffset::from_whole_seconds(4_772).unwrap();
    for value in [at(-5), at(2026).to_offset(east)] {
        let work = async {
            let filtered = OfOffset::query().filter(OfOffset::V.gte(value)).page(1).paginate(7).await;
            match filtered {
                Ok(page) => assert_eq!(page.total, ROWS as u64, "{value} is before every row"),
                Err(error) => {
                    assert!(matches!(error, FrameworkError::Domain { status_code: 400, .. }), "{error:?}");
                    assert_eq!(error.to_string(), "the database cannot store a value of this query");
                }
            }
            let token = OfOffset { id: i64::MIN, v: value }.sealed(CursorDirection::Next).unwrap();
            match own_page::<OfOffset>(Some(&token)).await {
                Ok(page) => assert_eq!(page.data.len(), PER_PAGE, "{value} is before every row"),
                // No row has this key, so the stored form of its value is unknown.
                Err(error) => assert_eq!(error.status(), 400, "{error:?}"),
            }
        };
        table.folio.scope(work).await;
    }
}
