//! Filters from the request: whatever is allowed and asked for, every page has the rows that match, by number and by
//! cursor.
//!
//! The oracle is a closure for each query string, which filters the rows in memory.

use folio::testing::Walk;
use folio::{ActiveRequest, Column, Filter, Filters, Folio, Paginate, RequestedFilters};
use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::test_runner::TestRunner;
use sea_query::prelude::chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use sea_query::prelude::{BigDecimal, Decimal, OffsetDateTime, Uuid, time, uuid};
use sea_query::{Expr, ExprTrait as _, Query};
use sqlx::{Database as _, QueryBuilder};

use super::own_types::types::{Priority, STATES, Stage, State, state_column};
use crate::server::{Driver, ID, MOMENT, TEXT, types};
use crate::suite::db;

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "wares")]
struct Ware {
    id: i64,
    state: Option<State>,
    stage: Stage,
    priority: Option<Priority>,
    title: String,
    price: i32,
    weight: Option<f64>,
    is_new: bool,
    code: Uuid,
    day: NaiveDate,
    opens: NaiveTime,
    added: DateTime<Utc>,
    deleted: Option<DateTime<Utc>>,
}

/// 24 rows, in which every value repeats.
fn rows() -> Vec<Ware> {
    let row = |id: i64| {
        let at = |length: usize| usize::try_from(id).unwrap() % length;
        let added = DateTime::UNIX_EPOCH + Duration::days(20_000 + id % 5) + Duration::microseconds(250_000 * (id % 2));
        Ware {
            id,
            state: [Some(State::Open), Some(State::InProgress), Some(State::Closed), None][at(4)],
            stage: [Stage::InReview, Stage::Accepted, Stage::Reserve][at(3)],
            priority: [Some(Priority::Low), None, Some(Priority::High)][at(3)],
            title: ["Tea, black", "Green TEA", "100% cocoa", "a_b"][at(4)].to_owned(),
            price: i32::try_from(id * 7 % 10).unwrap(),
            weight: (id % 5 != 0).then_some(f64::from(i32::try_from(id % 7).unwrap()) / 2.0),
            is_new: id % 2 == 0,
            code: Uuid::from_u128(u128::try_from(id % 6).unwrap()),
            day: NaiveDate::from_ymd_opt(2028, 2, 28).unwrap() + Duration::days(id % 3),
            opens: NaiveTime::from_hms_opt(u32::try_from(id % 4).unwrap() + 7, 30, 0).unwrap(),
            added,
            deleted: (id % 3 == 0).then_some(added),
        }
    };
    (1..=24).map(row).collect()
}

async fn wares() -> (Folio, db::Pool) {
    let (schema, state) = state_column();
    let columns = format!(
        "id {ID}, state {state} NULL, stage {TEXT} NOT NULL, priority {} NULL, title {TEXT} NOT NULL, price {} NOT NULL, \
         weight {} NULL, is_new {} NOT NULL, code {} NOT NULL, day {} NOT NULL, opens {} NOT NULL, added {MOMENT} NOT \
         NULL, deleted {MOMENT} NULL",
        types::INT,
        types::INT,
        types::DOUBLE,
        types::BOOL,
        types::UUID,
        types::DATE,
        types::TIME
    );
    let (folio, pool) = db::folio(&format!("{schema} CREATE TABLE wares ({columns})")).await;
    let mut insert = QueryBuilder::<Driver>::new("INSERT INTO wares ");
    insert.push_values(rows(), |mut values, row| {
        let state = ["'open'", "'in_progress'", "'done'", "NULL"][usize::try_from(row.id).unwrap() % 4];
        let stage = ["'in_review'", "'accepted'", "'b-list'"][usize::try_from(row.id).unwrap() % 3];
        values.push_bind(row.id).push(state).push(stage).push_bind(row.priority.map(|priority| priority as i32));
        values.push_bind(row.title).push_bind(row.price).push_bind(row.weight).push_bind(row.is_new);
        values.push_bind(row.code).push_bind(row.day).push_bind(row.opens).push_bind(row.added).push_bind(row.deleted);
    });
    insert.build().execute(&pool).await.unwrap();
    (folio, pool)
}

