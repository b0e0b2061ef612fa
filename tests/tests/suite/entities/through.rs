//! Relations through a third table, compared with those of a search in memory and with what sea-orm's own loader finds.

use std::error::Error as _;

use folio::sea_orm::{Db, SortColumn as _, linked, related, related_one};
use folio::{DB, Folio, FrameworkError, Select};
use folio_tests::recorder::record_statements;
use futures_util::TryStreamExt as _;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sea_orm::sea_query::{ExprTrait as _, Query};
use sea_orm::{
    Condition, EntityTrait as _, IntoActiveModel as _, Linked, LoaderTrait as _, QuerySelect as _, Related,
    RelationDef, RelationTrait as _,
};

use crate::server::{ID, TEXT};
use crate::suite::db;

mod reader {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, folio::Paginate)]
    #[sea_orm(table_name = "through_readers")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: i64,
        pub(super) name: String,
        pub(super) mentor_id: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {
        #[sea_orm(belongs_to = "Entity", from = "Column::MentorId", to = "Column::Id")]
        Mentor,
    }

    impl Related<super::title::Entity> for Entity {
        fn to() -> RelationDef {
            super::loan::Relation::Title.def()
        }

        fn via() -> Option<RelationDef> {
            Some(super::loan::Relation::Reader.def().rev())
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod title {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, folio::Paginate)]
    #[sea_orm(table_name = "through_titles")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) shelf: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) number: i64,
        pub(super) score: Option<i32>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl Related<super::reader::Entity> for Entity {
        fn to() -> RelationDef {
            super::loan::Relation::Reader.def()
        }

        fn via() -> Option<RelationDef> {
            Some(super::loan::Relation::Title.def().rev())
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The third table. folio needs no model of it.
mod loan {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "through_loans")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: i64,
        pub(super) reader_id: Option<i64>,
        pub(super) reader_name: Option<String>,
        pub(super) shelf: Option<i64>,
        pub(super) number: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {
        #[sea_orm(belongs_to = "super::reader::Entity", from = "Column::ReaderId", to = "super::reader::Column::Id")]
        Reader,
        #[sea_orm(
            belongs_to = "super::reader::Entity",
            from = "Column::ReaderName",
            to = "super::reader::Column::Name"
        )]
        Named,
        #[sea_orm(
            belongs_to = "super::title::Entity",
            from = "(Column::Shelf, Column::Number)",
            to = "(super::title::Column::Shelf, super::title::Column::Number)"
        )]
        Title,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

fn schema() -> String {
    format!(
        "CREATE TABLE through_readers (id {ID}, name {TEXT} NOT NULL, mentor_id BIGINT); \
         CREATE TABLE through_titles (shelf BIGINT NOT NULL, number BIGINT NOT NULL, score INTEGER, \
             PRIMARY KEY (shelf, number)); \
         CREATE TABLE through_loans (id {ID}, reader_id BIGINT, reader_name {TEXT}, shelf BIGINT, number BIGINT)"
    )
}

/// The titles that loans with a reader's name lead to.
struct ByName;

impl Linked for ByName {
    type FromEntity = reader::Entity;
    type ToEntity = title::Entity;

    fn link(&self) -> Vec<RelationDef> {
        vec![loan::Relation::Named.def().rev(), loan::Relation::Title.def()]
    }
}

/// From a reader to the mentor's mentor, or to those for whom the reader is that: all three tables are the same one.
enum Mentors {
    Of,
    For,
}

impl Linked for Mentors {
    type FromEntity = reader::Entity;
    type ToEntity = reader::Entity;

    fn link(&self) -> Vec<RelationDef> {
        let hop = || match self {
            Self::Of => reader::Relation::Mentor.def(),
            Self::For => reader::Relation::Mentor.def().rev(),
        };
        vec![hop(), hop()]
    }
}

#[derive(Debug, Clone)]
struct Case {
    readers: Vec<reader::Model>,
    titles: Vec<title::Model>,
    /// Some of them are the same, and some have NULLs.
    loans: Vec<loan::Model>,
}

