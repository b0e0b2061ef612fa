//! How the values of groups reach a statement: as one array or JSON document, or as a parameter each.
//!
//! The text of a statement does not depend on the number of values in a list. Parameters come in blocks of a few sizes,
//! filled up with NULL, which no row equals. So a server has few statements to prepare and to keep.

use std::fmt::Write as _;

use sea_query::{Expr, OptionEnum, Value};

use crate::dialect::{Dialect, ListForm, Param, Sql};
use crate::predicate::{Union, union_of};
use crate::schema::arrays;
use crate::schema::group::Groups;
use crate::statement::select::Select;
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
pub enum Source {
    /// An array for each column, on PostgreSQL.
    Arrays,
    /// A JSON document, on MySQL and MariaDB.
    Json(Vec<JsonType>),
    /// A parameter for each value of this many groups.
    Rows(usize),
}

/// How a column's values are written in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JsonType {
    Signed,
    Unsigned,
    /// As hexadecimal digits.
    Uuid,
}

impl Source {
    /// How a database takes the values of these groups best.
    pub fn of(groups: &Groups, dialect: Dialect) -> Self {
        let source = match dialect.facts().lists {
            ListForm::Array => {
                let mut columns = 0..groups.columns.len();
                columns.all(|at| arrays::has_array(groups.of_column(at))).then_some(Self::Arrays)
            }
            // If JSON can hold the values.
            ListForm::JsonTable => {
                let first = groups.iter().next();
                first.and_then(|values| values.iter().map(json_type).collect()).map(Self::Json)
            }
            ListForm::JsonIn => None,
        };
        source.unwrap_or_else(|| Self::rows(groups))
    }

    /// A parameter for each value.
    pub fn rows(groups: &Groups) -> Self {
        Self::Rows(block(groups.len()))
    }

    /// Whether it takes any number of groups in the same statement.
    pub fn is_list(&self) -> bool {
        !matches!(self, Self::Rows(_))
    }

    /// The values of the groups, as the statement binds them.
    pub fn values(&self, groups: &Groups) -> Vec<Value> {
        match self {
            Self::Arrays => {
                let arrays = (0..groups.columns.len()).map(|at| arrays::array(groups.of_column(at)));
                arrays.collect::<Option<_>>().unwrap_or_default()
            }
            Self::Json(types) => vec![json(groups, types).into()],
            Self::Rows(count) => padded(groups, *count),
        }
    }

    /// These groups as a table. With `is_numbered` it has the column [`NUMBER`]. A JSON document always does.
    pub(super) fn select(&self, dialect: Dialect, groups: &Groups, is_numbered: bool) -> Select {
        let select = Select::new(dialect);
        let width = groups.columns.len().max(1);
        match self {
            Self::Arrays => {
                let subscripts = |sql: Sql| sql.push("generate_subscripts(").param(Param::Group(0)).push(", 1)");
                let select = if is_numbered { select.column_as(subscripts, NUMBER) } else { select };
                (0..width).fold(select, |select, at| {
                    select.column_as(|sql| sql.push("unnest(").param(Param::Group(at)).push(")"), &group_name(at))
                })
            }
            Self::Json(types) => {
                let columns = format!(", '$[*]' COLUMNS ({}{NUMBER} FOR ORDINALITY)) AS ", json_columns(types));
                let table = Sql::new(dialect).push("JSON_TABLE(").param(Param::Group(0)).push(&columns);
                Select::from(table.name("folio_values")).column(|sql| sql.push("*"))
            }
            Self::Rows(count) => {
                let values = padded(groups, *count);
                let rows = values.chunks(width).enumerate().map(|(number, values)| {
                    let first = number.saturating_mul(width);
                    let row = values.iter().enumerate().fold(Select::new(dialect), |row, (at, value)| {
                        let value = value_of(dialect, first.saturating_add(at), value);
                        row.column_as(|sql| sql.append(&value), &group_name(at))
                    });
                    if is_numbered { row.column_as(|sql| sql.push(&number_text(number)), NUMBER) } else { row }
                });
                union_of(dialect, rows, Union::All)
            }
        }
    }

    /// A select from the table of these groups, which has the column [`NUMBER`].
    pub(super) fn numbered(&self, dialect: Dialect, groups: &Groups) -> Select {
        Select::from_derived(&self.select(dialect, groups, true).sql(), ALIAS)
    }

    /// The value of a group in the table, as a column is compared with it.
    pub(super) fn value(&self, dialect: Dialect, at: usize) -> Sql {
        let value = |sql: Sql| sql.column(ALIAS, &group_name(at));
        match self {
            Self::Json(types) if types.get(at) == Some(&JsonType::Uuid) => {
                value(Sql::new(dialect).push("UNHEX(")).push(")")
            }
            _ => value(Sql::new(dialect)),
        }
    }
}

/// A value of the groups, by its place among all of them. The text of an enum's value names its type.
pub(super) fn value_of(dialect: Dialect, at: usize, value: &Value) -> Sql {
    match value {
        Value::Enum(_) => Sql::of(dialect, &Expr::Value(value.clone())),
        _ => Sql::new(dialect).param(Param::Group(at)),
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

/// The number of the group at a place, as part of the text.
pub(super) fn number_text(at: usize) -> String {
    at.saturating_add(1).to_string()
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

/// The columns of the values, each followed by a comma.
fn json_columns(types: &[JsonType]) -> String {
    let column = |(at, kind): (usize, &JsonType)| {
        let kind = match kind {
            JsonType::Signed => "BIGINT",
            JsonType::Unsigned => "BIGINT UNSIGNED",
            JsonType::Uuid => "CHAR(32)",
        };
        format!("{} {kind} PATH '$[{at}]', ", group_name(at))
    };
    types.iter().enumerate().map(column).collect()
}

#[cfg(test)]
#[cfg(all(feature = "postgres", feature = "uuid"))]
mod tests;
