use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(column = "posts")]
//~^ ERROR: `column` does not belong here; write it on a field
struct Post {
    #[paginate(cursor_key)]
    //~^ ERROR: `cursor_key` does not belong here; write it on the struct
    id: i64,
}

fn main() {}