impl Case {
    /// The titles that these loans lead to, in their order: the best first, and of equally good ones the last.
    fn titles(&self, is_own: impl Fn(&loan::Model) -> bool) -> Vec<title::Model> {
        let loans: Vec<&loan::Model> = self.loans.iter().filter(|loan| is_own(loan)).collect();
        let is_lent = |title: &&title::Model| {
            loans.iter().any(|loan| (loan.shelf, loan.number) == (Some(title.shelf), Some(title.number)))
        };
        let mut titles: Vec<title::Model> = self.titles.iter().filter(is_lent).cloned().collect();
        titles.sort_by_key(|title| std::cmp::Reverse((title.score, title.shelf, title.number)));
        titles
    }

    /// The readers of a title, by id.
    fn readers(&self, title: &title::Model) -> Vec<reader::Model> {
        let is_of = |loan: &loan::Model| (loan.shelf, loan.number) == (Some(title.shelf), Some(title.number));
        let is_reader =
            |reader: &&reader::Model| self.loans.iter().any(|loan| is_of(loan) && loan.reader_id == Some(reader.id));
        self.readers.iter().filter(is_reader).cloned().collect()
    }

    fn mentor(&self, reader: &reader::Model) -> Option<&reader::Model> {
        self.readers.iter().find(|other| Some(other.id) == reader.mentor_id)
    }
}

fn case() -> impl Strategy<Value = Case> {
    const SHELVES: i64 = 2;
    const NUMBERS: i64 = 4;
    let scores = proptest::collection::vec(proptest::option::of(0..3), 8);
    let mentors = proptest::collection::vec(proptest::option::of(1..7_i64), 6);
    let of = proptest::option::weighted;
    let loan = (of(0.9, 1..8_i64), of(0.9, 0..6_i64), of(0.9, 0..SHELVES), of(0.9, 0..NUMBERS + 1));
    (scores, mentors, proptest::collection::vec(loan, 1..40)).prop_map(|(scores, mentors, loans)| {
        let name = |at: i64| ["a", "b", "c", "c", "", "a b"][usize::try_from(at).unwrap()].to_owned();
        let reader = |(at, mentor_id)| reader::Model { id: at + 1, name: name(at), mentor_id };
        let title = |(at, score): (i64, _)| title::Model { shelf: at / NUMBERS, number: at % NUMBERS, score };
        let loan = |(id, (reader_id, reader_name, shelf, number)): (i64, (_, Option<i64>, _, _))| loan::Model {
            id,
            reader_id,
            reader_name: reader_name.map(name),
            shelf,
            number,
        };
        Case {
            readers: (0..).zip(mentors).map(reader).collect(),
            titles: (0..).zip(scores).map(title).collect(),
            loans: (1..).zip(loans).map(loan).collect(),
        }
    })
}

async fn fill(case: &Case) -> folio::Result<()> {
    reader::Entity::delete_many().exec(&Db).await?;
    title::Entity::delete_many().exec(&Db).await?;
    loan::Entity::delete_many().exec(&Db).await?;
    let readers = case.readers.iter().cloned().map(reader::Model::into_active_model);
    reader::Entity::insert_many(readers).exec_without_returning(&Db).await?;
    let titles = case.titles.iter().cloned().map(title::Model::into_active_model);
    title::Entity::insert_many(titles).exec_without_returning(&Db).await?;
    let loans = case.loans.iter().cloned().map(loan::Model::into_active_model);
    loan::Entity::insert_many(loans).exec_without_returning(&Db).await?;
    Ok(())
}

/// The best titles first.
fn titles() -> folio::Builder<title::Model> {
    title::Model::query().order_by(title::Model::SCORE.desc().nulls_last())
}

async fn readers() -> folio::Result<folio::LengthAwarePaginator<reader::Model>> {
    reader::Model::query().order_by(reader::Model::ID).paginate(20).await
}

