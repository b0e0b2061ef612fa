//! Snapshots of expansions. `EXPANSIONS=overwrite cargo test -p folio-macros` updates them.

use std::{env, fs, path::Path};

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_quote};

use crate::{column_value, expand, row_of};

/// The maximum number of lines in the expansion of a struct with eight fields. Behaviour belongs in the runtime.
const MOST_LINES: usize = 60;

/// Asserts that a struct expands to the text in `expansions/name.rs`.
#[track_caller]
fn assert_expansion(name: &str, input: &DeriveInput) {
    assert_text(name, expand::derive(input));
}

#[track_caller]
fn assert_text(name: &str, tokens: TokenStream) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/expansions").join(name).with_extension("rs");
    let expansion = prettyplease::unparse(&syn::parse2(tokens).unwrap());
    if env::var_os("EXPANSIONS").is_some() {
        fs::write(&file, &expansion).unwrap();
    }
    assert_eq!(expansion, fs::read_to_string(&file).unwrap(), "{}", file.display());
    assert!(expansion.lines().count() <= MOST_LINES, "{}", file.display());
}

#[test]
fn post() {
    assert_expansion(
        "post",
        &parse_quote! {
            #[paginate(cursor_key = "created_at")]
            pub struct Post {
                id: i64,
                author_id: i64,
                title: String,
                body: String,
                slug: String,
                score: Option<i32>,
                published: bool,
                created_at: DateTime<Utc>,
            }
        },
    );
}

#[test]
fn a_default_filter() {
    assert_expansion(
        "a_default_filter",
        &parse_quote! {
            #[paginate(filter = "deleted_at IS NULL")]
            struct Post {
                id: i64,
            }
        },
    );
}

#[test]
fn a_tenant() {
    assert_expansion(
        "a_tenant",
        &parse_quote! {
            #[paginate(tenant = "shop", filter = "deleted_at IS NULL")]
            struct Product {
                id: i64,
                #[sqlx(rename = "shop_id")]
                shop: i64,
            }
        },
    );
}

#[test]
fn every_attribute() {
    assert_expansion(
        "every_attribute",
        &parse_quote! {
            #[serde(rename_all = "kebab-case", default)]
            #[sqlx(rename_all = "camelCase")]
            #[paginate(
                schema = "shop",
                table = "articles",
                connection = "reports",
                resource = "products",
                crate = "pages",
                primary_key = "tenant_id, type",
                cursor_key = "price_cents desc nulls last, type asc nulls first"
            )]
            struct Product {
                tenant_id: i32,
                #[serde(alias = "a", alias = "b", rename(deserialize = "sort", serialize = "kind"))]
                r#type: String,
                price_cents: Option<i64>,
                #[sqlx(json)]
                tags: Vec<String>,
                #[sqlx(try_from = "String")]
                #[paginate(to_one = "states")]
                state: State,
                #[sqlx(skip)]
                draft: Draft,
                #[sqlx(flatten)]
                maker: Maker,
            }
        },
    );
}

