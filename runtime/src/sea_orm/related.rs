//! Relations of sea-orm's, for [`load`](crate::load).

use std::hash::{Hash, Hasher};

use ::sea_orm::{
    EntityName as _, EntityTrait, IdenStatic as _, Iterable as _, Linked, ModelTrait, Related, RelationDef,
};
use folio_plan::schema::group::{Link, is_null};
use folio_plan::value::{self, Value};
use sea_query::{ColumnName, DynIden, TableName, TableRef};

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
/// The relation may lead through a third table by [`via`](Related::via), as from posts to tags. One statement reads the
/// tags of all posts. A post has each of its tags once, even if several rows of the third table link them.
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
///
/// // Through `post_tags`: the tags of each post, by name.
/// let tags = related(tag::Model::query().order_by(tag::Model::NAME))?;
/// let page = post::Model::query().paginate(15).await?.load(tags).await?;
/// let names: Vec<_> = page.data[0].1.iter().map(|tag| &*tag.name).collect();
/// assert_eq!(names, ["long", "new"]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// # Pages through a third table
///
/// [`pages`](Many::pages) reads the first page of each post's tags. For the next one, filter by a subquery of the third
/// table, and pass the cursor to [`cursor`](crate::Builder::cursor). With
/// [`bind_filters`](crate::Builder::bind_filters), no other list opens these cursors, so bind them with
/// [`cursor_scope`](crate::Builder::cursor_scope) instead.
///
/// # Errors
/// [`FrameworkError::Internal`] for a relation with a condition of its own, which is a filter of a query in
/// [`load`](crate::load) instead, and if `via` and `to` do not meet at the third table.
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

/// Same as [`related`], by a [`Linked`] of one or two relations, for two entities between which there are several.
///
/// # Errors
/// Same as [`related`], and for a link of more relations.
pub fn linked<L, T, M, C>(link: &L, query: Builder<M, C>) -> Result<Many<T, M, ForeignKey, C>>
where
    L: Linked<FromEntity = T::Entity, ToEntity = M::Entity>,
    T: ModelTrait + 'static,
    M: Model + ModelTrait,
{
    many(query, link.link())
}

/// Same as [`related_one`], by a [`Linked`] of one or two relations, for two entities between which there are several.
///
/// # Errors
/// Same as [`linked`].
pub fn linked_one<L, T, M, C>(link: &L, query: Builder<M, C>) -> Result<One<T, M, ForeignKey, C>>
where
    L: Linked<FromEntity = T::Entity, ToEntity = M::Entity>,
    T: ModelTrait + 'static,
    M: Model + ModelTrait,
{
    Ok(linked(link, query)?.one())
}

/// The relation of these hops: one, or one to a third table and one from there.
fn many<T, M, C>(query: Builder<M, C>, hops: Vec<RelationDef>) -> Result<Many<T, M, ForeignKey, C>>
where
    T: ModelTrait + 'static,
    M: Model + ModelTrait,
{
    check::<T, M>(&hops).map_err(|what| {
        let table = M::TABLE.name;
        FrameworkError::internal(format!("`related` and `linked` cannot load rows of `{table}`: {what}"))
    })?;
    let missing = || FrameworkError::internal("a relation names a column that its entities do not have");
    let (Some(first), Some(last)) = (hops.first(), hops.last()) else { return Err(missing()) };
    let from = first.from_col.iter().map(column_of::<T::Entity>).collect::<Option<Vec<_>>>().ok_or_else(missing)?;
    let to = last.to_col.iter().map(column_of::<M::Entity>).collect::<Option<Vec<_>>>().ok_or_else(missing)?;
    let to = to.into_iter().map(|column| Column::<Value>::__of_table(M::TABLE, column.as_str()));
    let (columns, link) = match name_of(&first.to_tbl).filter(|_| hops.len() > 1) {
        Some(table) => {
            let keys = last.from_col.iter().cloned().zip(to.map(ColumnName::from)).collect();
            let columns = first.to_col.iter().cloned().map(Link::column).collect();
            (columns, Some(Link { table: table.clone(), keys }))
        }
        None => (to.map(Column::to_expr).collect(), None),
    };
    let groups = GroupKey::of_columns(columns, link, |key: ForeignKey, values| values.extend(key.0));
    let key = move |row: &T| {
        let values: Vec<Value> = from.iter().map(|column| row.get(*column)).collect();
        (!values.iter().any(is_null)).then_some(ForeignKey(values))
    };
    Ok(Many::of_columns(query, groups, Box::new(key)))
}

/// Rejects hops that do not lead from the one entity to the other, and those that folio does not follow.
fn check<T: ModelTrait, M: ModelTrait>(hops: &[RelationDef]) -> std::result::Result<(), String> {
    if !matches!(hops.len(), 1 | 2) {
        let (count, expected) = (hops.len(), "load the rows of a table on the way first, and then these for them");
        return Err(format!("the link is of {count} relations, and folio follows one or two; {expected}"));
    }
    // `load_many` and `load_many_to_many` of sea-orm read the rows without it.
    if hops.iter().any(|hop| hop.on_condition.is_some()) {
        let instead = "write it as a filter of a query in `load::many(..)` or `load::many(..).through(..)`";
        return Err(format!("a relation has a condition of its own; {instead}"));
    }
    if hops.iter().any(|hop| hop.from_col.arity() != hop.to_col.arity()) {
        return Err("a relation's `from` and `to` have to be as many columns as each other".to_owned());
    }
    let (start, end) = (T::Entity::default().table_ref(), M::Entity::default().table_ref());
    let reached = std::iter::once(&start).chain(hops.iter().map(|hop| &hop.to_tbl));
    let departed = hops.iter().map(|hop| &hop.from_tbl).chain([&end]);
    for (reached, departed) in reached.zip(departed) {
        let (Some(reached), Some(departed)) = (name_of(reached), name_of(departed)) else {
            return Err("a relation is not one of tables".to_owned());
        };
        if reached != departed {
            let (TableName(_, reached), TableName(_, departed)) = (reached, departed);
            return Err(format!(
                "after `{}`, its relations go on from `{}`; the first one begins at the table of the page's rows, as \
                 `post_tag::Relation::Post.def().rev()` does for posts, and the next one where that ends",
                reached.inner(),
                departed.inner(),
            ));
        }
    }
    Ok(())
}

fn column_of<E: EntityTrait>(name: &DynIden) -> Option<E::Column> {
    E::Column::iter().find(|column| column.as_str() == name.inner())
}

/// The table, without an alias.
fn name_of(table: &TableRef) -> Option<&TableName> {
    match table {
        TableRef::Table(name, _) => Some(name),
        _ => None,
    }
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
