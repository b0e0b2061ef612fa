//! Pages of SQL text over the table.

use folio::{Column, CursorPaginator, IntoOrder as _, Order, Select};
use sqlx::AssertSqlSafe;

use super::{Cost, LAST, PER_PAGE, shape};
use crate::Pool;

type Row = (i64, i32);

/// A list of SQL text. Several texts are united.
pub(crate) struct Text {
    pub(crate) name: &'static str,
    /// `{hint}` is where a hint for MySQL names the indexes of the orders.
    texts: &'static [&'static str],
    /// How many rows are read for each row of a page.
    pub(crate) reads: u64,
}

/// The texts whose pages cost the same at every depth.
pub(crate) fn texts() -> [Text; 6] {
    let text = |name, texts, reads| Text { name, texts, reads };
    [
        text("a filter", &["SELECT id, moment FROM planned {hint} WHERE tenant < 9"], 1),
        text(
            "a join",
            &["SELECT p.id, p.moment, q.a AS other FROM planned AS p {hint} JOIN planned AS q ON q.id = p.tie"],
            2,
        ),
        text(
            "a counted relation",
            &["SELECT id, moment, (SELECT COUNT(*) FROM planned AS q WHERE q.moment = p.id) AS near \
               FROM planned AS p {hint}"],
            5,
        ),
        text("WITH", &["WITH c AS (SELECT * FROM planned {hint} WHERE tenant < 9) SELECT id, moment FROM c"], 1),
        text(
            "WITH, twice",
            &["WITH c AS (SELECT * FROM planned {hint} WHERE tenant < 9), d AS (SELECT id, b FROM planned) \
               SELECT c.id, c.moment FROM c JOIN d ON d.id = c.tie"],
            2,
        ),
        text(
            "united texts",
            &[
                "SELECT id, moment FROM planned {hint} WHERE tenant = 3",
                "SELECT p.id, p.moment FROM planned AS p {hint} JOIN planned AS q ON q.id = p.tie WHERE p.tenant = 5",
            ],
            6,
        ),
    ]
}

/// The orders, each also as an ORDER BY.
fn orders() -> [(Order, &'static str); 3] {
    let (id, moment) = (Column::<i64>::new("id"), Column::<i32>::new("moment"));
    [
        (id.erased(), "id"),
        ((moment, id).erased(), "moment, id"),
        ((moment.desc(), id.desc()).erased(), "moment DESC, id DESC"),
    ]
}

const DEPTHS: [i64; 3] = [5, 500_000, 990_000];

impl Text {
    async fn page(&self, hint: &str, order: &Order, cursor: Option<&str>) -> CursorPaginator<Row> {
        let mut texts = self.texts.iter().map(|text| AssertSqlSafe(text.replace("{hint}", hint)));
        let first = Select::<Row>::sql(texts.next().unwrap());
        let select = texts.fold(first, |select, text| select.union_all(text));
        select.order_by(order.clone()).cursor(cursor).cursor_paginate(PER_PAGE).await.unwrap()
    }

    /// The most that a page costs, anywhere and either way. `meter` tells the cost since it was last asked.
    pub(crate) async fn dearest(&self, pool: &Pool, hint: &str, meter: impl AsyncFn() -> Cost) -> Cost {
        let mut most = Cost { rows: 0, beside: 0 };
        for (order, sql) in orders() {
            // The columns are looked up.
            self.page(hint, &order, None).await;
            meter().await;
            assert_eq!(self.page(hint, &order, None).await.data.len(), 15, "{}", self.name);
            most = most.most(meter().await);
            let list = shape(self.name, order.clone(), sql);
            let last = list.row(pool, LAST).await;
            for depth in DEPTHS {
                let id = list.row(pool, depth).await;
                let two = format!("SELECT id, moment FROM planned WHERE id IN ({id}, {last})");
                let two = Select::<Row>::sql(AssertSqlSafe(two)).order_by(order.clone());
                let at = two.cursor_paginate(1).await.unwrap().next_cursor;
                // Also prepares the statements.
                let onward = self.page(hint, &order, at.as_deref()).await;
                self.page(hint, &order, onward.prev_cursor.as_deref()).await;
                meter().await;
                let again = self.page(hint, &order, at.as_deref()).await;
                most = most.most(meter().await);
                assert_eq!((again.data.len(), &again.data), (15, &onward.data), "{}", self.name);
                self.page(hint, &order, again.prev_cursor.as_deref()).await;
                most = most.most(meter().await);
            }
        }
        most
    }
}
