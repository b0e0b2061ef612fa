//! Packages with their section as a related resource: a compound document of JSON:API.

use folio::json_api::{
    Fieldsets, Included, Includes, JsonApi, JsonApiError, JsonResource, Relationship, Resource, ResourceIdentifier,
};
use folio::sea_query::{Expr, Order, Query as Sql};
use folio::{Pagination, Paginator};
use serde::Serialize;
use serde_json::{Value, json};

use crate::plain::{NUMBERED_BY, PER_PAGE};
use crate::resources::per_page;
use crate::{Package, packages, sorts};

/// A package whose section is a relationship instead of an attribute.
pub(crate) struct InSection(Package);

impl JsonResource for InSection {
    const ID_KEYS: &'static [&'static str] = &["id", "section"];

    fn resource_type(&self) -> &str {
        "packages"
    }

    fn id(&self) -> String {
        self.0.id.to_string()
    }

    fn attributes(&self) -> impl Serialize {
        &self.0
    }

    fn relationships(&self) -> Option<Value> {
        let section = ResourceIdentifier::new("sections", &self.0.section);
        Some(json!({ "section": Relationship::to_one(section) }))
    }
}

/// A section, and how many packages it has.
#[derive(sqlx::FromRow)]
struct Section {
    section: String,
    packages: i64,
}

impl JsonResource for Section {
    fn resource_type(&self) -> &str {
        "sections"
    }

    fn id(&self) -> String {
        self.section.clone()
    }

    fn attributes(&self) -> impl Serialize {
        json!({ "packages": self.packages })
    }
}

/// Packages by page number, without the total:
/// `?include=section&fields[packages]=name,section&fields[sections]=packages`.
pub(crate) async fn simple() -> Result<JsonApi<InSection, Paginator<InSection>>, JsonApiError> {
    let include = Includes::new().allow("section").from_request()?;
    let fields = fieldsets().from_request()?;
    let sort = sorts(NUMBERED_BY).from_request("sort")?;
    let page = packages()?.order_by(sort).simple_paginate(per_page()?).await?;
    let sections = if include.has("section") { sections(&page.data).await? } else { Vec::new() };
    let document = Resource::paginated(page.map(InSection)).with_included(Included::new().with(sections))?;
    Ok(document.with_fields(fields))
}

/// The fields that a client may choose.
fn fieldsets() -> Fieldsets {
    let package = ["name", "version", "priority", "installed_size_kib", "download_bytes", "depends_count", "section"];
    Fieldsets::new().allow("packages", package).allow("sections", ["packages"])
}

/// The sections of these packages, in one query.
async fn sections(packages: &[Package]) -> folio::Result<Vec<Section>> {
    let names = packages.iter().map(|package| package.section.clone());
    let select = Sql::select()
        .column("section")
        .expr_as(Expr::cust("COUNT(*)"), "packages")
        .from("packages")
        .cond_where(Package::SECTION.any_of(names))
        .group_by_col("section")
        .order_by("section", Order::Asc)
        .take();
    // A page has at most as many sections as packages.
    Ok(Pagination::simple(select, PER_PAGE.max, 1).await?.data)
}
