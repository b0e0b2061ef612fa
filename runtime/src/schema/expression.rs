//! Expressions to sort and filter lists by, such as `lower(title)`.
//!
//! A [`NamedExpr`] is to an expression what a [`Column`] is to a column. Its order compiles to a [`Term`] that carries
//! the expression, which a cursor page then selects in addition to the row's own columns.

use std::fmt;
use std::marker::PhantomData;

use folio_plan::schema::key_expression::KeyExpression;
use folio_plan::schema::table::{Direction, KeyColumn, Nulls};
use folio_plan::schema::term::{Term, sorted};
use sea_query::{Expr, ExprTrait as _};

use crate::schema::column::{Column, Operand};
use crate::schema::filter::FilterExpr;
use crate::schema::order::{IntoOrder, OrderOf};
use crate::value::{ColumnValue, CursorValue};

impl<T> Column<T> {
    /// Names an expression, to sort numbered and cursor pages by it and to filter with it.
    ///
    /// `name` identifies it in errors, and `T` is the type of its values. Cursors are bound to the name and to the values
    /// in the expression, such as the price from which distances are measured: a cursor of another value is invalid. An
    /// order has no two expressions with the same name. If you change what an expression sorts by, change its name too.
    /// The expression can contain columns of the list's table, and values, which are bound. If it can be NULL, use an
    /// `Option` as its type; an order then needs a NULL position. If it is never NULL, call
    /// [`not_null`](NamedExpr::not_null), which makes the statements simpler.
    ///
    /// For fast cursor pages, create an index on the expression, such as `(lower(title), id)`. MariaDB does not support
    /// such indexes; add a generated column there.
    ///
    /// MySQL and MariaDB may compare more digits of a quotient than they send to the client. If a page cannot be
    /// continued for that reason, it fails. Round such an expression: `ROUND(score / 3, 4)`.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, sea_query::{Expr, Func}};
    ///
    /// let lower = Column::<String>::expr("title_lower", Func::lower(Expr::col(Post::TITLE))).not_null();
    /// let page = Post::query().order_by(lower.clone().desc()).cursor_paginate(2).await?;
    /// assert_eq!(page.data[0].title, "b");
    /// let page = Post::query().filter(lower.eq("a")).paginate(15).await?;
    /// assert_eq!(page.total, 2);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn expr(name: &'static str, expression: impl Into<Expr>) -> NamedExpr<T> {
        NamedExpr { name, expression: expression.into(), not_null: false, stable: false, value: PhantomData }
    }
}

/// A named expression with values of type `T`, for filters and orders. Created by [`Column::expr`].
///
/// Its comparisons take the same operands as those of a [`Column`].
///
/// ```
/// use folio::{Column, sea_query::Expr};
///
/// let pinned = Column::<i64>::expr("pinned", Expr::cust("CASE WHEN pinned THEN 0 ELSE 1 END"));
/// assert_eq!(format!("{:?}", pinned.asc()), "pinned Asc");
/// ```
#[must_use = "an expression does nothing until it is part of a filter or an order"]
pub struct NamedExpr<T> {
    name: &'static str,
    expression: Expr,
    not_null: bool,
    stable: bool,
    value: PhantomData<fn() -> T>,
}

impl<T> Clone for NamedExpr<T> {
    fn clone(&self) -> Self {
        Self { expression: self.expression.clone(), ..*self }
    }
}

impl<T> fmt::Debug for NamedExpr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamedExpr").field("name", &self.name).field("expression", &self.expression).finish()
    }
}

impl<T> From<NamedExpr<T>> for Expr {
    fn from(column: NamedExpr<T>) -> Self {
        column.expression
    }
}

impl<T> Operand<T> for NamedExpr<T> {
    fn into_operand(self) -> Expr {
        self.expression
    }
}

impl<T> NamedExpr<T> {
    /// States that the expression is never NULL, so that cursor pages need no condition for NULLs. If it is NULL in a
    /// row nevertheless, later cursor pages leave out that row.
    ///
    /// ```
    /// use folio::{Column, sea_query::{Expr, Func}};
    ///
    /// let title = Column::<String>::new("title");
    /// let length = Column::<i64>::expr("length", Func::char_length(Expr::col(title))).not_null();
    /// assert_eq!(format!("{:?}", length.desc()), "length Desc");
    /// ```
    pub fn not_null(self) -> Self {
        Self { not_null: true, ..self }
    }

