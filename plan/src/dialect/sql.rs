//! SQL text, and where the value of each of its parameters comes from.
//!
//! folio's statements are pushed as text. Conditions, expressions and selects of callers are sea-query's, and become
//! text here, once. A placeholder is written when the text is finished, because PostgreSQL numbers them.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::mem::{self, Discriminant};
use std::ops::Range;

#[cfg(feature = "postgres")]
use sea_query::ArrayType;
use sea_query::{DatabaseName, Expr, QueryBuilder, SchemaName, SelectStatement, SqlWriter, TableName, Value};

use super::{Dialect, ParameterForm};
use crate::schema::table::Table;
use crate::value;

/// Where the value of a parameter comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Param {
    /// A value of the query's filters, by its number.
    Filter(usize),
    /// The boundary's value of the order's column at this place.
    Boundary(usize),
    /// A value of a feed's groups.
    Group(usize),
    /// The upper bound's value of the order's column at this place.
    UpperBound(usize),
    /// The page's limit.
    Limit,
    /// The page's offset.
    Offset,
    /// Where a count ends.
    CountLimit,
    /// A value of SQL text that a caller wrote, by its number.
    Caller(usize),
    Constant(Value),
}

/// The place of a parameter in a text.
#[derive(Debug, Clone)]
struct Slot {
    at: usize,
    param: Param,
    /// Whether a unary plus precedes it, so that SQLite does not plan for its value: see [`Sql::signed`].
    is_signed: bool,
}

/// A place between two pieces of a text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mark {
    text: usize,
    slots: usize,
}

impl Mark {
    /// How many parameters come before it.
    pub(crate) fn params(self) -> usize {
        self.slots
    }
}

/// SQL text with parameters.
#[derive(Debug, Clone)]
pub struct Sql {
    dialect: Dialect,
    /// The text without placeholders.
    text: String,
    slots: Vec<Slot>,
    /// How often it contains a caller's SQL text.
    pub copies: usize,
    /// Whether it selects all columns of a table, so that a migration may change them while the text stays the same.
    pub selects_star: bool,
    /// Whether it finds keys first, and then the rows that have them.
    pub finds_keys_first: bool,
}

/// Runs an expression with sea-query's builder of a dialect.
///
/// The compiler generates sea-query's code for writing SQL for each of its builders, so a build only has those of the
/// databases that are enabled. A dialect comes from a driver.
macro_rules! with_builder {
    ($dialect:expr, |$builder:ident| $run:expr) => {
        match $dialect {
            #[cfg(any(feature = "sqlite", test, fuzzing))]
            Dialect::Sqlite => {
                let $builder = sea_query::SqliteQueryBuilder;
                $run;
            }
            #[cfg(any(feature = "postgres", test, fuzzing))]
            Dialect::Postgres | Dialect::PlainPostgres => {
                let $builder = sea_query::PostgresQueryBuilder;
                $run;
            }
            #[cfg(any(feature = "mysql", test, fuzzing))]
            Dialect::MySql | Dialect::PlainMySql => {
                let $builder = sea_query::MysqlQueryBuilder;
                $run;
            }
            #[cfg(not(any(all(feature = "sqlite", feature = "postgres", feature = "mysql"), test, fuzzing)))]
            dialect => unreachable!("no driver of {dialect:?} is enabled"),
        }
    };
}

