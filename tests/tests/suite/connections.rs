//! Pages on the caller's own connections and transactions, and selects that read the active request.

use std::time::Duration;

use folio::{ActiveRequest, Column, DB, Folio, FrameworkError, Paginate, Pagination, Select, TransactionHandle};
use folio_tests::recorder::record_statements;
use futures_util::TryStreamExt as _;
use sea_query::{Order, Query};
use tokio::time::timeout;

use crate::server::{self, ID};
use crate::suite::db::{self, Pool, here};

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
struct Note {
    id: i64,
    text: String,
}

async fn notes() -> (Folio, Pool) {
    db::folio(&format!(
        "CREATE TABLE notes (id {ID}, text VARCHAR(40) NOT NULL); \
         INSERT INTO notes VALUES (1, 'c'), (2, 'b'), (3, 'a')"
    ))
    .await
}

fn ids(rows: &[Note]) -> Vec<i64> {
    rows.iter().map(|note| note.id).collect()
}

fn select() -> Select<(i64, String)> {
    Query::select().columns(["id", "text"]).from("notes").order_by("id", Order::Asc).take().into()
}

/// The first value of each row.
fn firsts(rows: &[(i64, String)]) -> Vec<i64> {
    rows.iter().map(|row| row.0).collect()
}

const INSERT: &str = "INSERT INTO notes VALUES (4, 'd')";

