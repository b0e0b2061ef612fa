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
    //~^ ERROR: no field named `title`
    let _another_type =
        folio::query_as!(Numbered, r#"SELECT id AS "id!", title FROM posts WHERE author_id = ?"#, author);
    //~^ ERROR: the trait bound `i64: From<std::string::String>` is not satisfied
    let _a_value_less = folio::query_as!(Card, r#"SELECT id AS "id!", title FROM posts WHERE author_id = ?"#);
    //~^ ERROR: expected 1 parameters, got 0
    let _unchecked = folio::query_as!(Card, "SELECT id, title FROM nowhere");
    //~^ ERROR: `SQLX_OFFLINE=true` but there is no cached data for this query
    let _not_a_row = folio::query_as!(Row, r#"SELECT id AS "id!", title FROM posts WHERE author_id = ?"#, author);
    //~^ ERROR: `Row` cannot be read from a row
}

struct Row {
    id: i64,
    title: String,
}
