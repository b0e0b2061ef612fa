//! SQLite stores moments as texts, and sqlx reads several texts as the same moment. Comparisons find the rows whose
//! moments are equal, later or earlier, however they are written.

use std::hash::Hash;

use folio::sea_query::prelude::chrono::{DateTime, TimeDelta, Utc};
use folio::sea_query::{Expr, Func};
use folio::{Builder, Column, FilterExpr, Paginate, Result, load};
use folio_tests::recorder::record_statements;

use crate::server;
use crate::suite::db;
use crate::values::models::{MaybeUtc, OfLocal, OfNaiveDateTime, OfOffset, OfPrimitive, OfUtc};
use crate::values::{Keyed, Table};

/// Three moments of one second and others around them, as sqlx's two libraries of dates and CURRENT_TIMESTAMP write
/// them, and in between. The first of 1970 and the last of 9999 have no day before or after them.
const TEXTS: [&str; 30] = [
    "2026-05-14 18:30:00",
    "2026-05-14 18:30",
    "2026-05-14T18:30Z",
    "2026-05-14 18:30:00.0",
    "2026-05-14 18:30:00.000000000",
    "2026-05-14T18:30:00Z",
    "2026-05-14T18:30:00+00:00",
    "2026-05-14T18:30:00.000+00:00",
    "2026-05-14 18:30:00.5",
    "2026-05-14T18:30:00.50Z",
    "2026-05-14T18:30:00.500000+00:00",
    "2026-05-14T18:30:00.45",
    "2026-05-14T18:30:00.000000001Z",
    "2026-05-14 18:29:59.999999999",
    "2026-05-14T18:29:59.9996Z",
    "2026-05-13T23:59:59Z",
    "2026-05-14 00:00:00",
    "2026-05-14T23:59:59.9999999",
    "2026-05-15 00:00:00",
    "2026-05-15T00:00:00Z",
    "2026-05-16 00:00:00",
    "2026-05-12T00:00:00Z",
    "1969-12-31T23:59:59.5Z",
    "1969-12-31 23:59:59.5",
    "1969-12-31T00:00:00.5Z",
    "1970-01-01 00:00:00",
    "9999-12-31 23:59:59.999999999",
    "9999-12-31T23:59:59.999999999Z",
    "0000-01-01 00:00:00",
    "0000-01-01T00:00:00Z",
];

/// Texts of one moment, and of a later one, in several zones.
const OFFSETS: [&str; 7] = [
    "2026-05-14T20:30:00+02:00",
    "2026-05-15T08:30:00.000+14:00",
    "2026-05-14T06:30:00-12:00",
    "2026-05-13T19:00:00-23:30",
    "2026-05-14T20:30:00.5+02:00",
    "2026-05-14 12:30:00.500-06:00",
    "2026-05-16T17:59:59+23:59",
];

fn quoted(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| format!("'{text}'")).collect()
}

#[tokio::test]
async fn a_moment_with_a_zone_finds_every_text_of_it() {
    let texts = [&TEXTS[..], &OFFSETS].concat();
    for (declared, index) in [("DATETIME NOT NULL", "v, id"), ("TEXT NOT NULL", "id")] {
        let table = Table::new(server::pool(1).await, declared, index, &quoted(&texts)).await;
        compares::<OfUtc>(&table).await;
        compares::<OfLocal>(&table).await;
    }
    let mut texts = quoted(&texts);
    texts.push("NULL".to_owned());
    compares::<MaybeUtc>(&Table::new(server::pool(1).await, "DATETIME", "v, id", &texts).await).await;
}

#[tokio::test]
async fn a_moment_without_a_zone_finds_every_text_of_it() {
    let texts = [&TEXTS[..], &OFFSETS].concat();
    let table = Table::new(server::pool(1).await, "TIMESTAMP NOT NULL", "v, id", &quoted(&texts)).await;
    compares::<OfNaiveDateTime>(&table).await;
}

