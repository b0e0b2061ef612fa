use axum::response::IntoResponse;
use folio::{LengthAwarePaginator, Paginate};

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

fn posts() -> impl IntoResponse {
    LengthAwarePaginator::new(vec![Post { id: 7 }], 1, 15, 1)
}

fn main() {}
