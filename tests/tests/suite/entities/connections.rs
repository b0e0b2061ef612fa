//! Pages on sea-orm's own connections and transactions, of which folio cannot reach the connection.

use folio::sea_orm::{Db, SortColumn as _, connection};
use folio::{Column, FrameworkError, Select, load};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseExecutor, DbBackend, DbErr, EntityTrait as _, ExecResult,
    IntoActiveModel as _, QueryResult, Statement, TransactionTrait as _,
};

use super::{author, authors, book, schema};
use crate::suite::db;

/// Four books, the last one without an author. They are not in the database yet.
fn books() -> Vec<book::Model> {
    let book = |(id, author_id)| book::Model { id, title: "x".into(), score: None, rating: 0.5, author_id };
    [(1, Some(1)), (2, Some(1)), (3, Some(2)), (4, None)].map(book).into()
}

async fn fill(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    author::Entity::insert_many(authors().into_iter().map(|author| author.into_active_model())).exec(db).await?;
    book::Entity::insert_many(books().into_iter().map(|book| book.into_active_model())).exec(db).await?;
    Ok(())
}

fn ids(books: &[book::Model]) -> Vec<i64> {
    books.iter().map(|book| book.id).collect()
}

#[tokio::test]
async fn every_kind_of_page_sees_what_the_transaction_has_written() {
    let (folio, pool) = db::folio(&schema()).await;
    let db = DatabaseConnection::from(pool);
    let check = async {
        let transaction = db.begin().await?;
        fill(&transaction).await?;
        let list = || book::Model::query().using(&transaction);
        let of_title = || list().filter(book::Model::TITLE.eq("x"));

        let page = of_title().order_by(book::Model::ID.desc()).page(2).paginate(3).await?;
        assert_eq!((ids(&page.data), page.total), (vec![1], 4));
        let page = of_title().order_by(book::Model::ID).cursor_paginate(3).await?;
        let page = of_title().order_by(book::Model::ID).cursor(page.next_cursor.as_deref()).cursor_paginate(3).await?;
        assert_eq!(ids(&page.data), [4]);
        let feed = list().order_by(book::Model::ID).among(book::Model::AUTHOR_ID, [Some(1), Some(2)]);
        assert_eq!(ids(&feed.cursor_paginate(9).await?.data), [1, 2, 3]);
        assert_eq!((list().count().await?, list().find(4).await?.map(|book| book.id)), (4, Some(4)));

        let authors = author::Model::query().using(&transaction).order_by(author::Model::ID).paginate(9).await?;
        let own = load::many(list().order_by(book::Model::ID), book::Model::AUTHOR_ID, |author: &author::Model| {
            Some(author.id)
        });
        let found = authors.load(own).await?.data;
        assert_eq!(found.iter().map(|(_, books)| ids(books)).collect::<Vec<_>>(), [vec![1, 2], vec![3], vec![]]);

        let nested = transaction.begin().await?;
        book::Entity::delete_by_id(4).exec(&nested).await?;
        assert_eq!(book::Model::query().using(&nested).count().await?, 3);
        nested.rollback().await?;
        assert_eq!(list().count().await?, 4);
        transaction.rollback().await?;
        assert_eq!(book::Model::query().count().await?, 0);
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

#[tokio::test]
async fn any_connection_of_sea_orms_is_read_from() {
    let (folio, pool) = db::folio(&schema()).await;
    let db = DatabaseConnection::from(pool);
    let check = async {
        fill(&Db).await?;
        let select = || Select::entity(book::Entity::find()).order_by(book::Column::Id.asc());
        let executor = DatabaseExecutor::from(&db);
        assert_eq!(ids(&select().using(&executor).paginate(2).await?.data), [1, 2]);
        assert_eq!(ids(&select().using(connection(&db)).paginate(2).await?.data), [1, 2]);
        assert_eq!(ids(&select().using(connection(&Db)).page(2).simple_paginate(3).await?.data), [4]);
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

/// A connection that says that it is a mock, and has no rows.
struct Mock(DbBackend);

#[sea_orm::prelude::async_trait::async_trait]
impl ConnectionTrait for Mock {
    fn get_database_backend(&self) -> DbBackend {
        self.0
    }

    async fn execute_raw(&self, _: Statement) -> Result<ExecResult, DbErr> {
        Err(DbErr::RecordNotInserted)
    }

    async fn execute_unprepared(&self, _: &str) -> Result<ExecResult, DbErr> {
        Err(DbErr::RecordNotInserted)
    }

    async fn query_one_raw(&self, _: Statement) -> Result<Option<QueryResult>, DbErr> {
        Ok(None)
    }

    async fn query_all_raw(&self, _: Statement) -> Result<Vec<QueryResult>, DbErr> {
        Ok(Vec::new())
    }

    fn is_mock_connection(&self) -> bool {
        true
    }
}

#[tokio::test]
async fn what_such_a_connection_cannot_do_is_an_error() {
    let (folio, pool) = db::folio(&schema()).await;
    let db = DatabaseConnection::from(pool);
    let check = async {
        let transaction = db.begin().await.unwrap();
        let parameter = if db.get_database_backend() == DbBackend::Postgres { "$1" } else { "?" };
        let text = format!("SELECT id FROM entity_books WHERE id = {parameter}");
        let bound = Select::<(i64,)>::sql(sqlx::AssertSqlSafe(text)).bind(1_i64).using(&transaction);
        let error = bound.order_by(Column::<i64>::new("id")).paginate(5).await.unwrap_err();
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("cannot bind the values of SQL text: read the page on `folio::sea_orm::Db`"), "{cause}");

        let mock = Mock(db.get_database_backend());
        let error = book::Model::query().using(connection(&mock)).paginate(5).await.unwrap_err();
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("is a mock"), "{cause}");
    };
    folio.scope(check).await;
}

/// sea-orm prepares each statement once, and no page is read by what a connection knew before a migration.
#[tokio::test]
async fn a_star_follows_the_columns_of_its_table() {
    let schema = "CREATE TABLE notes (id BIGINT PRIMARY KEY, old VARCHAR(20) NOT NULL, title VARCHAR(20) NOT NULL); \
                  INSERT INTO notes VALUES (1, 'x', 'one'), (2, 'y', 'two')";
    let (folio, pool, _kept) = db::lasting(schema, 1).await;
    let db = DatabaseConnection::from(pool.clone());
    let titles = async || {
        let notes = Select::<Note>::sql("SELECT * FROM notes").order_by(Column::<i64>::new("id"));
        let page = notes.using(connection(&db)).paginate(5).await?;
        Ok::<_, FrameworkError>(page.data.into_iter().map(|note| note.title).collect::<Vec<_>>())
    };
    let check = async {
        assert_eq!(titles().await.unwrap(), ["one", "two"]);
        for change in ["ADD COLUMN stars BIGINT NOT NULL DEFAULT 5", "DROP COLUMN old", "ADD COLUMN newer BIGINT"] {
            db::run(&pool, format!("ALTER TABLE notes {change}")).await;
            // Where the server refuses the old statement, the second page has one of its own.
            if let Err(error) = titles().await {
                assert!(error.to_string().contains("a migration changed the columns"), "{error}");
            }
            assert_eq!(titles().await.unwrap(), ["one", "two"], "after {change}");
        }
    };
    folio.scope(check).await;
}

#[derive(sqlx::FromRow)]
struct Note {
    title: String,
}
