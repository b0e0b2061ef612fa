//! What folio computes without a driver: cursors, and the statements of pages.
//!
//! This crate is an implementation detail of [folio](https://docs.rs/folio), and makes no promise of stability: use
//! `folio`, which re-exports what is meant for users.
//!
//! Its manifest names neither sqlx nor tokio, so nothing here can run a statement or read a task-local. Everything that
//! a page's statement depends on is passed in: the query, the order, the boundary and the facts about the server.
//!
//! # Another executor
//!
//! folio runs the statements with sqlx. Nothing here depends on that, so diesel, toasty, tokio-postgres or rusqlite could
//! run them as well. `plan/tests/rusqlite.rs` in the repository is a worked example. An executor has to give:
//!
//! - **The list.** A [`Table`](schema::table::Table), the [`Term`](schema::term::Term)s of its order, closed with the
//!   primary key, and the filters as expressions of sea-query. They become a [`KeysetQuery`](keyset::KeysetQuery) or an
//!   [`OffsetQuery`](offset::OffsetQuery). folio's derive generates the table, and with it the conversion of each key
//!   column's type ([`Kind`](value::Kind)).
//! - **The catalog.** A [`TableInfo`](dialect::catalog::TableInfo): which [`Server`](dialect::Server) has the table, and
//!   its indexes. It decides which plan a page gets, and never which rows it has; without it, pages may be slow. The
//!   facts about a dialect's SQL are here ([`Facts`](dialect::Facts)); a database that has none takes a new dialect.
//! - **Running a statement.** A [`BoundSql`](statement::template::BoundSql) is text with numbered or positional
//!   parameters, and a value for each. A value is bound in the SQL type of its own variant: on PostgreSQL, a prepared
//!   statement is for the types of its first values, which is why the text names them in a comment. Unsigned numbers,
//!   such as a limit, have to fit into the database's types. A page reads one row more than it shows, and no statement
//!   returns more rows than its limit.
//! - **The key of a row.** A [`BoundaryValue`](boundary::BoundaryValue) for each term, read from the column that
//!   [`OrderColumn::output`](order::OrderColumn::output) names. If the database compares another form than the value
//!   binds as, such as the text of a date on SQLite, the row's own form belongs in
//!   [`stored`](boundary::BoundaryValue::stored). Otherwise, the next page repeats rows or leaves some out.
//!   [`Term::refusal`](schema::term::Term::refusal) says which values no page can continue from.
//! - **The checks of a page.** If [`PageOrder`](keyset::PageOrder) says that it [verifies](keyset::PageOrder#structfield.verifies) a
//!   page that [may leave out](keyset::PageOrder::may_leave_out) rows, its rows have
//!   [`LEFT_OUT`](predicate::LEFT_OUT), which has to be NULL. If it does not verify the page, or the page is empty, the
//!   statement of [`left_out`](keyset::Base::left_out) must find no row. If it
//!   [ends before NULLs](keyset::PageOrder::ends_before_nulls), the rows
//!   [`among_nulls`](keyset::PageRequest::among_nulls) complete a page that comes up short.
//! - **Sealing.** [`payload`](cursor::payload) writes and reads what is encrypted, and
//!   [`CursorBinding::words`](cursor::CursorBinding::words) is what it is authenticated with. The encryption and the keys
//!   are folio's, as are the order of a page's steps, transactions, and the remaining checks, which need the driver:
//!   columns that a server sorts by other rules than it compares, ties of a caller's select, and values that a server
//!   rounds when it sends them.

#![expect(missing_docs, reason = "users name only what folio re-exports, and a name that says it all has no comment")]

// Here and not in folio, so that it is the only error.
#[cfg(not(any(feature = "sqlite", feature = "postgres", feature = "mysql")))]
compile_error!("folio reads from a database: enable its feature `sqlite`, `postgres` or `mysql`");

pub mod access;
pub mod boundary;
pub mod cache;
pub mod cursor;
pub mod custom;
pub mod dialect;
pub mod error;
pub mod feed;
pub mod keyset;
pub mod offset;
pub mod order;
pub mod predicate;
pub mod schema;
pub mod statement;
pub mod url;
pub mod value;

#[cfg(test)]
mod testing;

// For the examples of types that folio re-exports: they call this crate `folio`, by `use folio_plan as folio`.
pub use self::cursor::CursorDirection;
pub use self::value::{UnknownVariant, Variant};
