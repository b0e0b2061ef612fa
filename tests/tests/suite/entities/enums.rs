//! Enums of PostgreSQL. It sorts them in their own order, and sea-orm selects them as texts, which have another one.

use folio::sea_orm::{Db, SortColumn as _};
use folio::testing::Walk;
use folio::{Column, CursorPaginator, FrameworkError, IntoOrder as _, Order, Select};
use sea_orm::{EntityTrait as _, IntoActiveModel as _, JoinType, QuerySelect as _, RelationTrait as _};
use sqlx::Database as _;

use crate::server::{self, ID, TEXT};
use crate::suite::db;

mod issue {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumIter, DeriveActiveEnum, folio::ColumnValue)]
    #[sea_orm(rs_type = "String", db_type = "Enum", enum_name = "entity_state")]
    pub(super) enum State {
        #[sea_orm(string_value = "open")]
        Open,
        #[sea_orm(string_value = "blocked")]
        Blocked,
        #[sea_orm(string_value = "closed")]
        Closed,
        #[sea_orm(string_value = "archived")]
        Archived,
    }

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, folio::Paginate)]
    #[sea_orm(table_name = "entity_issues")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: i64,
        pub(super) state: State,
        pub(super) earlier: Option<State>,
        pub(super) parent_id: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {
        #[sea_orm(belongs_to = "Entity", from = "Column::ParentId", to = "Column::Id")]
        Parent,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

use issue::State;

/// Where a state is in the database's order: that of the enum, or of its text.
fn rank(state: State) -> (usize, &'static str) {
    let text = ["open", "blocked", "closed", "archived"][state as usize];
    (if is_postgres() { state as usize } else { 0 }, text)
}

fn is_postgres() -> bool {
    server::Driver::NAME == "PostgreSQL"
}

fn schema() -> String {
    let create = "CREATE TYPE entity_state AS ENUM ('open', 'blocked', 'closed', 'archived');";
    let (create, state) = if is_postgres() { (create, "entity_state") } else { ("", TEXT) };
    format!("{create} CREATE TABLE entity_issues (id {ID}, state {state} NOT NULL, earlier {state}, parent_id BIGINT)")
}

fn issues() -> Vec<issue::Model> {
    let states = [State::Open, State::Blocked, State::Closed, State::Archived];
    let issue = |id: i64| {
        let at = usize::try_from(id).unwrap();
        let earlier = if at.is_multiple_of(5) { None } else { Some(states[at / 4 % 4]) };
        issue::Model { id, state: states[at * 7 % 4], earlier, parent_id: (id > 1).then_some(id / 2) }
    };
    (1..=24).map(issue).collect()
}

/// Every page of an order, both ways, and by number.
async fn walks<T: Send + 'static>(
    expected: &[issue::Model],
    select: impl Fn() -> Select<T>,
    order: impl Fn() -> Order,
    id: impl Fn(T) -> i64,
) -> folio::Result<()> {
    let ids: Vec<i64> = expected.iter().map(|issue| issue.id).collect();
    for per_page in [1, 5] {
        let walk = Walk::over(ids.clone()).both_ways().run(async |cursor| {
            let page = select().order_by(order()).cursor(cursor.as_deref()).cursor_paginate(per_page).await?;
            Ok::<CursorPaginator<i64>, FrameworkError>(page.map(&id))
        });
        walk.await.unwrap();
    }
    let page = select().order_by(order()).page(2).paginate(5).await?.map(&id);
    assert_eq!(page.data, ids[5..10]);
    Ok(())
}

async fn on_issues(check: impl AsyncFnOnce(&[issue::Model]) -> folio::Result<()>) {
    let (folio, _pool) = db::folio(&schema()).await;
    let run = async {
        let issues = issues();
        let rows = issues.iter().cloned().map(issue::Model::into_active_model);
        issue::Entity::insert_many(rows).exec_without_returning(&Db).await?;
        check(&issues).await
    };
    folio.scope(run).await.unwrap();
}

/// The best state last, and of equal ones the later issue first.
fn by_state() -> Order {
    (issue::Column::State.asc(), issue::Column::Id.desc()).erased()
}

fn sorted(issues: &[issue::Model]) -> Vec<issue::Model> {
    let mut sorted = issues.to_vec();
    sorted.sort_by_key(|issue| (rank(issue.state), -issue.id));
    sorted
}

