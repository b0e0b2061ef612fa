//! `any_of`: a list of values, which PostgreSQL takes as one bound array.
//!
//! A filter is written before its database is known. So `any_of` writes `(column) IN (values)`, which every database
//! understands, and which nothing else writes: the parentheses mark it. [`with_arrays`] turns it into `= ANY(array)`.

use sea_query::{Expr, ExprTrait as _};

use crate::model::column::{Column, Operand};

impl<T> Column<T> {
    /// Whether the column has one of these values. Without values, no row matches.
    ///
    /// In a filter of a model's query on PostgreSQL, a list of integers, texts or UUIDs is bound as one array,
    /// `column = ANY($1)`: the SQL text and the server's plan are the same for any number of values, and there may be
    /// more than 65,535. Everywhere else it is [`is_in`](Self::is_in).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().filter(Post::ID.any_of([1, 3, 9])).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [1, 3]);
    /// assert!(Post::query().filter(Post::ID.any_of::<i64>([])).paginate(15).await?.is_empty());
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn any_of<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> Expr {
        Expr::tuple([self.expr()]).is_in(values.into_iter().map(Operand::into_operand))
    }
}

/// The condition with the lists of `any_of` as arrays, for a database that has them.
#[cfg(feature = "postgres")]
pub(crate) fn with_arrays(condition: Expr) -> Expr {
    let inside = |expr: Box<Expr>| Box::new(with_arrays(*expr));
    match condition {
        Expr::Tuple(exprs) => Expr::Tuple(exprs.into_iter().map(with_arrays).collect()),
        Expr::Unary(operator, expr) => Expr::Unary(operator, inside(expr)),
        Expr::Binary(left, operator, right) => match as_array(&left, operator, &right) {
            Some(condition) => condition,
            None => Expr::Binary(inside(left), operator, inside(right)),
        },
        other => other,
    }
}

/// `column = ANY(array)` for what [`Column::any_of`] writes, if an array can hold the values.
#[cfg(feature = "postgres")]
fn as_array(left: &Expr, operator: sea_query::BinOper, right: &Expr) -> Option<Expr> {
    use sea_query::extension::postgres::PgFunc;
    use sea_query::{ArrayType, BinOper, Value};

    let (Expr::Tuple(column), BinOper::In, Expr::Tuple(values)) = (left, operator, right) else { return None };
    let ([column], Some(Expr::Value(first))) = (column.as_slice(), values.first()) else { return None };
    let element = first.array_type();
    let is_element = |value: &Value| value.array_type() == element && !crate::value::is_null(value);
    let value = |expr: &Expr| match expr {
        Expr::Value(value) if is_element(value) => Some(value.clone()),
        _ => None,
    };
    let values: Vec<Value> = values.iter().map(value).collect::<Option<_>>()?;
    let is_bound_alike = match element {
        ArrayType::SmallInt | ArrayType::Int | ArrayType::BigInt => true,
        ArrayType::String => matches!(first, Value::String(_)),
        #[cfg(feature = "uuid")]
        ArrayType::Uuid => true,
        _ => false,
    };
    is_bound_alike.then(|| column.clone().eq(PgFunc::any(Expr::Value(Value::Array(element, Some(Box::new(values)))))))
}
