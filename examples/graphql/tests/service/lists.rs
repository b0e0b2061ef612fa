//! Connections, and those inside them.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::client::{Client, names};

/// A window of all packages.
const PACKAGES: &str = "
    query ($first: Int, $after: String, $last: Int, $before: String, $filter: PackageFilter, $orderBy: PackageOrder) {
        packages(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
            nodes { name }
            pageInfo { hasPreviousPage hasNextPage startCursor endCursor }
        }
    }";

/// The names of each window, from one end of the list to the other.
async fn walk(client: &Client, variables: Value, forwards: bool) -> Vec<Vec<String>> {
    let (rows, place, cursor, more) = match forwards {
        true => ("first", "after", "endCursor", "hasNextPage"),
        false => ("last", "before", "startCursor", "hasPreviousPage"),
    };
    let mut variables = variables;
    variables[rows] = json!(2);
    let mut windows = Vec::new();
    loop {
        let data = client.data(PACKAGES, variables.clone()).await;
        let packages = &data["packages"];
        windows.push(names(packages).into_iter().map(str::to_owned).collect());
        variables[place] = packages["pageInfo"][cursor].clone();
        if packages["pageInfo"][more] == false {
            return windows;
        }
        assert!(windows.len() < 9, "a window follows each window");
    }
}

#[tokio::test]
async fn windows_lead_from_one_end_to_the_other() {
    let client = Client::new().await;
    let dependencies = json!({ "orderBy": "DEPENDENCIES" });
    let forwards = walk(&client, dependencies.clone(), true).await;
    assert_eq!(forwards, [&["reversi", "vim"][..], &["mill", "chess"], &["curl", "wget"], &["go"]]);
    let backwards = walk(&client, dependencies, false).await;
    assert_eq!(backwards, [&["wget", "go"][..], &["chess", "curl"], &["vim", "mill"], &["reversi"]]);

    let games = json!({ "orderBy": "SIZE", "filter": { "section": "games" } });
    assert_eq!(walk(&client, games, true).await, [["reversi", "go"], ["chess", "mill"]]);
    let named = json!({ "orderBy": "NAME", "filter": { "name": "E" } });
    assert_eq!(walk(&client, named, true).await, [["chess", "reversi"].to_vec(), ["wget"].to_vec()]);
}

#[tokio::test]
async fn each_section_has_a_window_of_its_packages() {
    let client = Client::new().await;
    let query = "{ sections(last: 2) {
        totalCount
        nodes { name packages(first: 1, orderBy: NAME) { totalCount nodes { name } pageInfo { hasNextPage } } }
    } }";
    let section = |name: &str, rows: u64, first: &str| {
        let page_info = json!({ "hasNextPage": true });
        json!({ "name": name, "packages": { "totalCount": rows, "nodes": [{ "name": first }], "pageInfo": page_info } })
    };
    let sections = [section("games", 4, "chess"), section("web", 2, "curl")];
    let expected = json!({ "sections": { "totalCount": 3, "nodes": sections } });
    assert_eq!(client.data(query, json!({})).await, expected);

    let query = "query ($after: String) { section(name: \"games\") {
        packages(first: 3, after: $after, orderBy: NAME) { nodes { name } pageInfo { endCursor } }
    } }";
    let data = client.data(query, json!({})).await;
    let first = &data["section"]["packages"];
    assert_eq!(names(first), ["chess", "go", "mill"]);
    let data = client.data(query, json!({ "after": first["pageInfo"]["endCursor"] })).await;
    assert_eq!(names(&data["section"]["packages"]), ["reversi"]);

    let none = client.data("{ section(name: \"none\") { name } }", json!({})).await;
    assert_eq!(none, json!({ "section": null }));
}

#[tokio::test]
async fn the_schema_can_be_read() {
    let client = Client::new().await;
    let (status, schema) = client.send(Request::get("/schema.graphql").body(Body::empty()).unwrap()).await;
    assert_eq!(status, 200);
    let arguments = "(first: Int, after: String, last: Int, before: String, orderBy: PackageOrder! = DEPENDENCIES)";
    for part in [&format!("packages{arguments}: PackageConnection!"), "totalCount: Int", "type PackageEdge {"] {
        assert!(schema.contains(part), "no {part} in {schema}");
    }
    let introspection = client.data("{ __schema { types { name fields { name } } } }", json!({})).await;
    assert!(introspection["__schema"]["types"].as_array().unwrap().len() > 10);
}