async fn check(case: &Case) -> folio::Result<()> {
    let own = |reader: &reader::Model| {
        let id = reader.id;
        case.titles(move |loan| loan.reader_id == Some(id))
    };
    for (reader, found) in readers().await?.load(related(titles())?).await?.data {
        assert_eq!(found, own(&reader), "{reader:?}");
    }
    for (reader, found) in readers().await?.load(related(titles())?.first(2)).await?.data {
        assert_eq!(found, own(&reader).into_iter().take(2).collect::<Vec<_>>(), "{reader:?}");
    }
    for (reader, found) in readers().await?.load(related_one(titles())?).await?.data {
        assert_eq!(found, own(&reader).into_iter().next(), "{reader:?}");
    }
    let with_score = || titles().filter(title::Model::SCORE.gt(0));
    for (reader, page) in readers().await?.load(related(with_score().counted())?.pages(2)).await?.data {
        let expected: Vec<_> = own(&reader).into_iter().filter(|title| title.score > Some(0)).collect();
        assert_eq!(page.total.map(folio::Total::rows), Some(expected.len() as u64), "{reader:?}");
        assert_eq!(page.data, expected.iter().take(2).cloned().collect::<Vec<_>>(), "{reader:?}");
        assert_eq!(page.has_more_pages(), expected.len() > 2, "{reader:?}");
        // The next page, by the cursor of this one.
        if let Some(cursor) = page.next_cursor {
            let next = with_score().filter(is_lent_to(reader.id)).cursor(Some(&cursor)).cursor_paginate(9).await?;
            assert_eq!(next.data, expected[2..], "{reader:?}");
        }
    }
    for (reader, found) in readers().await?.load(linked(&ByName, titles())?).await?.data {
        let expected = case.titles(|loan| loan.reader_name.as_ref() == Some(&reader.name));
        assert_eq!(found, expected, "{reader:?}");
    }
    check_others(case).await
}

/// That a title is on loan to a reader.
fn is_lent_to(reader: i64) -> sea_orm::sea_query::Expr {
    let loans = Query::select()
        .columns([loan::Column::Shelf, loan::Column::Number])
        .from(loan::Entity)
        .and_where(sea_orm::ColumnTrait::eq(&loan::Column::ReaderId, reader))
        .take();
    let key = [title::Model::SHELF, title::Model::NUMBER].map(folio::Column::to_expr);
    sea_orm::sea_query::Expr::tuple(key).in_subquery(loans)
}

/// The relations from titles, and those of readers among each other; and what sea-orm finds.
async fn check_others(case: &Case) -> folio::Result<()> {
    let page = title::Model::query().paginate(20).await?;
    let by_sea_orm = page.data.load_many_to_many(reader::Entity, loan::Entity, &Db).await?;
    let loaded = page.load(related(reader::Model::query())?).await?.data;
    for ((title, found), mut by_sea_orm) in loaded.into_iter().zip(by_sea_orm) {
        assert_eq!(found, case.readers(&title), "{title:?}");
        // In the order of the loans, and once for each of them.
        by_sea_orm.sort_by_key(|reader| reader.id);
        by_sea_orm.dedup();
        assert_eq!(found, by_sea_orm, "{title:?}");
    }
    for (reader, found) in readers().await?.load(linked(&Mentors::Of, reader::Model::query())?).await?.data {
        let mentor = case.mentor(&reader).and_then(|mentor| case.mentor(mentor));
        assert_eq!(found, mentor.cloned().into_iter().collect::<Vec<_>>(), "{reader:?}");
    }
    for (reader, found) in readers().await?.load(linked(&Mentors::For, reader::Model::query())?).await?.data {
        let is_of = |other: &&reader::Model| {
            case.mentor(other).and_then(|mentor| case.mentor(mentor)).is_some_and(|mentor| *mentor == reader)
        };
        assert_eq!(found, case.readers.iter().filter(is_of).cloned().collect::<Vec<_>>(), "{reader:?}");
    }
    Ok(())
}

