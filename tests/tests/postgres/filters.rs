//! Filters from the request whose values only the server can refuse: those of domains, enums and casts.

use folio::{Column, ExprTrait as _, Filters, FrameworkError, Paginate, Result};
use folio_tests::recorder::Recorder;
use sea_query::Expr;

use crate::suite::db;

/// The name of an enum's value. The application does not list them.
#[derive(Debug, Clone, PartialEq, sqlx::Type, folio::ColumnValue)]
#[sqlx(type_name = "mood")]
struct Mood(String);

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[expect(dead_code, reason = "no row is read")]
#[paginate(table = "people")]
struct Person {
    id: i64,
    email: String,
    mood: Mood,
}

const SCHEMA: &str = "
    CREATE DOMAIN email AS TEXT CHECK (VALUE LIKE '%@%');
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE TABLE people (id BIGINT PRIMARY KEY, email email NOT NULL, mood mood NOT NULL);
    INSERT INTO people VALUES (1, 'a@example', 'ok'), (2, 'b@example', 'sad')";

/// The server compares a domain by the rules of its base type, so only a cast checks its condition.
fn email(text: &str) -> Expr {
    Expr::val(text).cast_as("email")
}

fn filters() -> Filters<Person> {
    Filters::new()
        .allow_with("email", |text: String| Person::EMAIL.to_expr().eq(email(&text)))
        .allow("mood", Person::MOOD.eq_any())
        .allow_with("small", |text: String| Person::ID.to_expr().eq(Expr::val(text).cast_as("smallint")))
        .allow_with("times", |factor: i64| Person::ID.to_expr().add(1).mul(factor).gt(1))
        .allow_with("share", |parts: i64| Expr::val(1_i64).div(parts).eq(Person::ID))
}

/// What each read of the list with these filters answers.
async fn reads(query: &str) -> Vec<FrameworkError> {
    let list = || Person::query().filter(filters().resolve(query).unwrap());
    async fn error<T>(read: impl Future<Output = Result<T>>) -> FrameworkError {
        read.await.err().expect("the value is refused")
    }
    vec![
        error(list().paginate(9)).await,
        error(list().simple_paginate(9)).await,
        error(list().cursor_paginate(9)).await,
        error(list().last_page(9)).await,
        error(list().among(Person::ID, [1, 2]).cursor_paginate(9)).await,
        error(list().each_of(Person::ID, [1, 2]).cursor_paginate(9)).await,
        error(list().count()).await,
        error(list().exists()).await,
        error(list().first()).await,
        error(list().find(1)).await,
        error(list().count_by(Person::ID, 9)).await,
        error(list().count_after(&PersonKey { id: 0 })).await,
    ]
}

#[tokio::test]
async fn a_value_that_the_server_refuses_is_a_400() {
    let (folio, _pool) = db::folio(SCHEMA).await;
    let check = async {
        for (query, parameter) in [
            ("email=nobody", "email"),
            ("mood=ok,glad", "mood"),
            ("mood=glad", "mood"),
            ("small=99999", "small"),
            ("small=one", "small"),
            ("times=9223372036854775807", "times"),
        ] {
            for error in reads(query).await {
                assert_eq!(error.to_string(), format!("`{parameter}` has a value that is not allowed"), "{query}");
                assert!(
                    matches!(&error, FrameworkError::InvalidParameter { parameter: name, .. } if name == parameter)
                );
            }
        }
        // Which of several it is, the server does not say.
        for error in reads("mood=ok&email=nobody").await {
            let message = "one of the parameters `email`, `mood` has a value that is not allowed";
            assert_eq!((error.status(), error.to_string().as_str()), (400, message));
        }
        // It is not the cursor.
        let page = Person::query().cursor_paginate(1).await.unwrap();
        let query = Person::query().filter(filters().resolve("mood=glad").unwrap());
        let error = query.cursor(page.next_cursor.as_deref()).cursor_paginate(1).await.unwrap_err();
        assert_eq!(error.to_string(), "`mood` has a value that is not allowed");
        // With a prefix, the parameter has the name that the client wrote.
        let requested = filters().prefix("filter").resolve("filter[email]=nobody").unwrap();
        let error = Person::query().filter(requested).paginate(9).await.unwrap_err();
        assert_eq!(error.to_string(), "`filter[email]` has a value that is not allowed");
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn other_errors_of_the_server_remain_a_500() {
    let (folio, _pool) = db::folio(SCHEMA).await;
    let check = async {
        // The programmer's value.
        let error = Person::query().filter(Person::EMAIL.to_expr().eq(email("nobody"))).paginate(9).await.unwrap_err();
        assert_eq!(error.status(), 500, "{error}");
        // Filters that the request does not use.
        let requested = filters().resolve("email=").unwrap();
        let error = Person::query()
            .filter(requested)
            .filter(Person::EMAIL.to_expr().eq(email("nobody")))
            .count()
            .await
            .unwrap_err();
        assert_eq!(error.status(), 500, "{error}");
        // Mistakes of the statement, with filters of the request.
        let requested = || filters().resolve("email=a@example").unwrap();
        for mistake in ["id = missing", "no_function(id)", "1 / (id - id) = 1", "id = CAST('1' AS no_type)"] {
            let error = Person::query().filter(requested()).filter(Expr::cust(mistake)).paginate(9).await.unwrap_err();
            assert_eq!(error.status(), 500, "{error}");
        }
        let error = Person::query().filter(filters().resolve("share=0").unwrap()).count().await.unwrap_err();
        assert_eq!(error.status(), 500, "a division by zero is the condition's: {error}");
    };
    folio.scope(check).await;
}

/// The client's value is not the only possible cause: a condition of the program's own may overflow as well.
#[tokio::test]
async fn the_cause_of_a_refused_value_is_logged() {
    let (folio, _pool) = db::folio(SCHEMA).await;
    let log = Recorder::of_warnings();
    let check = async {
        let requested = filters().resolve("mood=ok").unwrap();
        let error = Person::query().filter(requested).filter(Expr::cust("id + 9223372036854775807 > 9")).count();
        assert_eq!(error.await.unwrap_err().status(), 400);
    };
    folio.scope(check).await;
    let events = log.take();
    assert!(events.iter().any(|event| event.contains("bigint out of range")), "{events:?}");
}

/// The same parameter may be allowed in two lists that a query combines.
#[tokio::test]
async fn a_parameter_is_named_once() {
    let (folio, _pool) = db::folio(SCHEMA).await;
    let check = async {
        let requested = || filters().resolve("email=nobody");
        let query = Person::query().filter(requested()?).filter(requested()?);
        let error = query.filter(Column::<i64>::new("id").gt(0)).paginate(9).await.unwrap_err();
        assert_eq!(error.to_string(), "`email` has a value that is not allowed");
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}
