//! What an entity's select can be read as, and what is refused.

use folio::sea_orm::{SortColumn as _, linked, linked_one};
use folio::{Column as TypedColumn, Folio, FrameworkError, Select};
use futures_util::TryStreamExt as _;
use sea_orm::sea_query::{Expr, JoinType, Query};
use sea_orm::{
    ColumnTrait as _, Condition, DerivePartialModel, EntityTrait as _, FromQueryResult, Linked, QueryFilter as _,
    QueryOrder as _, QuerySelect as _, RelationDef, RelationTrait as _,
};

use super::{author, book, schema};
use crate::server::{ID, TEXT};
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

mod contact {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, folio::Paginate)]
    #[sea_orm(table_name = "entity_contacts")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: i64,
        pub(super) name: String,
        pub(super) manager_id: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {
        #[sea_orm(belongs_to = "Entity", from = "Column::ManagerId", to = "Column::Id")]
        Manager,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub(super) struct ToManager;

    impl Linked for ToManager {
        type FromEntity = Entity;
        type ToEntity = Entity;

        fn link(&self) -> Vec<RelationDef> {
            vec![Relation::Manager.def()]
        }
    }
}

/// sea-orm joins the table to itself as `r0`. Each of the two needs a tie-breaker of its own.
#[tokio::test]
async fn rows_of_a_table_joined_to_itself_do_not_tie() {
    let rows =
        "(1, 'a', NULL), (2, 'b', NULL), (3, 'c', 1), (4, 'c', 1), (5, 'c', 1), (6, 'd', 2), (7, 'd', 2), (8, 'c', 2)";
    let table = format!("CREATE TABLE entity_contacts (id {ID}, name {TEXT} NOT NULL, manager_id BIGINT)");
    let (folio, _pool) = db::folio(&format!("{table}; INSERT INTO entity_contacts VALUES {rows}")).await;
    let check = async {
        let linked = || Select::entity(contact::Entity::find().find_also_linked(contact::ToManager));
        let managers = || contact::Column::Name.asc().of("r0").nulls_first();
        for (what, list, expected) in [
            (
                "r0.name, entity_contacts.name",
                linked().order_by((managers(), contact::Column::Name.asc())),
                [1, 2, 3, 4, 5, 8, 6, 7],
            ),
            ("r0.name", linked().order_by(managers()), [1, 2, 3, 4, 5, 6, 7, 8]),
            (
                "entity_contacts.name",
                linked().order_by((contact::Column::Name.asc(), managers())),
                [1, 2, 3, 4, 5, 8, 6, 7],
            ),
        ] {
            for per_page in 1..=8 {
                let pages = list.clone().cursor_chunks(per_page).try_collect::<Vec<_>>().await;
                let pages = pages.unwrap_or_else(|error| panic!("{what}, {per_page} rows a page: {error}"));
                let ids: Vec<i64> = pages.iter().flat_map(|page| &page.data).map(|(contact, _)| contact.id).collect();
                assert_eq!(ids, expected, "{what}, {per_page} rows a page");
            }
        }
        // The columns of rows that do tie are named with their tables.
        let columns = (TypedColumn::<String>::new("name").of("r0"), TypedColumn::<String>::new("name").of("c"));
        let mut pairs = Query::select();
        let select = pairs.expr_as(Expr::col(("r0", "id")), "id").from_as("entity_contacts", "r0");
        let select = select.join_as(JoinType::InnerJoin, "entity_contacts", "c", Expr::cust("c.id > 0"));
        let error = Select::<(i64,)>::from(select).order_by(columns).cursor_paginate(3).await.unwrap_err();
        assert!(error.to_string().contains("rows tie in the cursor order (r0.name, c.name)"), "{error}");
    };
    folio.scope(check).await;
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
