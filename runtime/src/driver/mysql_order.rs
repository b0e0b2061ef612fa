//! Columns that MySQL and MariaDB sort by other rules than they compare, and values that change on the way to the
//! client.
//!
//! Paging by such a column would lose rows or never end, so its first page is an error. The cases were found by
//! comparing ORDER BY with `<` for every collation of MariaDB 10.11, each over CHAR, VARCHAR and TEXT:
//!
//! | column | why a boundary does not follow its order |
//! |---|---|
//! | ENUM, SET | sorted by number, but compared by text |
//! | TIME | holds durations, of which chrono and time only read times of day |
//! | TIMESTAMP, in a zone with daylight saving | bound as local time, which is ambiguous when clocks go back |
//! | a text longer than `max_sort_length` | sorted by its first bytes only |
//! | CHAR under a `nopad` collation | sorted with its padding, but compared without |
//! | a text under some other collations | sorted by fewer differences than it is compared by, or in another order |
//! | a text in an old character set | may change on its way to Unicode and back |

use std::num::ParseIntError;

use sqlx::mysql::types::MySqlTime;
use sqlx::mysql::{MySqlRow, MySqlTypeInfo};
use sqlx::{ColumnIndex as _, Row as _, TypeInfo as _, ValueRef as _};

use super::{ResultColumn, column_error, enum_error};
use crate::dialect::collation_column_name;
use crate::value::{Value, is_null};

/// The error for a value that lost a character. Several characters of some old character sets convert to the same one
/// in Unicode, or to a question mark, so the value that comes back is not the one in the column.
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
    Err(enum_error(column, name))
}

/// Refuses a zero date, such as '0000-00-00', which sqlx reads as NULL. The server sorts it before all other dates, and does
/// not count it among the NULLs of a nullable column.
pub(super) fn refuse_zero_date(row: &MySqlRow, at: usize, column: &str, value: &Value) -> sqlx::Result<()> {
    if !is_null(value) || !matches!(row.try_get_raw(at)?.type_info().name(), "DATE" | "DATETIME" | "TIMESTAMP") {
        return Ok(());
    }
    // NULL has no bytes.
    match row.try_get_unchecked::<&[u8], _>(at) {
        Ok(_) => Err(column_error(
            column,
            "a row has a zero date, which sqlx reads as NULL and the server does not sort as NULL: store NULL instead",
        )),
        Err(_) => Ok(()),
    }
}

/// Refuses a TIME that is a duration: chrono ignores the sign of one below zero.
pub(super) fn refuse_duration(row: &MySqlRow, at: usize, column: &str) -> sqlx::Result<()> {
    match duration(row, at)? {
        Some(time) => {
            Err(column_error(column, format!("`{time}` is not a time of day and cannot be used in a cursor key")))
        }
        None => Ok(()),
    }
}

/// A TIME that is not a time of day.
fn duration(row: &MySqlRow, at: usize) -> sqlx::Result<Option<MySqlTime>> {
    if row.try_get_raw(at)?.type_info().name() != "TIME" {
        return Ok(None);
    }
    let time: Option<MySqlTime> = row.try_get(at)?;
    Ok(time.filter(|time| !time.is_valid_time_of_day()))
}

/// Rejects a column, or a value in it, that is sorted by other rules than it is compared.
pub(super) fn check(row: &MySqlRow, result_column: ResultColumn<'_>, value: &Value) -> sqlx::Result<()> {
    let raw = row.try_get_raw(result_column.name.index(row)?)?;
    let kind = raw.type_info();
    if kind.name() == "TIMESTAMP" {
        return check_zone(row, result_column);
    }
    length(value).map_or(Ok(()), |length| check_text(row, result_column, kind.name(), length))
}

/// The characters of a text, or the bytes of a binary value; 0 for NULL. `None` for values of other types.
fn length(value: &Value) -> Option<usize> {
    match value {
        Value::String(text) => Some(text.as_deref().map_or(0, |text| text.chars().count())),
        Value::Bytes(bytes) => Some(bytes.as_ref().map_or(0, Vec::len)),
        _ => None,
    }
}

/// Rejects a time zone whose clocks may go back. A moment is bound as local time, which is then ambiguous.
fn check_zone(row: &MySqlRow, result_column: ResultColumn<'_>) -> sqlx::Result<()> {
    let zone = fact(row, result_column)?;
    if is_fixed(&zone) {
        return Ok(());
    }
    let why = format!(
        "a TIMESTAMP column cannot be in a cursor key while the session's time zone is `{zone}`, whose clocks may go \
         back: set it to an offset such as `+00:00`, which is sqlx's default"
    );
    Err(column_error(result_column.name, why))
}

/// The session's time zone, if a value depends on it: of a TIMESTAMP, which the server converts to it and back, unless the
/// zone is UTC.
pub(super) fn zone(row: &MySqlRow, result_column: ResultColumn<'_>, value: &Value) -> sqlx::Result<Option<String>> {
    let raw = row.try_get_raw(result_column.name.index(row)?)?;
    if is_null(value) || raw.type_info().name() != "TIMESTAMP" {
        return Ok(None);
    }
    Ok(Some(fact(row, result_column)?).filter(|zone| !UTC.contains(&zone.as_str())))
}

/// The names of UTC.
const UTC: [&str; 5] = ["+00:00", "-00:00", "UTC", "Etc/UTC", "Etc/GMT"];

/// Whether a time zone has a fixed offset. Only names that say so are trusted: MySQL does not tell the rules of a zone.
fn is_fixed(zone: &str) -> bool {
    zone.starts_with(['+', '-']) || zone == "UTC" || zone.starts_with("Etc/")
}