#[tokio::test]
async fn pages_are_in_the_order_of_an_enum() {
    on_issues(async |issues| {
        let sorted = sorted(issues);
        let find = issue::Entity::find;
        walks(&sorted, || Select::entity(find()), by_state, |issue| issue.id).await?;
        // The text has the name of the column, once or twice.
        let named = || find().select_only().column(issue::Column::Id).column_as(issue::Column::State, "state");
        let tuples = || Select::entity(named()).into_tuple::<(i64, State)>();
        walks(&sorted, tuples, by_state, |(id, _)| id).await?;
        let twice = Select::entity(find().column_as(issue::Column::State, "state")).order_by(by_state());
        let error = twice.cursor_paginate(5).await.unwrap_err().to_string();
        assert!(error.contains("several columns of the select have this name: give each one an alias"), "{error}");

        let mut by_earlier = issues.to_vec();
        by_earlier.sort_by_key(|issue| (issue.earlier.map(rank), -issue.id));
        by_earlier.reverse();
        let order = || (issue::Column::Earlier.desc().nulls_last(), issue::Column::Id.asc()).erased();
        walks(&by_earlier, || Select::entity(find()), order, |issue| issue.id).await?;

        // A join, of which each entity's columns have a prefix.
        let joined = || find().join_as(JoinType::InnerJoin, issue::Relation::Parent.def(), "parent");
        let parent = |issue: &issue::Model| issues.iter().find(|other| Some(other.id) == issue.parent_id).unwrap();
        let mut of_parents: Vec<_> = issues.iter().filter(|issue| issue.parent_id.is_some()).cloned().collect();
        of_parents.sort_by_key(|issue| (rank(parent(issue).state), issue.id));
        let order = || (issue::Column::State.asc().of("parent"), issue::Column::Id.asc()).erased();
        walks(&of_parents, || Select::entity(joined()), order, |issue| issue.id).await
    })
    .await;
}

#[tokio::test]
async fn pages_of_a_model_are_in_the_order_of_an_enum() {
    on_issues(async |issues| {
        let ids: Vec<i64> = sorted(issues).iter().map(|issue| issue.id).collect();
        let walk = Walk::over(ids).both_ways().run(async |cursor| {
            let issues = issue::Model::query().order_by(by_state()).cursor(cursor.as_deref());
            Ok(issues.cursor_paginate(5).await?.map(|issue| issue.id))
        });
        walk.await.unwrap();
        Ok(())
    })
    .await;
}

/// Distinct rows can only be sorted by their own columns, and there the enum is a text.
#[tokio::test]
async fn distinct_rows_are_sorted_by_the_text_of_an_enum_only_if_the_order_says_so() {
    on_issues(async |issues| {
        let whole = || issue::Entity::find().distinct();
        let id = || issue::Entity::find().select_only().column(issue::Column::Id);
        let named = || id().column_as(issue::Column::State, "state").distinct();
        let tuples = || Select::entity(named()).into_tuple::<(i64, State)>();
        if is_postgres() {
            for error in [
                Select::entity(whole()).order_by(by_state()).cursor_paginate(5).await.unwrap_err(),
                Select::entity(whole()).order_by(by_state()).paginate(5).await.unwrap_err(),
                tuples().order_by(by_state()).cursor_paginate(5).await.unwrap_err(),
                tuples().order_by(by_state()).paginate(5).await.unwrap_err(),
            ] {
                let error = error.to_string();
                assert!(error.contains("`entity_issues.state`, which is not among the columns"), "{error}");
                assert!(error.contains("order by `Column::new(\"…\")`"), "{error}");
            }
        } else {
            let sorted = sorted(issues);
            walks(&sorted, || Select::entity(whole()), by_state, |issue| issue.id).await?;
            walks(&sorted, tuples, by_state, |(id, _)| id).await?;
        }
        let mut by_text = issues.to_vec();
        by_text.sort_by_key(|issue| (rank(issue.state).1, issue.id));
        let order = || (Column::<String>::new("state").asc(), Column::<i64>::new("id")).erased();
        walks(&by_text, || Select::entity(whole()), order, |issue| issue.id).await?;
        walks(&by_text, tuples, order, |(id, _)| id).await?;

        // The enum itself, beside its text.
        let own = sea_orm::sea_query::Expr::col((issue::Entity, issue::Column::State));
        let ranked = || Select::entity(id().expr_as(own.clone(), "rank").distinct()).into_tuple::<(i64,)>();
        let order = || (Column::<String>::new("rank").asc(), Column::<i64>::new("id").desc()).erased();
        walks(&sorted(issues), ranked, order, |(id,)| id).await
    })
    .await;
}
