use folio::Paginate;

type Shop = Option<i64>;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(tenant = "shop_id")]
struct Product {
    id: i64,
    shop_id: Option<i64>,
    //~^ ERROR: `shop_id` is the tenant, which is never NULL; write its type without `Option`
}

#[derive(sqlx::FromRow, Paginate)]
#[paginate(tenant = "shop_id")]
struct Order {
    id: i64,
    shop_id: Shop,
    //~^ ERROR: `shop_id` is the tenant, which is never NULL; write its type without `Option`
}

fn main() {}
