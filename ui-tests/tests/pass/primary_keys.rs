//! The ways to name a primary key, and how it closes a cursor key.
use folio::{Paginate, Variant};

#[derive(sqlx::FromRow, Paginate)]
struct Marked {
    #[paginate(primary_key)]
    tenant_id: i32,
    #[paginate(primary_key)]
    number: i64,
}

#[derive(sqlx::FromRow, Paginate)]
#[paginate(primary_key = "tenant_id, number", cursor_key = "name desc, number asc")]
struct Listed {
    number: i64,
    tenant_id: i32,
    name: String,
}

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "id")]
struct Whole {
    id: i64,
}

#[test]
fn a_primary_key_closes_a_cursor_key() {
    assert_eq!(MarkedKey::VARIANTS, [Variant::Int, Variant::BigInt]);
    assert_eq!(ListedKey::VARIANTS, [Variant::String, Variant::BigInt, Variant::Int]);
    assert_eq!(WholeKey::VARIANTS, [Variant::BigInt]);
    let _ = (Marked::query(), Listed::query(), Whole::query());
}
