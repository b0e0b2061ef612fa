//! A model's queries for unit tests.

use std::sync::Arc;

use sea_query::{Expr, ExprTrait as _};

use crate::AnyModel;
use crate::dialect::Dialect;
use crate::model::column::Column;
use crate::model::group::Groups;
use crate::model::table::{Direction, KeyColumn, Nulls, Table};
use crate::model::term::Term;
use crate::query::deferred_join::ModelRows;
use crate::query::keyset::{Base, BindingOptions, FilteredRows, KeysetOrder, KeysetQuery, ModelBase};
use crate::query::template::QueryText;
use crate::value::ValueProbe;

const ID: KeyColumn = KeyColumn::new("id", ValueProbe::<Option<i64>>::KIND, Direction::Asc, None);
static POSTS: Table = Table::new("posts", &[], &["id"], &[ID]);

/// A query of posts in the order of their id, with or without a filter. With `authors` above 0, it is a feed of that
/// many authors. `nulls` is where the NULLs of the id are.
pub(super) fn query(dialect: Dialect, is_filtered: bool, authors: i64, nulls: Option<Nulls>) -> KeysetQuery {
    let filters = if is_filtered { vec![Expr::col("title").eq(7)] } else { Vec::new() };
    let text = QueryText::new(dialect, &POSTS, &filters, &[]);
    let rows = ModelRows { table: &POSTS, filters, expressions: Vec::new() };
    let groups = Groups::new::<AnyModel, _, _>(Column::<i64>::new("author"), 0..authors);
    let base = ModelBase::new(FilteredRows { rows, text }, (authors > 0).then_some(groups), Vec::new());
    let order = KeysetOrder::of_model(&POSTS, vec![Term::of_table(&POSTS, KeyColumn { nulls, ..ID })]);
    KeysetQuery { order: Arc::new(order), base: Base::Model(Box::new(base)), binding: BindingOptions::default() }
}
