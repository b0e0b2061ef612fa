//! Changes of the catalog between two pages of a walk, which leave the rows as they are. What folio knows of the table
//! is then old, or about another table of the same name.

use std::cell::Cell;
use std::collections::BTreeSet;

use proptest::prelude::*;
use sqlx::Database as _;

use super::shape::schema;
use crate::server::{Driver, TEXT};
use crate::suite::db::{self, Pool};

/// The columns of indexes that come and go.
const INDEXES: [&str; 6] = [
    "number, id",
    "maybe, label, id",
    "label, maybe, number, id",
    "kept, fraction, id",
    "number DESC, maybe, id",
    "fraction DESC, id DESC",
];

#[derive(Debug, Clone, Copy)]
pub(super) enum Ddl {
    /// Creates an index, or drops it.
    Index(usize),
    /// Drops NOT NULL of the columns that have it, or sets it again.
    Nulls,
    /// Creates a temporary table of the same name with the rows, or puts its rows back.
    Shadow,
    /// On PostgreSQL, moves the rows into a table of the same name in another schema, and sets `search_path`; or back.
    Schema,
}

pub(super) fn ddl() -> impl Strategy<Value = Ddl> {
    prop_oneof![
        4 => (0..INDEXES.len()).prop_map(Ddl::Index),
        1 => Just(Ddl::Nulls),
        1 => Just(Ddl::Shadow),
        1 => Just(Ddl::Schema),
    ]
}

/// Which table has the name. The tables beneath it have its rows no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Own,
    Shadow,
    Elsewhere,
}

/// The table that the walk reads, and what other sessions change.
pub(super) struct Catalog<'a> {
    /// The only connection of the application.
    pool: &'a Pool,
    /// Another connection. SQLite's database has only one.
    other: &'a Pool,
    /// The schema of the table, on PostgreSQL.
    own: String,
    place: Place,
    indexes: BTreeSet<(Place, usize)>,
    is_nullable: bool,
}

thread_local! {
    /// Whether the table of this thread's database differs from the schema, even after a case that failed.
    static IS_CHANGED: Cell<bool> = const { Cell::new(false) };
}

impl<'a> Catalog<'a> {
    /// The table as the schema has it, without rows.
    pub(super) async fn new(pool: &'a Pool, other: &'a Pool) -> Self {
        let catalog = Self {
            pool,
            other,
            own: own_schema(pool).await,
            place: Place::Own,
            indexes: BTreeSet::new(),
            is_nullable: false,
        };
        if IS_CHANGED.replace(false) {
            let elsewhere = catalog.schema_of(Place::Elsewhere);
            let drop = match Driver::NAME {
                "PostgreSQL" => format!(
                    "DROP SCHEMA IF EXISTS {} CASCADE; DROP TABLE IF EXISTS pg_temp.items; DROP TABLE items",
                    elsewhere.trim_end_matches('.')
                ),
                "SQLite" => "DROP TABLE IF EXISTS temp.items; DROP TABLE items".to_owned(),
                _ => "DROP TABLE IF EXISTS other; DROP TABLE items".to_owned(),
            };
            db::run(pool, format!("{drop}; {}", schema())).await;
        }
        db::run(pool, "DELETE FROM items").await;
        catalog
    }

    /// The schema of a table, with a dot.
    fn schema_of(&self, place: Place) -> String {
        match (Driver::NAME, place) {
            ("PostgreSQL", Place::Own) => format!("\"{}\".", self.own),
            ("PostgreSQL", Place::Shadow) => "pg_temp.".to_owned(),
            (_, Place::Elsewhere) => format!("\"{}_elsewhere\".", self.own),
            ("SQLite", Place::Own) => "main.".to_owned(),
            ("SQLite", Place::Shadow) => "temp.".to_owned(),
            (_, Place::Own | Place::Shadow) => String::new(),
        }
    }

    pub(super) async fn change(&mut self, ddl: Ddl) {
        IS_CHANGED.set(true);
        match ddl {
            Ddl::Index(at) => self.index(at).await,
            Ddl::Nulls => self.nulls().await,
            Ddl::Shadow if Driver::NAME == "MySQL" => self.shadow_on_mysql().await,
            Ddl::Shadow => self.replace(Place::Shadow).await,
            Ddl::Schema if Driver::NAME == "PostgreSQL" => self.replace(Place::Elsewhere).await,
            Ddl::Schema => {}
        }
    }

