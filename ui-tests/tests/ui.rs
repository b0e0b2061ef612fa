//! What the compiler says: one mistake a file in `fail`, and in `pass` the places that a derive must not stumble over.
//!
//! `TRYBUILD=overwrite cargo test -p folio-ui-tests` writes the messages anew; read each line of the difference.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/*.rs");
    cases.pass("pass/*.rs");
}
