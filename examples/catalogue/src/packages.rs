//! The packages, and what a reader may narrow them by.

use folio::sea_query::{Expr, LikeExpr};
use folio::{ActiveRequest, Builder, ExprTrait, Paginate};
use serde::Serialize;
use sqlx::SqlitePool;

/// A package of a Linux distribution.
///
/// A walk by cursors begins with the largest. Many packages tie, and 126 do not say how large they are.
#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "installed_size_kib desc nulls last")]
pub(crate) struct Package {
    id: i64,
    name: String,
    version: String,
    section: String,
    installed_size_kib: Option<i64>,
    depends_count: Option<i64>,
}

/// A section, and how many packages it has.
#[derive(Debug, Clone, Serialize, sqlx::FromRow)]
pub(crate) struct Section {
    name: String,
    packages: i64,
}

/// The sections, by name. They do not change while the program runs.
pub(crate) async fn sections(pool: &SqlitePool) -> sqlx::Result<Vec<Section>> {
    let sections = "SELECT section AS name, COUNT(*) AS packages FROM packages GROUP BY section ORDER BY section";
    sqlx::query_as(sections).fetch_all(pool).await
}

/// What a reader narrows the list by; empty is everything.
#[derive(Debug, Serialize)]
pub(crate) struct Filters {
    /// Text that a package has in its name.
    q: String,
    section: String,
}

impl Filters {
    /// Those in the address of the active request.
    pub(crate) fn current() -> Self {
        Self { q: parameter("q"), section: parameter("section") }
    }

    /// The packages for which they hold. The URLs of their pages are this request's, so that they keep the filters.
    pub(crate) fn packages(&self) -> Builder<Package> {
        let mut query = Package::query();
        if !self.section.is_empty() {
            query = query.filter(Package::SECTION.eq(self.section.as_str()));
        }
        if !self.q.is_empty() {
            query = query.filter(Expr::from(Package::NAME).like(containing(&self.q)));
        }
        match ActiveRequest::current() {
            Some(request) => query.with_path(request.uri()),
            None => query,
        }
    }
}

/// A parameter of the active request; empty if it is missing.
pub(crate) fn parameter(name: &str) -> String {
    let request = ActiveRequest::current();
    request.as_ref().and_then(|request| request.value(name)).unwrap_or_default().trim().to_owned()
}

/// A pattern for names that have `text` in them, whatever its letters mean in a pattern.
fn containing(text: &str) -> LikeExpr {
    let text = text.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_");
    LikeExpr::new(format!("%{text}%")).escape('\\')
}
