use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(tabel = "posts", order_by = "title")]
//~^ ERROR: unknown attribute `tabel`; did you mean `table`?
//~| ERROR: unknown attribute `order_by`; write `table`, `schema`, `cursor_key`, `primary_key`, `filter`, `tenant`, `connection`, `resource` or `crate`
struct Post {
    id: i64,
    #[paginate(ignore)]
    //~^ ERROR: unknown attribute `ignore`; write `primary_key`, `column`, `skip` or `to_one`
    title: String,
}

fn main() {}
