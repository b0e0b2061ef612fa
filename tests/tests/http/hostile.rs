//! Queries that no front end sends: the answer is a page or a 4xx, never a 5xx or the rows of another list.

use serde_json::Value;

use crate::service::{example, ids};

/// Parts of hostile queries.
const NOISE: [&str; 22] = [
    "'",
    "';DROP TABLE packages;--",
    "1 OR 1=1",
    "\\",
    "%",
    "%%",
    "%2",
    "%FF%FE",
    "%00",
    "%0d%0aset-cookie:a=b",
    "&&&&",
    "=",
    "==",
    "[]",
    "[$ne]=1",
    "?",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "../../etc/passwd",
    "%f0%9f%92%a9",
];

#[tokio::test]
async fn noise_anywhere_in_a_query_is_not_a_server_error() {
    let service = example(20).await;
    for path in ["/packages", "/packages/simple", "/packages/cursor", "/api/packages", "/api/packages/cursor"] {
        for noise in NOISE {
            for key in ["page", "per_page", "cursor", "section", "q", "page%5Bcursor%5D", "page%5Bsize%5D", noise] {
                let asked = format!("{path}?{key}={noise}");
                let (status, body) = service.get_raw(asked.as_bytes()).await;
                assert!(status == 200 || status == 400, "{asked}: {status} {body}");
                if status == 200 {
                    let page: Value = serde_json::from_str(&body).unwrap();
                    assert!(page["data"].as_array().unwrap().len() <= 20, "{asked}");
                }
            }
        }
    }
    // The table is unchanged.
    assert_eq!(service.get("/packages").await.json()["total"], 20);
}

#[tokio::test]
async fn a_pattern_is_matched_as_text() {
    let service = example(20).await;
    for (q, found) in [("ge-2", vec![2, 20]), ("%25", vec![]), ("_", vec![]), ("%5C", vec![]), ("", (1..=15).collect())]
    {
        assert_eq!(ids(&service.get(&format!("/packages?q={q}")).await.json()), found, "{q}");
    }
}

#[tokio::test]
async fn invalid_utf8_in_a_query_is_not_a_server_error() {
    let service = example(3).await;
    for bytes in [&b"\xFF\xFE"[..], b"\xC3\x28", b"a\x80", b"\x7F", b"<>\"{}|^`"] {
        for key in [&b"page="[..], b"cursor=", b"per_page=", b""] {
            let asked = [b"/packages?", key, bytes].concat();
            let (status, body) = service.get_raw(&asked).await;
            assert!(status == 200 || status == 400, "{asked:?}: {status} {body}");
        }
    }
}

#[tokio::test]
async fn an_oversized_query_is_answered_or_refused() {
    let service = example(3).await;
    for unit in ["page=1&", "&", "=", "%70age=2&", "cursor=&", "per_page=5&", "q=a&", "a", "%"] {
        // Up to the 64 KiB that a URI may have, and beyond.
        for size in [1_000, 60_000, 70_000, 500_000] {
            let asked = format!("/packages/cursor?{}", unit.repeat(size / unit.len()));
            let (status, body) = service.get_raw(asked.as_bytes()).await;
            let refused = if size < 65_536 { status == 400 } else { matches!(status, 0 | 400 | 414 | 431) };
            assert!(status == 200 || refused, "{unit} to {size}: {status} {body}");
        }
    }
    let long = "A".repeat(50_000);
    let (status, body) = service.get_raw(format!("/packages/cursor?cursor={long}").as_bytes()).await;
    assert_eq!((status, body.as_str()), (400, r#"{"message":"Invalid pagination cursor"}"#));
    let (status, _) = service.get_raw(format!("/packages?page={}", "9".repeat(50_000)).as_bytes()).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn every_other_spelling_of_a_cursor_is_refused() {
    let service = example(20).await;
    let page = service.get("/packages/cursor?per_page=5").await.json();
    let cursor = page["next_cursor"].as_str().unwrap();
    let refused = async |text: &str| {
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let answer = service.get(&format!("/packages/cursor?per_page=5&cursor={encoded}")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.text.as_str()),
            (400, r#"{"message":"Invalid pagination cursor"}"#),
            "{text}"
        );
    };
    for place in 0..cursor.len() {
        let other = if &cursor[place..=place] == "A" { "B" } else { "A" };
        refused(&format!("{}{other}{}", &cursor[..place], &cursor[place + 1..])).await;
    }
    for text in [
        format!("{cursor}="),
        format!("{cursor}A"),
        format!(" {cursor}"),
        format!("{cursor}\n"),
        cursor[1..].to_owned(),
        cursor[..cursor.len() - 1].to_owned(),
        cursor.to_uppercase(),
        format!("{cursor}{cursor}"),
    ] {
        refused(&text).await;
    }
    // Another route to the same list accepts it: a cursor is bound to the table and the key.
    let other = service.get(&format!("/api/packages/cursor?page[size]=5&page[cursor]={cursor}")).await;
    assert_eq!(other.status, 200);
}
