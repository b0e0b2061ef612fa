//! Mistakes: the offending tokens and the messages. How the compiler shows them to a user is tested in `ui-tests`.

use proc_macro2::{Delimiter, Group};
use quote::quote;
use syn::{DeriveInput, Field, Item, parse_quote};

use crate::{
    attrs::{FieldAttrs, ModelAttrs, Receiver, RowAttrs, RowFieldAttrs, ValueAttrs},
    column_value,
    errors::Errors,
    model::Model,
    row_of,
};

/// The mistakes in a struct: for each, the text that it points to, and the message.
fn mistakes(text: &str) -> Vec<(String, String)> {
    let input: DeriveInput = syn::parse_str(text).unwrap();
    let mut errors = Errors::default();
    let _ = Model::new(&input, &mut errors);
    errors.into_iter().map(|error| (error.span().source_text().unwrap(), error.to_string())).collect()
}

/// Asserts the mistakes in a struct.
#[track_caller]
fn assert(text: &str, expected: &[(&str, &str)]) {
    let mistakes = mistakes(text);
    let mistakes: Vec<_> = mistakes.iter().map(|(word, message)| (word.as_str(), message.as_str())).collect();
    assert_eq!(mistakes, expected, "{text}");
}

#[test]
fn a_model_without_attributes_has_none() {
    assert("struct Post { id: i64, title: String }", &[]);
    assert("struct Post { #[paginate()] id: i64 }", &[]);
}

