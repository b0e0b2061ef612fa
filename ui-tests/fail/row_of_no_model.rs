use folio::RowOf;

struct Product;

#[derive(sqlx::FromRow, RowOf)]
#[paginate(of = Product)]
struct Card {
    #[paginate(expr = "1 + 1")]
    two: i64,
}

fn main() {}
