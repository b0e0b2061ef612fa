//! Rows of another shape than the model's: with fewer columns, computed fields, and the values of expressions.
//!
//! [`RowOf`] says what a type reads from the rows of a model. A query has the model's filters and orders whatever its
//! rows are, and so the same cursors.

use folio_plan::schema::table::Columns;
use folio_plan::statement::filtered::Added;
use folio_plan::value::is_null;
use sea_query::Expr;

use super::description::Query;
use super::model::{Of, TableRows};
use crate::driver::{Driver, Reader, column_error};
use crate::model::Model;
use crate::schema::expression::NamedExpr;
use crate::value::CursorValue;

/// A type that the rows of the model `M` can be read as: the model itself, a struct with `#[derive(RowOf)]`, and such a
/// row with the value of an expression, from [`with`](crate::Builder::with).
///
/// # Derive
///
/// `#[derive(RowOf)]` is for a struct with `#[derive(sqlx::FromRow)]` that has some of the model's columns. Each field
/// has the name and the type of a field of the model, or `#[paginate(expr = "…")]`: SQL over the columns of one row,
/// which is selected under the field's name. An aggregate or a window function has to be in a subquery of it, which has
/// rows of its own. [`rows`](crate::Builder::rows) has an example.
///
/// | attribute | on | meaning |
/// |---|---|---|
/// | `of = Product` | the struct | the model |
/// | `expr = "price * 2"` | a field | the field is computed |
/// | `skip` | a field | the field has no column; for a handwritten `FromRow` |
/// | `column = "name"` | a field | the column, for a handwritten `FromRow` |
/// | `crate = "path"` | the struct | the path of folio, if it is renamed |
///
/// The attributes of sqlx apply, as in a model. The names of computed fields differ from those of the model's columns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a row of `{M}`",
    label = "write `#[derive(sqlx::FromRow, folio::RowOf)]` and `#[paginate(of = {M})]` on it"
)]
pub trait RowOf<M: Model>: Sized + Send {
    /// The columns that are selected.
    #[doc(hidden)]
    const COLUMNS: &'static Columns;
    /// The computed fields: the name of each in the result, and its SQL.
    #[doc(hidden)]
    const COMPUTED: &'static [(&'static str, &'static str)];
    /// How many values of expressions it reads.
    #[doc(hidden)]
    const VALUES: usize;
    #[doc(hidden)]
    const READER: Reader<Self>;
}

#[diagnostic::do_not_recommend]
impl<M: Model> RowOf<M> for M {
    const COLUMNS: &'static Columns = &M::TABLE.columns;
    const COMPUTED: &'static [(&'static str, &'static str)] = &[];
    const VALUES: usize = 0;
    const READER: Reader<Self> = <M as Model>::READER;
}

/// Whether some enabled driver can read a row of a model.
#[must_use]
pub const fn is_readable_row<M: Model, R: RowOf<M>>() -> bool {
    R::READER.reads()
}

/// The reader of one driver for a row and the value after it, if it can read the row.
macro_rules! and_value {
    ($feature:literal: $row:ident.$driver:ident, $database:ty) => {{
        #[cfg(feature = $feature)]
        {
            match $row::READER.$driver {
                Some(_) => Some(|row| {
                    let read = $row::READER.$driver.ok_or(sqlx::Error::RowNotFound)?;
                    Ok((read(row)?, value::<$database, _>(row, &value_name($row::VALUES))?))
                }),
                None => None,
            }
        }
        #[cfg(not(feature = $feature))]
        {
            std::marker::PhantomData
        }
    }};
}

#[diagnostic::do_not_recommend]
impl<M: Model, R: RowOf<M>, T: CursorValue + Send> RowOf<M> for (R, T) {
    const COLUMNS: &'static Columns = R::COLUMNS;
    const COMPUTED: &'static [(&'static str, &'static str)] = R::COMPUTED;
    const VALUES: usize = R::VALUES.saturating_add(1);
    const READER: Reader<Self> = Reader {
        sqlite: and_value!("sqlite": R.sqlite, sqlx::Sqlite),
        postgres: and_value!("postgres": R.postgres, sqlx::Postgres),
        mysql: and_value!("mysql": R.mysql, sqlx::MySql),
        fields: R::READER.fields,
    };
}

/// The name in the result of the value that comes after `at` others. It is folio's own, so that the caller's name may
/// be that of a column.
fn value_name(at: usize) -> String {
    format!("folio_with_{}", at.saturating_add(1))
}

