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

use folio_plan::dialect::collation_column_name;
use folio_plan::value::{Value, is_null};
use sqlx::mysql::types::MySqlTime;
use sqlx::mysql::{MySqlRow, MySqlTypeInfo};
use sqlx::{ColumnIndex as _, Row as _, TypeInfo as _, ValueRef as _};

use super::{ResultColumn, column_error, enum_error};

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

/// Refuses a zero date, such as '0000-00-00', which sqlx reads as NULL. The server sorts it before all other dates, and
/// does not count it among the NULLs of a nullable column.
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

/// Rejects a column that is sorted by other rules than it is compared, and a text that is longer than what the server
/// sorts by: `max_sort_length` is 1,024 bytes by default.
pub(super) fn check(row: &MySqlRow, result_column: ResultColumn<'_>, value: &Value) -> sqlx::Result<()> {
    let raw = row.try_get_raw(result_column.name.index(row)?)?;
    let kind = raw.type_info();
    if kind.name() == "TIMESTAMP" {
        return check_zone(row, result_column);
    }
    let length = match value {
        Value::String(text) => text.as_deref().map_or(0, |text| text.chars().count()),
        Value::Bytes(bytes) => bytes.as_ref().map_or(0, Vec::len),
        _ => return Ok(()),
    };
    let text = TextColumn::read(row, result_column)?;
    match text.refusal(kind.name()).or_else(|| text.refusal_of_length(length)) {
        Some(why) => Err(column_error(result_column.name, why)),
        None => Ok(()),
    }
}

/// Rejects a time zone whose clocks may go back. A moment is bound as local time, which is then ambiguous.
fn check_zone(row: &MySqlRow, result_column: ResultColumn<'_>) -> sqlx::Result<()> {
    let zone = collation_column(row, result_column)?;
    // Only names that say that they have a fixed offset are trusted: MySQL does not tell the rules of a zone.
    if zone.starts_with(['+', '-']) || zone == "UTC" || zone.starts_with("Etc/") {
        return Ok(());
    }
    let why = format!(
        "a TIMESTAMP column cannot be in a cursor key while the session's time zone is `{zone}`, whose clocks may go \
         back: set it to an offset such as `+00:00`, which is sqlx's default"
    );
    Err(column_error(result_column.name, why))
}

/// The session's time zone, if the value is a TIMESTAMP, which the server converts to that zone and back. `None` for
/// UTC.
pub(super) fn zone(row: &MySqlRow, result_column: ResultColumn<'_>, value: &Value) -> sqlx::Result<Option<String>> {
    let raw = row.try_get_raw(result_column.name.index(row)?)?;
    if is_null(value) || raw.type_info().name() != "TIMESTAMP" {
        return Ok(None);
    }
    Ok(Some(collation_column(row, result_column)?).filter(|zone| !UTC.contains(&zone.as_str())))
}

const UTC: [&str; 5] = ["+00:00", "-00:00", "UTC", "Etc/UTC", "Etc/GMT"];

/// A row's value in the collation column of a key's column: see [`folio_plan::dialect::collation_column_name`].
fn collation_column(row: &MySqlRow, result_column: ResultColumn<'_>) -> sqlx::Result<String> {
    row.try_get_unchecked(collation_column_name(result_column.at).as_str())
}

/// How the server sorts a text column.
struct TextColumn {
    /// Its name begins with that of the character set, as in `utf8mb4_general_ci`.
    collation: String,
    /// The session's `max_sort_length`: how many bytes of a value the server sorts by.
    sorted: usize,
}

impl TextColumn {
    /// Reads it from the collation column that the page's statement selects for this key column, such as `1024utf8mb4_bin`.
    fn read(row: &MySqlRow, result_column: ResultColumn<'_>) -> sqlx::Result<Self> {
        let rules = collation_column(row, result_column)?;
        let (sorted, collation) = rules.split_at(rules.find(|c: char| !c.is_ascii_digit()).unwrap_or(rules.len()));
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
        // ORDER BY ignores differences in accent or case that `<` sees, as under MariaDB's collations that compare on
        // several levels.
        let has_levels = ["_as_ci", "_as_cs", "_ai_cs"].iter().any(|levels| collation.ends_with(levels));
        let sorts_by_fewer_levels = collation.contains("_uca1400_") && has_levels || collation.ends_with("_w2");
        let is_latin7 = collation.starts_with("latin7_") && !collation.ends_with("_bin");
        let sorts_in_another_order = collation.ends_with("_czech_cs") || is_latin7;
        // A CHAR under a binary collation is sent as BINARY.
        if matches!(kind, "CHAR" | "BINARY") && collation.contains("_nopad") {
            Some(format!(
                "a CHAR column under `{collation}` is sorted with its padding but compared without: make it a VARCHAR"
            ))
        } else if sorts_by_fewer_levels {
            Some(format!(
                "a column under `{collation}` is sorted by fewer differences than it is compared by: give it a collation \
                 such as `utf8mb4_bin` or `utf8mb4_uca1400_ai_ci`"
            ))
        } else if sorts_in_another_order {
            Some(format!(
                "a column under `{collation}` is sorted otherwise than it is compared: convert it to `utf8mb4`"
            ))
        } else {
            None
        }
    }

    /// Why a value of this length cannot be in a cursor key.
    fn refusal_of_length(&self, length: usize) -> Option<String> {
        // The server uses some of the bytes for itself.
        let width = if SINGLE_BYTE.contains(&self.charset()) { 1 } else { 4 };
        let limit = self.sorted.saturating_sub(8).checked_div(width).unwrap_or(0);
        (length > limit).then(|| {
            format!(
                "a value of {length} characters in a cursor key may be sorted by its first {limit} only: raise the \
                 session's `max_sort_length`, or order by a shorter column"
            )
        })
    }
}

/// Whether a text may have lost a character on its way to UTF-8, or may lose one on its way back.
pub(super) fn is_lossy(row: &MySqlRow, result_column: ResultColumn<'_>, value: &Value) -> sqlx::Result<bool> {
    let bytes = match value {
        Value::String(Some(text)) => text.as_bytes(),
        Value::Bytes(Some(bytes)) => bytes,
        _ => return Ok(false),
    };
    Ok(match TextColumn::read(row, result_column)?.charset() {
        charset if LOSSLESS.contains(&charset) => false,
        // What is not ASCII is sent as a question mark.
        "ascii" => bytes.contains(&b'?'),
        // Punctuation has several codes in some of the others.
        _ => !bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b' '),
    })
}
