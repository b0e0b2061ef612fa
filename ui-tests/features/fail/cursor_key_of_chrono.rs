use chrono::{DateTime, Utc};
use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "created_at")]
struct Post {
    id: i64,
    created_at: DateTime<Utc>,
}

fn main() {}