/// chrono reads spaces before an offset, one without a colon, and nine digits of more.
#[tokio::test]
async fn a_moment_finds_the_texts_that_only_chrono_reads() {
    const RARE: [&str; 6] = [
        "2026-05-14 20:30:00 +02:00",
        "2026-05-14 20:30:00 +0200",
        "2026-05-14 14:30:00.50-0400",
        "2026-05-14 18:30 +00:00",
        "2026-05-14 18:30:00.1234567891234Z",
        "2026-05-14 18:30:00.123456789",
    ];
    let texts = [&TEXTS[..], &OFFSETS, &RARE].concat();
    let table = Table::new(server::pool(1).await, "DATETIME NOT NULL", "v, id", &quoted(&texts)).await;
    compares::<OfUtc>(&table).await;
    compares::<OfNaiveDateTime>(&table).await;
}

/// A moment beyond the year 9999 is later than all texts. One that is stored as a number is found by no comparison.
#[tokio::test]
async fn bounds_may_be_outside_of_the_years_of_texts() {
    let values: Vec<String> = quoted(&TEXTS).into_iter().chain(["1778783401".to_owned()]).collect();
    let table = Table::new(server::pool(1).await, "DATETIME NOT NULL", "v, id", &values).await;
    let work = async {
        let rows = all::<OfUtc>(Builder::new()).await?;
        let numbers: Vec<(i64,)> =
            sqlx::query_as("SELECT id FROM t WHERE typeof(v) = 'integer'").fetch_all(&table.pool).await.unwrap();
        let is_text = |row: &&OfUtc| !numbers.contains(&(row.id,));
        let texts: Vec<i64> = expected(&rows.iter().filter(is_text).cloned().collect::<Vec<_>>(), |_| true);
        assert!(numbers.len() > 2 && texts.len() > 100);
        let (first, last) = (DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC);
        let v = column::<OfUtc>();
        for (filter, ids) in [
            (v.lte(last), &texts),
            (v.gte(first), &texts),
            (v.between(first, last), &texts),
            (
                v.ne(rows[0].v),
                &expected(&rows.iter().filter(is_text).cloned().collect::<Vec<_>>(), |v| *v != rows[0].v),
            ),
            (v.gt(last), &vec![]),
            (v.lt(first), &vec![]),
            (v.is_in([last, first]), &vec![]),
            (v.is_in([last, rows[0].v]), &expected(&rows, |v| *v == rows[0].v)),
        ] {
            assert_eq!(&ids_of(&all(Builder::<OfUtc>::new().filter(filter.clone())).await?), ids, "{filter:?}");
        }
        let feed = Builder::<OfUtc>::new().among(v, [last, rows[0].v]);
        assert_eq!(ids_of(&all(feed).await?), expected(&rows, |v| *v == rows[0].v));
        Ok::<_, folio::FrameworkError>(())
    };
    table.folio.scope(work).await.unwrap();
}

/// A type of time without a zone reads no text with an offset.
#[tokio::test]
async fn a_moment_of_time_finds_every_text_of_it() {
    let texts: Vec<&str> = TEXTS.into_iter().filter(|text| !text.contains('+')).collect();
    let table = Table::new(server::pool(1).await, "DATETIME NOT NULL", "v, id", &quoted(&texts)).await;
    compares::<OfPrimitive>(&table).await;
    let texts = [&TEXTS[..], &OFFSETS].concat();
    let table = Table::new(server::pool(1).await, "DATETIME NOT NULL", "v, id", &quoted(&texts)).await;
    compares::<OfOffset>(&table).await;
}

