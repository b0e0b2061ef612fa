//! Tokens: sealed values that open with their own key, purpose and scope only.

use std::collections::HashSet;

use folio::{CryptPurpose, Key, Keyring};
use folio_tests::cursors::{NEXT_OF_7, NOTES_BY_ID, PURPOSES, SCOPES, assert_refused, edits, is_refused_as};
use serde_json::Value as Json;

/// The unused bits of an incomplete last base64 group must be zero.
#[test]
fn a_token_of_any_length_has_one_spelling() {
    let keyring = Keyring::new(Key::generate());
    for length in 0..9 {
        let plaintext = vec![b' '; length];
        let token = keyring.seal(CryptPurpose::Cursor, &[b"list"], &plaintext).unwrap();
        let open = |text: &str| keyring.open(CryptPurpose::Cursor, &[b"list"], text);
        assert_eq!(open(&token).unwrap(), plaintext);
        edits(&token, |text| assert_refused(&open(text), text));
    }
}

#[test]
fn a_token_opens_for_its_own_purpose_and_scope_only() {
    let keyring = Keyring::new(Key::generate());
    let every = || PURPOSES.into_iter().flat_map(|purpose| SCOPES.map(|scope| (purpose, scope)));
    for (purpose, scope) in every() {
        let token = keyring.seal(purpose, scope, NEXT_OF_7).unwrap();
        for (other, elsewhere) in every() {
            let opened = keyring.open(other, elsewhere, &token);
            let case = format!("{purpose:?} {scope:?} as {other:?} {elsewhere:?}: {opened:?}");
            if (purpose, scope) == (other, elsewhere) {
                assert_eq!(opened.unwrap(), NEXT_OF_7, "{case}");
            } else if other == CryptPurpose::Cursor {
                assert_refused(&opened, &case);
            } else {
                assert!(is_refused_as(&opened, "Invalid sealed value"), "{case}");
            }
        }
    }
}

#[test]
fn sealing_twice_gives_different_tokens() {
    let keyring = Keyring::new(Key::generate());
    let tokens: HashSet<String> =
        (0..1_000).map(|_| keyring.seal(CryptPurpose::Cursor, &NOTES_BY_ID, NEXT_OF_7).unwrap()).collect();
    assert_eq!(tokens.len(), 1_000);
}

#[test]
fn old_tokens_still_open() {
    #[derive(serde::Deserialize)]
    struct Case {
        key: String,
        purpose: String,
        scope: Vec<String>,
        plaintext: String,
        token: String,
    }
    let file = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/data/known_answers.json")).unwrap();
    let mut file: Json = serde_json::from_str(&file).unwrap();
    let cases: Vec<Case> = serde_json::from_value(file["cases"].take()).unwrap();
    assert_eq!(cases.len(), 13);
    let mut purposes = HashSet::new();
    for Case { key, purpose, scope, plaintext, token } in cases {
        let label = |purpose: CryptPurpose| match purpose {
            CryptPurpose::Cursor => "cursor",
            CryptPurpose::Cookie => "cookie",
            CryptPurpose::TwoFactorSecret => "two-factor-secret",
            CryptPurpose::TwoFactorRecovery => "two-factor-recovery",
            _ => "cast",
        };
        let own = PURPOSES.into_iter().find(|known| label(*known) == purpose).unwrap();
        purposes.insert(own);
        let keyring = Keyring::new(Key::from_base64(&key).unwrap());
        let scope: Vec<&[u8]> = scope.iter().map(String::as_bytes).collect();
        assert_eq!(keyring.open(own, &scope, &token).unwrap(), plaintext.as_bytes(), "{token}");
        for other in PURPOSES.into_iter().filter(|other| *other != own) {
            assert_eq!(keyring.open(other, &scope, &token).unwrap_err().status(), 400, "{token} as {other:?}");
        }
        let longer: Vec<&[u8]> = scope.iter().copied().chain([b"more".as_slice()]).collect();
        let shorter: &[&[u8]] = scope.split_last().map_or(&[b""], |(_, shorter)| shorter);
        let elsewhere = [longer.as_slice(), shorter];
        for scope in elsewhere {
            assert_eq!(keyring.open(own, scope, &token).unwrap_err().status(), 400, "{token} in {scope:?}");
        }
        assert!(Keyring::new(Key::from_bytes([0; 32])).open(own, &scope, &token).is_err(), "another key");
    }
    assert_eq!(purposes.len(), PURPOSES.len());
}
