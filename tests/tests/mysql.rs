//! The suite on MySQL or MariaDB, on the server that `FOLIO_MYSQL_URL` names.

use folio_tests::mysql as server;

mod servers;
mod suite;
mod values;

mod mysql {
    mod advised;
    mod autocommit;
    mod by_hand;
    mod characters;
    mod checked;
    mod completion;
    mod databases;
    mod deadlocks;
    mod enums;
    mod expressions;
    mod feeds;
    mod indexes;
    mod moments;
    mod replica;
    mod seek;
    mod small_reads;
    mod spider;
    mod texts;
    mod values;
}
