//! The suite on PostgreSQL, on the server that `FOLIO_POSTGRES_URL` names.

use folio_tests::postgres as server;

use self::suite::db::Pool;

mod million;
mod servers;
mod suite;
mod values;

mod postgres {
    mod arrays;
    mod by_hand;
    mod catalog;
    mod checked;
    mod encodings;
    mod filters;
    mod migrations;
    mod pglite;
    mod plans;
    mod pooler;
    mod refused;
    mod replica;
    #[cfg(feature = "sea-orm")]
    mod sea_orm;
    mod seek;
    mod settled;
    mod transactions;
    mod unnamed;
    mod values;
}
