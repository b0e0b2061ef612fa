//! Rows of a model: with renamed, JSON, converted, skipped and computed fields, and of a model in another module.
#![deny(warnings)]

mod shop {
    #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    #[sqlx(rename_all = "camelCase")]
    pub struct Product {
        pub id: i64,
        pub price_in_cents: i64,
        #[sqlx(rename = "title")]
        pub name: String,
        #[sqlx(json)]
        pub tags: Vec<String>,
        #[sqlx(try_from = "i64")]
        pub stock: u128,
        #[sqlx(flatten)]
        pub maker: Maker,
        pub r#type: Option<String>,
    }

    #[derive(Debug, sqlx::FromRow)]
    pub struct Maker {
        pub maker: String,
    }
}

#[derive(Debug, sqlx::FromRow, folio::RowOf)]
#[paginate(of = shop::Product)]
#[sqlx(rename_all = "camelCase")]
struct Card {
    price_in_cents: i64,
    #[sqlx(rename = "title")]
    name: String,
    #[sqlx(json)]
    tags: Vec<String>,
    #[sqlx(try_from = "i64")]
    stock: u128,
    r#type: Option<String>,
    #[sqlx(skip)]
    unread: bool,
    #[paginate(expr = "priceInCents * 2")]
    twice_as_much: i64,
    #[paginate(expr = "'[\"none\"]'")]
    #[sqlx(json)]
    labels: Vec<String>,
}

/// Of a private model, and with a handwritten `FromRow`.
#[derive(sqlx::FromRow, folio::Paginate)]
struct Note {
    #[sqlx(rename = "number")]
    id: i64,
}

#[derive(folio::RowOf)]
#[paginate(of = Note, crate = "folio")]
struct OnlyId {
    #[paginate(column = "number")]
    id: i64,
    #[paginate(skip)]
    is_new: bool,
}

impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for OnlyId
where
    &'static str: sqlx::ColumnIndex<R>,
    i64: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
{
    fn from_row(row: &'r R) -> sqlx::Result<Self> {
        Ok(Self { id: row.try_get("number")?, is_new: false })
    }
}

#[test]
fn rows_are_of_their_models() {
    let _ = shop::Product::query().rows::<Card>();
    let _ = Note::query().rows::<OnlyId>().with(folio::Column::<i64>::expr("one", folio::sea_query::Expr::cust("1")));
}
