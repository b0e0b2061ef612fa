//! Pages of sea-orm's selects.

use ::sea_orm::{DbErr, QueryResult};
use ::sea_orm::{
    EntityTrait, FromQueryResult, PartialModelTrait, QuerySelect, QueryTrait, Select, SelectFive, SelectFour,
    SelectSix, SelectThree, SelectTwo, SelectTwoRequired, Topology, TryGetableMany,
};
use sea_query::SelectStatement;

use super::order::table_of;
#[cfg(feature = "json")]
use super::rows::Json;
use super::rows::{ByPlace, One, Read, reader};
use crate::driver::Reader;
use crate::query::{Query, Rows};

/// A select of sea-orm's: `Select`, `SelectTwoRequired`, and `SelectTwo` to `SelectSix`.
///
/// The selects of `find_with_related` and `consolidate` put several rows together, so a page of their rows would cut
/// through them. Page through the first entity, and load the others for its rows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read in pages",
    label = "write a select of entities, such as `post::Entity::find()` or `.find_also_related(..)`",
    note = "`into_model` and its siblings hide the statement: call `.into_model()` after `Select::entity(..)`",
    note = "`find_with_related` puts several rows together: page through the first entity, and load the others"
)]
pub trait EntitySelect: QueryTrait<QueryStatement = SelectStatement> {
    /// A row: the model, or a tuple of the models, in which those of joined entities are an `Option`.
    type Row;
    /// The entity that the select is of, whose primary key breaks ties.
    type Entity: EntityTrait;
    #[doc(hidden)]
    const READER: Reader<Self::Row>;
}

impl<E: EntityTrait> EntitySelect for Select<E> {
    type Row = E::Model;
    type Entity = E;
    const READER: Reader<E::Model> = reader::<_, One<E::Model>>();
}

impl<E: EntityTrait, F: EntityTrait> EntitySelect for SelectTwoRequired<E, F> {
    type Row = (E::Model, F::Model);
    type Entity = E;
    const READER: Reader<Self::Row> = reader::<_, Self>();
}

impl<E: EntityTrait, F: EntityTrait> Read<(E::Model, F::Model)> for SelectTwoRequired<E, F> {
    fn read(result: &QueryResult) -> Result<(E::Model, F::Model), DbErr> {
        Ok((E::Model::from_query_result(result, "A_")?, F::Model::from_query_result(result, "B_")?))
    }
}

/// sea-orm's joins: each entity has a prefix for its columns, in the order of the alphabet.
macro_rules! joins {
    ($($join:ident<$($entity:ident $prefix:literal),* $(; $topology:ident)?>;)*) => {$(
        impl<E: EntityTrait, $($entity: EntityTrait,)* $($topology: Topology)?> EntitySelect
            for $join<E, $($entity,)* $($topology)?>
        {
            type Row = (E::Model, $(Option<$entity::Model>),*);
            type Entity = E;
            const READER: Reader<Self::Row> = reader::<_, Self>();
        }

        impl<E: EntityTrait, $($entity: EntityTrait,)* $($topology: Topology)?>
            Read<(E::Model, $(Option<$entity::Model>),*)> for $join<E, $($entity,)* $($topology)?>
        {
            fn read(result: &QueryResult) -> Result<(E::Model, $(Option<$entity::Model>),*), DbErr> {
                Ok((
                    E::Model::from_query_result(result, "A_")?,
                    $($entity::Model::from_query_result_optional(result, $prefix)?),*
                ))
            }
        }
    )*};
}
joins! {
    SelectTwo<F "B_">;
    SelectThree<F "B_", G "C_"; T>;
    SelectFour<F "B_", G "C_", H "D_"; T>;
    SelectFive<F "B_", G "C_", H "D_", I "E_"; T>;
    SelectSix<F "B_", G "C_", H "D_", I "E_", J "F_"; T>;
}

