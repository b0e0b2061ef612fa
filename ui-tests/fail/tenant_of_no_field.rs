use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(tenant = "shop")]
struct Product {
    id: i64,
    shop_id: i64,
}

fn main() {}
