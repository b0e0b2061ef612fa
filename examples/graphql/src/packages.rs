//! Packages, and the lists of them.

use async_graphql::connection::Connection;
use async_graphql::{Context, Enum, InputObject, Object, SimpleObject};
use folio::async_graphql::TotalCount;
use folio::relay::Window;
use folio::{Builder, FrameworkError, IntoOrder as _, Order, Paginate, Result};

/// The default number of rows in a connection, and the maximum.
const ROWS: (i32, i32) = (20, 100);

/// The maximum length of a search text, in bytes.
const LONGEST_TEXT: usize = 200;

/// A package of a Linux distribution.
#[derive(Debug, Clone, sqlx::FromRow, Paginate, SimpleObject)]
pub(crate) struct Package {
    id: i64,
    name: String,
    version: String,
    pub(crate) section: String,
    priority: String,
    installed_size_kib: Option<i64>,
    download_bytes: i64,
    depends_count: Option<i64>,
}

pub(crate) type PackageConnection = Connection<String, Package, TotalCount>;

/// Which packages to list. Without a field, all of them.
#[derive(Debug, Default, InputObject)]
struct PackageFilter {
    /// Only packages of this section, such as `games`.
    section: Option<String>,
    /// Only packages with this text of at most 200 bytes in their name.
    name: Option<String>,
}

/// The orders that a client may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum)]
pub(crate) enum PackageOrder {
    /// The packages with the most dependencies first, those without a number last.
    Dependencies,
    /// The largest packages first, those of unknown size last.
    Size,
    /// By name.
    Name,
}

impl PackageOrder {
    pub(crate) fn columns(self) -> Order {
        match self {
            Self::Dependencies => Package::DEPENDS_COUNT.desc().nulls_last().erased(),
            Self::Size => Package::INSTALLED_SIZE_KIB.desc().nulls_last().erased(),
            Self::Name => Package::NAME.asc().erased(),
        }
    }
}

impl PackageFilter {
    fn packages(self) -> Result<Builder<Package>> {
        let Self { section, name } = self;
        if name.as_ref().is_some_and(|text| text.len() > LONGEST_TEXT || text.contains('\0')) {
            let rule = format!("is a text of at most {LONGEST_TEXT} bytes without NUL characters");
            return Err(FrameworkError::InvalidParameter { parameter: "name".into(), rule, allowed: Vec::new() });
        }
        Ok(Package::query()
            .filter_if(section.map(|section| Package::SECTION.eq(section)))
            .filter_if(name.map(|text| Package::NAME.icontains(&text))))
    }
}

/// The requested window, within limits.
pub(crate) fn window(first: Option<i32>, after: Option<String>, last: Option<i32>, before: Option<String>) -> Window {
    let (default, max) = ROWS;
    Window::from_arguments(first, after, last, before).or_first(default.into()).at_most(max.into())
}

/// The complexity of a connection without rows: its statement, and a count.
const STATEMENT: usize = 20;

/// The complexity of a connection whose rows cost `row` each.
pub(crate) fn cost(first: Option<i32>, last: Option<i32>, row: usize) -> usize {
    let (default, max) = ROWS;
    let rows = first.or(last).unwrap_or(default).clamp(0, max);
    usize::try_from(rows).unwrap_or(0).saturating_mul(row).saturating_add(STATEMENT)
}

/// A list of packages: its order, and whether it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PackageList {
    pub(crate) order: PackageOrder,
    pub(crate) is_counted: bool,
}

impl PackageList {
    /// The requested list, which is counted if the client requests the total.
    pub(crate) fn of(ctx: &Context<'_>, order: PackageOrder) -> Self {
        Self { order, is_counted: ctx.look_ahead().field("totalCount").exists() }
    }

    /// A cursor only opens in the list with the same filters, so that no client continues in another section's list.
    pub(crate) fn query(self, packages: Builder<Package>) -> Builder<Package> {
        let packages = packages.order_by(self.order.columns()).bind_filters();
        if self.is_counted { packages.counted() } else { packages }
    }
}

/// The part of the query for packages.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Packages;

#[Object]
impl Packages {
    /// The packages that a filter matches.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[expect(clippy::too_many_arguments, reason = "a field's arguments are a function's")]
    async fn packages(
        &self,
        ctx: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<PackageFilter>,
        #[graphql(default_with = "PackageOrder::Dependencies")] order_by: PackageOrder,
    ) -> Result<PackageConnection> {
        let list = filter.unwrap_or_default().packages()?;
        let list = PackageList::of(ctx, order_by).query(list);
        Ok(list.connection(window(first, after, last, before)).await?.into())
    }
}
