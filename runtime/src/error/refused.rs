//! Which errors of a server mean that it refuses a value.
//!
//! A client may have sent the value, and then the answer is a 400. So an error that a mistake in the statement or a row of
//! the table may cause as well says so here, and whoever handles it knows which values there were.

use sqlx::error::DatabaseError;

/// What a server refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    not(all(feature = "mysql", feature = "postgres")),
    expect(dead_code, reason = "no server refuses in each of these ways")
)]
pub(crate) enum Refused {
    /// A character of a text that was bound: the encoding of the database or the character set of the column lacks it.
    Character,
    /// The same, or else columns that do not compare. The server does not say which.
    CharacterOrColumn,
    /// A value that was bound: it is not one of its type.
    Bound,
    /// The type of a value that was bound: it does not exist.
    Type,
    /// A value that was bound, or one that the statement has computed from a row.
    BoundOrComputed,
}

/// What the server refuses, if it refuses a value.
pub(crate) fn refused(error: &sqlx::Error) -> Option<Refused> {
    let error = error.as_database_error()?;
    by_postgres(error).or_else(|| by_mysql(error))
}

#[cfg(feature = "postgres")]
fn by_postgres(error: &dyn DatabaseError) -> Option<Refused> {
    let error = error.try_downcast_ref::<sqlx::postgres::PgDatabaseError>()?;
    match (error.code(), error.routine().unwrap_or_default()) {
        // The value was removed from an enum, or is refused by a domain. A cast in the caller's own SQL fails in another
        // routine.
        ("22P02", "enum_in") | ("23514", "ExecEvalConstraintCheck") => Some(Refused::Bound),
        ("42704", "typenameType") => Some(Refused::Type),
        ("22P05", _) => names_character_of_client(error.message()).then_some(Refused::Character),
        // Those of class 22 that only a value can cause, and a domain's CHECK, which reads only compute for a value. A
        // division by zero is not among them: it depends on the rows.
        ("22001" | "22003" | "22007" | "22008" | "22021" | "22025" | "2201B" | "22P02" | "22P03" | "23514", _) => {
            Some(Refused::BoundOrComputed)
        }
        _ => None,
    }
}

#[cfg(not(feature = "postgres"))]
fn by_postgres(_: &dyn DatabaseError) -> Option<Refused> {
    None
}

/// Whether the bytes in the message, such as `0xf0 0x9f 0x98 0x80`, are a character in UTF-8, which is what the client
/// sends. Those of a row that cannot be sent to it are in the encoding of the database, which the message then names
/// first. The rest of the message may be in any language.
#[cfg(any(feature = "postgres", test))]
fn names_character_of_client(message: &str) -> bool {
    let digits = message.split("0x").skip(1).filter_map(|rest| rest.get(..2));
    let bytes: Option<Vec<u8>> = digits.map(|digits| u8::from_str_radix(digits, 16).ok()).collect();
    let is_encoding = |word: &&str| {
        let is_upper = |char: char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_';
        word.len() > 2 && word.chars().all(is_upper) && word.starts_with(|first: char| first.is_ascii_uppercase())
    };
    let mut words = message.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
    bytes.is_some_and(|bytes| !bytes.is_empty() && std::str::from_utf8(&bytes).is_ok())
        && words.find(is_encoding) == Some("UTF8")
}

#[cfg(feature = "mysql")]
fn by_mysql(error: &dyn DatabaseError) -> Option<Refused> {
    const OUT_OF_RANGE: &str = "22003";
    let error = error.try_downcast_ref::<sqlx::mysql::MySqlDatabaseError>()?;
    match error.number() {
        // ER_CANNOT_CONVERT_STRING, and the same for a parameter, of MySQL 8 and later.
        3854 | 3988 => Some(Refused::Character),
        // ER_CANT_AGGREGATE_2COLLATIONS and ER_CANT_AGGREGATE_3COLLATIONS.
        1267 | 1270 => is_mix_with_a_text(error.message()).then_some(Refused::Character),
        // ER_CANT_AGGREGATE_NCOLLATIONS, whose message names none of them.
        1271 => Some(Refused::CharacterOrColumn),
        _ => (error.code() == Some(OUT_OF_RANGE)).then_some(Refused::BoundOrComputed),
    }
}

#[cfg(not(feature = "mysql"))]
fn by_mysql(_: &dyn DatabaseError) -> Option<Refused> {
    None
}

/// Whether one of the operands is a column, which is IMPLICIT, and the others are bound texts, which are COERCIBLE. Two
/// columns that do not compare are a mistake in the statement.
#[cfg(any(feature = "mysql", test))]
fn is_mix_with_a_text(message: &str) -> bool {
    message.contains(",COERCIBLE)") && !message.contains(",EXPLICIT)") && message.matches(",IMPLICIT)").count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_character_in_utf_8_is_the_clients() {
        let message = |bytes, from, to| {
            format!("Zeichen mit Byte-Folge {bytes} in Kodierung »{from}« hat keine Entsprechung in »{to}«")
        };
        for (bytes, from, to, expected) in [
            ("0xe4 0xb8 0xad", "UTF8", "LATIN1", true),
            ("0xf0 0x9f 0x98 0x80", "UTF8", "EUC_JP", true),
            ("0x81", "WIN1252", "UTF8", false),
            ("0x8f 0xa1 0xa1", "EUC_JP", "UTF8", false),
            // They are a character in UTF-8 as well.
            ("0xc2 0xa9", "EUC_JP", "UTF8", false),
            ("", "UTF8", "LATIN1", false),
        ] {
            assert_eq!(names_character_of_client(&message(bytes, from, to)), expected, "{bytes}");
        }
    }

    #[test]
    fn columns_that_do_not_compare_are_no_text_of_the_client() {
        let mix = |one, other| {
            format!("Illegal mix of collations (latin1_swedish_ci,{one}) and (utf8mb4_bin,{other}) for '='")
        };
        assert!(is_mix_with_a_text(&mix("IMPLICIT", "COERCIBLE")));
        assert!(!is_mix_with_a_text(&mix("IMPLICIT", "IMPLICIT")));
        assert!(!is_mix_with_a_text(&mix("EXPLICIT", "COERCIBLE")));
    }
}
