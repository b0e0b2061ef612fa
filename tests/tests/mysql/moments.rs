//! Moments in a session whose clocks go back once a year: one hour occurs twice, and TIMESTAMP shows both alike.

use folio::{CursorDirection, Folio, Key, Keyring};
use sea_query::prelude::chrono::{DateTime, Local, NaiveDate, NaiveDateTime, Utc};
use sea_query::prelude::time::OffsetDateTime;
use sqlx::mysql::{MySqlPool, MySqlPoolOptions};

use crate::server;
use crate::suite::db;
use crate::values::models::keyed;
use crate::values::{Keyed as _, Table};

keyed! {
    OfUtc: DateTime<Utc> = "v";
    OfLocal: DateTime<Local> = "v";
    OfOffset: OffsetDateTime = "v";
    OfNaive: NaiveDateTime = "v";
    MaybeUtc: Option<DateTime<Utc>> = "v nulls last";
    MaybeNaive: Option<NaiveDateTime> = "v nulls first";
    MaybeDay: Option<NaiveDate> = "v nulls last";
    MaybeDayFirst: Option<NaiveDate> = "v nulls first";
}

/// New York's clocks in 2026, under a new name, because many servers come without zones.
const ZONE: &str = "Folio/New_York";
const ZONES: &str = "
    INSERT IGNORE INTO mysql.time_zone (Time_zone_id, Use_leap_seconds) VALUES (60001, 'N');
    INSERT IGNORE INTO mysql.time_zone_name (Name, Time_zone_id) VALUES ('Folio/New_York', 60001);
    INSERT IGNORE INTO mysql.time_zone_transition_type (Time_zone_id, Transition_type_id, `Offset`, Is_DST, Abbreviation)
        VALUES (60001, 0, -18000, 0, 'EST'), (60001, 1, -14400, 1, 'EDT');
    INSERT IGNORE INTO mysql.time_zone_transition (Time_zone_id, Transition_time, Transition_type_id)
        VALUES (60001, 0, 0), (60001, 1772953200, 1), (60001, 1793512800, 0)";

/// Moments around the hour that occurs twice, in UTC.
const MOMENTS: [&str; 8] = [
    "'2026-11-01 04:30:00'",
    "'2026-11-01 05:30:00'",
    "'2026-11-01 05:45:00.000001'",
    "'2026-11-01 06:30:00'",
    "'2026-11-01 06:45:00.000001'",
    "'2026-11-01 07:30:00'",
    "'2026-03-08 06:59:59.999999'",
    "'2026-03-08 07:00:00'",
];

/// A pool on an empty database, whose sessions are in a zone.
async fn pool_in(zone: &str) -> MySqlPool {
    let pool = server::pool(1).await;
    db::run(&pool, ZONES).await;
    let options = (*pool.connect_options()).clone().timezone(zone.to_owned());
    MySqlPoolOptions::new().max_connections(1).connect_with(options).await.unwrap()
}

/// A table whose moments are written in UTC and read in a zone.
async fn table_in(zone: &str, declared: &str, values: &[&str]) -> Table {
    let pool = pool_in(zone).await;
    db::run(&pool, "SET time_zone = '+00:00'").await;
    let table = Table::new(pool, declared, "v, id", values).await;
    db::run(&table.pool, format!("SET time_zone = '{zone}'")).await;
    table
}

#[tokio::test]
async fn a_zone_whose_clocks_go_back_is_refused() {
    let words = ["TIMESTAMP", ZONE, "+00:00"];
    let table = table_in(ZONE, "TIMESTAMP(6) NOT NULL", &MOMENTS).await;
    table.refuses::<OfUtc>(&words).await;
    table.refuses::<OfLocal>(&words).await;
    table.refuses::<OfOffset>(&words).await;
    let nullable = [&MOMENTS[..], &["NULL"]].concat();
    table_in(ZONE, "TIMESTAMP(6) NULL", &nullable).await.refuses::<MaybeUtc>(&words).await;
}

/// A DATETIME is not converted, and an offset never changes.
#[tokio::test]
async fn other_columns_and_zones_are_walked_correctly() {
    let table = table_in(ZONE, "DATETIME(6) NOT NULL", &MOMENTS).await;
    table.walks::<OfUtc>().await;
    table.walks::<OfNaive>().await;
    for zone in ["+00:00", "-04:00", "+05:45"] {
        table_in(zone, "TIMESTAMP(6) NOT NULL", &MOMENTS).await.walks::<OfUtc>().await;
    }
}

