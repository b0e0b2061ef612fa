//! Selects of sea-orm's entities: every page is the slice of the rows in the order of a comparison in memory, which
//! shares no code with folio or sea-orm.

mod connections;
mod decimals;
mod enums;
mod selects;
mod through;

use std::cmp::Ordering;

use folio::sea_orm::{Db, SortColumn as _};
use folio::using::Connect;
use folio::{DB, FrameworkError, IntoOrder as _, Order, Select};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, EntityTrait as _, IntoActiveModel as _, PaginatorTrait as _,
    TransactionTrait as _,
};

use crate::server::{ID, TEXT};
use crate::suite::db;

pub(super) mod author {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, folio::Paginate)]
    #[sea_orm(table_name = "entity_authors")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: i64,
        pub(crate) name: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) mod book {
    use sea_orm::entity::prelude::*;

    // No `sqlx::FromRow`.
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, folio::Paginate)]
    #[sea_orm(table_name = "entity_books")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: i64,
        pub(crate) title: String,
        pub(crate) score: Option<i32>,
        #[sea_orm(column_name = "stars")]
        pub(crate) rating: f64,
        pub(crate) author_id: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {
        #[sea_orm(belongs_to = "super::author::Entity", from = "Column::AuthorId", to = "super::author::Column::Id")]
        Author,
    }

    impl Related<super::author::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Author.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) fn schema() -> String {
    format!(
        "CREATE TABLE entity_authors (id {ID}, name {TEXT} NOT NULL); \
         CREATE TABLE entity_books (id {ID}, title {TEXT} NOT NULL, score INTEGER, stars DOUBLE PRECISION NOT NULL, \
         author_id BIGINT)"
    )
}

/// A column that the rows are sorted by.
#[derive(Debug, Clone, Copy)]
enum By {
    Title,
    Score,
    Rating,
    Author,
}

#[derive(Debug, Clone, Copy)]
struct Sorted {
    by: By,
    descends: bool,
    nulls_first: bool,
}

impl Sorted {
    fn order(self) -> Order {
        match self.by {
            By::Title => self.sorted(book::Column::Title),
            By::Score => self.sorted(book::Column::Score),
            By::Rating => self.sorted(book::Column::Rating),
            By::Author => self.sorted(author::Column::Name),
        }
    }

    fn sorted(self, column: impl folio::sea_orm::SortColumn) -> Order {
        let sort = if self.descends { column.desc() } else { column.asc() };
        if self.nulls_first { sort.nulls_first().erased() } else { sort.nulls_last().erased() }
    }

    fn compare(self, one: &Row, other: &Row) -> Ordering {
        match self.by {
            By::Title => self.directed(Some(&one.0.title), Some(&other.0.title)),
            By::Score => self.directed(one.0.score, other.0.score),
            By::Rating => self.directed(Some(one.0.rating), Some(other.0.rating)),
            By::Author => {
                let name = |row: &Row| row.1.as_ref().map(|author| author.name.clone());
                self.directed(name(one), name(other))
            }
        }
    }

    fn directed<T: PartialOrd>(self, one: Option<T>, other: Option<T>) -> Ordering {
        let null = if self.nulls_first { Ordering::Less } else { Ordering::Greater };
        match (one, other) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => null,
            (Some(_), None) => null.reverse(),
            (Some(one), Some(other)) => {
                let order = one.partial_cmp(&other).unwrap();
                if self.descends { order.reverse() } else { order }
            }
        }
    }
}

/// A book and its author.
type Row = (book::Model, Option<author::Model>);

#[derive(Debug)]
struct Case {
    books: Vec<book::Model>,
    order: Vec<Sorted>,
    per_page: u64,
    read: Read,
}

/// Where the pages are read.
#[derive(Debug, Clone, Copy)]
enum Read {
    OnPool,
    InTransaction,
    InTransactionOfSeaOrm,
}

impl Case {
    fn order(&self) -> Order {
        let mut parts = self.order.iter().map(|sorted| sorted.order());
        match parts.next() {
            Some(first) => parts.fold(first, Order::then),
            None => book::Column::Id.asc().erased(),
        }
    }

    /// The rows in the order of the case. The primary keys of the tables break ties, in the order in which the case
    /// has columns of them, and in the direction of its last column.
    fn sorted(&self) -> Vec<Row> {
        let row =
            |book: &book::Model| (book.clone(), authors().into_iter().find(|author| Some(author.id) == book.author_id));
        let mut rows: Vec<Row> = self.books.iter().map(row).collect();
        let descends = self.order.last().is_some_and(|sorted| sorted.descends);
        let of_authors = self.order.iter().find(|sorted| matches!(sorted.by, By::Author));
        let author_first = matches!(self.order.first(), Some(Sorted { by: By::Author, .. }));
        rows.sort_by(|one, other| {
            let order = self.order.iter().map(|sorted| sorted.compare(one, other)).find(|order| order.is_ne());
            let author = of_authors.filter(|_| author_first).map_or(Ordering::Equal, |sorted| {
                Sorted { descends, ..*sorted }.directed(one.0.author_id, other.0.author_id)
            });
            let ids = one.0.id.cmp(&other.0.id);
            order.unwrap_or(author.then(if descends { ids.reverse() } else { ids }))
        });
        rows
    }
}

