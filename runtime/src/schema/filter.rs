//! Filters: conditions that know which model's columns they compare.
//!
//! A comparison of a column of `Post` is a [`FilterExpr<Post>`](FilterExpr), and a query over `Post` takes each
//! [`Filter<Post>`](Filter). So a filter on a column of another model does not compile. Expressions of sea-query do not
//! name a model; [`column_check`](folio_plan::schema::column_check) checks them when the query runs.

use std::marker::PhantomData;
use std::{fmt, ops};

use sea_query::{Condition, Expr, ExprTrait as _};

/// A placeholder for the model of columns and filters that any query accepts.
///
/// It is the model of columns from [`Column::new`](crate::Column::new). The type has no values.
///
/// ```
/// use folio::{AnyModel, Column};
///
/// const ID: Column<i64> = Column::new("id");
///
/// let same: Column<i64, AnyModel> = ID;
/// assert_eq!(same.name(), "id");
/// ```
#[derive(Debug, Clone, Copy)]
pub enum AnyModel {}

/// Two models whose filters can be combined: they are the same, or one of them is [`AnyModel`].
#[diagnostic::on_unimplemented(
    message = "a filter of `{Self}` cannot be used on `{M}`",
    label = "this compares a column of `{Self}`",
    note = "for rows of `{M}` that have rows of `{Self}`, write a subquery in `Expr::exists` or `in_subquery`",
    note = "for a join of both, pass a select to `Select` or `Pagination`",
    note = "if both are models of the same table, write `.any_model()` after the column"
)]
pub trait SameModel<M> {}

// Each of these is left out of the compiler's message, whose notes say what to write.
#[diagnostic::do_not_recommend]
impl SameModel<Self> for AnyModel {}

/// A condition that [`Builder::filter`](crate::Builder::filter) accepts in a query over `M`:
///
/// - a comparison of a column of `M`, which is a [`FilterExpr<M>`](FilterExpr)
/// - a comparison of a column without a model
/// - a sea-query [`Expr`] or [`Condition`]; if it contains a column of another table, the query fails when it runs
///
/// ```
/// use folio::{Column, Filter, Paginate, sea_query::Cond};
///
/// #[derive(sqlx::FromRow, Paginate)]
/// struct Post {
///     id: i64,
/// }
/// const ID: Column<i64> = Column::new("id");
///
/// fn takes(_: impl Filter<Post>) {}
/// takes(Post::ID.gt(7));
/// takes(ID.gt(7));
/// takes(Cond::any().add(Post::ID.lt(7)).add(ID.gt(70)));
/// ```
///
/// A filter of another model does not compile:
///
/// ```compile_fail,E0277
/// # use folio::{Filter, Paginate};
/// # #[derive(sqlx::FromRow, Paginate)]
/// # struct Post { id: i64 }
/// # fn takes(_: impl Filter<Post>) {}
/// #[derive(sqlx::FromRow, Paginate)]
/// struct Comment {
///     id: i64,
/// }
/// takes(Comment::ID.gt(7));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a filter",
    label = "write a comparison such as `Post::ID.eq(7)`, or a condition of sea-query"
)]
pub trait Filter<M> {
    #[doc(hidden)]
    fn into_expr(self) -> Expr;

    /// The parameters of the request that its values came from.
    #[doc(hidden)]
    fn request_parameters(&self) -> Vec<String> {
        Vec::new()
    }
}

impl<M> Filter<M> for Expr {
    fn into_expr(self) -> Expr {
        self
    }
}

impl<M> Filter<M> for Condition {
    fn into_expr(self) -> Expr {
        self.into()
    }
}

impl<M, N: SameModel<M>> Filter<M> for FilterExpr<N> {
    fn into_expr(self) -> Expr {
        self.expr
    }
}

/// A condition on columns of the model `M`, such as `Post::ID.eq(7)`.
///
/// Every comparison of a [`Column`](crate::Column) returns one. It combines with others through [`and`](Self::and),
/// [`or`](Self::or) and [`not`](Self::not), and is accepted by queries over `M`: see [`Filter`]. A combination has the
/// model of its first condition.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::FilterExpr;
///
/// /// The posts that a reader of the front page sees.
/// fn visible() -> FilterExpr<Post> {
///     Post::TITLE.ne("draft").and(Post::AUTHOR_ID.eq(7).or(Post::ID.lt(3)))
/// }
/// assert_eq!(Post::query().filter(visible()).paginate(15).await?.total, 2);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// It converts into an [`Expr`] and a [`Condition`] of [sea-query](crate::sea_query), so you can pass it to sea-query's
/// `cond_where`, `Cond` and joins. For methods that take an `Expr`, such as `and_where`, write `.into()`.
///
/// ```
/// use folio::{Column, sea_query::{Query, SqliteQueryBuilder}};
///
/// const ID: Column<i64> = Column::new("id");
///
/// let select = Query::select().column("id").from("posts").cond_where(ID.gt(7).and(ID.lt(9))).take();
/// assert!(select.to_string(SqliteQueryBuilder).ends_with(r#"WHERE "id" > 7 AND "id" < 9"#));
/// ```
#[must_use = "a condition does nothing until it is passed to `filter`"]
pub struct FilterExpr<M = AnyModel> {
    expr: Expr,
    model: PhantomData<fn() -> M>,
}

impl<M> FilterExpr<M> {
    pub(crate) const fn new(expr: Expr) -> Self {
        Self { expr, model: PhantomData }
    }

    /// Matches rows that match both conditions.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().filter(Post::AUTHOR_ID.eq(7).and(Post::TITLE.eq("a"))).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [2]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn and(self, other: impl Filter<M>) -> Self {
        Self::new(self.expr.and(other.into_expr()))
    }

    /// Matches rows that match at least one of the two conditions.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().filter(Post::AUTHOR_ID.eq(8).or(Post::TITLE.eq("b"))).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [1, 3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn or(self, other: impl Filter<M>) -> Self {
        Self::new(self.expr.or(other.into_expr()))
    }

    /// Matches rows that do not match the condition. The operator `!` does the same.
    ///
    /// A comparison with NULL is neither true nor false, and nor is its negation. So a row with NULL in the column
    /// matches neither the condition nor its negation.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().filter(Post::TITLE.starts_with("b").not()).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [2, 3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[expect(clippy::should_implement_trait, reason = "the trait is implemented, and has to be imported to be called")]
    pub fn not(self) -> Self {
        Self::new(self.expr.not())
    }
}

impl<M> ops::Not for FilterExpr<M> {
    type Output = Self;

    fn not(self) -> Self {
        self.not()
    }
}

impl<M> Clone for FilterExpr<M> {
    fn clone(&self) -> Self {
        Self::new(self.expr.clone())
    }
}

impl<M> fmt::Debug for FilterExpr<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expr.fmt(f)
    }
}

impl<M> PartialEq for FilterExpr<M> {
    fn eq(&self, other: &Self) -> bool {
        self.expr == other.expr
    }
}

impl<M> PartialEq<Expr> for FilterExpr<M> {
    fn eq(&self, other: &Expr) -> bool {
        self.expr == *other
    }
}

impl<M> From<FilterExpr<M>> for Expr {
    fn from(filter: FilterExpr<M>) -> Self {
        filter.expr
    }
}

impl<M> From<FilterExpr<M>> for Condition {
    fn from(filter: FilterExpr<M>) -> Self {
        filter.expr.into()
    }
}
