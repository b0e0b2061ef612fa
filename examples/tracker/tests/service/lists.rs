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

pub(crate) async fn a_link_leads_to_a_comment(client: Client) {
    let all = client.select("SELECT id FROM comments WHERE issue_id = 100 ORDER BY created_at, id").await;
    let around = client.get(&format!("/issues/100/comments/{}", all[30])).await;
    assert_eq!(ids(around["data"].as_array().unwrap()), all[20..=40]);
    assert_eq!(around["index"], 10);
    assert_eq!(ids(&client.walk(around["next_page_url"].as_str().unwrap()).await), all[41..]);
    // The comment of another issue.
    assert_eq!(client.send("GET", &format!("/issues/200/comments/{}", all[30])).await.status, 404);
}

pub(crate) async fn unread_comments_are_those_after_the_last_one_seen(client: Client) {
    let all = client.select("SELECT id FROM comments WHERE issue_id = 100 ORDER BY created_at, id").await;
    for (seen, unread) in [(0, 59), (57, 2), (59, 0)] {
        let answer = client.get(&format!("/issues/100/unread?seen={}", all[seen])).await;
        assert_eq!(answer, serde_json::json!({ "comments": unread }));
    }
    assert_eq!(client.send("GET", "/issues/100/unread").await.status, 400);
}

pub(crate) async fn threads_have_pages_of_their_own(client: Client) {
    let rows = client.walk("/projects/atlas/threads?per_page=25").await;
    let issues: Vec<_> = rows.iter().map(|row| row["issue"].clone()).collect();
    let select = "SELECT id FROM issues WHERE project_id = 1 ORDER BY created_at DESC, id DESC";
    assert_eq!(ids(&issues), client.select(select).await);

    let thread = rows.iter().find(|row| row["issue"]["id"] == 100).unwrap();
    let newest = client.select("SELECT id FROM comments WHERE issue_id = 100 ORDER BY created_at DESC, id DESC").await;
    assert_eq!(ids(thread["comments"]["data"].as_array().unwrap()), newest[..3]);
    // Its links lead to the older comments of the same issue.
    let next = thread["comments"]["next_page_url"].as_str().unwrap();
    assert_eq!(ids(&client.walk(next).await), newest[3..]);
    let other = next.replace("/issues/100/", "/issues/200/");
    assert_eq!(client.send("GET", &other).await.status, 400);
    let comments: usize = rows.iter().map(|row| row["comments"]["data"].as_array().unwrap().len()).sum();
    let select = "SELECT COUNT(*) FROM comments JOIN issues ON issues.id = issue_id WHERE project_id = 1";
    assert!(comments > 60 && i64::try_from(comments).unwrap() < client.select(select).await[0], "{comments}");
}

pub(crate) async fn the_document_describes_every_route(client: Client) {
    let document = client.get("/openapi.json").await;
    let paths: Vec<_> = document["paths"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(paths.len(), 16, "{paths:?}");
    let position = client.get("/projects/atlas/feed").await["start_cursor"].as_str().unwrap().to_owned();
    let comment = client.select("SELECT MIN(id) FROM comments WHERE issue_id = 20").await[0];
    for (path, operations) in document["paths"].as_object().unwrap() {
        let method = if operations.get("post").is_some() { "POST" } else { "GET" };
        let uri =
            path.replace("{project}", "atlas").replace("{issue}", "20").replace("{comment}", &comment.to_string());
        let uri = format!(
            "{uri}{}",
            match path.rsplit('/').next().unwrap() {
                "new" => format!("?cursor={position}"),
                "timeline" => "?at=2025-01-03T00:00:00Z".to_owned(),
                "unread" => format!("?seen={comment}"),
                _ => String::new(),
            }
        );
        assert_eq!(client.send(method, &uri).await.status, 200, "{method} {uri}");
    }
    let list = &document["paths"]["/projects/{project}/issues"]["get"]["parameters"];
    let names: Vec<_> = list.as_array().unwrap().iter().map(|parameter| parameter["name"].as_str().unwrap()).collect();
    let created = ["created", "created[gt]", "created[gte]", "created[lt]", "created[lte]"];
    let filters = [&["state", "priority"], &created[..], &["label", "q"]].concat();
    assert_eq!(names, [&["project"], &filters[..], &["sort", "page", "per_page"]].concat());
}
