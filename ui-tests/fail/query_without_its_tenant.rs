use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(tenant = "shop_id")]
struct Product {
    id: i64,
    shop_id: i64,
}

fn main() {
    let _ = Product::of(7);
    let _ = Product::unfiltered();
    let _ = Product::query();
}
