//! The JSON of the three pages.
//!
//! Keys and their order are those of Laravel's paginators, so that front-end components made for Laravel can read it.
//! The order of the calls here is the order of the keys. URLs and links are formatted directly into the output.
//!
//! A page may lack `path`, and a cursor page `total` and `row_cursors`. The number of keys is passed on for formats other than JSON, which
//! write it before the keys. `openapi.rs` has the schema of each page, and a test compares its keys with these.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::{CursorPaginator, LengthAwarePaginator, Paginator};
use crate::url;

impl<T: Serialize> Serialize for LengthAwarePaginator<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let urls = self.urls();
        let path = self.path.as_deref().and_then(url::bare);
        let keys = if path.is_some() { 13 } else { 12 };
        let mut page = serializer.serialize_struct("LengthAwarePaginator", keys)?;
        page.serialize_field("current_page", &self.current_page)?;
        page.serialize_field("data", &self.data)?;
        page.serialize_field("first_page_url", &urls.page(1))?;
        page.serialize_field("from", &self.from)?;
        page.serialize_field("last_page", &self.last_page)?;
        page.serialize_field("last_page_url", &urls.page(self.last_page))?;
        page.serialize_field("links", &self.row(&urls))?;
        page.serialize_field("next_page_url", &self.next_page().map(|page| urls.page(page)))?;
        serialize_if_some(&mut page, "path", path.as_ref())?;
        page.serialize_field("per_page", &self.per_page)?;
        page.serialize_field("prev_page_url", &self.previous_page().map(|page| urls.page(page)))?;
        page.serialize_field("to", &self.to)?;
        page.serialize_field("total", &self.total)?;
        page.end()
    }
}

impl<T: Serialize> Serialize for Paginator<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let urls = self.urls();
        let path = self.path.as_deref().and_then(url::bare);
        let keys = if path.is_some() { 11 } else { 10 };
        let mut page = serializer.serialize_struct("Paginator", keys)?;
        page.serialize_field("current_page", &self.current_page)?;
        page.serialize_field("current_page_url", &urls.page(self.current_page))?;
        page.serialize_field("data", &self.data)?;
        page.serialize_field("first_page_url", &urls.page(1))?;
        page.serialize_field("from", &self.first_item())?;
        page.serialize_field("has_more", &self.has_more)?;
        page.serialize_field("next_page_url", &self.next_page().map(|page| urls.page(page)))?;
        serialize_if_some(&mut page, "path", path.as_ref())?;
        page.serialize_field("per_page", &self.per_page)?;
        page.serialize_field("prev_page_url", &self.previous_page().map(|page| urls.page(page)))?;
        page.serialize_field("to", &self.last_item())?;
        page.end()
    }
}

impl<T: Serialize> Serialize for CursorPaginator<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let urls = self.urls();
        let path = self.path.as_deref().and_then(url::bare);
        let optional = [path.is_some(), self.total.is_some(), self.row_cursors.is_some()];
        let keys = optional.into_iter().filter(|is_present| *is_present).count().saturating_add(6);
        let mut page = serializer.serialize_struct("CursorPaginator", keys)?;
        page.serialize_field("data", &self.data)?;
        serialize_if_some(&mut page, "path", path.as_ref())?;
        page.serialize_field("per_page", &self.per_page)?;
        page.serialize_field("next_cursor", &self.next_cursor)?;
        page.serialize_field("next_page_url", &self.next_cursor.as_deref().map(|cursor| urls.cursor(cursor)))?;
        page.serialize_field("prev_cursor", &self.prev_cursor)?;
        page.serialize_field("prev_page_url", &self.prev_cursor.as_deref().map(|cursor| urls.cursor(cursor)))?;
        serialize_if_some(&mut page, "total", self.total.as_ref())?;
        serialize_if_some(&mut page, "row_cursors", self.row_cursors.as_ref())?;
        page.end()
    }
}

/// Writes a key that a page may lack, if it has the value.
fn serialize_if_some<S: SerializeStruct>(
    page: &mut S,
    key: &'static str,
    value: Option<&impl Serialize>,
) -> Result<(), S::Error> {
    match value {
        Some(value) => page.serialize_field(key, value),
        None => page.skip_field(key),
    }
}
