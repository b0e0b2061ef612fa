//! Names of tables, columns and JSON keys, and suggestions for misspelled ones.
//!
//! sqlx, sea-orm and serde all have `rename_all`, but convert names in different ways. Each has its own function here,
//! because a column has to be found under the name that sqlx or sea-orm reads, and a key under the name that serde
//! writes.

use heck::{ToKebabCase, ToLowerCamelCase, ToPascalCase, ToShoutySnakeCase, ToSnakeCase, ToTitleCase};
use syn::{Ident, ext::IdentExt};

/// The default table name of a struct: its name in snake case, in the plural. `UserProfile` becomes `user_profiles`.
pub(crate) fn table(name: &str) -> String {
    let noun = name.to_snake_case();
    // For a noun with an irregular plural, users write `table = "…"`.
    let ends_in = |endings: &[&str]| endings.iter().any(|ending| noun.ends_with(ending));
    match noun.strip_suffix('y') {
        Some(stem) if !ends_in(&VOWEL_AND_Y) => format!("{stem}ies"),
        _ if ends_in(&SIBILANTS) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// The endings of nouns that take `es`: boxes, buses, branches, wishes, waltzes.
const SIBILANTS: [&str; 5] = ["s", "x", "z", "ch", "sh"];

/// The endings in `y` that are kept in the plural: days, keys, boys.
const VOWEL_AND_Y: [&str; 5] = ["ay", "ey", "iy", "oy", "uy"];

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

/// A name under sea-orm's `rename_all`, which has more rules than sqlx's. sea-orm reports unknown rules.
pub(crate) fn renamed_by_sea_orm(name: &str, rule: &str) -> String {
    match rule {
        "camel_case" => name.to_pascal_case(),
        // These two differ where the first letter has no capital of its own, such as `ß`.
        "camelCase" => with_first(&name.to_pascal_case(), str::to_lowercase),
        "mixed_case" => name.to_lower_camel_case(),
        "snek_case" => name.to_snake_case(),
        "shouty_snake_case" | "shouty_snek_case" => name.to_shouty_snake_case(),
        "kebab_case" => name.to_kebab_case(),
        "SCREAMING-KEBAB-CASE" => name.to_kebab_case().to_uppercase(),
        "title_case" => name.to_title_case(),
        rule => renamed(name, rule),
    }
}

/// The column of an entity's field without `column_name`: its name under `rename_all`, or else in snake case.
///
/// sea-orm gets there through the variant of the enum `Column`, so digits lose their underscore under `rename_all`, and
/// a variant's own name, `enum_name`, becomes the column's.
pub(crate) fn entity_column(field: &str, rename_all: Option<&str>, enum_name: Option<&str>) -> String {
    let variant = field.to_pascal_case();
    match rename_all {
        Some(rule) => renamed_by_sea_orm(&variant, rule),
        None if variant.to_snake_case() != field => field.to_snake_case(),
        None => enum_name.unwrap_or(&variant).to_snake_case(),
    }
}

/// The constant of a field's column. It has the span of the field, so that editors find one through the other.
pub(crate) fn constant(field: &Ident) -> Ident {
    Ident::new(&field.unraw().to_string().to_uppercase(), field.span())
}

/// A field's key in the JSON under serde's `rename_all`. serde assumes snake case and converts letter by letter: `a_1`
/// becomes `a1` in camel case. serde itself reports unknown rules.
pub(crate) fn key(name: &str, rule: &str) -> String {
    match rule {
        "UPPERCASE" | "SCREAMING_SNAKE_CASE" => name.to_ascii_uppercase(),
        "kebab-case" => name.replace('_', "-"),
        "SCREAMING-KEBAB-CASE" => name.to_ascii_uppercase().replace('_', "-"),
        "PascalCase" => pascal(name),
        "camelCase" => with_first(&pascal(name), str::to_ascii_lowercase),
        _ => name.to_owned(),
    }
}

/// The name of a foreign key's relationship: its key in the JSON without the ending for an id. `author_id` and
/// `authorId` become `author`.
pub(crate) fn relationship(key: &str) -> &str {
    let endings = ["_id", "-id", "_ID", "-ID", "Id"];
    let stem = endings.iter().find_map(|ending| key.strip_suffix(ending));
    stem.filter(|stem| !stem.is_empty()).unwrap_or(key)
}

/// Converts snake case to Pascal case, letter by letter. Only ASCII letters have capitals, as in serde.
fn pascal(name: &str) -> String {
    name.split('_').map(|word| with_first(word, str::to_ascii_uppercase)).collect()
}

/// A word with its first letter converted.
fn with_first(word: &str, convert: fn(&str) -> String) -> String {
    let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
    convert(first) + rest
}

/// The second half of a message about an unknown `name`: suggests the nearest of `known`, or lists them all. "unknown
/// field `titel`; did you mean `title`?"
pub(crate) fn instead(name: &str, known: &[impl AsRef<str>]) -> String {
    if let Some(nearest) = nearest(name, known) {
        return format!("did you mean `{nearest}`?");
    }
    let quoted: Vec<_> = known.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("write {} or {last}", others.join(", ")),
        _ => format!("write {}", quoted.concat()),
    }
}

/// The name at the smallest edit distance, if at most a third of its letters differ. A swap of two adjacent letters
/// counts as one edit.
fn nearest<'a>(name: &str, known: &'a [impl AsRef<str>]) -> Option<&'a str> {
    let distance = |known: &&str| strsim::damerau_levenshtein(name, known);
    let nearest = known.iter().map(AsRef::as_ref).min_by_key(distance)?;
    (distance(&nearest) <= nearest.chars().count().div_ceil(3)).then_some(nearest)
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
        assert_eq!(renamed("InReview", "snake_case"), "in_review");
    }

    #[test]
    fn columns_are_renamed_as_sea_orm_does_it() {
        for (rule, expected) in [
            ("snake_case", "author_id"),
            ("snek_case", "author_id"),
            ("lowercase", "authorid"),
            ("UPPERCASE", "AUTHORID"),
            ("SCREAMING_SNAKE_CASE", "AUTHOR_ID"),
            ("shouty_snake_case", "AUTHOR_ID"),
            ("shouty_snek_case", "AUTHOR_ID"),
            ("kebab-case", "author-id"),
            ("kebab_case", "author-id"),
            ("SCREAMING-KEBAB-CASE", "AUTHOR-ID"),
            ("camelCase", "authorId"),
            ("mixed_case", "authorId"),
            ("PascalCase", "AuthorId"),
            ("camel_case", "AuthorId"),
            ("title_case", "Author Id"),
            ("Train-Case", "AuthorId"),
        ] {
            assert_eq!(entity_column("author_id", Some(rule), None), expected, "{rule}");
        }
        for (field, rename_all, enum_name, expected) in [
            ("line_1", Some("snake_case"), None, "line1"),
            ("line_1", None, None, "line_1"),
            ("authorId", None, None, "author_id"),
            ("_id", None, None, "id"),
            ("title", None, Some("Caption"), "caption"),
            ("title", Some("UPPERCASE"), Some("Caption"), "TITLE"),
            ("line_1", None, Some("Street"), "line_1"),
        ] {
            assert_eq!(entity_column(field, rename_all, enum_name), expected, "{field} {rename_all:?} {enum_name:?}");
        }
        assert_eq!(renamed_by_sea_orm("ßa", "camelCase"), "sSa");
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
    fn a_relationship_is_a_foreign_key_without_its_ending() {
        for key in ["author_id", "author-id", "authorId", "author"] {
            assert_eq!(relationship(key), "author");
        }
        for key in ["_id", "Id", "paid", "grid", "id", "ID"] {
            assert_eq!(relationship(key), key);
        }
        assert_eq!((relationship("AUTHOR_ID"), relationship("AuthorId")), ("AUTHOR", "Author"));
    }

    #[test]
    fn a_similar_name_is_suggested_or_else_all_names() {
        let known = ["created_at", "id", "title"];
        assert_eq!(instead("creatd_at", &known), "did you mean `created_at`?");
        assert_eq!(instead("ttile", &known), "did you mean `title`?");
        assert_eq!(instead("body", &known), "write `created_at`, `id` or `title`");
        assert_eq!(instead("x", &known[..1]), "write `created_at`");
    }
}
