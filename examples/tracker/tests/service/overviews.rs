//! The lists that join and count.

use crate::client::{Client, ids};

pub(crate) async fn the_newest_issues_carry_their_authors(client: Client) {
    let rows = client.walk("/issues?per_page=100").await;
    assert_eq!(ids(&rows), client.select("SELECT id FROM issues ORDER BY created_at DESC, id DESC").await);
    let by_ada: Vec<_> = rows.iter().filter(|row| row["author"] == "ada").cloned().collect();
    let select = "SELECT id FROM issues WHERE author_id = 1 ORDER BY created_at DESC, id DESC";
    assert_eq!(ids(&by_ada), client.select(select).await);
    assert_eq!(rows[0]["project"], "Atlas");
}

pub(crate) async fn discussions_count_comments(client: Client) {
    let rows = client.walk("/projects/atlas/discussions?per_page=8").await;
    let select = "SELECT id FROM issues WHERE project_id = 1 ORDER BY created_at DESC, id DESC";
    assert_eq!(ids(&rows), client.select(select).await);
    let counts: Vec<_> = rows.iter().map(|row| row["comments"].as_i64().unwrap()).collect();
    let select = "SELECT COUNT(comments.id) FROM issues LEFT JOIN comments ON issue_id = issues.id
        WHERE project_id = 1 GROUP BY issues.id, issues.created_at ORDER BY issues.created_at DESC, issues.id DESC";
    assert_eq!(counts, client.select(select).await);
    assert!(counts.contains(&60) && counts.contains(&0), "{counts:?}");
}
