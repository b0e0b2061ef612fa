//! Marks of paginated operations, for generators of clients.

use serde_json::json;
use utoipa::Modify;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, OpenApi, Ref, RefOr};

use crate::paginator::{CURSOR_NAME, PAGE_NAME};
use crate::web::json_types::{AROUND, CURSOR, JsonObject, LENGTH_AWARE, SIMPLE};

/// Tells generators of clients which operations are paginated, so that the clients have methods that walk all pages.
///
/// List a constant under `modifiers`. Each operation whose response is a page gets two extensions:
///
/// | extension | what it says | read by |
/// |---|---|---|
/// | [`x-speakeasy-pagination`](https://www.speakeasy.com/docs/sdks/customize/runtime/pagination) | the parameter to change, and where the response has the next cursor, the rows, or the number of the last page | Speakeasy |
/// | [`x-ms-pageable`](https://github.com/Azure/autorest/blob/main/docs/extensions/readme.md#x-ms-pageable) | the keys of the next page's URL and of the rows | AutoRest |
///
/// ```
/// use folio::CursorPaginator;
/// use folio::openapi::{CursorParams, PageMarks};
/// use serde_json::json;
/// use utoipa::OpenApi;
///
/// #[derive(utoipa::ToSchema)]
/// struct Post {
///     id: i64,
/// }
///
/// #[utoipa::path(get, path = "/posts", params(CursorParams), responses(
///     (status = 200, description = "A page of posts", body = CursorPaginator<Post>),
/// ))]
/// async fn posts() {}
///
/// const MARKS: PageMarks = PageMarks::new();
///
/// #[derive(OpenApi)]
/// #[openapi(paths(posts), modifiers(&MARKS))]
/// struct Document;
///
/// let document = serde_json::to_value(Document::openapi())?;
/// let operation = &document["paths"]["/posts"]["get"];
/// let pageable = json!({ "nextLinkName": "next_page_url", "itemName": "data" });
/// assert_eq!(operation["x-ms-pageable"], pageable);
/// let pagination = json!({
///     "type": "cursor",
///     "inputs": [{ "name": "cursor", "in": "parameters", "type": "cursor" }],
///     "outputs": { "results": "$.data", "nextCursor": "$.next_cursor" },
/// });
/// assert_eq!(operation["x-speakeasy-pagination"], pagination);
/// # serde_json::Result::Ok(())
/// ```
///
/// The page size is not among the inputs: Speakeasy's clients would take a page with fewer rows than requested for the
/// last one, but the server may cap the size. AutoRest's clients request `next_page_url` as it is, so it has to be
/// absolute: pass a URL with your host to [`with_path`](crate::CursorPaginator::with_path).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageMarks {
    page_name: &'static str,
    cursor_name: &'static str,
}

impl PageMarks {
    /// Marks for operations with the parameters `page` and `cursor`.
    ///
    /// ```
    /// use folio::openapi::PageMarks;
    ///
    /// assert_eq!(PageMarks::new(), PageMarks::new().page_name("page").cursor_name("cursor"));
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { page_name: PAGE_NAME, cursor_name: CURSOR_NAME }
    }

    /// Sets the parameter with the number of a page, if it is not `page`.
    ///
    /// ```
    /// use folio::openapi::PageMarks;
    ///
    /// assert_ne!(PageMarks::new().page_name("page[number]"), PageMarks::new());
    /// ```
    #[must_use]
    pub const fn page_name(self, name: &'static str) -> Self {
        Self { page_name: name, ..self }
    }

    /// Sets the parameter with a cursor, if it is not `cursor`.
    ///
    /// ```
    /// use folio::openapi::PageMarks;
    ///
    /// assert_ne!(PageMarks::new().cursor_name("page[cursor]"), PageMarks::new());
    /// ```
    #[must_use]
    pub const fn cursor_name(self, name: &'static str) -> Self {
        Self { cursor_name: name, ..self }
    }

    /// Marks one operation. Returns whether it is paginated: whether a response with a status from 200 to 299 is a
    /// page, and a parameter says which.
    ///
    /// ```
    /// use folio::openapi::PageMarks;
    /// use utoipa::openapi::path::Operation;
    ///
    /// // It responds with no page.
    /// assert!(!PageMarks::new().mark(&mut Operation::new()));
    /// ```
    pub fn mark(&self, operation: &mut Operation) -> bool {
        let Some(object) = page_of(operation) else { return false };
        let is_cursor = [CURSOR.name, AROUND.name].contains(&object.name);
        let name = if is_cursor { self.cursor_name } else { self.page_name };
        let mut parameters = operation.parameters.iter().flatten();
        if !parameters.any(|parameter| matches!(parameter, RefOr::T(parameter) if parameter.name == name)) {
            return false;
        }

        let (pagination_type, input_type) = if is_cursor { ("cursor", "cursor") } else { ("offsetLimit", "page") };
        let outputs = match object.name {
            _ if is_cursor => json!({ "results": "$.data", "nextCursor": "$.next_cursor" }),
            name if name == LENGTH_AWARE.name => json!({ "results": "$.data", "numPages": "$.last_page" }),
            _ => json!({ "results": "$.data" }),
        };
        let speakeasy = json!({
            "type": pagination_type,
            "inputs": [{ "name": name, "in": "parameters", "type": input_type }],
            "outputs": outputs,
        });
        let pageable = json!({ "nextLinkName": "next_page_url", "itemName": "data" });
        let extensions = operation.extensions.get_or_insert_default();
        extensions.insert("x-speakeasy-pagination".to_owned(), speakeasy);
        extensions.insert("x-ms-pageable".to_owned(), pageable);
        true
    }
}

impl Default for PageMarks {
    fn default() -> Self {
        Self::new()
    }
}

impl Modify for PageMarks {
    fn modify(&self, document: &mut OpenApi) {
        for path in document.paths.paths.values_mut() {
            for operation in [&mut path.get, &mut path.post, &mut path.query].into_iter().flatten() {
                self.mark(operation);
            }
        }
    }
}

/// The page that an operation responds with.
fn page_of(operation: &Operation) -> Option<&'static JsonObject> {
    let responses = operation.responses.responses.iter().filter(|(status, _)| status.starts_with('2'));
    let contents = responses.filter_map(|(_, response)| match response {
        RefOr::T(response) => Some(response.content.values()),
        RefOr::Ref(_) => None,
    });
    contents.flatten().find_map(|content| match content {
        RefOr::T(Content { schema: Some(RefOr::Ref(reference)), .. }) => page_named(reference),
        _ => None,
    })
}

/// The page whose component a reference leads to. utoipa appends the name of the row with a `_`.
fn page_named(reference: &Ref) -> Option<&'static JsonObject> {
    let name = reference.ref_location.rsplit('/').next()?;
    let pages: [&JsonObject; 4] = [&LENGTH_AWARE, &SIMPLE, &CURSOR, &AROUND];
    pages.into_iter().find(|page| name.strip_prefix(page.name).is_some_and(|row| row.starts_with('_')))
}