    /// States that a row has the same value on each page, although the expression has a function of the clock or a
    /// random one. Otherwise, pages in this order are refused. If the value does change, rows are lost or repeated.
    ///
    /// It is true of an expression whose result changes rarely, such as the current year, if a walk that is under way
    /// when it changes may be wrong.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, sea_query::Expr};
    ///
    /// let this_year = || Column::<i64>::expr("this_year", Expr::cust("created_at >= strftime('%Y', 'now')")).not_null();
    /// let error = Post::query().order_by(this_year().desc()).cursor_paginate(2).await.unwrap_err();
    /// assert!(error.to_string().contains("its value changes between pages"));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn stable(self) -> Self {
        Self { stable: true, ..self }
    }

    /// Sorts by this expression in ascending order: the smallest value first.
    ///
    /// ```
    /// let order = folio::Column::<i64>::expr("sum", folio::sea_query::Expr::cust("a + b")).asc();
    /// assert_eq!(format!("{order:?}"), "sum Asc");
    /// ```
    pub fn asc(self) -> ExprSort<T> {
        ExprSort { column: self, direction: Direction::Asc, nulls: None }
    }

    /// Sorts by this expression in descending order: the largest value first.
    ///
    /// ```
    /// let order = folio::Column::<i64>::expr("sum", folio::sea_query::Expr::cust("a + b")).desc();
    /// assert_eq!(format!("{order:?}"), "sum Desc");
    /// ```
    pub fn desc(self) -> ExprSort<T> {
        ExprSort { column: self, direction: Direction::Desc, nulls: None }
    }

    /// Matches rows in which the expression is NULL.
    ///
    /// ```
    /// use folio::{Column, sea_query::{Expr, ExprTrait}};
    ///
    /// let sum = || Expr::cust("a + b");
    /// assert_eq!(Expr::from(Column::<i64>::expr("sum", sum()).is_null()), sum().is_null());
    /// ```
    pub fn is_null(self) -> FilterExpr {
        FilterExpr::new(self.expression.is_null())
    }

    /// Matches rows in which the expression is not NULL.
    ///
    /// ```
    /// use folio::{Column, sea_query::{Expr, ExprTrait}};
    ///
    /// let sum = || Expr::cust("a + b");
    /// assert_eq!(Expr::from(Column::<i64>::expr("sum", sum()).is_not_null()), sum().is_not_null());
    /// ```
    pub fn is_not_null(self) -> FilterExpr {
        FilterExpr::new(self.expression.is_not_null())
    }

    /// Matches rows in which the expression is between two values, inclusive.
    ///
    /// ```
    /// use folio::{Column, sea_query::{Expr, ExprTrait}};
    ///
    /// let sum = || Expr::cust("a + b");
    /// let between = Column::<i64>::expr("sum", sum()).between(1, 7);
    /// assert_eq!(Expr::from(between), sum().between(1_i64, 7_i64));
    /// ```
    pub fn between(self, low: impl Operand<T>, high: impl Operand<T>) -> FilterExpr {
        FilterExpr::new(self.expression.between(low.into_operand(), high.into_operand()))
    }

    /// Matches rows in which the expression has one of these values. Without values, no row matches.
    ///
    /// ```
    /// use folio::{Column, sea_query::{Expr, ExprTrait}};
    ///
    /// let sum = || Expr::cust("a + b");
    /// assert_eq!(Expr::from(Column::<i64>::expr("sum", sum()).is_in([1, 7])), sum().is_in([1_i64, 7]));
    /// ```
    pub fn is_in<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> FilterExpr {
        FilterExpr::new(self.expression.is_in(values.into_iter().map(Operand::into_operand)))
    }
}

impl<T> NamedExpr<Option<T>> {
    /// Sorts by this expression in ascending order, with NULLs before all values.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::expr("sum", folio::sea_query::Expr::cust("a + b")).nulls_first();
    /// assert_eq!(format!("{order:?}"), "sum Asc nulls First");
    /// ```
    pub fn nulls_first(self) -> ExprSort<Option<T>, true> {
        self.asc().nulls_first()
    }

    /// Sorts by this expression in ascending order, with NULLs after all values.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::expr("sum", folio::sea_query::Expr::cust("a + b")).nulls_last();
    /// assert_eq!(format!("{order:?}"), "sum Asc nulls Last");
    /// ```
    pub fn nulls_last(self) -> ExprSort<Option<T>, true> {
        self.asc().nulls_last()
    }
}

