//! Rows whose decoding panics: an error that says why.

use folio::{FrameworkError, Paginate};

use crate::server::{Driver, ID};
use crate::suite::db;

/// A row type that panics on one row.
#[derive(Debug, Paginate)]
#[paginate(table = "crates")]
struct Crate {
    id: i64,
}

impl sqlx::FromRow<'_, <Driver as sqlx::Database>::Row> for Crate {
    fn from_row(row: &<Driver as sqlx::Database>::Row) -> sqlx::Result<Self> {
        use sqlx::Row as _;
        let id = row.try_get("id")?;
        assert_ne!(id, 2_i64, "crate two is shut");
        Ok(Self { id })
    }
}

#[tokio::test]
async fn a_panic_in_from_row_is_an_error_with_its_message() {
    let (folio, _pool) =
        db::folio(&format!("CREATE TABLE crates (id {ID}); INSERT INTO crates VALUES (1), (2), (3)")).await;
    let check = async {
        for error in [
            Crate::paginate(5).await.unwrap_err(),
            Crate::cursor_paginate(5).await.unwrap_err(),
            Crate::simple_paginate(5).await.unwrap_err(),
        ] {
            assert!(matches!(error, FrameworkError::Database(_)), "{error:?}");
            assert!(error.to_string().contains("crate two is shut"), "{error}");
            assert!(!error.to_string().contains("infinity"), "{error}");
        }
        assert_eq!(Crate::query().filter(Crate::ID.eq(1)).paginate(5).await.unwrap().data[0].id, 1);
    };
    folio.scope(check).await;
}
