//! How the values of groups reach a statement: as one array or JSON document, or as a parameter each.
//!
//! The text of a statement does not depend on the number of values in a list. Parameters come in blocks of a few sizes,
//! filled up with NULL, which no row equals. So a server has few statements to prepare and to keep.

use std::fmt::Write as _;

use sea_query::{Expr, Func, FunctionCall, OptionEnum, Query, SelectStatement, UnionType, Value};

use crate::dialect::{Dialect, ListForm};
use crate::predicate::union_of;
use crate::schema::any_of;
use crate::schema::group::Groups;
use crate::value::{self, Variant};

/// The alias of the table of groups.
pub(super) const ALIAS: &str = "folio_groups";

/// The number of a group among the values, from 1 on.
pub(super) const NUMBER: &str = "folio_group";

/// The name of a group's value in the table of groups.
pub(super) fn group_name(at: usize) -> String {
    format!("folio_group_{at}")
}

/// How the values of groups are bound.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// An array for each column, on PostgreSQL.
    Arrays,
    /// A JSON document, on MySQL and MariaDB.
    Json(Vec<JsonType>),
    /// A parameter for each value of this many groups.
    Rows(usize),
}

/// How a column's values are written in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum JsonType {
    Signed,
    Unsigned,
    /// As hexadecimal digits.
    Uuid,
}

impl Source {
    /// How a database takes the values of these groups best.
    pub(crate) fn of(groups: &Groups, dialect: Dialect) -> Self {
        let source = match dialect.facts().lists {
            ListForm::Array => has_arrays(groups).then_some(Self::Arrays),
            ListForm::JsonTable => json_types(groups).map(Self::Json),
            ListForm::JsonIn => None,
        };
        source.unwrap_or_else(|| Self::rows(groups))
    }

    /// A parameter for each value.
    pub(crate) fn rows(groups: &Groups) -> Self {
        Self::Rows(block(groups.len()))
    }

    /// Whether it takes any number of groups in the same statement.
    pub(crate) fn is_list(&self) -> bool {
        !matches!(self, Self::Rows(_))
    }

    pub(super) fn is_json(&self) -> bool {
        matches!(self, Self::Json(_))
    }

    /// The values of the groups, as the statement binds them.
    pub(crate) fn values(&self, groups: &Groups) -> Vec<Value> {
        match self {
            Self::Arrays => arrays(groups).unwrap_or_default(),
            Self::Json(types) => vec![json(groups, types).into()],
            Self::Rows(count) => padded(groups, *count),
        }
    }

    /// The groups as a table. `values` are those of [`values`](Self::values), or placeholders for them.
    ///
    /// With `is_numbered` it has the column [`NUMBER`]. A JSON document always does.
    pub(super) fn select(&self, values: &[Value], width: usize, is_numbered: bool) -> SelectStatement {
        match self {
            Self::Arrays => unnested(values, is_numbered),
            Self::Json(types) => json_table(values, types),
            Self::Rows(_) => rows(values, width, is_numbered),
        }
    }

    /// A select from the [table](Self::table) of these groups.
    pub(super) fn numbered(&self, groups: &Groups) -> SelectStatement {
        Query::select().from_subquery(self.table(groups), ALIAS).take()
    }

    /// The table of these groups, which has the column [`NUMBER`].
    pub(super) fn table(&self, groups: &Groups) -> SelectStatement {
        self.select(&self.values(groups), groups.columns.len(), true)
    }

    /// The value of a group in the table, as a column is compared with it.
    pub(super) fn value(&self, at: usize) -> Expr {
        let value = Expr::col((ALIAS, group_name(at)));
        match self {
            Self::Json(types) if types.get(at) == Some(&JsonType::Uuid) => Func::cust("UNHEX").arg(value).into(),
            _ => value,
        }
    }
}

/// The size of the block for a number of groups. There are four sizes up to each power of two, so at most a fifth of a
/// block is padding. Up to 8, it is the number itself; above 4,096, a multiple of 1,024.
pub(super) fn block(count: usize) -> usize {
    const STEPS: usize = 4;
    const LARGEST_STEP: usize = 1_024;
    let power = count.checked_next_power_of_two().unwrap_or(count);
    let step = (power / 2 / STEPS).clamp(1, LARGEST_STEP);
    count.checked_next_multiple_of(step).unwrap_or(count)
}

/// The values of groups, followed by NULLs up to a number of groups.
fn padded(groups: &Groups, count: usize) -> Vec<Value> {
    let nulls: Vec<Value> = groups.iter().take(1).flatten().map(null_like).collect();
    let padding = std::iter::repeat_n(nulls.as_slice(), missing(groups, count));
    groups.iter().chain(padding).flatten().cloned().collect()
}

/// How many fewer groups there are than `count`.
pub(super) fn missing(groups: &Groups, count: usize) -> usize {
    count.saturating_sub(groups.len())
}

/// NULL of a value's type.
fn null_like(value: &Value) -> Value {
    match value {
        Value::Enum(OptionEnum::Some(value)) => Value::Enum(OptionEnum::None(value.type_name.clone())),
        #[cfg(feature = "postgres")]
        value if value::column_text(value).is_some() => value::of_column(Value::String(None)),
        value => value::variant(value).map_or_else(|| value.clone(), Variant::null),
    }
}

