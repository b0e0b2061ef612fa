//! Parsing of what a client sent.
//!
//! A page number never fails: a link with a typo leads to the first page, as in Laravel. A page size does fail, because
//! a client that asks for 50 rows and silently gets 15 would skip rows by its own count.

/// The page number that a client sent; 1 if the text is not a number.
pub(super) fn page_number(text: &str) -> u64 {
    digits(text).unwrap_or(1).max(1)
}

/// The number in a text of ASCII digits, at most `u64::MAX`; `None` for any other text.
pub(crate) fn digits(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Digits fail to parse only if the number is too large.
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

/// The path and the query of a URI, without scheme, host and fragment.
pub(super) fn path_and_query(uri: &str) -> (&str, Option<&str>) {
    let uri = uri.split_once('#').map_or(uri, |(before, _)| before);
    match uri.split_once('?') {
        Some((address, query)) => (path(address), Some(query)),
        None => (path(uri), None),
    }
}

/// An address without its scheme and host.
fn path(address: &str) -> &str {
    match address.split_once("://") {
        Some((scheme, rest)) if !scheme.contains('/') => rest.find('/').and_then(|at| rest.get(at..)).unwrap_or(""),
        _ => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ascii_digits_are_a_page() {
        for (text, page) in [("007", 7), ("18446744073709551615", u64::MAX), ("18446744073709551616", u64::MAX)] {
            assert_eq!(page_number(text), page, "{text}");
        }
        for text in ["", "0", "000", "+5", " 5", "5 ", "1.5", "-1", "1e3", "0x5", "1_0", "９", "5\0"] {
            assert_eq!(page_number(text), 1, "{text:?}");
        }
    }
}
