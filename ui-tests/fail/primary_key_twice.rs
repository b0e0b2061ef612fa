use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(primary_key = "tenant_id, id")]
struct Post {
    tenant_id: i64,
    #[paginate(primary_key)]
    id: i64,
}

fn main() {}
