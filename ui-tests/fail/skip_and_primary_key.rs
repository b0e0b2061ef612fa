use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    #[sqlx(default)]
    #[paginate(skip, primary_key)]
    //~^ ERROR: `skip` leaves no column for `primary_key`; keep one of the two
    number: i64,
}

fn main() {}
