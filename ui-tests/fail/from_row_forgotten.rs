use folio::Paginate;

#[derive(Paginate)]
//~^ ERROR: no enabled sqlx driver can read `Post` from a row
struct Post {
    id: i64,
    title: String,
}

fn main() {}