#[test]
fn rows_of_a_relation_through_a_third_table_are_those_of_its_links() {
    const CASES: u32 = 32;
    let runtime = db::runtime();
    let (folio, _pool) = runtime.block_on(db::folio(&schema()));
    let config = ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let run = async |case: &Case| {
        fill(case).await?;
        check(case).await
    };
    TestRunner::new(config)
        .run(&(case(), any::<bool>()), |(case, in_transaction)| {
            let checked = async {
                if in_transaction { DB::transaction(async || run(&case).await).await } else { run(&case).await }
            };
            runtime.block_on(folio.scope(checked)).map_err(|error: FrameworkError| {
                TestCaseError::fail(format!("{error}: {:?}", error.source().map(ToString::to_string)))
            })
        })
        .unwrap();
}

async fn folio() -> (Folio, impl Sized) {
    let rows = "INSERT INTO through_readers VALUES (1, 'a', NULL), (2, 'b', 1), (3, 'c', 1); \
                INSERT INTO through_titles VALUES (1, 1, 5), (1, 2, 7), (2, 1, NULL); \
                INSERT INTO through_loans VALUES (1, 1, 'a', 1, 1), (2, 1, 'a', 1, 2), (3, 1, 'a', 1, 1), \
                    (4, 2, 'b', 2, 1), (5, NULL, NULL, 1, 1), (6, 2, 'b', NULL, 1)";
    db::folio(&format!("{}; {rows}", schema())).await
}

