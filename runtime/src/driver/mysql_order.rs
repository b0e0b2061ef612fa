//! Columns that MySQL and MariaDB sort by other rules than they compare, and values that change on the way to the
//! client.
//!
//! Paging by such a column would lose rows or never end, so its first page is an error. The cases were found by
//! comparing ORDER BY with `<` for every collation of MariaDB 10.11, each over CHAR, VARCHAR and TEXT.

use serde::de::DeserializeOwned;
use sqlx::mysql::types::MySqlTime;
use sqlx::mysql::{MySqlRow, MySqlTypeInfo};
use sqlx::{ColumnIndex as _, Row as _, TypeInfo as _, ValueRef as _};

use super::{Slot, column_error};
use crate::dialect::key_fact_name;
use crate::value::Value;

/// The error for a value that lost a character.
pub(super) const LOSSY: &str =
    "a character of this value has no exact equivalent in Unicode: convert the column to `utf8mb4`";

/// Character sets that convert to Unicode and back without loss.
const LOSSLESS: [&str; 21] = [
    "binary", "utf8", "utf8mb3", "utf8mb4", "utf16", "utf16le", "utf32", "ucs2", "gb18030", "latin1", "latin2",
    "latin5", "latin7", "cp850", "cp852", "cp866", "keybcs2", "koi8r", "koi8u", "macce", "macroman",
];

/// Character sets whose characters are one byte each.
const SINGLE_BYTE: [&str; 23] = [
    "binary", "ascii", "armscii8", "cp1250", "cp1251", "cp1256", "cp1257", "cp850", "cp852", "cp866", "dec8", "greek",
    "hebrew", "hp8", "keybcs2", "koi8r", "koi8u", "latin1", "latin2", "latin5", "latin7", "macce", "macroman",
];

/// Refuses an ENUM or SET, which is sorted by its number and compared by its text.
pub(super) fn refuse_enum(kind: &MySqlTypeInfo, column: &str) -> sqlx::Result<()> {
    let name = match kind.name() {
        "ENUM" => "ENUM",
        "SET" => "SET",
        // A SET is sent as a CHAR with a flag, which sqlx shows nowhere else.
        "CHAR" if format!("{kind:?}").contains("SET") => "SET",
        _ => return Ok(()),
    };
    Err(column_error(
        column,
        format!("{name} columns cannot be in a cursor key: they are sorted by number but compared as text"),
    ))
}

/// Refuses a TIME that is a duration: chrono ignores the sign of one below zero.
pub(super) fn refuse_duration(row: &MySqlRow, at: usize, column: &str) -> sqlx::Result<()> {
    if row.try_get_raw(at)?.type_info().name() != "TIME" {
        return Ok(());
    }
    match row.try_get::<Option<MySqlTime>, _>(at)? {
        Some(time) if !time.is_valid_time_of_day() => {
            Err(column_error(column, format!("`{time}` is not a time of day and cannot be used in a cursor key")))
        }
        _ => Ok(()),
    }
}

/// Rejects a column, or a value in it, that is sorted by other rules than it is compared.
pub(super) fn check(row: &MySqlRow, slot: Slot<'_>, value: &Value) -> sqlx::Result<()> {
    let raw = row.try_get_raw(slot.name.index(row)?)?;
    let kind = raw.type_info();
    match (kind.name(), value) {
        ("TIMESTAMP", _) => check_zone(row, slot),
        (_, Value::String(text)) => {
            check_text(row, slot, kind.name(), text.as_deref().map_or(0, |text| text.chars().count()))
        }
        (_, Value::Bytes(bytes)) => check_text(row, slot, kind.name(), bytes.as_ref().map_or(0, Vec::len)),
        _ => Ok(()),
    }
}

/// Rejects a time zone whose clocks may go back. A moment is bound as local time, which is then ambiguous.
fn check_zone(row: &MySqlRow, slot: Slot<'_>) -> sqlx::Result<()> {
    let (session, system): (String, String) = fact(row, slot)?;
    if is_fixed(if session == "SYSTEM" { &system } else { &session }) {
        return Ok(());
    }
    let why = format!(
        "a TIMESTAMP column cannot be in a cursor key while the session's time zone is `{session}`, whose clocks may go \
         back: set it to an offset such as `+00:00`, which is sqlx's default"
    );
    Err(column_error(slot.name, why))
}

