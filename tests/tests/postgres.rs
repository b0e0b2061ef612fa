//! The suite on PostgreSQL, on the server that `FOLIO_POSTGRES_URL` names.

#[path = "db/columns.rs"]
mod columns;
#[path = "db/postgres.rs"]
mod server;
mod suite;

// What is PostgreSQL's own.
#[path = "postgres/plans.rs"]
mod plans;
#[path = "postgres/pooler.rs"]
mod pooler;
#[path = "postgres/replica.rs"]
mod replica;
#[path = "postgres/values.rs"]
mod values;
