//! The page number from the text that a client sent.

use folio::ActiveRequest;
use folio_tests::cases::read;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    /// The decoded text under the page key; none where the key is missing.
    raw: Option<String>,
    page: u64,
}

/// `text` with every byte percent-encoded.
fn encode(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[tokio::test]
async fn any_page_parameter_gives_a_page() {
    let cases: Vec<Case> = read("page_input");
    assert_eq!(cases.len(), 17);
    for Case { raw, page } in cases {
        let query = raw.as_deref().map(|text| format!("?page={}", encode(text))).unwrap_or_default();
        for uri in [format!("/users{query}"), query.clone(), format!("https://example.com/users{query}#page=9")] {
            let read = async { ActiveRequest::current().unwrap().page("page") };
            assert_eq!(ActiveRequest::new(&uri).scope(read).await, page, "{raw:?} in {uri}");
        }
    }
}

#[test]
fn names_are_compared_decoded_and_the_last_one_counts() {
    for (query, name, page) in [
        ("page=2&page=3", "page", 3),
        ("page=2&page=x", "page", 1),
        ("p%61ge=4", "page", 4),
        ("Page=4&mypage=5", "page", 1),
        ("page%5Bnumber%5D=6", "page[number]", 6),
        ("weird+key=7", "weird key", 7),
        ("page=%zz&page=%FF", "page", 1),
    ] {
        assert_eq!(ActiveRequest::new(&format!("/users?{query}")).page(name), page, "{query}");
    }
}
