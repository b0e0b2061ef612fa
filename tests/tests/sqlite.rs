//! The suite on SQLite, which needs no server.

use folio_tests::sqlite as server;

mod suite;
mod values;

mod sqlite {
    mod busy;
    mod by_hand;
    mod checked;
    mod columns;
    mod cursors;
    mod errors;
    mod extremes;
    mod feeds;
    mod filters;
    mod held;
    mod moments;
    mod partial;
    mod plans;
    mod seek;
    mod steps;
    mod values;
}
