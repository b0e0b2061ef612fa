//! What the compiler says of a feature of folio that is used and not enabled: one in each file of `fail`.
//!
//! trybuild builds each package's cases by themselves, so this one's have folio without what the workspace enables.

use folio_ui_tests::compares_messages;

#[test]
fn ui() {
    if compares_messages() {
        trybuild::TestCases::new().compile_fail("fail/*.rs");
    }
}
