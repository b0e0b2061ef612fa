//! Errors of servers that do not say what to do about them. MariaDB raises them by their number.

use folio::{DB, FrameworkError};
use sqlx::Executor as _;

use crate::suite::db;

#[tokio::test]
async fn an_error_says_what_to_do() {
    let (folio, _pool) = db::folio("SELECT 1").await;
    let check = async {
        for (number, message, advice) in [
            (5930, "maximum open cursors exceeded", "set `statement-cache-capacity`"),
            (1178, "The storage engine for the table doesn't support SAVEPOINT", "in the outer transaction"),
            (3098, "The table does not comply with the requirements by an external plugin.", "`Serializable`"),
        ] {
            let signal = format!("SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = {number}, MESSAGE_TEXT = \"{message}\"");
            let signalled = (&mut *DB::mysql().await.unwrap()).execute(sqlx::AssertSqlSafe(signal)).await.unwrap_err();
            let error = FrameworkError::from(signalled);
            let text = std::error::Error::source(&error).unwrap().to_string();
            assert!(text.starts_with(message) && text.contains(advice), "{text}");
        }
    };
    folio.scope(check).await;
}
