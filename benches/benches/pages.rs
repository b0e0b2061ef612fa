//! Pages of 15 rows on each database, compared with the same statements by hand, with pages at depth, and with the
//! statements that people usually write.

use std::path::Path;

use anyhow::{Context as _, Result};
use folio::{Builder, FilterExpr, Folio, Key, Keyring};
use folio_benches::contest::{Outcome, Rival, contest};
use folio_benches::data::{Bind, Database, Post, databases, first_tie};
use folio_benches::report::{Report, median, ratio};
use folio_benches::statements;

const SIZES: [i64; 2] = [200_000, 5_000_000];

const PER_PAGE: u64 = 15;
const LIMIT: i64 = 15;

const AUTHOR: i64 = 7;

const COLUMNS: &str = "SELECT id, title, author_id, status, score, tie, views, created_at FROM posts";

/// Creates a new query for each call.
type List<'a> = &'a dyn Fn() -> Builder<Post>;

/// A page's rows, and the total if the page has one.
type Page = (Option<i64>, Vec<Post>);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut report = Report::default();
    // Cargo passes `--bench` to every benchmark.
    let size = std::env::args().skip(1).find(|argument| argument != "--bench").map(|rows| rows.parse()).transpose()?;
    for rows in size.map_or_else(|| SIZES.to_vec(), |size| vec![size]) {
        for database in databases(Path::new(env!("CARGO_TARGET_TMPDIR")), rows).await? {
            report.heading(&format!("{} {}, {rows} rows", database.name(), database.version().await?));
            let folio = Folio::new(database.pool()).keyring(Keyring::new(Key::generate()));
            let bench = Bench { database: &database, rows };
            folio.scope(bench.run(&mut report)).await?;
        }
    }
    if size.is_none() {
        report.write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"), "pages")?;
    }
    Ok(())
}

struct Bench<'a> {
    database: &'a Database,
    rows: i64,
}