/// The values of each column as an array, if PostgreSQL has arrays for them.
fn arrays(groups: &Groups) -> Option<Vec<Value>> {
    (0..groups.columns.len()).map(|at| any_of::array(groups.of_column(at))).collect()
}

fn has_arrays(groups: &Groups) -> bool {
    (0..groups.columns.len()).all(|at| any_of::has_array(groups.of_column(at)))
}

/// The arrays as the columns of a table: `SELECT unnest(a), unnest(b)`.
fn unnested(arrays: &[Value], is_numbered: bool) -> SelectStatement {
    let mut select = Query::select();
    if let Some(first) = arrays.first().filter(|_| is_numbered) {
        select.expr_as(subscripts(first), NUMBER);
    }
    for (at, array) in arrays.iter().enumerate() {
        select.expr_as(Func::cust("unnest").arg(array.clone()), group_name(at));
    }
    select.take()
}

/// The numbers of an array's elements, from 1 on.
fn subscripts(array: &Value) -> FunctionCall {
    Func::cust("generate_subscripts").arg(array.clone()).arg(Expr::cust("1"))
}

/// The rows of parameters as a table.
fn rows(values: &[Value], width: usize, is_numbered: bool) -> SelectStatement {
    let row = |(at, values)| {
        let mut row = row(values);
        if is_numbered {
            row.expr_as(number(at), NUMBER);
        }
        row
    };
    union_of(values.chunks(width.max(1)).enumerate().map(row), UnionType::All)
}

/// The number of the group at a place, as part of the text.
pub(super) fn number(at: usize) -> Expr {
    Expr::cust(at.saturating_add(1).to_string())
}

fn row(values: &[Value]) -> SelectStatement {
    let mut row = Query::select();
    for (at, value) in values.iter().enumerate() {
        row.expr_as(value.clone(), group_name(at));
    }
    row.take()
}

/// The types of the columns in JSON, if it can hold their values.
fn json_types(groups: &Groups) -> Option<Vec<JsonType>> {
    groups.iter().next()?.iter().map(json_type).collect()
}

fn json_type(value: &Value) -> Option<JsonType> {
    match value::variant(value)? {
        Variant::TinyInt | Variant::SmallInt | Variant::Int | Variant::BigInt => Some(JsonType::Signed),
        Variant::TinyUnsigned | Variant::SmallUnsigned | Variant::Unsigned | Variant::BigUnsigned => {
            Some(JsonType::Unsigned)
        }
        Variant::Uuid => Some(JsonType::Uuid),
        _ => None,
    }
}

/// The groups as a JSON document: an array of the values of each.
fn json(groups: &Groups, types: &[JsonType]) -> String {
    let mut json = String::new();
    write_array(&mut json, groups.iter(), |json, values| {
        write_array(json, values.iter().zip(types), |json, (value, kind)| write_json(json, value, *kind));
    });
    json
}

/// The values of one column as a JSON array, if they are integers.
pub(super) fn json_of_integers(groups: &Groups) -> Option<String> {
    let is_integer = |value| json_type(value).is_some_and(|kind| kind != JsonType::Uuid);
    let values = groups.of_column(0);
    values.clone().all(is_integer).then(|| {
        let mut json = String::new();
        write_array(&mut json, values, |json, value| write_json(json, value, JsonType::Signed));
        json
    })
}

/// Appends a JSON array, whose items `write` appends.
fn write_array<T>(json: &mut String, items: impl Iterator<Item = T>, write: impl Fn(&mut String, T)) {
    json.push('[');
    for (at, item) in items.enumerate() {
        *json += if at == 0 { "" } else { "," };
        write(json, item);
    }
    json.push(']');
}

/// Appends a number, or the hexadecimal digits of a UUID. Both are the digits of its text in a cursor.
fn write_json(json: &mut String, value: &Value, kind: JsonType) {
    if let Some(integer) = value::integer(value) {
        // Writing to a string cannot fail. Almost all integers are an `i64`, which takes less time to write.
        let _ = match i64::try_from(integer) {
            Ok(integer) => write!(json, "{integer}"),
            Err(_) => write!(json, "{integer}"),
        };
    } else if kind == JsonType::Uuid {
        let mut text = Vec::new();
        // A UUID can be written.
        let _ = value::write(value, &mut text);
        *json += &String::from_utf8(text).unwrap_or_default().replace('-', "");
    }
}

fn json_table(document: &[Value], types: &[JsonType]) -> SelectStatement {
    let table = format!("?, '$[*]' COLUMNS ({}{NUMBER} FOR ORDINALITY)", json_columns(types));
    let table = Func::cust("JSON_TABLE").arg(Expr::cust_with_values(table, document.iter().cloned()));
    Query::select().column(sea_query::Asterisk).from_function(table, "folio_values").take()
}

/// The columns of the values, each followed by a comma.
fn json_columns(types: &[JsonType]) -> String {
    let column = |(at, kind): (usize, &JsonType)| format!("{} {} PATH '$[{at}]', ", group_name(at), kind.as_sql());
    types.iter().enumerate().map(column).collect()
}

impl JsonType {
    fn as_sql(self) -> &'static str {
        match self {
            Self::Signed => "BIGINT",
            Self::Unsigned => "BIGINT UNSIGNED",
            Self::Uuid => "CHAR(32)",
        }
    }
}

#[cfg(test)]
#[cfg(all(feature = "postgres", feature = "uuid"))]
mod tests;
