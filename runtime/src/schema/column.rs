//! Typed columns and their comparisons.
//!
//! A [`Column<T, M>`](Column) only accepts operands of type `T`, so a filter that compares a number with a text does
//! not compile. Its comparisons are filters of the model `M`: see [`filter`](super::filter). For SQL that they do not
//! cover, start from [`Column::to_expr`].

use std::fmt;
use std::marker::PhantomData;

use folio_plan::schema::table::Table;
use folio_plan::schema::term::table_name;
use sea_query::{ColumnName, Expr, ExprTrait as _, IntoIden as _};

use crate::schema::filter::{AnyModel, FilterExpr};
use crate::value::{CursorValue, operand};

/// A column of type `T` of the model `M`, for filters and orders.
///
/// The derive generates a constant for each field of a model, such as `Post::TITLE`, a `Column<String, Post>`.
/// [`new`](Self::new) creates a column for a select without a model, a `Column<String>`.
///
/// Comparisons take a value of the column's type, another column of this type, or any expression: see [`Operand`].
/// Values are always bound, never written into the SQL text. A comparison returns a [`FilterExpr`], which combines with
/// others through `and`, `or` and `not`.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// let either = Post::AUTHOR_ID.eq(8).or(Post::TITLE.like("b%"));
/// let page = Post::query().filter(either).order_by_asc(Post::ID).paginate(15).await?;
/// assert_eq!(ids(&page.data), [1, 3]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// For SQL functions and other operators, use [`to_expr`](Self::to_expr) and [sea-query](crate::sea_query):
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::sea_query::{Expr, ExprTrait, Func};
///
/// let upper = Expr::expr(Func::upper(Post::TITLE.to_expr()));
/// let page = Post::query().filter(upper.eq("A")).paginate(15).await?;
/// assert_eq!(ids(&page.data), [2, 3]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
pub struct Column<T, M = AnyModel> {
    /// The model's table, if the column is a model's. Its primary key becomes the tie-breaker of an order.
    pub(crate) table: Option<&'static Table>,
    /// The table's alias in the FROM clause.
    pub(crate) alias: Option<&'static str>,
    pub(crate) name: &'static str,
    types: PhantomData<fn() -> (T, M)>,
}

impl<T, M> Clone for Column<T, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, M> Copy for Column<T, M> {}

impl<T, M> fmt::Debug for Column<T, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let qualifier = self.alias.or(self.table.map(|table| table.name));
        f.debug_struct("Column").field("table", &qualifier).field("name", &self.name).finish()
    }
}

impl<T> Column<T> {
    /// Creates a column for a select without a model.
    ///
    /// `name` is quoted in the SQL and otherwise unchanged, so its case matters on PostgreSQL. The column is not
    /// qualified by a table; use [`of`](Self::of) if a join has several columns with this name. `T` is not checked
    /// against the database: if it is wrong, the comparison or the page fails when it runs.
    ///
    /// ```
    /// use folio::Column;
    ///
    /// const ID: Column<i64> = Column::new("id");
    ///
    /// assert_eq!(ID.name(), "id");
    /// assert_eq!(format!("{ID:?}"), r#"Column { table: None, name: "id" }"#);
    /// ```
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { table: None, alias: None, name, types: PhantomData }
    }
}

impl<T, M> Column<T, M> {
    /// Converts to a column for queries over any model. The compiler then no longer checks that the query's table has
    /// the column; the query checks it when it runs.
    ///
    /// Use it if several models share a table, and a query over one needs a column of another:
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// #[derive(sqlx::FromRow, folio::Paginate)]
    /// #[paginate(table = "posts")]
    /// struct Headline {
    ///     id: i64,
    ///     title: String,
    /// }
    ///
    /// let page = Headline::query().filter(Post::AUTHOR_ID.any_model().eq(8)).paginate(15).await?;
    /// assert_eq!(page.data[0].title, "a");
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub const fn any_model(self) -> Column<T> {
        Column { table: self.table, alias: self.alias, name: self.name, types: PhantomData }
    }

