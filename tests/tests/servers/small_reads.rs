//! Small reads, and windows around a row: they read what they count or show, whatever the length of the list.

use folio::{CursorDirection, Folio, Key, Keyring, Paginate};

use crate::server::{self, ID};
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "brief", cursor_key = "moment desc nulls last")]
#[expect(dead_code, reason = "only how it is read matters here")]
struct Brief {
    id: i64,
    author: i64,
    moment: Option<i64>,
}

/// A table of 30,000 rows, ten for each moment and 1,500 for each author.
pub(crate) async fn fill(pool: &Pool) {
    db::run(pool, format!("CREATE TABLE brief (id {ID}, author BIGINT NOT NULL, moment BIGINT)")).await;
    for part in 0..6 {
        let row = |id: i64| format!("({id}, {}, {})", id % 20, id / 10);
        let rows: Vec<String> = (part * 5_000..(part + 1) * 5_000).map(row).collect();
        db::run(pool, format!("INSERT INTO brief VALUES {}", rows.join(", "))).await;
    }
    for columns in ["moment, id", "author, moment, id"] {
        db::run(pool, format!("CREATE INDEX brief_{} ON brief ({columns})", columns.len())).await;
    }
    for statement in server::VACUUM.into_iter().chain([server::ANALYZE]) {
        db::run(pool, statement.replace("{}", "brief")).await;
    }
}

/// Checks that no read takes more rows than its limit on MySQL and MariaDB, and on PostgreSQL, of which `limit` takes
/// one. `meter` returns the rows that the server has read since its last call.
pub(crate) async fn check(pool: &Pool, meter: impl AsyncFn() -> u64, limit: impl Fn([u64; 2]) -> u64) {
    let of_author = || Brief::query().filter(Brief::AUTHOR.eq(7));
    let middle = BriefKey { moment: Some(1_500), id: 15_007 };
    let check = async {
        macro_rules! reads {
            ($limits:expr, $read:expr) => {{
                let most = limit($limits);
                // The first one looks up the catalog. From the sixth on, PostgreSQL may keep a generic plan.
                for run in 0..8 {
                    let _earlier = meter().await;
                    $read.await.unwrap();
                    let rows = meter().await;
                    assert!(run == 0 || rows <= most, "{}: {rows} rows", stringify!($read));
                }
            }};
        }
        assert_eq!(Brief::query().count_after(&BriefKey { moment: Some(10), id: 100 }).await.unwrap(), 100);
        reads!([250, 130], Brief::query().count_after(&BriefKey { moment: Some(10), id: 100 }));
        reads!([250, 130], Brief::query().count_before(&BriefKey { moment: Some(2_990), id: 29_900 }));
        reads!([250, 130], Brief::query().count_up_to(50).count_after(&middle));
        reads!([250, 130], of_author().count_up_to(50).count_before(&middle));
        reads!([150, 60], of_author().count_before(&BriefKey { moment: Some(2_950), id: 29_507 }));
        reads!([10, 2], of_author().exists());
        reads!([10, 2], Brief::query().exists());
        reads!([10, 1], Brief::query().first());
        reads!([10, 1], of_author().find(7));
        let [first, seen] = [BriefKey { moment: Some(2_999), id: 29_999 }, middle.clone()]
            .map(|key| key.encode(CursorDirection::Prev).unwrap());
        reads!([10, 2], Brief::query().newer_than(&first).exists());
        reads!([50, 50], Brief::query().newer_than(&seen).count_at_most(20));
        reads!([60, 60], of_author().around_id(15_007, 5, 5));
        reads!([60, 60], Brief::query().around_at(Some(1_500_i64), 5, 5));
    };
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(check).await;
}
