//! What the compiler says: one mistake a file in `fail`, and in `pass` the places that a derive must not stumble over.
//!
//! `TRYBUILD=overwrite cargo test -p folio-ui-tests` writes the messages again; read each line of the difference.

use folio_ui_tests::compares_messages;

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    if compares_messages() {
        cases.compile_fail("fail/*.rs");
    }
}
