//! `any_of`: a list of values, which PostgreSQL takes as one bound array: see [`folio_plan::schema::arrays`].

use sea_query::{Expr, ExprTrait as _};

use crate::schema::column::{Column, Operand};
use crate::schema::filter::FilterExpr;

impl<T, M> Column<T, M> {
    /// Matches rows with one of these values in the column. Without values, no row matches.
    ///
    /// In a filter of a model's query on PostgreSQL, integers and UUIDs are bound as one array, `column = ANY($1)`. So
    /// the SQL text and the server's plan are the same for any number of values, and there may be more than 65,535. In
    /// all other cases it is the same as [`is_in`](Self::is_in): a text is compared in the type of its column, such as
    /// `citext`, which an array would have to name.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().filter(Post::ID.any_of([1, 3, 9])).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [1, 3]);
    /// assert!(Post::query().filter(Post::ID.any_of::<i64>([])).paginate(15).await?.is_empty());
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn any_of<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> FilterExpr<M> {
        FilterExpr::new(any_of(self.to_expr(), values.into_iter().map(Operand::into_operand)))
    }
}

/// Matches rows with one of these values in a column.
pub(crate) fn any_of(column: Expr, values: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::tuple([column]).is_in(values)
}
