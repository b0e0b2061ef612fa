//! What the test targets here and in `features` have in common.

use std::process::Command;

/// The compiler whose messages are in `fail/*.stderr`. Each version words some of its own errors differently.
const WRITTEN_WITH: &str = "rustc 1.95.";

/// If this variable is set, the messages are not compared where the compiler is another one.
const SKIP: &str = "FOLIO_SKIP_UI";

/// Whether to compare the compiler's messages with `fail/*.stderr`: always, unless `FOLIO_SKIP_UI` is set and the compiler is
/// not the one that they were written with.
///
/// # Panics
/// If the compiler is another one, unless `FOLIO_SKIP_UI` is set or trybuild is asked to write the messages again.
#[must_use]
pub fn compares_messages() -> bool {
    let compiler = std::env::var("RUSTC").unwrap_or("rustc".to_owned());
    let version = Command::new(compiler).arg("--version").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    let is_set = |name| std::env::var_os(name).is_some();
    if version.starts_with(WRITTEN_WITH) || is_set("TRYBUILD") {
        return true;
    }
    assert!(
        is_set(SKIP),
        "the messages in `fail/*.stderr` were written with {WRITTEN_WITH}x, and this is {version}Run `TRYBUILD=overwrite \
         cargo test -p folio-ui-tests -p folio-ui-tests-features`, read the difference, and put the new version into \
         WRITTEN_WITH in ui-tests/src/lib.rs. Or set {SKIP} to leave the comparison out"
    );
    eprintln!("skipped: {SKIP} is set, and the messages were written with {WRITTEN_WITH}x, not with {version}");
    false
}
