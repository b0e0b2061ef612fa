//! A page with its total in one statement: the page is planned as it would be without the count.

use folio::{Folio, Paginate, Select};
use folio_tests::postgres as server;
use folio_tests::recorder::{Recorder, record_statements};
use sea_query::Query;

use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "skewed")]
#[expect(dead_code, reason = "only how it is read matters here")]
struct Skewed {
    id: i64,
    author: i64,
    moment: i64,
}

/// A third of the rows are of author 0, and no index has both the filter and the order.
const ROWS: &str = "CREATE TABLE skewed (id BIGINT PRIMARY KEY, author BIGINT NOT NULL, moment BIGINT NOT NULL);
    INSERT INTO skewed SELECT n, CASE WHEN n % 3 = 0 THEN 0 ELSE 1 + n % 997 END, n FROM generate_series(1, 60000) n;
    CREATE INDEX ON skewed (author); CREATE INDEX ON skewed (moment, id); VACUUM ANALYZE skewed;";

/// Makes a connection report what each statement has read.
pub(super) const EXPLAINED: &str =
    "LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on;
    SET auto_explain.log_buffers = on; SET auto_explain.log_format = json; SET client_min_messages = log";

/// From the sixth execution on, PostgreSQL may take one plan for every author. For an author with few rows it is best
/// to sort them; a page of author 0 would then sort 20,000.
#[tokio::test]
async fn a_page_of_a_skewed_filter_is_planned_for_its_value() {
    let pool = server::pool(1).await;
    for statement in ROWS.split_inclusive(';').chain([EXPLAINED]) {
        db::run(&pool, statement).await;
    }
    let log = Recorder::of_target("sqlx::postgres::notice");
    let check = async {
        let by_model = async || {
            let newest =
                Skewed::query().filter(Skewed::AUTHOR.eq(0)).order_by((Skewed::MOMENT.desc(), Skewed::ID.desc()));
            assert_eq!(newest.paginate(15).await.unwrap().total, 20_000);
        };
        let by_select = async || {
            let rows = Query::select().column("id").from("skewed").and_where(Skewed::AUTHOR.eq(0).into()).take();
            let newest = Select::<(i64,)>::from(rows).order_by((Skewed::MOMENT.desc(), Skewed::ID.desc()));
            assert_eq!(newest.paginate(15).await.unwrap().total, 20_000);
        };
        for _ in 0..12 {
            log.take();
            by_model().await;
            let cost = super::read(&log);
            // The count reads the author's rows once, and the page a few dozen.
            assert!((15..=20_200).contains(&cost.rows), "{} rows", cost.rows);
            by_select().await;
            let cost = super::read(&log);
            assert!((15..=20_200).contains(&cost.rows), "{} rows", cost.rows);
        }
        let plans =
            "SELECT SUM(generic_plans)::BIGINT FROM pg_prepared_statements WHERE statement LIKE 'SELECT \"id\"%'";
        assert_eq!(sqlx::query_scalar::<_, i64>(plans).fetch_one(&pool).await.unwrap(), 0);
    };
    Folio::new(pool.clone()).scope(check).await;
}

/// Citus runs each subquery of a statement before the statement itself, whatever its CASE says.
#[tokio::test]
async fn each_subquery_of_a_page_with_its_total_is_cheap_to_run() {
    let pool = server::pool(1).await;
    for statement in ROWS.split_inclusive(';').chain(["SET statement_timeout = '2s'"]) {
        db::run(&pool, statement).await;
    }
    record_statements();
    let list = Skewed::query().filter(Skewed::AUTHOR.eq(0)).order_by((Skewed::MOMENT.desc(), Skewed::ID.desc()));
    Folio::new(pool.clone()).scope(list.paginate(15)).await.unwrap();
    let statement = db::selects("skewed").pop().unwrap();
    let (_, guard) = statement.split_once("ELSE ").unwrap();
    let (guard, _) = guard.split_once(" END").unwrap();
    let guard = (1..9).fold(guard.to_owned(), |sql, n| sql.replace(&format!("${n}"), "15"));
    let generated: i64 =
        sqlx::query_scalar(sqlx::AssertSqlSafe(format!("SELECT {guard}"))).fetch_one(&pool).await.unwrap();
    assert_eq!(generated, 0);
}