/// Compares with the value of each text, in every way that a model's query has. The oracle compares in Rust what sqlx
/// reads.
async fn compares<M: Keyed + Clone>(table: &Table)
where
    M::Value: Ord + Hash + Send + Sync + std::fmt::Debug,
{
    let work = async {
        let rows = all::<M>(Builder::new()).await?;
        let mut values: Vec<M::Value> = rows.iter().map(Keyed::value).collect();
        values.sort_unstable();
        values.dedup();
        assert!(values.len() > 12, "{values:?}");
        for value in &values {
            compares_with(&rows, value).await?;
        }
        for pair in values.windows(2) {
            let [low, high] = pair else { unreachable!() };
            let within = |row: &M::Value| !is_null(low) && low <= row && row <= high;
            finds(&rows, column::<M>().between(low.clone(), high.clone()), within, "between").await?;
            let in_list = |row: &M::Value| !is_null(row) && pair.contains(row);
            finds(&rows, column::<M>().is_in(pair.to_vec()), in_list, "is_in").await?;
            finds(&rows, column::<M>().any_of(pair.to_vec()), in_list, "any_of").await?;
            let not_in = |row: &M::Value| !is_null(row) && !pair.contains(row) && !pair.iter().any(is_null);
            finds(&rows, column::<M>().is_not_in(pair.to_vec()), not_in, "is_not_in").await?;
            let feed = || Builder::<M>::new().among(column::<M>(), pair.to_vec());
            assert_eq!(ids_of(&all(feed()).await?), expected(&rows, in_list), "among {pair:?}");
            let page = feed().cursor(None).cursor_paginate(1_000).await?.data;
            assert_eq!(ids_of(&page), expected(&rows, in_list), "a cursor page among {pair:?}");
        }
        let each = Builder::<M>::new().each_of(column::<M>(), values.clone()).first(1_000).await?;
        let same = load::many(Builder::<M>::new(), column::<M>(), Keyed::value);
        let page = Builder::<M>::new().page(1).paginate(1_000).await?.load(same).await?;
        for value in &values {
            let equal = expected(&rows, |row| !is_null(row) && row == value);
            assert_eq!(ids_of(&each[value]), equal, "each_of {value:?}");
            let (_, loaded) = page.data.iter().find(|(row, _)| row.value() == *value).unwrap();
            assert_eq!(ids_of(loaded), equal, "load {value:?}");
        }
        Ok::<_, folio::FrameworkError>(())
    };
    table.folio.scope(work).await.unwrap();
}

/// Compares with one value.
async fn compares_with<M: Keyed>(rows: &[M], value: &M::Value) -> Result<()>
where
    M::Value: Ord + Send + Sync + std::fmt::Debug,
{
    let of = |compare: fn(&M::Value, &M::Value) -> bool| {
        move |row: &M::Value| !is_null(row) && !is_null(value) && compare(row, value)
    };
    let (column, given) = (column::<M>(), || value.clone());
    finds(rows, column.eq(given()), of(M::Value::eq), "eq").await?;
    finds(rows, column.eq(given()).not(), of(M::Value::ne), "not eq").await?;
    finds(rows, column.ne(given()), of(M::Value::ne), "ne").await?;
    finds(rows, column.gt(given()), of(M::Value::gt), "gt").await?;
    finds(rows, column.gte(given()), of(M::Value::ge), "gte").await?;
    finds(rows, column.lt(given()), of(M::Value::lt), "lt").await?;
    finds(rows, column.lte(given()), of(M::Value::le), "lte").await?;
    // An expression compares as its column does.
    let by = || Column::<M::Value>::expr("touched", Func::coalesce([column.to_expr(), column.to_expr()]));
    finds(rows, by().eq(given()), of(M::Value::eq), "an expression eq").await?;
    finds(rows, by().ne(given()), of(M::Value::ne), "an expression ne").await?;
    finds(rows, by().gt(given()), of(M::Value::gt), "an expression gt").await?;
    finds(rows, by().gte(given()), of(M::Value::ge), "an expression gte").await?;
    finds(rows, by().lt(given()).or(by().is_null()).and(by().is_not_null()), of(M::Value::lt), "an expression lt")
        .await?;
    finds(rows, by().lte(given()), of(M::Value::le), "an expression lte").await?;
    finds(rows, by().between(given(), given()), of(M::Value::eq), "an expression between").await?;
    finds(rows, by().is_in([given(), given()]), of(M::Value::eq), "an expression is_in").await?;
    let or = column.lt(given()).or(column.gt(given()));
    finds(rows, or, of(M::Value::ne), "lt or gt").await?;
    let Expr::Binary(_, operator, bound) = column.gt(given()).into() else { unreachable!() };
    let reversed = Builder::<M>::new().filter(Expr::Binary(bound, operator, Box::new(column.to_expr())));
    assert_eq!(ids_of(&all(reversed).await?), expected(rows, of(M::Value::lt)), "{value:?} > v");
    Ok(())
}

