//! What the compiler says about mistakes: one mistake a file, in `fail` and in `features/fail`, and the compiler's words
//! in the `.stderr` file beside it.
//!
//! trybuild compiles the cases. With the compiler of [`WRITTEN_WITH`], it compares the whole output. Each version words
//! and draws some of its own messages differently, so with another one each case has to be refused, at the same lines,
//! with folio's own sentences.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the `.stderr` files; read each line of the difference.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The compiler whose messages the `.stderr` files have.
const WRITTEN_WITH: &str = "1.95";

/// If set, the version that the compiler is taken for.
const PRETEND: &str = "FOLIO_UI_RUSTC";

/// Each has cases in its folder `fail`, which are compiled with its dependencies.
const PACKAGES: [&str; 2] = [env!("CARGO_MANIFEST_DIR"), concat!(env!("CARGO_MANIFEST_DIR"), "/features")];

/// The cases that [`run_trybuild`] compiles.
const CASES: &str = "FOLIO_UI_CASES";

#[test]
fn mistakes() {
    let compiler = env::var(PRETEND).unwrap_or_else(|_| compiler_version());
    let is_recorded = compiler.starts_with(&format!("{WRITTEN_WITH}."));
    let is_blessed = env::var("TRYBUILD").is_ok_and(|mode| mode == "overwrite");
    for package in PACKAGES.map(Path::new) {
        let fail = package.join("fail");
        let cases = stems(&fail, "rs");
        let count = cases.len();
        if is_blessed {
            say(&format!("rustc {compiler}: the messages of {count} cases are written"));
        } else if is_recorded {
            say(&format!("rustc {compiler}: the messages of {count} cases are compared in full"));
        } else {
            say(&format!(
                "rustc {compiler}: {count} cases have to be refused at their lines, with folio's own sentences. The rest is \
                 not compared, because the .stderr files are from rustc {WRITTEN_WITH}"
            ));
        }
        if !is_blessed {
            assert_eq!(cases, stems(&fail, "stderr"), "each case has its .stderr file: TRYBUILD=overwrite writes it");
        }
        fetch(package);
        if is_recorded || is_blessed {
            let passes = trybuild(package, Path::new("fail")).status().expect("this test starts itself").success();
            assert!(passes, "cases differ, see above. If they should, run it with TRYBUILD=overwrite");
        } else {
            compare_sentences(package, &fail);
        }
    }
    if is_blessed && !is_recorded {
        say(&format!("The .stderr files are from rustc {compiler} now: write that into WRITTEN_WITH in {}", file!()));
    }
}

/// The part of [`mistakes`] that runs in a process of its own, because trybuild reads its settings from the environment.
#[test]
#[ignore = "`mistakes` runs it"]
fn run_trybuild() {
    if let Ok(cases) = env::var(CASES) {
        trybuild::TestCases::new().compile_fail(cases);
    }
}

/// Compiles the cases in a folder with the dependencies of a package. Dependencies that the test's own build has compiled
/// in the same form are not compiled again: both use one build folder.
fn trybuild(package: &Path, cases: &Path) -> Command {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let mut command = Command::new(env::current_exe().expect("the path of this test"));
    command.args(["--exact", "run_trybuild", "--include-ignored", "--nocapture"]);
    command.args(env::args().filter(|argument| argument.starts_with("trybuild=")));
    command.current_dir(package).env("CARGO_MANIFEST_DIR", package).env(CASES, cases.join("*.rs"));
    command.env("CARGO_TARGET_DIR", target).env("CARGO_BUILD_BUILD_DIR", target);
    // Replaces trybuild's flags. It gives the cases one more than their dependencies, and cargo compiles these twice.
    command.env("CARGO_ENCODED_RUSTFLAGS", ["-A", "dead_code", "--diagnostic-width=140"].join("\u{1f}"));
    // As the profile of the workspace has it for dependencies.
    command.env("CARGO_PROFILE_DEV_DEBUG", "false");
    // The project of the cases is in the target folder.
    command.env("SQLX_OFFLINE", "true").env("SQLX_OFFLINE_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/../.sqlx"));
    command
}

/// Downloads what the dependencies of a package lack, because trybuild works offline. `cargo tree` needs their manifests.
fn fetch(package: &Path) {
    let mut tree = Command::new(env!("CARGO"));
    tree.args(["tree", "--locked", "--quiet"]).current_dir(package);
    let Output { status, stderr, .. } = tree.output().expect("cargo can be run");
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
}

