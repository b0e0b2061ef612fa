//! The tables that the selects read, and their rows: equal column names, NULLs, ties, text that differs only in case,
//! and text that looks like SQL.

use std::time::Duration;

use folio::{Folio, Key, Keyring, Paginate};
use sqlx::pool::PoolOptions;

use super::dialect::{Dialect, dialect};
use super::random::Random;
use crate::server;
use crate::suite::db::{self, Pool};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    /// Text that compares by its bytes.
    Text,
    /// Text that compares without case.
    Caseless,
    /// Anything that is not used as a key.
    Other,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) nullable: bool,
}

const fn column(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, nullable: false }
}

const fn nullable(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, nullable: true }
}

#[derive(Debug, PartialEq)]
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: &'static [Column],
}

impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

pub(super) static TABLES: [Table; 3] = [
    Table {
        name: "posts",
        columns: &[
            column("id", Kind::Int),
            nullable("user_id", Kind::Int),
            column("title", Kind::Text),
            nullable("name", Kind::Caseless),
            nullable("score", Kind::Int),
        ],
    },
    Table {
        name: "users",
        columns: &[column("id", Kind::Int), column("name", Kind::Caseless), nullable("score", Kind::Int)],
    },
    Table {
        name: "comments",
        columns: &[
            column("id", Kind::Int),
            column("post_id", Kind::Int),
            nullable("name", Kind::Text),
            column("votes", Kind::Int),
        ],
    },
];

/// The models of the tables, for their columns.
#[derive(sqlx::FromRow, Paginate)]
#[paginate(table = "posts")]
#[expect(dead_code, reason = "only the columns are used")]
pub(super) struct Post {
    id: i64,
    user_id: Option<i64>,
    title: String,
    name: Option<String>,
    score: Option<i64>,
}

#[derive(sqlx::FromRow, Paginate)]
#[paginate(table = "users")]
#[expect(dead_code, reason = "only the columns are used")]
pub(super) struct User {
    id: i64,
    name: String,
    score: Option<i64>,
}

#[derive(sqlx::FromRow, Paginate)]
#[paginate(table = "comments")]
#[expect(dead_code, reason = "only the columns are used")]
pub(super) struct Comment {
    id: i64,
    post_id: i64,
    name: Option<String>,
    votes: i64,
}

/// A database with rows, and an application on it.
pub(super) struct World {
    pub(super) folio: Folio,
    pub(super) pool: Pool,
}

/// How many posts, users and comments each world has.
const SIZES: [(i64, i64, i64); 3] = [(6, 4, 8), (9, 3, 7), (1, 2, 0)];

const TITLES: [&str; 10] = ["a", "A", "b", "ab", "", "é", " LIMIT ?", " OR (", "; --", "it's"];
const NAMES: [&str; 8] = ["a", "A", "b", "B", "Ann", "ann", "ANN", "a "];

pub(super) async fn worlds() -> Vec<World> {
    let mut worlds = Vec::new();
    for size in SIZES {
        worlds.push(world(size).await);
    }
    worlds
}

/// A pool whose connections come and go. Each statement runs once, and MySQL waits whenever one has to leave a full
/// cache.
async fn pool() -> Pool {
    let pool = server::pool(4).await;
    if dialect() != Dialect::MySql {
        return pool;
    }
    let options = pool.connect_options().as_ref().clone().statement_cache_capacity(1_000);
    PoolOptions::new().max_connections(4).max_lifetime(Duration::from_secs(1)).connect_with(options).await.unwrap()
}

async fn world((posts, users, comments): (i64, i64, i64)) -> World {
    let pool = pool().await;
    db::run(&pool, dialect().schema()).await;
    let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
    let mut random = Random::new(posts.unsigned_abs());
    let post = |random: &mut Random, id: i64| {
        let user = maybe(random, users + 1);
        let (title, name, score) = (text(random, &TITLES), maybe_text(random, &NAMES), maybe(random, 3));
        format!("({}, {user}, {title}, {name}, {score})", id * 37 % 101)
    };
    let user = |random: &mut Random, id: i64| format!("({id}, {}, {})", text(random, &NAMES), maybe(random, 3));
    let comment = |random: &mut Random, id: i64| {
        let post = i64::try_from(random.between(1, usize::try_from(posts).unwrap())).unwrap() * 37 % 101;
        format!("({}, {post}, {}, {})", id + 2, maybe_text(random, &TITLES), random.below(4))
    };
    insert(&pool, "posts", (1..=posts).map(|id| post(&mut random, id)).collect()).await;
    insert(&pool, "users", (1..=users).map(|id| user(&mut random, id)).collect()).await;
    insert(&pool, "comments", (1..=comments).map(|id| comment(&mut random, id)).collect()).await;
    World { folio, pool }
}

async fn insert(pool: &Pool, table: &str, rows: Vec<String>) {
    if !rows.is_empty() {
        db::run(pool, format!("INSERT INTO {table} VALUES {}", rows.join(", "))).await;
    }
}

fn text(random: &mut Random, texts: &[&str]) -> String {
    format!("'{}'", random.pick(texts).replace('\'', "''"))
}

fn maybe_text(random: &mut Random, texts: &[&str]) -> String {
    if random.chance(30) { "NULL".to_owned() } else { text(random, texts) }
}

fn maybe(random: &mut Random, below: i64) -> String {
    if random.chance(30) { "NULL".to_owned() } else { random.below(usize::try_from(below).unwrap()).to_string() }
}