impl Sql {
    pub const fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            text: String::new(),
            slots: Vec::new(),
            copies: 0,
            selects_star: false,
            finds_keys_first: false,
        }
    }

    /// The text of an expression, whose values are constants.
    pub fn of(dialect: Dialect, expr: &Expr) -> Self {
        Self::new(dialect).expr(expr)
    }

    /// The text of a select of sea-query, whose values are constants.
    pub fn of_select(dialect: Dialect, select: &SelectStatement) -> Self {
        let mut sql = Self::new(dialect);
        with_builder!(dialect, |builder| select.build_collect_into(builder, &mut sql));
        sql
    }

    /// The same text, which contains a caller's SQL text once.
    pub(crate) fn with_copy(self) -> Self {
        Self { copies: 1, ..self }
    }

    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.slots.is_empty()
    }

    pub fn push(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }

    /// A name in quotes.
    pub fn name(self, name: &str) -> Self {
        let quoted = self.dialect.quote(name);
        self.push(&quoted)
    }

    /// A column, with the table or alias that it belongs to.
    pub fn column(self, table: &str, column: &str) -> Self {
        self.name(table).push(".").name(column)
    }

    /// All columns of a table.
    pub(crate) fn star(self, table: &Table) -> Self {
        Self { selects_star: true, ..self.name(table.name).push(".*") }
    }

    /// A table, with its schema. Only [`FilteredRows`](crate::statement::filtered::FilteredRows) reads from one, because
    /// it knows at which moment.
    pub(crate) fn table(self, table: &Table) -> Self {
        let schema = self.dialect.schema_prefix(table);
        self.push(&schema).name(table.name)
    }

    /// A table of sea-query, with its database and schema.
    pub(crate) fn table_name(self, TableName(schema, table): &TableName) -> Self {
        let database = schema.as_ref().and_then(|SchemaName(database, _)| database.as_ref());
        let schema = schema.as_ref().map(|SchemaName(_, schema)| schema);
        let qualifiers = database.map(|DatabaseName(database)| database).into_iter().chain(schema);
        let sql = qualifiers.fold(self, |sql, name| sql.name(&name.inner()).push("."));
        sql.name(&table.inner())
    }

    pub fn param(mut self, param: Param) -> Self {
        self.slots.push(Slot { at: self.text.len(), param, is_signed: false });
        self
    }

    pub fn constant(self, value: impl Into<Value>) -> Self {
        self.param(Param::Constant(value.into()))
    }

    /// An expression of sea-query, whose values are constants.
    pub fn expr(mut self, expr: &Expr) -> Self {
        with_builder!(self.dialect, |builder| builder.prepare_expr(expr, &mut self));
        self
    }

    pub fn append(mut self, other: &Self) -> Self {
        let start = self.text.len();
        self.text.push_str(&other.text);
        let slots = other.slots.iter().cloned();
        self.slots.extend(slots.map(|slot| Slot { at: slot.at.saturating_add(start), ..slot }));
        self.copies = self.copies.saturating_add(other.copies);
        self.selects_star |= other.selects_star;
        self.finds_keys_first |= other.finds_keys_first;
        self
    }

    /// A text in parentheses.
    pub fn enclosed(self, inner: &Self) -> Self {
        self.push("(").append(inner).push(")")
    }

    /// Texts with a separator between them.
    pub fn joined(self, texts: impl IntoIterator<Item = Self>, separator: &str) -> Self {
        let (mut sql, mut is_first) = (self, true);
        for text in texts {
            sql = if is_first { sql } else { sql.push(separator) }.append(&text);
            is_first = false;
        }
        sql
    }

    /// The same text, with a unary plus before each parameter on SQLite.
    ///
    /// If a table has been analyzed, SQLite plans for the bound value of a bare comparison, so it plans the statement
    /// again whenever one is bound. After a unary plus it does not, and a generic plan serves every value. The caller's
    /// filters stay bare unless a generic plan is right for all of their values: for a rare one, SQLite may find a
    /// better index.
    pub(crate) fn signed(mut self) -> Self {
        if self.dialect.facts().plans_for_bare_values {
            self.slots.iter_mut().for_each(|slot| slot.is_signed = true);
        }
        self
    }

    /// The same text, with a unary plus before each parameter that is compared, on SQLite.
    ///
    /// SQLite may read a bare comparison with `'open'` along an index `WHERE state = 'open'`. If the index was created
    /// after the statement was prepared, SQLite up to 3.51 keeps that plan for every other value, and finds no rows.
    pub(crate) fn with_signed_comparisons(mut self) -> Self {
        if self.dialect.facts().plans_for_bare_values {
            for slot in &mut self.slots {
                let before = self.text.get(..slot.at).unwrap_or_default().trim_end();
                let word = before.rsplit([' ', '(']).next().unwrap_or_default();
                slot.is_signed |= before.ends_with(['=', '<', '>']) || ["IS", "NOT", "BETWEEN", "AND"].contains(&word);
            }
        }
        self
    }

    /// The same text, with other sources of its values.
    pub(crate) fn with_params(mut self, mut replace: impl FnMut(Param) -> Param) -> Self {
        for slot in &mut self.slots {
            let param = mem::replace(&mut slot.param, Param::Limit);
            slot.param = replace(param);
        }
        self
    }

    /// The text without placeholders, the shape of its constants, and these constants.
    pub(crate) fn into_parts(self) -> (String, Vec<ConstantShape>, Vec<Value>) {
        let (mut shapes, mut values) = (Vec::new(), Vec::new());
        for Slot { at, param, is_signed } in self.slots {
            if let Param::Constant(value) = param {
                shapes.push(ConstantShape { at, is_signed, kind: ValueType::of(&value) });
                values.push(value);
            }
        }
        (self.text, shapes, values)
    }

    pub fn params(&self) -> impl ExactSizeIterator<Item = &Param> {
        self.slots.iter().map(|slot| &slot.param)
    }

    /// Whether a word is in the text, in upper or lower case.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        let is_end = |char: char| !char.is_alphanumeric() && char != '_';
        self.text.split(is_end).any(|other| !other.is_empty() && other.eq_ignore_ascii_case(word))
    }

    #[cfg(test)]
    pub fn contains(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    /// The value of the last parameter after this keyword.
    pub(crate) fn last_after(&self, keyword: &str) -> Option<&Param> {
        let is_after = |slot: &&Slot| {
            let before = self.text.get(..slot.at).unwrap_or_default();
            before.trim_end_matches('+').ends_with(keyword)
        };
        self.slots.iter().rfind(is_after).map(|slot| &slot.param)
    }

    /// The finished text, with the placeholders in their order.
    pub fn text(&self) -> String {
        self.written(false, true, |at, _| at.saturating_add(1))
    }

    /// The text without the unary plus before parameters, which does not change what a condition matches.
    pub(crate) fn unsigned_text(&self) -> String {
        self.written(false, false, |at, _| at.saturating_add(1))
    }

    /// The text with placeholders that have these numbers on PostgreSQL and, if `is_numbered`, on SQLite.
    pub fn numbered(&self, is_numbered: bool, number: impl FnMut(usize, &Param) -> usize) -> String {
        self.written(is_numbered, true, number)
    }

    fn written(&self, is_numbered: bool, is_signed: bool, mut number: impl FnMut(usize, &Param) -> usize) -> String {
        let size = self.text.len().saturating_add(self.slots.len().saturating_mul(4));
        let (mut sql, mut end) = (String::with_capacity(size), 0);
        for (at, slot) in self.slots.iter().enumerate() {
            sql.push_str(self.text.get(end..slot.at).unwrap_or_default());
            if slot.is_signed && is_signed {
                sql.push_str("+ ");
            }
            let number = number(at, &slot.param);
            // Writing to a string cannot fail.
            let _ = match self.dialect.facts().parameters {
                ParameterForm::Dollar => write!(sql, "${number}"),
                ParameterForm::Question if is_numbered => write!(sql, "?{number}"),
                ParameterForm::Question | ParameterForm::Positional => sql.write_char('?'),
            };
            end = slot.at;
        }
        sql + self.text.get(end..).unwrap_or_default()
    }

    /// Where the text ends now.
    pub fn mark(&self) -> Mark {
        Mark { text: self.text.len(), slots: self.slots.len() }
    }

    /// The text that was pushed between two marks.
    pub fn between(&self, start: Mark, end: Mark) -> Self {
        let text = self.text.get(start.text..end.text).unwrap_or_default().to_owned();
        let slots = self.slots.get(start.slots..end.slots).unwrap_or_default().iter().cloned();
        let moved = slots.map(|slot| Slot { at: slot.at.saturating_sub(start.text), ..slot }).collect();
        Self { text, slots: moved, ..Self::new(self.dialect) }
    }

    /// A part of the text. `range` is its place in the [finished text](Self::text).
    pub fn part(&self, range: Range<usize>) -> Self {
        let (mut start, mut end, mut slots) = (range.start, range.end, Vec::new());
        let mut before = 0_usize;
        for (at, slot) in self.slots.iter().enumerate() {
            // Where the placeholder is in the finished text, and how long it is.
            let place = slot.at.saturating_add(before);
            let length = match self.dialect.facts().parameters {
                ParameterForm::Dollar => at.saturating_add(1).to_string().len().saturating_add(1),
                ParameterForm::Question | ParameterForm::Positional => 1,
            };
            if place < range.start {
                start = start.saturating_sub(length);
            }
            if place < range.end {
                end = end.saturating_sub(length);
            }
            if range.contains(&place) {
                slots.push(slot.clone());
            }
            before = before.saturating_add(length);
        }
        for slot in &mut slots {
            slot.at = slot.at.saturating_sub(start);
        }
        let text = self.text.get(start..end).unwrap_or_default().to_owned();
        Self { text, slots, ..Self::new(self.dialect) }
    }
}

