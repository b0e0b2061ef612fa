//! Answers that no single server gives: a proxy that sends each statement to two servers and puts their rows together.

use folio::{Folio, FrameworkError, Key, Keyring, Paginate, Result, Select, load};
use folio_tests::proxy::{self, Passed, Sender};
use sea_query::{Expr, ExprTrait as _, Query};

use crate::server::{self, ID, PROTOCOL};
use crate::suite::db::{self, Pool};

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "spread")]
#[expect(dead_code, reason = "only how it is read matters here")]
struct Spread {
    id: i64,
    half: i64,
    name: String,
}

/// The name of a row that both servers have. No other message contains it.
const ON_BOTH: &str = "on both servers";

/// A table of 60 such rows, and a pool that reaches it through the proxy.
async fn pools(again: impl Fn(&[u8]) -> Vec<u8> + Send + Sync + 'static) -> (Pool, Pool) {
    let direct = server::pool(1).await;
    db::run(&direct, format!("CREATE TABLE spread (id {ID}, half BIGINT NOT NULL, name VARCHAR(20) NOT NULL)")).await;
    let rows: Vec<String> = (0..60).map(|id| format!("({id}, {}, '{ON_BOTH}')", id % 2)).collect();
    db::run(&direct, format!("INSERT INTO spread VALUES {}", rows.join(", "))).await;
    let has_name = |message: &[u8]| message.windows(ON_BOTH.len()).any(|text| text == ON_BOTH.as_bytes());
    let pass = move |sender, message: &[u8]| {
        if sender == Sender::Client || !has_name(message) {
            return Passed::Unchanged;
        }
        Passed::Changed([message, &again(message)].concat())
    };
    let port = proxy::changing(server::port(&direct), PROTOCOL, pass).await;
    let pool = server::at_port(port, &direct);
    (direct, pool)
}

fn all() -> folio::Builder<Spread> {
    Spread::query()
}

fn select(below: i64) -> Select<(i64, String)> {
    let rows = Query::select().columns(["id", "name"]).from("spread").and_where(Expr::col("id").lt(below)).take();
    Select::from(rows).order_by(Spread::ID)
}

/// The error of a call, which names both causes.
fn refused(what: &str, call: Result<()>) {
    let error = call.expect_err(what);
    assert!(matches!(error, FrameworkError::Database(_)), "{what}: {error:?}");
    for cause in ["proxy", "not deterministic"] {
        assert!(error.to_string().contains(cause), "{what}: {error}");
    }
}

/// Each page has at most as many rows as were asked for, or is an error.
#[tokio::test]
async fn more_rows_than_a_statements_limit_are_an_error() {
    let (_direct, pool) = pools(<[u8]>::to_vec).await;
    // Only the first group has rows, so all of them are fewer than three groups may have.
    let (halves, groups) = ([0_i64, 1], [0_i64, 8, 9]);
    let children = || load::many(all(), Spread::HALF, |row: &Spread| row.half).first(4);
    let check = async {
        refused("a numbered page", all().paginate(16).await.map(drop));
        refused("a later one", all().page(2).paginate(16).await.map(drop));
        refused("a page of a known total", all().with_total(60).paginate(16).await.map(drop));
        refused("a page beside an estimate", all().estimated_total().paginate(16).await.map(drop));
        refused("a simple page", all().simple_paginate(16).await.map(drop));
        refused("a cursor page", all().cursor_paginate(16).await.map(drop));
        refused("the last page", all().last_page(16).await.map(drop));
        refused("a filtered page", all().filter(Spread::HALF.eq(1)).cursor_paginate(16).await.map(drop));
        refused("a feed", all().among(Spread::HALF, halves).cursor_paginate(16).await.map(drop));
        refused("a page of each group", all().each_of(Spread::HALF, groups).cursor_paginate(4).await.map(drop));
        refused("the first rows of each group", all().each_of(Spread::HALF, groups).first(4).await.map(drop));
        refused("a select", select(60).paginate(16).await.map(drop));
        refused("a select by cursor", select(60).cursor_paginate(16).await.map(drop));
        let page = all().filter(Spread::ID.eq(0)).simple_paginate(16).await.unwrap();
        refused("the rows of relations", page.load(children()).await.map(drop));
    };
    Folio::new(pool).keyring(Keyring::new(Key::generate())).scope(check).await;
}

/// Two servers have different rows of one group, which are fewer than all groups may have.
#[tokio::test]
async fn more_rows_of_a_group_than_its_limit_are_an_error() {
    // The lowest byte of the id, which is the first column: MySQL sends integers in little-endian order.
    let at = if PROTOCOL == proxy::Protocol::MySql { 6 } else { 18 };
    let other_row = move |message: &[u8]| {
        let mut message = message.to_vec();
        message[at] += 100;
        message
    };
    let (_direct, pool) = pools(other_row).await;
    let groups = [0_i64, 8, 9];
    let check = async {
        assert_eq!(all().filter(Spread::ID.eq(4)).cursor_paginate(2).await.unwrap().data.len(), 2, "the other row");
        refused("a page of each group", all().each_of(Spread::HALF, groups).cursor_paginate(4).await.map(drop));
        refused("the first rows of each group", all().each_of(Spread::HALF, groups).first(4).await.map(drop));
    };
    Folio::new(pool).keyring(Keyring::new(Key::generate())).scope(check).await;
}

/// The total is the last column of a row, in eight bytes.
#[tokio::test]
async fn different_totals_on_one_page_are_an_error() {
    let other_total = |message: &[u8]| {
        let mut message = message.to_vec();
        let from_end = if PROTOCOL == proxy::Protocol::MySql { 8 } else { 1 };
        let at = message.len() - from_end;
        message[at] += 1;
        message
    };
    let (_direct, pool) = pools(other_total).await;
    let check = async {
        refused("a page", all().filter(Spread::ID.lt(5)).paginate(16).await.map(drop));
        refused("a limited count", all().filter(Spread::ID.lt(5)).count_up_to(9).paginate(16).await.map(drop));
        refused("a select", select(5).paginate(16).await.map(drop));
    };
    Folio::new(pool).keyring(Keyring::new(Key::generate())).scope(check).await;
}
