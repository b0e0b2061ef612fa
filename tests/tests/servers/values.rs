//! Columns that a server has and a walk refuses.

use folio::{FrameworkError, Result};

use crate::values::{Keyed, Page, ROWS, Table, assert_refused, of_model, of_select, orders};

impl Table {
    /// The first page by `v` of the model is a database error that names the column and contains these words.
    pub(crate) async fn refuses_of_model<M: Keyed>(&self, words: &[&str]) {
        for (order, sql) in orders::<M>() {
            assert_refused(self.folio.scope(of_model::<M>(&order, None)).await.unwrap_err(), words, &sql);
            self.sorted(&sql).await;
        }
    }

    /// The first page by `v` is refused, with the model and without, in an error that contains these words.
    pub(crate) async fn refuses<M: Keyed>(&self, words: &[&str]) {
        self.refuses_of_model::<M>(words).await;
        for (order, sql) in orders::<M>() {
            assert_refused(self.folio.scope(of_select(&order, None)).await.unwrap_err(), words, &sql);
        }
    }

    /// The walk is right up to the page that is refused, with the model and without, in an error that contains these
    /// words.
    pub(crate) async fn meets<M: Keyed>(&self, words: &[&str]) {
        for (order, sql) in orders::<M>() {
            let expected = self.sorted(&sql).await;
            let of_model = self.folio.scope(stops(async |cursor| of_model::<M>(&order, cursor).await)).await;
            let of_select = self.folio.scope(stops(async |cursor| of_select(&order, cursor).await)).await;
            for (seen, error) in [of_model, of_select] {
                assert!(expected.starts_with(&seen), "by {sql}: {seen:?}");
                assert_refused(error, words, &sql);
            }
        }
    }
}

/// The ids up to the page that is refused, and its error.
async fn stops(page: impl AsyncFn(Option<&str>) -> Result<Page>) -> (Vec<i64>, FrameworkError) {
    let mut seen = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        assert!(seen.len() <= ROWS, "the walk goes in circles");
        match page(cursor.as_deref()).await {
            Ok((ids, next, _)) => {
                seen.extend(ids);
                cursor = Some(next.expect("a page is refused"));
            }
            Err(error) => return (seen, error),
        }
    }
}