#[test]
fn options_are_known_by_every_spelling_of_their_path() {
    for ty in ["Option<i64>", "std::option::Option<i64>", "::core::option::Option<i64>", "option::Option<i64>"] {
        let text = format!(r#"#[paginate(cursor_key = "score")] struct Post {{ id: i64, score: {ty} }}"#);
        assert(&text, &[(r#""score""#, "`score` may be NULL; write `score nulls first` or `score nulls last`")]);
    }
    for ty in ["my::Option<i64>", "Option", "Option<'static>", "Option<i64, i64>", "Maybe<i64>"] {
        assert(&format!(r#"#[paginate(cursor_key = "score")] struct Post {{ id: i64, score: {ty} }}"#), &[]);
    }
}

#[test]
fn an_option_is_known_in_the_invisible_parentheses_of_a_macro() {
    let ty = Group::new(Delimiter::None, quote!(Option<i64>));
    let input = parse_quote!(#[paginate(cursor_key = "score")] struct Post { id: i64, score: #ty });
    let mut errors = Errors::default();
    let _ = Model::new(&input, &mut errors);
    assert!(!errors.is_empty());
}

#[test]
fn a_model_is_known_in_the_invisible_parentheses_of_a_macro() {
    let model = Group::new(Delimiter::None, quote!(shop::Product));
    let input = parse_quote!(
        #[paginate(of = #model)]
        struct Card {
            id: i64,
        }
    );
    assert!(row_of::mistakes(&input).is_empty());
}

#[test]
fn a_key_is_found_by_field_and_by_column() {
    let model = |key: &str| {
        format!(
            r#"#[sqlx(rename_all = "camelCase")] #[paginate(cursor_key = "{key}")]
            struct Post {{ id: i64, created_at: i64, #[paginate(skip)] b: i64, #[sqlx(rename = "b")] c: i64 }}"#
        )
    };
    for key in ["created_at", "createdAt", "r#created_at", "c"] {
        assert(&model(key), &[]);
    }
    assert(r#"#[paginate(cursor_key = "b")] struct Post { id: i64, #[paginate(column = "b")] a: i64 }"#, &[]);
    // A field's own name takes precedence over another field's column.
    assert(&model("b"), &[(r#""b""#, "`b` is skipped and has no column; choose another field")]);
    assert(&model("created_at, createdAt"), &[(r#""created_at, createdAt""#, "`createdAt` is named twice; keep one")]);
}

#[test]
fn the_default_primary_key_is_the_field_or_the_column_id() {
    assert(r#"struct Post { #[sqlx(rename = "id")] number: i64 }"#, &[]);
    let missing = "`Post` has no primary key; name a field `id` or mark one with `#[paginate(primary_key)]`";
    assert("struct Post { number: i64 }", &[("Post", missing)]);
    assert("struct Post { #[sqlx(skip)] id: i64 }", &[("Post", missing)]);
    assert("struct Post {}", &[("Post", missing)]);
}

#[test]
fn a_primary_key_has_no_order() {
    let message = "a primary key has no order; write `id` alone, and its order in `cursor_key`";
    for key in ["id asc", "id nulls last"] {
        let text = format!(r#"#[paginate(primary_key = "{key}")] struct Post {{ id: i64 }}"#);
        assert(&text, &[(&format!("\"{key}\""), message)]);
    }
}

#[test]
fn one_mistake_is_reported_once() {
    // The misspelled key is not reported as missing as well.
    assert(
        "struct Post { #[paginate(primary_ky)] number: i64 }",
        &[("primary_ky", "unknown attribute `primary_ky`; did you mean `primary_key`?")],
    );
    // A column that is wrong for the primary key is not reported again for the cursor key.
    assert(
        r#"#[paginate(cursor_key = "id")] struct Post { id: Option<i64> }"#,
        &[("Option<i64>", "`id` is in the primary key, which is never NULL; write its type without `Option`")],
    );
    assert(
        "struct Post { id: i64, #[paginate(skip, primary_key)] number: i64 }",
        &[("primary_key", "`skip` leaves no column for `primary_key`; keep one of the two")],
    );
}

#[test]
fn all_mistakes_are_reported_together() {
    let text = r#"
        #[paginate(tabel = "posts", schema = 7, cursor_key = "titel up, score, id,")]
        struct Post<T> { #[paginate(skp, column = "")] id: i64, title: T, score: Option<i64> }
    "#;
    let words: Vec<_> = mistakes(text).into_iter().map(|(word, _)| word).collect();
    let key = r#""titel up, score, id,""#;
    assert_eq!(words, ["tabel", "7", "<T>", "skp", r#""""#, key, key, key]);
}

#[test]
fn a_value_that_cannot_be_read_hides_no_other_mistake() {
    assert(
        r#"#[paginate(schema = =, tabel = "posts")] struct Post { id: i64 }"#,
        &[("=", "expected an expression"), ("tabel", "unknown attribute `tabel`; did you mean `table`?")],
    );
}

#[test]
fn a_column_name_has_to_match_that_of_sqlx() {
    let text =
        r#"#[sqlx(rename_all = "UPPERCASE")] struct Post { id: i64, #[paginate(column = "caption")] title: i64 }"#;
    assert(text, &[(r#""caption""#, "sqlx reads this field from `TITLE`; remove `column`")]);
    assert(r#"struct Post { id: i64, #[sqlx(rename = "a")] #[paginate(column = "a")] title: String }"#, &[]);
    assert(
        r#"struct Post { id: i64, #[sqlx(flatten)] #[paginate(column = "a")] title: String }"#,
        &[(r#""a""#, "this field has no column of its own; remove `column`")],
    );
}

#[test]
fn a_struct_named_model_has_no_default_table() {
    let message = "`Model` does not say which table it is a row of; write `#[paginate(table = \"...\")]` on it";
    for text in [
        "struct Model { id: i64 }",
        "struct Model { #[sea_orm(primary_key)] id: i64 }",
        r#"#[sea_orm(rename_all = "camelCase")] struct Model { id: i64 }"#,
        r#"#[paginate(schema = "shop")] struct Model { id: i64 }"#,
    ] {
        assert(text, &[("Model", message)]);
    }
    assert(r#"#[paginate(table = "cakes")] struct Model { id: i64 }"#, &[]);
    assert(r#"#[sea_orm(table_name = "cakes")] struct Model { id: i64 }"#, &[]);
    // A misspelt table is one mistake.
    let misspelt = "unknown attribute `tabel`; did you mean `table`?";
    assert(r#"#[paginate(tabel = "cakes")] struct Model { id: i64 }"#, &[("tabel", misspelt)]);
}

#[test]
fn a_key_has_the_fields_that_sea_orm_marks() {
    let entity = |fields: &str| format!(r#"#[sea_orm(table_name = "cakes")] struct Model {{ {fields} }}"#);
    assert(&entity("#[sea_orm(primary_key)] number: i64"), &[]);
    assert(&entity("#[sea_orm(primary_key)] number: i64, #[paginate(primary_key)] code: i64, id: Option<i64>"), &[]);
    let missing = "`Model` has no primary key; name a field `id` or mark one with `#[paginate(primary_key)]`";
    assert(&entity("#[sea_orm(primary_key, ignore)] number: i64"), &[("Model", missing)]);
    let option = "`number` is in the primary key, which is never NULL; write its type without `Option`";
    assert(&entity("#[sea_orm(primary_key)] number: Option<i64>"), &[("Option<i64>", option)]);
}

#[test]
fn a_column_name_has_to_match_that_of_sea_orm() {
    let entity = |field: &str| {
        format!(
            r#"#[sea_orm(table_name = "a", rename_all = "UPPERCASE")] struct Model {{ id: i64, {field} title: i64 }}"#
        )
    };
    let elsewhere = |column: &str| format!("sea-orm reads this field from `{column}`; remove `column`");
    assert(&entity(r#"#[paginate(column = "caption")]"#), &[(r#""caption""#, &elsewhere("TITLE"))]);
    assert(&entity(r#"#[paginate(column = "TITLE")] #[sqlx(rename = "TITLE")]"#), &[]);
    let other = r#"#[sea_orm(column_name = "name")] #[paginate(column = "caption")]"#;
    assert(&entity(other), &[(r#""caption""#, &elsewhere("name"))]);
    let sqlx = "sea-orm reads this field from `TITLE`; write the same name here";
    assert(&entity(r#"#[sqlx(rename = "title")]"#), &[(r#""title""#, sqlx)]);
    let ignored = "this field has no column of its own; remove `column`";
    assert(&entity(r#"#[sea_orm(ignore)] #[paginate(column = "a")]"#), &[(r#""a""#, ignored)]);
    // A row of sea-orm's `FromQueryResult` that is not an entity.
    let row =
        |field: &str| format!(r#"#[paginate(cursor_key = "title")] struct Post {{ id: i64, {field} title: i64 }}"#);
    assert(&row(r#"#[sea_orm(from_alias = "name")] #[paginate(column = "name")]"#), &[]);
    let column = r#"#[sea_orm(alias = "name")] #[paginate(column = "title")]"#;
    assert(&row(column), &[(r#""title""#, &elsewhere("name"))]);
    let skipped = "`title` is skipped and has no column; choose another field";
    assert(&row("#[sea_orm(skip)]"), &[(r#""title""#, skipped)]);
    let nested = "`title` is flattened and has no column of its own; choose another field";
    assert(&row(r#"#[sea_orm(nested(prefix = "a"))]"#), &[(r#""title""#, nested)]);
}

#[test]
fn the_last_of_repeated_items_of_another_derive_counts() {
    let entity = |field: &str| {
        let entity = r#"#[sea_orm(table_name = "a")] #[paginate(cursor_key = "caption")]"#;
        format!("{entity} struct Model {{ id: i64, {field} title: i64 }}")
    };
    assert(&entity(r#"#[sea_orm(column_name = "name", column_name = "caption")]"#), &[]);
    let skipped = "`title` is skipped and has no column; choose another field";
    let text = r#"#[paginate(cursor_key = "title")] struct Post { id: i64, #[sqlx(skip)] #[sqlx(skip)] title: i64 }"#;
    assert(text, &[(r#""title""#, skipped)]);
}

#[test]
fn mistakes_in_attributes_of_sea_orm_are_left_to_sea_orm() {
    assert("struct Post { #[sea_orm(column_name = 7, what)] id: i64 }", &[]);
    assert(r#"#[sea_orm(table_name = 7, =)] struct Post { id: i64 }"#, &[]);
}

#[test]
fn mistakes_in_sqlx_attributes_are_left_to_sqlx() {
    assert("struct Post { #[sqlx(rename = 7, what, json(maybe))] id: i64 }", &[]);
    assert(r#"#[sqlx(rename_all = "Train-Case", =)] struct Post { id: i64 }"#, &[]);
}

#[test]
fn only_a_struct_with_named_fields_is_a_model() {
    for (text, word, what) in [
        ("enum Post { A }", "enum", "an enum"),
        ("union Post { id: i64 }", "union", "a union"),
        ("struct Post(i64, String);", "(i64, String)", "a tuple struct"),
        ("struct Post;", "Post", "a unit struct"),
    ] {
        let message = format!("{what} has no named fields; derive `Paginate` on a struct with named fields");
        assert(text, &[(word, &message)]);
    }
}

#[test]
fn the_names_of_a_receiver_are_those_of_its_fields() {
    let file = syn::parse_file(include_str!("../attrs.rs")).unwrap();
    for (receiver, words) in [
        ("ModelAttrs", ModelAttrs::WORDS),
        ("FieldAttrs", FieldAttrs::WORDS),
        ("RowAttrs", RowAttrs::WORDS),
        ("RowFieldAttrs", RowFieldAttrs::WORDS),
        ("ValueAttrs", ValueAttrs::WORDS),
    ] {
        let fields = file.items.iter().find_map(|item| match item {
            Item::Struct(item) if item.ident == receiver => Some(&item.fields),
            _ => None,
        });
        let name = |field: &Field| field.ident.as_ref().unwrap().to_string().replace("krate", "crate");
        assert_eq!(fields.unwrap().iter().map(name).collect::<Vec<_>>(), words, "{receiver}");
    }
}

#[test]
fn every_item_is_known() {
    for word in ModelAttrs::WORDS {
        assert(&format!(r#"#[paginate({word} = "id")] struct Post {{ id: i64 }}"#), &[]);
    }
    assert(r#"struct Post { #[paginate(primary_key, column = "a")] a: i64, #[paginate(skip)] b: i64 }"#, &[]);
    let text =
        r#"#[paginate(resource = "posts")] struct Post { id: i64, #[paginate(to_one = "people")] author_id: i64 }"#;
    assert(text, &[]);
}

#[test]
fn a_relationship_is_a_column_of_a_resource() {
    let advice = "a relationship belongs to a resource; write `#[paginate(resource = \"...\")]` on the struct";
    let text = r#"struct Post { id: i64, #[paginate(to_one = "people")] author_id: i64 }"#;
    assert(text, &[(r#""people""#, advice)]);
    for attribute in ["#[paginate(skip)]", "#[sqlx(flatten)]", "#[sqlx(json)]"] {
        let field = format!(r#"{attribute} #[paginate(to_one = "people")] a: i64"#);
        let text = format!(r#"#[paginate(resource = "posts")] struct Post {{ id: i64, {field} }}"#);
        assert(&text, &[(r#""people""#, "only a column with one value identifies a resource; remove `to_one`")]);
    }
}

/// Asserts the mistakes in a type that derives `ColumnValue`.
#[track_caller]
fn assert_value(text: &str, expected: &[(&str, &str)]) {
    let errors = column_value::mistakes(&syn::parse_str(text).unwrap());
    let mistakes = errors.into_iter().map(|error| (error.span().source_text().unwrap(), error.to_string()));
    let mistakes: Vec<_> = mistakes.collect();
    let mistakes: Vec<_> = mistakes.iter().map(|(word, message)| (word.as_str(), message.as_str())).collect();
    assert_eq!(mistakes, expected, "{text}");
}

#[test]
fn a_column_value_is_an_enum_or_a_newtype() {
    for text in [
        "enum State { Open, Closed }",
        "#[repr(i16)] enum Level { Low = -3, High }",
        "#[repr(C, u8)] enum Level { Low }",
        "struct PostId(i64);",
        "#[sqlx(transparent)] struct PostId { id: i64 }",
        r#"#[paginate(crate = "pages")] struct PostId(i64);"#,
    ] {
        let expected: &[_] = match text.contains("(C") {
            // sqlx takes the first word, too.
            true => &[("C", "no database stores `C`; write an integer such as `#[repr(i32)]`")],
            false => &[],
        };
        assert_value(text, expected);
    }
}

#[test]
fn a_column_value_has_one_value_of_one_type() {
    let one_field = "a column stores one value; derive `ColumnValue` on a struct with one field";
    for text in ["struct Money(i64, String);", "struct Money;", "struct Money { cents: i64, currency: String }"] {
        assert_value(text, &[("Money", one_field)]);
    }
    let composite = "sqlx stores a struct with a named field as a composite type; write `#[sqlx(transparent)]`";
    assert_value("struct PostId { id: i64 }", &[("PostId", composite)]);
    let union = "a union has no single value; derive `ColumnValue` on an enum or a newtype";
    assert_value("union Id { a: i64 }", &[("union", union)]);
    let generic = "`Id` is generic, but a column has one type; remove the parameters";
    assert_value("struct Id<T>(T);", &[("<T>", generic)]);
    let option = "`Score` is in an `Option` if its column may be NULL; write the type without `Option` here, and \
                  `Option<Score>` in the model";
    assert_value("struct Score(Option<i32>);", &[("Option<i32>", option)]);
}

#[test]
fn the_variants_of_a_column_value_are_told_apart() {
    assert_value("enum State {}", &[("State", "`State` has no variants, so no column can store it")]);
    let fields = "`Other` has fields, which a column of an enum does not store; remove them, or read the column with \
                  `#[sqlx(json)]`";
    assert_value("enum State { Open, Other(String) }", &[("(String)", fields)]);
    let same = "another variant is stored as `open`; rename one of them";
    let text = r#"#[sqlx(rename_all = "lowercase")] enum State { Open, #[sqlx(rename = "open")] Opened }"#;
    assert_value(text, &[("Opened", same)]);
    let repr = "no database stores `usize`; write an integer such as `#[repr(i32)]`";
    assert_value("#[repr(usize)] enum State { Open }", &[("usize", repr)]);
}

#[test]
fn the_variants_of_an_active_enum_are_told_apart() {
    let text =
        |variants: &str| format!(r#"#[sea_orm(rs_type = "String", db_type = "Text")] enum Tea {{ {variants} }}"#);
    let same = "another variant is stored as `a`; write another text for one of them";
    let variants = r#"#[sea_orm(string_value = "a")] Green, #[sea_orm(string_value = "a")] Black"#;
    assert_value(&text(variants), &[("Black", same)]);
    let number = |ty: &str, variants: &str| {
        format!(r#"#[sea_orm(rs_type = "{ty}", db_type = "Integer")] enum Level {{ {variants} }}"#)
    };
    let same = "another variant is stored as `-1`; write another number for one of them";
    assert_value(&number("i32", "Low = -1, #[sea_orm(num_value = -1)] High"), &[("High", same)]);
    let advice = "no database stores `usize`; write `rs_type = \"String\"`, or an integer such as `rs_type = \"i32\"`";
    assert_value(&number("usize", "Low = 1"), &[(r#""usize""#, advice)]);
}

#[test]
fn mistakes_in_an_active_enum_are_left_to_sea_orm() {
    for text in [
        r#"#[sea_orm(rs_type = "String", db_type = "Text")] enum Tea { Green, Black }"#,
        r#"#[sea_orm(rs_type = "i32", db_type = "Integer")] enum Tea { Green, Black = 1 << 2 }"#,
        r#"#[sea_orm(db_type = 7)] enum Tea { Green, #[sea_orm(num_value = "a")] Black }"#,
    ] {
        assert_value(text, &[]);
    }
    assert_value("#[sea_orm(try_from_u64)] struct Id { id: i64 }", &[]);
}

#[test]
fn paginate_on_a_column_value_names_the_crate() {
    let unknown = "unknown attribute `table`; write `sea_orm` or `crate`";
    assert_value(r#"#[paginate(table = "a")] struct Id(i64);"#, &[("table", unknown)]);
    assert_value(
        "enum A { #[paginate(skip)] B }",
        &[("#[paginate(skip)]", "`paginate` has no meaning on a variant; remove it")],
    );
}

#[test]
fn a_filter_stays_inside_its_parentheses_and_takes_no_values() {
    let model = |filter: &str| format!("#[paginate(filter = {filter:?})] struct Post {{ id: i64 }}");
    for (filter, mark) in [
        ("deleted = 0) OR (1 = 1", ")"),
        ("(deleted = 0", "("),
        ("a = 0; DROP TABLE posts", ";"),
        ("a = 0 -- b", "--"),
        ("a = 0 /* b", "/*"),
        ("a = 0 # b", "#"),
        ("a #-- b", "--"),
        ("tags[$1:2]", "$1"),
        ("a[1] = :a", ":a"),
        ("a = ?", "?"),
        ("a = $2", "$2"),
        ("a = :a", ":a"),
        ("a = @a", "@a"),
        ("a = 'b", "'"),
        ("a = 'it''s' AND b = \"c", "\""),
    ] {
        let advice = "write a condition without comments and parameters, such as `deleted_at IS NULL`";
        assert(&model(filter), &[(&format!("{filter:?}"), &format!("`filter` has `{mark}`; {advice}"))]);
    }
    for filter in [
        "deleted_at IS NULL",
        "(a = 0 OR b IN (1, 2)) AND c <> '; -- /* ? $1 )'",
        "a::text = 'it''s (' AND \"odd?\" - -1 > `b)` / 2",
        "tags @> '{}'",
        "data #>> '{state}' = 'open' AND data #> '{a}' IS NOT NULL AND data #- '{a}' = '{}'",
        "tags[1:2] = names[:n] AND a::text[] = tags[i:]",
    ] {
        assert(&model(filter), &[]);
    }
}

#[test]
fn a_row_of_a_model_has_columns_of_its_own() {
    let row = |text: &str, expected: &[(&str, &str)]| {
        let errors = row_of::mistakes(&syn::parse_str(text).unwrap());
        let found: Vec<_> =
            errors.into_iter().map(|error| (error.span().source_text().unwrap(), error.to_string())).collect();
        let found: Vec<_> = found.iter().map(|(word, message)| (word.as_str(), message.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    };
    row("#[paginate(of = shop::Product)] struct Card { id: i64 }", &[]);
    let none = "`Card` has no columns; write a field for each";
    row("#[paginate(of = Product)] struct Card {}", &[("Card", none)]);
    row("#[paginate(of = Product)] struct Card { #[sqlx(skip)] id: i64 }", &[("Card", none)]);
    let flattened = "a flattened field hides its columns; write them as fields of `Card`";
    row("#[paginate(of = Product)] struct Card { #[sqlx(flatten)] maker: Maker }", &[("maker", flattened)]);
    let generic = "`Card` is generic, but it has one list of columns; remove the parameters";
    row("#[paginate(of = Product)] struct Card<T> { id: T }", &[("<T>", generic)]);
    let skipped = "`skip` leaves no column for `expr`; keep one of the two";
    row(
        r#"#[paginate(of = Product)] struct Card { id: i64, #[paginate(skip, expr = "1 + 1")] two: i64 }"#,
        &[(r#""1 + 1""#, skipped)],
    );
    row(
        r#"#[paginate(of = Product)] struct Card { id: i64, #[sqlx(skip)] #[paginate(expr = "1 + 1")] two: i64 }"#,
        &[(r#""1 + 1""#, skipped)],
    );
    let tuple = "a tuple struct has no named fields; derive `RowOf` on a struct with named fields";
    row("#[paginate(of = Product)] struct Card(i64);", &[("(i64)", tuple)]);
    let elsewhere = "`expr` does not belong here; write it on a field";
    row(r#"#[paginate(of = Product, expr = "1")] struct Card { id: i64 }"#, &[("expr", elsewhere)]);
}
