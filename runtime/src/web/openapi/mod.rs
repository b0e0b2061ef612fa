//! Schemas and query parameters for OpenAPI documents, through [utoipa](::utoipa).
//!
//! This module needs the feature `utoipa`. The paginators, [`PageLink`](crate::PageLink) and
//! [`ErrorBody`](crate::ErrorBody) implement `ToSchema`, so they can be the body of a documented response. The types of
//! this module are the query parameters that lists read from the active request: name them under `params`. [`PageMarks`]
//! tells generators of clients which operations are paginated.
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
//! let page = &document["components"]["schemas"]["LengthAwarePaginator_Post"]["properties"];
//! assert_eq!(page["data"]["items"]["$ref"], "#/components/schemas/Post");
//! # serde_json::Result::Ok(())
//! ```

mod page_marks;
mod schemas;

use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn, ParameterStyle};
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{Required, Schema};

use folio_plan::value::Variant;

use crate::request::filters::Filters;
use crate::request::filters::allowed::{MAX_SEARCH, MAX_VALUES, NOT_NULL, NULL, Rule};
use crate::request::filters::requested::FilterOperator;
use crate::request::filters::value_text::ValueType;
use crate::request::per_page::PerPage;
use crate::request::sorts::Sorts;

pub use page_marks::PageMarks;

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

/// The query parameter `per_page`, which [`PerPage::from_request`] reads. [`per_page_parameter`] also tells clients the
/// default and the maximum.
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

/// The query parameter that [`PerPage::requested`] reads, with its default and its maximum.
///
/// As for [`sort_parameter`], implement `IntoParams` for a type of your own:
///
/// ```
/// use folio::{PerPage, openapi::per_page_parameter};
/// use utoipa::{IntoParams, openapi::path::{Parameter, ParameterIn}};
///
/// const PER_PAGE: PerPage = PerPage::new(15, 100);
///
/// struct PageSize;
///
/// impl IntoParams for PageSize {
///     fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
///         vec![per_page_parameter(PER_PAGE)]
///     }
/// }
///
/// let parameter = serde_json::to_value(&PageSize::into_params(|| None)[0])?;
/// assert_eq!(parameter["name"], "per_page");
/// assert_eq!((&parameter["schema"]["default"], &parameter["schema"]["maximum"]), (&15.into(), &100.into()));
/// # serde_json::Result::Ok(())
/// ```
#[must_use]
pub fn per_page_parameter(per_page: PerPage) -> Parameter {
    let PerPage { key, default, max } = per_page;
    let size = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
        .minimum(Some(1))
        .maximum(Some(max))
        .default(Some(default.min(max).into()));
    ParameterBuilder::new()
        .name(key)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some("The number of rows per page. Larger values than the maximum count as the maximum."))
        .schema(Some(size))
        .build()
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

/// The query parameters that [`Filters::from_request`] reads: one for each name, and for
/// [`ranges`](crate::Column::ranges) one for each operator, with the type of the values.
///
/// As for [`sort_parameter`], implement `IntoParams` for a type of your own:
///
/// ```
/// use folio::{Column, Filters, openapi::filter_parameters};
/// use utoipa::{IntoParams, openapi::path::{Parameter, ParameterIn}};
///
/// fn filters() -> Filters {
///     let (id, is_open) = (Column::<i32>::new("id"), Column::<bool>::new("is_open"));
///     Filters::new().allow("id", id.ranges()).allow("open", is_open.eq_any())
/// }
///
/// struct FilterParams;
///
/// impl IntoParams for FilterParams {
///     fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
///         filter_parameters(&filters())
///     }
/// }
///
/// let parameters = serde_json::to_value(FilterParams::into_params(|| None))?;
/// let names: Vec<&str> = parameters.as_array().unwrap().iter().filter_map(|parameter| parameter["name"].as_str()).collect();
/// assert_eq!(names, ["id", "id[gt]", "id[gte]", "id[lt]", "id[lte]", "open"]);
/// assert_eq!(parameters[1]["schema"], serde_json::json!({ "type": "integer", "format": "int32" }));
/// assert_eq!(parameters[5]["schema"]["items"]["enum"], serde_json::json!([true, false]));
/// # serde_json::Result::Ok(())
/// ```
#[must_use]
pub fn filter_parameters<M>(filters: &Filters<M>) -> Vec<Parameter> {
    let of_rule = |(name, rule): (&str, &Rule)| {
        let of_operator = |operator| filter_parameter(filters.parameter(name, operator), rule, operator);
        rule.operators().iter().copied().map(of_operator).collect::<Vec<_>>()
    };
    filters.rules().flat_map(of_rule).collect()
}

