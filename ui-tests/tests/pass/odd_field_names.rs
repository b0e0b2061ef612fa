//! Fields with the names of keywords, of derived functions and of what the derived code speaks of.
use folio::Paginate;

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "type, r#match desc, query nulls first")]
struct Post {
    id: i64,
    r#type: String,
    r#match: i32,
    query: Option<String>,
    on: bool,
    paginate: i64,
    cursor_key: i64,
    values: i64,
    table: i64,
    key: i64,
    reader: i64,
    self_: i64,
    direction: i64,
    variants: i64,
}

#[derive(sqlx::FromRow, Paginate)]
#[allow(non_camel_case_types)]
struct r#struct {
    id: i64,
}

#[test]
fn names_of_keywords_and_derived_functions() {
    assert_eq!(Post::TYPE.name(), "type");
    assert_eq!(Post::MATCH.name(), "match");
    assert_eq!(Post::QUERY.name(), "query");
    assert_eq!(Post::TABLE.name(), "table");
    assert_eq!(Post::KEY.name(), "key");
    assert_eq!(Post::READER.name(), "reader");
    let key = PostKey { r#type: "t".to_owned(), r#match: 1, query: None, id: 7 };
    assert_eq!(PostKey::VARIANTS.map(folio::Variant::as_str), ["String", "Int", "String", "BigInt"]);
    assert_eq!(key.clone(), key);
    assert_eq!(r#struct { id: 7 }.cursor_key(), structKey { id: 7 });
    let _ = (Post::query(), r#struct::query());
}
