//! Sorts, fields, includes and windows that no front end sends: each is refused under the name of its parameter.

use serde_json::{Value, json};

use crate::hostile::{NOISE, json_of};
use crate::service::{Service, example};

const SORT: &str = concat!(
    r#"{"message":"`sort` takes `id`, `name`, `section`, `dependencies`: each at most once, separated by commas, "#,
    r#"with `-` before it to reverse it","parameter":"sort","allowed":["id","name","section","dependencies"]}"#
);

/// Checks that a query is refused under the name of this parameter.
async fn check_refused(service: &Service, path: &str, query: &str, parameter: &str) {
    let asked = format!("{path}?{query}");
    let (status, body) = service.get_raw(asked.as_bytes()).await;
    let body = json_of(path, &asked, &body);
    let source = &body["errors"][0]["source"];
    assert_eq!((status, source), (400, &json!({ "parameter": parameter })), "{query:.200}");
}

#[tokio::test]
async fn a_hostile_sort_is_refused_under_its_name() {
    let service = example(20).await;
    let names = [
        "password",
        "-",
        "--name",
        "name,",
        ",name",
        "name,,id",
        "name,name",
        "name,-name",
        "+name",
        "name+",
        "name%20desc",
        "NAME",
        "%6Eame%00",
        "n%C3%A0me",
        "name;DROP",
        "packages.name",
        "%60name%60",
        "%22name%22",
        "1",
        "(SELECT+1)",
        "id,name,section,dependencies,id",
        "%2D%2Dname",
        "name%2C",
        "%EF%BD%8Eame",
    ];
    for name in names.into_iter().chain(NOISE.into_iter().filter(|noise| !noise.contains([' ', '&']))) {
        for path in ["/packages", "/packages/simple", "/packages/cursor"] {
            let (status, body) = service.get_raw(format!("{path}?per_page=5&sort={name}").as_bytes()).await;
            assert_eq!((status, body.as_str()), (400, SORT), "{path}, {name}");
        }
        for path in ["/api/packages", "/api/packages/simple", "/api/packages/cursor", "/api/packages/window"] {
            let (status, body) = service.get_raw(format!("{path}?sort={name}").as_bytes()).await;
            let body: Value = serde_json::from_str(&body).unwrap();
            assert_eq!(
                (status, &body["errors"][0]["source"]),
                (400, &json!({ "parameter": "sort" })),
                "{path}, {name}"
            );
        }
    }
    for repeated in ["name,", "-", "a", "%2C", "-name,id,"] {
        let (status, _) = service.get_raw(format!("/packages?sort={}", repeated.repeat(12_000)).as_bytes()).await;
        assert!(matches!(status, 0 | 400 | 414 | 431), "{repeated}: {status}");
    }
}

#[tokio::test]
async fn hostile_fields_and_includes_are_refused_under_their_name() {
    let service = example(20).await;
    let path = "/api/packages/simple";
    let refused = async |query: &str, parameter: &str| check_refused(&service, path, query, parameter).await;
    for noise in NOISE.into_iter().filter(|noise| !noise.contains([' ', '&'])) {
        for list in
            [noise.to_owned(), format!("section,{noise}"), format!("{noise},section"), format!("section.{noise}")]
        {
            refused(&format!("include={list}"), "include").await;
            refused(&format!("fields[packages]={list}"), "fields[packages]").await;
            refused(&format!("fields%5Bsections%5D={list}"), "fields[sections]").await;
        }
    }
    for (name, parameter) in [
        ("fields", "fields"),
        ("fields[]", "fields[]"),
        ("fields[[packages]]", "fields[[packages]]"),
        ("fields[packages][]", "fields[packages][]"),
        ("fields[packages", "fields[packages"),
        ("fields%5B%00%5D", "fields[\0]"),
        ("fields%5B%FF%5D", "fields[\u{FFFD}]"),
        ("fields[%22%0d%0a]", "fields[\"\r\n]"),
        ("fields[__proto__]", "fields[__proto__]"),
    ] {
        refused(&format!("{name}=name"), parameter).await;
    }
    for unit in ["include=section&", "fields[packages]=name&", "fields[packages]=,", "fields[", "include=a.", "name,"] {
        for size in [1_000, 60_000, 70_000, 500_000] {
            for start in ["", "include=", "fields[packages]="] {
                let asked = format!("{path}?{start}{}", unit.repeat(size / unit.len()));
                let (status, body) = service.get_raw(asked.as_bytes()).await;
                let refused = if size < 65_536 { status == 400 } else { matches!(status, 0 | 400 | 414 | 431) };
                assert!(status == 200 || refused, "{start}{unit} to {size}: {status} {body:.200}");
            }
        }
    }
}

/// Each parameter of a window is refused under its own name, whatever the others are.
#[tokio::test]
async fn a_hostile_window_is_refused_under_its_parameter() {
    let service = example(20).await;
    let path = "/api/packages/window";
    let first: Value = serde_json::from_str(&service.get(&format!("{path}?page[size]=5")).await.text).unwrap();
    let cursor = first["data"][4]["meta"]["page"]["cursor"].as_str().unwrap();
    let refused = async |query: &str, parameter: &str| check_refused(&service, path, query, parameter).await;
    let altered = [&cursor[1..], &format!("{cursor}A"), &format!("{cursor}="), &cursor.to_uppercase(), "", "%00"];
    for noise in NOISE.into_iter().filter(|noise| !noise.contains([' ', '&'])).chain(altered) {
        refused(&format!("page[after]={noise}"), "page[after]").await;
        refused(&format!("page[before]={noise}"), "page[before]").await;
        refused(&format!("page[after]={cursor}&page[before]={noise}"), "page[before]").await;
        refused(&format!("page[after]={noise}&page[before]={cursor}"), "page[after]").await;
        refused(&format!("page[after]={noise}&page[before]={noise}&page[size]=101"), "page[size]").await;
        refused(&format!("page[after]={cursor}&page[size]={noise}"), "page[size]").await;
        refused(&format!("page[after]={cursor}&page%5Bafter%5D={noise}"), "page[after]").await;
    }
    let long = "A".repeat(50_000);
    refused(&format!("page[before]={long}"), "page[before]").await;
    refused(&format!("page[size]={}", "9".repeat(50_000)), "page[size]").await;
    // A cursor of another order.
    refused(&format!("sort=name&page[before]={cursor}"), "page[before]").await;
    // Parameters that the profile does not have are not read.
    for other in ["page", "page[]", "page[number]", "page[cursor]", "page[after][]", "page[[size]]", "PAGE[SIZE]"] {
        assert_eq!(service.get_raw(format!("{path}?{other}=-1").as_bytes()).await.0, 200, "{other}");
    }
}
