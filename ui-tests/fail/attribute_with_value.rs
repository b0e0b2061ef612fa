use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    #[paginate(primary_key = true)]
    //~^ ERROR: `primary_key` takes no value; write `primary_key`
    id: i64,
}

fn main() {}
