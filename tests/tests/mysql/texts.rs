//! Texts that MySQL and MariaDB sort differently than they compare, or send differently than they store.

use std::collections::BTreeSet;

use folio::{Builder, Column, Folio, FrameworkError, Key, Keyring, Pagination, Result};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sea_query::Query;
use sqlx::mysql::{MySqlPool, MySqlPoolOptions};

use crate::server;
use crate::suite::db;
use crate::values::Table;
use crate::values::models::keyed;

keyed! {
    OfString: String = "v";
    OfBytes: Vec<u8> = "v";
    MaybeString: Option<String> = "v desc nulls first";
}

async fn table(declared: &str, values: &[impl AsRef<str>]) -> Table {
    // An index over texts of unlimited length covers a prefix.
    let index = if declared.contains("BLOB") || declared.contains("TEXT") { "v(20), id" } else { "v, id" };
    Table::new(server::pool(1).await, declared, index, values).await
}

/// Whether the server is MariaDB, which has other collations.
async fn is_mariadb() -> bool {
    let pool = server::pool(1).await;
    let version: String = sqlx::query_scalar("SELECT VERSION()").fetch_one(&pool).await.unwrap();
    version.contains("MariaDB")
}

/// Characters below and above the space, which pads a CHAR.
const CONTROLS: [&str; 10] =
    ["''", "'a'", "'a\t'", "'a\t\t'", "'a b'", "'\n'", "'\u{1}'", "'a\u{1f}b'", "'A'", "'a\u{1}\t'"];

/// A collation compares texts, however they are read.
#[tokio::test]
async fn ties_are_found_as_the_database_compares_texts_that_are_read_as_bytes() {
    let (folio, _pool) = db::folio(
        "CREATE TABLE words (word VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL); \
         INSERT INTO words VALUES ('a'), ('A'), ('b')",
    )
    .await;
    let select = Query::select().column("word").from("words").take();
    let page = Pagination::cursor::<(Vec<u8>,)>(select, None, 1, Column::<Vec<u8>>::new("word"));
    let error = folio.scope(page).await.unwrap_err().to_string();
    assert!(error.contains("rows tie in the cursor order (word)"), "{error}");
}

#[tokio::test]
async fn a_char_without_padding_in_its_collation_is_refused() {
    if !is_mariadb().await {
        return;
    }
    for (charset, collation) in [
        ("latin1", "latin1_nopad_bin"),
        ("latin1", "latin1_swedish_nopad_ci"),
        ("ascii", "ascii_nopad_bin"),
        ("utf8mb4", "utf8mb4_nopad_bin"),
        ("utf8mb4", "utf8mb4_unicode_520_nopad_ci"),
    ] {
        let kind = format!("CHARACTER SET {charset} COLLATE {collation}");
        let column = table(&format!("CHAR(6) {kind} NOT NULL"), &CONTROLS).await;
        column.refuses::<OfString>(&["VARCHAR", collation]).await;
        column.refuses::<OfBytes>(&["VARCHAR", collation]).await;
        table(&format!("CHAR(6) {kind}"), &CONTROLS).await.refuses::<MaybeString>(&["VARCHAR", collation]).await;
        table(&format!("VARCHAR(6) {kind} NOT NULL"), &CONTROLS).await.walks::<OfString>().await;
        table(&format!("TEXT {kind} NOT NULL"), &CONTROLS).await.walks::<OfString>().await;
    }
    // With padding in the collation as well.
    for collation in ["latin1_bin", "latin1_swedish_ci"] {
        let declared = format!("CHAR(6) CHARACTER SET latin1 COLLATE {collation} NOT NULL");
        table(&declared, &CONTROLS).await.walks::<OfString>().await;
    }
}

/// They are compared on all levels, and sorted on as many as fit the sort key.
#[tokio::test]
async fn collations_of_several_levels_are_refused() {
    if !is_mariadb().await {
        return;
    }
    let words = ["'a'", "'A'", "'á'", "'Á'", "'b'", "'aB'"];
    for collation in ["utf8mb4_uca1400_as_cs", "utf8mb4_uca1400_as_ci", "utf8mb4_uca1400_ai_cs", "utf8mb4_thai_520_w2"]
    {
        let declared = format!("VARCHAR(50) CHARACTER SET utf8mb4 COLLATE {collation} NOT NULL");
        table(&declared, &words).await.refuses::<OfString>(&[collation, "utf8mb4_bin"]).await;
    }
    let declared = "VARCHAR(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_ai_ci NOT NULL";
    table(declared, &words).await.walks::<OfString>().await;
    for collation in ["latin2_czech_cs", "latin7_general_ci"] {
        let charset = collation.split('_').next().unwrap();
        let declared = format!("VARCHAR(50) CHARACTER SET {charset} COLLATE {collation} NOT NULL");
        table(&declared, &["'a'", "'b'"]).await.refuses::<OfString>(&[collation]).await;
    }
}

