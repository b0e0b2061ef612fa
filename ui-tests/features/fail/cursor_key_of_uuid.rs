use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: uuid::Uuid,
    //~^ ERROR: cannot be used in a cursor key
}

fn main() {}
