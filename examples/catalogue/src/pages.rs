//! The pages of the application. Each is a component of the front end and its props.

use folio::inertia::{Inertia, InertiaResponse, ScrollProp};

use crate::packages::{Filters, Package, parameter};
use crate::problem::Problem;

type Page = Result<InertiaResponse, Problem>;

/// The number of rows on a numbered page.
const NUMBERED: u64 = 25;

/// The number of rows that are loaded at once while a reader scrolls.
const SCROLLED: u64 = 50;

/// By name, with the total and a link to each page.
pub(crate) async fn by_name() -> Page {
    let filters = Filters::current();
    let packages = filters.packages().order_by_asc(Package::NAME).paginate(NUMBERED).await?;
    Ok(Inertia::render("ByName").prop("filters", filters).prop("packages", packages))
}

/// By size, the largest first, with infinite scrolling. The reader can choose any of the three paginators.
pub(crate) async fn largest() -> Page {
    let filters = Filters::current();
    let query = filters.packages();
    let (paging, packages) = match parameter("paging").as_str() {
        "numbered" => ("numbered", scrolled(by_size(query).paginate(SCROLLED).await?)),
        "simple" => ("simple", scrolled(by_size(query).simple_paginate(SCROLLED).await?)),
        _ => ("cursor", scrolled(query.cursor_paginate(SCROLLED).await?)),
    };
    Ok(Inertia::render("Largest").prop("filters", filters).prop("paging", paging).paginate("packages", packages))
}

/// A list in which the client shows each package once, even if it requests the same page twice.
fn scrolled(page: impl Into<ScrollProp>) -> ScrollProp {
    page.into().match_on("id")
}

/// The order of the cursor key, for pages by offset.
fn by_size(query: folio::Builder<Package>) -> folio::Builder<Package> {
    query.order_by_desc(Package::INSTALLED_SIZE_KIB).order_by_desc(Package::ID)
}

/// Two lists, each with its own cursor. While the reader scrolls one, only that one is queried.
pub(crate) async fn side_by_side() -> Page {
    let filters = Filters::current();
    let largest = async || {
        let largest = filters.packages().with_cursor_name("largest");
        Ok::<_, Problem>(scrolled(largest.cursor_paginate(SCROLLED).await?))
    };
    let page = Inertia::render("SideBySide").scroll("largest", largest).await?;
    let page = page
        .defer("neediest", async || {
            let neediest = filters.packages().cursor_by(Package::DEPENDS_COUNT.desc().nulls_last());
            let neediest = neediest.with_cursor_name("neediest").cursor_paginate(SCROLLED).await?;
            Ok(scrolled(neediest).wrapped("data"))
        })
        .await?;
    Ok(page.prop("filters", filters))
}
