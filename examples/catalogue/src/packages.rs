//! The packages, and the filters that a reader can set.

use folio::{ActiveRequest, Builder, Paginate};
use serde::Serialize;
use sqlx::SqlitePool;

/// A package of a Linux distribution.
///
/// Cursor pages begin with the largest. Many packages tie, and 126 have no size.
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

/// A section, and the number of packages in it.
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

/// The reader's filters. An empty filter matches everything.
#[derive(Debug, Serialize)]
pub(crate) struct Filters {
    /// Text that the name contains.
    q: String,
    section: String,
}

impl Filters {
    /// The filters in the URI of the active request.
    pub(crate) fn current() -> Self {
        Self { q: parameter("q"), section: parameter("section") }
    }

    /// A query for the packages that match, whose links keep the filters.
    pub(crate) fn packages(&self) -> Builder<Package> {
        let Self { q, section } = self;
        Package::query()
            .filter_if((!section.is_empty()).then(|| Package::SECTION.eq(section.as_str())))
            .filter_if((!q.is_empty()).then(|| Package::NAME.icontains(q)))
            .with_query_string()
    }
}

/// A parameter of the active request; empty if it is missing.
pub(crate) fn parameter(name: &str) -> String {
    let request = ActiveRequest::current();
    request.as_ref().and_then(|request| request.value(name)).unwrap_or_default().trim().to_owned()
}
