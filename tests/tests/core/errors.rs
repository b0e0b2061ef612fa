//! Errors: their status, their text, and that they reveal nothing.

use std::error::Error as _;

use folio::{FrameworkError, Paginate, Result};

use crate::application;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

#[test]
fn each_variant_has_its_status_and_text() {
    let cases = [
        (FrameworkError::ParamError { param_name: "per_page".into() }, 400, "invalid parameter `per_page`"),
        (FrameworkError::ParamError { param_name: "page".into() }, 400, "invalid parameter `page`"),
        (
            FrameworkError::Domain { message: "Invalid pagination cursor".into(), status_code: 400 },
            400,
            "Invalid pagination cursor",
        ),
        (FrameworkError::Domain { message: "gone".into(), status_code: 410 }, 410, "gone"),
        (FrameworkError::Domain { message: String::new(), status_code: 0 }, 0, ""),
        (FrameworkError::Internal { message: "no keyring".into() }, 500, "no keyring"),
        (FrameworkError::Database(sqlx::Error::PoolClosed), 500, "attempted to acquire a connection on a closed pool"),
        (FrameworkError::from(sqlx::Error::RowNotFound), 500, "no rows returned"),
    ];
    for (error, status, text) in cases {
        assert_eq!(error.status(), status, "{error:?}");
        assert!(error.to_string().starts_with(text), "{error}");
        assert!(error.source().is_none(), "{error:?}");
    }
}

/// An error goes through `?` into whatever the application has, across threads.
#[test]
fn errors_convert_with_the_question_mark() {
    fn is_error<E: std::error::Error + Send + Sync + 'static>() {}
    is_error::<FrameworkError>();
    fn boxed() -> std::result::Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Err(FrameworkError::Internal { message: "why".into() })?
    }
    assert_eq!(boxed().unwrap_err().to_string(), "why");
    fn of_sqlx() -> Result<()> {
        Err(sqlx::Error::PoolTimedOut)?
    }
    assert!(matches!(of_sqlx(), Err(FrameworkError::Database(sqlx::Error::PoolTimedOut))));
}

/// A client learns nothing about the database, the keys or the code.
#[tokio::test]
async fn a_refusal_reveals_nothing() {
    let work = async {
        for cursor in ["", "garbage", "'; DROP TABLE posts; --", &"A".repeat(5_000)] {
            let error = Post::query().cursor(Some(cursor)).cursor_paginate(1).await.unwrap_err();
            assert_eq!(error.to_string(), "Invalid pagination cursor");
            assert!(error.source().is_none());
            assert_eq!((format!("{error:?}"), error.status()), ("Invalid pagination cursor".to_owned(), 400));
        }
    };
    application().scope(work).await;
}
