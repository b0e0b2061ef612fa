//! Totals that are known or estimated instead of counted. Whatever they are, no row is omitted.

use folio::{Paginate, Pagination, Select, sea_query::Query};
use folio_tests::recorder::record_statements;

use crate::server::ID;
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "reckoned")]
#[expect(dead_code, reason = "`half` is only filtered by")]
struct Reckoned {
    id: i64,
    half: i64,
}

/// A separate table, so that the recorder can tell its statements from those of other tests.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "known")]
#[expect(dead_code, reason = "only how many there are matters here")]
struct Known {
    id: i64,
}

const ROWS: u64 = 5_000;

async fn fill(pool: &Pool) {
    for part in 0..5 {
        let rows: Vec<String> = (part * 1_000..(part + 1) * 1_000).map(|id| format!("({id}, {})", id % 2)).collect();
        db::run(pool, format!("INSERT INTO reckoned VALUES {}", rows.join(", "))).await;
    }
}

fn schema() -> String {
    format!("CREATE TABLE reckoned (id {ID}, half BIGINT NOT NULL)")
}

#[tokio::test]
async fn a_known_total_is_not_counted() {
    record_statements();
    let rows: Vec<String> = (0..30).map(|id| format!("({id})")).collect();
    let schema = format!("CREATE TABLE known (id {ID}); INSERT INTO known VALUES {}", rows.join(", "));
    let (folio, _pool) = db::folio(&schema).await;
    let check = async {
        db::selects("known");
        let page = Known::query().with_total(7).page(2).paginate(5).await.unwrap();
        assert_eq!((page.total, page.last_page, page.data.len(), page.to), (7, 2, 5, Some(10)));
        let select: Select<(i64,)> = Query::select().column("id").from("known").take().into();
        let past = Pagination::length_aware(select.with_total(7), 5, 3).await.unwrap();
        assert_eq!((past.total, past.data.len()), (7, 0));
        let run = db::selects("known");
        assert_eq!(run.len(), 1, "the rows of one page: {run:#?}");
        assert!(!run[0].contains("COUNT"), "{run:#?}");
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn an_estimated_total_omits_no_row() {
    let (folio, pool) = db::folio(&schema()).await;
    fill(&pool).await;
    db::run(&pool, crate::server::ANALYZE.replace("{}", "reckoned")).await;
    let check = async {
        let page = async |number| Reckoned::query().estimated_total().page(number).paginate(1_000).await.unwrap();
        // The statistics of so small a table are nearly exact.
        let first = page(1).await;
        assert!((ROWS / 2..=ROWS * 2).contains(&first.total), "{}", first.total);
        let filtered =
            Reckoned::query().filter(Reckoned::ID.lt(100)).estimated_total().page(1).paginate(15).await.unwrap();
        assert!(filtered.total >= 15 && filtered.total < ROWS / 2, "{}", filtered.total);

        // Rows inserted since are not in the statistics, and are found.
        let more: Vec<String> = (ROWS..ROWS + 2_500).map(|id| format!("({id}, 0)")).collect();
        db::run(&pool, format!("INSERT INTO reckoned VALUES {}", more.join(", "))).await;
        let mut seen = Vec::new();
        for number in 1..=8 {
            let page = page(number).await;
            assert!(page.total >= page.to.unwrap(), "page {number}: {}", page.total);
            seen.extend(page.data.iter().map(|row| row.id));
        }
        assert_eq!(seen, (0..7_500).collect::<Vec<i64>>());
        // The last page has the exact total, and the page after it is empty.
        assert_eq!(page(8).await.total, 7_500);
        let past = page(12).await;
        assert_eq!((past.data.len(), past.from), (0, None));
        assert!(past.total <= 11_000, "{}", past.total);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn an_empty_list_is_estimated_as_empty() {
    let (folio, pool) = db::folio(&schema()).await;
    fill(&pool).await;
    let none =
        async { Reckoned::query().filter(Reckoned::HALF.eq(9)).estimated_total().page(1).paginate(15).await.unwrap() };
    let page = folio.scope(none).await;
    assert_eq!((page.total, page.last_page, page.data.len()), (0, 0, 0));
}
