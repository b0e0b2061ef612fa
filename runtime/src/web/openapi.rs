//! Schemas and query parameters for OpenAPI documents, through [utoipa](::utoipa).
//!
//! This module needs the feature `utoipa`. The paginators, [`PageLink`] and [`ErrorBody`](crate::ErrorBody) implement
//! `ToSchema`, so they can be the body of a documented response. The types of this module are the query parameters that
//! lists read from the active request: name them under `params`.
//!
//! ```
//! use folio::openapi::{PageParams, PerPageParams};
//! use folio::{ErrorBody, LengthAwarePaginator};
//! use utoipa::OpenApi;
//!
//! #[derive(utoipa::ToSchema)]
//! struct Post {
//!     id: i64,
//! }
//!
//! #[utoipa::path(get, path = "/posts", params(PageParams, PerPageParams), responses(
//!     (status = 200, description = "A page of posts", body = LengthAwarePaginator<Post>),
//!     (status = 400, description = "The page size is invalid", body = ErrorBody),
//! ))]
//! async fn posts() {}
//!
//! #[derive(OpenApi)]
//! #[openapi(paths(posts))]
//! struct Document;
//!
//! let document = serde_json::to_value(Document::openapi())?;
//! let parameters = document["paths"]["/posts"]["get"]["parameters"].as_array().unwrap();
//! assert_eq!((&parameters[0]["name"], &parameters[1]["name"]), (&"page".into(), &"per_page".into()));
//! assert!(document["components"]["schemas"]["LengthAwarePaginator_Post"]["properties"]["total"].is_object());
//! # serde_json::Result::Ok(())
//! ```

use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn, ParameterStyle};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Required, Schema};
use utoipa::{__dev::ComposeSchema, IntoParams, ToSchema};

use crate::paginator::{CursorPaginator, LengthAwarePaginator, PageLink, Paginator};
use crate::request::sorts::Sorts;

// The JSON of a page has other keys than the paginator has fields. So each schema is derived from a struct with the
// JSON's keys. The comments on their fields are the descriptions in the document.

/// The JSON of a [`LengthAwarePaginator`].
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct LengthAwareJson<T> {
    /// The number of this page. A page past the last one has no rows.
    #[schema(minimum = 1)]
    current_page: u64,
    /// The rows on this page.
    data: Vec<T>,
    /// The URL of page 1.
    first_page_url: String,
    /// The index in the whole list, from 1, of the first row on this page.
    #[schema(required, minimum = 1)]
    from: Option<u64>,
    /// The number of the last page; 0 if the list has no rows.
    last_page: u64,
    /// The URL of the last page; the URL of page 1 if the list has no rows.
    last_page_url: String,
    /// The entries of a pagination bar.
    links: Vec<PageLink>,
    /// The URL of the next page.
    #[schema(required)]
    next_page_url: Option<String>,
    /// The path that page URLs begin with. Absent if none is set.
    #[schema(value_type = String, required = false)]
    path: (),
    /// The page size: the maximum number of rows on a page.
    #[schema(minimum = 1)]
    per_page: u64,
    /// The URL of the page before this one.
    #[schema(required)]
    prev_page_url: Option<String>,
    /// The index in the whole list, from 1, of the last row on this page.
    #[schema(required, minimum = 1)]
    to: Option<u64>,
    /// The number of rows on all pages.
    total: u64,
}

/// The JSON of a [`Paginator`].
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct SimpleJson<T> {
    /// The number of this page.
    #[schema(minimum = 1)]
    current_page: u64,
    /// The URL of this page.
    current_page_url: String,
    /// The rows on this page.
    data: Vec<T>,
    /// The URL of page 1.
    first_page_url: String,
    /// The index in the whole list, from 1, of the first row on this page.
    #[schema(required, minimum = 1)]
    from: Option<u64>,
    /// Whether rows follow those on this page.
    has_more: bool,
    /// The URL of the next page.
    #[schema(required)]
    next_page_url: Option<String>,
    /// The path that page URLs begin with. Absent if none is set.
    #[schema(value_type = String, required = false)]
    path: (),
    /// The page size: the maximum number of rows on a page.
    #[schema(minimum = 1)]
    per_page: u64,
    /// The URL of the page before this one.
    #[schema(required)]
    prev_page_url: Option<String>,
    /// The index in the whole list, from 1, of the last row on this page.
    #[schema(required, minimum = 1)]
    to: Option<u64>,
}

