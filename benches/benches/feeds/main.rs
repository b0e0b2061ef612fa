//! Pages of 15 posts of many authors, compared with the statement that people usually write, and with the best one that
//! is known for each database.

mod hand;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use chrono::{DateTime, Utc};
use folio::{Folio, Key, Keyring};
use folio_benches::contest::{Limits, Outcome, Rival, contest_within};
use folio_benches::data::Database;
use folio_benches::feeds::{Post, authors, dataset, middle};
use folio_benches::report::{Report, median, ratio, time};

use hand::{Form, Page, Prepared};

/// The number of rows that is measured if none is given, and the one whose results are in README.md.
const SMALL: i64 = 200_000;
const FULL: i64 = 5_000_000;

const PER_PAGE: usize = 15;
/// With one row more, which tells whether others follow.
const LIMIT: usize = 16;

const COUNTS: [usize; 5] = [1, 10, 100, 1_000, 10_000];

/// Numbers of authors around those from which folio takes another form.
const NEAR_LIMITS: [usize; 6] = [16, 32, 64, 128, 256, 512];

/// Numbers of authors whose pages take so little time that opening and sealing cursors matters.
const FEW: [usize; 2] = [1, 10];

/// Rounds, and for how long.
const LIMITS: Limits = Limits { warm_up: 5, rounds: 300, fewest: 7, patience: Duration::from_secs(1) };

/// A statement that takes longer runs once, and one that takes much longer is ended.
const SLOW: Duration = Duration::from_millis(300);
const SECONDS: u64 = 10;

const FOLIO: &str = "folio";
const WITH_CURSORS: &str = "with cursors";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut report = Report::default();
    // Cargo passes `--bench` to every benchmark.
    let size = std::env::args().skip(1).find(|argument| argument != "--bench").map(|rows| rows.parse()).transpose()?;
    let rows = size.unwrap_or(SMALL);
    let keyring = Keyring::new(Key::generate());
    for database in dataset(rows).databases(Path::new(env!("CARGO_TARGET_TMPDIR"))).await? {
        let title = format!("{} {}, {rows} posts", database.name(), database.version().await?);
        report.heading(&format!("{title}, {} authors", authors(rows)));
        Bench { database, rows, keyring: keyring.clone() }.run(&mut report).await?;
    }
    if rows == FULL {
        report.write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"), "feeds")?;
    }
    Ok(())
}

struct Bench {
    database: Database,
    rows: i64,
    keyring: Keyring,
}

impl Bench {
    async fn run(&self, report: &mut Report) -> Result<()> {
        let folio = Folio::new(self.database.pool()).keyring(self.keyring.clone());
        let boundary = folio.scope(Boundary::find()).await?;
        let header = [
            "feed",
            "rounds",
            FOLIO,
            "best by hand",
            "form",
            "folio/best",
            "IN",
            "IN/folio",
            "keys first",
            "keys/folio",
        ];
        report.table(&header, &self.each(&COUNTS, &boundary, Feed::compare).await?);
        let header = ["feed", "rounds", FOLIO, "best by hand", "form", "ratio", "by hand with cursors", "ratio"];
        report.table(&header, &self.each(&FEW, &boundary, Feed::compare_cursors).await?);
        if !matches!(self.database, Database::Sqlite(_)) {
            let header = ["feed", "rounds", FOLIO, "form", "by hand", "heads first by hand", "ratio"];
            report.table(&header, &self.each(&NEAR_LIMITS, &boundary, Feed::compare_forms).await?);
        }
        Ok(())
    }

    /// A line for each feed and page. Each feed has new connections, because the statements of all feeds are more than
    /// one keeps.
    async fn each(
        &self,
        counts: &[usize],
        boundary: &Boundary,
        compare: impl AsyncFn(&Feed, &Database, Option<&Boundary>) -> Result<Vec<String>>,
    ) -> Result<Vec<Vec<String>>> {
        let mut lines = Vec::new();
        for feed in feeds(self.rows, counts) {
            let database = self.database.with_connections(1);
            database.limit_time(SECONDS).await?;
            let folio = Folio::new(with_own_connection(&database).pool()).keyring(self.keyring.clone());
            for after in [None, Some(boundary)] {
                let line = folio.clone().scope(compare(&feed, &database, after)).await?;
                eprintln!("{}", line.join(" | "));
                lines.push(line);
            }
        }
        Ok(lines)
    }
}

