//! The id of a derived resource.

use crate::value::{self, Value};

/// Separates the values of a composite primary key. Numbers, dates and UUIDs do not have it, and a URL needs no
/// encoding for it.
const SEPARATOR: &str = "~";

/// The id of a row from the values of its primary key.
///
/// One value is its own text. Several values are joined by `~`. A `~` or `%` in one of them is percent-encoded, so that
/// two rows never share an id.
pub fn resource_id<const N: usize>(values: [Value; N]) -> String {
    if let [value] = &values[..] {
        return text(value);
    }
    let parts: Vec<String> = values.iter().map(|value| escape(&text(value))).collect();
    parts.join(SEPARATOR)
}

/// A value's text.
fn text(value: &Value) -> String {
    match value {
        // The JSON of a cursor has floats as bits.
        Value::Float(Some(float)) => float.to_string(),
        Value::Double(Some(float)) => float.to_string(),
        value => cursor_text(value),
    }
}

/// The form that a value has in a cursor: a JSON string without its quotes, or a number. A value that a cursor cannot
/// store is not in a primary key.
fn cursor_text(value: &Value) -> String {
    let mut json = Vec::new();
    match value::write(value, &mut json) {
        Ok(()) => serde_json::from_slice(&json).unwrap_or_else(|_| String::from_utf8_lossy(&json).into_owned()),
        Err(_) => String::new(),
    }
}

/// Percent-encodes the separator in a text.
fn escape(text: &str) -> String {
    text.replace('%', "%25").replace(SEPARATOR, "%7E")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::CursorValue;

    #[test]
    fn one_value_is_its_own_text() {
        assert_eq!(resource_id([7_i64.into_value()]), "7");
        assert_eq!(resource_id([u64::MAX.into_value()]), "18446744073709551615");
        assert_eq!(resource_id([true.into_value()]), "true");
        assert_eq!(resource_id([1.5_f64.into_value()]), "1.5");
        assert_eq!(resource_id([0.1_f32.into_value()]), "0.1");
        assert_eq!(resource_id(["a~b%".to_owned().into_value()]), "a~b%");
        assert_eq!(resource_id([vec![255_u8, 0].into_value()]), "_wA");
    }

    #[test]
    fn several_values_never_share_an_id() {
        let id = |a: &str, b: &str| resource_id([a.to_owned().into_value(), b.to_owned().into_value()]);
        assert_eq!(resource_id([7_i64.into_value(), "en".to_owned().into_value()]), "7~en");
        assert_eq!((id("a~", "b"), id("a", "~b")), ("a%7E~b".to_owned(), "a~%7Eb".to_owned()));
        assert_ne!(id("a%7E", "b"), id("a~", "b"));
    }
}
