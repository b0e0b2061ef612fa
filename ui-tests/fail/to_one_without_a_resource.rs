use folio::Paginate;

#[derive(serde::Serialize, sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    #[paginate(to_one = "people")]
    //~^ ERROR: a relationship belongs to a resource; write `#[paginate(resource = "...")]` on the struct
    author_id: i64,
}

fn main() {}
