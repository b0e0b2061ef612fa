use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(primary_key = "tenant_id, nubmer")]
//~^ ERROR: unknown field `nubmer`; did you mean `number`?
struct Post {
    tenant_id: i64,
    number: i64,
}

fn main() {}
