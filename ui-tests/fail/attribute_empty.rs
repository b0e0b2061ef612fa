use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(table = "", connection = " ")]
//~^ ERROR: `table` is empty; write a name, or leave `table` out
//~| ERROR: `connection` is empty; write a name, or leave `connection` out
struct Post {
    id: i64,
    #[paginate(column = "")]
    //~^ ERROR: `column` is empty; write a name, or leave `column` out
    title: String,
}

fn main() {}
