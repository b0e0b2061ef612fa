//! The suite on MySQL or MariaDB, on the server that `FOLIO_MYSQL_URL` names.

#[path = "servers/away.rs"]
mod away;
#[path = "db/by_hand.rs"]
mod by_hand;
#[path = "db/columns.rs"]
mod columns;
#[path = "db/mysql.rs"]
mod server;
mod suite;

// What is MySQL's and MariaDB's own.
#[path = "mysql/autocommit.rs"]
mod autocommit;
#[path = "mysql/deadlocks.rs"]
mod deadlocks;
#[path = "mysql/indexes.rs"]
mod indexes;
#[path = "mysql/by_hand.rs"]
mod keys;
#[path = "mysql/moments.rs"]
mod moments;
#[path = "mysql/texts.rs"]
mod texts;
#[path = "mysql/values.rs"]
mod values;
