//! Requests of clients that do not play by the rules.

use serde_json::json;

use crate::client::Client;

const PATHS: [&str; 15] = [
    "/projects",
    "/projects/atlas/issues",
    "/projects/atlas/feed",
    "/projects/atlas/new",
    "/projects/atlas/issues/20",
    "/projects/atlas/timeline",
    "/projects/atlas/summary",
    "/projects/atlas/export",
    "/projects/atlas/threads",
    "/projects/atlas/discussions",
    "/issues",
    "/issues/100/comments",
    "/issues/100/comments/1",
    "/issues/100/unread",
    "/users",
];

const NAMES: [&str; 15] = [
    "page",
    "per_page",
    "cursor",
    "sort",
    "state",
    "state[]",
    "state[gt]",
    "priority",
    "created",
    "created[gte]",
    "label",
    "q",
    "at",
    "seen",
    "x",
];

const VALUES: [&str; 21] = [
    "",
    "0",
    "-1",
    "1e9",
    "9223372036854775807",
    "99999999999999999999999",
    "%00",
    "%FF",
    "%25",
    "a%27%3B--",
    "%F0%9F%92%A9",
    "created_at",
    "title,title",
    "AAAA",
    "open,closed",
    "2025-01-01T00:00:00Z",
    "2025-01-01T00:00:00.123456789Z",
    "0000-01-01T00:00:00%2B23:59",
    "9999-12-31T23:59:59-23:59",
    "-262143-01-01T00:00:00Z",
    "%2B262142-12-31T23:59:59Z",
];

pub(crate) async fn no_parameter_is_a_server_error(client: Client) {
    for path in PATHS {
        for name in NAMES {
            for value in VALUES {
                let uri = format!("{path}?{name}={value}");
                let answer = client.send("GET", &uri).await;
                assert!([200, 400, 404].contains(&answer.status.as_u16()), "{uri}: {} {}", answer.status, answer.text);
            }
        }
    }
    for path in [
        "/projects/%00/issues",
        "/projects/%FF/feed",
        "/projects/%00/summary",
        "/projects/atlas/issues/%00",
        "/projects/atlas/issues/-1",
        "/projects/atlas/issues/99999999999999999999",
        "/issues/%00/comments",
        "/issues/99999999999999999999/comments",
        "/issues/100/comments/one",
        "/issues/100/comments/9223372036854775807",
        "/issues/9223372036854775807/unread?seen=1",
    ] {
        let answer = client.send("GET", path).await;
        assert!(answer.status.is_client_error(), "{path}: {}", answer.status);
    }
}

pub(crate) async fn errors_have_a_json_body(client: Client) {
    let sort = "`sort` takes `created`, `priority`, `title`: each at most once, separated by commas, with `-` before it to \
                reverse it";
    let state = "`state` takes `open`, `closed`, separated by commas";
    let priority = "`priority` is one of `low`, `medium`, `high`, `urgent`";
    let names = ["created", "priority", "title"];
    let cases = [
        ("/nowhere", 404, json!({ "message": "Page not found" })),
        ("/projects/nowhere/issues", 404, json!({ "message": "Project not found" })),
        ("/projects/nowhere/feed", 404, json!({ "message": "Project not found" })),
        ("/issues/1201/comments", 404, json!({ "message": "Issue not found" })),
        ("/issues/one/comments", 400, json!({ "message": "A part of the path is not a whole number" })),
        (
            "/projects/atlas/issues?per_page=0",
            400,
            json!({ "message": "`per_page` is a number from 1 to 100", "parameter": "per_page" }),
        ),
        (
            "/projects/atlas/issues?sort=password",
            400,
            json!({ "message": sort, "parameter": "sort", "allowed": names }),
        ),
        ("/projects/atlas/feed?cursor=altered", 400, json!({ "message": "Invalid pagination cursor" })),
        (
            "/projects/atlas/issues?state=lost",
            400,
            json!({ "message": state, "parameter": "state", "allowed": ["open", "closed"] }),
        ),
        (
            "/projects/atlas/export?priority=4",
            400,
            json!({ "message": priority, "parameter": "priority", "allowed": ["low", "medium", "high", "urgent"] }),
        ),
        ("/projects/atlas/new?cursor=altered", 400, json!({ "message": "Invalid pagination cursor" })),
        ("/projects/atlas/export?cursor=altered", 400, json!({ "message": "Invalid pagination cursor" })),
        ("/projects/nowhere/summary", 404, json!({ "message": "Project not found" })),
        ("/issues/100/unread?seen=1", 404, json!({ "message": "Comment not found" })),
    ];
    for (uri, status, body) in cases {
        let answer = client.send("GET", uri).await;
        assert_eq!(answer.status, status, "{uri}");
        assert_eq!(answer.headers["content-type"], "application/json", "{uri}");
        assert_eq!(answer.json(), body, "{uri}");
    }
}

pub(crate) async fn a_cursor_opens_in_its_own_project_only(client: Client) {
    // Those of the feed and of the export have the same order as others.
    for (from, list) in [("feed", "feed"), ("feed", "new"), ("discussions", "discussions"), ("threads", "threads")] {
        let page = client.get(&format!("/projects/atlas/{from}")).await;
        let next = page["next_cursor"].as_str().unwrap();
        assert_eq!(client.send("GET", &format!("/projects/atlas/{list}?cursor={next}")).await.status, 200);
        let foreign = client.send("GET", &format!("/projects/beacon/{list}?cursor={next}")).await;
        assert_eq!(foreign.status, 400, "{list}");
        assert_eq!(foreign.json()["message"], "Invalid pagination cursor");
    }
}
