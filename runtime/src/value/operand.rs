//! The value that a comparison binds.
//!
//! PostgreSQL compares an enum only with values of that enum, and sqlx binds a text as `text`. So a text of an
//! application's own type is cast to the type that sqlx has for it. The other databases bind the text alone.
//!
//! The cast is written as sea-query's `Value::Enum`. It quotes the type's name, so a name that sqlx spells as SQL, such
//! as `blog.State` or `"State"`, is brought into a form that survives the quotes.

use sea_query::{Enum, OptionEnum, Value};

use super::CursorValue;

/// A value as it is bound in a comparison with its column.
pub fn operand<T: CursorValue>(value: T) -> Value {
    let value = value.into_value();
    let Value::String(text) = value else { return value };
    // A text needs no cast.
    let Some(name) = T::__postgres_type().filter(|name| !name.eq_ignore_ascii_case("text")) else {
        return Value::String(text);
    };
    let type_name = quotable(&name).into();
    Value::Enum(match text {
        Some(text) => OptionEnum::Some(Box::new(Enum { type_name, value: text.into() })),
        None => OptionEnum::None(type_name),
    })
}

/// The name of a type as PostgreSQL reads it, in the form in which it can be put between two quotes. sea-query quotes
/// names, but does not escape them: `blog.State` becomes `blog"."state`.
fn quotable(name: &str) -> String {
    // These are keywords. As a name, the first one means a single character.
    match name.to_ascii_lowercase().as_str() {
        "char" | "character" => "bpchar".to_owned(),
        "character varying" => "varchar".to_owned(),
        _ => folded(name),
    }
}

/// A name with its quotes resolved: what is outside of them is in small letters, and a dot there separates two names.
fn folded(name: &str) -> String {
    let mut quotable = String::with_capacity(name.len());
    let mut is_quoted = false;
    let mut chars = name.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' if is_quoted && chars.next_if_eq(&'"').is_some() => quotable.push_str("\"\""),
            '"' => is_quoted = !is_quoted,
            char if is_quoted => quotable.push(char),
            '.' => quotable.push_str("\".\""),
            char => quotable.push(char.to_ascii_lowercase()),
        }
    }
    quotable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_postgresql_reads_it() {
        for (name, expected) in [
            ("mood", "mood"),
            ("Mood", "mood"),
            ("\"Mood\"", "Mood"),
            ("blog.Mood", "blog\".\"mood"),
            ("\"my.blog\".\"Odd mood\"", "my.blog\".\"Odd mood"),
            ("\"a\"\"b\"", "a\"\"b"),
            ("VARCHAR", "varchar"),
            ("Character Varying", "varchar"),
            ("CHAR", "bpchar"),
            ("\"char\"", "char"),
        ] {
            assert_eq!(quotable(name), expected);
        }
    }
}
