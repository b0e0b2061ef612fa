//! Which connection is used. Each database has different rows, so a page shows where it comes from.

use folio::{ActiveRequest, Column, DB, Folio, FrameworkError, Paginate, Pagination, Select, sea_query::Query};

use crate::server::{self, ID, TEXT};
use crate::suite::db::{self, Pool};

fn schema() -> String {
    format!("CREATE TABLE places (id {ID}, name {TEXT} NOT NULL)")
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[expect(dead_code, reason = "only the name tells the database")]
struct Place {
    id: i64,
    name: String,
}

/// A model with a connection of its own.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "places", connection = "archive")]
#[expect(dead_code, reason = "only the name tells the database")]
struct Archived {
    id: i64,
    name: String,
}

async fn database(name: &str) -> Pool {
    let pool = server::pool(1).await;
    db::run(&pool, schema()).await;
    db::run(&pool, row(name)).await;
    pool
}

fn row(name: &str) -> String {
    format!("INSERT INTO places (id, name) VALUES (1, '{name}')")
}

async fn folio(replica: bool) -> Folio {
    let folio = Folio::new(database("primary").await).keyring(folio::Keyring::new(folio::Key::generate()));
    let folio = folio.connection("archive", database("archive").await).unwrap();
    if replica { folio.connection("__read_replica__", database("replica").await).unwrap() } else { folio }
}

/// The database that each paginator of a query reads.
async fn read_at(query: folio::Builder<Place>) -> String {
    let names = [
        query.clone().paginate(5).await.unwrap().data,
        query.clone().simple_paginate(5).await.unwrap().data,
        query.clone().cursor_paginate(5).await.unwrap().data,
        query.clone().first().await.unwrap().into_iter().collect(),
        query.clone().order_by_asc(Place::NAME).first().await.unwrap().into_iter().collect(),
        query.clone().find(1).await.unwrap().into_iter().collect(),
    ];
    assert_eq!(query.clone().count_by(Place::NAME, 5).await.unwrap(), [(names[0][0].name.clone(), 1)]);
    let named = query.filter(Place::NAME.eq(names[0][0].name.as_str()));
    assert!(named.clone().exists().await.unwrap() && named.clone().count().await.unwrap() == 1);
    assert_eq!(named.count_after(&PlaceKey { id: 0 }).await.unwrap(), 1);
    let names: Vec<String> = names.into_iter().map(|mut rows| rows.remove(0).name).collect();
    assert!(names.iter().all(|name| *name == names[0]), "one query, several databases: {names:?}");
    names[0].clone()
}

#[tokio::test]
async fn reads_go_to_the_replica_if_there_is_one() {
    assert_eq!(folio(false).await.scope(read_at(Place::query())).await, "primary");
    let with_replica = folio(true).await;
    let check = async {
        assert_eq!(read_at(Place::query()).await, "replica");
        assert_eq!(read_at(Place::on("__primary__")).await, "primary");
        assert_eq!(read_at(Place::on("__read_replica__")).await, "replica");
        assert_eq!(read_at(Place::on("archive")).await, "archive");
        assert_eq!(read_at(Place::query().on("archive").on("__primary__")).await, "primary");
        assert_eq!(read_at(Place::on("archive").using(database("explicit").await)).await, "explicit");
    };
    with_replica.scope(check).await;
}

#[tokio::test]
async fn a_model_has_its_own_connection() {
    let check = async {
        assert_eq!(Archived::paginate(5).await.unwrap().data[0].name, "archive");
        assert_eq!(Archived::on("__primary__").paginate(5).await.unwrap().data[0].name, "primary");
        let lost = Archived::on("nowhere").paginate(5).await.unwrap_err();
        assert!(matches!(lost, FrameworkError::Database(_)) && lost.to_string().contains("`nowhere`"), "{lost}");
    };
    folio(true).await.scope(check).await;
}

#[tokio::test]
async fn the_facade_is_routed_like_a_model() {
    let check = async {
        let select = || Query::select().columns(["id", "name"]).from("places").take();
        type Row = (i64, String);
        let id = Column::<i64>::new("id");
        let here = Pagination::length_aware::<Row>(select(), 5, 1).await.unwrap();
        let there = Pagination::length_aware_on::<Row>("archive", select(), 5, 1).await.unwrap();
        assert_eq!((here.data[0].1.as_str(), there.data[0].1.as_str()), ("replica", "archive"));
        let here = Pagination::simple::<Row>(select(), 5, 1).await.unwrap();
        let there = Pagination::simple_on::<Row>("__primary__", select(), 5, 1).await.unwrap();
        assert_eq!((here.data[0].1.as_str(), there.data[0].1.as_str()), ("replica", "primary"));
        let here = Pagination::cursor::<Row>(select(), None, 5, id).await.unwrap();
        let there = Pagination::cursor_on::<Row>("archive", select(), None, 5, id).await.unwrap();
        assert_eq!((here.data[0].1.as_str(), there.data[0].1.as_str()), ("replica", "archive"));
        assert!(Pagination::cursor_on::<Row>("nowhere", select(), None, 5, id).await.is_err());
    };
    folio(true).await.scope(check).await;
}

#[tokio::test]
async fn a_select_has_one_connection() {
    let check = async {
        let select = || Select::<(i64, String)>::from(Query::select().columns(["id", "name"]).from("places").take());
        let id = Column::<i64>::new("id");
        let pool = database("explicit").await;
        for (select, own) in [(select().on("archive"), "`archive`"), (select().using(&pool), "`using`")] {
            let errors = [
                Pagination::length_aware_on("__primary__", select.clone(), 5, 1).await.unwrap_err(),
                Pagination::simple_on("__primary__", select.clone(), 5, 1).await.unwrap_err(),
                Pagination::cursor_on("__primary__", select.clone(), None, 5, id).await.unwrap_err(),
            ];
            for error in errors {
                assert!(matches!(error, FrameworkError::Internal { .. }), "{error:?}");
                let text = error.to_string();
                assert!([own, "`__primary__`", "given twice"].iter().all(|part| text.contains(part)), "{text}");
            }
            assert_eq!(Pagination::length_aware(select, 5, 1).await.unwrap().total, 1);
        }
    };
    folio(true).await.scope(check).await;
}

#[tokio::test]
async fn pages_in_a_transaction_are_read_in_it_unless_they_name_another_pool() {
    let explicit = database("explicit").await;
    let check = async {
        let result = DB::transaction(async || {
            db::here("UPDATE places SET name = 'changed' WHERE id = 1").await?;
            for query in [Place::query(), Place::on("__primary__")] {
                assert_eq!(read_at(query).await, "changed");
            }
            assert_eq!(read_at(Place::on("archive")).await, "archive");
            assert_eq!(read_at(Place::on("__read_replica__")).await, "replica");
            assert_eq!(read_at(Place::query().using(explicit.clone())).await, "explicit");
            assert_eq!(Archived::paginate(5).await?.data[0].name, "archive");
            // An unregistered name is an error everywhere.
            assert!(Place::on("nowhere").paginate(5).await.is_err());
            Err::<(), _>(FrameworkError::Internal { message: "on purpose".into() })
        })
        .await;
        assert_eq!(result.unwrap_err().to_string(), "on purpose");
        assert_eq!(read_at(Place::on("__primary__")).await, "primary");
    };
    folio(true).await.scope(check).await;
}

#[tokio::test]
async fn a_transaction_can_be_on_a_named_connection() {
    let check = async {
        let name = DB::transaction_on("archive", async || {
            assert!(DB::transaction_on("archive", async || Ok::<_, FrameworkError>(())).await.is_err());
            Ok::<_, FrameworkError>(read_at(Place::query()).await)
        });
        assert_eq!(name.await.unwrap(), "archive");
        assert!(DB::transaction_on("nowhere", async || Ok::<_, FrameworkError>(())).await.is_err());
    };
    folio(true).await.scope(check).await;
}

#[tokio::test]
async fn names_are_checked_when_they_are_registered() {
    let pool = database("any").await;
    for name in ["__primary__", "", "archive"] {
        let folio = folio(false).await;
        let error = folio.connection(name, pool.clone()).unwrap_err();
        assert!(matches!(error, FrameworkError::Database(_)), "{name}: {error}");
        assert_eq!(error.status(), 500);
    }
}

#[tokio::test]
async fn a_scope_belongs_to_its_task() {
    let (one, two) = (Folio::new(database("one").await), Folio::new(database("two").await));
    let name = || async { Place::paginate(5).await.unwrap().data.remove(0).name };
    let nested = one.scope(async { (name().await, two.scope(name()).await, name().await) }).await;
    assert_eq!(nested, ("one".to_owned(), "two".to_owned(), "one".to_owned()));

    // A spawned task is outside until it is given the scope and the request.
    let check = async {
        let outside = tokio::spawn(async { Place::paginate(1).await.map(|page| page.current_page) }).await.unwrap();
        assert!(matches!(outside.unwrap_err(), FrameworkError::Internal { .. }));
        let (folio, request) = (Folio::current().unwrap(), ActiveRequest::current().unwrap());
        let handed = tokio::spawn(async move { folio.scope(request.scope(Place::paginate(1))).await }).await.unwrap();
        assert_eq!(handed.unwrap().current_page, 4);
    };
    ActiveRequest::new("/places?page=4").scope(one.scope(check)).await;
}

#[tokio::test]
async fn explicit_arguments_need_no_request_or_scope() {
    let pool = database("explicit").await;
    let request = ActiveRequest::new("?page=9");
    let page = request.scope(Place::query().using(pool.clone()).page(1).paginate(5)).await.unwrap();
    assert_eq!((page.current_page, page.data[0].name.as_str()), (1, "explicit"));
    let error = Place::query().using(pool).cursor_paginate(5).await.unwrap_err();
    assert!(matches!(error, FrameworkError::Internal { .. }), "a cursor needs a keyring: {error}");
}

/// 64 concurrent calls are all served. If one held two connections, they would wait for each other.
#[tokio::test]
async fn a_pool_of_one_serves_many_at_once() {
    let pool = database("one").await;
    let folio = Folio::new(pool.clone()).keyring(folio::Keyring::new(folio::Key::generate()));
    let check = async {
        let calls = (0..64).map(|at| async move {
            match at % 3 {
                0 => Place::paginate(5).await.unwrap().data.len(),
                1 => Place::simple_paginate(5).await.unwrap().data.len(),
                _ => Place::cursor_paginate(5).await.unwrap().data.len(),
            }
        });
        let counts = futures_util::future::join_all(calls).await;
        assert_eq!(counts, [1; 64]);
        let nested = (0..64)
            .map(|_| DB::transaction(async || DB::transaction(async || Ok(Place::paginate(5).await?.total)).await));
        let totals: Result<Vec<u64>, FrameworkError> =
            futures_util::future::join_all(nested).await.into_iter().collect();
        assert_eq!(totals.unwrap(), [1; 64]);
    };
    folio.scope(check).await;
    assert_eq!(pool.size(), 1);
}

/// With free connections, a call takes one, as the number of open connections shows.
#[tokio::test]
async fn a_call_holds_one_connection() {
    let (pool, _kept) = server::lasting_pool(4).await;
    let folio = Folio::new(pool.clone()).keyring(folio::Keyring::new(folio::Key::generate()));
    // A connection is returned a little later. If none is idle, the next call opens another.
    let idle = async || {
        while pool.num_idle() == 0 {
            tokio::task::yield_now().await;
        }
    };
    for sql in [schema(), row("many")] {
        db::run(&pool, sql).await;
        idle().await;
    }
    let check = async {
        for _ in 0..8 {
            assert_eq!(Place::paginate(5).await.unwrap().total, 1);
            idle().await;
            assert_eq!(Place::simple_paginate(5).await.unwrap().data.len(), 1);
            idle().await;
            assert_eq!(Place::cursor_paginate(5).await.unwrap().data.len(), 1);
            idle().await;
            let read: Result<_, FrameworkError> = DB::transaction(async || Ok(read_at(Place::query()).await)).await;
            assert_eq!(read.unwrap(), "many");
            idle().await;
        }
        assert_eq!(pool.size(), 1);
    };
    folio.scope(check).await;
}
