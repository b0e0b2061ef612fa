//! Filters with own types, as typed comparisons and as values of sea-query, on cursor pages and on numbered ones.

use folio::testing::Walk;
use folio::{Builder, CursorDirection, ExprTrait as _, Folio, Paginate};
use sea_query::{Expr, Value};

use super::types::*;
use crate::server::{ID, TEXT, types};
use crate::suite::db::{self, Pool};

#[derive(Debug, Clone, PartialEq, serde::Serialize, sqlx::FromRow, Paginate)]
#[paginate(table = "own_issues", resource = "issues")]
struct Issue {
    #[serde(skip)]
    id: IssueId,
    #[serde(skip)]
    parent: Option<ParentId>,
    #[serde(skip)]
    stage: Stage,
    #[serde(skip)]
    state: State,
    #[serde(skip)]
    last: Option<LastState>,
    #[serde(skip)]
    priority: Option<Priority>,
}

/// 30 issues. Each column repeats its values, and some are NULL.
async fn issues() -> (Folio, Pool) {
    let (schema, state) = state_column();
    let (big, int) = (types::BIGINT, types::INT);
    let pick = |values: &[&str], id: usize| values[id % values.len()].to_owned();
    let rows = (1..=30).map(|id| {
        let stage = pick(&STAGES, id);
        let [state, last] = [pick(&STATES, id), pick(&["'open'", "NULL", "'done'", "'in_progress'"], id)];
        let priority = pick(&["30", "2", "-100000", "NULL", "2"], id);
        format!("({id}, {}, {stage}, {state}, {last}, {priority})", if id % 2 == 0 { "NULL" } else { "7" })
    });
    let rows = rows.collect::<Vec<_>>().join(", ");
    // sqlx's derive does not read MySQL's ENUM if it is NOT NULL.
    let nulls = if is_mysql() { "NULL" } else { "NOT NULL" };
    let columns = format!(
        "id {ID}, parent {big}, stage {TEXT} NOT NULL, state {state} {nulls}, last {state} NULL, priority {int}"
    );
    let insert = format!("INSERT INTO own_issues VALUES {rows}");
    db::folio(&format!("{schema} CREATE TABLE own_issues ({columns}); {insert}")).await
}

/// The ids by numbered pages, and by cursors.
async fn found(query: Builder<Issue>) -> Vec<i64> {
    let mut numbered = Vec::new();
    let last = query.clone().paginate(4).await.unwrap().last_page;
    for page in 1..=last {
        numbered.extend(query.clone().page(page).paginate(4).await.unwrap().data.iter().map(|row| row.id.0));
    }
    let walk = Walk::over(numbered.clone()).run(async |cursor| {
        let page = query.clone().bind_filters().cursor(cursor.as_deref()).cursor_paginate(4).await?;
        Ok(page.map(|row| row.id.0))
    });
    walk.await.unwrap();
    numbered
}

fn ids(of: impl Fn(&i64) -> bool) -> Vec<i64> {
    (1..=30).filter(of).collect()
}

#[tokio::test]
async fn a_filter_takes_values_of_the_type() {
    let (folio, _pool) = issues().await;
    let check = async {
        let cases = [
            (Issue::STATE.eq(State::Open), ids(|id| id % 3 == 0)),
            (Issue::STATE.ne(State::Closed), ids(|id| id % 3 != 2)),
            (Issue::STATE.is_in([State::Open, State::Closed]), ids(|id| id % 3 != 1)),
            (Issue::STATE.is_not_in([State::Open]), ids(|id| id % 3 != 0)),
            (Issue::STATE.is_in([State::Open; 0]), ids(|_| false)),
            (Issue::LAST.eq(LastState(State::Closed)), ids(|id| id % 4 == 2)),
            (Issue::LAST.eq(Some(LastState(State::Closed))), ids(|id| id % 4 == 2)),
            (Issue::LAST.eq(None), ids(|_| false)),
            (Issue::LAST.is_null(), ids(|id| id % 4 == 1)),
            (Issue::STAGE.eq(Stage::Reserve), ids(|id| id % 3 == 2)),
            (Issue::STAGE.gt(Stage::Accepted), ids(|id| id % 3 != 1)),
            (Issue::PRIORITY.eq(Priority::Normal), ids(|id| matches!(id % 5, 1 | 4))),
            (Issue::PRIORITY.between(Priority::High, Priority::Normal), ids(|id| matches!(id % 5, 1 | 2 | 4))),
            (Issue::PRIORITY.is_in([Priority::High, Priority::Low]), ids(|id| matches!(id % 5, 0 | 2))),
            (Issue::ID.gt(IssueId(27)), ids(|id| *id > 27)),
            (Issue::PARENT.eq(ParentId { issue: IssueId(7) }).and(Issue::ID.lte(IssueId(3))), vec![1, 3]),
        ];
        for (condition, expected) in cases {
            assert_eq!(found(Issue::query().filter(condition.clone())).await, expected, "{condition:?}");
        }
    };
    folio.scope(check).await;
}

/// PostgreSQL compares by the order of the declaration, the others by the text.
#[tokio::test]
async fn a_filter_compares_values_as_the_column_does() {
    let (folio, _pool) = issues().await;
    let expected = if is_postgres() { ids(|id| id % 3 != 0) } else { ids(|_| false) };
    folio
        .scope(async {
            assert_eq!(found(Issue::query().filter(Issue::STATE.gt(State::Open))).await, expected);
        })
        .await;
}

#[tokio::test]
async fn a_value_is_one_of_sea_query() {
    let (folio, _pool) = issues().await;
    let check = async {
        let open = Issue::query().filter(Expr::col("state").eq(State::Open));
        assert_eq!(found(open).await, ids(|id| id % 3 == 0));
        let last = Issue::query().filter(Expr::col("last").eq(Some(LastState(State::Open))));
        assert_eq!(found(last).await, ids(|id| id % 4 == 0));
        assert_eq!(found(Issue::query().filter(Expr::col("last").eq(None::<LastState>))).await, ids(|_| false));
        let either = Expr::col("priority").is_in([Priority::Low, Priority::High]).or(Expr::col("id").eq(IssueId(1)));
        assert_eq!(found(Issue::query().filter(either)).await, ids(|id| *id == 1 || matches!(id % 5, 0 | 2)));
        assert_eq!(Value::from(Some(Priority::Low)), Value::Int(Some(30)));
        assert_eq!(Value::from(Stage::InReview), Value::from("in_review"));
    };
    folio.scope(check).await;
}

/// A newtype is the primary key of a walk, of a typed key, and of a JSON:API resource.
#[tokio::test]
async fn a_newtype_is_a_primary_key() {
    let (folio, _pool) = issues().await;
    let check = async {
        let cursor = IssueKey { id: IssueId(20) }.encode(CursorDirection::Next).unwrap();
        let page = Issue::query().cursor(Some(&cursor)).cursor_paginate(2).await.unwrap();
        assert_eq!(page.data.iter().map(|row| row.id).collect::<Vec<_>>(), [IssueId(21), IssueId(22)]);
        let last = page.next_cursor.unwrap();
        assert_eq!(IssueKey::decode(&last).unwrap(), (IssueKey { id: IssueId(22) }, CursorDirection::Next));
        assert_eq!(folio::json_api::JsonResource::id(&page.data[0]), "21");
    };
    folio.scope(check).await;
}
