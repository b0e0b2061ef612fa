//! What the targets share: how an input is read, an application to work in, and query strings read by other code than
//! folio's.

use std::borrow::Cow;
use std::sync::LazyLock;

use folio::{Folio, FrameworkError, Key, Keyring};
use sqlx::sqlite::{SqlitePool, SqlitePoolOptions};
use tokio::runtime::Runtime;

/// What separates the fields of an input, so that a corpus is text that people can read.
const SEPARATOR: char = '\u{1e}';

/// An input as `N` fields of text. Fields that are missing are empty, and the last one has what is left.
pub fn fields<const N: usize>(data: &[u8]) -> [String; N] {
    let text = String::from_utf8_lossy(data);
    let mut parts = text.splitn(N, SEPARATOR).map(str::to_owned);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

/// The keyring of every target. It is fixed, so that an input finds the same thing on every run.
pub fn keyring() -> &'static Keyring {
    static KEYRING: LazyLock<Keyring> = LazyLock::new(|| Keyring::new(Key::from_bytes([7; 32])));
    &KEYRING
}

/// A runtime without threads of its own.
pub fn runtime() -> &'static Runtime {
    static RUNTIME: LazyLock<Runtime> =
        LazyLock::new(|| tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap());
    &RUNTIME
}

/// Installs an application on a database in memory that has these tables.
pub fn install(schema: &'static str) {
    let pool: SqlitePool = runtime().block_on(async {
        // The connection is kept, because the database ends with it.
        let options = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let pool = options.connect("sqlite::memory:").await.unwrap();
        sqlx::raw_sql(schema).execute(&pool).await.unwrap();
        pool
    });
    Folio::new(pool).keyring(keyring().clone()).install().unwrap();
}

/// Whether this is the error of every invalid cursor.
pub fn is_refused<T>(result: &folio::Result<T>) -> bool {
    let is_error = |text: &str| text == "Invalid pagination cursor";
    matches!(result, Err(FrameworkError::Domain { message, status_code: 400 }) if is_error(message))
}

/// The query of a URI, without its fragment.
pub fn query(uri: &str) -> Option<&str> {
    let end = uri.find('#').unwrap_or(uri.len());
    let start = uri[..end].find('?')?;
    Some(&uri[start + 1..end])
}

/// The names and values of a query, decoded by hand.
pub fn pairs(query: &str) -> Vec<(String, String)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))).map(|(a, b)| (decoded(a), decoded(b))).collect()
}

/// The last value of a name.
pub fn last(pairs: &[(String, String)], name: &str) -> Option<String> {
    pairs.iter().rev().find(|(found, _)| found == name).map(|(_, value)| value.clone())
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 2;
            }
            (b'+', ..) => out.push(b' '),
            (byte, ..) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The number in a text of ASCII digits, or the largest one if it does not fit into 64 bits.
pub fn number(text: &str) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.chars().try_fold(0_u64, |number, digit| {
        let digit = digit.is_ascii().then(|| digit.to_digit(10)).flatten()?;
        Some(number.saturating_mul(10).saturating_add(digit.into()))
    })
}

/// A text that is at most this long.
pub fn cut(text: &str, longest: usize) -> Cow<'_, str> {
    text.chars().take(longest).collect::<String>().into()
}
