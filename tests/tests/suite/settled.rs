//! Rows that are older than a lag by the database's clock, for jobs that read on from a position.

use std::time::Duration;

use folio::sea_query::prelude::chrono::{DateTime, FixedOffset, Local, NaiveDateTime, TimeDelta, Utc};
use folio::sea_query::prelude::time::{OffsetDateTime, PrimitiveDateTime};
use folio::{Builder, Column, Paginate, Result};

use crate::server::{self, ID};
use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "settling")]
struct Settling {
    id: i64,
}

/// The ages of the rows, in seconds. The first row is of the future, and the last one has no moment.
const AGES: [Option<i64>; 6] = [Some(-3_600), Some(60), Some(600), Some(7_200), Some(90_000), None];

/// A table whose moments are written as the `format` says.
async fn settling(format: &str) -> (folio::Folio, db::Pool) {
    let row = |(at, age): (usize, Option<i64>)| {
        let moment = age.map(|age| Utc::now() - TimeDelta::seconds(age));
        let literal = moment.map_or("NULL".to_owned(), |moment| format!("'{}'", moment.format(format)));
        format!("({}, {literal}, {literal})", at + 1)
    };
    let rows: Vec<String> = AGES.into_iter().enumerate().map(row).collect();
    let (zoned, naive) = (server::MOMENT, server::types::DATE_TIME);
    db::folio(&format!(
        "CREATE TABLE settling (id {ID}, zoned {zoned} NULL, naive {naive} NULL); INSERT INTO settling VALUES {}",
        rows.join(", ")
    ))
    .await
}

/// The rows of a query. All reads of the list agree on them.
async fn ids(query: Builder<Settling>) -> Result<Vec<i64>> {
    let page = query.clone().cursor_paginate(9).await?;
    let ids: Vec<i64> = page.data.iter().map(|row| row.id).collect();
    let total = ids.len() as u64;
    assert_eq!(query.clone().paginate(9).await?.total, total);
    assert_eq!(query.clone().count().await?, total);
    assert_eq!(query.clone().exists().await?, total > 0);
    assert_eq!(query.clone().first().await?.map(|row| row.id), ids.first().copied());
    assert_eq!(query.clone().count_by(Settling::ID, 9).await?.len(), ids.len());
    for id in 1..=6 {
        assert_eq!(query.clone().find(id).await?.is_some(), ids.contains(&id), "{id}");
    }
    Ok(ids)
}

const ZONED: Column<DateTime<Utc>> = Column::new("zoned");
const NAIVE: Column<Option<NaiveDateTime>> = Column::new("naive");

#[tokio::test]
async fn rows_older_than_a_lag_are_settled() {
    let formats: &[&str] = match <server::Driver as sqlx::Database>::NAME {
        // It has moments as texts, in any form.
        "SQLite" => &["%F %T%.6f", "%FT%T%.3fZ", "%F %T", "%FT%T%.9f+00:00"],
        _ => &["%F %T%.6f"],
    };
    for format in formats {
        let (folio, _pool) = settling(format).await;
        let check = async {
            for (lag, expected) in [
                (Duration::ZERO, &[2, 3, 4, 5][..]),
                (Duration::from_millis(1_500), &[2, 3, 4, 5]),
                (Duration::from_secs(300), &[3, 4, 5]),
                (Duration::from_secs(3_600), &[4, 5]),
                (Duration::from_secs(86_400), &[5]),
                (Duration::from_secs(366 * 86_400), &[]),
            ] {
                let query = Settling::query;
                assert_eq!(ids(query().settled(ZONED, lag)).await.unwrap(), expected, "{format}, {lag:?}");
                assert_eq!(ids(query().settled(NAIVE, lag)).await.unwrap(), expected, "{format}, {lag:?}");
                let after_2: Vec<i64> = expected.iter().copied().filter(|id| *id > 2).collect();
                let hour = Duration::from_secs(3_600);
                for (one, other) in [(lag, Duration::ZERO), (Duration::ZERO, lag)] {
                    let both = query().settled(NAIVE, one).settled(ZONED, other).filter(Settling::ID.gt(2));
                    assert_eq!(ids(both).await.unwrap(), after_2, "{format}, {lag:?}");
                }
                let longer = query().settled(NAIVE, lag).settled(ZONED, hour);
                let after_3: Vec<i64> = expected.iter().copied().filter(|id| *id > 3).collect();
                assert_eq!(ids(longer).await.unwrap(), after_3, "{format}, {lag:?}");
            }
            // All types of dates and times.
            let (lag, query) = (Duration::from_secs(300), Settling::query);
            assert_eq!(ids(query().settled(Column::<DateTime<Local>>::new("zoned"), lag)).await.unwrap(), [3, 4, 5]);
            assert_eq!(
                ids(query().settled(Column::<DateTime<FixedOffset>>::new("zoned"), lag)).await.unwrap(),
                [3, 4, 5]
            );
            assert_eq!(ids(query().settled(Column::<OffsetDateTime>::new("zoned"), lag)).await.unwrap(), [3, 4, 5]);
            assert_eq!(ids(query().settled(Column::<PrimitiveDateTime>::new("naive"), lag)).await.unwrap(), [3, 4, 5]);
        };
        folio.scope(check).await;
    }
}

#[tokio::test]
async fn a_lag_is_part_of_the_filters() {
    let (folio, _pool) = settling("%F %T%.6f").await;
    let check = async {
        // The clock goes on between two pages, and the lag stays the same.
        let list = |lag: u64| Settling::query().settled(NAIVE, Duration::from_secs(lag)).bind_filters();
        let page = list(1).cursor_paginate(2).await.unwrap();
        let next = page.next_cursor.as_deref();
        assert_eq!(list(1).cursor(next).cursor_paginate(9).await.unwrap().data.len(), 2);
        assert_eq!(list(2).cursor(next).cursor_paginate(9).await.unwrap_err().status(), 400);
        let feed = Settling::query().among(Settling::ID, [1, 2, 3, 4, 5]).settled(NAIVE, Duration::from_secs(300));
        assert_eq!(ids(feed).await.unwrap(), [3, 4, 5]);

        let error = ids(Settling::query().settled(NAIVE, Duration::MAX)).await.unwrap_err();
        assert!(error.to_string().contains("pass one of at most 31622400, which is 366 days"), "{error}");
        let elsewhere = Column::<NaiveDateTime>::new("naive").of("elsewhere");
        let error = ids(Settling::query().settled(elsewhere, Duration::ZERO)).await.unwrap_err();
        assert!(error.to_string().contains("`elsewhere`"), "{error}");
    };
    folio.scope(check).await;
}
