//! The packages, and what a reader can choose: filters and orders.

use std::sync::Arc;

use folio::{Builder, Filters, Paginate, RequestedFilters, Result, Sorts};
use sqlx::SqlitePool;

/// A package of a Linux distribution.
#[derive(Debug, sqlx::FromRow, Paginate)]
pub(crate) struct Package {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) section: String,
    pub(crate) priority: String,
    pub(crate) installed_size_kib: Option<i64>,
    pub(crate) download_bytes: i64,
    pub(crate) depends_count: Option<i64>,
}

impl Package {
    /// The size on disk, such as `1.5 MiB`.
    pub(crate) fn installed_size(&self) -> String {
        self.installed_size_kib.map_or_else(|| "–".to_owned(), |kib| size(kib.saturating_mul(1024)))
    }

    /// The size of the file to download.
    pub(crate) fn download_size(&self) -> String {
        size(self.download_bytes)
    }

    pub(crate) fn dependencies(&self) -> String {
        self.depends_count.map_or_else(|| "–".to_owned(), |count| count.to_string())
    }
}

fn size(bytes: i64) -> String {
    let mut size = bytes as f64 / 1024.0;
    let mut unit = "KiB";
    for larger in ["MiB", "GiB"] {
        if size >= 1024.0 {
            (size, unit) = (size / 1024.0, larger);
        }
    }
    if size < 10.0 && unit != "KiB" { format!("{size:.1} {unit}") } else { format!("{size:.0} {unit}") }
}

/// The filters, by the names of their parameters, as in `?section=games&size[gte]=1024`.
pub(crate) fn filters() -> Filters<Package> {
    Filters::new()
        .allow("q", Package::NAME.search())
        .allow("section", Package::SECTION.eq_any())
        .allow("priority", Package::PRIORITY.eq_any())
        .allow("size", Package::INSTALLED_SIZE_KIB.ranges())
}

/// The orders, as in `?sort=name`. The default has an index; among as few packages, the others do without.
pub(crate) fn sorts() -> Sorts {
    Sorts::new("size", Package::INSTALLED_SIZE_KIB.desc().nulls_last())
        .allow("name", Package::NAME)
        .allow("section", Package::SECTION)
        .allow("dependencies", Package::DEPENDS_COUNT.desc().nulls_last())
}

/// The packages that the request asks for, in its order. All links keep the request's parameters.
pub(crate) fn query() -> Result<(Builder<Package>, RequestedFilters<Package>)> {
    let filters = filters().from_request()?;
    let query = Package::query().filter(filters.clone()).order_by(sorts().from_request("sort")?).with_query_string();
    Ok((query, filters))
}

/// The values of the form's lists.
#[derive(Debug)]
pub(crate) struct Choices {
    pub(crate) sections: Vec<String>,
    pub(crate) priorities: Vec<String>,
}

/// They do not change while the program runs.
pub(crate) async fn choices(pool: &SqlitePool) -> sqlx::Result<Arc<Choices>> {
    let sections = sqlx::query_scalar("SELECT DISTINCT section FROM packages ORDER BY section").fetch_all(pool).await?;
    let priorities =
        sqlx::query_scalar("SELECT priority FROM packages GROUP BY priority ORDER BY COUNT(*)").fetch_all(pool).await?;
    Ok(Arc::new(Choices { sections, priorities }))
}
