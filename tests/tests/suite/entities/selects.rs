//! What an entity's select can be read as, and what is refused.

use folio::sea_orm::SortColumn as _;
use folio::{Folio, FrameworkError, Select};
use sea_orm::{
    ColumnTrait as _, DerivePartialModel, EntityTrait as _, FromQueryResult, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};

use super::{author, book, schema};
use crate::suite::db;

async fn folio() -> (Folio, impl Sized) {
    let rows = "INSERT INTO entity_authors VALUES (1, 'a'), (2, 'b'); \
                INSERT INTO entity_books VALUES (1, 'y', 3, 1.5, 1), (2, 'x', NULL, 2.5, NULL), (3, 'x', 1, 1.5, 2)";
    db::folio(&format!("{}; {rows}", schema())).await
}

#[derive(Debug, PartialEq, FromQueryResult)]
struct Title {
    title: String,
}

#[derive(Debug, PartialEq, DerivePartialModel)]
#[sea_orm(entity = "book::Entity")]
struct Card {
    id: i64,
    #[sea_orm(from_expr = "sea_orm::sea_query::Expr::col(book::Column::Rating)")]
    stars: f64,
}

#[tokio::test]
async fn rows_are_read_as_other_types() {
    let (folio, _pool) = folio().await;
    let check = async {
        let books = || Select::entity(book::Entity::find()).order_by(book::Column::Rating.desc());
        let page = books().into_model::<Title>().cursor_paginate(1).await?;
        assert_eq!(page.data, [Title { title: "x".to_owned() }]);
        // The cursor is one of the table, whatever the rows are.
        let next = books().into_partial_model::<Card>().cursor(page.next_cursor.as_deref()).cursor_paginate(1).await?;
        assert_eq!(next.data, [Card { id: 3, stars: 1.5 }]);
        let titles = book::Entity::find().select_only().column(book::Column::Title);
        let last = Select::entity(titles).into_tuple::<(String,)>().order_by(book::Column::Rating.desc());
        let last = last.cursor(next.next_cursor.as_deref()).cursor_paginate(1).await?;
        assert_eq!((last.data, last.next_cursor), (vec![("y".to_owned(),)], None));
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

#[tokio::test]
async fn numbered_pages_have_the_order_of_the_select() {
    let (folio, _pool) = folio().await;
    let check = async {
        let books = book::Entity::find().filter(book::Column::Rating.eq(1.5)).order_by_desc(book::Column::Title);
        let page = Select::entity(books).paginate(1).await?;
        assert_eq!((page.data[0].id, page.total), (1, 2));
        let both = book::Entity::find().find_both_related(author::Entity).order_by_desc(author::Column::Name);
        let page = Select::entity(both).simple_paginate(1).await?;
        assert_eq!((page.data[0].0.id, page.data[0].1.id), (3, 2));
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

#[tokio::test]
async fn an_order_without_a_place_for_nulls_is_an_error_of_the_page() {
    let (folio, _pool) = folio().await;
    let check = async {
        let select = || Select::entity(book::Entity::find()).order_by(book::Column::Score.desc());
        for error in [select().cursor_paginate(1).await.unwrap_err(), select().paginate(1).await.unwrap_err()] {
            assert!(error.to_string().contains("`entity_books.score` can be NULL"), "{error}");
        }
        // An author may be missing from a row of the join.
        let joined = book::Entity::find().find_also_related(author::Entity);
        let error = Select::entity(joined).order_by(author::Column::Name.asc()).cursor_paginate(5).await.unwrap_err();
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(format!("{error}: {cause}").contains("NULL"), "{error}: {cause}");
    };
    folio.scope(check).await;
}