/// Whether a time zone has a fixed offset.
fn is_fixed(zone: &str) -> bool {
    zone.starts_with(['+', '-']) || zone == "UTC" || zone.starts_with("Etc/")
}

/// What the row says about a key's column beside its value.
fn fact<T: DeserializeOwned>(row: &MySqlRow, slot: Slot<'_>) -> sqlx::Result<T> {
    let fact: String = row.try_get_unchecked(key_fact_name(slot.at).as_str())?;
    serde_json::from_str(&fact).map_err(|error| column_error(slot.name, error))
}

/// What the row says about a text column.
struct Text {
    collation: String,
    /// How many bytes of a value are sorted by.
    sorted: usize,
}

impl Text {
    fn read(row: &MySqlRow, slot: Slot<'_>) -> sqlx::Result<Self> {
        let (collation, sorted) = fact(row, slot)?;
        Ok(Self { collation, sorted })
    }

    fn charset(&self) -> &str {
        self.collation.split_once('_').map_or(&self.collation, |(charset, _)| charset)
    }

    /// The error for a column of this type.
    fn refusal(&self, kind: &str) -> Option<String> {
        let Self { collation, .. } = self;
        let levels = ["_as_ci", "_as_cs", "_ai_cs"];
        // A CHAR under a binary collation is sent as BINARY.
        if matches!(kind, "CHAR" | "BINARY") && collation.contains("_nopad") {
            Some(format!(
                "a CHAR column under `{collation}` is sorted with its padding but compared without: make it a VARCHAR"
            ))
        } else if collation.contains("_uca1400_") && levels.iter().any(|level| collation.ends_with(level))
            || collation.ends_with("_w2")
        {
            Some(format!(
                "a column under `{collation}` is sorted by fewer differences than it is compared by: give it a collation \
                 such as `utf8mb4_bin` or `utf8mb4_uca1400_ai_ci`"
            ))
        } else if collation.ends_with("_czech_cs") || collation.starts_with("latin7_") && !collation.ends_with("_bin") {
            Some(format!(
                "a column under `{collation}` is sorted otherwise than it is compared: convert it to `utf8mb4`"
            ))
        } else {
            None
        }
    }

    /// How many characters of a value the server certainly sorts by. It uses some of the bytes for itself.
    fn limit(&self) -> usize {
        let width = if SINGLE_BYTE.contains(&self.charset()) { 1 } else { 4 };
        self.sorted.saturating_sub(8).checked_div(width).unwrap_or(0)
    }
}

fn check_text(row: &MySqlRow, slot: Slot<'_>, kind: &str, length: usize) -> sqlx::Result<()> {
    let text = Text::read(row, slot)?;
    if let Some(why) = text.refusal(kind) {
        return Err(column_error(slot.name, why));
    }
    let limit = text.limit();
    if length <= limit {
        return Ok(());
    }
    let why = format!(
        "a value of {length} characters in a cursor key may be sorted by its first {limit} only: raise the session's \
         `max_sort_length`, or walk by a shorter column"
    );
    Err(column_error(slot.name, why))
}

/// Whether a text may have lost a character on its way to UTF-8, or may lose one on its way back.
pub(super) fn is_lossy(row: &MySqlRow, slot: Slot<'_>, value: &Value) -> sqlx::Result<bool> {
    let bytes = match value {
        Value::String(Some(text)) => text.as_bytes(),
        Value::Bytes(Some(bytes)) => bytes,
        _ => return Ok(false),
    };
    let text = Text::read(row, slot)?;
    Ok(match text.charset() {
        charset if LOSSLESS.contains(&charset) => false,
        // What is not ASCII is sent as a question mark.
        "ascii" => bytes.contains(&b'?'),
        // Punctuation has several codes in some of the others.
        _ => !bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b' '),
    })
}
