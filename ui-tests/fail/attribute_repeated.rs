use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(table = "posts")]
#[paginate(schema = "blog", table = "articles")]
struct Post {
    id: i64,
}

fn main() {}
