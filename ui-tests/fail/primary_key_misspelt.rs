use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(primary_key = "tenant_id, nubmer")]
struct Post {
    tenant_id: i64,
    number: i64,
}

fn main() {}
