use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(table = "", connection = " ")]
struct Post {
    id: i64,
    #[paginate(column = "")]
    title: String,
}

fn main() {}