    /// Qualifies the column with a table's alias.
    ///
    /// Use it in your own selects and subqueries if the FROM clause gives the table an alias. A
    /// [`Builder`](crate::Builder) uses no aliases.
    ///
    /// ```
    /// let column = folio::Column::<i64>::new("id").of("p");
    /// assert_eq!(format!("{column:?}"), r#"Column { table: Some("p"), name: "id" }"#);
    /// ```
    #[must_use]
    pub const fn of(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn __of_table(table: &'static Table, name: &'static str) -> Self {
        Self { table: Some(table), alias: None, name, types: PhantomData }
    }

    /// The column's name, without its table and without quotes.
    ///
    /// ```
    /// assert_eq!(folio::Column::<String>::new("title").name(), "title");
    /// ```
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The column as a [sea-query](crate::sea_query) expression. A model's column is qualified with its table.
    ///
    /// ```
    /// use folio::{Column, sea_query::Expr};
    ///
    /// let column: Column<i64> = Column::new("id");
    /// assert_eq!(column.to_expr(), Expr::col("id"));
    /// ```
    #[must_use]
    pub fn to_expr(self) -> Expr {
        Expr::Column(ColumnName::from(self).into())
    }

    /// `column = value`. In SQL, nothing equals NULL; use [`is_null`](Self::is_null) instead.
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").eq(7), Expr::col("id").eq(7_i64));
    /// ```
    pub fn eq(self, value: impl Operand<T>) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().eq(value.into_operand()))
    }

    /// `column <> value`. Rows with NULL in the column do not match.
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").ne(7), Expr::col("id").ne(7_i64));
    /// ```
    pub fn ne(self, value: impl Operand<T>) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().ne(value.into_operand()))
    }

    /// `column > value`. Text compares by the column's collation.
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").gt(7), Expr::col("id").gt(7_i64));
    /// ```
    pub fn gt(self, value: impl Operand<T>) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().gt(value.into_operand()))
    }

    /// `column >= value`. Text compares by the column's collation.
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").gte(7), Expr::col("id").gte(7_i64));
    /// ```
    pub fn gte(self, value: impl Operand<T>) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().gte(value.into_operand()))
    }

    /// `column < value`. Text compares by the column's collation.
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").lt(7), Expr::col("id").lt(7_i64));
    /// ```
    pub fn lt(self, value: impl Operand<T>) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().lt(value.into_operand()))
    }

    /// `column <= value`. Text compares by the column's collation.
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").lte(7), Expr::col("id").lte(7_i64));
    /// ```
    pub fn lte(self, value: impl Operand<T>) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().lte(value.into_operand()))
    }

    /// `column BETWEEN low AND high`. Both bounds are included. If `low` is greater than `high`, no row matches.
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").between(7, 9), Expr::col("id").between(7_i64, 9_i64));
    /// ```
    pub fn between(self, low: impl Operand<T>, high: impl Operand<T>) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().between(low.into_operand(), high.into_operand()))
    }

    /// `column IN (values)`. Without values, no row matches.
    ///
    /// Each value is bound, and databases limit the number of binds in a statement: 65,535 on PostgreSQL and MySQL,
    /// 32,766 on SQLite. With more than half as many, a numbered page reads its total with a statement of its own,
    /// except on PostgreSQL, and a cursor page on MySQL fails if the order has NULLs at the other end than MySQL.
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").is_in([7, 9]), Expr::col("id").is_in([7_i64, 9]));
    /// ```
    pub fn is_in<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().is_in(values.into_iter().map(Operand::into_operand)))
    }

    /// `column NOT IN (values)`. Without values, every row matches. With values, rows with NULL in the column do not.
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").is_not_in([7, 9]), Expr::col("id").is_not_in([7_i64, 9]));
    /// ```
    pub fn is_not_in<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().is_not_in(values.into_iter().map(Operand::into_operand)))
    }

    /// `column IS NULL`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<Option<i64>>::new("score").is_null(), Expr::col("score").is_null());
    /// ```
    pub fn is_null(self) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().is_null())
    }

    /// `column IS NOT NULL`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<Option<i64>>::new("score").is_not_null(), Expr::col("score").is_not_null());
    /// ```
    pub fn is_not_null(self) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().is_not_null())
    }
}

