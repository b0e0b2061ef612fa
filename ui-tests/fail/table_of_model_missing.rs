use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Model {
//~^ ERROR: `Model` does not say which table it is a row of; write `#[paginate(table = "...")]` on it
    id: i64,
}

fn main() {}