impl<T> Query<Rows<T>> {
    /// Creates a select from one of sea-orm's. The rows are its models, which need no `sqlx::FromRow`.
    ///
    /// Numbered pages are in the select's own order, such as `.order_by_asc(..)`, or in that of
    /// [`order_by`](Self::order_by), which takes columns by [`SortColumn`](crate::sea_orm::SortColumn). Cursor pages are
    /// in that of `order_by`, or else ascending by primary key. The primary key of the entity breaks ties, and cursors
    /// are bound to its table.
    ///
    /// Call it before `into_model`, which hides the statement: [`into_model`](Self::into_model),
    /// [`into_partial_model`](Self::into_partial_model) and [`into_tuple`](Self::into_tuple) are methods of the result.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// use folio::sea_orm::SortColumn;
    /// use folio::{Folio, Pool, Select};
    /// use sea_orm::entity::prelude::*;
    /// use sea_orm::{ActiveValue::Set, Database, Schema};
    ///
    /// #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    /// #[sea_orm(table_name = "posts")]
    /// pub struct Model {
    ///     #[sea_orm(primary_key)]
    ///     id: i64,
    ///     title: String,
    ///     score: Option<i32>,
    /// }
    /// # #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    /// # pub enum Relation {}
    /// # impl ActiveModelBehavior for ActiveModel {}
    /// # let mut options = sea_orm::ConnectOptions::new("sqlite::memory:");
    /// # options.max_connections(1);
    /// # let db = Database::connect(options).await?;
    /// # let create = Schema::new(db.get_database_backend()).create_table_from_entity(Entity);
    /// # db.execute(&create).await?;
    /// # for (title, score) in [("b", None), ("a", Some(1)), ("c", Some(1))] {
    /// #     let row = ActiveModel { title: Set(title.into()), score: Set(score), ..Default::default() };
    /// #     row.insert(&db).await?;
    /// # }
    /// # let keyring = folio::Keyring::new(folio::Key::generate());
    /// # Folio::new(Pool::try_from(&db)?).keyring(keyring).scope(async {
    ///
    /// let best = || Select::entity(Entity::find()).order_by(Column::Score.desc().nulls_last());
    /// let page = best().cursor_paginate(2).await?;
    /// assert_eq!(page.data.iter().map(|post| &*post.title).collect::<Vec<_>>(), ["c", "a"]);
    /// let next = best().cursor(page.next_cursor.as_deref()).cursor_paginate(2).await?;
    /// assert_eq!(next.data[0].title, "b");
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Each page fails with [`Internal`](crate::FrameworkError::Internal) for a select that cannot be paged, such as one
    /// that locks rows.
    pub fn entity<S: EntitySelect<Row = T>>(select: S) -> Self {
        Self::of_table(select.into_query(), S::READER, table_of::<S::Entity>())
    }
}

impl<T, C> Query<Rows<T>, C> {
    /// Reads the rows as another type, by the names of their columns. The select has to return its columns.
    ///
    /// A type that reads whatever columns there are also gets folio's own, whose names begin with `folio_`. For JSON,
    /// there is `into_json`.
    ///
    /// ```
    #[doc = include_str!("../doc/entity.txt")]
    /// #[derive(FromQueryResult)]
    /// struct Title {
    ///     title: String,
    /// }
    ///
    /// let page = Select::entity(post::Entity::find()).into_model::<Title>().paginate(2).await?;
    /// assert_eq!(page.data[0].title, "a");
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn into_model<M: FromQueryResult>(self) -> Query<Rows<M>, C> {
        self.read_by(reader::<M, One<M>>())
    }

    /// Reads the rows as JSON objects, without the columns that folio adds, whose names begin with `folio_`.
    ///
    /// It needs the feature `json`.
    ///
    /// ```
    #[doc = include_str!("../doc/entity.txt")]
    /// let page = Select::entity(post::Entity::find()).into_json().cursor_paginate(2).await?;
    /// assert_eq!(page.data[0]["title"], "a");
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[cfg(feature = "json")]
    pub fn into_json(self) -> Query<Rows<::sea_orm::JsonValue>, C> {
        self.read_by(reader::<::sea_orm::JsonValue, Json>())
    }

    /// Selects the columns of a partial model, instead of those of the entity, and reads the rows as it.
    ///
    /// ```
    #[doc = include_str!("../doc/entity.txt")]
    /// use sea_orm::DerivePartialModel;
    ///
    /// #[derive(DerivePartialModel)]
    /// #[sea_orm(entity = "post::Entity")]
    /// struct Title {
    ///     title: String,
    /// }
    ///
    /// // The order's column is not part of the row.
    /// let titles = Select::entity(post::Entity::find()).into_partial_model::<Title>();
    /// let page = titles.order_by(post::Column::Id.desc()).cursor_paginate(2).await?;
    /// assert_eq!(page.data[0].title, "c");
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Each page fails with [`Internal`](crate::FrameworkError::Internal) for a select of SQL text.
    pub fn into_partial_model<M: PartialModelTrait>(self) -> Query<Rows<M>, C> {
        let selected = |statement| M::select_cols(Columns(statement).select_only()).0;
        let refusal =
            "`into_partial_model` selects columns, and the columns of SQL text are in the text: use `into_model`";
        self.change_statement(refusal, selected).into_model()
    }

    /// Reads the rows as tuples, by the places of their columns.
    ///
    /// ```
    #[doc = include_str!("../doc/entity.txt")]
    /// use sea_orm::QuerySelect;
    ///
    /// let titles = post::Entity::find().select_only().column(post::Column::Id).column(post::Column::Title);
    /// let page = Select::entity(titles).into_tuple::<(i64, String)>().paginate(2).await?;
    /// assert_eq!(page.data[0], (1, "a".to_owned()));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn into_tuple<U: TryGetableMany>(self) -> Query<Rows<U>, C> {
        self.read_by(reader::<U, ByPlace<U>>())
    }
}

/// A statement whose columns sea-orm can change.
struct Columns(SelectStatement);

impl QuerySelect for Columns {
    type QueryStatement = SelectStatement;

    fn query(&mut self) -> &mut SelectStatement {
        &mut self.0
    }
}
