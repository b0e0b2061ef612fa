//! Projects, users and comments, and the description of all routes.

use crate::client::{Client, ids};

pub(crate) async fn projects_are_paged_in_memory(client: Client) {
    let answer = client.send("GET", "/projects?page=3").await;
    assert_eq!(answer.headers["cache-control"], "public, max-age=60");
    let page = answer.json();
    assert_eq!((&page["total"], &page["from"], &page["to"]), (&20.into(), &17.into(), &20.into()));
    assert_eq!(page["data"][0]["slug"], "quartz");
    assert_eq!(ids(&client.walk("/projects").await), (1..=20).collect::<Vec<_>>());
}

pub(crate) async fn users_have_a_link_header(client: Client) {
    let answer = client.send("GET", "/users?per_page=10&page=2").await;
    let link = answer.headers["link"].to_str().unwrap();
    assert!(link.contains(r#"</users?per_page=10&page=3>; rel="next""#), "{link}");
    let users = client.walk("/users?per_page=10").await;
    assert_eq!(ids(&users), client.select("SELECT id FROM users ORDER BY login").await);
}

pub(crate) async fn comments_are_those_of_the_issue(client: Client) {
    let comments = client.walk("/issues/100/comments?per_page=7").await;
    let select = "SELECT id FROM comments WHERE issue_id = 100 ORDER BY created_at, id";
    assert_eq!(ids(&comments), client.select(select).await);
    assert_eq!(comments.len(), 60);

    // A cursor of one issue does not open the comments of another.
    let next = client.get("/issues/100/comments?per_page=7").await["next_cursor"].as_str().unwrap().to_owned();
    assert_eq!(client.send("GET", &format!("/issues/200/comments?cursor={next}")).await.status, 400);

    // An issue without comments is an empty page, and an unknown issue is a 404.
    let quiet = "SELECT id FROM issues WHERE id NOT IN (SELECT issue_id FROM comments) ORDER BY id LIMIT 1";
    let quiet = client.select(quiet).await[0];
    assert_eq!(client.get(&format!("/issues/{quiet}/comments")).await["data"], serde_json::json!([]));
    assert_eq!(client.send("GET", "/issues/1201/comments").await.status, 404);
}

pub(crate) async fn the_document_describes_every_route(client: Client) {
    let document = client.get("/openapi.json").await;
    let paths: Vec<_> = document["paths"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(paths.len(), 9, "{paths:?}");
    for (path, operations) in document["paths"].as_object().unwrap() {
        let method = if operations.get("post").is_some() { "POST" } else { "GET" };
        let uri = path.replace("{project}", "atlas").replace("{issue}", "7");
        assert_eq!(client.send(method, &uri).await.status, 200, "{method} {uri}");
    }
    let list = &document["paths"]["/projects/{project}/issues"]["get"]["parameters"];
    let names: Vec<_> = list.as_array().unwrap().iter().map(|parameter| parameter["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["project", "state", "priority", "label", "q", "sort", "page", "per_page"]);
}