impl SqlWriter for Sql {
    fn push_param<Q: QueryBuilder>(&mut self, value: Value, _: &Q) {
        if self.dialect.facts().plans_for_bare_values && self.text.ends_with(" LIMIT ") {
            self.text.push('+');
        }
        self.slots.push(Slot { at: self.text.len(), param: Param::Constant(value), is_signed: false });
    }

    fn as_writer(&mut self) -> &mut dyn Write {
        self
    }
}

impl Write for Sql {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.write_str(text)
    }
}

impl fmt::Display for Sql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Dialect {
    /// An expression for a CREATE INDEX statement in a log message: with its values, and without its table's name.
    pub(super) fn index_expression(self, expr: &Expr, table: &Table) -> String {
        let mut sql = String::new();
        with_builder!(self, |builder| builder.prepare_expr(expr, &mut sql));
        let schema = self.schema_prefix(table);
        let table = format!("{}.", self.quote(table.name));
        sql.replace(&format!("{schema}{table}"), "").replace(&table, "")
    }

    /// The text of a statement, followed by the types of its values if the database needs them.
    ///
    /// sqlx identifies a prepared statement by its text alone. PostgreSQL has prepared it for the types of the first
    /// values, and would misread the bytes of other types.
    pub(crate) fn with_types<'a>(self, mut sql: String, types: impl IntoIterator<Item = Cow<'a, str>>) -> String {
        if !self.facts().prepares_for_types {
            return sql;
        }
        let mut before = " /* ";
        for name in types {
            sql.extend([before, &name]);
            before = ", ";
        }
        if before == ", " { sql + " */" } else { sql }
    }
}