impl Bench<'_> {
    async fn run(&self, report: &mut Report) -> Result<()> {
        self.shallow(report).await?;
        self.deep(report).await?;
        self.usual(report).await
    }

    /// The first pages, and the statements that folio runs for them by hand.
    async fn shallow(&self, report: &mut Report) -> Result<()> {
        const BY_HAND: &str = "by hand";
        const FOLIO: &str = "folio";
        let database = self.database;
        let mut rows = Vec::new();
        let mut add = |name: &str, outcome: Outcome| {
            let times = [BY_HAND, FOLIO].map(|rival| median(&outcome, rival));
            rows.push(
                [&[name.to_owned(), outcome.rounds.to_string()], &times[..], &[ratio(&outcome, FOLIO, BY_HAND)]]
                    .concat(),
            );
        };

        let (_, texts) = statements::of(Post::paginate(PER_PAGE)).await;
        let [page] = texts[..] else { anyhow::bail!("one statement: {texts:?}") };
        let outcome = contest([
            Rival::new(BY_HAND, || database.counted(page, &[Bind::Int(LIMIT)])),
            Rival::new(FOLIO, || length_aware(Post::query())),
        ]);
        add("length-aware, page 1", outcome.await?);

        let known_total = || Post::query().with_total(self.rows.unsigned_abs());
        let (_, texts) = statements::of(known_total().paginate(PER_PAGE)).await;
        let [page] = texts[..] else { anyhow::bail!("one statement: {texts:?}") };
        let outcome = contest([
            Rival::new(BY_HAND, async || Ok((Some(self.rows), database.rows(page, &[Bind::Int(LIMIT)]).await?))),
            Rival::new(FOLIO, || length_aware(known_total())),
        ]);
        add("length-aware with a known total, page 1", outcome.await?);

        for (name, number, binds) in [
            ("simple, page 1", 1, &[Bind::Int(LIMIT + 1)][..]),
            ("simple, page 2", 2, &[Bind::Int(LIMIT + 1), Bind::Int(LIMIT)]),
        ] {
            let (_, texts) = statements::of(Post::query().page(number).simple_paginate(PER_PAGE)).await;
            let [page] = texts[..] else { anyhow::bail!("one statement: {texts:?}") };
            let outcome = contest([
                Rival::new(BY_HAND, || self.probed(page, binds)),
                Rival::new(FOLIO, async || {
                    Ok((None, Post::query().page(number).simple_paginate(PER_PAGE).await?.data))
                }),
            ]);
            add(name, outcome.await?);
        }

        // On PostgreSQL, the page is a range that begins and ends with the author.
        let author = if database.name() == "PostgreSQL" { vec![Bind::Int(AUTHOR); 2] } else { vec![Bind::Int(AUTHOR)] };
        let lists: [(&str, List<'_>, &[Bind]); 2] = [
            ("cursor", &Post::query, &[]),
            ("cursor with a filter", &|| Post::query().filter(Post::AUTHOR_ID.eq(AUTHOR)), &author),
        ];
        for (name, list, filter) in lists {
            let (first, texts) = statements::of(list().cursor_paginate(PER_PAGE)).await;
            let [page] = texts[..] else { anyhow::bail!("one statement: {texts:?}") };
            let binds = [filter, &[Bind::Int(LIMIT + 1)]].concat();
            let outcome = contest([
                Rival::new(BY_HAND, || self.probed(page, &binds)),
                Rival::new(FOLIO, || cursor(list(), None)),
            ]);
            add(&format!("{name}, first page"), outcome.await?);

            let first = first?;
            let next = first.next_cursor.as_deref();
            let last = first.data.last().context("a page has rows")?;
            let (_, texts) = statements::of(list().cursor(next).cursor_paginate(PER_PAGE)).await;
            let [page] = texts[..] else { anyhow::bail!("one statement: {texts:?}") };
            let binds = self.binds(last, filter);
            let outcome = contest([
                Rival::new(BY_HAND, || self.probed(page, &binds)),
                Rival::new(FOLIO, || cursor(list(), next)),
            ]);
            add(&format!("{name}, second page"), outcome.await?);
        }
        report.table(&["page", "rounds", BY_HAND, FOLIO, "ratio"], &rows);
        Ok(())
    }

    /// A page by hand, read with one row more than it shows.
    async fn probed(&self, sql: &'static str, binds: &[Bind]) -> Result<Page> {
        let mut rows = self.database.rows(sql, binds).await?;
        rows.truncate(PER_PAGE.try_into()?);
        Ok((None, rows))
    }

    /// The values of folio's statement for the page after a row, in the order of (created_at, id).
    fn binds(&self, last: &Post, filter: &[Bind]) -> Vec<Bind> {
        let (moment, id, limit) = (Bind::Moment(last.created_at), Bind::Int(last.id), Bind::Int(LIMIT + 1));
        match self.database {
            Database::Sqlite(_) => [filter, &[moment, id], filter, &[moment, limit]].concat(),
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => [filter, &[moment, id, limit]].concat(),
            #[cfg(feature = "mysql")]
            Database::MySql(_) | Database::MariaDb(_) => [filter, &[moment, id, moment, limit]].concat(),
        }
    }

    /// A cursor page at 99 % of the list, compared with the first page, which has no cursor, and the second, which has
    /// one.
    async fn deep(&self, report: &mut Report) -> Result<()> {
        const FIRST: &str = "first page";
        const SECOND: &str = "second page";
        const FORWARDS: &str = "99 %, forwards";
        const BACKWARDS: &str = "99 %, backwards";
        let far = self.rows / 100 * 99;
        let near = self.rows - far;
        let moment = self.moment(far).await?;
        let moment_back = self.moment(near).await?;
        let lists: [(&str, List<'_>, FilterExpr<Post>); 5] = [
            ("created_at, id", &Post::query, Post::CREATED_AT.gte(moment)),
            (
                "created_at desc, id",
                &|| Post::query().cursor_by((Post::CREATED_AT.desc(), Post::ID)),
                Post::CREATED_AT.lte(moment_back),
            ),
            (
                "score nulls last, id",
                &|| Post::query().cursor_by(Post::SCORE.nulls_last()),
                Post::SCORE.is_null().and(Post::ID.gte(near)),
            ),
            (
                "author_id = 7, created_at, id",
                &|| Post::query().filter(Post::AUTHOR_ID.eq(AUTHOR)),
                Post::CREATED_AT.gte(moment),
            ),
            (
                "tie, id, inside 100,000 ties",
                &|| Post::query().cursor_by(Post::TIE),
                Post::TIE.eq(first_tie(self.rows)).and(Post::ID.gte(self.rows / 2)),
            ),
        ];
        let mut rows = Vec::new();
        for (name, list, behind) in lists {
            // Cursors are not bound to filters, so these can be taken from the whole list.
            let there = list().filter(behind.clone()).cursor_paginate(PER_PAGE).await?;
            let next = there.next_cursor.context("the list goes on")?;
            let after = list().filter(behind).cursor(Some(&next)).cursor_paginate(PER_PAGE).await?;
            let prev = after.prev_cursor.context("the list began before")?;
            let second = list().cursor(None).cursor_paginate(PER_PAGE).await?.next_cursor;
            let outcome = contest([
                Rival::new(FIRST, async || Ok(cursor(list(), None).await?.1.len())),
                Rival::new(SECOND, async || Ok(cursor(list(), second.as_deref()).await?.1.len())),
                Rival::new(FORWARDS, async || Ok(cursor(list(), Some(&next)).await?.1.len())),
                Rival::new(BACKWARDS, async || Ok(cursor(list(), Some(&prev)).await?.1.len())),
            ])
            .await?;
            rows.push(vec![
                name.to_owned(),
                outcome.rounds.to_string(),
                median(&outcome, FIRST),
                median(&outcome, SECOND),
                median(&outcome, FORWARDS),
                ratio(&outcome, FORWARDS, FIRST),
                ratio(&outcome, FORWARDS, SECOND),
                median(&outcome, BACKWARDS),
                ratio(&outcome, BACKWARDS, FIRST),
                ratio(&outcome, BACKWARDS, SECOND),
            ]);
        }
        let header =
            ["cursor", "rounds", FIRST, SECOND, FORWARDS, "to first", "to second", BACKWARDS, "to first", "to second"];
        report.table(&header, &rows);
        Ok(())
    }

    /// The moment of the row with this number.
    async fn moment(&self, id: i64) -> Result<chrono::DateTime<chrono::Utc>> {
        let page = Post::query().filter(Post::ID.eq(id)).simple_paginate(1).await?;
        Ok(page.data.first().context("the row is there")?.created_at)
    }

    /// Deep pages as people usually write them, compared with folio's.
    async fn usual(&self, report: &mut Report) -> Result<()> {
        const FOLIO: &str = "folio";
        const ROW_VALUE: &str = "row value";
        const OR: &str = "OR form";
        const OFFSET: &str = "OFFSET";
        let mut rows = Vec::new();
        let mut add = |name: &str, outcome: Outcome| {
            let mut row = vec![name.to_owned(), outcome.rounds.to_string(), median(&outcome, FOLIO)];
            for rival in [ROW_VALUE, OR, OFFSET] {
                row.extend([median(&outcome, rival), ratio(&outcome, FOLIO, rival)]);
            }
            rows.push(row);
        };
        let mark = |number| self.database.placeholder(number);
        let leak = |sql: String| -> &'static str { sql.leak() };

        let far = self.rows / 100 * 99;
        let ties = first_tie(self.rows);
        let lists: [(&str, &str, List<'_>, i64, FilterExpr<Post>); 2] = [
            ("cursor, 99 %, created_at, id", "created_at", &Post::query, far, Post::ID.eq(far)),
            (
                "cursor, inside 100,000 ties, tie, id",
                "tie",
                &|| Post::query().cursor_by(Post::TIE),
                self.rows / 2,
                Post::ID.eq(self.rows / 2),
            ),
        ];
        for (name, column, list, id, at) in lists {
            let row_before = list().filter(at).simple_paginate(1).await?;
            let before = row_before.data.first().context("the row is there")?;
            let first = if column == "tie" { Bind::Int(ties) } else { Bind::Moment(before.created_at) };
            // One row, and the cursor after it.
            let to = list().filter(Post::ID.gte(id)).cursor_paginate(1).await?;
            let next = to.next_cursor.context("the list goes on")?;
            let order = format!("ORDER BY {column}, id LIMIT");
            let row_value =
                leak(format!("{COLUMNS} WHERE ({column}, id) > ({}, {}) {order} {}", mark(1), mark(2), mark(3)));
            let or = leak(format!(
                "{COLUMNS} WHERE {column} > {} OR ({column} = {} AND id > {}) {order} {}",
                mark(1),
                mark(2),
                mark(3),
                mark(4)
            ));
            let offset = leak(format!("{COLUMNS} {order} {} OFFSET {}", mark(1), mark(2)));
            let limit = Bind::Int(LIMIT + 1);
            let (by_row, by_or, by_offset) =
                ([first, Bind::Int(id), limit], [first, first, Bind::Int(id), limit], [limit, Bind::Int(id)]);
            let outcome = contest([
                Rival::new(FOLIO, || cursor(list(), Some(&next))),
                Rival::new(ROW_VALUE, || self.probed(row_value, &by_row)),
                Rival::new(OR, || self.probed(or, &by_or)),
                Rival::new(OFFSET, || self.probed(offset, &by_offset)),
            ]);
            add(name, outcome.await?);
        }

        let offset = leak(format!("{COLUMNS} ORDER BY created_at DESC, id DESC LIMIT {} OFFSET {}", mark(1), mark(2)));
        let page = far.unsigned_abs() / PER_PAGE;
        let binds = [Bind::Int(LIMIT), Bind::Int(((page - 1) * PER_PAGE).try_into()?)];
        let list = || Post::query().order_by_desc(Post::CREATED_AT).page(page);
        let outcome = contest([
            Rival::new(FOLIO, || length_aware(list())),
            Rival::new(OFFSET, async || {
                let count = self.database.count("SELECT COUNT(*) FROM posts", &[]).await?;
                Ok((Some(count), self.database.rows(offset, &binds).await?))
            }),
        ]);
        add("length-aware, 99 %, created_at desc", outcome.await?);
        let header = ["page", "rounds", FOLIO, ROW_VALUE, "ratio", OR, "ratio", OFFSET, "ratio"];
        report.table(&header, &rows);
        Ok(())
    }
}

async fn length_aware(list: Builder<Post>) -> Result<Page> {
    let page = list.paginate(PER_PAGE).await?;
    Ok((Some(page.total.try_into()?), page.data))
}

async fn cursor(list: Builder<Post>, token: Option<&str>) -> Result<Page> {
    Ok((None, list.cursor(token).cursor_paginate(PER_PAGE).await?.data))
}
