//! Text that sqlx checks at compile time. The folder `.sqlx` has what it found.

#[derive(sqlx::FromRow)]
struct Card {
    id: i64,
    title: String,
}

#[derive(sqlx::FromRow)]
struct Untitled {
    id: i64,
}

#[derive(sqlx::FromRow)]
struct Numbered {
    id: i64,
    title: i64,
}

fn main() {
    let author = 7_i64;
    let _a_field_less =
        folio::query_as!(Untitled, r#"SELECT id AS "id!", title FROM posts WHERE author_id = ?"#, author);
    let _another_type =
        folio::query_as!(Numbered, r#"SELECT id AS "id!", title FROM posts WHERE author_id = ?"#, author);
    let _a_value_less = folio::query_as!(Card, r#"SELECT id AS "id!", title FROM posts WHERE author_id = ?"#);
    let _unchecked = folio::query_as!(Card, "SELECT id, title FROM nowhere");
    let _not_a_row = folio::query_as!(Row, r#"SELECT id AS "id!", title FROM posts WHERE author_id = ?"#, author);
}

struct Row {
    id: i64,
    title: String,
}
