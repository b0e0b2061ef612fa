use folio::Paginate;

type Shop = Option<i64>;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(tenant = "shop_id")]
struct Product {
    id: i64,
    shop_id: Option<i64>,
}

#[derive(sqlx::FromRow, Paginate)]
#[paginate(tenant = "shop_id")]
struct Order {
    id: i64,
    shop_id: Shop,
}

fn main() {}