/// What the row says about a key's column in addition to its value: see [`crate::dialect::collation_column_name`].
fn fact(row: &MySqlRow, result_column: ResultColumn<'_>) -> sqlx::Result<String> {
    row.try_get_unchecked(collation_column_name(result_column.at).as_str())
}

/// What the row says about a text column.
struct Text {
    /// Its name begins with that of the character set, as in `utf8mb4_general_ci`.
    collation: String,
    /// How many bytes of a value are sorted by: the session's `max_sort_length`.
    sorted: usize,
}

impl Text {
    /// Reads it from the fact that the page's statement selects for this key column, such as `1024utf8mb4_bin`.
    fn read(row: &MySqlRow, result_column: ResultColumn<'_>) -> sqlx::Result<Self> {
        let fact = fact(row, result_column)?;
        let (sorted, collation) = split_digits(&fact);
        let sorted = sorted.parse().map_err(|error: ParseIntError| column_error(result_column.name, error))?;
        Ok(Self { collation: collation.to_owned(), sorted })
    }

    /// The character set of the collation. `binary` has no other part.
    fn charset(&self) -> &str {
        self.collation.split_once('_').map_or(&self.collation, |(charset, _)| charset)
    }

    /// Why a column of this type cannot be in a cursor key.
    fn refusal(&self, kind: &str) -> Option<String> {
        let Self { collation, .. } = self;
        // A CHAR under a binary collation is sent as BINARY.
        if matches!(kind, "CHAR" | "BINARY") && collation.contains("_nopad") {
            Some(format!(
                "a CHAR column under `{collation}` is sorted with its padding but compared without: make it a VARCHAR"
            ))
        } else if self.sorts_by_fewer_levels() {
            Some(format!(
                "a column under `{collation}` is sorted by fewer differences than it is compared by: give it a collation \
                 such as `utf8mb4_bin` or `utf8mb4_uca1400_ai_ci`"
            ))
        } else if self.sorts_otherwise() {
            Some(format!(
                "a column under `{collation}` is sorted otherwise than it is compared: convert it to `utf8mb4`"
            ))
        } else {
            None
        }
    }

    /// Why a value of this length cannot be in a cursor key.
    fn refusal_of_length(&self, length: usize) -> Option<String> {
        let limit = self.limit();
        (length > limit).then(|| {
            format!(
                "a value of {length} characters in a cursor key may be sorted by its first {limit} only: raise the \
                 session's `max_sort_length`, or order by a shorter column"
            )
        })
    }

    /// Whether ORDER BY ignores differences in accent or case that `<` sees, as under MariaDB's collations that compare
    /// on several levels.
    fn sorts_by_fewer_levels(&self) -> bool {
        let levels = ["_as_ci", "_as_cs", "_ai_cs"];
        let has_levels = levels.iter().any(|level| self.collation.ends_with(level));
        self.collation.contains("_uca1400_") && has_levels || self.collation.ends_with("_w2")
    }

    /// Whether ORDER BY and `<` follow different orders, as under `latin2_czech_cs` and most collations of `latin7`.
    fn sorts_otherwise(&self) -> bool {
        let is_latin7 = self.collation.starts_with("latin7_") && !self.collation.ends_with("_bin");
        self.collation.ends_with("_czech_cs") || is_latin7
    }

    /// How many characters of a value the server certainly sorts by. It uses some of the bytes for itself.
    fn limit(&self) -> usize {
        let width = if SINGLE_BYTE.contains(&self.charset()) { 1 } else { 4 };
        self.sorted.saturating_sub(8).checked_div(width).unwrap_or(0)
    }
}

/// The digits that a text begins with, and the rest.
fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

/// Rejects a text column whose collation orders and compares differently, and a text that is longer than what the
/// server sorts by: `max_sort_length` is 1,024 bytes by default.
fn check_text(row: &MySqlRow, result_column: ResultColumn<'_>, kind: &str, length: usize) -> sqlx::Result<()> {
    let text = Text::read(row, result_column)?;
    match text.refusal(kind).or_else(|| text.refusal_of_length(length)) {
        Some(why) => Err(column_error(result_column.name, why)),
        None => Ok(()),
    }
}

/// Whether a text may have lost a character on its way to UTF-8, or may lose one on its way back.
pub(super) fn is_lossy(row: &MySqlRow, result_column: ResultColumn<'_>, value: &Value) -> sqlx::Result<bool> {
    let Some(bytes) = bytes_of(value) else { return Ok(false) };
    Ok(is_lossy_in(Text::read(row, result_column)?.charset(), bytes))
}

/// The bytes of a text; `None` for NULL and values of other types.
fn bytes_of(value: &Value) -> Option<&[u8]> {
    match value {
        Value::String(text) => text.as_deref().map(str::as_bytes),
        Value::Bytes(bytes) => bytes.as_deref(),
        _ => None,
    }
}

/// Refuses a text that may lose a character on its way.
pub(super) fn refuse_lossy(row: &MySqlRow, result_column: ResultColumn<'_>, value: &Value) -> sqlx::Result<()> {
    if is_lossy(row, result_column, value)? {
        return Err(column_error(result_column.name, LOSSY));
    }
    Ok(())
}

/// Whether a text may be another one in the character set of its column.
fn is_lossy_in(charset: &str, bytes: &[u8]) -> bool {
    match charset {
        charset if LOSSLESS.contains(&charset) => false,
        // What is not ASCII is sent as a question mark.
        "ascii" => bytes.contains(&b'?'),
        // Punctuation has several codes in some of the others.
        _ => !bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b' '),
    }
}
