use folio::{Column, IntoOrder};

#[derive(Debug, Clone)]
struct Money(i64);

const PRICE: Column<Money> = Column::new("price");

fn takes(_: impl IntoOrder) {}

fn main() {
    takes(PRICE.desc());
}