/// The value of an expression in a row.
fn value<D: Driver, T: CursorValue>(row: &D::Row, column: &str) -> sqlx::Result<T> {
    // sqlx names the column by its position.
    let value = D::value(row, column, T::VARIANT).map_err(|error| match error {
        sqlx::Error::ColumnDecode { source, .. } => column_error(column, source),
        error => error,
    })?;
    // sqlx reads NULL on SQLite as an empty text or 0.
    if !T::NULLABLE && is_null(&value) {
        return Err(column_error(column, "NULL in a value whose type cannot hold it: make it an `Option`"));
    }
    T::from_value(value).ok_or_else(|| column_error(column, "it is not a value of its type"))
}

impl<M: Model, C> Query<Of<M>, C> {
    /// Reads the rows as another type, which has some of the model's columns and computed ones: see [`RowOf`]. Only
    /// these columns are selected, and those that the page itself needs, such as the order's.
    ///
    /// Everything else is as in the model's query: its default filter and its tenant, orders, totals, and the cursors,
    /// which are also valid for the model's own pages.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::RowOf;
    ///
    /// #[derive(Debug, PartialEq, sqlx::FromRow, RowOf)]
    /// #[paginate(of = Post)]
    /// struct Title {
    ///     title: String,
    ///     #[paginate(expr = "length(title)")]
    ///     letters: i64,
    /// }
    ///
    /// let titles = || Post::query().order_by(Post::ID.desc()).rows::<Title>();
    /// let page = titles().cursor_paginate(2).await?;
    /// assert_eq!(page.data[0], Title { title: "a".into(), letters: 1 });
    /// // The order's column is not part of the row, and the cursor has its value.
    /// let next = titles().cursor(page.next_cursor.as_deref()).cursor_paginate(2).await?;
    /// assert_eq!(next.data, [Title { title: "b".into(), letters: 1 }]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Each page fails with [`Internal`](crate::FrameworkError::Internal) if a column of the order has the name of a
    /// computed field, or if a computed field has an aggregate or a window function outside of a subquery.
    pub fn rows<R: RowOf<M>>(self) -> Query<Of<M, R>, C> {
        const { assert!(R::VALUES == 0, "`rows` takes the type of the row alone: add values by `with`") }
        // In parentheses, as a default filter.
        let computed = |(name, sql): &(&'static str, &'static str)| Added {
            expr: Expr::tuple([Expr::cust(*sql)]),
            name: (*name).into(),
        };
        self.reading(|rows| {
            rows.columns = R::COLUMNS;
            rows.added.extend(R::COMPUTED.iter().map(computed));
        })
    }
}

impl<M: Model, R: RowOf<M>, C> Query<Of<M, R>, C> {
    /// Adds the value of an expression to each row, such as a rank, a distance or a count of related rows. The rows are
    /// then pairs: `(Post, i64)` for a query over posts. Call it again for another value: `((Post, i64), f64)`.
    ///
    /// `T` is the type of the value, one that a column of an order may have: if the expression can be NULL, an `Option`.
    /// For other types, such as JSON, write a computed field of a [`RowOf`] the model. To sort by the value too, pass a
    /// clone of the expression to [`order_by`](crate::Builder::order_by).
    ///
    /// The expression is evaluated in the page's own statement, whose rows are those of the page. So write an aggregate
    /// or a window function inside a subquery, which has rows of its own.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, sea_query::Expr};
    ///
    /// let others = "(SELECT COUNT(*) FROM posts AS other WHERE other.title = posts.title) - 1";
    /// let others = Column::<i64>::expr("others", Expr::cust(others)).not_null();
    ///
    /// let posts = Post::query().order_by(others.clone().desc()).with(others);
    /// let page = posts.cursor_paginate(2).await?;
    /// assert_eq!(page.data.iter().map(|(post, others)| (post.id, *others)).collect::<Vec<_>>(), [(3, 1), (2, 1)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Each page fails with [`Internal`](crate::FrameworkError::Internal) for a column of another table, an aggregate or
    /// a window function, and with [`Database`](crate::FrameworkError::Database) if a value is not a `T`. The error
    /// names the column `folio_with_1` for the first value, and so on.
    pub fn with<T: CursorValue + Send>(self, value: NamedExpr<T>) -> Query<Of<M, (R, T)>, C> {
        self.reading(|rows| rows.added.push(Added { expr: value.into(), name: value_name(R::VALUES).into() }))
    }

    /// The same query with rows of another type, for which `change` selects what it reads.
    fn reading<U>(self, change: impl FnOnce(&mut TableRows)) -> Query<Of<M, U>, C> {
        let Self { list, connection } = self;
        let list = list.map(|Of { mut rows, .. }| {
            change(&mut rows);
            Of::new(rows)
        });
        Query { list: Box::new(list), connection }
    }
}
