//! Filters from the request whose values the server refuses when it computes with them.

use folio::{ExprTrait as _, Filters, Paginate};

use crate::server::ID;
use crate::suite::db;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(table = "numbers")]
#[expect(dead_code, reason = "no row is read")]
struct Number {
    id: i64,
}

#[tokio::test]
async fn a_number_that_is_too_large_is_a_400() {
    let (folio, _pool) =
        db::folio(&format!("CREATE TABLE numbers (id {ID}); INSERT INTO numbers VALUES (1), (2)")).await;
    let check = async {
        let filters = || {
            Filters::<Number>::new()
                .allow("id", Number::ID.ranges())
                .allow_with("times", |factor: i64| Number::ID.to_expr().mul(factor).gt(1))
        };
        let read = async |query| Number::query().filter(filters().resolve(query)?).count().await;
        assert_eq!(read("times=2&id[gt]=0").await.unwrap(), 2);
        let error = read("times=9223372036854775807").await.unwrap_err();
        assert_eq!(error.to_string(), "`times` has a value that is not allowed");
        let error = read("times=9223372036854775807&id[gt]=0").await.unwrap_err();
        let message = "one of the parameters `id[gt]`, `times` has a value that is not allowed";
        assert_eq!((error.status(), error.to_string().as_str()), (400, message));
        // The programmer's number.
        let error = Number::query().filter(Number::ID.to_expr().mul(i64::MAX).gt(1)).count().await.unwrap_err();
        assert_eq!(error.status(), 500, "{error}");
    };
    folio.scope(check).await;
}
