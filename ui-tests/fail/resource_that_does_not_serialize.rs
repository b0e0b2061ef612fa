use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(resource = "articles")]
//~^ E0277
struct Post {
    id: i64,
}

fn main() {}
