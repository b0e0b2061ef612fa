use sqlx::{Connection as _, Sqlite, SqliteConnection};

use super::*;

/// sqlx's thread of a SQLite connection panics if a row has more columns than its named statement had. The rows then end,
/// which is not taken for the end of the table.
#[tokio::test]
async fn rows_that_end_before_their_statement_are_an_error() {
    let mut connection = SqliteConnection::connect("sqlite::memory:").await.expect("SQLite opens");
    let table = "CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2)";
    sqlx::raw_sql(table).execute(&mut connection).await.expect("the table is new");
    let all = || BoundSql::new("SELECT * FROM posts WHERE id > ?", Values(vec![0_i64.into()]));
    assert_eq!(rows::<Sqlite>(&mut connection, all(), true).await.expect("it has rows").len(), 2);

    sqlx::raw_sql("ALTER TABLE posts ADD COLUMN title TEXT").execute(&mut connection).await.expect("the column is new");
    let error = rows::<Sqlite>(&mut connection, all(), true).await.expect_err("the thread has panicked");
    assert!(error.to_string().contains("the rows ended before the statement did"), "{error}");
}