fn filters() -> Filters<Ware> {
    Filters::new()
        .allow("state", Ware::STATE.eq_any())
        .allow("stage", Ware::STAGE.eq_any())
        .allow("priority", Ware::PRIORITY.eq_any())
        .allow("title", Ware::TITLE.eq_any())
        .allow("q", Ware::TITLE.search())
        .allow("price", Ware::PRICE.ranges())
        .allow("weight", Ware::WEIGHT.ranges())
        .allow("new", Ware::IS_NEW.eq_any())
        .allow("code", Ware::CODE.eq_any())
        .allow("day", Ware::DAY.ranges())
        .allow("opens", Ware::OPENS.ranges())
        .allow("added", Ware::ADDED.ranges())
        .allow("on", Ware::DAY.eq_any())
        .allow("at", Ware::ADDED.eq_any())
        .allow("deleted", Ware::DELETED.nulls())
        .allow_with("cheaper_than", |price: i32| {
            // As a subquery, and with an OR that must stay inside.
            let ids = Query::select().column("id").from("wares").cond_where(Ware::PRICE.lt(price)).take();
            Ware::ID.to_expr().in_subquery(ids).or(Expr::val(1).eq(2))
        })
        .allow_with("raw", |id: i64| Expr::cust(format!("id = {id} OR id = {}", id.saturating_add(1))))
}

/// A parameter, and whether a row matches it.
type Case = (&'static str, fn(&Ware) -> bool);

/// The moment this many microseconds after the day `20_000 + days` since 1970.
fn moment(days: i64, microseconds: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + Duration::days(20_000 + days) + Duration::microseconds(microseconds)
}

/// Of each group, a request has one.
const CASES: [&[Case]; 17] = [
    &[
        ("state=open", |row| row.state == Some(State::Open)),
        ("state=done,in_progress", |row| matches!(row.state, Some(State::Closed | State::InProgress))),
        ("state[]=open&state[]=done", |row| matches!(row.state, Some(State::Closed | State::Open))),
    ],
    &[("stage=b-list", |row| row.stage == Stage::Reserve), ("stage=accepted&stage=b-list%2Cin_review", |_| true)],
    &[
        ("priority=30", |row| row.priority == Some(Priority::Low)),
        ("priority=-100000,2", |row| row.priority == Some(Priority::High)),
    ],
    &[
        ("title=Tea,+black", |row| row.title == "Tea, black"),
        ("title=Tea&title=a_b", |row| row.title == "a_b"),
        ("title=%27+OR+1=1", |_| false),
    ],
    &[
        ("q=tea", |row| row.title.to_lowercase().contains("tea")),
        ("q=%25", |row| row.title.contains('%')),
        ("q=_", |row| row.title.contains('_')),
    ],
    &[
        ("price=7", |row| row.price == 7),
        ("price[gte]=3&price[lt]=7", |row| (3..7).contains(&row.price)),
        ("price[gt]=3&price[lte]=7", |row| row.price > 3 && row.price <= 7),
        ("price[gt]=8&price[lt]=2", |_| false),
    ],
    &[
        ("weight[gte]=1.5", |row| row.weight.is_some_and(|weight| weight >= 1.5)),
        ("weight=5e-1", |row| row.weight == Some(0.5)),
    ],
    &[("new=true", |row| row.is_new), ("new=false", |row| !row.is_new), ("new=true,false", |_| true)],
    &[
        ("code=00000000-0000-0000-0000-000000000003", |row| row.code == Uuid::from_u128(3)),
        ("code=00000000000000000000000000000003,00000000-0000-0000-0000-000000000004", |row| {
            row.code == Uuid::from_u128(3) || row.code == Uuid::from_u128(4)
        }),
    ],
    &[("day[gt]=2028-02-28", |row| row.id % 3 != 0), ("day=2028-02-29", |row| row.id % 3 == 1)],
    &[("opens[lte]=08:30", |row| row.id % 4 < 2), ("opens=09:30:00.0", |row| row.id % 4 == 2)],
    &[
        ("added[gte]=2024-10-05T02:00:00%2B02:00", |row| row.added >= moment(1, 0)),
        ("added[lt]=2024-10-06T00:00:00.25Z", |row| row.added < moment(2, 250_000)),
        ("added=2024-10-05T00:00:00.250Z", |row| row.added == moment(1, 250_000)),
    ],
    &[("on=2028-02-28,2028-02-29", |row| row.id % 3 < 2)],
    &[("at=2024-10-04T00:00:00Z,2024-10-05T02:00:00.25%2B02:00", |row| {
        row.added == moment(0, 0) || row.added == moment(1, 250_000)
    })],
    &[("deleted=null", |row| row.deleted.is_none()), ("deleted=not_null", |row| row.deleted.is_some())],
    &[("cheaper_than=5", |row| row.price < 5)],
    &[("raw=11", |row| row.id == 11 || row.id == 12)],
];

/// The ids by numbered pages, and by cursors that are bound to the filters.
async fn found(requested: RequestedFilters<Ware>) -> Vec<i64> {
    let query = Ware::query().filter(requested);
    let mut numbered = Vec::new();
    let first = query.clone().page(1).paginate(7).await.unwrap();
    numbered.extend(first.data.iter().map(|row| row.id));
    for page in 2..=first.last_page {
        numbered.extend(query.clone().page(page).paginate(7).await.unwrap().data.iter().map(|row| row.id));
    }
    assert_eq!(first.total, u64::try_from(numbered.len()).unwrap());
    let walk = Walk::over(numbered.clone()).run(async |cursor| {
        let page = query.clone().bind_filters().cursor(cursor.as_deref()).cursor_paginate(7).await?;
        Ok(page.map(|row| row.id))
    });
    walk.await.unwrap();
    numbered
}

fn matching(cases: &[Case]) -> Vec<i64> {
    rows().iter().filter(|row| cases.iter().all(|(_, matches)| matches(row))).map(|row| row.id).collect()
}

#[tokio::test]
async fn each_kind_of_filter_finds_its_rows() {
    let (folio, _pool) = wares().await;
    let check = async {
        for case in CASES.into_iter().flatten() {
            let request = ActiveRequest::new(&format!("/wares?sort=id&{}&page=1", case.0));
            let requested = request.scope(async { filters().from_request() }).await.unwrap();
            assert_eq!(found(requested).await, matching(&[*case]), "{}", case.0);
        }
    };
    folio.scope(check).await;
}

#[test]
fn filters_are_combined_by_and() {
    let runtime = db::runtime();
    let (folio, _pool) = runtime.block_on(wares());
    let one_of_each = |groups: Vec<&'static [Case]>| {
        groups.into_iter().map(proptest::sample::select).collect::<Vec<_>>().prop_shuffle()
    };
    let chosen = subsequence(CASES.to_vec(), 0..=5).prop_flat_map(one_of_each);
    let mut runner = TestRunner::new(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() });
    runner
        .run(&chosen, |cases| {
            let query = cases.iter().map(|(query, _)| *query).collect::<Vec<_>>().join("&");
            let requested = filters().resolve(&query).unwrap();
            // What is read back is the same list of filters.
            assert_eq!(filters().resolve(&requested.query_string()).unwrap().query_string(), requested.query_string());
            assert_eq!(runtime.block_on(folio.scope(found(requested))), matching(&cases), "{query}");
            Ok(())
        })
        .unwrap();
}