/// A filter finds the rows that the oracle finds.
async fn finds<M: Keyed>(
    rows: &[M],
    filter: FilterExpr,
    is_found: impl Fn(&M::Value) -> bool,
    case: &str,
) -> Result<()> {
    let found = all(Builder::<M>::new().filter(filter.clone())).await?;
    assert_eq!(ids_of(&found), expected(rows, is_found), "{case}: {filter:?}");
    Ok(())
}

const fn column<M: Keyed>() -> Column<M::Value> {
    Column::new("v")
}

/// Nothing is equal to NULL, which is read as None.
fn is_null<V: std::fmt::Debug>(value: &V) -> bool {
    format!("{value:?}") == "None"
}

async fn all<M: Keyed>(list: Builder<M>) -> Result<Vec<M>> {
    Ok(list.page(1).paginate(1_000).await?.data)
}

fn ids_of<M: Keyed>(rows: &[M]) -> Vec<i64> {
    let mut ids: Vec<i64> = rows.iter().map(Keyed::id).collect();
    ids.sort_unstable();
    ids
}

fn expected<M: Keyed>(rows: &[M], is_found: impl Fn(&M::Value) -> bool) -> Vec<i64> {
    let mut ids: Vec<i64> = rows.iter().filter(|row| is_found(&row.value())).map(Keyed::id).collect();
    ids.sort_unstable();
    ids
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "stamped")]
#[expect(dead_code, reason = "only how it is read matters here")]
struct Stamped {
    id: i64,
    stamp: DateTime<Utc>,
}

/// A table of its own, because the statements over the other are counted.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "written")]
struct Written {
    id: i64,
    stamp: DateTime<Utc>,
}

/// A page begins where a filter would begin the list, or is refused because the texts sort in another order than their
/// moments.
#[tokio::test]
async fn a_page_begins_at_a_moment_or_is_refused() {
    let mut texts = vec!["0000-01-01T00:00:00+00:00", "2026-05-18T18:30:00+00:00", "2026-05-18T18:30:00.500+00:00"];
    texts.extend(TEXTS.iter().chain(&OFFSETS).filter(|text| **text != "0000-01-01 00:00:00"));
    let rows: Vec<String> = texts.iter().enumerate().map(|(id, text)| format!("({id}, '{text}')")).collect();
    let table = "CREATE TABLE written (id INTEGER PRIMARY KEY, stamp DATETIME NOT NULL)";
    let schema = format!("{table}; INSERT INTO written VALUES {}", rows.join(", "));
    let (folio, _pool) = db::folio(&schema).await;
    let check = async {
        let noon: DateTime<Utc> = "2026-05-18T12:00:00Z".parse().unwrap();
        let list = || Written::query().order_by((Written::STAMP, Written::ID));
        let touched = || {
            Column::<DateTime<Utc>>::expr(
                "touched",
                Func::coalesce([Written::STAMP, Written::STAMP].map(|stamp| stamp.to_expr())),
            )
            .not_null()
        };
        let all = list().page(1).paginate(100).await.unwrap().data;
        let ids = |rows: &[Written]| rows.iter().map(|row| row.id).collect::<Vec<_>>();
        let mut counts = [0, 0];
        for moment in all.iter().map(|row| row.stamp).chain([DateTime::UNIX_EPOCH, noon]) {
            let from = ids(&list().filter(Written::STAMP.gte(moment)).page(1).paginate(100).await.unwrap().data);
            let after = ids(&list().filter(Written::STAMP.gt(moment)).page(1).paginate(100).await.unwrap().data);
            let around = list().around_at(moment, 0, 99).await.map(|around| around.page);
            let by = || Written::query().order_by((touched(), Written::ID));
            for (found, expected) in [
                (list().seek_inclusive(moment).cursor_paginate(100).await, &from),
                (list().seek(moment).cursor_paginate(100).await, &after),
                (around, &from),
                (by().seek(moment).cursor_paginate(100).await, &after),
            ] {
                counts[usize::from(found.is_ok())] += 1;
                match found {
                    Ok(page) => assert_eq!(&ids(&page.data), expected, "{moment}"),
                    Err(error) => assert!(error.to_string().contains("in a format other than"), "{error}"),
                }
            }
        }
        assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
        // Its text would sort before all others.
        let late: DateTime<Utc> = "+10000-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(list().seek(late).cursor_paginate(5).await.unwrap_err().status(), 400);
    };
    folio.scope(check).await;
}

