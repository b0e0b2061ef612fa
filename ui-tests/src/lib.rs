//! What the test targets here and in `features` have in common.

use std::process::Command;

/// The compiler whose words stand in `fail/*.stderr`. Each version words some of its own errors anew, so with another
/// one the mistakes are left out; the derive's own messages are tested in its crate, with every compiler.
const WRITTEN_WITH: &str = "rustc 1.95.";

/// Whether the compiler words its errors as they stand in `fail/*.stderr`.
///
/// # Panics
/// Where there is no compiler.
#[must_use]
pub fn words_are_those_of_the_compiler() -> bool {
    let compiler = std::env::var("RUSTC").unwrap_or("rustc".to_owned());
    let version = Command::new(compiler).arg("--version").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    let same = version.starts_with(WRITTEN_WITH);
    if !same {
        eprintln!("the messages were written with {WRITTEN_WITH}x and are not compared with those of {version}");
    }
    same
}
