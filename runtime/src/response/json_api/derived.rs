//! What `#[paginate(resource = "…")]` calls.

use serde::{Serialize, Serializer};

use crate::value::{self, Value};

/// What stands between the values of a primary key of several columns: no number, date or UUID has it, and a URL takes
/// it as it is.
const SEPARATOR: char = '~';

/// The id of a row from the values of its primary key.
///
/// One value is its own text. Several stand side by side with `~` between them; a `~` and a `%` in a value are
/// percent-encoded, so that two rows never share an id.
pub fn resource_id<const N: usize>(values: [Value; N]) -> String {
    match &values[..] {
        [value] => text(value),
        values => {
            let parts: Vec<String> = values.iter().map(|value| escape(&text(value))).collect();
            parts.join("~")
        }
    }
}

/// A value's text.
fn text(value: &Value) -> String {
    // A cursor has floats by their bits.
    match value {
        Value::Float(Some(float)) => return float.to_string(),
        Value::Double(Some(float)) => return float.to_string(),
        _ => {}
    }
    let mut json = Vec::new();
    match value::write(value, &mut json) {
        Ok(()) => serde_json::from_slice(&json).unwrap_or_else(|_| String::from_utf8_lossy(&json).into_owned()),
        Err(_) => String::new(),
    }
}

/// A value's text without a bare separator.
fn escape(text: &str) -> String {
    text.replace('%', "%25").replace(SEPARATOR, "%7E")
}

/// A model as its attributes: all that it serializes to.
///
/// A type of its own, so that a model without `Serialize` is one mistake, where its `resource` is written.
#[derive(Debug)]
pub struct Whole<'a, M>(pub &'a M);

impl<M: Serialize> Serialize for Whole<'_, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
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
