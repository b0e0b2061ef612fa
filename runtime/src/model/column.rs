//! Typed columns, and what they are compared with.

use std::fmt;
use std::marker::PhantomData;

use sea_query::{ColumnName, Expr, ExprTrait as _, IntoIden as _, SchemaName, TableName};

use crate::model::table::Table;
use crate::value::CursorValue;

/// A column of type `T`.
///
/// The derive gives a model one for each of its fields. The comparisons here take values of the column's own type;
/// for everything else that SQL has, a column becomes a [`sea_query::Expr`].
///
/// ```
/// use folio::{Column, ExprTrait};
///
/// const AUTHOR_ID: Column<i64> = Column::new("author_id");
/// const TITLE: Column<String> = Column::new("title");
///
/// let condition = AUTHOR_ID.eq(7).and(TITLE.like("%rust%"));
/// let long = TITLE.expr().binary(folio::sea_query::BinOper::Custom("SIMILAR TO"), "%(a|b)%");
/// assert_ne!(condition, long);
/// ```
pub struct Column<T> {
    /// The model's table, where the column is a model's: its primary key closes an order.
    pub(crate) table: Option<&'static Table>,
    /// Another name of the table in the FROM clause.
    pub(crate) alias: Option<&'static str>,
    pub(crate) name: &'static str,
    value: PhantomData<fn() -> T>,
}

impl<T> Clone for Column<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Column<T> {}

impl<T> fmt::Debug for Column<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Column").field("table", &self.qualifier()).field("name", &self.name).finish()
    }
}

impl<T> Column<T> {
    /// A column of a select without a model. `name` is quoted in the SQL, and otherwise unchanged.
    ///
    /// ```
    /// let column = folio::Column::<i64>::new("id");
    /// assert_eq!(column.name(), "id");
    /// ```
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { table: None, alias: None, name, value: PhantomData }
    }

    /// The same column under the name that its table has in the FROM clause of a select for
    /// [`Pagination`](crate::Pagination), or of a subquery. The table of a [`Builder`](crate::Builder) has its own
    /// name.
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
        Self { table: Some(table), alias: None, name, value: PhantomData }
    }

    /// The column's name.
    ///
    /// ```
    /// assert_eq!(folio::Column::<String>::new("title").name(), "title");
    /// ```
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    fn qualifier(&self) -> Option<&'static str> {
        self.alias.or(self.table.map(|table| table.name))
    }

    /// The column as an expression, qualified by its table.
    ///
    /// ```
    /// use folio::{Column, sea_query::Expr};
    ///
    /// let column: Column<i64> = Column::new("id");
    /// assert_eq!(column.expr(), Expr::col("id"));
    /// ```
    #[must_use]
    pub fn expr(self) -> Expr {
        Expr::Column(ColumnName::from(self).into())
    }

    /// `column = value`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").eq(7), Expr::col("id").eq(7_i64));
    /// ```
    #[must_use]
    pub fn eq(self, value: impl Operand<T>) -> Expr {
        self.expr().eq(value.into_operand())
    }

    /// `column <> value`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").ne(7), Expr::col("id").ne(7_i64));
    /// ```
    #[must_use]
    pub fn ne(self, value: impl Operand<T>) -> Expr {
        self.expr().ne(value.into_operand())
    }

    /// `column > value`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").gt(7), Expr::col("id").gt(7_i64));
    /// ```
    #[must_use]
    pub fn gt(self, value: impl Operand<T>) -> Expr {
        self.expr().gt(value.into_operand())
    }

    /// `column >= value`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").gte(7), Expr::col("id").gte(7_i64));
    /// ```
    #[must_use]
    pub fn gte(self, value: impl Operand<T>) -> Expr {
        self.expr().gte(value.into_operand())
    }

    /// `column < value`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").lt(7), Expr::col("id").lt(7_i64));
    /// ```
    #[must_use]
    pub fn lt(self, value: impl Operand<T>) -> Expr {
        self.expr().lt(value.into_operand())
    }

    /// `column <= value`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").lte(7), Expr::col("id").lte(7_i64));
    /// ```
    #[must_use]
    pub fn lte(self, value: impl Operand<T>) -> Expr {
        self.expr().lte(value.into_operand())
    }

    /// `column BETWEEN low AND high`, both included
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").between(7, 9), Expr::col("id").between(7_i64, 9_i64));
    /// ```
    #[must_use]
    pub fn between(self, low: impl Operand<T>, high: impl Operand<T>) -> Expr {
        self.expr().between(low.into_operand(), high.into_operand())
    }

    /// `column IN (values)`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").is_in([7, 9]), Expr::col("id").is_in([7_i64, 9]));
    /// ```
    #[must_use]
    pub fn is_in<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> Expr {
        self.expr().is_in(values.into_iter().map(Operand::into_operand))
    }

    /// `column NOT IN (values)`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<i64>::new("id").is_not_in([7, 9]), Expr::col("id").is_not_in([7_i64, 9]));
    /// ```
    #[must_use]
    pub fn is_not_in<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> Expr {
        self.expr().is_not_in(values.into_iter().map(Operand::into_operand))
    }

    /// `column IS NULL`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<Option<i64>>::new("score").is_null(), Expr::col("score").is_null());
    /// ```
    #[must_use]
    pub fn is_null(self) -> Expr {
        self.expr().is_null()
    }

    /// `column IS NOT NULL`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<Option<i64>>::new("score").is_not_null(), Expr::col("score").is_not_null());
    /// ```
    #[must_use]
    pub fn is_not_null(self) -> Expr {
        self.expr().is_not_null()
    }

    /// `column LIKE pattern`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<String>::new("title").like("rust%"), Expr::col("title").like("rust%"));
    /// ```
    #[must_use]
    pub fn like(self, pattern: impl Into<String>) -> Expr {
        self.expr().like(pattern.into())
    }

    /// `column NOT LIKE pattern`
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<String>::new("title").not_like("rust%"), Expr::col("title").not_like("rust%"));
    /// ```
    #[must_use]
    pub fn not_like(self, pattern: impl Into<String>) -> Expr {
        self.expr().not_like(pattern.into())
    }
}

