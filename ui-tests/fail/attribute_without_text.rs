use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(table, schema = blog, connection = 7)]
struct Post {
    id: i64,
}

fn main() {}