/// What a text depends on of one of its constants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ConstantShape {
    /// Its place in the text.
    at: usize,
    is_signed: bool,
    kind: ValueType,
}

/// The type of a value: two values have the same one if they have the same [name](type_name).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ValueType {
    value: Discriminant<Value>,
    #[cfg(feature = "postgres")]
    element: Option<ArrayType>,
}

impl ValueType {
    fn of(value: &Value) -> Self {
        Self {
            value: mem::discriminant(value),
            #[cfg(feature = "postgres")]
            element: if let Value::Array(element, _) = value { Some(element.clone()) } else { None },
        }
    }
}

/// A text that is different for each type of value.
pub fn type_name<'a>(value: &Value) -> Cow<'a, str> {
    match (value::variant(value), value) {
        (Some(variant), _) => variant.as_str().into(),
        #[cfg(feature = "postgres")]
        (None, Value::Array(element, _)) => format!("{element:?}[]").into(),
        (None, _) => format!("{:?}", mem::discriminant(value)).into(),
    }
}

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_the_parameters_between_its_ends() {
        for dialect in [Dialect::Sqlite, Dialect::Postgres, Dialect::MySql] {
            let number = |sql: Sql, number: i32| sql.constant(number);
            let whole = number(number(Sql::new(dialect).push("a = "), 1).push(" AND b = "), 2).push(" ORDER BY c");
            let text = whole.text();
            let at = |word: &str| text.find(word).expect("the text has the word");
            let values = |part: &Sql| part.params().cloned().collect::<Vec<_>>();
            let [one, two] = [1, 2].map(|value| Param::Constant(value.into()));
            let first = whole.part(0..at(" AND"));
            assert_eq!((&*first.text, values(&first)), ("a = ", vec![one.clone()]));
            let second = whole.part(at("b")..at(" ORDER"));
            assert_eq!((&*second.text, values(&second)), ("b = ", vec![two.clone()]));
            let order = whole.part(at(" ORDER")..text.len());
            assert_eq!((&*order.text, values(&order)), (" ORDER BY c", Vec::new()));
            let both = whole.part(0..at(" ORDER")).append(&order);
            assert_eq!((both.text(), values(&both)), (text.clone(), vec![one, two]));
        }
    }

    #[test]
    fn a_text_selects_all_columns_if_a_part_of_it_does() {
        static POSTS: Table = Table::new("posts", &[], &[], &[]);
        for dialect in [Dialect::Sqlite, Dialect::Postgres, Dialect::MySql] {
            let new = || Sql::new(dialect);
            let star = new().push("SELECT ").star(&POSTS).push(" FROM ").table(&POSTS);
            let union = new().joined([new().push("SELECT 1"), star.clone()], " UNION ALL ");
            let derived = new().push("SELECT * FROM ").enclosed(&union);
            assert!([&star, &union, &derived].iter().all(|sql| sql.selects_star), "{derived}");
            assert!(!new().push("SELECT * FROM ").enclosed(&new().push("SELECT 1")).selects_star);
        }
    }

    #[test]
    fn parameters_are_numbered_in_the_order_of_the_text() {
        let page = |dialect| {
            let filter = Sql::new(dialect).push("a = ").param(Param::Filter(0)).signed();
            let both = Sql::new(dialect).append(&filter).push(" OR ").append(&filter);
            (both.text(), both.unsigned_text())
        };
        assert_eq!(page(Dialect::Sqlite), ("a = + ? OR a = + ?".to_owned(), "a = ? OR a = ?".to_owned()));
        assert_eq!(page(Dialect::Postgres), ("a = $1 OR a = $2".to_owned(), "a = $1 OR a = $2".to_owned()));
        assert_eq!(page(Dialect::MySql).0, "a = ? OR a = ?");
    }
}
