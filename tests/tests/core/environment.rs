//! Keys from the environment. A process cannot safely change its own, so the test runs itself again in another process.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Command;

use folio::{CryptPurpose, Key, Keyring};

const CHILD: &str = "FOLIO_TESTS_ENVIRONMENT";
const CURRENT: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const PREVIOUS: &str = "HxscHRobGBkWFxQVEhMQEQ4PDA0KCwgJBgcEBQIDAAE=";

/// The output of [`Keyring::from_env`] in a process with these variables.
fn from_env(variables: &[(&str, &[u8])]) -> String {
    let name = format!("{}::keys_come_from_the_environment", module_path!().split_once("::").unwrap().1);
    let mut test = Command::new(std::env::current_exe().unwrap());
    test.args(["--exact", &name, "--nocapture"]).env_remove("APP_KEY").env_remove("APP_PREVIOUS_KEYS").env(CHILD, "");
    let variables = variables.iter().map(|(name, value)| (name, OsStr::from_bytes(value)));
    let output = test.envs(variables).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find_map(|line| line.split_once("keyring: ")).unwrap_or_else(|| panic!("{text}"));
    line.1.to_owned()
}

/// Prints the keyring, and whether it opens a token of the previous key.
fn print_ring() {
    let token = Keyring::new(Key::from_base64(PREVIOUS).unwrap()).seal(CryptPurpose::Cookie, &[], b"").unwrap();
    match Keyring::from_env() {
        Ok(ring) => {
            println!("keyring: {ring:?}, opens the previous: {}", ring.open(CryptPurpose::Cookie, &[], &token).is_ok())
        }
        Err(error) => println!("keyring: {error}"),
    }
}

/// A `main` that returns the error prints its text.
#[test]
fn the_error_of_a_main_reads_like_its_text() {
    use std::process::Termination as _;

    const MAIN: &str = "FOLIO_TESTS_MAIN";
    let main = || -> folio::Result<()> { Keyring::from_env().map(drop) };
    if std::env::var_os(MAIN).is_some() {
        main().report();
        return;
    }
    let name = format!("{}::the_error_of_a_main_reads_like_its_text", module_path!().split_once("::").unwrap().1);
    let mut test = Command::new(std::env::current_exe().unwrap());
    let output =
        test.args(["--exact", &name, "--nocapture"]).env("APP_KEY", "c2hvcnQ=").env(MAIN, "").output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("Error: APP_KEY: a key is 32 bytes in base64, and this one has 5: create"), "{text}");
}

#[test]
fn keys_come_from_the_environment() {
    if std::env::var_os(CHILD).is_some() {
        return print_ring();
    }
    let (current, previous) = (("APP_KEY", CURRENT.as_bytes()), ("APP_PREVIOUS_KEYS", PREVIOUS.as_bytes()));
    assert_eq!(from_env(&[current]), "Keyring { keys: 1 }, opens the previous: false");
    assert_eq!(from_env(&[current, previous]), "Keyring { keys: 2 }, opens the previous: true");
    assert_eq!(from_env(&[current, ("APP_PREVIOUS_KEYS", b" , ")]), "Keyring { keys: 1 }, opens the previous: false");
    assert!(from_env(&[previous]).contains("APP_KEY is not set"));
    // One byte that is not UTF-8 must not drop the other keys.
    let broken = [PREVIOUS.as_bytes(), b",\xFF"].concat();
    let error = from_env(&[current, ("APP_PREVIOUS_KEYS", &broken)]);
    assert!(error.contains("APP_PREVIOUS_KEYS is not valid UTF-8"), "{error}");
    assert!(!error.contains(PREVIOUS), "no key is printed: {error}");
    let error = from_env(&[("APP_KEY", b"c2hvcnQ=")]);
    let told = "APP_KEY: a key is 32 bytes in base64, and this one has 5: create one with `openssl rand -base64 32`";
    assert_eq!(error, told);
    let error = from_env(&[("APP_KEY", b"\xFF"), previous]);
    assert!(error.contains("APP_KEY is not valid UTF-8"), "{error}");
}
