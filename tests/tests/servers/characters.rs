//! A client sends a character that the column cannot store. No row can match it, and the answer is a 400, not a 500.

use folio::{Column, ExprTrait as _, Filters, FrameworkError, Paginate, Result, Select, load};
use sea_query::Expr;
use sqlx::AssertSqlSafe;

use crate::server::QUOTE;
use crate::suite::db;

/// Characters that ASCII, Latin-1 and utf8mb3 do not have in common, or not at all.
pub(crate) const CHARACTERS: [&str; 3] = ["é", "中", "😀"];

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "tagged", primary_key = "tag")]
#[expect(dead_code, reason = "only the number of rows matters")]
pub(crate) struct Tagged {
    tag: String,
    id: i64,
}

impl Tagged {
    /// The table, with a text of this type.
    pub(crate) fn table(text: &str) -> String {
        format!(
            "CREATE TABLE tagged (tag {text} NOT NULL PRIMARY KEY, id BIGINT NOT NULL); \
             INSERT INTO tagged VALUES ('a', 3), ('b', 1), ('c', 2)"
        )
    }
}

/// How each call with a client's text went: the number of rows that it found.
pub(crate) async fn calls(text: &str) -> Vec<(&'static str, Result<usize>)> {
    let list = || Tagged::query().cursor(None);
    let key = TaggedKey { tag: text.to_owned() };
    let texts = || ["a", "b", text].map(str::to_owned);
    // A feed of many groups is read by another statement.
    let many = || (0..40).map(|number| format!("group {number}")).chain(texts());
    let wanted = text.to_owned();
    let same = load::many(Tagged::query(), Tagged::TAG, move |_: &Tagged| wanted.clone());
    let one = Tagged::query().filter(Tagged::TAG.eq("a")).page(1).paginate(9).await.unwrap();
    let rows = |count: u64| usize::try_from(count).unwrap();
    let mark = if QUOTE == '"' { "$1" } else { "?" };
    let written = AssertSqlSafe(format!("SELECT tag FROM tagged WHERE tag IN ('a', 'b', {mark})"));
    let written =
        Select::<(String,)>::sql(written).bind(text.to_owned()).order_by(Column::<String>::new("tag")).page(1);
    vec![
        ("eq", list().filter(Tagged::TAG.eq(text)).cursor_paginate(9).await.map(|page| page.data.len())),
        ("is_in", list().filter(Tagged::TAG.is_in(texts())).cursor_paginate(9).await.map(|page| page.data.len())),
        ("icontains", list().filter(Tagged::TAG.icontains(text)).cursor_paginate(9).await.map(|page| page.data.len())),
        (
            "is_in, numbered",
            Tagged::query().filter(Tagged::TAG.is_in(texts())).page(1).paginate(9).await.map(|page| page.data.len()),
        ),
        ("seek", list().seek(text.to_owned()).cursor_paginate(9).await.map(|page| page.data.len())),
        ("seek_inclusive", list().seek_inclusive(text.to_owned()).cursor_paginate(9).await.map(|page| page.data.len())),
        ("around", list().around(&key, 1, 1).await.map(|around| around.page.data.len())),
        ("around_at", list().around_at(text.to_owned(), 1, 1).await.map(|around| around.page.data.len())),
        ("around_id", list().around_id(text, 1, 1).await.map(|around| around.page.data.len())),
        ("find", Tagged::query().find(text).await.map(|row| usize::from(row.is_some()))),
        ("count_after", Tagged::query().count_after(&key).await.map(rows)),
        ("count_before", Tagged::query().count_before(&key).await.map(rows)),
        ("among", list().among(Tagged::TAG, texts()).cursor_paginate(9).await.map(|page| page.data.len())),
        (
            "among by id",
            list()
                .among(Tagged::TAG, texts())
                .order_by(Tagged::ID)
                .cursor_paginate(9)
                .await
                .map(|page| page.data.len()),
        ),
        (
            "among many by id",
            list().among(Tagged::TAG, many()).order_by(Tagged::ID).cursor_paginate(9).await.map(|page| page.data.len()),
        ),
        ("among, counted", Tagged::query().among(Tagged::TAG, texts()).count().await.map(rows)),
        ("among many", list().among(Tagged::TAG, many()).cursor_paginate(9).await.map(|page| page.data.len())),
        ("each_of many", Tagged::query().each_of(Tagged::TAG, many()).first(9).await.map(|found| found[text].len())),
        ("each_of", Tagged::query().each_of(Tagged::TAG, texts()).first(9).await.map(|found| found[text].len())),
        (
            "each_of, paginated",
            Tagged::query()
                .counted()
                .each_of(Tagged::TAG, texts())
                .cursor_paginate(9)
                .await
                .map(|found| found[text].data.len()),
        ),
        ("sql", written.paginate(9).await.map(|page| page.data.len())),
        ("load", one.load(same).await.map(|page| page.data[0].1.len())),
    ]
}

/// The calls that answered neither with rows nor with a 400.
pub(crate) async fn failed(text: &str) -> Vec<String> {
    let is_wrong = |outcome: &Result<usize>| outcome.as_ref().is_err_and(|error| !matches!(error.status(), 400 | 404));
    let calls = calls(text).await.into_iter().filter(|(_, outcome)| is_wrong(outcome));
    calls.map(|(call, outcome)| format!("{call} {text}: {outcome:?}")).collect()
}

/// What the same text answers as values of filters of the request, if the server refuses it: a 400 that names the
/// parameter.
pub(crate) async fn refused_filters(text: &str) -> Vec<(String, Option<FrameworkError>)> {
    let filters = || {
        Filters::<Tagged>::new()
            .allow("tag", Tagged::TAG.eq_any())
            .allow_with("like", |text: String| Tagged::TAG.to_expr().eq(Expr::val(text)))
    };
    let mut outcomes = Vec::new();
    for query in [format!("tag={text}"), format!("tag=a&tag={text}"), format!("tag=a&tag=b&tag={text}")] {
        let list = || Tagged::query().filter(filters().resolve(&query).unwrap());
        outcomes.push((format!("cursor page, {query}"), list().cursor(None).cursor_paginate(9).await.err()));
        outcomes.push((format!("numbered page, {query}"), list().page(1).paginate(9).await.err()));
        outcomes.push((format!("count, {query}"), list().count().await.err()));
    }
    outcomes
}

#[tokio::test]
async fn a_text_of_any_characters_is_looked_for_in_unicode() {
    let (folio, _pool) = db::folio(&Tagged::table(crate::server::TEXT)).await;
    for text in CHARACTERS {
        let failed = folio.scope(failed(text)).await;
        assert!(failed.is_empty(), "{failed:#?}");
    }
}
