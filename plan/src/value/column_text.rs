//! Texts that PostgreSQL compares in the type of their column.
//!
//! A text that is bound as `text` compares with a `citext` or `char(n)` column by the rules of `text`: it does not find
//! the row that it was read from, and no index of the column is used. So a text beside a model's column is bound
//! without a type, and the server takes that of the column. What a statement means then never depends on what is known
//! of the table.
//!
//! Such a value needs a form of its own, because the text of a statement names the types of its values. It is a list of
//! characters with one text in it, which nothing else makes.

use sea_query::{ArrayType, BinOper, Expr, Value};

use super::alone;

/// The value in this form, if it is a text.
pub fn of_column(value: Value) -> Value {
    match value {
        Value::String(text) => {
            Value::Array(ArrayType::Char, text.map(|text| Box::new(vec![Value::String(Some(text))])))
        }
        other => other,
    }
}

/// The text of a value in this form; `None` for any other value.
pub fn column_text(value: &Value) -> Option<Option<&str>> {
    match value {
        Value::Array(ArrayType::Char, None) => Some(None),
        Value::Array(ArrayType::Char, Some(values)) => match values.as_slice() {
            [Value::String(text)] => Some(text.as_deref()),
            _ => None,
        },
        _ => None,
    }
}

/// Gives this form to each text that a condition compares with a column of which `is_text` is true.
pub(crate) fn type_by_columns(condition: &mut Expr, is_text: &impl Fn(&Expr) -> bool) {
    match condition {
        Expr::Tuple(exprs) => exprs.iter_mut().for_each(|expr| type_by_columns(expr, is_text)),
        Expr::Unary(_, expr) => type_by_columns(expr, is_text),
        Expr::Binary(column, operator, values) if is_comparison(*operator) && is_text(alone(column)) => convert(values),
        Expr::Binary(value, operator, column) if is_comparison(*operator) && is_text(column) => convert(value),
        Expr::Binary(left, _, right) => [left, right].into_iter().for_each(|expr| type_by_columns(expr, is_text)),
        _ => {}
    }
}

/// Whether the server resolves an operator by the types of both sides.
fn is_comparison(operator: BinOper) -> bool {
    use BinOper::{
        Between, Equal, GreaterThan, GreaterThanOrEqual, In, NotBetween, NotEqual, NotIn, SmallerThan,
        SmallerThanOrEqual,
    };
    matches!(
        operator,
        Equal
            | NotEqual
            | SmallerThan
            | SmallerThanOrEqual
            | GreaterThan
            | GreaterThanOrEqual
            | In
            | NotIn
            | Between
            | NotBetween
    )
}

/// Converts the values of one side: one, those of a list, or both bounds of a range.
fn convert(values: &mut Expr) {
    match values {
        Expr::Value(value) => *value = of_column(std::mem::replace(value, Value::Bool(None))),
        Expr::Tuple(values) => values.iter_mut().for_each(convert),
        Expr::Binary(low, BinOper::And, high) => [low, high].into_iter().for_each(|bound| convert(bound)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use sea_query::ExprTrait as _;

    use super::*;

    #[test]
    fn only_texts_beside_a_text_column_get_its_type() {
        let is_text = |expr: &Expr| *expr == Expr::col("title");
        let typed = |mut condition: Expr| {
            type_by_columns(&mut condition, &is_text);
            format!("{condition:?}").matches("Char").count()
        };
        let title = || Expr::col("title");
        for (condition, expected) in [
            (title().eq("a"), 1),
            (Expr::val("a").ne(title()), 1),
            (title().between("a", "b").not(), 2),
            (title().is_in(["a", "b"]).or(title().gt("c")), 3),
            (Expr::tuple([title()]).is_in(["a", "b"]), 2),
            (title().eq(7), 0),
            (title().like("a%"), 0),
            (Expr::col("id").eq("a"), 0),
            (Expr::tuple([title(), Expr::col("id")]).is_in([Expr::tuple([Expr::val("a"), Expr::val(1)])]), 0),
        ] {
            assert_eq!(typed(condition.clone()), expected, "{condition:?}");
        }
        assert_eq!(column_text(&of_column("a".into())), Some(Some("a")));
        assert_eq!(column_text(&of_column(Value::String(None))), Some(None));
        assert_eq!(column_text(&Value::Array(ArrayType::Char, Some(Box::new(vec!['a'.into()])))), None);
        assert_eq!(of_column(7.into()), 7.into());
    }
}
