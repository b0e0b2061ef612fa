//! Selects without a model. Their key columns have other names and may be wrapped, which does not change how they
//! compare.

use folio::{Column, CursorValue, IntoOrder};
use sea_query::prelude::Uuid;
use sea_query::prelude::chrono::{DateTime, Utc};
use sea_query::{Expr, Query, UnionType};

use super::moments::in_mixed_forms;
use super::{bound, written};
use crate::values::{Table, nullable, of_rows, walk};

/// Walks by `v` over a plain select, a DISTINCT and a UNION ALL.
async fn walks<V: CursorValue>(table: &Table) {
    let (v, id) = (Column::<V>::new("v"), Column::<i64>::new("id"));
    let orders = [
        (v.asc().nulls_last().erased().then(id), "v NULLS LAST, id"),
        (v.desc().nulls_first().erased().then(id), "v DESC NULLS FIRST, id"),
        (v.asc().nulls_first().erased().then(id.desc()), "v NULLS FIRST, id DESC"),
    ];
    let plain = Query::select().columns(["id", "v"]).from("t").take();
    let distinct = plain.clone().distinct().take();
    let half = |condition: &'static str| plain.clone().and_where(Expr::cust(condition)).take();
    let union = half("id % 2 = 0").union(UnionType::All, half("id % 2 <> 0")).take();
    for (order, sql) in orders {
        let expected = table.sorted(sql).await;
        let case = format!("{} by {sql}", std::any::type_name::<V>());
        for select in [&plain, &distinct, &union] {
            let page = async |cursor: Option<&str>| of_rows(select.clone(), &order, cursor).await;
            table.folio.scope(walk(page, &expected, &case)).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_walk_of_a_select_compares_as_the_column_does() {
    let texts = ["'a'", "'A'", "'b'", "'B '", "'b '", "'c'", "''", "'aB'", "'Ab'"];
    walks::<String>(&written("TEXT NOT NULL COLLATE NOCASE", &texts).await).await;
    walks::<String>(&written("TEXT NOT NULL COLLATE RTRIM", &texts).await).await;
    walks::<Option<String>>(&written("TEXT COLLATE NOCASE", &nullable(&texts)).await).await;
    walks::<f32>(&written("REAL NOT NULL", &["0.1", "0.1000000000001", "0.3", "-0.7"]).await).await;
    walks::<DateTime<Utc>>(&written("DATETIME NOT NULL", &in_mixed_forms()).await).await;
    walks::<Uuid>(&bound("BLOB NOT NULL", vec![Uuid::nil(), Uuid::max(), Uuid::from_u128(7)]).await).await;
}
