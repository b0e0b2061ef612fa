//! The check that a page is read along an index.

use std::fmt::{self, Debug, Display, Write as _};

use crate::driver::Sorts;
use crate::error::{FrameworkError, Result};
use crate::watch::{Found, Watched};

/// Reads a page, and fails if the database sorts rows of a table for it, or if no index has the list's order.
///
/// Otherwise the page takes longer as rows are added, which the small tables of a test do not show. The check runs
/// `EXPLAIN` for each statement of the page, and asks the catalog what
/// [`Folio::warn_missing_indexes`](crate::Folio::warn_missing_indexes) asks. So it is right for small tables: on
/// PostgreSQL, the plan is the one without sequential scans and sorts, if there is one. Check a first page and a later
/// one: their statements differ.
///
/// For cursor pages of a model, the database's catalog decides, and the error has the `CREATE INDEX` statement. If rows
/// tie in the first columns of the order, some databases have to sort them for NULLs; this is not an error. For
/// numbered pages and for SQL that you wrote, only the plan decides. MySQL and MariaDB then need about a thousand rows
/// to show the plan of a large table.
///
/// It does not know how many rows the filters leave out. A list of few rows among many can be read along an index, and
/// still pass many rows.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::testing::read_along_index;
///
/// let list = || Post::query().filter(Post::AUTHOR_ID.eq(7)).order_by(Post::TITLE);
/// let error = read_along_index(list().cursor_paginate(1)).await.unwrap_err().to_string();
/// let index = r#"CREATE INDEX "posts_author_id_title_id" ON "posts" ("author_id", "title", "id")"#;
/// assert!(error.contains(index) && error.contains("USE TEMP B-TREE FOR ORDER BY"), "{error}");
///
/// sqlx::query(index).execute(&pool).await?;
/// let first = read_along_index(list().cursor_paginate(1)).await.unwrap();
/// read_along_index(list().cursor(first.next_cursor.as_deref()).cursor_paginate(1)).await.unwrap();
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// `read` can be any future that reads pages in this task, such as the call of a handler.
///
/// # Errors
/// [`NotAlongIndex`], with the plan and the index that is missing. It is also an error if `read` fails, or if it reads
/// no page: a spawned task is not watched, and nor is a statement that folio does not run.
pub async fn read_along_index<T>(read: impl Future<Output = Result<T>>) -> Result<T, NotAlongIndex> {
    let (page, found) = Watched::scope(read).await;
    let page = page.map_err(|error| NotAlongIndex::unread(&error))?;
    match NotAlongIndex::of(&found) {
        Some(error) => Err(error),
        None => Ok(page),
    }
}

/// Why a page is not read along an index. [`Debug`] and [`Display`] both show the whole text, so `unwrap` does.
pub struct NotAlongIndex(String);

impl Debug for NotAlongIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Display for NotAlongIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAlongIndex {}

impl NotAlongIndex {
    fn unread(error: &FrameworkError) -> Self {
        Self(format!("the page could not be read: {error}"))
    }

    /// What is wrong with the plans; `None` if nothing is.
    fn of(found: &Found) -> Option<Self> {
        if found.plans.is_empty() {
            let text = "folio has read no page: await its query here, because a spawned task is not watched";
            return Some(Self(text.to_owned()));
        }
        let advice = || found.lists.iter().flatten();
        // Where an index has the list's order, folio reads along it as far as the database can.
        let is_known = !found.lists.is_empty() && advice().count() == found.lists.len();
        let allowed = match is_known && advice().all(|list| list.missing.is_none()) {
            true if found.has_groups => Sorts::Rows,
            true => Sorts::Ties,
            false => Sorts::Nothing,
        };
        let sorting = || found.plans.iter().filter(|plan| plan.sorts > allowed);
        let mut text = match (advice().find_map(|list| list.missing.clone()), sorting().next(), advice().next()) {
            (Some(missing), ..) => missing,
            (None, None, _) => return None,
            (None, Some(_), Some(list)) => format!("{SORTS}: run {}", list.index),
            (None, Some(_), None) => format!("{SORTS}: {NO_ADVICE}"),
        };
        let all = sorting().next().is_none();
        for plan in found.plans.iter().filter(|plan| all || plan.sorts > allowed) {
            let _ = write!(text, "\nThe plan of {}:", plan.sql);
            for line in &plan.lines {
                let _ = write!(text, "\n  {line}");
            }
        }
        Some(Self(text))
    }
}

const SORTS: &str = "the database sorts rows of a table for this page, so it gets slower as rows are added";

const NO_ADVICE: &str = "create an index that has the list's order, with the columns of equality filters first. On MySQL \
                         and MariaDB, insert a thousand rows before this check, because they sort smaller tables";
