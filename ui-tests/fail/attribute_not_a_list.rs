use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate = "posts"]
//~^ ERROR: expected parentheses: #[paginate(...)]
struct Post {
    id: i64,
}

fn main() {}
