//! Lists as services write them: one order for numbers and cursors, filters from a request, links, and scopes.

use folio::{
    ActiveRequest, Column, FilterExpr, Folio, IntoOrder, LengthAwarePaginator, Order, Paginate, Pagination, Select,
};
use folio_tests::recorder::{Recorder, record_statements};
use sea_query::Query;

use crate::server::ID;
use crate::suite::db::{self, Pool};

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, sqlx::FromRow, Paginate)]
struct Issue {
    id: i64,
    project: i64,
    title: String,
    score: Option<i64>,
}

const TITLES: [&str; 6] = ["100% sure", "a_b", "A_B", "back\\slash", "bang!", "plain"];

/// 60 issues: scores that tie, a fifth of them NULL.
async fn issues() -> (Folio, Pool) {
    let rows = (1..=60).map(|id: i64| {
        let score = if id % 5 == 0 { "NULL".to_owned() } else { (id % 4).to_string() };
        format!("({id}, {}, '{}', {score})", id % 3, ["x", "y", "z"][usize::try_from(id % 3).unwrap()])
    });
    let rows = rows.collect::<Vec<_>>().join(", ");
    let (folio, pool) = db::folio(&format!(
        "CREATE TABLE issues (id {ID}, project BIGINT NOT NULL, title VARCHAR(40) NOT NULL, score BIGINT); \
         INSERT INTO issues VALUES {rows}"
    ))
    .await;
    (folio, pool)
}

/// All ids by numbered pages, by simple pages, and by cursors to the end and back.
async fn walked(query: impl Fn() -> folio::Builder<Issue>, per_page: u64) -> [Vec<i64>; 4] {
    let mut walked = [const { Vec::new() }; 4];
    let last_page = query().paginate(per_page).await.unwrap().last_page;
    for page in 1..=last_page {
        walked[0].extend(query().page(page).paginate(per_page).await.unwrap().data.iter().map(|row| row.id));
        walked[1].extend(query().page(page).simple_paginate(per_page).await.unwrap().data.iter().map(|row| row.id));
    }
    let mut page = query().cursor(None).cursor_paginate(per_page).await.unwrap();
    walked[2].extend(page.data.iter().map(|row| row.id));
    while let Some(next) = page.next_cursor.take() {
        page = query().cursor(Some(&next)).cursor_paginate(per_page).await.unwrap();
        walked[2].extend(page.data.iter().map(|row| row.id));
    }
    let mut pages = vec![page.data.iter().map(|row| row.id).collect::<Vec<_>>()];
    while let Some(prev) = page.prev_cursor.take() {
        page = query().cursor(Some(&prev)).cursor_paginate(per_page).await.unwrap();
        pages.push(page.data.iter().map(|row| row.id).collect());
    }
    walked[3] = pages.into_iter().rev().flatten().collect();
    walked
}

/// The ids sorted by keys, ties by id in this direction.
fn sorted<K: Ord>(key: impl Fn(i64) -> K, descending_id: bool) -> Vec<i64> {
    let mut ids: Vec<i64> = (1..=60).collect();
    ids.sort_by_key(|id| (key(*id), if descending_id { -id } else { *id }));
    ids
}

