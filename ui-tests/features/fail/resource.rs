#[derive(sqlx::FromRow, folio::Paginate)]
//~^ ERROR: `resource` needs the feature `json-api` of folio; enable it in Cargo.toml
#[paginate(resource = "posts")]
struct Post {
    id: i64,
}

fn main() {}