/// The parameter of one operator of a filter.
fn filter_parameter(name: String, rule: &Rule, operator: FilterOperator) -> Parameter {
    let is_list = matches!(rule, Rule::AnyOf(..));
    let schema: Schema = match rule {
        Rule::AnyOf(_, values) => ArrayBuilder::new().items(value_schema(*values)).max_items(Some(MAX_VALUES)).into(),
        Rule::Ranges(_, values) | Rule::With(_, values) => value_schema(*values).into(),
        Rule::Search(_) => ObjectBuilder::new().schema_type(Type::String).max_length(Some(MAX_SEARCH)).into(),
        Rule::Nulls(_) => ObjectBuilder::new().schema_type(Type::String).enum_values(Some([NULL, NOT_NULL])).into(),
    };
    let description = match operator {
        FilterOperator::Eq if is_list => "Only rows with one of these values.",
        FilterOperator::Eq => "Only rows with this value.",
        FilterOperator::Gt => "Only rows above this value.",
        FilterOperator::Gte => "Only rows with this value or above.",
        FilterOperator::Lt => "Only rows below this value.",
        FilterOperator::Lte => "Only rows with this value or below.",
        FilterOperator::Search => "Only rows that contain this text, in any case.",
        FilterOperator::Is => "`null` for rows without a value, `not_null` for rows with one.",
        FilterOperator::With => "Only rows that match this value.",
    };
    let parameter = ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(schema));
    match rule {
        // A list of texts repeats the parameter, because a text may contain a comma.
        Rule::AnyOf(_, values) => {
            let repeats = !values.is_separated_by_commas();
            parameter.style(Some(ParameterStyle::Form)).explode(Some(repeats)).build()
        }
        _ => parameter.build(),
    }
}

/// The schema of one value.
fn value_schema(values: ValueType) -> ObjectBuilder {
    let (value_type, format) = match values.variant {
        Variant::Bool => (Type::Boolean, None),
        Variant::TinyInt => (Type::Integer, Some("int8")),
        Variant::SmallInt => (Type::Integer, Some("int16")),
        Variant::Int => (Type::Integer, Some("int32")),
        Variant::BigInt => (Type::Integer, Some("int64")),
        Variant::TinyUnsigned => (Type::Integer, Some("uint8")),
        Variant::SmallUnsigned => (Type::Integer, Some("uint16")),
        Variant::Unsigned => (Type::Integer, Some("uint32")),
        Variant::BigUnsigned => (Type::Integer, Some("uint64")),
        Variant::Float => (Type::Number, Some("float")),
        Variant::Double => (Type::Number, Some("double")),
        Variant::Decimal | Variant::BigDecimal => (Type::Number, None),
        Variant::ChronoDate | Variant::TimeDate => (Type::String, Some("date")),
        Variant::ChronoDateTimeUtc
        | Variant::ChronoDateTimeLocal
        | Variant::ChronoDateTimeWithTimeZone
        | Variant::TimeDateTimeWithTimeZone => (Type::String, Some("date-time")),
        Variant::Uuid => (Type::String, Some("uuid")),
        // OpenAPI's `date-time` and `time` have an offset, which the remaining types do not.
        _ => (Type::String, None),
    };
    let is_text = value_type == Type::String;
    let schema = ObjectBuilder::new()
        .schema_type(value_type)
        .format(format.map(|format| SchemaFormat::Custom(format.to_owned())));
    let listed = values.listed();
    if listed.is_empty() {
        return schema;
    }
    // The texts of numbers and booleans are JSON.
    let listed = listed.into_iter().map(|text| match serde_json::from_str(&text) {
        Ok(value) if !is_text => value,
        _ => serde_json::Value::String(text),
    });
    schema.enum_values(Some(listed))
}