    /// The connection for a change of this table. Only its own session sees a temporary one.
    fn session(&self) -> &'a Pool {
        if self.place == Place::Shadow || Driver::NAME == "SQLite" { self.pool } else { self.other }
    }

    async fn index(&mut self, at: usize) {
        let (name, columns, schema) = (format!("items_{at}"), INDEXES[at], self.schema_of(self.place));
        let exists = !self.indexes.insert((self.place, at)) && self.indexes.remove(&(self.place, at));
        let sql = match (Driver::NAME, exists) {
            ("MySQL", true) => format!("DROP INDEX {name} ON items"),
            ("MySQL", false) => format!("CREATE INDEX {name} ON items ({columns})"),
            (_, true) => format!("DROP INDEX {schema}{name}"),
            ("SQLite", false) => format!("CREATE INDEX {schema}{name} ON items ({columns})"),
            (_, false) => format!("CREATE INDEX {name} ON {schema}items ({columns})"),
        };
        db::run(self.session(), sql).await;
    }

    /// SQLite cannot change a column.
    async fn nulls(&mut self) {
        self.is_nullable = !self.is_nullable;
        let schema = self.schema_of(self.place);
        let sql = match (Driver::NAME, self.is_nullable) {
            ("PostgreSQL", true) => {
                format!("ALTER TABLE {schema}items ALTER number DROP NOT NULL, ALTER fraction DROP NOT NULL")
            }
            ("PostgreSQL", false) => {
                format!("ALTER TABLE {schema}items ALTER number SET NOT NULL, ALTER fraction SET NOT NULL")
            }
            ("MySQL", true) => "ALTER TABLE items MODIFY number INTEGER, MODIFY fraction DOUBLE PRECISION".to_owned(),
            ("MySQL", false) => {
                "ALTER TABLE items MODIFY number INTEGER NOT NULL, MODIFY fraction DOUBLE PRECISION NOT NULL".to_owned()
            }
            _ => return,
        };
        db::run(self.session(), sql).await;
    }

    /// Lets another table have the name, with the rows; if it has it, the table of the schema again.
    async fn replace(&mut self, place: Place) {
        let other = if self.place == Place::Own { place } else { self.place };
        let (own, other) = (self.schema_of(Place::Own), self.schema_of(other));
        if self.place != Place::Own {
            let back = format!("DELETE FROM {own}items; INSERT INTO {own}items SELECT * FROM {other}items");
            let drop = match self.place {
                Place::Elsewhere => format!("RESET search_path; DROP SCHEMA {} CASCADE", other.trim_end_matches('.')),
                _ => format!("DROP TABLE {other}items"),
            };
            db::run(self.pool, format!("{back}; {drop}")).await;
            self.indexes.retain(|(place, _)| *place == Place::Own);
            self.place = Place::Own;
            return;
        }
        let create = match place {
            Place::Elsewhere => {
                let schema = other.trim_end_matches('.');
                format!(
                    "CREATE SCHEMA {schema}; CREATE TABLE {other}items AS SELECT * FROM {own}items; \
                     SET search_path TO {schema}"
                )
            }
            _ => format!("CREATE TEMPORARY TABLE items AS SELECT * FROM {own}items"),
        };
        db::run(self.pool, create).await;
        self.place = place;
        // A prepared statement keeps the table that it had found, unless `search_path` itself has changed.
        if Driver::NAME == "PostgreSQL" {
            db::run(self.pool, "DISCARD PLANS").await;
        }
    }

    /// A statement of MySQL's cannot read a temporary table twice, as some pages do, which is an error. So the table
    /// itself is replaced by one without its constraints.
    async fn shadow_on_mysql(&mut self) {
        let create = format!(
            "CREATE TABLE other (id BIGINT, number INTEGER, maybe BIGINT, label {TEXT}, fraction DOUBLE PRECISION, \
             kept BOOLEAN); INSERT INTO other SELECT * FROM items; DROP TABLE items; RENAME TABLE other TO items"
        );
        db::run(self.other, create).await;
        self.indexes.clear();
        self.is_nullable = true;
    }
}

/// The schema of the connection; on other databases, nothing.
async fn own_schema(pool: &Pool) -> String {
    if Driver::NAME != "PostgreSQL" {
        return String::new();
    }
    db::run(pool, "RESET search_path").await;
    let name: String = sqlx::query_scalar("SELECT current_schema()::text").fetch_one(pool).await.unwrap();
    name
}
