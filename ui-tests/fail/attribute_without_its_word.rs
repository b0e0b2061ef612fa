use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate("posts")]
//~^ ERROR: unknown attribute `"posts"`; write `table`, `schema`, `cursor_key`, `primary_key`, `filter`, `tenant`, `connection`, `resource` or `crate`
struct Post {
    id: i64,
}

fn main() {}