/// The JSON of a [`CursorPaginator`].
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct CursorJson<T> {
    /// The rows on this page.
    data: Vec<T>,
    /// The path that page URLs begin with. Absent if none is set.
    #[schema(value_type = String, required = false)]
    path: (),
    /// The page size: the maximum number of rows on a page.
    #[schema(minimum = 1)]
    per_page: u64,
    /// The cursor of the next page.
    #[schema(required)]
    next_cursor: Option<String>,
    /// The URL of the next page.
    #[schema(required)]
    next_page_url: Option<String>,
    /// The cursor of the page before this one.
    #[schema(required)]
    prev_cursor: Option<String>,
    /// The URL of the page before this one.
    #[schema(required)]
    prev_page_url: Option<String>,
    /// The number of rows in the list. Absent unless the list is counted.
    #[schema(value_type = u64, required = false)]
    total: (),
    /// A cursor for each row, in the order of `data`. Only present on request.
    #[schema(value_type = Vec<String>, required = false)]
    row_cursors: (),
}

/// The JSON of a [`PageLink`].
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct PageLinkJson {
    /// The URL that the entry links to, if any.
    #[schema(required)]
    url: Option<String>,
    /// The label, as HTML.
    label: String,
    /// The number of the page that the entry links to. Absent on a gap.
    #[schema(minimum = 1)]
    page: Option<u64>,
    /// Whether this is the entry of the current page.
    active: bool,
}

/// Gives each type the schema of its JSON.
// utoipa's derive implements `ComposeSchema`, which its macros need for generic schemas.
macro_rules! schemas {
    ($($page:ident $(<$row:ident>)? as $name:literal: $json:ty;)*) => {$(
        impl $(<$row: ToSchema>)? ComposeSchema for $page $(<$row>)? {
            fn compose(generics: Vec<RefOr<Schema>>) -> RefOr<Schema> {
                <$json as ComposeSchema>::compose(generics)
            }
        }

        impl $(<$row: ToSchema>)? ToSchema for $page $(<$row>)? {
            fn name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                <$json as ToSchema>::schemas(schemas);
            }
        }
    )*};
}

schemas! {
    LengthAwarePaginator<T> as "LengthAwarePaginator": LengthAwareJson<T>;
    Paginator<T> as "Paginator": SimpleJson<T>;
    CursorPaginator<T> as "CursorPaginator": CursorJson<T>;
    PageLink as "PageLink": PageLinkJson;
}

/// The query parameter `page` of numbered pages.
///
/// ```
/// use utoipa::IntoParams;
///
/// assert_eq!(folio::openapi::PageParams::into_params(|| None)[0].name, "page");
/// ```
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[non_exhaustive]
pub struct PageParams {
    /// The page number. Invalid values count as 1; pages past the end are empty.
    #[param(minimum = 1)]
    pub page: Option<u64>,
}

/// The query parameter `cursor` of cursor pages.
///
/// ```
/// use utoipa::IntoParams;
///
/// assert_eq!(folio::openapi::CursorParams::into_params(|| None)[0].name, "cursor");
/// ```
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[non_exhaustive]
pub struct CursorParams {
    /// A cursor from a page of this list. Without it, the first page.
    pub cursor: Option<String>,
}

/// The query parameter `per_page`, which [`PerPage::from_request`](crate::PerPage::from_request) reads.
///
/// ```
/// use utoipa::IntoParams;
///
/// assert_eq!(folio::openapi::PerPageParams::into_params(|| None)[0].name, "per_page");
/// ```
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[non_exhaustive]
pub struct PerPageParams {
    /// The number of rows per page. Larger values are capped at the server's maximum.
    #[param(minimum = 1)]
    pub per_page: Option<u64>,
}