#[tokio::test]
async fn numbers_and_cursors_have_the_same_order() {
    let (folio, _pool) = issues().await;
    let score = |id: i64| (id % 5 != 0).then_some(id % 4);
    let orders: [(Order, Vec<i64>); 6] = [
        (Issue::ID.desc().erased(), sorted(|_| 0, true)),
        (Issue::SCORE.nulls_first().erased(), sorted(score, false)),
        (Issue::SCORE.nulls_last().erased(), sorted(|id| (score(id).is_none(), score(id)), false)),
        (Issue::SCORE.desc().nulls_first().erased(), sorted(|id| (score(id).is_some(), score(id).map(|s| -s)), true)),
        (Issue::SCORE.desc().nulls_last().erased(), sorted(|id| (score(id).is_none(), score(id).map(|s| -s)), true)),
        (
            (Issue::PROJECT.desc(), Issue::SCORE.nulls_last(), Issue::ID).erased(),
            sorted(|id| (-(id % 3), score(id).is_none(), score(id)), false),
        ),
    ];
    let check = async {
        for (order, expected) in orders {
            for per_page in [7, 20, 200] {
                let pages = walked(|| Issue::query().order_by(order.clone()), per_page).await;
                for ids in pages {
                    assert_eq!(ids, expected, "{order:?}, {per_page} a page");
                }
            }
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn cursor_by_takes_precedence_over_order_by() {
    let (folio, _pool) = issues().await;
    let query = || Issue::query().order_by(Issue::ID.desc()).cursor_by(Issue::ID);
    let check = async {
        assert_eq!(query().cursor_paginate(1).await.unwrap().data[0].id, 1);
        assert_eq!(query().paginate(1).await.unwrap().data[0].id, 60);
        // A later order replaces an earlier one.
        assert_eq!(query().order_by(Issue::ID).paginate(1).await.unwrap().data[0].id, 1);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn an_order_cannot_be_given_twice() {
    let (folio, _pool) = issues().await;
    let check = async {
        let error = Issue::query().order_by(Issue::ID).order_by_desc(Issue::TITLE).paginate(5).await.unwrap_err();
        assert_eq!(error.status(), 500);
        assert!(error.to_string().contains("name all columns in one `order_by`"), "{error}");
        let foreign = Issue::query().order_by(Column::<i64>::new("id").of("users")).cursor_paginate(5).await;
        assert!(foreign.unwrap_err().to_string().contains("users"));
    };
    folio.scope(check).await;
}

/// The model of this test alone, because the warning comes once for each model.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "issues")]
struct Warned {
    id: i64,
}

#[tokio::test]
async fn an_ignored_setting_is_logged_once_for_each_model_and_for_selects() {
    let (folio, _pool) = issues().await;
    let recorder = Recorder::of_target("folio");
    let check = ActiveRequest::new("/issues").scope(async {
        for _ in 0..3 {
            let page = Warned::query().order_by_desc(Warned::ID).cursor_paginate(5).await.unwrap();
            assert_eq!(page.data[0].id, 1);
            Warned::query().with_page_name("issues").simple_paginate(5).await.unwrap();
            Warned::query().order_by_desc(Warned::ID).cursor_by(Warned::ID).cursor_paginate(5).await.unwrap();
            let select = Select::<(i64,)>::from(Query::select().column("id").from("issues"));
            select.order_by(Warned::ID).with_page_name("issues").simple_paginate(5).await.unwrap();
        }
    });
    folio.scope(check).await;
    let warnings = recorder.take();
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings[0].contains("use `order_by`"), "{warnings:?}");
    for (warning, rows) in [(&warnings[1], "`issues`"), (&warnings[2], "a select")] {
        assert!(warning.contains(&format!("a simple page of {rows} ignores `with_page_name`")), "{warnings:?}");
        assert!(warning.contains("with_cursor_name"), "{warnings:?}");
        assert!(warning.contains("give each simple list its `page`"), "{warnings:?}");
    }
}

#[tokio::test]
async fn text_from_a_client_is_matched_as_text() {
    let (folio, pool) = issues().await;
    for (id, title) in (101..).zip(TITLES) {
        let title = if server_escapes_backslashes() { title.replace('\\', "\\\\") } else { title.to_owned() };
        db::run(&pool, format!("INSERT INTO issues VALUES ({id}, 9, '{title}', 1)")).await;
    }
    let found = async |filter: FilterExpr<Issue>| {
        let page = Issue::query().filter(Issue::PROJECT.eq(9).and(filter)).paginate(15).await.unwrap();
        page.data.into_iter().map(|issue| issue.title).collect::<Vec<_>>()
    };
    let check = async {
        assert_eq!(found(Issue::TITLE.contains("%")).await, ["100% sure"]);
        assert_eq!(found(Issue::TITLE.contains("\\")).await, ["back\\slash"]);
        assert_eq!(found(Issue::TITLE.contains("!")).await, ["bang!"]);
        assert_eq!(found(Issue::TITLE.contains("k\\s")).await, ["back\\slash"]);
        assert_eq!(found(Issue::TITLE.contains("")).await, TITLES);
        assert_eq!(found(Issue::TITLE.starts_with("ba")).await, ["back\\slash", "bang!"]);
        assert_eq!(found(Issue::TITLE.starts_with("_")).await, [""; 0]);
        assert_eq!(found(Issue::TITLE.icontains("a_B")).await, ["a_b", "A_B"]);
        assert_eq!(found(Issue::TITLE.icontains("PLAIN")).await, ["plain"]);
        assert_eq!(found(Issue::TITLE.icontains("'; DROP TABLE issues; --")).await, [""; 0]);
        assert!(found(Issue::TITLE.contains("a_b")).await.contains(&"a_b".to_owned()));
        let by = async |project: Option<i64>| {
            let filter = project.map(|project| Issue::PROJECT.eq(project));
            Issue::query().filter_if(filter).paginate(1).await.unwrap().total
        };
        assert_eq!((by(None).await, by(Some(9)).await, by(Some(7)).await), (66, 6, 0));
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn any_of_has_the_rows_of_a_list() {
    let (folio, _pool) = issues().await;
    let check = async {
        let found = async |filter: FilterExpr<Issue>| -> Vec<i64> {
            let by_number = Issue::query().filter(filter.clone()).paginate(100).await.unwrap();
            let by_cursor = Issue::query().filter(filter).cursor_paginate(100).await.unwrap();
            assert_eq!(by_number.data, by_cursor.data);
            by_number.data.iter().map(|issue| issue.id).collect()
        };
        assert_eq!(found(Issue::ID.any_of([3, 1, 99, 3])).await, [1, 3]);
        assert_eq!(found(Issue::ID.any_of::<i64>([])).await, [0; 0]);
        assert_eq!(found(Issue::ID.any_of((1..=5).rev()).not()).await, (6..=60).collect::<Vec<i64>>());
        assert_eq!(found(Issue::SCORE.any_of([3]).and(Issue::ID.any_of([3, 4, 7]))).await, [3, 7]);
        assert_eq!(found(Issue::TITLE.any_of(["x", "'; --"]).and(Issue::ID.lt(7))).await, [3, 6]);
        assert_eq!(found(Issue::ID.any_of([1]).or(Issue::TITLE.any_of(["nothing"]))).await, [1]);

        // In a select of the caller's it is IN, everywhere.
        let select = Query::select().column("id").from("issues").cond_where(Issue::ID.any_of([2, 4])).take();
        let page = Select::<(i64,)>::from(select).order_by(Issue::ID).paginate(5).await.unwrap();
        assert_eq!(page.data, [(2,), (4,)]);
        if is_postgres() {
            assert_eq!(found(Issue::ID.any_of(1..=70_000)).await.len(), 60);
        }
    };
    folio.scope(check).await;
}

/// Statements are recorded for all tests, so this one has a table of its own.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "listed")]
struct Listed {
    id: i64,
}

#[tokio::test]
async fn a_list_is_one_array_on_postgresql() {
    record_statements();
    let (folio, _pool) = db::folio(&format!("CREATE TABLE listed (id {ID}); INSERT INTO listed VALUES (1), (2)")).await;
    let list = || Listed::query().filter(Listed::ID.any_of([2, 3]));
    let check = async {
        assert_eq!(list().paginate(5).await.unwrap().data[0].id, 2);
        assert_eq!(list().cursor_paginate(5).await.unwrap().data[0].id, 2);
    };
    folio.scope(check).await;
    let statements = db::selects("listed");
    assert_eq!(statements.len(), 2, "{statements:?}");
    for statement in statements {
        assert_eq!(statement.contains("= ANY("), is_postgres(), "{statement}");
    }
}

fn is_postgres() -> bool {
    <crate::server::Driver as sqlx::Database>::NAME == "PostgreSQL"
}

/// Whether a backslash in a string literal is written twice.
fn server_escapes_backslashes() -> bool {
    <crate::server::Driver as sqlx::Database>::NAME == "MySQL"
}

#[tokio::test]
async fn a_cursor_opens_only_in_its_scope() {
    let (folio, _pool) = issues().await;
    let list = |project: i64| Issue::query().filter(Issue::PROJECT.eq(project));
    let scoped = |project: i64| list(project).cursor_scope(&format!("project:{project}"));
    let bound = |project: i64| list(project).bind_filters();
    let check = async {
        // By itself, a cursor is bound to the table and the order.
        let plain = list(1).cursor_paginate(3).await.unwrap().next_cursor;
        let page = list(2).cursor(plain.as_deref()).cursor_paginate(3).await.unwrap();
        assert!(page.data.iter().all(|issue| issue.project == 2));

        let next = scoped(1).cursor_paginate(3).await.unwrap().next_cursor;
        let page = scoped(1).cursor(next.as_deref()).cursor_paginate(3).await.unwrap();
        assert_eq!(page.data.iter().map(|issue| issue.id).collect::<Vec<_>>(), [10, 13, 16]);
        let both = scoped(1).bind_filters();
        for other in [scoped(2), list(1), bound(1), both, list(1).cursor_scope("project:"), list(1).cursor_scope("")] {
            refused(other.cursor(next.as_deref()).cursor_paginate(3).await);
        }
        refused(scoped(1).cursor(plain.as_deref()).cursor_paginate(3).await);
        // A cursor from a key belongs to no scope.
        let by_hand = page.data[0].cursor_key().encode(folio::CursorDirection::Next).unwrap();
        assert!(list(1).cursor(Some(&by_hand)).cursor_paginate(3).await.is_ok());
        refused(scoped(1).cursor(Some(&by_hand)).cursor_paginate(3).await);

        let next = bound(1).cursor_paginate(3).await.unwrap().next_cursor;
        assert!(bound(1).cursor(next.as_deref()).cursor_paginate(3).await.is_ok());
        for other in [bound(2), list(1), bound(1).filter(Issue::ID.gt(0)), Issue::query().bind_filters()] {
            refused(other.cursor(next.as_deref()).cursor_paginate(3).await);
        }
    };
    folio.scope(check).await;
}

fn refused<T: std::fmt::Debug>(page: folio::Result<T>) {
    let error = page.unwrap_err();
    assert_eq!((error.status(), error.to_string().as_str()), (400, "Invalid pagination cursor"));
}

#[tokio::test]
async fn a_selects_cursor_opens_only_in_its_scope() {
    let (folio, _pool) = issues().await;
    let select = |project: i64| {
        let columns = ["id", "project", "title", "score"];
        let select = Query::select().columns(columns).from("issues").cond_where(Issue::PROJECT.eq(project)).take();
        Select::<Issue>::model(select)
    };
    let check = async {
        let page = async |select: Select<Issue>, cursor: Option<&str>| {
            Pagination::cursor(select, cursor, 3, Issue::ID.desc()).await
        };
        let next = page(select(1).cursor_scope("1"), None).await.unwrap().next_cursor;
        assert!(page(select(1).cursor_scope("1"), next.as_deref()).await.is_ok());
        refused(page(select(1).cursor_scope("2"), next.as_deref()).await);
        refused(page(select(1), next.as_deref()).await);
        let next = page(select(1).bind_filters(), None).await.unwrap().next_cursor;
        assert!(page(select(1).bind_filters(), next.as_deref()).await.is_ok());
        refused(page(select(2).bind_filters(), next.as_deref()).await);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn links_keep_the_query_of_the_request() {
    let (folio, _pool) = issues().await;
    let request = ActiveRequest::new("https://example.com/issues?project=1&page=2&tag[]=a&tag[]=b%20c&per_page=5#top");
    let query = || Issue::query().filter(Issue::PROJECT.eq(1)).with_query_string();
    let check = request.clone().scope(async {
        let page = query().paginate(5).await.unwrap();
        let url = "/issues?project=1&tag[]=a&tag[]=b%20c&per_page=5";
        assert_eq!(page.next_page_url().unwrap(), format!("{url}&page=3"));
        let json = serde_json::to_value(&page).unwrap();
        assert_eq!(json["path"], "/issues");
        assert_eq!(json["links"][1]["url"], format!("{url}&page=1"));
        assert_eq!(page.map(|issue| issue.id).previous_page_url().unwrap(), format!("{url}&page=1"));

        let page = query().simple_paginate(5).await.unwrap();
        assert_eq!(page.next_page_url().unwrap(), format!("{url}&page=3"));

        // The page number may be another list's.
        let page = query().with_cursor_name("after").cursor_paginate(5).await.unwrap();
        let next = page.next_page_url().unwrap();
        assert!(next.starts_with("/issues?project=1&page=2&tag[]=a&tag[]=b%20c&per_page=5&after="), "{next}");
        let second = ActiveRequest::new(&next).scope(query().with_cursor_name("after").cursor_paginate(5)).await;
        let second = second.unwrap();
        assert_ne!(second.data, page.data);
        assert_eq!(second.next_page_url().unwrap().matches("after=").count(), 1);

        // A path takes precedence, and without the setting the URLs are relative.
        assert_eq!(query().with_path("/x").paginate(5).await.unwrap().next_page_url().unwrap(), "/x?page=3");
        assert_eq!(Issue::paginate(5).await.unwrap().next_page_url().unwrap(), "?page=3");
    });
    folio.clone().scope(check).await;

    // Empty parameters stay, and the JSON's path is the path.
    for query_string in ["&a=1", "a=1&&b=2", "a=1&", "&&a=1&page=2&"] {
        let uri = format!("/issues?{query_string}");
        let page = ActiveRequest::new(&uri).scope(query().page(1).paginate(5));
        let page = folio.clone().scope(page).await.unwrap();
        let next = format!("/issues?{}&page=2", query_string.replace("&page=2", ""));
        assert_eq!(page.next_page_url().unwrap(), next);
        let json = serde_json::to_value(&page).unwrap();
        assert_eq!((&json["path"], &json["next_page_url"]), (&"/issues".into(), &next.as_str().into()));
        assert!(!json.to_string().contains("\\t"), "{json}");
        let again: LengthAwarePaginator<Issue> = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(serde_json::to_value(&again).unwrap(), json);
    }

    let folio = folio.with_query_string();
    let by_default = folio.scope(request.scope(async {
        let select = Query::select().column("id").from("issues").order_by("id", sea_query::Order::Asc).take();
        let page = Pagination::length_aware::<(i64,)>(select, 5, 2).await.unwrap();
        (Issue::paginate(5).await.unwrap().next_page_url(), page.next_page_url())
    }));
    let url = Some("/issues?project=1&tag[]=a&tag[]=b%20c&per_page=5&page=3".to_owned());
    assert_eq!(by_default.await, (url.clone(), url));
}