/// Lets trybuild write what this compiler says about copies of the cases, and looks for the recorded errors there.
fn compare_sentences(package: &Path, fail: &Path) {
    let copies = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui").join(package.file_name().expect("a folder"));
    let _ = fs::remove_dir_all(&copies);
    fs::create_dir_all(&copies).expect("a folder for the copies");
    for case in stems(fail, "rs") {
        fs::copy(fail.join(&case).with_extension("rs"), copies.join(&case).with_extension("rs")).expect("a copy");
    }
    let output = trybuild(package, &copies).env("TRYBUILD", "overwrite").output().expect("this test starts itself");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\ncases compile, or trybuild cannot compile them: see above");
    let mut missing = String::new();
    for case in stems(&copies, "stderr") {
        let [recorded, said] = [fail, &copies]
            .map(|folder| fs::read_to_string(folder.join(&case).with_extension("stderr")).expect("a text"));
        let mut unsaid = errors(&recorded);
        assert!(!unsaid.is_empty(), "the .stderr file of {} has no error", case.display());
        unsaid.retain(|error| !errors(&said).iter().any(|other| error.is_said_by(other)));
        if !unsaid.is_empty() {
            missing += &format!("{}: {unsaid:#?}\nThe compiler says:\n{said}\n", case.display());
        }
    }
    assert!(missing.is_empty(), "these errors are missing:\n\n{missing}");
}

/// An error that the compiler reports: what it says, and the line of the case.
#[derive(Debug)]
struct Reported<'a> {
    line: &'a str,
    heading: &'a str,
}

/// The errors in the compiler's output: a heading, and below it the place, such as `--> fail/enum.rs:4:1`.
fn errors(output: &str) -> Vec<Reported<'_>> {
    let mut errors: Vec<Reported<'_>> = Vec::new();
    for text in output.lines() {
        if text.starts_with("error") {
            errors.push(Reported { line: "", heading: text });
        } else if let Some(place) = text.trim_start().strip_prefix("--> ")
            && let Some(error) = errors.last_mut()
            && error.line.is_empty()
        {
            error.line = place.rsplit(':').nth(1).unwrap_or_default();
        }
    }
    errors
}

impl Reported<'_> {
    /// Whether another compiler's error is this one.
    fn is_said_by(&self, other: &Reported<'_>) -> bool {
        self.line == other.line && self.own_sentence().is_none_or(|own| other.words().contains(&own))
    }

    /// The heading's sentence if the compiler has not worded it. Errors of macros have no code. Of the others, E0080 shows
    /// the panic of a check in a constant, and E0277 what a trait says about types that do not implement it, unless the
    /// trait says nothing.
    fn own_sentence(&self) -> Option<String> {
        let words = self.words();
        let (code, sentence) = words.split_once(": ")?;
        match code {
            "error" => Some(sentence.to_owned()),
            "error[E0080]" => sentence.split_once("panicked: ").map(|(_, sentence)| sentence.to_owned()),
            "error[E0277]" if !sentence.starts_with("the trait bound") => Some(sentence.to_owned()),
            _ => None,
        }
    }

    /// The heading, without the names of types where the compiler has written them into a trait's sentence.
    fn words(&self) -> String {
        if !self.heading.starts_with("error[E0277]") {
            return self.heading.to_owned();
        }
        self.heading.split('`').step_by(2).collect::<Vec<_>>().join("`…`")
    }
}

/// The version of the compiler, such as `1.95.0`.
fn compiler_version() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().expect("rustc can be run");
    let line = String::from_utf8_lossy(&output.stdout).into_owned();
    line.split(' ').nth(1).unwrap_or_else(|| panic!("rustc does not print its version: {line}")).to_owned()
}

/// The names of the files in a folder that end so, without the end.
fn stems(folder: &Path, extension: &str) -> BTreeSet<PathBuf> {
    let files =
        fs::read_dir(folder).expect("a folder of cases").map(|entry| PathBuf::from(entry.expect("a file").file_name()));
    files
        .filter(|file| file.extension().is_some_and(|end| end == extension))
        .map(|file| file.with_extension(""))
        .collect()
}

/// Prints a line that cargo does not hide when the test passes.
fn say(line: &str) {
    writeln!(io::stderr(), "{line}").expect("somewhere to print");
}