/// The query parameter `key` that [`Sorts::from_request`] reads: a list of the allowed names, each also with `-` in
/// front, and the default.
///
/// The names are only known at run time, so the parameter is not a type. Implement `IntoParams` for a type of your own,
/// and name it under `params`:
///
/// ```
/// use folio::{Column, Sorts, openapi::sort_parameter};
/// use utoipa::{IntoParams, openapi::path::{Parameter, ParameterIn}};
///
/// fn sorts() -> Sorts {
///     let (title, id) = (Column::<String>::new("title"), Column::<i64>::new("id"));
///     Sorts::new("newest", id.desc()).allow("title", title)
/// }
///
/// struct SortParams;
///
/// impl IntoParams for SortParams {
///     fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
///         vec![sort_parameter("sort", &sorts())]
///     }
/// }
///
/// let parameter = serde_json::to_value(&SortParams::into_params(|| None)[0])?;
/// assert_eq!(parameter["schema"]["items"]["enum"], serde_json::json!(["newest", "-newest", "title", "-title"]));
/// assert_eq!(parameter["schema"]["default"], serde_json::json!(["newest"]));
/// # serde_json::Result::Ok(())
/// ```
#[must_use]
pub fn sort_parameter(key: &str, sorts: &Sorts) -> Parameter {
    let names = sorts.names().flat_map(|name| [name.to_owned(), format!("-{name}")]);
    let name = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
    let list = ArrayBuilder::new()
        .items(name)
        .min_items(Some(1))
        .max_items(Some(sorts.names().count()))
        .unique_items(true)
        .default(Some(sorts.default_parts().collect::<Vec<_>>().into()));
    ParameterBuilder::new()
        .name(key)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some("The order of the list, the most important name first. A `-` reverses an order."))
        .style(Some(ParameterStyle::Form))
        .explode(Some(false))
        .schema(Some(list))
        .build()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};
    use utoipa::PartialSchema;

    use super::*;
    use crate::paginator::Total;

    /// Asserts that the schema of a page has exactly the keys of the JSON that has them all, and that only those that
    /// the other JSON does not have may be missing.
    fn assert_keys<P: PartialSchema + serde::Serialize>(whole: &P, least: &P) {
        let schema = serde_json::to_value(P::schema()).unwrap();
        let keys = |object: &Value| object.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
        let required = schema["required"].as_array().unwrap().iter().map(|key| key.as_str().unwrap().to_owned());
        assert_eq!(keys(&schema["properties"]), keys(&serde_json::to_value(whole).unwrap()));
        assert_eq!(required.collect::<BTreeSet<_>>(), keys(&serde_json::to_value(least).unwrap()));
    }

    #[test]
    fn a_schema_has_the_keys_of_the_json() {
        let page = LengthAwarePaginator::new(vec![1_i64], 2, 1, 1);
        assert_keys(&page.clone().with_path("/a"), &page);
        let links = page.links();
        let page = Paginator::new(vec![1_i64], 1, 1, true);
        assert_keys(&page.clone().with_path("/a"), &page);
        let page = CursorPaginator::new(vec![1_i64], 1, None, None);
        let row_cursors = Some(vec!["cm93".to_owned()]);
        let counted = CursorPaginator { total: Some(Total::Exact(1)), row_cursors, ..page.clone() };
        assert_keys(&counted.with_path("/a"), &page);

        let gap =
            LengthAwarePaginator::new(vec![1_i64], 50, 1, 25).links().into_iter().find(|link| link.label == "...");
        assert_keys(&links[1], &gap.unwrap());
    }

    #[test]
    fn only_nullable_fields_are_nullable_in_the_schema() {
        let schema = serde_json::to_value(LengthAwarePaginator::<i64>::schema()).unwrap();
        let ty = |key: &str| schema["properties"][key]["type"].clone();
        assert_eq!(ty("from"), json!(["integer", "null"]));
        assert_eq!(ty("next_page_url"), json!(["string", "null"]));
        assert_eq!((ty("path"), ty("total")), (json!("string"), json!("integer")));
    }
}
