//! Walks by columns of own types, in the order of the database itself: to the end and back, by number, and from the key
//! of any row. Values tie, and some are NULL.

use folio::{Builder, CursorValue, Model};
use sea_query::prelude::Uuid;
use sea_query::prelude::chrono::DateTime;

use super::types::*;
use crate::server::{self, MOMENT, TEXT, types};
use crate::suite::db;
use crate::values::models::keyed;
use crate::values::{Keyed, PER_PAGE, Table, ids, nullable, orders, own_page};

keyed! {
    OfStage: Stage = "v";
    MaybeStage: Option<Stage> = "v desc nulls last";
    OfState: State = "v desc";
    MaybeState: Option<State> = "v nulls first";
    OfLastState: LastState = "v";
    OfPriority: Priority = "v";
    MaybePriority: Option<Priority> = "v nulls last";
    OfSeverity: Severity = "v desc";
    MaybeSeverity: Option<Severity> = "v nulls first";
    OfParentId: ParentId = "v";
    MaybeParentId: Option<ParentId> = "v nulls last";
    OfSmall: Small = "v";
    MaybeSmall: Option<Small> = "v nulls first";
    OfTitle: Title = "v desc";
    MaybeTitle: Option<Title> = "v nulls last";
    OfToken: Token = "v";
    MaybeToken: Option<Token> = "v nulls first";
    OfAt: At = "v";
    MaybeAt: Option<At> = "v desc nulls last";
}

/// Walks of `M`, and numbered pages in the same orders.
async fn walks<M: Keyed>(table: &Table) {
    // Boxed, because the compiler limits how deep futures nest.
    Box::pin(table.walks_by_hand::<M>()).await;
    for (order, sql) in orders::<M>() {
        let expected = table.sorted(&sql).await;
        let numbered = async {
            for (number, page) in (1..).zip(expected.chunks(PER_PAGE)) {
                let query = Builder::<M>::new().order_by(order.clone()).page(number);
                assert_eq!(ids(&query.paginate(PER_PAGE as u64).await.unwrap().data), page, "page {number} by {sql}");
            }
        };
        Box::pin(table.folio.scope(numbered)).await;
    }
}

/// Walks over a column of SQL values, and over one that has NULLs as well.
async fn walks_of_sql<M: Keyed, Nullable: Keyed>(schema: &str, declared: &str, values: &[&str]) {
    for (nulls, values) in [("NOT NULL", values.to_vec()), ("NULL", nullable(values))] {
        let pool = server::pool(1).await;
        if !schema.is_empty() {
            db::run(&pool, schema).await;
        }
        let table = Table::new(pool, &format!("{declared} {nulls}"), "v, id", &values).await;
        match nulls {
            "NULL" => Box::pin(walks::<Nullable>(&table)).await,
            _ => Box::pin(walks::<M>(&table)).await,
        }
    }
}

/// The same for values that sqlx binds.
async fn walks_of<M: Keyed<Value = T>, Nullable: Keyed<Value = Option<T>>, T>(declared: &str, values: Vec<T>)
where
    T: CursorValue + for<'q> sqlx::Encode<'q, server::Driver> + sqlx::Type<server::Driver> + Send + 'static,
{
    let table = Table::bound(server::pool(1).await, &format!("{declared} NOT NULL"), values.clone()).await;
    Box::pin(walks::<M>(&table)).await;
    let values: Vec<Option<T>> = values.into_iter().map(Some).chain([None, None]).collect();
    let table = Table::bound(server::pool(1).await, &format!("{declared} NULL"), values).await;
    Box::pin(walks::<Nullable>(&table)).await;
}

#[tokio::test]
async fn an_enum_in_a_text_column() {
    walks_of_sql::<OfStage, MaybeStage>("", TEXT, &STAGES).await;
}

/// PostgreSQL sorts by the declaration, SQLite by the text. MySQL's ENUM is refused by name.
#[tokio::test]
async fn an_enum_of_the_database() {
    let (schema, declared) = state_column();
    if is_mysql() {
        let table = Table::new(server::pool(1).await, &format!("{declared} NOT NULL"), "v, id", &STATES).await;
        let error = table.folio.scope(own_page::<OfState>(None)).await.unwrap_err();
        assert!(error.to_string().contains("ENUM columns cannot be in a cursor key"), "{error}");
        return;
    }
    walks_of_sql::<OfState, MaybeState>(&schema, &declared, &STATES).await;
    walks_of_sql::<OfLastState, MaybeState>(&schema, &declared, &STATES).await;
}

#[tokio::test]
async fn enums_that_are_stored_as_numbers() {
    let priorities = vec![Priority::Low, Priority::Normal, Priority::High];
    walks_of::<OfPriority, MaybePriority, _>(types::INT, priorities).await;
    let severities = vec![Severity::Minor, Severity::Major, Severity::Fatal];
    walks_of::<OfSeverity, MaybeSeverity, _>(types::SMALLINT, severities).await;
}

#[tokio::test]
async fn newtypes_of_numbers_and_texts() {
    let parents = [7, -7, i64::MAX, 0].map(|id| ParentId { issue: IssueId(id) });
    walks_of::<OfParentId, MaybeParentId, _>(types::BIGINT, parents.to_vec()).await;
    walks_of::<OfSmall, MaybeSmall, _>(types::SMALLINT, [3, -3, 300].map(Small).to_vec()).await;
    let titles = ["a", "B", "ä", "", "a b"].map(|title| Title(title.to_owned()));
    walks_of::<OfTitle, MaybeTitle, _>(TEXT, titles.to_vec()).await;
}

#[tokio::test]
async fn newtypes_of_uuids_and_moments() {
    let tokens = [9, 1, u128::MAX, 1 << 100].map(|bits| Token(Uuid::from_u128(bits)));
    walks_of::<OfToken, MaybeToken, _>(types::UUID, tokens.to_vec()).await;
    // A TIMESTAMP of MySQL begins one second after 1970.
    let moments = [1_700_000_000_000_001, 2_000_001, 1_700_000_000_000_000, 2_000_000];
    let moments = moments.map(|micros| At(DateTime::from_timestamp_micros(micros).unwrap()));
    walks_of::<OfAt, MaybeAt, _>(MOMENT, moments.to_vec()).await;
}

/// A key of the model is written with the types themselves.
#[tokio::test]
async fn a_key_has_the_types_of_its_columns() {
    let key = OfStageKey { v: Stage::Reserve, id: 7 };
    assert_eq!(OfStage { id: 7, v: Stage::Reserve }.cursor_key(), key);
    assert_eq!(OfStageKey::VARIANTS, [folio::Variant::String, folio::Variant::BigInt]);
    assert_eq!(OfStage::TABLE.primary_key, ["id"]);
}
