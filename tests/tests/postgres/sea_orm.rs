//! Texts on sea-orm's connections, which bind them as `text`.

use folio::{FrameworkError, Paginate};
use sea_orm::{ConnectionTrait as _, DatabaseConnection, TransactionTrait as _};

use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "places")]
struct Place {
    id: i64,
    name: String,
    label: String,
    country: String,
}

const SCHEMA: &str = "CREATE TABLE places (id BIGINT PRIMARY KEY, name TEXT NOT NULL, label VARCHAR(20) NOT NULL, \
                      country CHAR(4) NOT NULL); INSERT INTO places VALUES (1, 'a', 'A', 'de'), (2, 'b', 'B', 'fr')";

#[tokio::test]
async fn a_text_is_only_bound_if_its_column_compares_as_text() {
    let (folio, pool) = db::folio(SCHEMA).await;
    let db = DatabaseConnection::from(pool);
    let check = async {
        let transaction = db.begin().await?;
        let places = || Place::query().using(&transaction).order_by(Place::ID);
        let page = places().filter(Place::NAME.eq("a")).filter(Place::LABEL.is_in(["A", "C"])).paginate(5).await?;
        let Place { id, name, label, country } = &page.data[0];
        assert_eq!((*id, &**name, &**label, &**country, page.total), (1, "a", "A", "de  ", 1));

        let error = places().filter(Place::COUNTRY.eq("de")).paginate(5).await.unwrap_err();
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("a column of the type `character`"), "{cause}");

        // Neither the check nor its refusal leaves anything behind.
        let prepared = "SELECT 1 FROM pg_prepared_statements WHERE name LIKE 'folio_texts%'";
        let statement = sea_orm::Statement::from_string(sea_orm::DbBackend::Postgres, prepared);
        assert!(transaction.query_all_raw(statement).await?.is_empty());
        // A cursor is compared in the type of its column.
        let by_country = || Place::query().using(&transaction).order_by(Place::COUNTRY).order_by(Place::ID);
        let first = by_country().cursor_paginate(1).await?;
        let next = by_country().cursor(first.next_cursor.as_deref()).cursor_paginate(1).await?;
        assert_eq!((first.data[0].id, next.data[0].id), (1, 2));
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}
