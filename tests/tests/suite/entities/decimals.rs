//! Decimals. SQLite has none, and sea-orm stores them there as REAL.

use folio::sea_orm::{Db, SortColumn as _};
use folio::testing::Walk;
use folio::{Column, CursorPaginator, FrameworkError, IntoOrder as _, Order, Select};
use sea_orm::prelude::Decimal;
use sea_orm::{EntityTrait as _, IntoActiveModel as _};
use sqlx::Database as _;

use crate::server::{self, ID};
use crate::suite::db;

mod price {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "entity_prices")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: i64,
        #[sea_orm(column_type = "Decimal(Some((16, 4)))")]
        pub(super) amount: Decimal,
        #[sea_orm(column_type = "Decimal(Some((16, 4)))")]
        pub(super) discount: Option<Decimal>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

fn prices() -> Vec<price::Model> {
    let amounts = ["0.1", "0.3", "10", "9.99", "-2.5", "0.3000", "123456789.0001", "0", "0.7", "9.99", "-0.1", "1"];
    let amount = |at: usize| amounts[at % amounts.len()].parse::<Decimal>().unwrap();
    let price = |at: usize| price::Model {
        id: i64::try_from(at).unwrap(),
        amount: amount(at),
        discount: (!at.is_multiple_of(3)).then(|| amount(at / 3)),
    };
    (0..30).map(price).collect()
}

#[tokio::test]
async fn pages_are_in_the_order_of_a_decimal() {
    let is_sqlite = server::Driver::NAME == "SQLite";
    let kind = if is_sqlite { "REAL" } else { "DECIMAL(16, 4)" };
    let create = format!("CREATE TABLE entity_prices (id {ID}, amount {kind} NOT NULL, discount {kind})");
    let (folio, _pool) = db::folio(&create).await;
    let check = async {
        let prices = prices();
        let rows = prices.iter().cloned().map(price::Model::into_active_model);
        price::Entity::insert_many(rows).exec_without_returning(&Db).await?;
        let (mut sorted, mut by_discount) = (prices.clone(), prices);
        sorted.sort_by_key(|price| (price.amount, price.id));
        by_discount.sort_by_key(|price| (price.discount, price.id));
        by_discount.reverse();
        let amount = || price::Column::Amount.asc().erased();
        let discount = || (price::Column::Discount.desc().nulls_last(), price::Column::Id.desc()).erased();
        if !is_sqlite {
            walks(&sorted, amount).await;
            walks(&by_discount, discount).await;
            return Ok(());
        }
        // A cursor has no decimals of SQLite, but what it stores for them.
        for order in [amount, discount] {
            let error = page(order(), None, 4).await.unwrap_err().to_string();
            assert!(error.contains("SQLite has no type for a cursor value of the variant Decimal"), "{error}");
            assert!(error.contains("`Column::<f64>::new(\"…\")`"), "{error}");
        }
        let (stored, id) = (Column::<f64>::new("amount"), Column::<i64>::new("id"));
        walks(&sorted, || (stored, id).erased()).await;
        let stored = Column::<Option<f64>>::new("discount").desc().nulls_last();
        walks(&by_discount, || (stored, id.desc()).erased()).await;
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

async fn page(order: Order, cursor: Option<String>, per_page: u64) -> folio::Result<CursorPaginator<i64>> {
    let select = Select::entity(price::Entity::find()).order_by(order).cursor(cursor.as_deref());
    Ok(select.cursor_paginate(per_page).await?.map(|price| price.id))
}

async fn walks(expected: &[price::Model], order: impl Fn() -> Order) {
    for per_page in [1, 4] {
        let walk = Walk::over(expected.iter().map(|price| price.id)).both_ways();
        walk.run(async |cursor| page(order(), cursor, per_page).await).await.unwrap();
    }
}
