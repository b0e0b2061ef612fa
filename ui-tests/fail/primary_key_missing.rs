use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
//~^ ERROR: `Post` has no primary key; name a field `id` or mark one with `#[paginate(primary_key)]`
    number: i64,
    title: String,
}

fn main() {}
