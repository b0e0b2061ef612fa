//! What a proxy in front of several servers is sent with `plain_statements`: one flat SELECT at a time, whose rows and
//! counts it can put together.

use folio::{Builder, Column, Folio, FrameworkError, Paginate, Select, Total, load};
use folio_tests::recorder::record_statements;
use sea_query::{Expr, Order, Query};
use tokio::sync::{Mutex, MutexGuard};

use crate::server;
use crate::suite::db::{self, Pool};

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "flat_rows", cursor_key = "moment, id")]
struct Flat {
    id: i64,
    tenant: i64,
    author: i64,
    moment: i64,
    score: Option<i64>,
}

#[derive(Debug, sqlx::FromRow, folio::RowOf)]
#[paginate(of = Flat)]
struct OnlyTenant {
    tenant: i64,
}

const ROWS: i64 = 300;

const IS_POSTGRES: bool = matches!(server::QUOTE, '"');

fn row(id: i64) -> Flat {
    Flat { id, tenant: id % 3, author: id % 5, moment: id / 7, score: (id % 4 != 0).then_some(id % 11) }
}

/// An application with plain statements, and a guard: the statements of two tests are recorded together.
async fn folio() -> (Folio, Pool, MutexGuard<'static, ()>) {
    static ALONE: Mutex<()> = Mutex::const_new(());
    let alone = ALONE.lock().await;
    let values = (1..=ROWS).map(row).map(|Flat { id, tenant, author, moment, score }| {
        let score = score.map_or_else(|| "NULL".to_owned(), |score| score.to_string());
        format!("({id}, {tenant}, {author}, {moment}, {score})")
    });
    let schema = format!(
        "CREATE TABLE flat_rows (id BIGINT PRIMARY KEY, tenant BIGINT NOT NULL, author BIGINT NOT NULL, moment BIGINT NOT NULL,
             score BIGINT);
         CREATE INDEX flat_moments ON flat_rows (author, moment, id);
         INSERT INTO flat_rows VALUES {}",
        values.collect::<Vec<_>>().join(", ")
    );
    let (folio, pool) = db::folio(&schema).await;
    record_statements();
    (folio.plain_statements(), pool, alone)
}

/// The statements on the table since the last call, each of which a proxy can send to every server.
fn flat_statements() -> Vec<String> {
    let statements = db::selects("flat_rows");
    assert!(!statements.is_empty());
    for sql in &statements {
        assert_eq!(sql.matches("SELECT").count(), 1, "{sql}");
        assert_eq!(sql.matches("FROM").count(), 1, "{sql}");
        for refused in ["UNION", "WITH ", "LATERAL", "JOIN", "EXISTS", "NULLS ", "OVER", "IS NULL DESC", "IS NULL ASC"]
        {
            assert!(!sql.contains(refused), "{refused} in {sql}");
        }
        // A count is alone, and has neither order nor limit.
        if sql.contains("COUNT(*)") {
            assert!(sql.starts_with("SELECT COUNT(*) FROM") && !sql.contains("LIMIT"), "{sql}");
            continue;
        }
        let (_, limit) = sql.split_once(" LIMIT ").unwrap_or_else(|| panic!("no limit in {sql}"));
        assert!(limit.starts_with(['$', '?']), "the limit is not bound in {sql}");
        assert!(!limit.contains("OFFSET") || limit.contains("OFFSET $") || limit.contains("OFFSET ?"), "{sql}");
        assert_sorted_by_result(sql);
    }
    statements
}

/// A proxy sorts by the columns of the result.
fn assert_sorted_by_result(sql: &str) {
    let Some((head, order)) = sql.split_once(" ORDER BY ") else { return };
    let (order, _) = order.split_once(" LIMIT ").unwrap_or((order, ""));
    let (list, _) = head.split_once(" FROM ").unwrap();
    for column in order.split(", ") {
        let name = column.trim_end_matches(" ASC").trim_end_matches(" DESC");
        assert!(name.starts_with(server::QUOTE) && !name.contains('.'), "{name} is not a name of the result of {sql}");
        let is_star = list.contains('*') && !name.contains("folio_");
        assert!(is_star || list.contains(name), "{name} is not selected in {sql}");
    }
}

