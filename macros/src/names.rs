//! Names of tables, columns and JSON keys, and suggestions for misspelled ones.

use std::fmt::Write;

use heck::{ToKebabCase, ToLowerCamelCase, ToPascalCase, ToShoutySnakeCase, ToSnakeCase};

/// The default table name of a struct: its name in snake case, in the plural. `UserProfile` becomes `user_profiles`.
pub(crate) fn table(name: &str) -> String {
    plural(&name.to_snake_case())
}

/// The plural of a regular English noun. For an irregular one, users write `table = "…"`.
fn plural(noun: &str) -> String {
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|ending| noun.ends_with(ending));
    let vowel_before_y = ["ay", "ey", "iy", "oy", "uy"].iter().any(|ending| noun.ends_with(ending));
    match noun.strip_suffix('y') {
        Some(stem) if !vowel_before_y => format!("{stem}ies"),
        _ if hisses => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// A field's name under sqlx's `rename_all`, from the library that sqlx uses for it. sqlx reports unknown rules.
pub(crate) fn renamed(name: &str, rule: &str) -> String {
    match rule {
        "lowercase" => name.to_lowercase(),
        "UPPERCASE" => name.to_uppercase(),
        "snake_case" => name.to_snake_case(),
        "SCREAMING_SNAKE_CASE" => name.to_shouty_snake_case(),
        "kebab-case" => name.to_kebab_case(),
        "camelCase" => name.to_lower_camel_case(),
        "PascalCase" => name.to_pascal_case(),
        _ => name.to_owned(),
    }
}

/// A field's name under serde's `rename_all`. serde assumes snake case and converts letter by letter: `a_1` becomes
/// `a1` in camel case. serde itself reports unknown rules.
pub(crate) fn key(name: &str, rule: &str) -> String {
    match rule {
        "UPPERCASE" | "SCREAMING_SNAKE_CASE" => name.to_ascii_uppercase(),
        "kebab-case" => name.replace('_', "-"),
        "SCREAMING-KEBAB-CASE" => name.to_ascii_uppercase().replace('_', "-"),
        "PascalCase" => pascal(name),
        "camelCase" => {
            let name = pascal(name);
            let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
            first.to_ascii_lowercase() + rest
        }
        _ => name.to_owned(),
    }
}

/// Converts snake case to Pascal case, letter by letter.
fn pascal(name: &str) -> String {
    let mut capital = true;
    let mut pascal = String::new();
    for letter in name.chars() {
        let after_underscore = std::mem::replace(&mut capital, letter == '_');
        match letter {
            '_' => {}
            letter if after_underscore => pascal.push(letter.to_ascii_uppercase()),
            letter => pascal.push(letter),
        }
    }
    pascal
}

/// The second half of a message about an unknown `name`: suggests the nearest of `known`, or lists them all.
pub(crate) fn instead(name: &str, known: &[impl AsRef<str>]) -> String {
    match nearest(name, known) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("write {}", either(known)),
    }
}

/// The name at the smallest edit distance, if at most a third of its letters differ.
fn nearest<'a>(name: &str, known: &'a [impl AsRef<str>]) -> Option<&'a str> {
    let near = known.iter().map(|known| {
        let known = known.as_ref();
        (strsim::damerau_levenshtein(name, known), known)
    });
    let (distance, nearest) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= nearest.chars().count().div_ceil(3)).then_some(nearest)
}

/// Formats names as a list: `a`, `b` or `c`.
fn either(names: &[impl AsRef<str>]) -> String {
    let mut list = String::new();
    for (place, name) in names.iter().rev().enumerate().map(|(place, name)| (place, name.as_ref())).rev() {
        let after = match place {
            0 => "",
            1 => " or ",
            _ => ", ",
        };
        let _ = write!(list, "`{name}`{after}");
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_the_struct_in_snake_case_and_plural() {
        for (name, expected) in [
            ("Post", "posts"),
            ("Category", "categories"),
            ("Day", "days"),
            ("Box", "boxes"),
            ("Bus", "buses"),
            ("Branch", "branches"),
            ("Wish", "wishes"),
            ("Waltz", "waltzes"),
            ("UserProfile", "user_profiles"),
            ("HTTPRequest", "http_requests"),
            ("Y", "ies"),
        ] {
            assert_eq!(table(name), expected);
        }
    }

    #[test]
    fn columns_are_renamed_as_sqlx_does_it() {
        for (rule, expected) in [
            ("snake_case", "author_id"),
            ("lowercase", "author_id"),
            ("UPPERCASE", "AUTHOR_ID"),
            ("SCREAMING_SNAKE_CASE", "AUTHOR_ID"),
            ("kebab-case", "author-id"),
            ("camelCase", "authorId"),
            ("PascalCase", "AuthorId"),
            ("Train-Case", "author_id"),
        ] {
            assert_eq!(renamed("author_id", rule), expected, "{rule}");
        }
    }

    #[test]
    fn keys_are_renamed_as_serde_does_it() {
        for (rule, expected) in [
            ("lowercase", "author_id_2"),
            ("UPPERCASE", "AUTHOR_ID_2"),
            ("PascalCase", "AuthorId2"),
            ("camelCase", "authorId2"),
            ("snake_case", "author_id_2"),
            ("SCREAMING_SNAKE_CASE", "AUTHOR_ID_2"),
            ("kebab-case", "author-id-2"),
            ("SCREAMING-KEBAB-CASE", "AUTHOR-ID-2"),
            ("Train-Case", "author_id_2"),
        ] {
            assert_eq!(key("author_id_2", rule), expected, "{rule}");
        }
        assert_eq!((key("_", "camelCase").as_str(), key("_a__b", "camelCase").as_str()), ("", "aB"));
    }

    #[test]
    fn a_near_name_is_proposed_and_otherwise_all() {
        let known = ["created_at", "id", "title"];
        assert_eq!(instead("creatd_at", &known), "did you mean `created_at`?");
        assert_eq!(instead("ttile", &known), "did you mean `title`?");
        assert_eq!(instead("body", &known), "write `created_at`, `id` or `title`");
        assert_eq!(instead("x", &known[..1]), "write `created_at`");
    }
}
