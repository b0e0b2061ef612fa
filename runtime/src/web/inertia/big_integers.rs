//! Integers that JavaScript would round, as objects that clients of Inertia make `BigInt` values of.
//!
//! The convention is Inertia's (<https://inertiajs.com/docs/v3/advanced/big-integers>): an object such as
//! `{"$bigint":"9007199254740993"}`, in the props and in the flash data of a page whose object has
//! `"preserveBigIntegers":true`.

use std::borrow::Cow;

use serde::ser::{Error, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// A value that is written with its large integers as objects, if they are marked.
pub(super) struct BigIntegers<T> {
    pub(super) json: T,
    pub(super) are_marked: bool,
}

impl<T: Serialize> Serialize for BigIntegers<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.are_marked {
            return self.json.serialize(serializer);
        }
        let json = to_raw_value(&self.json).map_err(Error::custom)?;
        RawValue::from_string(marked(json.get())).map_err(Error::custom)?.serialize(serializer)
    }
}

/// The largest integer up to which JavaScript has all: 2⁵³ − 1.
const MAX_SAFE: &str = "9007199254740991";

/// A JSON text with the integers beyond ±(2⁵³ − 1) as objects.
///
/// It goes through the text and not through a value, so an integer of any length keeps its digits.
fn marked(json: &str) -> String {
    let mut marked = String::with_capacity(json.len());
    let mut rest = json;
    // Outside of a text, only numbers have digits and `-`.
    while let Some(at) = rest.find(|c: char| matches!(c, '"' | '-' | '0'..='9')) {
        let (before, from) = rest.split_at(at);
        let end = if from.starts_with('"') { text_end(from) } else { number_end(from) };
        let (token, after) = from.split_at(end);
        marked.push_str(before);
        marked.push_str(&if is_rounded(token) {
            format!(r#"{{"$bigint":"{token}"}}"#).into()
        } else {
            Cow::Borrowed(token)
        });
        rest = after;
    }
    marked.push_str(rest);
    marked
}

/// Whether a token is an integer that JavaScript rounds. JSON has no leading zeros.
fn is_rounded(token: &str) -> bool {
    let digits = token.strip_prefix('-').unwrap_or(token);
    let is_integer = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_integer && (digits.len(), digits) > (MAX_SAFE.len(), MAX_SAFE)
}

/// The length of the number that a JSON text begins with.
fn number_end(json: &str) -> usize {
    json.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')).unwrap_or(json.len())
}

/// The length of the text in quotes that a JSON text begins with.
fn text_end(json: &str) -> usize {
    let mut is_escaped = false;
    let closing = json.bytes().skip(1).position(|byte| {
        let closes = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        closes
    });
    closing.map_or(json.len(), |at| at.saturating_add(2))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn only_integers_that_are_rounded_are_marked() {
        for (json, expected) in [
            ("9007199254740991", "9007199254740991"),
            ("-9007199254740991", "-9007199254740991"),
            ("9007199254740992", r#"{"$bigint":"9007199254740992"}"#),
            ("-9007199254740992", r#"{"$bigint":"-9007199254740992"}"#),
            ("18446744073709551615", r#"{"$bigint":"18446744073709551615"}"#),
            ("0", "0"),
            ("-0", "-0"),
            ("9007199254740993.0", "9007199254740993.0"),
            ("1e300", "1e300"),
            ("12345678901234567e2", "12345678901234567e2"),
            (r#""9007199254740993""#, r#""9007199254740993""#),
            (r#""\\\"9007199254740993""#, r#""\\\"9007199254740993""#),
            (r#"["\\",9007199254740993]"#, r#"["\\",{"$bigint":"9007199254740993"}]"#),
            (
                r#"{"9007199254740993":[9007199254740993,1]}"#,
                r#"{"9007199254740993":[{"$bigint":"9007199254740993"},1]}"#,
            ),
            (r#"{"é-9":null,"a":[true,false]}"#, r#"{"é-9":null,"a":[true,false]}"#),
            ("[ 9007199254740993 , 2 ]", r#"[ {"$bigint":"9007199254740993"} , 2 ]"#),
        ] {
            assert_eq!(marked(json), expected);
            assert!(RawValue::from_string(marked(json)).is_ok(), "{json}");
        }
    }

    /// What a client makes of the JSON: the digits of its integers.
    fn revived(value: &Value) -> Value {
        match value {
            Value::Object(object) => match object.get("$bigint") {
                Some(digits) if object.len() == 1 => digits.clone(),
                _ => object.iter().map(|(key, value)| (key.clone(), revived(value))).collect(),
            },
            Value::Array(values) => values.iter().map(revived).collect(),
            Value::Number(number) if number.is_f64() => json!(number),
            Value::Number(number) => json!(number.to_string()),
            _ => value.clone(),
        }
    }

    #[test]
    fn every_integer_keeps_its_digits() {
        let edges = [0, 1, 2_i128.pow(53) - 1, 2_i128.pow(53), i64::MAX.into(), u64::MAX.into(), i128::MAX];
        for edge in edges {
            for integer in [edge.saturating_sub(1), edge, edge.saturating_add(1), -edge] {
                let row = [Some(integer), None];
                let text = marked(to_raw_value(&vec![row]).unwrap().get());
                let value: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(revived(&value), json!([[integer.to_string(), null]]));
            }
        }
    }
}