impl<T> From<Column<T>> for ColumnName {
    fn from(column: Column<T>) -> Self {
        Self(table_name(column.table, column.alias), column.name.into_iden())
    }
}

impl<T> From<Column<T>> for Expr {
    fn from(column: Column<T>) -> Self {
        column.expr()
    }
}

/// The table as it is named before a column.
pub(crate) fn table_name(table: Option<&'static Table>, alias: Option<&'static str>) -> Option<TableName> {
    match (alias, table) {
        (Some(alias), _) => Some(TableName(None, alias.into_iden())),
        (None, Some(table)) => {
            Some(TableName(table.schema.map(|schema| SchemaName(None, schema.into_iden())), table.name.into_iden()))
        }
        (None, None) => None,
    }
}

/// What a column of type `T` is compared with: a value of its type, another column, or any expression.
///
/// ```
/// use folio::{Column, ExprTrait, sea_query::Expr};
///
/// const SCORE: Column<Option<i32>> = Column::new("score");
/// const LIMIT: Column<Option<i32>> = Column::new("score_limit");
///
/// assert_ne!(SCORE.lt(10), SCORE.lt(LIMIT));
/// assert_ne!(SCORE.lt(Some(10)), SCORE.lt(Expr::val(5).add(5)));
/// ```
#[diagnostic::on_unimplemented(
    message = "a column of type `{T}` cannot be compared with `{Self}`",
    label = "write a value of type `{T}`, a column of it, or an `Expr`",
    note = "for the types of uuid, chrono, time, rust_decimal and bigdecimal enable the feature of that name of folio"
)]
pub trait Operand<T> {
    /// The right side of the comparison.
    fn into_operand(self) -> Expr;
}

impl<T: CursorValue> Operand<T> for T {
    fn into_operand(self) -> Expr {
        Expr::Value(self.into_value())
    }
}

impl<T: CursorValue> Operand<Option<T>> for T {
    fn into_operand(self) -> Expr {
        Expr::Value(self.into_value())
    }
}

impl<T> Operand<T> for Column<T> {
    fn into_operand(self) -> Expr {
        self.expr()
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