/// A facet is a moment, however its rows write it, and the filter by it finds as many rows as it counts.
#[tokio::test]
async fn the_rows_of_a_moment_are_counted_together() {
    let texts = [&TEXTS[..], &OFFSETS].concat();
    let table = Table::new(server::pool(1).await, "DATETIME NOT NULL", "v, id", &quoted(&texts)).await;
    are_counted::<OfUtc>(&table).await;
    are_counted::<OfNaiveDateTime>(&table).await;
    let mut texts = quoted(&texts);
    texts.push("NULL".to_owned());
    are_counted::<MaybeUtc>(&Table::new(server::pool(1).await, "DATETIME", "v, id", &texts).await).await;
}

async fn are_counted<M: Keyed>(table: &Table)
where
    M::Value: Ord + Send + Sync + std::fmt::Debug + Unpin,
    (M::Value, i64): folio::FromDatabaseRow,
{
    let work = async {
        let rows = all::<M>(Builder::new()).await?;
        let counted = Builder::<M>::new().count_by(column::<M>(), 1_000).await?;
        let mut values: Vec<M::Value> = rows.iter().map(Keyed::value).collect();
        values.sort_unstable();
        let mut expected: Vec<(M::Value, u64)> = Vec::new();
        for value in values {
            match expected.last_mut() {
                Some((last, count)) if *last == value => *count += 1,
                _ => expected.push((value, 1)),
            }
        }
        assert!(counted.is_sorted_by(|one, next| one.1 >= next.1), "{counted:?}");
        let mut sorted = counted.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected);
        for (value, count) in counted.into_iter().filter(|(value, _)| !is_null(value)) {
            let found = all(Builder::<M>::new().filter(column::<M>().eq(value.clone()))).await?.len() as u64;
            assert_eq!(found, count, "{value:?}");
        }
        Ok::<_, folio::FrameworkError>(())
    };
    table.folio.scope(work).await.unwrap();
}

/// An index is searched for the days around the moments.
#[tokio::test]
async fn an_index_of_moments_is_searched() {
    record_statements();
    let schema = "CREATE TABLE stamped (id INTEGER PRIMARY KEY, stamp DATETIME NOT NULL); \
                  CREATE INDEX stamped_stamp ON stamped (stamp, id); \
                  INSERT INTO stamped VALUES (1, '2026-05-14 18:30:00'), (2, '2026-05-14T18:30:00Z')";
    let (folio, pool) = db::folio(schema).await;
    let moment: DateTime<Utc> = "2026-05-14T18:30:00Z".parse().unwrap();
    let work = async {
        db::selects("stamped");
        let query = || Stamped::query().order_by((Stamped::STAMP, Stamped::ID));
        for list in [
            query().filter(Stamped::STAMP.eq(moment)),
            query().filter(Stamped::STAMP.gte(moment)),
            query().filter(Stamped::STAMP.lte(moment)),
            query().filter(Stamped::STAMP.between(moment, moment)),
            query().filter(Stamped::STAMP.is_in([moment, moment])),
            query().among(Stamped::STAMP, [moment, moment - TimeDelta::days(1)]),
        ] {
            assert_eq!(list.page(1).simple_paginate(5).await?.data.len(), 2);
        }
        assert_eq!(query().each_of(Stamped::STAMP, [moment]).first(5).await?[&moment].len(), 2);
        Ok::<_, folio::FrameworkError>(())
    };
    folio.scope(work).await.unwrap();
    // SQLite reports statements on another thread, before it runs the next one.
    sqlx::query("SELECT 1").execute(&pool).await.unwrap();
    let statements = db::selects("stamped");
    assert_eq!(statements.len(), 7, "{statements:#?}");
    for sql in statements {
        let explain = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
        let plan: Vec<(i64, i64, i64, String)> = sqlx::query_as(explain).fetch_all(&pool).await.unwrap();
        let is_search =
            |detail: &str| detail.contains("SEARCH stamped USING") && detail.contains("stamped_stamp (stamp");
        assert!(plan.iter().any(|(.., detail)| is_search(detail)), "{sql}\n{plan:?}");
    }
}
