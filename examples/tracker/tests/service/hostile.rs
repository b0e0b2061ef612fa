//! Requests of clients that do not play by the rules.

use serde_json::json;

use crate::client::Client;

const PATHS: [&str; 8] = [
    "/projects",
    "/projects/atlas/issues",
    "/projects/atlas/feed",
    "/projects/atlas/export",
    "/projects/atlas/discussions",
    "/issues",
    "/issues/100/comments",
    "/users",
];

const NAMES: [&str; 9] = ["page", "per_page", "cursor", "sort", "state", "priority", "label", "q", "x"];

const VALUES: [&str; 14] = [
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
];

pub(crate) async fn no_parameter_is_a_server_error(client: Client) {
    for path in PATHS {
        for name in NAMES {
            for value in VALUES {
                let uri = format!("{path}?{name}={value}");
                let answer = client.send("GET", &uri).await;
                assert!(answer.status == 200 || answer.status == 400, "{uri}: {} {}", answer.status, answer.text);
            }
        }
    }
    for path in
        ["/projects/%00/issues", "/projects/%FF/feed", "/issues/%00/comments", "/issues/99999999999999999999/comments"]
    {
        let answer = client.send("GET", path).await;
        assert!(answer.status.is_client_error(), "{path}: {}", answer.status);
    }
}

pub(crate) async fn errors_have_a_json_body(client: Client) {
    let sort = "`sort` takes `created`, `priority`, `title`: each at most once, separated by commas, with `-` before it to \
                reverse it";
    let state = "`state` is not valid: unknown variant `lost`, expected `open` or `closed`";
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
        ("/projects/atlas/issues?state=lost", 400, json!({ "message": state, "parameter": "state" })),
    ];
    for (uri, status, body) in cases {
        let answer = client.send("GET", uri).await;
        assert_eq!(answer.status, status, "{uri}");
        assert_eq!(answer.headers["content-type"], "application/json", "{uri}");
        assert_eq!(answer.json(), body, "{uri}");
    }
}

pub(crate) async fn a_cursor_opens_in_its_own_project_only(client: Client) {
    for list in ["feed", "discussions"] {
        let page = client.get(&format!("/projects/atlas/{list}")).await;
        let next = page["next_cursor"].as_str().unwrap();
        assert_eq!(client.send("GET", &format!("/projects/atlas/{list}?cursor={next}")).await.status, 200);
        let foreign = client.send("GET", &format!("/projects/beacon/{list}?cursor={next}")).await;
        assert_eq!(foreign.status, 400);
        assert_eq!(foreign.json()["message"], "Invalid pagination cursor");
    }
}