/// The database as one candidate reads it. On MySQL and MariaDB, a statement that is closed delays the next one on its
/// connection, so each candidate has its own.
fn with_own_connection(database: &Database) -> Database {
    match database.name() {
        "MySQL" | "MariaDB" => database.with_connections(1),
        _ => database.clone(),
    }
}

/// A row in the middle of the posts, and the cursor after it.
struct Boundary {
    row: (DateTime<Utc>, i64),
    cursor: String,
}

impl Boundary {
    /// Cursors are not bound to filters, so it is taken from the posts of one author.
    async fn find() -> Result<Self> {
        let middle = middle().context("a moment")?;
        let before = Post::query().filter(Post::AUTHOR_ID.eq(0)).filter(Post::CREATED_AT.lte(middle));
        let page = before.cursor_paginate(1).await?;
        let post = page.data.first().context("the author has a post before the middle")?;
        Ok(Self { row: (post.created_at, post.id), cursor: page.next_cursor.context("and another one")? })
    }
}

/// Some authors whose posts are listed.
struct Feed {
    name: String,
    authors: Vec<i64>,
}

/// Feeds of these numbers of authors: of small ones, which are chosen uniformly, and of the biggest.
fn feeds(rows: i64, counts: &[usize]) -> Vec<Feed> {
    let all = authors(rows);
    let small = |count: i64| (0..count).map(|at| (at * 7_919 + 8_191) % all).collect();
    let big = |count: i64| (0..count).collect();
    let both = |&count: &usize| {
        let number = i64::try_from(count).unwrap_or(i64::MAX);
        let plural = if count == 1 { "" } else { "s" };
        [
            Feed { name: format!("{count} small author{plural}"), authors: small(number) },
            Feed { name: format!("{count} big author{plural}"), authors: big(number) },
        ]
    };
    counts.iter().flat_map(both).collect()
}

impl Feed {
    fn page<'a>(&'a self, database: &'a Database, after: Option<&Boundary>) -> Page<'a> {
        Page { database, authors: &self.authors, after: after.map(|boundary| boundary.row) }
    }

    fn title(&self, after: Option<&Boundary>) -> String {
        format!("{}, {}", self.name, if after.is_some() { "at 50 %" } else { "first page" })
    }

    async fn by_folio(&self, after: Option<&Boundary>) -> Result<Vec<i64>> {
        let cursor = after.map(|boundary| boundary.cursor.as_str());
        let list = Post::query().among(Post::AUTHOR_ID, self.authors.iter().copied());
        let page = list.cursor(cursor).cursor_paginate(PER_PAGE.try_into()?).await?;
        Ok(page.data.into_iter().map(|post| post.id).collect())
    }

    /// A line of the table: folio, the best form, and those that people usually write.
    async fn compare(&self, database: &Database, after: Option<&Boundary>) -> Result<Vec<String>> {
        let page = self.page(database, after);
        let best = page.best();
        let expected = self.by_folio(after).await?;
        let usual = [Form::In, Form::KeysFirst].map(|form| (form, page.prepare(form)));
        let mut forms = vec![(best, page.prepare(best))];
        let mut slow = Vec::new();
        for (form, prepared) in usual {
            let once = Once::of(&prepared, database, &expected).await?;
            if once.took() > SLOW {
                slow.push((form, once));
            } else {
                forms.push((form, prepared));
            }
        }
        let outcome = self.contest(database, after, &forms).await?;
        let mut line = vec![self.title(after), outcome.rounds.to_string(), median(&outcome, FOLIO)];
        line.extend([median(&outcome, best.name()), best.name().to_owned(), ratio(&outcome, FOLIO, best.name())]);
        for form in [Form::In, Form::KeysFirst] {
            let once = slow.iter().find(|(slow, _)| *slow == form).map(|(_, once)| *once);
            line.extend(once.map_or_else(|| beside(&outcome, form), |once| once.beside(&outcome)));
        }
        Ok(line)
    }

