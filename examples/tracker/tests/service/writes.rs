//! Closing issues.

use crate::client::{Client, ids};

const NEWEST_OPEN: &str =
    "SELECT id FROM issues WHERE project_id = 1 AND state = 'open' ORDER BY created_at DESC, id DESC";

pub(crate) async fn a_closed_issue_leaves_the_page(client: Client) {
    let open = client.select(NEWEST_OPEN).await;
    let (closed, others) = open.split_first().unwrap();
    let answer = client.send("POST", &format!("/issues/{closed}/close")).await;
    assert_eq!(answer.status, 200);
    let page = answer.json();
    // The page was read in the transaction that closed the issue, and the transaction was committed.
    assert_eq!(ids(page["data"].as_array().unwrap()), others[..15]);
    assert_eq!(page["total"], others.len());
    assert_eq!(client.select(NEWEST_OPEN).await, others);
    // Its links lead to the list of open issues.
    let next = page["next_page_url"].as_str().unwrap();
    assert_eq!(next, "/projects/atlas/issues?state=open&page=2");
    assert_eq!(ids(client.get(next).await["data"].as_array().unwrap()), others[15..]);
}

pub(crate) async fn an_issue_is_closed_once(client: Client) {
    let closed = "SELECT COUNT(*) FROM issues WHERE closed_at IS NOT NULL GROUP BY closed_at ORDER BY closed_at, 1";
    client.send("POST", "/issues/20/close").await;
    let before = client.select(closed).await;
    let answer = client.send("POST", "/issues/20/close").await;
    assert_eq!(answer.status, 200);
    assert_eq!(client.select(closed).await, before);
}

pub(crate) async fn an_unknown_issue_is_not_closed(client: Client) {
    let answer = client.send("POST", "/issues/1201/close").await;
    assert_eq!((answer.status.as_u16(), answer.text.as_str()), (404, r#"{"message":"Issue not found"}"#));
}
