//! `walk sqlite|postgres KIND`: reads pages of one kind until all that can be known is known, and then one more inside
//! [`measured`], whose functions `tests/scripts/walk` counts. FOLIO_POSTGRES_URL names the server.

use anyhow::{Context as _, bail};
use folio::{Folio, Key, Keyring, Paginate, Select};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::SqlitePoolOptions;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "posts", cursor_key = "created_at desc, id desc")]
#[expect(dead_code, reason = "rows are decoded, and not looked at")]
struct Post {
    id: i64,
    author_id: i64,
    title: String,
    created_at: chrono::NaiveDateTime,
}

/// Reads a page, and returns its next cursor.
async fn page(kind: &str, cursor: Option<String>) -> anyhow::Result<Option<String>> {
    let of_author = || Post::query().filter(Post::AUTHOR_ID.eq(7));
    let page = match kind {
        "cursor" => of_author().cursor(cursor.as_deref()).cursor_paginate(15).await?,
        "feed" => Post::query().among(Post::AUTHOR_ID, [1, 2, 3]).cursor(cursor.as_deref()).cursor_paginate(15).await?,
        "text" => {
            let posts = Select::<Post>::sql("SELECT * FROM posts WHERE author_id = 7");
            let posts = posts.order_by((Post::CREATED_AT.desc(), Post::ID.desc()));
            posts.cursor(cursor.as_deref()).cursor_paginate(15).await?
        }
        "numbered" => {
            of_author().page(2).paginate(15).await?;
            return Ok(None);
        }
        kind => bail!("unknown kind of page `{kind}`; use cursor, numbered, text or feed"),
    };
    Ok(page.next_cursor)
}

async fn pool(server: &str) -> anyhow::Result<folio::Pool> {
    const INDEX: &str = "CREATE INDEX posts_by_author ON posts (author_id, created_at, id)";
    if server == "sqlite" {
        let pool = SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
        let table = "CREATE TABLE posts (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL, title TEXT NOT NULL, \
             created_at TEXT NOT NULL)";
        let rows = "WITH RECURSIVE ids (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM ids WHERE x < 2000) INSERT INTO posts \
             SELECT x, x % 10, 't' || x, datetime('2026-01-01', (x / 3) || ' minutes') FROM ids";
        sqlx::raw_sql(AssertSqlSafe(format!("{table}; {INDEX}; {rows}"))).execute(&pool).await?;
        return Ok(pool.into());
    }
    let url = std::env::var("FOLIO_POSTGRES_URL").context("FOLIO_POSTGRES_URL names the server")?;
    let pool = PgPoolOptions::new().max_connections(1).connect(&url).await?;
    let table = "CREATE TEMP TABLE posts (id BIGINT PRIMARY KEY, author_id BIGINT NOT NULL, title TEXT NOT NULL, \
         created_at TIMESTAMP NOT NULL)";
    let rows = "INSERT INTO posts SELECT x, x % 10, 't' || x, '2026-01-01'::timestamp + (x / 3) * interval '1 minute' \
         FROM generate_series(1, 2000) x; ANALYZE posts";
    sqlx::raw_sql(AssertSqlSafe(format!("{table}; {INDEX}; {rows}"))).execute(&pool).await?;
    Ok(pool.into())
}

#[inline(never)]
fn measured(run: &mut dyn FnMut() -> anyhow::Result<()>) -> anyhow::Result<()> {
    run()
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (server, kind) = (arguments.next().context("which server?")?, arguments.next().context("which kind of page?")?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let pool = runtime.block_on(pool(&server))?;
    Folio::new(pool).keyring(Keyring::new(Key::generate())).install()?;
    let mut cursor = None;
    for _ in 0..3 {
        cursor = runtime.block_on(page(&kind, cursor))?;
    }
    measured(&mut || runtime.block_on(page(&kind, cursor.clone())).map(drop))
}
