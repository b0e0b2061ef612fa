//! Pages that begin at a moment with more digits than the servers store.

use folio::{IntoOrder as _, Paginate};
use sea_query::prelude::chrono::{DateTime, Utc};

use crate::server::{ID, MOMENT};
use crate::suite::db;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "events")]
struct Event {
    id: i64,
    at: DateTime<Utc>,
}

fn ids(rows: &[Event]) -> Vec<i64> {
    rows.iter().map(|row| row.id).collect()
}

/// The drivers cut such a moment off when they bind it, and it would be the one before.
#[tokio::test]
async fn a_page_does_not_begin_before_its_moment() {
    let row = |id: i64| format!("({id}, '2026-05-14 18:30:00.00000{id}')");
    let rows: Vec<String> = (1..=4).map(row).collect();
    let (folio, _) = db::folio(&format!(
        "CREATE TABLE events (id {ID}, at {MOMENT} NOT NULL); INSERT INTO events VALUES {}",
        rows.join(", ")
    ))
    .await;
    let micros = |nanos: u32| DateTime::from_timestamp(1_778_783_400, nanos).unwrap();
    let check = async {
        let ascending = || Event::query().order_by(Event::AT.erased()).cursor(None);
        let descending = || Event::query().order_by(Event::AT.desc().erased()).cursor(None);
        for (nanos, up, down) in [(2_001, vec![3, 4], vec![2, 1]), (2_999, vec![3, 4], vec![2, 1])] {
            let at = micros(nanos);
            assert_eq!(ids(&ascending().seek_inclusive(at).cursor_paginate(9).await.unwrap().data), up);
            assert_eq!(ids(&ascending().seek(at).cursor_paginate(9).await.unwrap().data), up);
            assert_eq!(ids(&descending().seek_inclusive(at).cursor_paginate(9).await.unwrap().data), down);
            assert_eq!(ids(&descending().seek(at).cursor_paginate(9).await.unwrap().data), down);
            let both = || Event::query().order_by((Event::AT, Event::ID)).cursor(None);
            assert_eq!(ids(&both().seek_inclusive((at, 1_i64)).cursor_paginate(9).await.unwrap().data), up);
            assert_eq!(ids(&both().seek((at, 9_i64)).cursor_paginate(9).await.unwrap().data), up);
        }
        // Values that are stored.
        assert_eq!(ids(&ascending().seek_inclusive(micros(2_000)).cursor_paginate(9).await.unwrap().data), [2, 3, 4]);
        assert_eq!(ids(&descending().seek(micros(2_000)).cursor_paginate(9).await.unwrap().data), [1]);
    };
    folio.scope(check).await;
}
