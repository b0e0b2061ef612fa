//! Pages of 15 rows after a row of the list, near its beginning and far from it.

use std::time::Duration;

use anyhow::{Context as _, Result};
use folio_benches::contest::{Limits, Outcome, Rival, contest_within};
use folio_benches::data::{Bind, Database, Post};
use folio_benches::report::median;
use folio_peers::{COLUMNS, PER_PAGE, sea_orm_connection, sea_orm_cursor};

pub const RIVALS: [&str; 4] = [FOLIO, OFFSET, OR, SEA_ORM];
const FOLIO: &str = "folio";
const OFFSET: &str = "OFFSET";
const OR: &str = "OR form";
const SEA_ORM: &str = "sea-orm";

pub const HEADER: [&str; 5] = ["rows before the page", FOLIO, OFFSET, OR, SEA_ORM];

const ONCE: Limits = Limits { warm_up: 0, rounds: 1, fewest: 1, patience: Duration::ZERO };
const LIMITS: Limits = Limits { warm_up: 20, rounds: 500, fewest: 7, patience: Duration::from_secs(2) };

/// What was measured on a database, by the number of rows before the page.
pub struct Panel {
    pub database: &'static str,
    pub pages: Vec<(i64, Outcome)>,
}

impl Panel {
    pub fn table(&self) -> Vec<Vec<String>> {
        let line = |(depth, outcome): &(i64, Outcome)| {
            let times = RIVALS.map(|rival| median(outcome, rival));
            [&[depth.to_string()], &times[..]].concat()
        };
        self.pages.iter().map(line).collect()
    }
}

/// Powers of ten, and 99 % of the list. In the order of (created_at, id), row number `n` has the id `n`.
pub async fn measure(database: &Database, rows: i64) -> Result<Panel> {
    let mark = |number| database.placeholder(number);
    let order = "ORDER BY created_at, id LIMIT";
    let offset: &'static str = format!("{COLUMNS} {order} {} OFFSET {}", mark(1), mark(2)).leak();
    let or: &'static str = format!(
        "{COLUMNS} WHERE created_at > {} OR (created_at = {} AND id > {}) {order} {}",
        mark(1),
        mark(2),
        mark(3),
        mark(4)
    )
    .leak();
    let by_hand = async |sql, binds: &[Bind]| {
        let mut rows = database.rows(sql, binds).await?;
        rows.truncate(PER_PAGE.try_into()?);
        Ok(rows)
    };
    let orm = sea_orm_connection(database);
    let limit = Bind::Int(i64::try_from(PER_PAGE)? + 1);

    let far = rows / 100 * 99;
    let depths = (1..).map(|power| 10_i64.pow(power)).take_while(|depth| *depth < far).chain([far]);
    let mut pages = Vec::new();
    for depth in depths {
        // The cursor of a page that ends at the row, as a client has it.
        let to = Post::query().filter(Post::ID.gte(depth)).cursor_paginate(1).await?;
        let row = to.data.first().context("the row is there")?;
        let next = to.next_cursor.as_deref().context("the list goes on")?;
        let (moment, id) = (Bind::Moment(row.created_at), Bind::Int(row.id));
        let (by_offset, by_or) = ([limit, Bind::Int(depth)], [moment, moment, id, limit]);
        let rivals = || {
            vec![
                Rival::new(FOLIO, async || Ok(Post::query().cursor(Some(next)).cursor_paginate(PER_PAGE).await?.data)),
                Rival::new(OFFSET, || by_hand(offset, &by_offset)),
                Rival::new(OR, || by_hand(or, &by_or)),
                Rival::new(SEA_ORM, || sea_orm_cursor(&orm, Some((row.created_at, row.id)))),
            ]
        };
        // They return the same rows.
        let mut outcome = contest_within(ONCE, rivals()).await?;
        outcome.medians.clear();
        // Each is measured by itself. In turn, those that read many rows would displace what the others read from the
        // caches.
        for rival in rivals() {
            let alone = contest_within(LIMITS, vec![rival]).await?;
            outcome.medians.extend(alone.medians);
        }
        pages.push((depth, outcome));
    }
    Ok(Panel { database: database.name(), pages })
}