impl<T, M> From<Column<T, M>> for ColumnName {
    fn from(column: Column<T, M>) -> Self {
        Self(table_name(column.table, column.alias), column.name.into_iden())
    }
}

impl<T, M> From<Column<T, M>> for Expr {
    fn from(column: Column<T, M>) -> Self {
        column.to_expr()
    }
}

/// The right-hand side of a comparison with a column of type `T`.
///
/// - a value of type `T`; if `T` is an `Option`, also the value inside it
/// - for a column whose type is your enum or newtype, a value of that type, which derives
///   [`ColumnValue`](crate::ColumnValue)
/// - for `String` and `Vec<u8>`, also `&str`, `&String` or `&[u8]`
/// - another column of the same type, even of another model, because a subquery can compare it with a column of the
///   outer query
/// - any [`Expr`], whose type is not checked
///
/// ```
/// use folio::{Column, ExprTrait, sea_query::Expr};
///
/// const SCORE: Column<Option<i32>> = Column::new("score");
/// const LIMIT: Column<Option<i32>> = Column::new("score_limit");
///
/// assert_eq!(SCORE.lt(10), SCORE.lt(Some(10)));
/// assert_eq!(SCORE.lt(LIMIT), Expr::col("score").lt(Expr::col("score_limit")));
/// assert_eq!(SCORE.lt(Expr::val(5).add(5)), Expr::col("score").lt(Expr::val(5).add(5)));
/// ```
///
/// An operand of another type does not compile:
///
/// ```compile_fail
/// # const SCORE: folio::Column<Option<i32>> = folio::Column::new("score");
/// let filter = SCORE.lt("ten");
/// ```
#[diagnostic::on_unimplemented(
    message = "a column of type `{T}` cannot be compared with `{Self}`",
    label = "write a value of type `{T}`, a column of it, or an `Expr`"
)]
pub trait Operand<T> {
    /// Converts to the right-hand side of the comparison.
    fn into_operand(self) -> Expr;
}

/// Implemented for the column of each type whose values can be bound.
///
/// The message of a bound on the value's own type would be that of [`Operand`], which says that a type cannot be
/// compared with itself.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{T}` is not a column type, so it cannot be compared",
    label = "a value of this type cannot be bound",
    note = "for `usize` and `isize`, use `u64` and `i64`",
    note = "for an enum or a newtype of your own, add `#[derive(folio::ColumnValue)]` to it",
    note = "for the types of uuid, chrono, time, rust_decimal and bigdecimal, enable folio's feature of that name"
)]
pub trait Binds<T> {
    fn bind(value: T) -> Expr;
}

#[diagnostic::do_not_recommend]
impl<T: CursorValue> Binds<T> for Column<T> {
    fn bind(value: T) -> Expr {
        Expr::Value(operand(value))
    }
}

impl<T> Operand<T> for T
where
    Column<T>: Binds<T>,
{
    fn into_operand(self) -> Expr {
        Column::bind(self)
    }
}

impl<T> Operand<Option<T>> for T
where
    Column<T>: Binds<T>,
{
    fn into_operand(self) -> Expr {
        Column::bind(self)
    }
}

impl<T, M> Operand<T> for Column<T, M> {
    fn into_operand(self) -> Expr {
        self.to_expr()
    }
}

impl<T> Operand<T> for Expr {
    fn into_operand(self) -> Expr {
        self
    }
}

macro_rules! borrowed {
    ($($borrowed:ty => $owned:ty),*) => {$(
        impl Operand<$owned> for $borrowed {
            fn into_operand(self) -> Expr {
                Expr::Value(<$owned>::from(self).into_value())
            }
        }

        impl Operand<Option<$owned>> for $borrowed {
            fn into_operand(self) -> Expr {
                Expr::Value(<$owned>::from(self).into_value())
            }
        }
    )*};
}
borrowed!(&str => String, &String => String, &[u8] => Vec<u8>);
