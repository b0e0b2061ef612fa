//! What the compiler says: one mistake a file in `fail`, and in `pass` the places that a derive must not stumble over.
//!
//! `TRYBUILD=overwrite cargo test -p folio-ui-tests` writes the messages anew; read each line of the difference.

use folio_ui_tests::words_are_those_of_the_compiler;

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    if words_are_those_of_the_compiler() {
        cases.compile_fail("fail/*.rs");
    }
}
