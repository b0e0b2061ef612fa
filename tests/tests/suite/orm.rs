//! sea-orm's statements through folio's connections, and its entities as models.

use folio::sea_orm::{Db, SortColumn as _, related, related_one};
use folio::testing::Walk;
use folio::{DB, Folio, FrameworkError, Paginate, Pool};
use sea_orm::entity::prelude::*;
use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DatabaseConnection, DbBackend, EntityTrait, IdenStatic, QueryOrder, Set,
    Statement,
};

use crate::server::{ID, TEXT, types};
use crate::suite::db;

mod note {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "orm_notes")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: i64,
        pub(super) title: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The same table, for pages.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "orm_notes")]
struct Note {
    id: i64,
    title: String,
}

fn schema() -> String {
    format!("CREATE TABLE orm_notes (id {ID}, title {TEXT} NOT NULL)")
}

async fn insert(id: i64, title: &str) -> Result<note::Model, sea_orm::DbErr> {
    note::ActiveModel { id: Set(id), title: Set(title.to_owned()) }.insert(&Db).await
}

#[tokio::test]
async fn statements_and_pages_share_a_transaction() {
    let (folio, _pool) = db::folio(&schema()).await;
    let check = async {
        let committed = DB::transaction(async || {
            insert(1, "one").await?;
            // A nested transaction, of which nothing remains.
            let nested = DB::transaction(async || {
                insert(2, "two").await?;
                assert_eq!(Note::query().count().await?, 2);
                Err::<(), _>(FrameworkError::Domain { message: "undone".to_owned(), status_code: 409 })
            });
            assert!(nested.await.is_err());
            insert(3, "three").await?;
            let page = Note::query().order_by(Note::ID.desc()).paginate(1).await?;
            assert_eq!((page.total, page.data[0].title.as_str()), (2, "three"));
            Ok::<_, FrameworkError>(note::Entity::find().all(&Db).await?)
        });
        assert_eq!(committed.await.unwrap().iter().map(|note| note.id).collect::<Vec<_>>(), [1, 3]);
        let undone = DB::transaction(async || {
            insert(4, "four").await?;
            insert(1, "again").await.map(drop)?;
            Ok::<_, FrameworkError>(())
        });
        // The error of the database is the one behind sea-orm's.
        let error = undone.await.unwrap_err();
        assert!(
            matches!(&error, FrameworkError::Database(sqlx::Error::Database(cause)) if cause.is_unique_violation())
        );
        // Outside of a transaction, the default pool.
        assert_eq!(note::Entity::find_by_id(3).one(&Db).await.unwrap().unwrap().title, "three");
        assert_eq!(note::Entity::find().count(&Db).await.unwrap(), 2);
        assert_eq!(note::Entity::delete_by_id(3).exec(&Db).await.unwrap().rows_affected, 1);
        Db.execute_unprepared("UPDATE orm_notes SET title = 'changed'").await.unwrap();
        assert_eq!(Note::query().find(1).await.unwrap().unwrap().title, "changed");
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_pool_of_sea_orm_is_the_pool_of_folio() {
    let (_folio, pool) = db::folio(&schema()).await;
    let connection = DatabaseConnection::from(pool.clone());
    note::ActiveModel { id: Set(7), title: Set("seven".to_owned()) }.insert(&connection).await.unwrap();
    let folio = Folio::new(Pool::try_from(&connection).unwrap());
    let page = folio.scope(Note::query().paginate(2)).await.unwrap();
    assert_eq!((page.total, page.data[0].id), (1, 7));
    let error = Pool::try_from(&DatabaseConnection::default()).unwrap_err();
    assert!(error.to_string().contains("create it with `Database::connect`"), "{error}");
}

#[tokio::test]
async fn what_cannot_run_is_an_error_and_not_a_panic() {
    let (folio, pool) = db::folio(&schema()).await;
    let backend = DatabaseConnection::from(pool.clone()).get_database_backend();
    let check = async {
        assert_eq!(Db.get_database_backend(), backend);
        let others = [DbBackend::Sqlite, DbBackend::Postgres, DbBackend::MySql];
        for other in others.into_iter().filter(|other| *other != backend) {
            let error = Db.query_all_raw(Statement::from_string(other, "SELECT 1")).await.unwrap_err();
            assert!(error.to_string().contains("`Db.get_database_backend()`"), "{error}");
        }
        // MySQL has numbers above 9223372036854775807.
        let sql = if backend == DbBackend::Postgres { "SELECT CAST($1 AS BIGINT) AS a" } else { "SELECT ? AS a" };
        let statement = Statement::from_sql_and_values(backend, sql, [u64::MAX.into()]);
        let answer = Db.query_one_raw(statement).await.map(|row| row.unwrap().try_get::<u64>("", "a").unwrap());
        match backend {
            DbBackend::MySql => assert_eq!(answer.unwrap(), u64::MAX),
            _ => assert!(answer.unwrap_err().to_string().contains("an integer above 9223372036854775807")),
        }
    };
    folio.scope(check).await;
    // Without an application there is no connection.
    let error = Db.execute_unprepared("SELECT 1").await.unwrap_err();
    assert!(error.to_string().contains("Folio"), "{error}");
}

/// An entity with relations, of which sea-orm makes two structs. Its key has two columns, and all columns are renamed.
mod cake {
    use super::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Paginate)]
    #[sea_orm(table_name = "orm_cakes", rename_all = "camelCase")]
    #[paginate(cursor_key = "title desc")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) shop_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) batch_1: i64,
        pub(super) title: String,
        #[sea_orm(has_many)]
        pub(super) slices: HasMany<super::slice::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The other side of the relation, in sea-orm's compact form.
mod slice {
    use super::*;

    #[sea_orm::compact_model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Paginate)]
    #[sea_orm(table_name = "orm_slices")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) number: i64,
        pub(super) shop_id: i64,
        pub(super) batch: i64,
        pub(super) cake: HasOne<super::cake::Entity>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {
        #[sea_orm(
            belongs_to = "super::cake::Entity",
            from = "(Column::ShopId, Column::Batch)",
            to = "(super::cake::Column::ShopId, super::cake::Column::Batch1)"
        )]
        Cake,
    }

    impl Related<super::cake::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Cake.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

