//! The issues of a project. The project `atlas` has the id 1.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use folio::CursorPaginator;
use folio::testing::Walk;
use serde_json::{Value, json};

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

/// The moments of SQLite are texts.
const OPEN_BEFORE: &str =
    "SELECT id FROM issues WHERE project_id = 1 AND state = 'open' AND created_at < '2025-01-03T00:00:00+00:00'";

pub(crate) async fn filters_are_those_of_the_database(client: Client) {
    let cases = [
        ("state=open", "SELECT id FROM issues WHERE project_id = 1 AND state = 'open'"),
        (
            "state=closed&priority=urgent",
            "SELECT id FROM issues WHERE project_id = 1 AND state = 'closed' AND priority = 4",
        ),
        ("priority=low", "SELECT id FROM issues WHERE project_id = 1 AND priority = 1"),
        ("state=open&created[lt]=2025-01-03T00:00:00Z", OPEN_BEFORE),
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

/// The rows of an export, and its last position.
async fn export(client: &Client, query: &str) -> (Vec<i64>, String) {
    let answer = client.send("GET", &format!("/projects/atlas/export?{query}")).await;
    assert_eq!(answer.headers["content-type"], "application/x-ndjson", "{}", answer.text);
    let lines = answer.text.lines().map(|line| serde_json::from_str(line).unwrap());
    let (positions, rows): (Vec<Value>, Vec<Value>) = lines.partition(|line: &Value| line.get("end_cursor").is_some());
    (ids(&rows), positions.last().map(|line| line["end_cursor"].as_str().unwrap().to_owned()).unwrap_or_default())
}

pub(crate) async fn an_export_resumes_where_it_ended(client: Client) {
    let select = "SELECT id FROM issues WHERE project_id = 1 AND state = 'open' ORDER BY created_at, id";
    let (rows, position) = export(&client, "state=open").await;
    assert_eq!(rows, client.select(select).await);

    // Nothing is new.
    let (rows, position) = export(&client, &format!("state=open&cursor={position}")).await;
    assert_eq!((rows.len(), position.is_empty()), (0, false));
    // One issue is older than five seconds, and one was created just now: its transaction may not be the last.
    let settled = client.insert("Settled", TimeDelta::seconds(-60)).await;
    let young = client.insert("Young", TimeDelta::seconds(60)).await;
    let (rows, position) = export(&client, &format!("state=open&cursor={position}")).await;
    assert_eq!(rows, [settled]);
    assert!(young > settled && export(&client, &format!("cursor={position}")).await.0.is_empty());
}

pub(crate) async fn a_client_polls_for_new_issues(client: Client) {
    let page = client.get("/projects/atlas/feed?state=open&per_page=5").await;
    let seen = page["start_cursor"].as_str().unwrap();
    let new = async || client.get(&format!("/projects/atlas/new?state=open&cursor={seen}")).await;
    assert_eq!(new().await, json!({ "issues": 0, "has_more": false }));

    let ids_of_new = [client.insert("One", TimeDelta::zero()).await, client.insert("Two", TimeDelta::seconds(1)).await];
    assert_eq!(new().await, json!({ "issues": 2, "has_more": false }));
    let page = client
        .get(&format!("/projects/atlas/feed?state=open&cursor={}", page["prev_cursor"].as_str().unwrap_or(seen)))
        .await;
    assert_eq!(ids(page["data"].as_array().unwrap()), [ids_of_new[1], ids_of_new[0]]);
    for second in 2..=100 {
        client.insert("Many", TimeDelta::seconds(second)).await;
    }
    assert_eq!(new().await, json!({ "issues": 100, "has_more": true }));
    // A filter applies to the new issues, too.
    let closed = client.get(&format!("/projects/atlas/new?state=closed&cursor={seen}")).await;
    assert_eq!(closed["issues"], 0);
}

pub(crate) async fn a_link_leads_to_an_issue_in_its_list(client: Client) {
    for (sort, select) in SORTED {
        let all = client.select(select).await;
        for at in [0, 3, 30, 59] {
            let uri = format!("/projects/atlas/issues/{}?sort={sort}", all[at]);
            let around = client.get(&uri).await;
            let expected = &all[at.saturating_sub(7)..(at + 8).min(60)];
            assert_eq!(ids(around["data"].as_array().unwrap()), expected, "{uri}");
            assert_eq!(around["index"], at.min(7), "{uri}");
            assert!(around["data"][0]["labels"].is_array());
            // Its links lead on in both directions.
            if let Some(next) = around["next_page_url"].as_str() {
                assert_eq!(ids(&client.walk(next).await), all[at + 8..], "{uri}");
            }
            if let Some(prev) = around["prev_page_url"].as_str() {
                let mut before = client.pages(prev, "prev_page_url").await;
                before.reverse();
                assert_eq!(ids(&before.concat()), all[..at - 7], "{uri}");
            }
        }
    }
    // An issue that the filters leave out, of another project, or of none.
    let closed = client.select("SELECT id FROM issues WHERE project_id = 1 AND state = 'closed'").await[0];
    for link in [format!("{closed}?state=open"), "21".to_owned(), "1201".to_owned()] {
        assert_eq!(client.send("GET", &format!("/projects/atlas/issues/{link}")).await.status, 404, "{link}");
    }
}

pub(crate) async fn a_timeline_begins_at_a_moment(client: Client) {
    let all = client.select(SORTED[0].1).await;
    let uri = |at: &str| format!("/projects/atlas/timeline?at={at}");
    let around = client.get(&uri("2025-01-03T00:00:00Z")).await;
    let index = usize::try_from(around["index"].as_u64().unwrap()).unwrap();
    let first = around["data"][index]["created_at"].as_str().unwrap();
    let before = around["data"][index - 1]["created_at"].as_str().unwrap();
    assert!(before < "2025-01-03T00:00:00Z" && first >= "2025-01-03T00:00:00Z", "{before} {first}");
    let found = ids(around["data"].as_array().unwrap());
    assert!(all.windows(found.len()).any(|rows| rows == found), "{found:?}");

    assert_eq!(client.get(&uri("2024-01-01T00:00:00Z")).await["index"], 0);
    let end = client.get(&uri("2030-01-01T00:00:00Z")).await;
    assert_eq!((&end["index"], end["data"].as_array().unwrap().len()), (&Value::Null, 7));
}

pub(crate) async fn a_summary_counts_what_the_database_counts(client: Client) {
    let summary = client.get("/projects/atlas/summary").await;
    let count = async |filter: &'static str| client.select(filter).await[0];
    let open = count("SELECT COUNT(*) FROM issues WHERE project_id = 1 AND state = 'open'").await;
    let closed = 60 - open;
    let facet = |value: &str, issues: i64| json!({ "value": value, "issues": issues });
    assert_eq!(summary["issues"], 60);
    assert_eq!(summary["states"], json!([facet("closed", closed), facet("open", open)]));
    assert_eq!(summary["has_urgent"], true);
    assert_eq!(summary["first"]["id"], client.select(SORTED[1].1).await[0]);

    // A facet leaves out its own filter, and keeps the others.
    let summary = client.get("/projects/atlas/summary?state=open&priority=low").await;
    let low = count("SELECT COUNT(*) FROM issues WHERE project_id = 1 AND priority = 1 AND state = 'open'").await;
    assert_eq!((&summary["issues"], &summary["has_urgent"]), (&json!(low), &json!(false)));
    let priorities = summary["priorities"].as_array().unwrap();
    assert!(priorities.len() > 1 && priorities.contains(&facet("low", low)), "{priorities:?}");
    let issues: i64 = priorities.iter().map(|facet| facet["issues"].as_i64().unwrap()).sum();
    assert_eq!(issues, open);
    assert_eq!(client.get("/projects/atlas/summary?q=nothing").await["first"], Value::Null);
}

pub(crate) async fn the_feed_loses_no_issue_while_others_are_reported(client: Client) {
    let newest = "SELECT id FROM issues WHERE project_id = 1 ORDER BY created_at DESC, id DESC";
    let walked = Walk::over(client.select(newest).await)
        .between_pages(async |_: &[i64]| {
            client.insert("Reported meanwhile", TimeDelta::zero()).await;
        })
        .both_ways()
        .run(async |cursor: Option<String>| {
            let position = cursor.map_or_else(String::new, |cursor| format!("&cursor={cursor}"));
            let page = client.get(&format!("/projects/atlas/feed?per_page=7{position}")).await;
            let page: CursorPaginator<Value> = serde_json::from_value(page).unwrap();
            Ok(page.map(|issue| issue["id"].as_i64().unwrap()))
        })
        .await
        .unwrap();
    assert!(walked.forwards.len() >= 9 && walked.backwards.len() >= 9, "{walked:?}");
}
