//! What the compiler says about mistakes: one mistake a file, in `fail` and in `features/fail`.
//!
//! The comments `//~ ERROR` in a case list all of its errors. With the compiler of [`WRITTEN_WITH`], its messages also
//! have to be those in the `.stderr` file. With another one they are not compared, because each version words and draws
//! some of its own messages differently.
//!
//! `cargo test -p folio-ui-tests --test ui -- --bless` writes the `.stderr` files; read each line of the difference.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use cargo_metadata::Message;
use ui_test::color_eyre::eyre::{Result, ensure};
use ui_test::custom_flags::edition::Edition;
use ui_test::custom_flags::rustfix::RustfixMode;
use ui_test::status_emitter::StatusEmitter;
use ui_test::{Args, CommandBuilder, Config};
use ui_test::{default_file_filter, default_per_file_config, ignore_output_conflict, run_tests_generic};

/// The compiler whose messages the `.stderr` files have.
const WRITTEN_WITH: &str = "1.95";

/// If set, the version that the compiler is taken for.
const PRETEND: &str = "FOLIO_UI_RUSTC";

/// The packages of the cases, and the crates that they use.
const PACKAGES: [(&str, &[&str]); 2] = [
    ("ui-tests", &["axum", "folio", "serde", "serde_json", "sqlx"]),
    ("ui-tests/features", &["axum", "chrono", "folio", "sqlx", "uuid"]),
];

fn main() -> Result<()> {
    let args = Args::test()?;
    let compiler = match env::var(PRETEND) {
        Ok(version) => version,
        Err(_) => compiler_version()?,
    };
    let is_compared = compiler.starts_with(&format!("{WRITTEN_WITH}."));
    if is_compared || args.bless {
        println!("rustc {compiler}: each case has to fail with its errors, and with the messages in its .stderr file");
    } else {
        println!(
            "rustc {compiler}: each case has to fail with its errors. The rest of the messages is not compared, because the \
             .stderr files are from rustc {WRITTEN_WITH}"
        );
    }
    // From here, messages can show folio's own code, whose paths begin at the workspace.
    env::set_current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
    let mut configs = Vec::new();
    for (package, crates) in PACKAGES {
        let mut config = config(Path::new(package), crates, &args)?;
        if !is_compared && !args.bless {
            config.output_conflict_handling = ignore_output_conflict;
        }
        configs.push(config);
    }
    let emitter: Box<dyn StatusEmitter> = args.format.into();
    run_tests_generic(configs, default_file_filter, default_per_file_config, emitter)?;
    if args.bless && !is_compared {
        println!(
            "The .stderr files are from rustc {compiler} now: write that into WRITTEN_WITH in ui-tests/tests/ui.rs"
        );
    }
    Ok(())
}

/// The version of the compiler, such as `1.95.0`.
fn compiler_version() -> Result<String> {
    let output = Command::new(CommandBuilder::rustc().program).arg("--version").output()?;
    let line = String::from_utf8(output.stdout)?;
    let version = line.split(' ').nth(1);
    ensure!(output.status.success() && version.is_some(), "rustc does not print its version: {line}");
    Ok(version.unwrap_or_default().to_owned())
}

/// The cases in the folder `fail` of a package, compiled with the dependencies of the package.
fn config(package: &Path, crates: &[&str], args: &Args) -> Result<Config> {
    let mut config = Config::rustc(package.join("fail"));
    config.bless_command = Some("cargo test -p folio-ui-tests --test ui -- --bless".to_owned());
    config.with_args(args);
    config.out_dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui").join(package);
    config.program.args.extend(["--emit=metadata", "-Adead_code"].map(Into::into));
    if !args.list {
        config.program.args.extend(dependencies(package, crates)?);
    }
    let defaults = config.comment_defaults.base();
    defaults.set_custom("edition", Edition("2024".to_owned()));
    defaults.set_custom("rustfix", RustfixMode::Disabled);
    // Messages also quote folio and its dependencies, whose line numbers change.
    config.stderr_filter("/[^ ]*/registry/src/[^/]*/([a-z0-9_-]+?)-[0-9.]+/", b"$$CARGO/$1/");
    config.stderr_filter("/[^ ]*/library/(core|alloc|std)/", b"$$RUST/$1/");
    config.stderr_filter("((?:-->|:::) (runtime|macros|[$]CARGO|[$]RUST)/[^ :]+):[0-9]+:[0-9]+", b"$1");
    config.stderr_filter("(?m)^ *[0-9]* +([|=]|-->|:::)", b" $1");
    config.stderr_filter("written to .*long-type-[0-9]+[.]txt", b"written to $$FILE");
    config.stderr_filter("and [0-9]+ others", b"and $$N others");
    Ok(config)
}

/// The flags by which rustc finds the crates that a package depends on. cargo only checks these, in the target folder
/// of this test, which has their build scripts and macros already.
fn dependencies(package: &Path, crates: &[&str]) -> Result<Vec<OsString>> {
    let mut cargo = Command::new(CommandBuilder::cargo().program);
    cargo.args(["check", "--locked", "--message-format=json"]).current_dir(package);
    cargo.env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/.."));
    let output = cargo.stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "{cargo:?} fails");
    let mut flags = Vec::new();
    for message in Message::parse_stream(&*output.stdout) {
        let Message::CompilerArtifact(artifact) = message? else { continue };
        // Build scripts and macros may use the same crate, which cargo then compiles to an .rlib as well.
        let [file] = &artifact.filenames[..] else { continue };
        let folder = file.parent().map_or("", |folder| folder.as_str());
        flags.push(format!("-Ldependency={folder}").into());
        if crates.contains(&&*artifact.target.name) {
            flags.push(format!("--extern={}={file}", artifact.target.name).into());
        }
    }
    flags.sort();
    flags.dedup();
    Ok(flags)
}
