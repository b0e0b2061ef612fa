//! SQL text of a caller. The tokens cover the text, a text that is accepted cannot end the parentheses that are written
//! around it, and SQLite takes it for one statement that only reads.

#![no_main]

use std::ffi::{CString, c_char, c_int};
use std::ptr;

use folio::fuzzing::{self, DIALECTS};
use libfuzzer_sys::fuzz_target;
use libsqlite3_sys as sqlite;

const BEFORE: &str = "SELECT * FROM (";
const AFTER: &str = "\n) AS folio_source";

/// Whether a text between two tokens is spaces and comments.
fn is_blank(text: &str) -> bool {
    let is_space = |c: char| c.is_ascii_whitespace() || c == '\u{b}';
    let text = text.trim_start_matches(is_space);
    text.is_empty() || ["--", "#", "/*"].iter().any(|begin| text.starts_with(begin))
}

/// The tokens of a text: in order, with nothing but spaces and comments between them.
fn check_tokens(dialect: &str, sql: &str) {
    let Some(tokens) = fuzzing::tokens(dialect, sql) else { return };
    let mut end = 0;
    for token in &tokens {
        assert!(token.range.start >= end && token.range.end > token.range.start, "{dialect}: {tokens:?}");
        assert!(is_blank(&sql[end..token.range.start]), "{dialect}: {tokens:?}");
        end = token.range.end;
    }
    assert!(is_blank(&sql[end..]), "{dialect}: {tokens:?}");
    // With parentheses around it, the text is one item, and what follows is outside of it.
    let wrapped = format!("{BEFORE}{sql}{AFTER}");
    let around = fuzzing::tokens(dialect, &wrapped).expect("a text that can be read alone");
    let inner: Vec<_> = around.iter().skip(4).take(tokens.len()).collect();
    assert_eq!(around.len(), tokens.len() + 7, "{dialect}: {around:?}");
    for (token, inner) in tokens.iter().zip(inner) {
        assert_eq!((token.depth + 1, token.range.start + BEFORE.len()), (inner.depth, inner.range.start), "{dialect}");
    }
    let last: Vec<_> = around.iter().rev().take(3).map(|token| (&wrapped[token.range.clone()], token.depth)).collect();
    assert_eq!(last, [("folio_source", 0), ("AS", 0), (")", 0)], "{dialect}");
}

/// A database in memory.
fn database() -> *mut sqlite::sqlite3 {
    struct Database(*mut sqlite::sqlite3);
    // SAFETY: the fuzzer calls the target on one thread.
    unsafe impl Send for Database {}
    unsafe impl Sync for Database {}
    static DATABASE: std::sync::LazyLock<Database> = std::sync::LazyLock::new(|| {
        let mut database = ptr::null_mut();
        let schema = c"CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT, score INTEGER);
                       CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)";
        // SAFETY: name and text are terminated, and the database is never closed.
        unsafe {
            assert_eq!(sqlite::sqlite3_open(c":memory:".as_ptr(), &mut database), sqlite::SQLITE_OK);
            let none = ptr::null_mut();
            assert_eq!(sqlite::sqlite3_exec(database, schema.as_ptr(), None, none, ptr::null_mut()), sqlite::SQLITE_OK);
        }
        Database(database)
    });
    DATABASE.0
}

/// Whether SQLite prepares a text: as the only statement in it, and one that only reads.
fn prepared(sql: &str) -> Option<bool> {
    let text = CString::new(sql).ok()?;
    let (mut statement, mut tail): (_, *const c_char) = (ptr::null_mut(), ptr::null());
    // SAFETY: the text is terminated and outlives the statement.
    unsafe {
        let length = c_int::try_from(text.as_bytes().len()).ok()?;
        let code = sqlite::sqlite3_prepare_v2(database(), text.as_ptr(), length, &mut statement, &mut tail);
        if code != sqlite::SQLITE_OK || statement.is_null() {
            return None;
        }
        let only = *tail == 0 && sqlite::sqlite3_stmt_readonly(statement) != 0;
        sqlite::sqlite3_finalize(statement);
        Some(only)
    }
}

fuzz_target!(|data: &[u8]| {
    let sql = String::from_utf8_lossy(data);
    for dialect in DIALECTS {
        fuzzing::shape(dialect, &sql);
        check_tokens(dialect, &sql);
        fuzzing::source(dialect, &sql);
    }
    // What folio accepts: if SQLite prepares the page, it also prepares the text alone.
    if fuzzing::source("sqlite", &sql)
        && let Some(only) = prepared(&format!("{BEFORE}{sql}{AFTER}"))
    {
        assert!(only, "several statements, or one that writes");
        // SQLite has parentheses around a select only inside a statement.
        let is_enclosed = fuzzing::tokens("sqlite", &sql).is_some_and(|tokens| sql[tokens[0].range.clone()] == *"(");
        assert!(is_enclosed || prepared(&sql) == Some(true), "the text ends the parentheses around it");
    }
});
