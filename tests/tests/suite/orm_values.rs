//! Enums and newtypes with sea-orm's derives, as columns.

use folio::sea_orm::Db;
use folio::testing::Walk;
use folio::{Column, ColumnValue, CursorDirection, CursorValue, FilterExpr, Paginate};
use sea_orm::EntityTrait;
use sea_orm::entity::prelude::*;
use sqlx::Database as _;

use crate::server::{self, ID, TEXT, types};
use crate::suite::db;

/// An enum of PostgreSQL, whose name is only found in quotes. Elsewhere it is a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, EnumIter, DeriveActiveEnum, ColumnValue)]
#[sea_orm(rs_type = "String", db_type = "Enum", enum_name = "OrmTea", rename_all = "kebab-case")]
enum Tea {
    #[sea_orm(rename = "UPPERCASE")]
    White,
    #[sea_orm(string_value = "assam")]
    Black,
    EarlGrey,
}

/// The same, of which sea-orm makes a value of its own kind.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum, ColumnValue)]
#[sea_orm(db_type = "Enum", enum_name = "OrmTea")]
enum Blend {
    #[sea_orm(string_value = "assam")]
    Black,
    #[sea_orm(string_value = "WHITE")]
    White,
}

/// An enum in a column of texts.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum, ColumnValue)]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "title_case")]
enum Size {
    ExtraLarge,
    #[sea_orm(string_value = "S")]
    Small,
}

/// An enum in a column of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, EnumIter, DeriveActiveEnum, ColumnValue)]
#[sea_orm(rs_type = "i16", db_type = "SmallInteger")]
enum Heat {
    Iced = -5,
    #[sea_orm(num_value = 3)]
    Warm,
    #[sea_orm(num_value = 20)]
    Hot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, DeriveValueType, ColumnValue)]
#[paginate(sea_orm)]
struct CupId(i64);

/// A number that is stored as a text, such as `t7`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveValueType, ColumnValue)]
#[sea_orm(value_type = "String", from_str = "Tag::parse", to_str = "Tag::text")]
struct Tag(u8);

impl Tag {
    fn parse(text: &str) -> Result<Self, std::num::ParseIntError> {
        text.trim_start_matches('t').parse().map(Self)
    }

    fn text(&self) -> String {
        format!("t{}", self.0)
    }
}

/// A newtype of an enum of PostgreSQL.
#[derive(Clone, Debug, PartialEq, DeriveValueType, ColumnValue)]
#[sea_orm(column_type = "Text", array_type = "String")]
struct Favorite(Tea);

mod cup {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Paginate)]
    #[sea_orm(table_name = "orm_cups")]
    #[paginate(cursor_key = "tea desc, second desc nulls last, heat")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: CupId,
        pub(super) tea: Tea,
        pub(super) second: Option<Tea>,
        pub(super) heat: Heat,
        pub(super) size: Size,
        pub(super) tag: Tag,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Cups with each combination of teas and heats, some of them twice.
fn cups() -> Vec<cup::Model> {
    let second = [None, Some(Tea::Black), Some(Tea::White)];
    let cup = |n: u8| {
        let at = usize::from(n);
        cup::Model {
            id: CupId(n.into()),
            tea: [Tea::Black, Tea::EarlGrey, Tea::White][at % 3],
            second: second[at / 3 % 3],
            heat: [Heat::Hot, Heat::Iced, Heat::Warm][at / 9 % 3],
            size: if n < 10 { Size::ExtraLarge } else { Size::Small },
            tag: Tag(n),
        }
    };
    (0..40).map(cup).collect()
}

#[tokio::test]
async fn enums_and_newtypes_of_sea_orm_are_columns() {
    // In the order of their bytes, which is that of a text.
    let create = "CREATE TYPE \"OrmTea\" AS ENUM ('WHITE', 'assam', 'earl-grey');";
    let is_postgres = server::Driver::NAME == "PostgreSQL";
    let (create, tea) = if is_postgres { (create, "\"OrmTea\"") } else { ("", TEXT) };
    let (folio, _pool) = db::folio(&format!(
        "{create} CREATE TABLE orm_cups (id {ID}, tea {tea} NOT NULL, second {tea}, heat {} NOT NULL, \
             size {TEXT} NOT NULL, tag {TEXT} NOT NULL)",
        types::SMALLINT
    ))
    .await;
    let check = async {
        let mut sorted = cups();
        let active = sorted.iter().cloned().map(cup::ActiveModel::from);
        cup::Entity::insert_many(active).exec_without_returning(&Db).await.unwrap();
        sorted.sort_by(|a, b| (b.tea, b.second, a.heat, a.id).cmp(&(a.tea, a.second, b.heat, b.id)));
        walks(&sorted).await;
        filters(&sorted).await;
    };
    folio.scope(check).await;
}

