//! Compares folio's results with the oracle.

use std::cmp::Ordering;

use folio::{CursorPaginator, FrameworkError, LengthAwarePaginator, Pagination, Select};

use super::case::{Case, Output, Shape};
use super::dialect::{Dialect, dialect};
use super::keys;
use super::oracle::{self, Expected, Oracle, Ranked};
use super::row::Row;
use super::schema::World;

/// The calls that a select is paged with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Call {
    Numbered,
    Simple,
    /// By number, in the order that a walk has.
    Sorted,
    Walk,
}

/// What came of a call.
#[derive(Debug)]
pub(super) enum Answer {
    Right,
    /// An error, which is allowed here.
    Refused(String),
    /// An error where the rows could have been given.
    Denied {
        kind: String,
        detail: String,
    },
    /// Something else than the rows of the plain statement.
    Wrong {
        kind: String,
        detail: String,
    },
}

/// What came of a select.
#[derive(Debug)]
pub(super) enum Verdict {
    /// The database does not run it by hand either.
    Invalid(String),
    /// Its LIMIT keeps rows that its order does not determine.
    Ambiguous,
    /// Each call, whether it has to be answered, and what came of it.
    Checked(Vec<(Call, bool, Answer)>),
}

fn wrong<T>(kind: impl Into<String>, detail: impl Into<String>) -> Result<T, Answer> {
    Err(Answer::Wrong { kind: kind.into(), detail: detail.into() })
}

/// Pages the select in every way.
pub(super) async fn check(world: &World, case: &Case) -> Verdict {
    let rows = match oracle::plain(&world.pool, case).await {
        Ok(rows) => rows,
        Err(sqlx::Error::Database(error)) => return Verdict::Invalid(error.to_string()),
        Err(error) => {
            let (kind, detail) = ("a connection lost by an earlier select".to_owned(), error.to_string());
            return Verdict::Checked(vec![(Call::Numbered, true, Answer::Wrong { kind, detail })]);
        }
    };
    if case.volatile {
        return Verdict::Checked(vec![
            (Call::Sorted, true, volatile(sorted_page(case).await.err())),
            (Call::Walk, true, volatile(cursor_page(case, None, case.per_page).await.err())),
        ]);
    }
    let oracle = Oracle::new(&world.pool, case, &rows).await;
    if case.limited && !oracle.is_ordered {
        return Verdict::Ambiguous;
    }
    let check = Check { world, case, oracle, per_page: page_size(case, rows.len()) };
    let answer = |result: Result<(), Answer>| result.err().unwrap_or(Answer::Right);
    Verdict::Checked(vec![
        (Call::Numbered, check.must_number(), answer(check.numbered().await)),
        (Call::Simple, check.must_number(), answer(check.simple().await)),
        (Call::Sorted, check.must_walk(), answer(check.sorted().await)),
        (Call::Walk, check.must_walk(), answer(check.walk().await)),
    ])
}

/// The first page by number, in the order that a walk has.
async fn sorted_page(case: &Case) -> folio::Result<LengthAwarePaginator<Row>> {
    let select = Select::<Row>::from(case.select.clone()).order_by(keys::order(&case.key));
    select.page(1).paginate(case.per_page).await
}

/// A page of the walk.
async fn cursor_page(case: &Case, cursor: Option<&str>, per_page: u64) -> folio::Result<CursorPaginator<Row>> {
    Pagination::cursor::<Row>(case.select.clone(), cursor, per_page, keys::order(&case.key)).await
}

/// No page is sorted by a value that changes, whatever else may be wrong with the select.
fn volatile(error: Option<FrameworkError>) -> Answer {
    match error {
        None => Answer::Wrong { kind: "a key whose value changes is answered".to_owned(), detail: String::new() },
        Some(error) if error.to_string().contains("its value changes between pages") => Answer::Right,
        Some(error) => Answer::Refused(reason(&error)),
    }
}

/// The case's page size, unless that makes more than a few pages.
fn page_size(case: &Case, rows: usize) -> u64 {
    case.per_page.max(u64::try_from(rows / 6 + 1).unwrap())
}

struct Check<'a> {
    world: &'a World,
    case: &'a Case,
    oracle: Oracle,
    per_page: u64,
}