#[tokio::test]
async fn an_entity_with_relations_and_renamed_columns_is_a_model() {
    let names = ["shopId", "batch1"].map(db::quoted);
    let [shop, batch] = &names;
    let (folio, _pool) = db::folio(&format!(
        "CREATE TABLE orm_cakes ({shop} {0} NOT NULL, {batch} {0} NOT NULL, title {TEXT} NOT NULL, \
             PRIMARY KEY ({shop}, {batch}));
         CREATE TABLE orm_slices (number {ID}, shop_id {0} NOT NULL, batch {0} NOT NULL)",
        types::BIGINT
    ))
    .await;
    let check = async {
        let cake = |n: i64| cake::Model { shop_id: n % 3, batch_1: n / 3, title: format!("cake {}", n % 4) };
        let cakes: Vec<_> = (0..20).map(cake).collect();
        let active = cakes.iter().cloned().map(cake::ActiveModel::from);
        cake::Entity::insert_many(active).exec_without_returning(&Db).await.unwrap();
        // Titles tie, so the key ends with the primary key, in the direction of the title.
        let mut sorted = cakes;
        sorted.sort_by(|a, b| (&b.title, b.shop_id, b.batch_1).cmp(&(&a.title, a.shop_id, a.batch_1)));
        let by_sea_orm = cake::Entity::find()
            .order_by_desc(cake::Column::Title)
            .order_by_desc(cake::Column::ShopId)
            .order_by_desc(cake::Column::Batch1);
        assert_eq!(by_sea_orm.all(&Db).await.unwrap(), sorted);
        let keys = sorted.iter().map(cake::Model::cursor_key);
        let walk = Walk::over(keys.map(|key| (key.title, key.shop_id, key.batch_1))).both_ways();
        let walk = walk.run(async |cursor| {
            let page = cake::Model::query().cursor(cursor.as_deref()).cursor_paginate(3).await?;
            Ok(page.map(|cake| (cake.title, cake.shop_id, cake.batch_1)))
        });
        walk.await.unwrap();
        assert_eq!(
            cake::Model::query().find((2, 5)).await.unwrap().as_ref(),
            sorted.iter().find(|cake| { (cake.shop_id, cake.batch_1) == (2, 5) })
        );

        let slice = |number| slice::ActiveModel { number: Set(number), shop_id: Set(2), batch: Set(5) };
        slice::Entity::insert_many((1..=5).map(slice)).exec_without_returning(&Db).await.unwrap();
        let page = slice::Model::query().order_by(slice::Model::NUMBER.desc()).paginate(2).await.unwrap();
        assert_eq!((page.total, page.data[0].number), (5, 5));
        // Rows of folio's pages are those of sea-orm.
        let cake = page.data[0].find_related(cake::Entity).one(&Db).await.unwrap().unwrap();
        assert_eq!((cake.shop_id, cake.batch_1), (2, 5));
        let page = page.load(related_one(cake::Model::query()).unwrap()).await.unwrap();
        assert!(page.data.iter().all(|(_, found)| found.as_ref() == Some(&cake)));
        // sea-orm's columns sort a model's pages as well.
        let by_title = cake::Model::query().order_by((cake::Column::Title.desc(), cake::Column::ShopId.desc()));
        assert_eq!(by_title.cursor_paginate(5).await.unwrap().data, sorted[..5]);
        let slices = related(slice::Model::query().order_by(slice::Model::NUMBER.desc())).unwrap().first(2);
        let page = cake::Model::query().filter(cake::Model::SHOP_ID.eq(2)).paginate(9).await.unwrap();
        for (found, slices) in page.load(slices).await.unwrap().data {
            let numbers: Vec<_> = slices.iter().map(|slice| slice.number).collect();
            assert_eq!(numbers, if found == cake { vec![5, 4] } else { Vec::new() });
        }
    };
    folio.scope(check).await;
}