/// The ids of all pages, forwards and back again.
async fn walk(list: impl Fn() -> Builder<Flat>) -> Vec<i64> {
    let (mut ids, mut cursor, mut back) = (Vec::new(), None, None);
    loop {
        let page = list().cursor(cursor.as_deref()).cursor_paginate(40).await.unwrap();
        ids.extend(page.data.iter().map(|row| row.id));
        back = page.prev_cursor.or(back);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let (mut earlier, mut cursor) = (Vec::new(), back);
    while let Some(token) = cursor {
        let page = list().cursor(Some(&token)).cursor_paginate(40).await.unwrap();
        earlier.splice(0..0, page.data.iter().map(|row| row.id));
        cursor = page.prev_cursor;
    }
    assert_eq!(earlier, ids[..earlier.len()]);
    assert!(earlier.len() + 40 >= ids.len());
    ids
}

/// The ids of the rows that match, in the order of a key.
fn expected<K: Ord>(matches: impl Fn(&Flat) -> bool, key: impl Fn(&Flat) -> K) -> Vec<i64> {
    let mut rows: Vec<Flat> = (1..=ROWS).map(row).filter(matches).collect();
    rows.sort_by_key(key);
    rows.iter().map(|row| row.id).collect()
}

/// The order of a column with NULLs where the database has them.
fn by_score() -> (impl folio::OrderOf<Flat>, impl Fn(&Flat) -> (bool, Option<i64>, i64)) {
    let nulls_last = IS_POSTGRES;
    let order = if nulls_last { Flat::SCORE.nulls_last() } else { Flat::SCORE.nulls_first() };
    ((order, Flat::ID), move |row| (row.score.is_none() == nulls_last, row.score, row.id))
}

#[tokio::test]
async fn cursor_pages_are_flat_selects() {
    let (folio, _pool, _alone) = folio().await;
    folio
        .scope(async {
            let _earlier = db::selects("flat_rows");
            let ids = walk(Flat::query).await;
            assert_eq!(ids, expected(|_| true, |row| (row.moment, row.id)));
            let ids = walk(|| Flat::query().filter(Flat::TENANT.eq(1)).filter(Flat::AUTHOR.any_of([1, 2]))).await;
            assert_eq!(
                ids,
                expected(|row| row.tenant == 1 && [1, 2].contains(&row.author), |row| (row.moment, row.id))
            );
            let ids = walk(|| Flat::query().order_by((Flat::MOMENT.desc(), Flat::ID))).await;
            assert_eq!(ids, expected(|_| true, |row| (-row.moment, row.id)));
            let ids = walk(|| Flat::query().among(Flat::AUTHOR, [1, 3, 4])).await;
            assert_eq!(ids, expected(|row| [1, 3, 4].contains(&row.author), |row| (row.moment, row.id)));
            let (_, key) = by_score();
            assert_eq!(walk(|| Flat::query().order_by(by_score().0)).await, expected(|_| true, key));
            let negative = || Column::<i64>::expr("negative", Expr::cust("-moment")).not_null();
            let ids = walk(|| Flat::query().order_by((negative(), Flat::ID))).await;
            assert_eq!(ids, expected(|_| true, |row| (-row.moment, row.id)));
            flat_statements();
        })
        .await;
}

#[tokio::test]
async fn numbered_pages_and_their_counts_are_flat_selects() {
    let (folio, _pool, _alone) = folio().await;
    folio
        .scope(async {
            let _earlier = db::selects("flat_rows");
            let all = expected(|_| true, |row| (-row.moment, row.id));
            let list = || Flat::query().order_by((Flat::MOMENT.desc(), Flat::ID));
            for (page, rows) in (1..).zip(all.chunks(40)) {
                let read = list().page(page).paginate(40).await.unwrap();
                assert_eq!((read.data.iter().map(|row| row.id).collect::<Vec<_>>(), read.total), (rows.to_vec(), 300));
                let simple = list().page(page).simple_paginate(40).await.unwrap();
                assert_eq!(simple.data.iter().map(|row| row.id).collect::<Vec<_>>(), rows);
            }
            let late = Flat::query().filter(Flat::TENANT.eq(1)).order_by(Flat::ID).page(3).paginate(40).await.unwrap();
            assert_eq!((late.data.len(), late.total), (20, 100));
            // Totals that would end early or come from a plan are counts.
            let capped = Flat::query().count_up_to(10).paginate(5).await.unwrap();
            assert_eq!(capped.total, 10);
            let capped = Flat::query().filter(Flat::ID.lt(9)).count_up_to(10).paginate(5).await.unwrap();
            assert_eq!(capped.total, 8);
            let counted = Flat::query().estimated_total().paginate(5).await.unwrap();
            assert_eq!(counted.total, 300);
            assert!(Flat::query().filter(Flat::TENANT.eq(2)).exists().await.unwrap());
            assert_eq!(Flat::query().filter(Flat::TENANT.eq(2)).count_up_to(7).count().await.unwrap(), 7);
            let after = FlatKey { moment: 20, id: 143 };
            assert_eq!(Flat::query().count_after(&after).await.unwrap(), 157);
            assert_eq!(Flat::query().count_up_to(9).count_after(&after).await.unwrap(), 9);
            assert_eq!(Flat::query().find(7).await.unwrap().map(|row| row.moment), Some(1));
            let first = Flat::query().order_by(Flat::ID.desc()).first().await.unwrap();
            assert_eq!(first.map(|row| row.id), Some(300));
            // What the order needs is selected.
            let few =
                Flat::query().rows::<OnlyTenant>().order_by(Flat::ID.desc()).page(2).simple_paginate(3).await.unwrap();
            assert_eq!(few.data.iter().map(|row| row.tenant).collect::<Vec<_>>(), [0, 2, 1]);
            let named = Column::<i64>::expr("negative", Expr::cust("-id")).not_null();
            let named = Flat::query().order_by(named).simple_paginate(2).await.unwrap();
            assert_eq!(named.data.iter().map(|row| row.id).collect::<Vec<_>>(), [300, 299]);
            flat_statements();
        })
        .await;
}

#[tokio::test]
async fn children_have_a_select_for_each_parent() {
    let (folio, _pool, _alone) = folio().await;
    folio
        .scope(async {
            let _earlier = db::selects("flat_rows");
            let parents = Flat::query().filter(Flat::ID.lt(5)).order_by(Flat::ID);
            let rows = load::many(Flat::query(), Flat::AUTHOR, |row: &Flat| row.author);
            let page = parents.simple_paginate(9).await.unwrap().load(rows.first(3)).await.unwrap();
            for (row, found) in &page.data {
                let all = expected(|other| other.author == row.author, |row| (row.moment, row.id));
                assert_eq!(found.iter().map(|row| row.id).collect::<Vec<_>>(), all[..3]);
            }
            let pages = Flat::query().counted().each_of(Flat::AUTHOR, [1, 2]).cursor_paginate(4).await.unwrap();
            for author in [1, 2] {
                let all = expected(|row| row.author == author, |row| (row.moment, row.id));
                let page = &pages[&author];
                assert_eq!(page.data.iter().map(|row| row.id).collect::<Vec<_>>(), all[..4]);
                assert_eq!(page.total, Some(Total::Exact(60)));
                // The cursor goes on in the list of the group.
                let next = page.next_cursor.as_deref();
                let next = Flat::query().filter(Flat::AUTHOR.eq(author)).cursor(next).cursor_paginate(4).await.unwrap();
                assert_eq!(next.data.iter().map(|row| row.id).collect::<Vec<_>>(), all[4..8]);
            }
            flat_statements();
        })
        .await;
}

/// As the error says, for NULLs in another place than the database's own.
#[tokio::test]
async fn nulls_are_where_a_computed_column_puts_them() {
    let (folio, _pool, _alone) = folio().await;
    folio
        .scope(async {
            let _earlier = db::selects("flat_rows");
            let coalesced = || Column::<i64>::expr("score_or_none", Expr::cust("coalesce(score, -1)")).not_null();
            let ids = walk(|| Flat::query().order_by((coalesced().desc(), Flat::ID))).await;
            assert_eq!(ids, expected(|_| true, |row| (-row.score.unwrap_or(-1), row.id)), "last in descending order");
            let ids = walk(|| Flat::query().order_by((coalesced(), Flat::ID))).await;
            assert_eq!(ids, expected(|_| true, |row| (row.score.unwrap_or(-1), row.id)), "first in ascending order");
            flat_statements();
        })
        .await;
}

#[tokio::test]
async fn selects_stay_flat() {
    let (folio, _pool, _alone) = folio().await;
    folio
        .scope(async {
            let _earlier = db::selects("flat_rows");
            let select = || {
                Query::select()
                    .column("id")
                    .from("flat_rows")
                    .and_where(sea_query::ExprTrait::eq(Expr::col("tenant"), 1))
                    .take()
            };
            let all = expected(|row| row.tenant == 1, |row| -row.id);
            let list = || Select::<(i64,)>::from(select()).order_by(Column::<i64>::new("id").desc());
            let page = list().page(2).paginate(30).await.unwrap();
            assert_eq!(
                (page.data.iter().map(|(id,)| *id).collect::<Vec<_>>(), page.total),
                (all[30..60].to_vec(), 100)
            );
            let (mut ids, mut cursor) = (Vec::new(), None);
            loop {
                let page = list().named("flat").cursor(cursor.as_deref()).cursor_paginate(30).await.unwrap();
                ids.extend(page.data.iter().map(|(id,)| *id));
                cursor = page.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(ids, all);
            let own = Select::<(i64,)>::from(select().order_by("id", Order::Asc).take());
            assert_eq!(own.page(2).paginate(2).await.unwrap().data, [(7,), (10,)]);
            flat_statements();
        })
        .await;
}

#[tokio::test]
async fn what_a_proxy_cannot_merge_is_an_error() {
    fn refused<T: std::fmt::Debug>(result: Result<T, FrameworkError>, text: &str) {
        let error = result.unwrap_err();
        assert!(error.to_string().contains("plain_statements") && error.to_string().contains(text), "{error}");
    }
    let (folio, _pool, _alone) = folio().await;
    folio
        .scope(async {
            let (moved, write) = match IS_POSTGRES {
                true => (Flat::SCORE.nulls_first(), "`nulls_last()`"),
                false => (Flat::SCORE.nulls_last(), "`nulls_first()`"),
            };
            refused(Flat::query().order_by((moved, Flat::ID)).cursor_paginate(5).await, write);
            refused(Flat::query().order_by((moved, Flat::ID)).paginate(5).await, write);
            refused(Flat::query().order_by((moved, Flat::ID)).paginate(5).await, "`COALESCE`");
            refused(Flat::query().order_by_asc(Expr::cust("-id")).paginate(5).await, "`Column::expr`");
            refused(Flat::query().count_by(Flat::TENANT, 3).await, "one by one");
            let by_id = || Column::<i64>::new("id");
            let text = "SELECT id FROM flat_rows";
            refused(Select::<(i64,)>::sql(text).order_by(by_id()).paginate(5).await, "SQL text");
            let limited = Query::select().column("id").from("flat_rows").limit(7).take();
            refused(Select::<(i64,)>::from(limited).order_by(by_id()).paginate(5).await, "limit");
            let distinct = Query::select().distinct().column("author").from("flat_rows").take();
            let by_author = Column::<i64>::new("author");
            refused(Select::<(i64,)>::from(distinct.clone()).order_by(by_author).cursor_paginate(5).await, "DISTINCT");
            refused(Select::<(i64,)>::from(distinct).count().await, "DISTINCT");
        })
        .await;
}
