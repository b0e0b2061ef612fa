//! Lists in the order that a client asks for: the links of every page keep it, and its cursors open in no other order.

use serde_json::{Value, json};

use crate::service::{Service, example, ids, package};

const ROWS: i64 = 40;

/// The ids in an order. NULLs are last in both directions, and the id ends each order in the direction of its last
/// column.
fn sorted(sort: &str) -> Vec<i64> {
    let mut ids: Vec<i64> = (1..=ROWS).collect();
    let count = |id: &i64| package(*id).depends_count;
    match sort {
        "id" => {}
        "-id" => ids.reverse(),
        "name" => ids.sort_by_key(|id| package(*id).name),
        "-name" => ids.sort_by_key(|id| std::cmp::Reverse(package(*id).name)),
        "section,-id" => ids.sort_by_key(|id| (package(*id).section, package(*id).name)),
        "-section" => ids.sort_by_key(|id| std::cmp::Reverse((package(*id).section, package(*id).name))),
        "dependencies" => ids.sort_by_key(|id| (count(id).is_none(), count(id).map(|count| -count), -id)),
        "-dependencies" => ids.sort_by_key(|id| (count(id).is_none(), count(id), *id)),
        "-dependencies,-name" => {
            ids.sort_by_key(|id| (count(id).is_none(), count(id), std::cmp::Reverse(package(*id).name)));
        }
        other => panic!("no order for {other}"),
    }
    ids
}

const SORTS: [&str; 9] =
    ["id", "-id", "name", "-name", "section,-id", "-section", "dependencies", "-dependencies", "-dependencies,-name"];

/// The ids of all pages from `first`, by the URL that `next` finds in each.
async fn walked(service: &Service, first: String, next: impl Fn(&Value) -> Option<&str>) -> Vec<i64> {
    let (mut url, mut seen) = (Some(first), Vec::new());
    while let Some(asked) = url {
        let answer = service.get(&asked).await;
        assert_eq!(answer.status, 200, "{asked}: {answer:?}");
        let page: Value = serde_json::from_str(&answer.text).unwrap();
        let id = |row: &Value| row["id"].as_i64().or_else(|| row["id"].as_str()?.parse().ok()).unwrap();
        seen.extend(page["data"].as_array().unwrap().iter().map(id));
        assert!(seen.len() <= 40, "{asked}");
        url = next(&page).map(str::to_owned);
    }
    seen
}

#[tokio::test]
async fn links_lead_through_the_whole_list_in_its_order() {
    let service = example(ROWS).await;
    for sort in SORTS {
        for path in ["/packages", "/packages/simple", "/packages/cursor"] {
            let seen =
                walked(&service, format!("{path}?sort={sort}&per_page=7"), |page| page["next_page_url"].as_str());
            assert_eq!(seen.await, sorted(sort), "{path} by {sort}");
        }
        for path in ["/api/packages", "/api/packages/cursor"] {
            let first = format!("{path}?sort={sort}&page[size]=7");
            let seen = walked(&service, first, |page| page["links"]["next"].as_str());
            assert_eq!(seen.await, sorted(sort), "{path} by {sort}");
        }
    }
}

#[tokio::test]
async fn links_lead_back_in_the_same_order() {
    let service = example(ROWS).await;
    for sort in SORTS {
        let mut page = service.get(&format!("/packages/cursor?sort={sort}&per_page=9")).await.json();
        while let Some(next) = page["next_page_url"].as_str() {
            page = service.get(next).await.json();
        }
        let mut seen = ids(&page);
        while let Some(prev) = page["prev_page_url"].as_str() {
            page = service.get(prev).await.json();
            seen.splice(0..0, ids(&page));
        }
        assert_eq!(seen, sorted(sort), "{sort}");
    }
}

#[tokio::test]
async fn a_cursor_of_one_sort_is_refused_in_another() {
    let service = example(ROWS).await;
    for sort in SORTS {
        let page = service.get(&format!("/packages/cursor?sort={sort}")).await.json();
        let next = page["next_page_url"].as_str().unwrap();
        for other in SORTS.into_iter().filter(|other| *other != sort) {
            let asked = next.replace(&format!("sort={sort}&"), &format!("sort={other}&"));
            assert_ne!(asked, next);
            let answer = service.get(&asked).await;
            assert_eq!(answer.status, 400, "{asked}");
            assert_eq!(answer.json(), json!({ "message": "Invalid pagination cursor" }));
        }
    }
}

const SORT: &str = "`sort` takes `id`, `name`, `section`, `dependencies`: each at most once, separated by commas, with `-` \
                    before it to reverse it";

#[tokio::test]
async fn an_unknown_sort_is_an_error_of_the_parameter() {
    let service = example(3).await;
    let answer = service.get("/packages?sort=size").await;
    let (message, allowed) = (SORT, ["id", "name", "section", "dependencies"]);
    let expected = json!({ "message": message, "parameter": "sort", "allowed": allowed });
    assert_eq!((answer.status.as_u16(), answer.json()), (400, expected));
    let answer = service.get("/api/packages/cursor?sort=-name,size").await;
    let expected = json!({ "errors": [{
        "status": "400",
        "title": "Bad Request",
        "detail": message,
        "source": { "parameter": "sort" },
        "meta": { "allowed": allowed },
    }] });
    assert_eq!(answer.json_of("application/vnd.api+json"), expected);
    // The last one counts, and an empty one is the default.
    for query in ["sort=size&sort=-id", "sort=-id"] {
        assert_eq!(ids(&service.get(&format!("/packages?{query}")).await.json()), [3, 2, 1], "{query}");
    }
    for query in ["", "sort", "sort=", "sort=size&sort="] {
        assert_eq!(ids(&service.get(&format!("/packages?{query}")).await.json()), [1, 2, 3], "{query}");
    }
}
