//! What is read from the active request: page number, cursor, page size, lists of fields and relationships, headers.
//! The oracle decodes the query by hand.
//!
//! The fields of an input are the page's name, the name and the value of a header, and the URI.

#![no_main]

use folio::json_api::{CursorWindow, CursorWindowError, Fieldsets, Includes};
use folio::{ActiveRequest, FrameworkError, PerPage};
use folio_fuzz::{fields, last, number, pairs, query, runtime};
use libfuzzer_sys::fuzz_target;

/// Whether a reader refused what a client sent.
fn is_param(error: &FrameworkError) -> bool {
    error.status() == 400 && matches!(error, FrameworkError::ParamError { .. })
}

fn check_window(pairs: &[(String, String)], default: u64, max: u64) {
    let size = last(pairs, "page[size]");
    let window = CursorWindow::from_request(default, max);
    match size.as_deref().map(number) {
        _ if default == 0 || default > max => assert_eq!(window.unwrap_err().status(), 500),
        Some(None | Some(0)) => assert!(matches!(window, Err(CursorWindowError::InvalidSize))),
        Some(Some(size)) if size > max => {
            assert!(matches!(window, Err(CursorWindowError::MaxSizeExceeded { max: limit }) if limit == max));
        }
        Some(Some(_)) | None => {
            let window = window.unwrap();
            // The same window from a query that has nothing else.
            let kept = ["page[size]", "page[after]", "page[before]"];
            let mut same = url::form_urlencoded::Serializer::new(String::new());
            for name in kept {
                same.extend_pairs(last(pairs, name).map(|value| (name, value)));
            }
            assert_eq!(window, CursorWindow::resolve(&same.finish(), default, max).unwrap());
        }
    }
}

fn check_lists(pairs: &[(String, String)], uri: &str) {
    let names = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
    let is_known = |name: &String| name == "author" || name == "tags";
    let fieldsets = Fieldsets::new().allow("posts", ["author", "tags"]).from_request();
    let asked: Vec<_> = pairs.iter().filter(|(name, _)| name == "fields" || name.starts_with("fields[")).collect();
    let is_allowed =
        asked.iter().all(|(key, list)| key == "fields[posts]" && (list.is_empty() || names(list).iter().all(is_known)));
    match fieldsets {
        Ok(fields) => {
            assert!(is_allowed, "{uri:?}");
            let last = last(pairs, "fields[posts]");
            for field in ["author", "tags"] {
                let expected = last.as_ref().is_none_or(|list| names(list).contains(&field.to_owned()));
                assert_eq!(fields.has("posts", field), expected, "{field} in {uri:?}");
            }
        }
        Err(error) => assert!(is_param(&error) && !is_allowed, "{uri:?}"),
    }
    match Includes::new().allow("author").allow("tags").from_request() {
        Ok(paths) => {
            let asked = last(pairs, "include").unwrap_or_default();
            for path in ["author", "tags"] {
                assert_eq!(paths.has(path), names(&asked).contains(&path.to_owned()), "{path} in {uri:?}");
            }
        }
        Err(error) => assert!(is_param(&error), "{uri:?}"),
    }
}

fuzz_target!(|data: &[u8]| {
    let [name, header, value, uri] = fields(data);
    let pairs = pairs(query(&uri).unwrap_or_default());
    let request = ActiveRequest::new(&uri).with_header(&header, &value);
    assert_eq!(request.query(), query(&uri));
    let found = last(&pairs, &name);
    assert_eq!(request.value(&name).as_deref(), found.as_deref());
    let page = found.as_deref().and_then(number).unwrap_or(1).max(1);
    assert_eq!(request.page(&name), page);
    let text = found.filter(|text| !text.is_empty());
    assert_eq!(request.cursor(&name), text);
    if let Some(stored) = request.header(&header) {
        assert_eq!(stored, value);
    }
    let read = request.scope(async {
        match (text.as_deref().map(number), PerPage::from_request_using(&name, 15, 100)) {
            (None, size) => assert_eq!(size.unwrap(), 15),
            (Some(Some(rows @ 1..)), size) => assert_eq!(size.unwrap(), rows.min(100)),
            (Some(_), size) => {
                assert!(matches!(size, Err(FrameworkError::ParamError { param_name }) if param_name == name));
            }
        }
        for (default, max) in [(20, 100), (1, u64::MAX), (0, 1), (2, 1)] {
            check_window(&pairs, default, max);
        }
        check_lists(&pairs, &uri);
    });
    runtime().block_on(read);
});