fn authors() -> Vec<author::Model> {
    // Two of them have the same name.
    ["a", "b", "b"].into_iter().zip(1..).map(|(name, id)| author::Model { id, name: name.to_owned() }).collect()
}

fn case(by: &'static [By]) -> impl Strategy<Value = Case> {
    let book = (0..3_u8, proptest::option::of(0..3), 0..3_u8, proptest::option::of(1..4_i64));
    let sorted = (proptest::sample::select(by), any::<bool>(), any::<bool>());
    let order = proptest::collection::vec(sorted, 0..4);
    let read = proptest::sample::select(vec![Read::OnPool, Read::InTransaction, Read::InTransactionOfSeaOrm]);
    (proptest::collection::vec(book, 0..25), order, 1..8_u64, read).prop_map(|(books, order, per_page, read)| {
        let book = |(id, (title, score, rating, author_id)): (i64, (u8, Option<i32>, u8, Option<i64>))| book::Model {
            id,
            title: ["x", "y", "z"][usize::from(title)].to_owned(),
            score,
            rating: f64::from(rating) / 4.0,
            author_id,
        };
        let sorted = |(by, descends, nulls_first)| Sorted { by, descends, nulls_first };
        Case {
            books: (1..).zip(books).map(book).collect(),
            order: order.into_iter().map(sorted).collect(),
            per_page,
            read,
        }
    })
}

/// Reads every page, forwards by cursor, backwards by cursor, and by number.
async fn check<T, C>(case: &Case, select: impl Fn() -> Select<T, C>, expected: &[T]) -> folio::Result<()>
where
    T: Clone + PartialEq + std::fmt::Debug + Send + 'static,
    C: Connect,
{
    let pages: Vec<&[T]> = expected.chunks(usize::try_from(case.per_page).unwrap()).collect();
    let page = |cursor: Option<String>| {
        let select = select().order_by(case.order()).cursor(cursor.as_deref());
        async move { select.cursor_paginate(case.per_page).await }
    };
    let (mut cursor, mut previous) = (None, None);
    for rows in &pages {
        let page = page(cursor).await?;
        assert_eq!(page.data, *rows);
        (cursor, previous) = (page.next_cursor, page.prev_cursor);
    }
    assert_eq!(cursor, None, "there is a page after the last one");
    for rows in pages.iter().rev().skip(1) {
        let page = page(Some(previous.expect("a way back"))).await?;
        assert_eq!(page.data, *rows);
        previous = page.prev_cursor;
    }
    assert_eq!(previous, None, "there is a page before the first one");
    for (rows, number) in pages.iter().zip(1..) {
        let page = select().order_by(case.order()).page(number).paginate(case.per_page).await?;
        assert_eq!((&*page.data, page.total), (*rows, expected.len() as u64));
    }
    Ok(())
}

async fn fill(case: &Case, db: &impl ConnectionTrait) -> folio::Result<()> {
    book::Entity::delete_many().exec(db).await?;
    if author::Entity::find().count(db).await? == 0 {
        author::Entity::insert_many(authors().into_iter().map(|author| author.into_active_model())).exec(db).await?;
    }
    if !case.books.is_empty() {
        let books = case.books.iter().map(|book| book.clone().into_active_model());
        book::Entity::insert_many(books).exec(db).await?;
    }
    Ok(())
}

/// `CASES` random cases. Each is read on a pool, in a transaction that folio began, or in one that sea-orm began, and
/// sea-orm writes its rows there.
fn at_random<T, S>(by: &'static [By], select: S, expected: impl Fn(&Case) -> Vec<T>)
where
    T: Clone + PartialEq + std::fmt::Debug + Send + 'static,
    S: Fn() -> Select<T>,
{
    const CASES: u32 = 48;
    let runtime = db::runtime();
    let (folio, pool) = runtime.block_on(db::folio(&schema()));
    let connection = DatabaseConnection::from(pool);
    let config = ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let run = async |case: &Case| {
        fill(case, &Db).await?;
        check(case, &select, &expected(case)).await
    };
    let run_on_sea_orm = async |case: &Case| {
        let transaction = connection.begin().await?;
        fill(case, &transaction).await?;
        check(case, || select().using(&transaction), &expected(case)).await?;
        Ok(transaction.commit().await?)
    };
    TestRunner::new(config)
        .run(&case(by), |case| {
            let checked = async {
                match case.read {
                    Read::OnPool => run(&case).await,
                    Read::InTransaction => DB::transaction(async || run(&case).await).await,
                    Read::InTransactionOfSeaOrm => run_on_sea_orm(&case).await,
                }
            };
            runtime.block_on(folio.scope(checked)).map_err(|error: FrameworkError| {
                TestCaseError::fail(format!(
                    "{error}: {:?}",
                    std::error::Error::source(&error).map(ToString::to_string)
                ))
            })
        })
        .unwrap();
}

#[test]
fn each_row_of_an_entity_is_on_one_page() {
    let expected = |case: &Case| case.sorted().into_iter().map(|(book, _)| book).collect();
    at_random(&[By::Title, By::Score, By::Rating], || Select::entity(book::Entity::find()), expected);
}

#[test]
fn each_row_of_a_join_is_on_one_page() {
    let select = || Select::entity(book::Entity::find().find_also_related(author::Entity));
    at_random(&[By::Title, By::Score, By::Author], select, Case::sorted);
}
