#[derive(sqlx::FromRow, folio::Paginate)]
#[paginate(table = "blog.posts")]
//~^ ERROR: `table` is a name without its schema; write `schema = "blog", table = "posts"`
struct Post {
    id: i64,
}

fn main() {}