impl Check<'_> {
    fn total(&self) -> u64 {
        u64::try_from(self.oracle.rows.len()).unwrap()
    }

    fn texts(&self, rows: &[Row]) -> Vec<String> {
        rows.iter().map(|row| row.text(&self.oracle.names)).collect()
    }

    /// An error, which no caller would expect where the call has to be answered.
    fn refused<T>(&self, error: &FrameworkError, must_answer: bool) -> Result<T, Answer> {
        let reason = reason(error);
        if is_cut_short(&reason) {
            return wrong("the end of a statement is inside a comment", error.to_string());
        }
        Err(match must_answer {
            true => Answer::Denied { kind: reason, detail: error.to_string() },
            false => Answer::Refused(reason),
        })
    }

    /// A lock would hold other rows than those of the page.
    fn check_lock(&self) -> Result<(), Answer> {
        if self.case.locked { wrong("a lock is answered", "") } else { Ok(()) }
    }

    fn must_number(&self) -> bool {
        let is_column = |output: &Output| output.column.is_some();
        let is_plain = self.case.shape == Shape::Plain && !self.case.limited;
        // A call could be an aggregate, and a select with equal names cannot be a derived table.
        let countable = is_plain && self.case.outputs.iter().all(is_column);
        !self.case.locked && !self.case.raw && (countable || self.case.has_unique_names())
    }

    async fn numbered(&self) -> Result<(), Answer> {
        let (total, mut seen) = (self.total(), Vec::new());
        for page in 1..=total.div_ceil(self.per_page) + 1 {
            let answer = Pagination::length_aware::<Row>(self.case.select.clone(), self.per_page, page).await;
            let answer = answer.or_else(|error| self.refused(&error, self.must_number()))?;
            self.check_lock()?;
            if answer.total != total {
                return wrong("another total", format!("{} instead of {total}", answer.total));
            }
            seen.push(self.texts(&answer.data));
        }
        self.check_pages(&seen).await
    }

    async fn simple(&self) -> Result<(), Answer> {
        let (total, mut seen) = (self.total(), Vec::new());
        for page in 1..=total.div_ceil(self.per_page) + 1 {
            let answer = Pagination::simple::<Row>(self.case.select.clone(), self.per_page, page).await;
            let answer = answer.or_else(|error| self.refused(&error, self.must_number()))?;
            self.check_lock()?;
            let texts = self.texts(&answer.data);
            if answer.has_more != (page * self.per_page < total) {
                return wrong("another has_more", format!("{} on page {page}: {texts:#?}", answer.has_more));
            }
            seen.push(texts);
        }
        self.check_pages(&seen).await
    }

    async fn sorted(&self) -> Result<(), Answer> {
        let mut pages = Vec::new();
        for page in 1..=self.total().div_ceil(self.per_page) + 1 {
            let select = Select::<Row>::from(self.case.select.clone()).order_by(keys::order(&self.case.key));
            let answer = select.page(page).paginate(self.per_page).await;
            let answer = answer.or_else(|error| self.refused(&error, self.must_walk()))?;
            self.check_lock()?;
            if answer.total != self.total() {
                return wrong(
                    "another total in a given order",
                    format!("{} instead of {}", answer.total, self.total()),
                );
            }
            pages.push(answer.data);
        }
        // Rows that tie may be on two pages.
        if self.must_walk() { self.check_walk("by number", &pages) } else { Ok(()) }
    }

    /// The pages put together are the rows of the plain statement: in its order, if that is the only one it has.
    async fn check_pages(&self, pages: &[Vec<String>]) -> Result<(), Answer> {
        let seen: Vec<String> = pages.concat();
        let expected = &self.oracle.rows;
        let compared = || format!("pages of {}: {pages:#?}\nplain: {expected:#?}", self.per_page);
        if self.oracle.is_ordered {
            return if &seen == expected { Ok(()) } else { wrong("other pages", compared()) };
        }
        let is_part = |page: &Vec<String>| page.iter().all(|row| expected.contains(row));
        let is_whole = sorted(&seen) == sorted(expected) || !self.is_stable().await;
        if seen.len() == expected.len() && pages.iter().all(is_part) && is_whole {
            return Ok(());
        }
        wrong("other pages in no particular order", compared())
    }

    /// Whether LIMIT and OFFSET by hand give each row once, though no order says so. A server may plan each page
    /// differently.
    async fn is_stable(&self) -> bool {
        let mut pages = Vec::new();
        for page in 0..self.total().div_ceil(self.per_page) {
            for limit in [self.per_page, self.per_page + 1] {
                let offset = page * self.per_page;
                let slice = oracle::slice(&self.world.pool, self.case, &self.oracle.names, limit, offset).await;
                pages.push(slice.unwrap_or_default());
            }
        }
        let per_page = usize::try_from(self.per_page).unwrap();
        let whole = |first: usize| {
            let rows = pages.iter().skip(first).step_by(2).flat_map(|page| page.iter().take(per_page).cloned());
            sorted(&rows.collect::<Vec<_>>()) == sorted(&self.oracle.rows)
        };
        dialect() == Dialect::Sqlite && whole(0) && whole(1)
    }

    fn must_walk(&self) -> bool {
        let Expected::Ranked(ranked) = &self.oracle.walk else { return false };
        let in_place = self.case.shape == Shape::Plain && !self.case.limited && ranked.is_in_sources;
        let answerable = !ranked.has_ties && !ranked.has_hidden_nulls && (ranked.is_selected || in_place);
        answerable && !self.case.locked && !self.case.raw && self.case.has_unique_names()
    }

    async fn page(&self, cursor: Option<&str>) -> Result<CursorPaginator<Row>, Answer> {
        let page = cursor_page(self.case, cursor, self.per_page).await;
        let page = page.or_else(|error| self.refused(&error, self.must_walk()))?;
        self.check_lock()?;
        Ok(page)
    }

    async fn walk(&self) -> Result<(), Answer> {
        let mut page = self.page(None).await?;
        let mut forwards = vec![page.data.clone()];
        while let Some(cursor) = page.next_cursor.clone() {
            self.check_end("forwards", &forwards)?;
            page = self.page(Some(&cursor)).await?;
            forwards.push(page.data.clone());
        }
        self.check_walk("forwards", &forwards)?;
        let mut backwards = vec![page.data.clone()];
        while let Some(cursor) = page.prev_cursor.clone() {
            self.check_end("backwards", &backwards)?;
            page = self.page(Some(&cursor)).await?;
            backwards.push(page.data.clone());
        }
        backwards.reverse();
        self.check_walk("backwards", &backwards)
    }

    fn check_end(&self, way: &str, pages: &[Vec<Row>]) -> Result<(), Answer> {
        if pages.len() <= self.oracle.rows.len() + 2 {
            return Ok(());
        }
        let first: Vec<_> = pages.iter().take(4).map(|page| self.texts(page)).collect();
        wrong(format!("a walk without end {way}"), format!("{first:#?} and so on"))
    }

    /// Whether a qualified column of the key has the name of an output.
    fn has_namesake(&self) -> bool {
        let qualified = self.case.key.iter().filter(|term| term.qualifier.is_some());
        qualified.into_iter().any(|term| self.case.outputs_named(term.name).next().is_some())
    }

    /// Each row is seen once, and in the order that the database gives it.
    fn check_walk(&self, way: &str, pages: &[Vec<Row>]) -> Result<(), Answer> {
        let plain = &self.oracle.rows;
        let texts: Vec<Vec<String>> = pages.iter().map(|page| self.texts(page)).collect();
        let seen = texts.concat();
        let compared = || format!("pages of {}: {texts:#?}\nplain: {plain:#?}", self.per_page);
        if sorted(&seen) != sorted(plain) {
            let what = match seen.len().cmp(&plain.len()) {
                Ordering::Less => "rows are lost",
                Ordering::Equal => "other rows",
                Ordering::Greater => "rows are seen twice",
            };
            return wrong(format!("{what} {way}"), compared());
        }
        let values: Vec<String> = pages.iter().flatten().map(|row| row.values(self.oracle.names.len())).collect();
        match &self.oracle.walk {
            Expected::Ranked(ranked) if !follows(ranked, &values) => {
                wrong(format!("another order {way}"), format!("{}\nranked: {:#?}", compared(), ranked.rows))
            }
            Expected::NoKey if seen.len() > 1 && self.has_namesake() => {
                wrong("another table's column of the same name is the order", compared())
            }
            Expected::NoKey if seen.len() > 1 => wrong("a key that the select does not have is answered", compared()),
            Expected::Ranked(_) | Expected::NoKey | Expected::Unknown => Ok(()),
        }
    }
}

