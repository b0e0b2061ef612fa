//! A value that was read from a row finds the rows that the database considers equal: in a filter, a feed, the pages of
//! each group, and relations.

use std::hash::Hash;

use folio::{Builder, Column, Result, Total, load};

use super::{Keyed, Table, ids};

/// The column `v` of a model.
const fn v<M: Keyed>() -> Column<M::Value> {
    Column::new("v")
}

/// All rows of a list, in the order of their ids.
async fn all<M: Keyed>(list: Builder<M>) -> Result<Vec<i64>> {
    Ok(in_order(&list.page(1).paginate(u64::MAX).await?.data))
}

fn in_order<M: Keyed>(rows: &[M]) -> Vec<i64> {
    let mut ids = ids(rows);
    ids.sort_unstable();
    ids
}

impl Table {
    /// Every comparison with the value of a row has the rows that the database considers equal.
    pub(crate) async fn finds<M: Keyed + Clone>(&self)
    where
        M::Value: Eq + Hash + Send + Sync,
    {
        self.finds_in_filters::<M>().await;
        let case = format!("{} in groups", std::any::type_name::<M::Value>());
        let work = async {
            let rows = Builder::<M>::new().page(1).paginate(u64::MAX).await?.data;
            let rows: Vec<M> = rows.into_iter().step_by(17).collect();
            let values = || rows.iter().map(Keyed::value);
            let each = Builder::<M>::new().counted().each_of(v::<M>(), values()).cursor_paginate(1_000).await?;
            let first = Builder::<M>::new().each_of(v::<M>(), values()).first(1_000).await?;
            let same = load::many(Builder::<M>::new(), v::<M>(), |row: &M| row.value());
            let page = Builder::<M>::new().page(1).paginate(u64::MAX).await?.load(same).await?;
            for row in &rows {
                let (expected, value) = (self.equal_to(row.id()).await, row.value());
                assert_eq!(in_order(&each[&value].data), expected, "{case}, each_of: {row:?}");
                assert_eq!(each[&value].total, Some(Total::Exact(u64::try_from(expected.len()).unwrap())), "{case}, the total: {row:?}");
                assert_eq!(in_order(&first[&value]), expected, "{case}, first: {row:?}");
                let loaded = page.data.iter().find(|(of, _)| of.id() == row.id()).unwrap();
                assert_eq!(in_order(&loaded.1), expected, "{case}, load: {row:?}");
            }
            Ok::<_, folio::FrameworkError>(())
        };
        self.folio.scope(work).await.unwrap_or_else(|error| panic!("{case}: {error}"));
    }

    /// The same for filters and feeds.
    pub(crate) async fn finds_in_filters<M: Keyed>(&self) {
        let case = format!("{} in filters", std::any::type_name::<M::Value>());
        let work = async {
            let rows = Builder::<M>::new().page(1).paginate(u64::MAX).await?.data;
            let other = rows[1].value();
            for row in rows.iter().step_by(29) {
                let (expected, value) = (self.equal_to(row.id()).await, row.value());
                let list = |filter| all(Builder::<M>::new().filter(filter));
                assert_eq!(list(v::<M>().eq(value.clone())).await?, expected, "{case}, eq: {row:?}");
                assert_eq!(list(v::<M>().is_in([value.clone()])).await?, expected, "{case}, is_in: {row:?}");
                assert_eq!(list(v::<M>().any_of([value.clone()])).await?, expected, "{case}, any_of: {row:?}");
                let feed = Builder::<M>::new().among(v::<M>(), [value.clone()]);
                assert_eq!(all(feed).await?, expected, "{case}, among: {row:?}");
                let mut of_two = [expected, self.equal_to(rows[1].id()).await].concat();
                of_two.sort_unstable();
                of_two.dedup();
                let feed = || Builder::<M>::new().among(v::<M>(), [value.clone(), other.clone()]);
                assert_eq!(all(feed()).await?, of_two, "{case}, among two: {row:?}");
                let page = feed().cursor(None).cursor_paginate(1_000).await?;
                assert_eq!(in_order(&page.data), of_two, "{case}, a cursor page among two: {row:?}");
            }
            Ok::<_, folio::FrameworkError>(())
        };
        self.folio.scope(work).await.unwrap_or_else(|error| panic!("{case}: {error}"));
    }

    /// The rows whose value the database considers equal to that of a row.
    async fn equal_to(&self, id: i64) -> Vec<i64> {
        let sql = format!("SELECT id FROM t WHERE v = (SELECT v FROM t WHERE id = {id}) ORDER BY id");
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(&self.pool).await.unwrap()
    }
}
