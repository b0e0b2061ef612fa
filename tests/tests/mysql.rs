//! The suite on MySQL or MariaDB, on the server that `FOLIO_MYSQL_URL` names.

#[path = "db/columns.rs"]
mod columns;
#[path = "db/mysql.rs"]
mod server;
mod suite;

// What is MySQL's and MariaDB's own.
#[path = "mysql/plans.rs"]
mod plans;
#[path = "mysql/values.rs"]
mod values;
