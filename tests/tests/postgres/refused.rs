//! Types that PostgreSQL sorts but no key type reads: the first page is an error, and never empty or wrong.

use sea_query::prelude::chrono::{DateTime, NaiveTime, Utc};

use crate::server;
use crate::values::Table;
use crate::values::models::keyed;

keyed! {
    OfString: String = "v";
    OfBytes: Vec<u8> = "v";
    OfI64: i64 = "v";
    OfTime: NaiveTime = "v";
    OfUtc: DateTime<Utc> = "v";
}

async fn table(declared: &str, values: &[&str]) -> Table {
    Table::new(server::pool(1).await, declared, "v, id", values).await
}

#[tokio::test]
async fn types_without_a_rust_type_are_refused() {
    const WORDS: [&str; 1] = ["not compatible"];
    let clocks = table("TIME WITH TIME ZONE NOT NULL", &["'12:00+02'", "'11:00+00'"]).await;
    clocks.refuses::<OfTime>(&WORDS).await;
    clocks.refuses::<OfUtc>(&WORDS).await;
    table("INTERVAL NOT NULL", &["'1 month'", "'30 days'"]).await.refuses::<OfTime>(&WORDS).await;
    table("INTERVAL NOT NULL", &["'1 month'", "'30 days'"]).await.refuses::<OfString>(&WORDS).await;
    table("INT4RANGE NOT NULL", &["'[1,2]'", "'empty'"]).await.refuses::<OfString>(&WORDS).await;
    table("MONEY NOT NULL", &["1", "2"]).await.refuses::<OfI64>(&WORDS).await;
    table("INET NOT NULL", &["'10.0.0.1'", "'9.0.0.1'"]).await.refuses::<OfString>(&WORDS).await;
    table("OID NOT NULL", &["1", "2"]).await.refuses::<OfI64>(&WORDS).await;
    table("JSONB NOT NULL", &["'1'", "'2'"]).await.refuses::<OfString>(&WORDS).await;
    table("VARBIT NOT NULL", &["B'1'", "B'01'"]).await.refuses::<OfBytes>(&WORDS).await;
    table("INTEGER[] NOT NULL", &["'{1}'", "'{2}'"]).await.refuses::<OfI64>(&WORDS).await;
}