/// Only the name of the server's zone is known. UTC is safe, and the clocks of any other may go back.
#[tokio::test]
async fn the_time_zone_of_the_server_is_right_if_it_is_utc() {
    let table = table_in("SYSTEM", "TIMESTAMP(6) NOT NULL", &MOMENTS).await;
    let zone: String = sqlx::query_scalar("SELECT @@system_time_zone").fetch_one(&table.pool).await.unwrap();
    if zone == "UTC" {
        table.walks::<OfUtc>().await;
    } else {
        table.refuses::<OfUtc>(&[zone.as_str()]).await;
    }
}

/// The zone belongs to the session, so it can change between two pages.
#[tokio::test]
async fn a_cursor_is_refused_in_a_zone_whose_clocks_go_back() {
    let table = table_in("+00:00", "TIMESTAMP(6) NOT NULL", &MOMENTS).await;
    let folio = Folio::new(table.pool.clone()).keyring(Keyring::new(Key::generate()));
    folio
        .scope(async {
            let first = OfUtc::query().cursor(None).cursor_paginate(3).await.unwrap();
            let by_hand = first.data[2].sealed(CursorDirection::Next).unwrap();
            db::run(&table.pool, format!("SET time_zone = '{ZONE}'")).await;
            for cursor in [first.next_cursor.unwrap(), by_hand] {
                let error = OfUtc::query().cursor(Some(&cursor)).cursor_paginate(3).await.unwrap_err();
                assert!(error.to_string().contains("time zone"), "{error}");
            }
        })
        .await;
}

/// Without strict mode, the server stores zeros for dates that it does not understand. sqlx reads them as NULL, and the
/// server sorts them before all other dates. So a walk is right up to the page that would begin at one.
#[tokio::test]
async fn a_zero_date_is_not_taken_for_null() {
    const DAYS: [&str; 4] =
        ["'2026-05-14 00:00:00'", "'0000-00-00 00:00:00'", "'2026-05-15 00:00:00'", "'0000-00-00 00:00:00'"];
    for nulls in ["NOT NULL", "NULL"] {
        for declared in ["DATE", "DATETIME(6)", "TIMESTAMP(6)"] {
            let pool = server::pool(1).await;
            db::run(&pool, "SET SESSION sql_mode = ''").await;
            let mut values = DAYS.to_vec();
            if nulls == "NULL" {
                values.push("NULL");
            }
            let default = if nulls == "NULL" { "NULL" } else { "NOT NULL DEFAULT '2026-01-01'" };
            let table = Table::new(pool, &format!("{declared} {default}"), "v, id", &values).await;
            let expected = ["zero date"];
            match declared {
                "DATE" => {
                    table.meets::<MaybeDay>(&expected).await;
                    table.meets::<MaybeDayFirst>(&expected).await;
                }
                "DATETIME(6)" => table.meets::<MaybeNaive>(&expected).await,
                _ => table.meets::<MaybeUtc>(&expected).await,
            }
        }
    }
}

/// A TIMESTAMP is read in the session's zone, so a value means another moment in a session of another one.
#[tokio::test]
async fn a_cursor_is_refused_in_another_zone() {
    for (made, used) in [("+00:00", "+02:00"), ("+02:00", "+00:00"), ("+02:00", "-04:00")] {
        let table = table_in(made, "TIMESTAMP(6) NOT NULL", &MOMENTS).await;
        let check = async {
            let first = OfUtc::query().cursor(None).cursor_paginate(3).await.unwrap();
            let second = OfUtc::query().cursor(first.next_cursor.as_deref()).cursor_paginate(3).await.unwrap();
            db::run(&table.pool, format!("SET time_zone = '{used}'")).await;
            for cursor in [first.next_cursor, second.prev_cursor] {
                let error = OfUtc::query().cursor(cursor.as_deref()).cursor_paginate(3).await.unwrap_err().to_string();
                assert!(error.contains("time zone"), "{made}, {used}: {error}");
            }
            // In the same zone again, each page continues.
            let first = OfUtc::query().cursor(None).cursor_paginate(3).await.unwrap();
            let second = OfUtc::query().cursor(first.next_cursor.as_deref()).cursor_paginate(3).await.unwrap();
            assert_eq!((first.data.len(), second.data.len()), (3, 3));
            assert_ne!(first.data[2].id, second.data[0].id);
            let after = OfUtc::query().seek(first.data[2].v).cursor(None).cursor_paginate(300).await.unwrap();
            assert!(after.data.iter().all(|row| row.v > first.data[2].v));
            let by_hand = first.data[2].sealed(CursorDirection::Next).unwrap();
            let same = OfUtc::query().cursor(Some(&by_hand)).cursor_paginate(3).await.unwrap();
            assert_eq!(same.data, second.data);
        };
        table.folio.scope(check).await;
    }
}