/// Single bytes, one for each row.
fn bytes() -> Vec<String> {
    (0x35..=0xff).map(|byte| format!("x'{byte:02x}'")).collect()
}

/// The rows are right up to the first value that was converted.
#[tokio::test]
async fn a_text_that_lost_a_character_is_refused() {
    if !is_mariadb().await {
        return;
    }
    for declared in ["VARCHAR(6) CHARACTER SET ascii NOT NULL", "TEXT CHARACTER SET ascii NOT NULL"] {
        table(declared, &bytes()).await.meets::<OfString>(&["utf8mb4"]).await;
    }
    table("VARCHAR(6) CHARACTER SET hebrew NOT NULL", &bytes()).await.meets::<OfString>(&["utf8mb4"]).await;
    for charset in ["latin1", "latin2", "cp850", "koi8r"] {
        table(&format!("VARCHAR(6) CHARACTER SET {charset} NOT NULL"), &bytes()).await.walks::<OfString>().await;
    }
    // A question mark that the column stores is right.
    let texts = ["'?'", "'a?'", "'??'", "'a-b.c'", "'b'"];
    table("VARCHAR(6) CHARACTER SET ascii NOT NULL", &texts).await.walks::<OfString>().await;
    table("VARCHAR(6) CHARACTER SET hebrew", &["'?'", "'a.b'", "NULL"]).await.walks::<MaybeString>().await;
}

/// Sorting without an index uses the first 1,024 bytes, unless the session sets another limit.
#[tokio::test]
async fn texts_that_are_too_long_to_sort_are_refused() {
    let values: Vec<String> =
        ["d", "a", "c", "b"].iter().map(|end| format!("CONCAT(REPEAT('a', 300), '{end}')")).collect();
    for declared in
        ["TEXT CHARACTER SET utf8mb4 NOT NULL", "VARCHAR(600) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL"]
    {
        table(declared, &values).await.refuses::<OfString>(&["max_sort_length", "254"]).await;
    }
    table("TEXT CHARACTER SET latin1 NOT NULL", &values).await.walks::<OfString>().await;
    let opened = MySqlPoolOptions::new().max_connections(1).after_connect(|connection, _| {
        let raise = sqlx::raw_sql("SET max_sort_length = 8192");
        Box::pin(async move { raise.execute(connection).await.map(|_| ()) })
    });
    let pool = opened.connect_with((*server::pool(1).await.connect_options()).clone()).await.unwrap();
    let raised = Table::new(pool, "TEXT CHARACTER SET utf8mb4 NOT NULL", "v(20), id", &values).await;
    raised.walks::<OfString>().await;
}

/// Addresses are sent as texts, but are not stored as texts.
#[tokio::test]
async fn addresses_of_mariadb() {
    if !is_mariadb().await {
        return;
    }
    let addresses = ["'::1'", "'fe80::1'", "'2001:db8::ff00:42:8329'", "'::'", "'a::'"];
    table("INET6 NOT NULL", &addresses).await.walks::<OfString>().await;
    table("INET4 NOT NULL", &["'10.0.0.1'", "'9.0.0.1'", "'127.0.0.1'"]).await.walks::<OfString>().await;
}

/// A table of random texts.
#[derive(Debug)]
struct Case {
    kind: &'static str,
    collation: &'static str,
    indexed: bool,
    /// The bytes of each value, in the column's own character set.
    values: Vec<Vec<u8>>,
    per_page: u64,
}

const COLLATIONS: [&str; 12] = [
    "latin1_swedish_ci",
    "latin1_bin",
    "latin1_german2_ci",
    "latin1_nopad_bin",
    "ascii_general_ci",
    "ascii_bin",
    "utf8mb4_general_ci",
    "utf8mb4_bin",
    "utf8mb4_unicode_520_ci",
    "utf8mb4_general_nopad_ci",
    "utf8mb4_nopad_bin",
    "cp1251_general_ci",
];

