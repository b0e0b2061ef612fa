//! Values that a client may send and a database cannot store: the result is a page if the database can compare with
//! them, or else a 400, but never a failure of the database.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::routing::get;
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use folio::{ActiveRequest, Builder, Column, CursorDirection, DB, Filter, FilterExpr, Folio, FrameworkError};
use folio::{LengthAwarePaginator, Paginate, Select};
use futures_util::TryStreamExt as _;
use sea_query::prelude::chrono;
use sea_query::{Expr, ExprTrait as _, Query, Value};
use sqlx::Database as _;
use tower::ServiceExt as _;

use crate::server::{self, ID, TEXT};
use crate::suite::db;

#[derive(Debug, Clone, PartialEq, serde::Serialize, sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "title")]
struct Note {
    id: i64,
    title: String,
    size: i64,
}

const UNSIGNED: Column<u64> = Column::new("size");
const DAY: Column<NaiveDate> = Column::new("day");
const MOMENT: Column<NaiveDateTime> = Column::new("moment");

const NULS: [&str; 4] = ["\0", "a\0", "\0a", "a\0b"];

async fn notes() -> (Folio, db::Pool) {
    let moment = if is_postgres() { "TIMESTAMP" } else { "DATETIME" };
    db::folio(&format!(
        "CREATE TABLE notes (id {ID}, title {TEXT} NOT NULL, size BIGINT NOT NULL, day DATE NOT NULL, \
             moment {moment} NOT NULL); \
         INSERT INTO notes VALUES (1, 'a', 1, '2026-01-01', '2026-01-01 00:00:00'), \
             (2, 'b', 2, '2026-01-02', '2026-01-02 00:00:00')"
    ))
    .await
}

fn is_postgres() -> bool {
    server::Driver::NAME == "PostgreSQL"
}

/// What every way to read a list makes of a filter.
async fn outcomes<M>(filter: FilterExpr<M>) -> Vec<folio::Result<Vec<i64>>>
where
    FilterExpr<M>: Filter<Note> + Clone,
{
    let ids = |rows: Vec<Note>| rows.into_iter().map(|note| note.id).collect::<Vec<_>>();
    let query = || -> Builder<Note> { Note::query().filter(filter.clone()) };
    let select = || {
        let select = Query::select().columns(["id", "title", "size"]).from("notes").cond_where(filter.clone()).take();
        Select::<Note>::model(select).order_by(Note::ID)
    };
    vec![
        query().paginate(5).await.map(|page| ids(page.data)),
        query().order_by_desc(Note::TITLE).simple_paginate(5).await.map(|page| ids(page.data)),
        query().estimated_total().page(2).paginate(1).await.map(|page| ids(page.data)),
        query().cursor_paginate(5).await.map(|page| ids(page.data)),
        query().cursor_stream(1).try_collect().await.map(ids),
        select().paginate(5).await.map(|page| ids(page.data)),
        select().simple_paginate(5).await.map(|page| ids(page.data)),
        select().cursor_paginate(5).await.map(|page| ids(page.data)),
    ]
}

/// The error for the client.
fn assert_refused(error: &FrameworkError, text: &str) {
    assert!(matches!(error, FrameworkError::Domain { status_code: 400, .. }), "{error:?}");
    assert_eq!(error.to_string(), text);
}

