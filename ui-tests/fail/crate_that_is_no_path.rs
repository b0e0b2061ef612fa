use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(crate = "a crate")]
//~^ ERROR: `crate` takes a path; write `crate = "folio"`
struct Post {
    id: i64,
}

fn main() {}
