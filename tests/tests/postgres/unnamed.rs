//! Statements without a name whose result has a type that the connection does not know: sqlx looks the type up after it
//! has prepared the statement, which the server then forgets.

use std::time::Duration;

use folio::{Column, ColumnValue, DB, Folio, Key, Keyring, Paginate, Result, Select, load};
use sea_query::Expr;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, FromRow};

use crate::server;
use crate::suite::db;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, sqlx::Type, ColumnValue)]
#[sqlx(type_name = "mood", rename_all = "lowercase")]
enum Mood {
    Sad,
    Ok,
}

#[derive(Debug, Clone, PartialEq, FromRow, Paginate)]
#[paginate(table = "people", cursor_key = "mood")]
struct Person {
    id: i64,
    mood: Mood,
}

const SCHEMA: &str = "
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE TABLE people (id BIGINT PRIMARY KEY, mood mood NOT NULL);
    INSERT INTO people VALUES (1, 'ok'), (2, 'sad'), (3, 'ok')";

/// A database. The connections of each new pool know none of its types.
struct Database {
    options: PgConnectOptions,
    pool: PgPool,
}

impl Database {
    async fn new() -> Self {
        let pool = server::pool(1).await;
        db::run(&pool, SCHEMA).await;
        Self { options: PgConnectOptions::clone(&pool.connect_options()), pool }
    }

    async fn new_pool(&self, statements_kept: usize) -> PgPool {
        let options = self.options.clone().statement_cache_capacity(statements_kept);
        PgPoolOptions::new().max_connections(1).connect_with(options).await.unwrap()
    }

    /// An application with a new connection.
    async fn folio(&self, statements_kept: usize) -> Folio {
        application(self.new_pool(statements_kept).await)
    }
}

fn application(pool: PgPool) -> Folio {
    Folio::new(pool).keyring(Keyring::new(Key::generate()))
}

fn text(sql: &str) -> Select<(i64, Mood)> {
    Select::sql(AssertSqlSafe(sql.to_owned())).order_by(Column::<i64>::new("id")).cursor(None)
}

/// A text of this kind is not worth keeping as a prepared statement.
fn long() -> String {
    format!("SELECT id, mood FROM people WHERE '{}' <> ''", "x".repeat(9_000))
}

/// Reads with a new connection each: the number of rows.
macro_rules! reads {
    ($database:expr, $kept:expr; $($name:literal: $read:expr),* $(,)?) => {{
        let mut wrong = Vec::new();
        $(
            let outcome: Result<(usize, usize)> = $database.folio($kept).await.scope(async { Ok($read) }).await;
            match outcome {
                Ok((found, expected)) if found == expected => {}
                outcome => wrong.push(format!("{}: {outcome:?}", $name)),
            }
        )*
        assert!(wrong.is_empty(), "{wrong:#?}");
    }};
}

#[tokio::test]
async fn pages_on_a_pool_that_keeps_no_statements() {
    let database = Database::new().await;
    let list = || Person::query().cursor(None);
    let texts = || ["SELECT id, mood FROM people WHERE id > 1", "SELECT id, mood FROM people WHERE id > 1 /* * */"];
    reads!(database, 0;
        "cursor page": (list().cursor_paginate(2).await?.data.len(), 2),
        "filtered": (list().filter(Person::MOOD.eq(Mood::Ok)).cursor_paginate(9).await?.data.len(), 2),
        "with a total": (list().counted().cursor_paginate(2).await?.data.len(), 2),
        "seek": (list().seek(Mood::Sad).cursor_paginate(2).await?.data.len(), 2),
        "numbered page": (Person::query().page(1).paginate(2).await?.data.len(), 2),
        "second page": (Person::query().page(2).paginate(2).await?.data.len(), 1),
        "past the end": (Person::query().page(7).paginate(2).await?.data.len(), 0),
        "simple page": (Person::query().page(1).simple_paginate(2).await?.data.len(), 2),
        "among": (list().among(Person::MOOD, [Mood::Ok, Mood::Sad]).cursor_paginate(9).await?.data.len(), 3),
        "each_of": (Person::query().each_of(Person::MOOD, [Mood::Ok]).first(9).await?[&Mood::Ok].len(), 2),
        "first": (usize::from(Person::query().first().await?.is_some()), 1),
        "find": (usize::from(Person::query().find(1).await?.is_some()), 1),
        "count": (usize::try_from(Person::query().filter(Person::MOOD.eq(Mood::Ok)).count().await?).unwrap(), 2),
        "estimate": (Person::query().filter(Person::MOOD.eq(Mood::Ok)).estimated_total_above(0).page(1).paginate(9).await?.data.len(), 2),
        "count_by": (Person::query().count_by(Person::MOOD, 9).await?.len(), 2),
        "around": (list().around_id(1, 1, 1).await?.page.data.len(), 3),
        "SQL text": (text(texts()[0]).cursor_paginate(9).await?.data.len(), 2),
        "long SQL text": (text(&long()).cursor_paginate(9).await?.data.len(), 3),
        "load": {
            let same = load::many(Person::query(), Person::MOOD, |person: &Person| person.mood);
            (list().cursor_paginate(9).await?.load(same).await?.data[0].1.len(), 1)
        },
    );
}

