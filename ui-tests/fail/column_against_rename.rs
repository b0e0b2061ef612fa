use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    #[sqlx(rename = "headline")]
    #[paginate(column = "caption")]
    //~^ ERROR: sqlx reads this field from `headline`; remove `column`
    title: String,
}

fn main() {}