#[tokio::test]
async fn a_text_with_a_nul_character_does_not_fail() {
    let (folio, _pool) = notes().await;
    let check = async {
        for text in NULS {
            let title = Note::TITLE;
            for filter in [
                title.eq(text),
                title.ne(text),
                title.lt(text),
                title.between("", text),
                title.is_in(["a", text]),
                title.any_of(["a", text]),
                title.like(text),
                title.contains(text),
                title.starts_with(text),
                title.icontains(text),
                Note::ID.eq(7).or(title.eq(text).not()),
                title.eq(Expr::val(Value::Char(Some('\0')))),
                Note::ID.gt(0).or(Expr::val(serde_json::json!([{ "text": text }])).is_null()),
            ] {
                for outcome in outcomes(filter.clone()).await {
                    match outcome {
                        Err(error) if is_postgres() => {
                            assert_refused(&error, "the database cannot store a text with a NUL character");
                        }
                        outcome => assert!(outcome.is_ok() && !is_postgres(), "{filter:?}: {outcome:?}"),
                    }
                }
            }
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_comparison_with_a_missing_text_is_exact() {
    let (folio, _pool) = notes().await;
    let check = async {
        for text in NULS.into_iter().filter(|_| !is_postgres()) {
            assert_eq!(Note::query().filter(Note::TITLE.eq(text)).paginate(5).await.unwrap().total, 0, "{text:?}");
            assert_eq!(Note::query().filter(Note::TITLE.any_of(["b", text])).paginate(5).await.unwrap().total, 1);
            for filter in [Note::TITLE.contains(text), Note::TITLE.starts_with(text), Note::TITLE.icontains(text)] {
                assert_eq!(Note::query().filter(filter).paginate(5).await.unwrap().total, 0, "{text:?}");
            }
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_search_text_that_is_too_long_is_a_400() {
    let (folio, _pool) = notes().await;
    let check = async {
        let text = "a".repeat(60_000);
        for filter in [Note::TITLE.contains(&text), Note::TITLE.starts_with(&text), Note::TITLE.icontains(&text)] {
            match Note::query().filter(filter).paginate(5).await {
                Ok(page) => assert_eq!((page.total, server::Driver::NAME == "SQLite"), (0, false)),
                Err(error) => assert_refused(&error, "the search text is too long"),
            }
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn an_integer_above_the_columns_range_does_not_fail() {
    let (folio, _pool) = notes().await;
    let select = |filter: FilterExpr| {
        let select = Query::select().column("id").from("notes").cond_where(filter).take();
        Select::<(i64,)>::from(select).order_by(Note::ID)
    };
    let check = async {
        for number in [1 << 63, u64::MAX] {
            for (filter, found) in [
                (UNSIGNED.eq(number), 0),
                (UNSIGNED.lt(number), 2),
                (UNSIGNED.is_in([1, number]), 1),
                (UNSIGNED.any_of([1, number]), 1),
            ] {
                let pages = [
                    Note::query().filter(filter.clone()).paginate(5).await.map(|page| page.total),
                    select(filter).paginate(5).await.map(|page| page.total),
                ];
                for page in pages {
                    match page {
                        Err(error) if is_postgres() => {
                            assert_refused(&error, "the database cannot store an integer above 9223372036854775807");
                        }
                        page => assert_eq!(page.ok(), (!is_postgres()).then_some(found), "{number}"),
                    }
                }
            }
        }
        // Up to there, it is a number like any other.
        assert_eq!(Note::query().filter(UNSIGNED.lt((1 << 63) - 1)).paginate(5).await.unwrap().total, 2);
    };
    folio.scope(check).await;
}

/// NaN has no place in an order, and only PostgreSQL stores it.
#[tokio::test]
async fn nan_does_not_fail() {
    let (folio, _pool) = notes().await;
    let size = Column::<f64>::new("size");
    let check = async {
        for filter in [size.eq(f64::NAN), size.lt(f64::NAN), size.is_in([1.0, f64::NAN])] {
            for outcome in outcomes(filter).await {
                match outcome {
                    Err(error) => {
                        assert!(!is_postgres());
                        assert_refused(&error, "the database cannot store NaN");
                    }
                    Ok(_) => assert!(is_postgres()),
                }
            }
        }
        let list = Note::query().cursor_by((size, Note::ID)).seek(f64::NAN);
        assert_refused(&list.cursor_paginate(5).await.unwrap_err(), "The list cannot begin at NaN");
    };
    folio.scope(check).await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "notes", cursor_key = "moment, id")]
struct Timed {
    #[expect(dead_code, reason = "only the order has it")]
    id: i64,
    #[expect(dead_code, reason = "only the order has it")]
    moment: NaiveDateTime,
}

/// Only SQLite keeps a leap second, as it keeps any text. The others would compare with the second after it.
#[tokio::test]
async fn a_leap_second_equals_no_other() {
    let (folio, pool) = notes().await;
    db::run(&pool, "ALTER TABLE notes ADD COLUMN clock TIME").await;
    db::run(&pool, "UPDATE notes SET moment = '2017-01-01 00:00:00', clock = '23:59:59'").await;
    if server::Driver::NAME != "SQLite" {
        db::run(&pool, "UPDATE notes SET clock = '24:00:00' WHERE id = 2").await;
    }
    let clock = Column::<NaiveTime>::new("clock");
    let utc = Column::<chrono::DateTime<chrono::Utc>>::new("moment");
    let leap = NaiveDate::from_ymd_opt(2016, 12, 31).unwrap().and_hms_milli_opt(23, 59, 59, 1_500).unwrap();
    let check = async {
        for filter in [
            clock.eq(leap.time()),
            clock.is_in([leap.time()]),
            MOMENT.eq(leap),
            MOMENT.gt(leap).and(MOMENT.lt(leap)),
            utc.eq(leap.and_utc()),
        ] {
            for outcome in outcomes(filter).await {
                match outcome {
                    Err(error) => {
                        let text = "the database cannot store a leap second";
                        assert_refused(&error, text);
                    }
                    Ok(rows) => assert!(rows.is_empty() && server::Driver::NAME == "SQLite", "{rows:?}"),
                }
            }
        }
        let page = Timed::query().seek(leap).cursor_paginate(5).await;
        match page {
            Err(error) => assert_refused(&error, "the database cannot store a leap second"),
            Ok(page) => assert!(page.data.len() == 2 && server::Driver::NAME == "SQLite"),
        }
    };
    folio.scope(check).await;
}

/// A client can write a date of any year.
#[tokio::test]
async fn a_distant_date_does_not_fail() {
    let (folio, _pool) = notes().await;
    let check = async {
        let years = [-262_000, -9_999, -4_714, -4_712, -1, 0, 1, 9_999, 10_000, 99_999, 262_000];
        let firsts = years.map(|year| (year, 1, 1));
        // The first day of PostgreSQL, and the day before.
        for (year, month, day) in firsts.into_iter().chain([(-4_713, 11, 23), (-4_713, 11, 24)]) {
            let day = NaiveDate::from_ymd_opt(year, month, day).unwrap();
            let moment = day.and_hms_opt(0, 0, 0).unwrap();
            for filter in [DAY.eq(day), DAY.lt(day), MOMENT.eq(moment), MOMENT.is_in([moment])] {
                match Note::query().filter(filter).paginate(5).await {
                    Err(error) if is_postgres() => {
                        assert!(year < -4_713 || day.to_string() == "-4713-11-23", "{day}: {error}");
                        assert_refused(&error, "the database cannot store a date before 4714-11-24 BC");
                    }
                    Err(error) => {
                        assert!(server::Driver::NAME == "MySQL" && !(0..=9_999).contains(&year), "{day}: {error}");
                        assert_refused(&error, "the database cannot store a date outside the years 0 to 9999");
                    }
                    Ok(page) => assert!(page.total == 0 || year > 2026, "{day}"),
                }
            }
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_key_with_a_nul_character_does_not_fail() {
    let (folio, _pool) = notes().await;
    let check = async {
        let cursor = NoteKey { title: "a\0".to_owned(), id: 1 }.encode(CursorDirection::Next).unwrap();
        match Note::query().cursor(Some(&cursor)).cursor_paginate(5).await {
            Err(error) => assert_refused(&error, "the database cannot store a text with a NUL character"),
            Ok(_) => assert!(!is_postgres()),
        }
    };
    folio.scope(check).await;
}

/// The statement was never sent, so the transaction is as it was.
#[tokio::test]
async fn a_refused_value_does_not_end_the_transaction() {
    let (folio, _pool) = notes().await;
    let check = DB::transaction(async || {
        db::here("INSERT INTO notes VALUES (3, 'c', 3, '2026-01-03', '2026-01-03 00:00:00')").await?;
        let page = Note::query().filter(Note::TITLE.eq("\0")).paginate(5).await;
        assert_eq!(page.is_err(), is_postgres());
        Ok::<_, FrameworkError>(Note::query().paginate(5).await?.total)
    });
    assert_eq!(folio.scope(check).await.unwrap(), 3);
}

/// The list of a service: `?q=` is a text in the title.
async fn listed() -> folio::Result<LengthAwarePaginator<Note>> {
    let request = ActiveRequest::current().unwrap();
    Note::query().filter_if(request.value("q").map(|text| Note::TITLE.contains(&text))).paginate(5).await
}

#[tokio::test]
async fn a_service_responds_to_a_nul_character() {
    let (folio, _pool) = notes().await;
    let app = Router::new().route("/notes", get(listed)).layer(folio.layer());
    for (uri, status) in [("/notes?q=a", 200), ("/notes?q=%00", 400), ("/notes?q=a%00b", 400)] {
        let response = app.clone().oneshot(Request::get(uri).body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), if is_postgres() { status } else { 200 }, "{uri}");
    }
}