/// Whether the rows are in the order of their ranks. Rows that tie may be in any order.
fn follows(ranked: &Ranked, seen: &[String]) -> bool {
    let mut seen = seen.iter();
    ranked.rows.chunk_by(|a, b| a.0 == b.0).all(|group| {
        let expected: Vec<String> = group.iter().map(|(_, text)| text.clone()).collect();
        let next: Vec<String> = seen.by_ref().take(group.len()).cloned().collect();
        sorted(&next) == sorted(&expected)
    })
}

fn sorted(rows: &[String]) -> Vec<&String> {
    let mut rows: Vec<&String> = rows.iter().collect();
    rows.sort();
    rows
}

/// Whether a statement has fewer parameters than values. sqlx loses a connection of MySQL with this error.
fn is_cut_short(reason: &str) -> bool {
    reason.contains("prepared statement expected") || reason.contains("bind message supplies")
}

/// What an error says, without what differs from select to select.
fn reason(error: &FrameworkError) -> String {
    let kind = match error {
        FrameworkError::Internal { .. } => "folio",
        FrameworkError::Database(sqlx::Error::Database(_)) => "database",
        FrameworkError::Database(_) => "driver",
        _ => "client",
    };
    let message = error.to_string().replace("error returned from database: ", "");
    let words: String = message.split(['"', '`', '\'']).step_by(2).collect::<Vec<_>>().join("…");
    let words = words.split(" (").next().filter(|_| kind == "folio").unwrap_or(&words).to_owned();
    let words: String = words.chars().filter(|c| !c.is_ascii_digit()).take(90).collect();
    format!("{kind}: {words}")
}
