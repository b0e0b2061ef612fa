use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "title dsc")]
//~^ ERROR: unknown direction `dsc`; use `asc` or `desc`
struct Post {
    id: i64,
    title: String,
}

fn main() {}