/// An entity for each rule of `rename_all`, and `assert_names`, which compares the names of its columns with sea-orm's.
macro_rules! entities {
    ($($module:ident $($rule:literal)?,)*) => {
        $(
            #[expect(non_snake_case, reason = "names that sea-orm changes")]
            mod $module {
                use super::*;

                #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Paginate)]
                #[sea_orm(table_name = "orm_names" $(, rename_all = $rule)?)]
                pub struct Model {
                    #[sea_orm(primary_key)]
                    pub id: i64,
                    pub author_id: i64,
                    pub line_1: i64,
                    pub r#type: i64,
                    pub htmlBody: i64,
                    pub trailing_: i64,
                    #[sea_orm(enum_name = "Caption")]
                    pub heading: i64,
                    #[sea_orm(column_name = "Full Name", enum_name = "Called")]
                    pub name: i64,
                }

                #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
                pub enum Relation {}

                impl ActiveModelBehavior for ActiveModel {}

                pub(super) fn assert_names() {
                    for (column, of_sea_orm) in [
                        (Model::ID, Column::Id),
                        (Model::AUTHOR_ID, Column::AuthorId),
                        (Model::LINE_1, Column::Line1),
                        (Model::TYPE, Column::Type),
                        (Model::HTMLBODY, Column::HtmlBody),
                        (Model::TRAILING_, Column::Trailing),
                        (Model::HEADING, Column::Caption),
                        (Model::NAME, Column::Called),
                    ] {
                        assert_eq!(column.name(), of_sea_orm.as_str(), concat!($($rule)?));
                    }
                }
            }
        )*

        #[test]
        fn columns_have_the_names_that_sea_orm_gives_them() {
            $($module::assert_names();)*
        }
    };
}
entities! {
    unnamed,
    camel "camelCase",
    camels "camel_case",
    pascal "PascalCase",
    kebab "kebab-case",
    kebabs "kebab_case",
    snake "snake_case",
    snek "snek_case",
    screaming "SCREAMING_SNAKE_CASE",
    shouty "shouty_snake_case",
    shouty_snek "shouty_snek_case",
    screaming_kebab "SCREAMING-KEBAB-CASE",
    lower "lowercase",
    upper "UPPERCASE",
    title "title_case",
    mixed "mixed_case",
}
