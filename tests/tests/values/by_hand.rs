//! Cursors from a row's key alone: `row.cursor_key().encode(..)` leads where a page's own cursor at that row does.

use folio::{Builder, CursorDirection, CursorPaginator, Folio, Key, Keyring, Result};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::values::Keyed;
use crate::suite::db::{self, Pool};

/// A table `t` whose column `v` is declared as `declared`, with values in SQL.
pub(crate) struct Column<'a> {
    pub(crate) pool: Pool,
    pub(crate) declared: &'a str,
    pub(crate) values: &'a [&'a str],
}

impl Column<'_> {
    fn folio(&self) -> Folio {
        Folio::new(self.pool.clone()).keyring(Keyring::new(Key::generate()))
    }

    /// An application on the table with these rows: the place of each row's value among the values.
    async fn filled(&self, rows: &[usize]) -> Folio {
        let row = |(row, value): (usize, &usize)| format!("({}, {})", id(row), self.values[*value]);
        let rows: Vec<String> = rows.iter().enumerate().map(row).collect();
        db::run(&self.pool, "DROP TABLE IF EXISTS t").await;
        db::run(&self.pool, format!("CREATE TABLE t (id BIGINT PRIMARY KEY, v {})", self.declared)).await;
        db::run(&self.pool, format!("INSERT INTO t VALUES {}", rows.join(", "))).await;
        self.folio()
    }

    /// In random tables, at every row and both ways, both cursors lead to the same page.
    pub(crate) fn continues<M: Keyed>(self, runtime: &tokio::runtime::Runtime) {
        let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(12);
        let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
        let table = (prop::collection::vec(0..self.values.len(), 1..24), 1..5_u64);
        let checked = TestRunner::new(config).run(&table, |(rows, per_page)| {
            runtime.block_on(async {
                let folio = self.filled(&rows).await;
                folio.scope(assert_continues::<M>(rows.len(), per_page)).await;
            });
            Ok(())
        });
        checked.unwrap_or_else(|error| panic!("{} in {}: {error}", std::any::type_name::<M::Value>(), self.declared));
    }

    /// The table with one row for each value, and those rows.
    pub(crate) async fn rows<M: Keyed>(&self) -> (Folio, Vec<M>) {
        let places: Vec<usize> = (0..self.values.len()).collect();
        let folio = self.filled(&places).await;
        let mut rows = folio.scope(Builder::<M>::new().page(1).simple_paginate(100)).await.unwrap().data;
        rows.sort_by_key(|row| places.iter().position(|place| id(*place) == row.id()));
        assert_eq!(rows.len(), self.values.len());
        (folio, rows)
    }
}

/// The id of a row, which says nothing about the order of the values.
fn id(row: usize) -> i64 {
    i64::try_from((row * 7_919) % 10_007).unwrap()
}

pub(crate) async fn page<M: Keyed>(cursor: Option<&str>, per_page: u64) -> Result<CursorPaginator<M>> {
    Builder::<M>::new().cursor(cursor).cursor_paginate(per_page).await
}

pub(crate) fn ids<M: Keyed>(rows: &[M]) -> Vec<i64> {
    rows.iter().map(Keyed::id).collect()
}

async fn assert_continues<M: Keyed>(rows: usize, per_page: u64) {
    let mut at = page::<M>(None, 1).await.unwrap();
    let mut seen = 0;
    loop {
        seen += 1;
        assert!(seen <= rows, "the walk goes in circles");
        let row = at.data.first().unwrap();
        for (direction, own) in [(CursorDirection::Next, &at.next_cursor), (CursorDirection::Prev, &at.prev_cursor)] {
            let by_hand = page::<M>(Some(&row.sealed(direction).unwrap()), per_page).await;
            let by_hand = by_hand.unwrap_or_else(|error| panic!("{direction:?} of {row:?}: {error}"));
            let expected = match own {
                Some(own) => page::<M>(Some(own), per_page).await.unwrap().data,
                None => Vec::new(),
            };
            assert_eq!(ids(&by_hand.data), ids(&expected), "{direction:?} of {row:?}");
        }
        let Some(next) = &at.next_cursor else { break };
        at = page::<M>(Some(next), 1).await.unwrap();
    }
    assert_eq!(seen, rows, "rows are lost");
}

/// The page at a cursor from a row's key is refused as a request that has to start again, in words that say so.
pub(crate) async fn assert_gone<M: Keyed>(folio: &Folio, row: &M) {
    folio
        .scope(async {
            let cursor = row.sealed(CursorDirection::Next).unwrap();
            let error = page::<M>(Some(&cursor), 3).await.unwrap_err();
            assert_eq!(error.status(), 400, "{error:?}");
            assert!(error.to_string().contains("next or previous cursor of a page"), "{error}");
        })
        .await;
}
