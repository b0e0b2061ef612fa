//! What an entity's select can be read as, and what is refused.

use folio::sea_orm::{SortColumn as _, linked, linked_one};
use folio::{Folio, FrameworkError, Select};
use sea_orm::{
    ColumnTrait as _, Condition, DerivePartialModel, EntityTrait as _, FromQueryResult, Linked, QueryFilter as _,
    QueryOrder as _, QuerySelect as _, RelationDef, RelationTrait as _,
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

#[tokio::test]
async fn the_columns_of_sql_text_are_not_changed() {
    let (folio, _pool) = folio().await;
    let check = async {
        let books = Select::<(i64, f64)>::sql("SELECT id, stars FROM entity_books").into_partial_model::<Card>();
        let error = books.order_by(book::Column::Id.asc()).paginate(5).await.unwrap_err();
        assert!(error.to_string().contains("use `into_model`"), "{error}");
    };
    folio.scope(check).await;
}

/// Links from a book to its author.
enum ToAuthor {
    Plain,
    WithCondition,
    Around,
}

impl Linked for ToAuthor {
    type FromEntity = book::Entity;
    type ToEntity = author::Entity;

    fn link(&self) -> Vec<RelationDef> {
        let author = || book::Relation::Author.def();
        match self {
            Self::Plain => vec![author()],
            Self::WithCondition => vec![author().on_condition(|_, _| Condition::all())],
            Self::Around => vec![author(), author().rev(), author()],
        }
    }
}

#[tokio::test]
async fn a_link_of_one_relation_is_loaded_and_others_are_refused() {
    let (folio, _pool) = folio().await;
    let check = async {
        let books = || book::Model::query().order_by(book::Model::ID).paginate(5);
        let author = linked_one(&ToAuthor::Plain, author::Model::query())?;
        let found = books().await?.load(author).await?.data;
        // The second book has no author.
        let names = found.iter().map(|(_, author)| author.as_ref().map(|author| &*author.name));
        assert_eq!(names.collect::<Vec<_>>(), [Some("a"), None, Some("b")]);
        for (link, why) in [(ToAuthor::WithCondition, "a condition of its own"), (ToAuthor::Around, "one or two")] {
            let error = linked::<_, book::Model, _, _>(&link, author::Model::query()).unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}
