//! The issues of a project. The project `atlas` has the id 1.

use std::collections::BTreeSet;

use serde_json::json;

use crate::client::{Client, ids};

/// The sorts of a list, each with a select of the project's issues in that order.
const SORTED: [(&str, &str); 7] = [
    ("created", "SELECT id FROM issues WHERE project_id = 1 ORDER BY created_at, id"),
    ("-created", "SELECT id FROM issues WHERE project_id = 1 ORDER BY created_at DESC, id DESC"),
    ("priority", "SELECT id FROM issues WHERE project_id = 1 ORDER BY priority, id"),
    ("-priority", "SELECT id FROM issues WHERE project_id = 1 ORDER BY priority DESC, id DESC"),
    ("title", "SELECT id FROM issues WHERE project_id = 1 ORDER BY title, id"),
    ("priority,-created", "SELECT id FROM issues WHERE project_id = 1 ORDER BY priority, created_at DESC, id DESC"),
    ("-title", "SELECT id FROM issues WHERE project_id = 1 ORDER BY title DESC, id DESC"),
];

pub(crate) async fn numbered_pages_lead_to_the_end(client: Client) {
    for (sort, select) in SORTED {
        let uri = format!("/projects/atlas/issues?sort={sort}&per_page=7");
        let rows = client.walk(&uri).await;
        assert_eq!(ids(&rows), client.select(select).await, "{sort}");
    }
    let page = client.get("/projects/atlas/issues?state=open&per_page=7&page=2").await;
    let open = client.select("SELECT id FROM issues WHERE project_id = 1 AND state = 'open'").await;
    assert_eq!(page["total"], open.len());
    assert_eq!(page["first_page_url"], "/projects/atlas/issues?state=open&per_page=7&page=1");
    assert_eq!(page["path"], "/projects/atlas/issues");
}

pub(crate) async fn the_feed_leads_to_the_end_and_back(client: Client) {
    for (sort, select) in SORTED {
        let expected = client.select(select).await;
        let mut last = format!("/projects/atlas/feed?sort={sort}&per_page=9");
        assert_eq!(ids(&client.walk(&last).await), expected, "{sort}");

        while let Some(next) = client.get(&last).await["next_page_url"].as_str() {
            last = next.to_owned();
        }
        let mut pages = client.pages(&last, "prev_page_url").await;
        pages.reverse();
        assert_eq!(ids(&pages.concat()), expected, "{sort}, backwards");
    }
}

pub(crate) async fn filters_are_those_of_the_database(client: Client) {
    let cases = [
        ("state=open", "SELECT id FROM issues WHERE project_id = 1 AND state = 'open'"),
        (
            "state=closed&priority=urgent",
            "SELECT id FROM issues WHERE project_id = 1 AND state = 'closed' AND priority = 4",
        ),
        ("label=bug", "SELECT issue_id FROM issue_labels WHERE project_id = 1 AND label = 'bug'"),
        ("q=TIMEOUT", "SELECT id FROM issues WHERE project_id = 1 AND title LIKE '%Timeout%'"),
    ];
    for (filters, select) in cases {
        let mut expected = client.select(select).await;
        expected.sort_unstable();
        assert!(!expected.is_empty() && expected.len() < 60, "{filters} selects some rows");
        for list in ["issues", "feed"] {
            let rows = client.walk(&format!("/projects/atlas/{list}?{filters}&per_page=4")).await;
            let mut found = ids(&rows);
            found.sort_unstable();
            assert_eq!(found, expected, "{list}?{filters}");
        }
    }
}

pub(crate) async fn a_search_takes_text_literally(client: Client) {
    let found = client.get("/projects/atlas/issues?q=100%25%20ZOOM").await;
    assert!(found["total"].as_u64() > Some(0));
    for text in ["1%25zoom", "100_", "%25%25"] {
        assert_eq!(client.get(&format!("/projects/atlas/issues?q={text}")).await["total"], 0, "{text}");
    }
}

pub(crate) async fn rows_carry_their_labels(client: Client) {
    let rows = client.walk("/projects/atlas/issues?per_page=20").await;
    let labels: usize = rows.iter().map(|row| row["labels"].as_array().unwrap().len()).sum();
    let stored = client.select("SELECT COUNT(*) FROM issue_labels WHERE project_id = 1").await;
    assert_eq!(stored, [i64::try_from(labels).unwrap()]);
    for row in client.walk("/projects/atlas/feed?label=bug").await {
        assert!(row["labels"].as_array().unwrap().contains(&json!("bug")), "{row}");
    }
    // In no order: whether JSON objects keep theirs depends on the other packages of the build.
    let keys: BTreeSet<_> = rows[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, BTreeSet::from(["created_at", "id", "labels", "priority", "state", "title"]));
}

pub(crate) async fn an_export_has_every_row(client: Client) {
    let answer = client.send("GET", "/projects/atlas/export?state=open&sort=title").await;
    assert_eq!(answer.headers["content-type"], "application/x-ndjson");
    let rows: Vec<_> = answer.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let select = "SELECT id FROM issues WHERE project_id = 1 AND state = 'open' ORDER BY title, id";
    assert_eq!(ids(&rows), client.select(select).await);
}