/// Filters of one request combine with those of the code, and a facet leaves out its own.
#[tokio::test]
async fn a_facet_counts_without_its_own_filter() {
    let (folio, _pool) = wares().await;
    let check = async {
        let requested = filters().resolve("state=open&price[lt]=5").unwrap();
        let facet = Ware::query().filter(Ware::ID.gt(4)).filter(requested.without("state"));
        for state in [State::Open, State::InProgress, State::Closed] {
            let counted = facet.clone().filter(Ware::STATE.eq(state)).paginate(1).await.unwrap().total;
            let expected = rows().iter().filter(|row| row.id > 4 && row.price < 5 && row.state == Some(state)).count();
            assert_eq!(counted, u64::try_from(expected).unwrap(), "{state:?}");
        }
        let either = Ware::ID.eq(1).or(requested.clone());
        let expected = matching(&[("", |row| row.id == 1 || row.state == Some(State::Open) && row.price < 5)]);
        let page = Ware::query().filter(either).paginate(24).await.unwrap();
        assert_eq!(page.data.iter().map(|row| row.id).collect::<Vec<_>>(), expected);
    };
    folio.scope(check).await;
}

/// The values of enums are known, so an error lists them.
#[tokio::test]
async fn an_unknown_value_of_an_enum_is_refused_with_the_known_ones() {
    let states = STATES.map(|state| state.trim_matches('\'').to_owned());
    for (query, message, known) in [
        ("state=opened", "`state` takes `open`, `in_progress`, `done`, separated by commas", &states[..]),
        ("state=open,", "`state` takes `open`, `in_progress`, `done`, separated by commas", &states),
        ("state=Open", "`state` takes `open`, `in_progress`, `done`, separated by commas", &states),
        (
            "priority=3",
            "`priority` takes `30`, `2`, `-100000`, separated by commas",
            &["30".to_owned(), "2".to_owned(), "-100000".to_owned()],
        ),
    ] {
        let error = filters().resolve(query).unwrap_err();
        assert_eq!((error.status(), error.to_string().as_str()), (400, message), "{query}");
        let folio::FrameworkError::InvalidParameter { allowed, .. } = error else { panic!("{query}") };
        assert_eq!(allowed, known, "{query}");
    }
}

