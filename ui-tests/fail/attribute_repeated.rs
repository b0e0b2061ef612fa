use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(table = "posts")]
#[paginate(schema = "blog", table = "articles")]
//~^ ERROR: `table` is given twice; keep one
struct Post {
    id: i64,
}

fn main() {}