    /// A line of the second table: the best form alone, and with the page's cursors opened and sealed.
    async fn compare_cursors(&self, database: &Database, after: Option<&Boundary>) -> Result<Vec<String>> {
        let page = self.page(database, after);
        let best = page.best();
        let (prepared, cursor) = (page.prepare(best), after.map(|boundary| boundary.cursor.as_str()));
        let databases = [(); 2].map(|()| with_own_connection(database));
        let [alone, with_cursors] = &databases;
        let rivals = vec![
            Rival::new(FOLIO, || self.by_folio(after)),
            Rival::new(best.name(), || prepared.ids(alone)),
            Rival::new(WITH_CURSORS, || prepared.ids_with_cursors(with_cursors, cursor)),
        ];
        let outcome = contest_within(LIMITS, rivals).await.with_context(|| self.title(after))?;
        let mut line = vec![self.title(after), outcome.rounds.to_string(), median(&outcome, FOLIO)];
        line.extend([median(&outcome, best.name()), best.name().to_owned(), ratio(&outcome, FOLIO, best.name())]);
        line.extend([median(&outcome, WITH_CURSORS), ratio(&outcome, FOLIO, WITH_CURSORS)]);
        Ok(line)
    }

    /// A line of the third table: the rows of each author, and heads first.
    async fn compare_forms(&self, database: &Database, after: Option<&Boundary>) -> Result<Vec<String>> {
        let page = self.page(database, after);
        let each = page.each();
        let forms = [each, Form::HeadsFirst].map(|form| (form, page.prepare(form)));
        let outcome = self.contest(database, after, &forms).await?;
        let (each, heads) = (each.name(), Form::HeadsFirst.name());
        let mut line = vec![self.title(after), outcome.rounds.to_string(), median(&outcome, FOLIO), each.to_owned()];
        line.extend([median(&outcome, each), median(&outcome, heads), ratio(&outcome, each, heads)]);
        Ok(line)
    }

    async fn contest(
        &self,
        database: &Database,
        after: Option<&Boundary>,
        forms: &[(Form, Prepared<'_>)],
    ) -> Result<Outcome> {
        let databases: Vec<Database> = forms.iter().map(|_| with_own_connection(database)).collect();
        let mut rivals = vec![Rival::new(FOLIO, || self.by_folio(after))];
        let by_hand = forms.iter().zip(&databases);
        rivals.extend(by_hand.map(|((form, prepared), database)| Rival::new(form.name(), || prepared.ids(database))));
        contest_within(LIMITS, rivals).await.with_context(|| self.title(after))
    }
}

/// The time of a statement that took turns with folio, and how many times longer it took.
fn beside(outcome: &Outcome, form: Form) -> [String; 2] {
    [median(outcome, form.name()), ratio(outcome, form.name(), FOLIO)]
}

/// One run of a statement by hand.
#[derive(Debug, Clone, Copy)]
enum Once {
    Took(Duration),
    /// It was ended after this time.
    Ended(Duration),
}

impl Once {
    /// The second run, unless the first one already takes long with a warm cache too.
    async fn of(prepared: &Prepared<'_>, database: &Database, expected: &[i64]) -> Result<Self> {
        let first = Self::run(prepared, database, expected).await?;
        if first.took() < SLOW * 20 { Self::run(prepared, database, expected).await } else { Ok(first) }
    }

    async fn run(prepared: &Prepared<'_>, database: &Database, expected: &[i64]) -> Result<Self> {
        let begun = Instant::now();
        let result = prepared.ids(database).await;
        let took = begun.elapsed();
        if result.is_err() && took >= Duration::from_secs(SECONDS) {
            return Ok(Self::Ended(took));
        }
        let ids = result?;
        ensure!(ids == expected, "folio and a statement by hand differ: {expected:?}, {ids:?}");
        Ok(Self::Took(took))
    }

    fn took(self) -> Duration {
        let (Self::Took(took) | Self::Ended(took)) = self;
        took
    }

    fn beside(self, outcome: &Outcome) -> [String; 2] {
        let took = self.took();
        let ratio = outcome.median(FOLIO).map(|folio| took.as_secs_f64() / folio.as_secs_f64()).unwrap_or_default();
        match self {
            Self::Took(_) => [time(took), format!("{ratio:.0}")],
            Self::Ended(_) => [format!("> {SECONDS} s"), format!("> {ratio:.0}")],
        }
    }
}
