//! The suite on PostgreSQL, on the server that `FOLIO_POSTGRES_URL` names.

#[path = "servers/away.rs"]
mod away;
#[path = "db/by_hand.rs"]
mod by_hand;
#[path = "db/columns.rs"]
mod columns;
#[path = "db/postgres.rs"]
mod server;
mod suite;

// What is PostgreSQL's own.
#[path = "postgres/by_hand.rs"]
mod keys;
#[path = "postgres/plans.rs"]
mod plans;
#[path = "postgres/pooler.rs"]
mod pooler;
#[path = "postgres/refused.rs"]
mod refused;
#[path = "postgres/replica.rs"]
mod replica;
#[path = "postgres/values.rs"]
mod values;
