//! Relations of sea-orm's, for [`load`](crate::load).

use std::hash::{Hash, Hasher};

use ::sea_orm::{EntityTrait, IdenStatic as _, Iterable as _, Linked, ModelTrait, Related, RelationDef};
use folio_core::schema::group::is_null;
use folio_core::schema::table::Table;
use folio_core::value::{self, Value};
use sea_query::{DynIden, Expr};

use crate::error::{FrameworkError, Result};
use crate::load::{Many, One};
use crate::model::Model;
use crate::query::Builder;
use crate::schema::column::Column;
use crate::schema::group::GroupKey;

/// The rows of `query` that belong to each row of a page, by sea-orm's relation of the two entities.
///
/// It is [`load::many`](crate::load::many) with the columns of the relation, so it has
/// [`first`](Many::first) and [`pages`](Many::pages), and the rows are in the order of the query.
///
/// ```
#[doc = include_str!("../doc/related.txt")]
/// use folio::sea_orm::{related, related_one};
///
/// let comments = related(comment::Model::query())?;
/// let page = post::Model::query().paginate(15).await?.load(comments).await?;
/// let (post, comments) = &page.data[0];
/// assert_eq!((post.id, comments.len()), (1, 2));
///
/// let page = comment::Model::query().paginate(15).await?.load(related_one(post::Model::query())?).await?;
/// assert_eq!(page.data[0].1.as_ref().map(|post| post.id), Some(1));
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// # Errors
/// [`FrameworkError::Internal`] for a relation through a third table, and for one with a condition of its own. Load
/// these with sea-orm, on [`Db`](super::Db): `page.data.load_many_to_many(tag::Entity, post_tag::Entity, &Db)`.
pub fn related<T, M, C>(query: Builder<M, C>) -> Result<Many<T, M, ForeignKey, C>>
where
    T: ModelTrait<Entity: Related<M::Entity>> + 'static,
    M: Model + ModelTrait,
{
    let through = <T::Entity as Related<M::Entity>>::via();
    many(query, through.into_iter().chain([<T::Entity as Related<M::Entity>>::to()]).collect())
}

/// The row of `query` that each row of a page belongs to, or that belongs to it, as an `Option`. See [`related`].
///
/// # Errors
/// Same as [`related`].
pub fn related_one<T, M, C>(query: Builder<M, C>) -> Result<One<T, M, ForeignKey, C>>
where
    T: ModelTrait<Entity: Related<M::Entity>> + 'static,
    M: Model + ModelTrait,
{
    Ok(related(query)?.one())
}

/// Same as [`related`], by a [`Linked`], for two entities between which there are several relations.
///
/// # Errors
/// Same as [`related`].
pub fn linked<L, T, M, C>(link: &L, query: Builder<M, C>) -> Result<Many<T, M, ForeignKey, C>>
where
    L: Linked<FromEntity = T::Entity, ToEntity = M::Entity>,
    T: ModelTrait + 'static,
    M: Model + ModelTrait,
{
    many(query, link.link())
}

/// Same as [`related_one`], by a [`Linked`], for two entities between which there are several relations.
///
/// # Errors
/// Same as [`related`].
pub fn linked_one<L, T, M, C>(link: &L, query: Builder<M, C>) -> Result<One<T, M, ForeignKey, C>>
where
    L: Linked<FromEntity = T::Entity, ToEntity = M::Entity>,
    T: ModelTrait + 'static,
    M: Model + ModelTrait,
{
    Ok(linked(link, query)?.one())
}

fn many<T, M, C>(query: Builder<M, C>, hops: Vec<RelationDef>) -> Result<Many<T, M, ForeignKey, C>>
where
    T: ModelTrait + 'static,
    M: Model + ModelTrait,
{
    let refused = |what| {
        let table = M::TABLE.name;
        FrameworkError::internal(format!(
            "the relation to `{table}` {what}: load its rows with sea-orm's `load_many` or `load_many_to_many` and \
             `&folio::sea_orm::Db`, or with `folio::load::many`"
        ))
    };
    let [hop] = &hops[..] else { return Err(refused("leads through other tables")) };
    if hop.on_condition.is_some() {
        return Err(refused("has a condition of its own"));
    }
    let missing = || refused("names a column that its entities do not have");
    let from = hop.from_col.iter().map(column_of::<T::Entity>).collect::<Option<Vec<_>>>().ok_or_else(missing)?;
    let to = hop.to_col.iter().map(column_of::<M::Entity>).collect::<Option<Vec<_>>>().ok_or_else(missing)?;
    let to = to.into_iter().map(|column| expr(M::TABLE, column.as_str())).collect();
    let groups = GroupKey::of_columns(to, |key: ForeignKey, values| values.extend(key.0));
    let key = move |row: &T| {
        let values: Vec<Value> = from.iter().map(|column| row.get(*column)).collect();
        (!values.iter().any(is_null)).then_some(ForeignKey(values))
    };
    Ok(Many::of_columns(query, groups, Box::new(key)))
}

fn column_of<E: EntityTrait>(name: &DynIden) -> Option<E::Column> {
    E::Column::iter().find(|column| column.as_str() == name.inner())
}

fn expr(table: &'static Table, name: &'static str) -> Expr {
    Column::<Value>::__of_table(table, name).to_expr()
}

/// The values of a relation's columns in a row.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignKey(Vec<Value>);

/// Every value equals itself, except for NaN, which no key has.
impl Eq for ForeignKey {}

impl Hash for ForeignKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for value in &self.0 {
            let mut text = Vec::new();
            // Equal values have the same text. Values without one are told apart by `PartialEq` alone.
            let _ = value::write(value, &mut text);
            text.hash(state);
        }
    }
}