/// The comparisons with one operand.
macro_rules! comparisons {
    ($($name:ident $sign:literal;)*) => {
        impl<T> NamedExpr<T> {$(
            #[doc = concat!("`expression ", $sign, " value`. Rows in which the expression is NULL do not match.")]
            ///
            /// ```
            /// use folio::{Column, sea_query::{Expr, ExprTrait}};
            ///
            /// let sum = || Expr::cust("a + b");
            #[doc = concat!("let compared = Column::<i64>::expr(\"one\", sum()).", stringify!($name), "(7);")]
            #[doc = concat!("assert_eq!(Expr::from(compared), sum().", stringify!($name), "(7_i64));")]
            /// ```
            pub fn $name(self, value: impl Operand<T>) -> FilterExpr {
                FilterExpr::new(self.expression.$name(value.into_operand()))
            }
        )*}
    };
}
comparisons! {
    eq "=";
    ne "<>";
    gt ">";
    gte ">=";
    lt "<";
    lte "<=";
}

/// An expression with a direction and an optional NULL position: one part of an [`IntoOrder`]. Created by
/// [`NamedExpr::asc`] and [`NamedExpr::desc`].
///
/// `STATED` is whether the NULL position is stated. An expression whose type is an `Option` needs one.
///
/// ```
/// use folio::{Column, sea_query::Expr};
///
/// let order = Column::<Option<i64>>::expr("rank", Expr::cust("rank * 2")).desc().nulls_last();
/// assert_eq!(format!("{order:?}"), "rank Desc nulls Last");
/// ```
#[must_use = "an order does nothing until a query has it"]
pub struct ExprSort<T, const STATED: bool = false> {
    column: NamedExpr<T>,
    direction: Direction,
    nulls: Option<Nulls>,
}

impl<T, const STATED: bool> Clone for ExprSort<T, STATED> {
    fn clone(&self) -> Self {
        Self { column: self.column.clone(), ..*self }
    }
}

impl<T, const STATED: bool> fmt::Debug for ExprSort<T, STATED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sorted(f, self.column.name, self.direction, self.nulls)
    }
}

impl<T> ExprSort<Option<T>> {
    /// Places NULLs before all values, whatever the direction.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::expr("sum", folio::sea_query::Expr::cust("a + b")).desc().nulls_first();
    /// assert_eq!(format!("{order:?}"), "sum Desc nulls First");
    /// ```
    pub fn nulls_first(self) -> ExprSort<Option<T>, true> {
        ExprSort { column: self.column, direction: self.direction, nulls: Some(Nulls::First) }
    }

    /// Places NULLs after all values, whatever the direction.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::expr("sum", folio::sea_query::Expr::cust("a + b")).desc().nulls_last();
    /// assert_eq!(format!("{order:?}"), "sum Desc nulls Last");
    /// ```
    pub fn nulls_last(self) -> ExprSort<Option<T>, true> {
        ExprSort { column: self.column, direction: self.direction, nulls: Some(Nulls::Last) }
    }
}

impl<T: ColumnValue> IntoOrder for NamedExpr<T> {
    fn terms(self) -> Vec<Term> {
        self.asc().terms()
    }
}

impl<T: ColumnValue> IntoOrder for ExprSort<T> {
    fn terms(self) -> Vec<Term> {
        const { assert!(!T::NULLABLE, "a type with `NULLABLE` does not implement `folio::ColumnValue`") }
        vec![self.term()]
    }
}

impl<T: CursorValue> IntoOrder for ExprSort<T, true> {
    fn terms(self) -> Vec<Term> {
        vec![self.term()]
    }
}

impl<T, M> OrderOf<M> for NamedExpr<T> where Self: IntoOrder {}

impl<T, const STATED: bool, M> OrderOf<M> for ExprSort<T, STATED> where Self: IntoOrder {}

impl<T: CursorValue, const STATED: bool> ExprSort<T, STATED> {
    fn term(self) -> Term {
        let NamedExpr { name, expression, not_null, stable, .. } = self.column;
        let key = KeyColumn::new(name, T::__KIND, self.direction, self.nulls);
        Term::of_expression(key, KeyExpression::new(expression, not_null, stable))
    }
}