/// Pages by cursors of both kinds, over all cups.
async fn walks(sorted: &[cup::Model]) {
    let ids: Vec<_> = sorted.iter().map(|cup| cup.id).collect();
    for per_page in [1, 7] {
        let walk = Walk::over(ids.clone()).both_ways().run(async |cursor| {
            let page = cup::Model::query().cursor(cursor.as_deref()).cursor_paginate(per_page).await?;
            Ok(page.map(|cup| cup.id))
        });
        walk.await.unwrap();
    }
    for at in [0, 5, 17, 39] {
        let cursor = sorted[at].cursor_key().encode(CursorDirection::Next).unwrap();
        let page = cup::Model::query().cursor(Some(&cursor)).cursor_paginate(4).await.unwrap();
        assert_eq!(page.data, sorted[at + 1..].iter().take(4).cloned().collect::<Vec<_>>());
    }
}

/// Comparisons with values of each type.
async fn filters(sorted: &[cup::Model]) {
    let by_id = cup::Model::query().find(CupId(3)).await.unwrap();
    assert_eq!(by_id.as_ref(), sorted.iter().find(|cup| cup.id == CupId(3)));
    let matches = |expected: fn(&cup::Model) -> bool| -> Vec<cup::Model> {
        sorted.iter().filter(|cup| expected(cup)).cloned().collect()
    };
    type Case = (FilterExpr<cup::Model>, fn(&cup::Model) -> bool);
    let cases: [Case; 7] = [
        (cup::Model::TEA.eq(Tea::EarlGrey), |cup| cup.tea == Tea::EarlGrey),
        (cup::Model::TEA.gt(Tea::White), |cup| cup.tea > Tea::White),
        (cup::Model::TEA.is_in([Tea::White, Tea::Black]), |cup| cup.tea != Tea::EarlGrey),
        (cup::Model::SECOND.eq(Tea::Black), |cup| cup.second == Some(Tea::Black)),
        (cup::Model::HEAT.lt(Heat::Hot), |cup| cup.heat < Heat::Hot),
        (cup::Model::SIZE.eq(Size::ExtraLarge), |cup| cup.size == Size::ExtraLarge),
        (cup::Model::TAG.eq(Tag(11)), |cup| cup.tag == Tag(11)),
    ];
    for (filter, expected) in cases {
        let found = cup::Model::query().filter(filter).cursor_paginate(100).await.unwrap();
        assert_eq!(found.data, matches(expected));
    }
    // Other types for the same column.
    let blend = Column::<Blend>::new("tea").eq(Blend::White);
    let favorite = Column::<Favorite>::new("tea").eq(Favorite(Tea::White));
    for filter in [blend, favorite] {
        let found = cup::Model::query().filter(filter).cursor_paginate(100).await.unwrap();
        assert_eq!(found.data, matches(|cup| cup.tea == Tea::White));
    }
    // sea-orm has its own conversions into values, and finds the same rows.
    let hot = cup::Entity::find().filter(cup::Column::Heat.eq(Heat::Hot)).all(&Db).await.unwrap();
    assert_eq!(hot.len(), matches(|cup| cup.heat == Heat::Hot).len());
}

#[test]
fn a_value_that_the_type_does_not_have_is_none() {
    assert_eq!(Tag::from_value("t7".into()), Some(Tag(7)));
    assert_eq!(Tag::from_value("seven".into()), None);
    assert_eq!(Heat::from_value((-5_i16).into()), Some(Heat::Iced));
    assert_eq!(Heat::from_value(4_i16.into()), None);
    assert_eq!(Tea::from_value("earl-grey".into()), Some(Tea::EarlGrey));
    assert_eq!(Tea::from_value("earl grey".into()), None);
}