#[tokio::test]
async fn sql_text_on_a_pool_that_keeps_statements() {
    let database = Database::new().await;
    let list = |number: i64| text(&format!("SELECT id, mood FROM people WHERE id > {number}"));
    reads!(database, 100;
        "cursor page": (list(1).cursor_paginate(9).await?.data.len(), 2),
        "numbered page": (list(0).page(1).paginate(9).await?.data.len(), 3),
        "in a transaction": (DB::transaction(async || list(2).cursor_paginate(9).await).await?.data.len(), 1),
        "long text": (text(&long()).cursor_paginate(9).await?.data.len(), 3),
        "long text, numbered": (text(&long()).page(1).paginate(9).await?.data.len(), 3),
        "on a connection of the caller's": {
            let mut connection = DB::postgres().await?;
            (list(-1).using(&mut *connection).cursor_paginate(9).await?.data.len(), 3)
        },
    );
}

/// What a page's transaction was begun with still holds, and so does the snapshot of an earlier statement in it.
#[tokio::test]
async fn a_page_that_is_read_again_keeps_its_limit_and_its_snapshot() {
    let database = Database::new().await;
    db::run(&database.pool, "INSERT INTO people SELECT id, 'ok' FROM generate_series(4, 10005) id").await;
    let settings = "concat(current_setting('statement_timeout'), ', ', current_setting('transaction_isolation'))";
    // So near to the end, the total is read first.
    let list = || {
        let settings = Column::<String>::expr("settings", Expr::cust(settings));
        Person::query().order_by(Person::ID).with(settings).page(2_001)
    };
    for kept in [0, 100] {
        let folio = database.folio(kept).await.statement_timeout(Duration::from_millis(4_321));
        let page = folio.scope(list().paginate(5)).await.unwrap();
        assert_eq!(page.data.last().unwrap().0, Person { id: 10_005, mood: Mood::Ok });
        assert_eq!((page.data[0].1.as_str(), page.total), ("4321ms, repeatable read", 10_005));
    }
}

/// Pages on a connection that the caller lends: outside of a transaction, and in one.
#[tokio::test]
async fn a_lent_connection_of_a_pool_that_keeps_no_statements() {
    let database = Database::new().await;
    for begins in [false, true] {
        let check = async {
            let mut connection = DB::postgres().await?;
            if begins {
                sqlx::raw_sql("BEGIN").execute(&mut *connection).await?;
            }
            Person::query().using(&mut *connection).cursor(None).cursor_paginate(9).await
        };
        let page = database.folio(0).await.scope(check).await;
        match begins {
            false => assert_eq!(page.unwrap().data.len(), 3),
            true => assert_explained(&page.unwrap_err().to_string()),
        }
    }
}

/// The transaction is the caller's, so folio cannot begin it again.
#[tokio::test]
async fn in_the_callers_transaction_the_error_says_what_to_do() {
    let database = Database::new().await;
    let check = || DB::transaction(async || Person::query().cursor(None).cursor_paginate(9).await);
    let error = database.folio(0).await.scope(check()).await.unwrap_err();
    assert_explained(&error.to_string());
    // As the message says.
    let opened = PgPoolOptions::new().max_connections(1).after_connect(|connection, _| {
        let learn = sqlx::query("SELECT $1").bind(None::<Mood>).persistent(false);
        Box::pin(async move { learn.execute(connection).await.map(drop) })
    });
    let options = database.options.clone().statement_cache_capacity(0);
    let page = application(opened.connect_with(options).await.unwrap()).scope(check()).await.unwrap();
    assert_eq!(page.data.len(), 3);
}

fn assert_explained(message: &str) {
    for words in
        ["type that the connection does not know", "after_connect", "unnamed prepared statement does not exist"]
    {
        assert!(message.contains(words), "{message}");
    }
}
