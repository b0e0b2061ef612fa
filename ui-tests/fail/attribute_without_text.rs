use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(table, schema = blog, connection = 7)]
//~^ ERROR: `table` takes a string; write `table = "..."`
//~| ERROR: `schema` takes a string; write `schema = "..."`
//~| ERROR: `connection` takes a string; write `connection = "..."`
struct Post {
    id: i64,
}

fn main() {}
