//! Columns whose character set does not have each character of a client's text.

use folio::{Folio, FrameworkError};
use sea_query::Expr;

use crate::servers::characters::{CHARACTERS, Tagged, failed, refused_filters};
use crate::suite::db::{self, Pool};

const CHARSETS: [&str; 4] = ["ascii", "latin1", "utf8mb3", "utf8mb4"];

async fn table(charset: &str) -> (Folio, Pool) {
    db::folio(&Tagged::table(&format!("VARCHAR(20) CHARACTER SET {charset}"))).await
}

/// From three values on, the error does not say that it is about a text.
#[tokio::test]
async fn a_text_that_the_column_does_not_have_is_no_500() {
    let mut wrong = Vec::new();
    for charset in CHARSETS {
        let (folio, _pool) = table(charset).await;
        for text in CHARACTERS {
            wrong.extend(folio.scope(failed(text)).await.into_iter().map(|call| format!("{call} in {charset}")));
            for (request, error) in folio.scope(refused_filters(text)).await {
                if let Some(error) = error
                    && error.to_string() != "`tag` has a value that is not allowed"
                {
                    wrong.push(format!("{request} in {charset}: {error}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A mistake of the program's own statement, beside a text that the server can store.
async fn mistake(condition: &'static str) -> FrameworkError {
    let list = Tagged::query().filter(Tagged::TAG.is_in(["a", "b", "c"].map(str::to_owned)));
    list.filter(Expr::cust(condition)).page(1).paginate(9).await.unwrap_err()
}

/// The server has the same error for columns that do not compare.
#[tokio::test]
async fn columns_that_do_not_compare_are_a_500() {
    let (folio, pool) = table("utf8mb4 COLLATE utf8mb4_bin").await;
    db::run(
        &pool,
        "ALTER TABLE tagged ADD b VARCHAR(9) COLLATE utf8mb4_general_ci, ADD c VARCHAR(9) COLLATE utf8mb4_unicode_ci",
    )
    .await;
    for (condition, number) in [("b = c", 1267), ("b IN (c, c)", 1270), ("b IN (c, c, c)", 1271)] {
        let error = folio.scope(mistake(condition)).await;
        assert_eq!(error.status(), 500, "{condition}: {error}");
        let FrameworkError::Database(sqlx::Error::Database(cause)) = &error else { panic!("{error}") };
        let cause: &sqlx::mysql::MySqlDatabaseError = cause.try_downcast_ref().unwrap();
        assert_eq!(cause.number(), number, "{condition}: {error}");
    }
}