fn case() -> impl Strategy<Value = Case> {
    let kind = prop::sample::select(vec!["VARCHAR(6)", "CHAR(6)", "TEXT"]);
    let collation = prop::sample::select(COLLATIONS.to_vec());
    let character = prop::sample::select("\u{1}\t\n\u{1f}  !-?Aaabáß~\u{7f}\u{80}\u{ff}".chars().collect::<Vec<_>>());
    let texts = prop::collection::vec(prop::collection::vec(character, 0..4), 1..30);
    (kind, collation, any::<bool>(), texts, 1..4_u64).prop_map(|(kind, collation, indexed, texts, per_page)| {
        let wide = collation.starts_with("utf8");
        let bytes = |text: Vec<char>| {
            let narrow = |c: &char| u8::try_from(u32::from(*c)).unwrap();
            if wide { text.iter().collect::<String>().into_bytes() } else { text.iter().map(narrow).collect() }
        };
        Case { kind, collation, indexed, values: texts.into_iter().map(bytes).collect(), per_page }
    })
}

impl Case {
    async fn fill(&self, pool: &MySqlPool) {
        let Self { kind, collation, .. } = self;
        let charset = collation.split('_').next().unwrap();
        let row = |(row, value): (usize, &Vec<u8>)| {
            let hex: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("({}, x'{hex}')", (row * 7_919) % 10_007)
        };
        let rows: Vec<String> = self.values.iter().enumerate().map(row).collect();
        db::run(pool, "DROP TABLE IF EXISTS t").await;
        let declared = format!("{kind} CHARACTER SET {charset} COLLATE {collation} NOT NULL");
        db::run(pool, format!("CREATE TABLE t (id BIGINT PRIMARY KEY, v {declared})")).await;
        db::run(pool, format!("INSERT INTO t VALUES {}", rows.join(", "))).await;
        if self.indexed {
            let column = if *kind == "TEXT" { "v(20)" } else { "v" };
            db::run(pool, format!("CREATE INDEX t_v ON t ({column}, id)")).await;
        }
    }

    /// All ids on the way to the end, and all on the way back.
    async fn walked(&self) -> Result<[Vec<i64>; 2]> {
        let mut ways = [Vec::new(), Vec::new()];
        let page = async |cursor: Option<String>| {
            Builder::<OfString>::new().cursor(cursor.as_deref()).cursor_paginate(self.per_page).await
        };
        let mut at = page(None).await?;
        loop {
            ways[0].extend(at.data.iter().map(|row| row.id));
            assert!(ways[0].len() <= self.values.len(), "the walk goes in circles");
            match at.next_cursor {
                Some(next) => at = page(Some(next)).await?,
                None => break,
            }
        }
        loop {
            ways[1].splice(0..0, at.data.iter().map(|row| row.id));
            assert!(ways[1].len() <= self.values.len(), "the walk back goes in circles");
            match at.prev_cursor {
                Some(prev) => at = page(Some(prev)).await?,
                None => break,
            }
        }
        Ok(ways)
    }
}

#[test]
fn random_texts_are_walked_or_refused() {
    let runtime = db::runtime();
    let (mariadb, pool) = runtime.block_on(async { (is_mariadb().await, server::pool(1).await) });
    if !mariadb {
        return;
    }
    let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
    let (right, refused) = (std::cell::Cell::new(0), std::cell::RefCell::new(BTreeSet::new()));
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(160);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let checked = TestRunner::new(config).run(&case(), |case| {
        runtime.block_on(async {
            case.fill(&pool).await;
            let order = "SELECT id FROM t ORDER BY v, id";
            let sorted: Vec<i64> = sqlx::query_scalar(order).fetch_all(&pool).await.unwrap();
            match folio.scope(case.walked()).await {
                Ok(ways) => {
                    assert_eq!(ways, [sorted.clone(), sorted]);
                    right.set(right.get() + 1);
                }
                Err(FrameworkError::Database(error)) => {
                    assert!(error.to_string().contains("\"v\""), "{error}");
                    refused.borrow_mut().insert((case.kind, case.collation));
                }
                Err(error) => panic!("{error:?}"),
            }
        });
        Ok(())
    });
    checked.unwrap();
    let refused = refused.into_inner();
    assert!(right.get() * 2 > cases, "{} of {cases} walks are right; refused: {refused:?}", right.get());
    let may_be = |(kind, collation): &&(&str, &str)| {
        *kind == "CHAR(6)" && collation.contains("nopad")
            || collation.starts_with("ascii")
            || collation.starts_with("cp1251")
    };
    assert_eq!(refused.iter().find(|column| !may_be(column)), None);
}
