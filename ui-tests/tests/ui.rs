//! What the compiler says: one mistake a file in `fail`, and in `pass` the places that a derive must not stumble over.
//!
//! `TRYBUILD=overwrite cargo test -p folio-ui-tests` writes the messages anew; read each line of the difference.

use std::process::Command;

/// The compiler whose words stand in `fail/*.stderr`. Each version words some of its own errors anew, so with another
/// one the mistakes are left out here; the derive's own messages are tested in its crate, with every compiler.
const WRITTEN_WITH: &str = "rustc 1.95.";

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    let compiler = std::env::var("RUSTC").unwrap_or("rustc".to_owned());
    let version = Command::new(compiler).arg("--version").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    if version.starts_with(WRITTEN_WITH) {
        cases.compile_fail("fail/*.rs");
    } else {
        eprintln!("the messages were written with {WRITTEN_WITH}x and are not compared with those of {version}");
    }
}