/// What is inserted in the transaction is on the page, and a rollback undoes it.
#[tokio::test]
async fn pages_are_read_in_a_transaction_of_sqlx() {
    let (folio, pool) = notes().await;
    let check = async {
        let mut tx = pool.begin().await?;
        sqlx::query(INSERT).execute(&mut *tx).await?;
        let page = Note::query().using(&mut *tx).paginate(3).await?;
        assert_eq!((page.total, ids(&page.data)), (4, vec![1, 2, 3]));
        let page = Note::query().using(&mut *tx).page(2).simple_paginate(3).await?;
        assert_eq!(ids(&page.data), [4]);
        let first = Note::query().using(&mut *tx).cursor_paginate(3).await?;
        let next = Note::query().using(&mut *tx).cursor(first.next_cursor.as_deref()).cursor_paginate(3).await?;
        assert_eq!((ids(&next.data), next.next_cursor), (vec![4], None));
        let back = Note::query().using(&mut *tx).cursor(next.prev_cursor.as_deref()).cursor_paginate(3).await?;
        assert_eq!(back.data, first.data);

        let newest = || select().order_by(Column::<i64>::new("id").desc());
        assert_eq!(firsts(&select().using(&mut *tx).page(2).paginate(3).await?.data), [4]);
        assert_eq!(firsts(&newest().using(&mut *tx).simple_paginate(2).await?.data), [4, 3]);
        assert_eq!(firsts(&newest().using(&mut *tx).cursor_paginate(1).await?.data), [4]);

        let streamed: Vec<Note> = Note::query().using(&mut *tx).cursor_stream(2).try_collect().await?;
        assert_eq!(ids(&streamed), [1, 2, 3, 4]);
        let chunks: Vec<_> = Note::query().using(&mut *tx).cursor_chunks(3).try_collect().await?;
        assert_eq!(chunks.iter().map(|page| page.data.len()).collect::<Vec<_>>(), [3, 1]);
        tx.rollback().await?;
        assert_eq!(Note::query().using(&pool).paginate(3).await?.total, 3);
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

/// The caller's connection takes part, not the ambient transaction.
#[tokio::test]
async fn a_lent_connection_takes_precedence() {
    let (folio, pool) = notes().await;
    let check = async {
        let mut other = server::pool(1).await.acquire().await?;
        sqlx::query("CREATE TABLE notes (id BIGINT PRIMARY KEY, text VARCHAR(40) NOT NULL)")
            .execute(&mut *other)
            .await?;
        let inside = DB::transaction(async || {
            let lent = Note::query().using(&pool).on("nowhere").using(&mut *other).paginate(3).await?.total;
            Ok::<_, FrameworkError>((lent, Note::paginate(3).await?.total))
        });
        assert_eq!(inside.await?, (0, 3));
        assert_eq!(Note::query().using(&mut *other).using(&pool).paginate(3).await?.total, 3);
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "lent")]
struct Lent {
    id: i64,
}

/// One statement for a count, a page by number or a page by cursor. The transaction stays open, also for a page that
/// would have a snapshot of its own on a pool.
#[tokio::test]
async fn only_the_statements_of_the_page_run_on_a_lent_connection() {
    record_statements();
    let (folio, pool) = db::folio(&format!("CREATE TABLE lent (id {ID}); INSERT INTO lent VALUES (1), (2)")).await;
    let check = async {
        let mut tx = pool.begin().await?;
        sqlx::query("INSERT INTO lent VALUES (3)").execute(&mut *tx).await?;
        db::selects("lent");
        assert_eq!(Lent::query().using(&mut *tx).page(3).paginate(1).await?.data[0].id, 3);
        assert_eq!(db::selects("lent").len(), 1);
        assert_eq!(Lent::query().using(&mut *tx).page(10_001).paginate(1).await?.total, 3);
        assert_eq!(db::selects("lent").len(), 1, "a page number that a client made up costs a count");
        let page = Lent::query().using(&mut *tx).cursor_paginate(1).await?;
        Lent::query().using(&mut *tx).cursor(page.next_cursor.as_deref()).cursor_paginate(1).await?;
        assert_eq!(db::selects("lent").len(), 2);
        tx.rollback().await?;
        assert_eq!(Lent::query().using(&pool).paginate(1).await?.total, 2);
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

/// The answer of something that must not wait forever.
async fn soon<R>(work: impl Future<Output = R>) -> R {
    timeout(Duration::from_secs(20), work).await.expect("it waits forever")
}

/// A branch that holds the guard and will drop it is waited for, whatever it waits for itself.
#[tokio::test]
async fn branches_take_turns_with_a_guard() {
    let (folio, _pool) = notes().await;
    let check = async {
        DB::transaction(async || {
            let (tell, told) = tokio::sync::oneshot::channel::<()>();
            let holds = async {
                let mut guard = server::connection().await?;
                sqlx::query(INSERT).execute(&mut *guard).await?;
                tokio::task::yield_now().await;
                tokio::time::sleep(Duration::from_millis(20)).await;
                told.await.unwrap();
                drop(guard);
                Ok::<_, FrameworkError>(())
            };
            let tells = async {
                tokio::time::sleep(Duration::from_millis(40)).await;
                tell.send(()).unwrap();
            };
            let (held, page, inserted, ()) =
                tokio::join!(holds, Note::paginate(3), here("INSERT INTO notes VALUES (5, 'e')"), tells);
            held?;
            inserted?;
            assert!((4..=5).contains(&page?.total));

            let branches = (6..12).map(|id| async move {
                here(format!("INSERT INTO notes VALUES ({id}, 'x')")).await?;
                Note::paginate(3).await.map(drop)
            });
            futures_util::future::try_join_all(branches).await?;
            Ok::<_, FrameworkError>(Note::paginate(3).await?.total)
        })
        .await
    };
    assert_eq!(soon(folio.scope(check)).await.unwrap(), 11);
}

/// Another task's guard is waited for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guard_of_another_task_is_waited_for() {
    let (folio, _pool) = notes().await;
    let check = async {
        DB::transaction(async || {
            let handle: TransactionHandle = DB::current().unwrap();
            let (held, has) = tokio::sync::oneshot::channel();
            let task = tokio::spawn(async move {
                let holds = async {
                    let mut guard = server::connection().await?;
                    held.send(()).unwrap();
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    sqlx::query(INSERT).execute(&mut *guard).await?;
                    Ok::<_, FrameworkError>(())
                };
                handle.scope(holds).await
            });
            has.await.unwrap();
            let total = Note::paginate(3).await?.total;
            task.await.unwrap()?;
            Ok::<_, FrameworkError>(total)
        })
        .await
    };
    assert_eq!(soon(folio.scope(check)).await.unwrap(), 4);
}

#[tokio::test]
async fn a_select_reads_page_and_cursor_from_the_request() {
    let (folio, _pool) = notes().await;
    let check = async {
        let at = |uri: &str| ActiveRequest::new(uri);
        let page = at("/notes?page=2&q=x").scope(select().with_query_string().paginate(2)).await?;
        assert_eq!((firsts(&page.data), page.current_page), (vec![3], 2));
        assert_eq!(page.previous_page_url().as_deref(), Some("/notes?q=x&page=1"));
        let named = at("/?a=2&page=9").scope(select().with_page_name("a").paginate(1)).await?;
        assert_eq!((firsts(&named.data), named.next_page_url().as_deref()), (vec![2], Some("?a=3")));
        let page = at("/?page=2").scope(select().with_path("/n").simple_paginate(1)).await?;
        assert_eq!((firsts(&page.data), page.next_page_url().as_deref()), (vec![2], Some("/n?page=3")));

        let newest = || select().order_by(Column::<i64>::new("id").desc()).with_cursor_name("c");
        let first = at("/notes").scope(newest().with_query_string().cursor_paginate(2)).await?;
        let next = first.next_page_url().unwrap();
        assert!(next.starts_with("/notes?c="), "{next}");
        let page = at(&next).scope(newest().cursor_paginate(2)).await?;
        assert_eq!(firsts(&page.data), [1]);
        assert_eq!(at("/?c=altered").scope(newest().cursor_paginate(2)).await.unwrap_err().status(), 400);
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

/// The order replaces the statement's own on numbered pages too, also where the statement is a derived table.
#[tokio::test]
async fn a_select_is_sorted_alike_by_number_and_by_cursor() {
    let (folio, _pool) = notes().await;
    let check = async {
        let text = Column::<String>::new("text");
        let limited = Query::select().columns(["id", "text"]).from("notes").order_by("id", Order::Asc).limit(2).take();
        let distinct = Query::select().distinct().columns(["id", "text"]).from("notes").take();
        for (select, expected) in
            [(select(), vec![3, 2, 1]), (Select::from(limited), vec![2, 1]), (Select::from(distinct), vec![3, 2, 1])]
        {
            let sorted = select.order_by((text, Column::<i64>::new("id")));
            let page = sorted.clone().paginate(5).await?;
            assert_eq!((firsts(&page.data), page.total), (expected.clone(), u64::try_from(expected.len()).unwrap()));
            assert_eq!(firsts(&sorted.clone().page(2).simple_paginate(1).await?.data), expected[1..2]);
            assert_eq!(firsts(&sorted.cursor_paginate(5).await?.data), expected);
        }
        let by_model = Select::<Note>::model(Query::select().columns(["id", "text"]).from("notes").take());
        assert_eq!(ids(&by_model.clone().cursor_paginate(5).await?.data), [1, 2, 3]);
        assert_eq!(ids(&by_model.order_by(Note::TEXT).paginate(5).await?.data), [3, 2, 1]);
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

#[tokio::test]
async fn repeated_and_missing_arguments_are_errors() {
    let (folio, _pool) = notes().await;
    let check = async {
        let id = Column::<i64>::new("id");
        let says = |error: FrameworkError, text: &str| assert!(error.to_string().contains(text), "{error}");
        says(select().cursor_paginate(2).await.unwrap_err(), "needs an order: add `order_by`");
        says(Pagination::length_aware(select().page(2), 2, 1).await.unwrap_err(), "the page number");
        says(Pagination::simple(select().page(2), 2, 2).await.unwrap_err(), "the page number");
        says(Pagination::cursor(select().order_by(id), None, 2, id).await.unwrap_err(), "the order");
        says(Pagination::cursor(select().cursor(None), None, 2, id).await.unwrap_err(), "the cursor");
        let missing = select().order_by(Column::<i64>::new("nothing")).paginate(2).await;
        assert!(missing.is_err());
        let filtered = Query::select().column("id").from("notes").cond_where(Note::ID.gt(1)).take();
        assert_eq!(Select::<(i64,)>::from(filtered).order_by(Note::TEXT).paginate(2).await?.total, 2);
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}