/// What no database expects: each is answered with rows or a 400.
#[tokio::test]
async fn no_value_is_an_error_of_the_database() {
    let (folio, _pool) = wares().await;
    let check = async {
        let long = "x".repeat(60_000);
        let texts = ["%00", "%FF", "'", "\\", "%F0%9F%92%A9", &long, "%EF%BF%BF", "%0A", "a%00b"];
        let mut queries: Vec<String> = Vec::new();
        for name in filters().names() {
            queries.extend(texts.map(|text| format!("{name}={text}")));
        }
        queries.extend(
            [
                "price=2147483647",
                "price[gt]=-2147483648",
                "weight[lt]=1.7976931348623157e308",
                "weight=5e-324",
                "weight=-0",
                "day[gt]=0000-01-01",
                "day=9999-12-31",
                "day=0001-01-01",
                "added[gt]=0000-01-01T00:00:00%2B23:59",
                "added[lt]=9999-12-31T23:59:59.999999999-23:59",
                "at=0000-01-01T00:00:00Z,9999-12-31T23:59:59Z",
                "opens[lte]=23:59:59.999999999",
            ]
            .map(str::to_owned),
        );
        queries.push(format!("q={}", "_".repeat(1_000)));
        queries.push(format!("title={}", ["x"; 100].join("&title=")));
        for query in queries {
            check_answer(&query, filters().resolve(&query)).await;
        }
        let others = other_types();
        for name in others.names() {
            for text in &texts {
                check_answer(name, others.resolve(&format!("{name}={text}"))).await;
            }
        }
        let digits = format!("whole={0}&big[lt]={0}.{0}&big[gt]=-0.{0}", "9".repeat(499));
        for query in [
            "moment[gt]=0000-01-01T00:00:00%2B23:59&moment[lt]=9999-12-31T23:59:59Z",
            "moment[lt]=9999-12-31T23:59:59-23:59",
            "day[gte]=0000-01-01&day[lt]=9999-12-31",
            "time[lte]=23:59:59.999999999",
            "unsigned[lt]=18446744073709551615",
            "unsigned=9223372036854775808",
            "single[gt]=-3.4e38&single[lt]=1e-45",
            "decimal[lt]=79228162514264337593543950335&decimal[gt]=-0.0000000000000000000000000001",
            "bytes=00,ff",
            &digits,
        ] {
            check_answer(query, others.resolve(query)).await;
        }
    };
    folio.scope(check).await;
}

/// Checks that a page with these filters is read, or that the answer is a 400.
async fn check_answer<M>(query: &str, requested: folio::Result<RequestedFilters<M>>)
where
    RequestedFilters<M>: Filter<Ware>,
{
    let page = match requested {
        Ok(requested) => Ware::query().filter(requested).paginate(24).await.map(|page| page.total),
        Err(error) => Err(error),
    };
    let status = page.as_ref().map_or_else(folio::FrameworkError::status, |_| 200);
    assert!(matches!(status, 200 | 400), "{query:.80}: {page:?}");
}

/// The columns with other types of Rust, which a database compares with them as well.
fn other_types() -> Filters {
    let filters = Filters::new()
        .allow("moment", Column::<OffsetDateTime>::new("added").ranges())
        .allow("day", Column::<time::Date>::new("day").ranges())
        .allow("time", Column::<time::Time>::new("opens").ranges())
        .allow("unsigned", Column::<u64>::new("price").ranges())
        .allow("single", Column::<f32>::new("weight").ranges())
        .allow("hyphenated", Column::<uuid::fmt::Hyphenated>::new("title").eq_any());
    let filters = match Driver::NAME {
        "PostgreSQL" => filters,
        _ => filters.allow("bytes", Column::<Vec<u8>>::new("code").eq_any()),
    };
    match Driver::NAME {
        // SQLite has no decimals.
        "SQLite" => filters,
        _ => filters
            .allow("decimal", Column::<Decimal>::new("price").ranges())
            .allow("big", Column::<BigDecimal>::new("price").ranges())
            .allow("whole", Column::<BigDecimal>::new("price").eq_any()),
    }
}
