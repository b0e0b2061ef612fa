//! What the compiler says of a feature of folio that is used and not enabled: one in each file of `fail`.
//!
//! trybuild builds each package's cases by themselves, so this one's have folio without what the workspace enables.

use folio_ui_tests::words_are_those_of_the_compiler;

#[test]
fn ui() {
    if words_are_those_of_the_compiler() {
        trybuild::TestCases::new().compile_fail("fail/*.rs");
    }
}
