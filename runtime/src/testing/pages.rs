//! Requests, cursors and cursor pages for tests that have no database.

use crate::crypt::{CryptPurpose, Key, Keyring};
use crate::paginator::{CursorPaginator, Paginator};
use crate::request::ActiveRequest;

/// A `GET` request for a path with these query parameters, which are percent-encoded.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::testing;
///
/// let first = Post::query().cursor_paginate(2).await?;
/// let next = first.next_cursor.unwrap_or_default();
/// let request = testing::request("/posts", [("author", "Ada & Max"), ("cursor", next.as_str())]);
/// assert_eq!(request.value("author").as_deref(), Some("Ada & Max"));
///
/// let page = request.scope(Post::query().cursor_paginate(2)).await?;
/// assert_eq!(ids(&page.data), [3]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[must_use]
pub fn request<'a>(path: &str, query: impl IntoIterator<Item = (&'a str, &'a str)>) -> ActiveRequest {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    match query.is_empty() {
        true => ActiveRequest::new(path),
        false => ActiveRequest::new(&format!("{path}?{query}")),
    }
}

/// A cursor that no list accepts, with the length and the characters of one. Each call returns another.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::testing;
///
/// let forged = testing::cursor();
/// assert_ne!(forged, testing::cursor());
/// let error = Post::query().cursor(Some(&forged)).cursor_paginate(2).await.unwrap_err();
/// assert_eq!((error.status(), error.to_string().as_str()), (400, "Invalid pagination cursor"));
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// # Panics
/// If the operating system provides no random bytes.
#[must_use]
#[expect(clippy::expect_used, reason = "a test without random bytes cannot go on")]
pub fn cursor() -> String {
    // The key is forgotten, so nothing opens it.
    let keyring = Keyring::new(Key::generate());
    let payload = br#"["next",["BigInt",7]]   "#;
    keyring.seal(CryptPurpose::Cursor, &[], payload).expect("the operating system provides random bytes")
}

/// Page number `page` of a list in memory as a cursor page, for tests of what shows or converts it. Page 0 counts as
/// page 1, and a `per_page` of 0 as 1.
///
/// It has a [`cursor`] on each side on which the list has more rows. The JSON has the keys `data`, `path` if one is
/// set, `per_page`, `next_cursor`, `next_page_url`, `prev_cursor` and `prev_page_url`. The page's fields are public,
/// for a test that needs a total or the cursors of rows.
///
/// ```
/// use folio::testing;
///
/// let page = testing::cursor_page(vec!["ada", "bob", "eve"], 1, 2).with_path("/users");
/// assert_eq!((page.data[0], page.on_first_page(), page.has_more_pages()), ("bob", false, true));
/// assert!(page.next_page_url().is_some_and(|url| url.starts_with("/users?cursor=")));
///
/// let json = serde_json::to_value(testing::cursor_page(vec!["ada", "bob", "eve"], 2, 2)).unwrap();
/// assert_eq!((&json["data"][0], json["next_cursor"].is_null()), (&"eve".into(), true));
/// ```
///
/// # Panics
/// Same as [`cursor`].
#[must_use]
pub fn cursor_page<T>(list: Vec<T>, per_page: u64, page: u64) -> CursorPaginator<T> {
    let numbered = Paginator::from_vec(list, per_page, page);
    let next = numbered.has_more_pages().then(cursor);
    let prev = (!numbered.on_first_page()).then(cursor);
    CursorPaginator::new(numbered.data, numbered.per_page, next, prev)
}
