//! sea-orm's statements through folio's connections.

use folio::sea_orm::Db;
use folio::{DB, Folio, FrameworkError, Paginate, Pool};
use sea_orm::entity::prelude::*;
use sea_orm::{ActiveModelTrait, ConnectionTrait, DatabaseConnection, DbBackend, EntityTrait, Set, Statement};

use crate::server::{ID, TEXT};
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
