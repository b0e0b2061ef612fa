use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(tenant = "shop")]
//~^ ERROR: unknown field `shop`; did you mean `shop_id`?
struct Product {
    id: i64,
    shop_id: i64,
}

fn main() {}