#[tokio::test]
async fn one_statement_reads_the_rows_of_a_whole_page() {
    let (folio, _pool) = folio().await;
    record_statements();
    let check = async {
        // As many as a statement has a SELECT for on each database.
        let more = (4..=128).map(|id| format!("({id}, 'x', NULL)")).collect::<Vec<_>>().join(", ");
        db::here(format!("INSERT INTO through_readers VALUES {more}")).await?;
        // Other tests read through the table of loans at the same time.
        db::here("CREATE TABLE through_gifts AS SELECT * FROM through_loans").await?;
        for per_page in [1, 3, 128] {
            let page = reader::Model::query().order_by(reader::Model::ID).paginate(per_page).await?;
            db::selects("through_gifts");
            let page = page.load(linked(&Through("through_gifts"), titles())?).await?;
            assert_eq!(db::selects("through_gifts").len(), 1);
            let numbers: Vec<_> = page.data[0].1.iter().map(|title| title.number).collect();
            assert_eq!(numbers, [2, 1]);
        }
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

#[tokio::test]
async fn statements_of_two_links_between_the_same_tables_are_told_apart() {
    let (folio, _pool) = folio().await;
    let check = async {
        // The same tables, columns and types, and only the link is another.
        db::here("CREATE TABLE through_returns AS SELECT * FROM through_loans WHERE reader_id = 2").await?;
        for _ in 0..2 {
            let loans = readers().await?.load(linked(&Through("through_loans"), titles())?).await?;
            let returns = readers().await?.load(linked(&Through("through_returns"), titles())?).await?;
            let counts = |data: &[(reader::Model, Vec<title::Model>)]| {
                data.iter().map(|(_, titles)| titles.len()).collect::<Vec<_>>()
            };
            assert_eq!((counts(&loans.data), counts(&returns.data)), (vec![2, 1, 0], vec![0, 1, 0]));
        }
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

/// The relation of readers and titles through another table with the columns of loans.
struct Through(&'static str);

impl Linked for Through {
    type FromEntity = reader::Entity;
    type ToEntity = title::Entity;

    fn link(&self) -> Vec<RelationDef> {
        let table = || sea_orm::sea_query::IntoTableRef::into_table_ref(self.0);
        let reader = RelationDef { to_tbl: table(), ..loan::Relation::Reader.def().rev() };
        vec![reader, RelationDef { from_tbl: table(), ..loan::Relation::Title.def() }]
    }
}

#[tokio::test]
async fn a_join_through_a_third_table_has_each_pair_on_one_page() {
    let (folio, _pool) = folio().await;
    let check = async {
        db::here("DELETE FROM through_loans WHERE id = 3").await?;
        let pairs = || {
            let joined = reader::Entity::find().find_also_related(title::Entity).select_only();
            let ids = joined.column_as(reader::Column::Id, "reader").column_as(title::Column::Number, "number");
            Select::entity(ids).into_tuple::<(i64, Option<i64>)>()
        };
        // By the entity, and by the one that is joined. A loan of the second reader leads to no title.
        let (shelf, number) = (title::Column::Shelf.asc().nulls_last(), title::Column::Number.asc().nulls_last());
        let by_reader = pairs().order_by((reader::Column::Id.desc(), shelf, number)).cursor_chunks(2);
        let pages: Vec<_> = by_reader.map_ok(|page| page.data).try_collect().await?;
        assert_eq!(pages, [vec![(3, None), (2, Some(1))], vec![(2, None), (1, Some(1))], vec![(1, Some(2))]]);
        let by_title = pairs().order_by((shelf, number, reader::Column::Id.desc())).cursor_chunks(2);
        let pages: Vec<_> = by_title.map_ok(|page| page.data).try_collect().await?;
        assert_eq!(pages, [vec![(1, Some(1)), (1, Some(2))], vec![(2, Some(1)), (3, None)], vec![(2, None)]]);
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

#[tokio::test]
async fn cursors_of_pages_are_bound_by_a_scope() {
    let (folio, _pool) = folio().await;
    let check = async {
        // The filter of the list is not that of the relation.
        let pages = related(titles().bind_filters())?.pages(1);
        let cursor = readers().await?.load(pages).await?.data[0].1.next_cursor.clone();
        let list = titles().bind_filters().filter(is_lent_to(1)).cursor(cursor.as_deref());
        let error = list.cursor_paginate(1).await.unwrap_err();
        assert_eq!(error.to_string(), "Invalid pagination cursor");

        let pages = related(titles().cursor_scope("titles of readers"))?.pages(1);
        let cursor = readers().await?.load(pages).await?.data[0].1.next_cursor.clone();
        let list = titles().cursor_scope("titles of readers").filter(is_lent_to(1)).cursor(cursor.as_deref());
        let numbers: Vec<_> = list.cursor_paginate(1).await?.data.iter().map(|title| title.number).collect();
        assert_eq!(numbers, [1]);
        Ok::<_, FrameworkError>(())
    };
    folio.scope(check).await.unwrap();
}

/// Links that cannot be followed.
enum Astray {
    /// A condition of the first or of the second hop.
    FirstHasCondition,
    SecondHasCondition,
    /// The first hop goes from the third table.
    NotReversed,
    /// The second hop goes to the third table.
    Reversed,
    Nowhere,
    Far,
    /// Two columns equal one.
    Uneven,
}

impl Linked for Astray {
    type FromEntity = reader::Entity;
    type ToEntity = title::Entity;

    fn link(&self) -> Vec<RelationDef> {
        let first = <reader::Entity as Related<title::Entity>>::via().unwrap();
        let second = <reader::Entity as Related<title::Entity>>::to();
        let none = |_, _| Condition::all();
        match self {
            Self::FirstHasCondition => vec![first.on_condition(none), second],
            Self::SecondHasCondition => vec![first, second.on_condition(none)],
            Self::NotReversed => vec![first.rev(), second],
            Self::Reversed => vec![first, second.rev()],
            Self::Nowhere => Vec::new(),
            Self::Far => vec![reader::Relation::Mentor.def(), first, second],
            Self::Uneven => vec![RelationDef { from_col: second.from_col.clone(), ..first }, second],
        }
    }
}

#[test]
fn other_links_are_refused() {
    for (link, why) in [
        (Astray::FirstHasCondition, "condition of its own; write it as a filter"),
        (Astray::SecondHasCondition, "condition of its own; write it as a filter"),
        (Astray::NotReversed, "after `through_readers`, its relations go on from `through_loans`"),
        (Astray::Reversed, "after `through_loans`, its relations go on from `through_titles`"),
        (Astray::Nowhere, "the link is of 0 relations"),
        (Astray::Far, "the link is of 3 relations, and folio follows one or two"),
        (Astray::Uneven, "as many columns as each other"),
    ] {
        let error = linked::<_, reader::Model, _, _>(&link, title::Model::query()).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
}