#[test]
fn a_key_may_have_its_two_names_in_two_attributes() {
    let resource = |rename: TokenStream, rename_all: TokenStream| {
        expand::derive(&parse_quote! {
            #rename_all
            #[paginate(resource = "posts", primary_key = "first_id, second_id")]
            struct Post { #rename first_id: i64, second_id: i64 }
        })
        .to_string()
    };
    let expected = resource(quote!(#[serde(rename = "a")]), quote!(#[serde(rename_all = "camelCase")]));
    assert!(expected.contains(r#""a""#) && expected.contains(r#""secondId""#), "{expected}");
    let split = resource(
        quote!(#[serde(rename(serialize = "a"))] #[serde(rename(deserialize = "b"))]),
        quote!(#[serde(rename_all(serialize = "camelCase"), rename_all(deserialize = "UPPERCASE"))]),
    );
    assert_eq!(split, expected);
}

#[test]
fn an_entity_of_sea_orm() {
    assert_expansion(
        "an_entity",
        &parse_quote! {
            #[sea_orm(table_name = "cakes", schema_name = "shop", rename_all = "camelCase")]
            #[sea_orm(model_ex)]
            pub struct Model {
                #[sea_orm(primary_key, auto_increment = false)]
                pub baker_id: i32,
                #[sea_orm(primary_key)]
                pub number: i64,
                #[sea_orm(column_name = "label", column_type = "String(StringLen::N(255))", unique)]
                pub name: String,
                #[sea_orm(ignore)]
                pub is_fresh: bool,
            }
        },
    );
}

#[test]
fn the_copy_of_an_entity_with_its_relations_is_no_model() {
    for copy in [
        parse_quote!(
            #[sea_orm(table_name = "cakes")]
            struct ModelEx {
                id: i64,
                fillings: HasMany<super::filling::Entity>,
            }
        ),
        parse_quote!(
            struct ModelEx {
                #[sea_orm(primary_key)]
                id: i64,
            }
        ),
    ] {
        assert!(expand::derive(&copy).is_empty());
    }
    // Without an attribute of sea-orm, it is a struct like any other.
    assert!(
        !expand::derive(&parse_quote!(
            struct ModelEx {
                id: i64,
            }
        ))
        .is_empty()
    );
}

#[test]
fn a_mistake_leaves_the_rest() {
    assert_expansion(
        "a_mistake",
        &parse_quote! {
            #[paginate(cursor_key = "titel, score desc nulls first")]
            struct Post {
                id: i64,
                score: Option<i32>,
            }
        },
    );
}

#[test]
fn column_values() {
    let types: [DeriveInput; 4] = [
        parse_quote! {
            #[sqlx(rename_all = "snake_case")]
            enum State { Open, InReview, #[sqlx(rename = "done")] Closed }
        },
        parse_quote! {
            #[repr(i16)]
            #[paginate(crate = "pages")]
            enum Level { Low = 1, High = 2 }
        },
        parse_quote!(
            struct PostId(i64);
        ),
        parse_quote! {
            #[sqlx(transparent)]
            struct Slug { text: String }
        },
    ];
    let expansions = types.iter().map(column_value::derive);
    assert_text("column_values", quote!(#(#expansions)*));
}

#[test]
fn column_values_of_sea_orm() {
    let types: [DeriveInput; 6] = [
        parse_quote! {
            #[sea_orm(rs_type = "String", db_type = "String(StringLen::None)", rename_all = "snake_case")]
            enum State { Open, InReview, #[sea_orm(string_value = "done")] Closed, #[sea_orm(rename = "UPPERCASE")] Lost }
        },
        parse_quote! {
            #[sea_orm(db_type = "Enum", enum_name = "Odd \"tea\"")]
            enum Tea { #[sea_orm(string_value = "green")] Green }
        },
        parse_quote! {
            #[sea_orm(rs_type = "i16", db_type = "SmallInteger")]
            enum Level { #[sea_orm(num_value = -1)] Low, High = 2 }
        },
        parse_quote! {
            #[sea_orm(value_type = "String", from_str = "Tag::parse")]
            struct Tag { text: String }
        },
        parse_quote! {
            #[sea_orm(try_from_u64)]
            struct PostId(i64);
        },
        parse_quote! {
            #[paginate(sea_orm)]
            struct Slug(String);
        },
    ];
    let expansions = types.iter().map(column_value::derive);
    assert_text("column_values_of_sea_orm", quote!(#(#expansions)*));
}

#[test]
fn a_row_of_a_model() {
    let card: DeriveInput = parse_quote! {
        #[paginate(of = shop::Product)]
        #[sqlx(rename_all = "camelCase")]
        struct Card {
            id: i64,
            #[sqlx(json)]
            all_tags: Vec<String>,
            #[paginate(expr = "price * 2")]
            doubled: i64,
        }
    };
    assert_text("row_of", row_of::derive(&card));
}
