use folio::Paginate;

#[derive(Clone, serde::Serialize, sqlx::Type)]
#[sqlx(transparent)]
struct PersonId(i64);

#[derive(serde::Serialize, sqlx::FromRow, Paginate)]
#[paginate(resource = "posts")]
struct Post {
    id: i64,
    #[paginate(to_one = "people")]
    author_id: PersonId,
}

fn main() {}
