use folio::Paginate;

type Id = Option<i64>;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: Id,
    //~^ ERROR: `id` is in the primary key, which is never NULL; write its type without `Option`
    title: String,
}

fn main() {}
