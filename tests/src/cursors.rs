//! Edits of cursors, and the errors of cursors that do not open.

use std::fmt::Debug;

use folio::{CryptPurpose, FrameworkError, Result};

/// Whether the result is a 400 with exactly this message.
pub fn is_refused_as<T>(result: &Result<T>, text: &str) -> bool {
    matches!(result, Err(FrameworkError::Domain { message, status_code: 400 }) if message == text)
}

/// Whether the result is the error that all invalid cursors have.
pub fn is_refused<T>(result: &Result<T>) -> bool {
    is_refused_as(result, "Invalid pagination cursor")
}

#[track_caller]
pub fn assert_refused<T: Debug>(result: &Result<T>, case: &str) {
    assert!(is_refused(result), "{case}: {result:?}");
}

#[track_caller]
pub fn assert_internal<T: Debug>(result: &Result<T>, case: &str) {
    assert!(
        matches!(result, Err(error @ FrameworkError::Internal { .. }) if error.status() == 500),
        "{case}: {result:?}"
    );
}

pub const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The characters that are inserted or replace others.
pub fn characters() -> impl Iterator<Item = char> {
    URL_SAFE
        .iter()
        .map(|byte| char::from(*byte))
        .chain(['=', '+', '/', ' ', '.', '%', '\0', '\n', '~', 'é', '\u{feff}'])
}

/// Every text that is one edit away from `token`, which is ASCII.
pub fn edits(token: &str, mut each: impl FnMut(&str)) {
    for at in 0..token.len() {
        let (before, after) = (&token[..at], &token[at + 1..]);
        for character in characters().filter(|character| !token[at..].starts_with(*character)) {
            each(&format!("{before}{character}{after}"));
        }
        each(&format!("{before}{after}"));
        each(before);
        if at > 0 {
            each(&token[at..]);
        }
    }
    for at in 0..=token.len() {
        for character in characters() {
            each(&format!("{}{character}{}", &token[..at], &token[at..]));
        }
    }
    for more in ["==", "===", "====", "A=", "AA==", "%3D", "%00", "\r\n"] {
        each(&format!("{token}{more}"));
    }
    each(&token.to_uppercase());
    each(&token.to_lowercase());
    each(&token.repeat(2));
    each(&token.chars().rev().collect::<String>());
}

pub const PURPOSES: [CryptPurpose; 5] = [
    CryptPurpose::Cursor,
    CryptPurpose::Cookie,
    CryptPurpose::TwoFactorSecret,
    CryptPurpose::TwoFactorRecovery,
    CryptPurpose::Cast,
];

/// The scope of the cursors of `Note` in its own order.
pub const NOTES_BY_ID: [&[u8]; 5] = [b"notes", b"id", b"BigInt", b"asc", b"not null"];

pub const NEXT_OF_7: &[u8] = br#"["next",["BigInt",7]]   "#;

/// Scopes that are easily confused.
pub const SCOPES: [&[&[u8]]; 10] = [
    &NOTES_BY_ID,
    &[],
    &[b""],
    &[b"", b""],
    &[b"notes"],
    &[b"notesid"],
    &[b"notes", b"id"],
    &[b"note", b"sid"],
    &[b"id", b"notes"],
    &[b"notes", b"id", b""],
];
