use folio::Paginate;

#[derive(Debug, Clone, PartialEq, sqlx::Type)]
enum State {
    Open,
}

#[derive(sqlx::FromRow, Paginate)]
struct Issue {
    id: i64,
    state: State,
}

fn main() {
    let _filter = Issue::STATE.eq(State::Open);
}
