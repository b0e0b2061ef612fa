//! A select as text.
//!
//! sea-query writes the SQL, with three changes. Limits can be literals, and on SQLite a bound limit has a sign,
//! because servers and sqlx look up plans by the statement's text. And a caller's SQL text can take the place of a
//! select (see [`Writer`]).

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::ops::Range;

use sea_query::{
    Expr, MysqlQueryBuilder, PostgresQueryBuilder, QueryBuilder, SelectStatement, SqlWriter, SqlWriterValues,
    SqliteQueryBuilder, Value, Values,
};

use super::Dialect;
use crate::model::table::{Direction, Nulls, Table};
use crate::value;

/// An expression to sort by, its direction, and where its NULLs are, if it says so.
pub(crate) type SortBy<'a> = (&'a Expr, Direction, Option<Nulls>);

/// SQL text written by a caller. Marker values in a select say where it goes.
pub(crate) trait CallerText {
    /// The text that a marker represents, and which of the caller's values it binds; `None` if the value is not a
    /// marker.
    fn text(&self, value: &Value) -> Option<(&str, Range<usize>)>;

    /// The number of the last parameter that the text numbers; `None` if it numbers none.
    fn last_number(&self) -> Option<usize>;
}

/// A select as text, with the values of its parameters.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) sql: String,
    pub(crate) values: Values,
    /// For each copy of a caller's text: how many of the values come before it, and which of the caller's values it
    /// binds.
    pub(crate) copies: Vec<(usize, Range<usize>)>,
}

impl Dialect {
    /// The text of a select and the values of its parameters. Values for which `literal` returns a number are written
    /// into the text instead.
    pub(crate) fn render(self, select: &SelectStatement, literal: impl Fn(&Value) -> Option<u64>) -> (String, Values) {
        let Rendered { sql, values, .. } = self.render_all(select, literal, None);
        (sql, values)
    }

    /// The text of a select, with the caller's text in place of the markers.
    pub(crate) fn render_with_text(self, select: &SelectStatement, text: &dyn CallerText) -> Rendered {
        self.render_all(select, |_| None, Some(text))
    }

    fn render_all(
        self,
        select: &SelectStatement,
        literal: impl Fn(&Value) -> Option<u64>,
        text: Option<&dyn CallerText>,
    ) -> Rendered {
        let mut writer = Writer::new(self, literal, text);
        match self {
            Self::Sqlite => select.build_collect_into(SqliteQueryBuilder, &mut writer),
            Self::Postgres => select.build_collect_into(PostgresQueryBuilder, &mut writer),
            Self::MySql => select.build_collect_into(MysqlQueryBuilder, &mut writer),
        };
        writer.rendered
    }

    /// Conditions and an order as text, with the types of the values in them, and these values.
    pub(crate) fn render_conditions(self, conditions: &[Expr], orders: &[SortBy<'_>]) -> (String, Vec<Value>) {
        if conditions.is_empty() && orders.is_empty() {
            return Default::default();
        }
        let (sql, Values(values)) = self.render_conditions_untyped(conditions, orders);
        (self.with_types(sql, &values), values)
    }

    /// Same as [`render_conditions`](Self::render_conditions), without the types of the values.
    fn render_conditions_untyped(self, conditions: &[Expr], orders: &[SortBy<'_>]) -> (String, Values) {
        match self {
            Self::Sqlite => render_conditions_with(&SqliteQueryBuilder, conditions, orders),
            Self::Postgres => render_conditions_with(&PostgresQueryBuilder, conditions, orders),
            Self::MySql => render_conditions_with(&MysqlQueryBuilder, conditions, orders),
        }
    }

    /// An expression for a CREATE INDEX statement in a log message: with its values, and without its table's name.
    pub(super) fn index_expression(self, expr: &Expr, table: &Table) -> String {
        let sql = self.readable(&SelectStatement::new().expr(expr.clone()).take());
        let expr = sql.strip_prefix(SELECT).unwrap_or(&sql);
        let schema = self.schema_prefix(table);
        let table = format!("{}.", self.quote(table.name));
        expr.replace(&format!("{schema}{table}"), "").replace(&table, "")
    }

    /// A select with its values in the text.
    fn readable(self, select: &SelectStatement) -> String {
        match self {
            Self::Sqlite => select.to_string(SqliteQueryBuilder),
            Self::Postgres => select.to_string(PostgresQueryBuilder),
            Self::MySql => select.to_string(MysqlQueryBuilder),
        }
    }

    /// The text of a statement, followed by the types of its values if the database needs them.
    ///
    /// sqlx identifies a prepared statement by its text alone. PostgreSQL has prepared it for the types of the first
    /// values, and would misread the bytes of other types.
    pub(crate) fn with_types(self, sql: String, values: &[Value]) -> String {
        self.with_types_of(sql, Vec::new(), values)
    }

    /// Same as [`with_types`](Self::with_types), with the types of values that come before these.
    pub(crate) fn with_types_of<'a>(self, mut sql: String, types: Vec<Cow<'a, str>>, values: &[Value]) -> String {
        if self != Self::Postgres {
            return sql;
        }
        let mut names = types.into_iter().chain(values.iter().map(type_name));
        let Some(first) = names.next() else { return sql };
        sql.extend([" /* ", &first]);
        for name in names {
            sql.extend([", ", &name]);
        }
        sql + " */"
    }
}

/// A text that is different for each type of value.
fn type_name<'a>(value: &Value) -> Cow<'a, str> {
    match (value::variant(value), value) {
        (Some(variant), _) => variant.as_str().into(),
        #[cfg(feature = "postgres")]
        (None, Value::Array(element, _)) => format!("{element:?}[]").into(),
        (None, _) => format!("{:?}", std::mem::discriminant(value)).into(),
    }
}

/// See [`Dialect::render_conditions_untyped`].
fn render_conditions_with(builder: &impl QueryBuilder, conditions: &[Expr], orders: &[SortBy<'_>]) -> (String, Values) {
    let (placeholder, numbered) = builder.placeholder();
    let mut sql = SqlWriterValues::new(placeholder, numbered);
    for condition in conditions {
        builder.prepare_expr(condition, &mut sql);
    }
    for sort in orders {
        write_sort(builder, *sort, &mut sql);
    }
    sql.into_parts()
}

/// Writes an expression to sort by. Its direction and NULL position are written as folio names them, because the text
/// only has to differ between different orders.
fn write_sort(builder: &impl QueryBuilder, (expr, direction, nulls): SortBy<'_>, sql: &mut SqlWriterValues) {
    builder.prepare_expr(expr, sql);
    // Writing to a string cannot fail.
    let _ = write!(sql, " {direction:?} {nulls:?},");
}

/// Writes a select in the way that the database's planner needs.
struct Writer<'a, L> {
    rendered: Rendered,
    /// The number to write in place of a parameter.
    literal: L,
    dialect: Dialect,
    /// What a caller wrote.
    text: Option<&'a dyn CallerText>,
    /// Whether the next parameter is a limit.
    is_limit: bool,
    /// Whether SELECT is next, unless a caller's text is, which has its own.
    holds_select: bool,
}

/// What sea-query writes at the beginning of a select.
const SELECT: &str = "SELECT ";

impl<'a, L> Writer<'a, L> {
    fn new(dialect: Dialect, literal: L, text: Option<&'a dyn CallerText>) -> Self {
        let rendered = Rendered { sql: String::with_capacity(256), values: Values(Vec::new()), copies: Vec::new() };
        Self { rendered, literal, dialect, text, is_limit: false, holds_select: false }
    }

    /// Writes the caller's text in place of a select that consists of its marker. Returns whether the value is one.
    fn write_text(&mut self, value: &Value) -> bool {
        let Some((text, values)) = self.text.and_then(|text| text.text(value)) else { return false };
        self.holds_select = false;
        self.rendered.sql.push_str(text);
        self.rendered.copies.push((self.rendered.values.0.len(), values));
        true
    }

    /// Writes the SELECT that was held back.
    fn write_select(&mut self) {
        if std::mem::take(&mut self.holds_select) {
            self.rendered.sql.push_str(SELECT);
        }
    }

    /// Writes the placeholder of the next value. It has a number if the caller's text numbers its parameters, and on
    /// PostgreSQL always.
    fn write_placeholder(&mut self) {
        let last = self.text.and_then(CallerText::last_number);
        let number = self.rendered.values.0.len().saturating_add(last.unwrap_or(0));
        let sql = &mut self.rendered.sql;
        // Writing to a string cannot fail.
        let _ = match (self.dialect, last) {
            (Dialect::Postgres, _) => write!(sql, "${number}"),
            (Dialect::Sqlite, Some(_)) => write!(sql, "?{number}"),
            _ => sql.write_char('?'),
        };
    }

    /// Binds a value, and writes its placeholder.
    fn bind(&mut self, value: Value) {
        // SQLite plans for a bare limit, and so prepares the statement again each time one is bound.
        if self.is_limit && self.dialect == Dialect::Sqlite {
            self.rendered.sql.push('+');
        }
        self.is_limit = false;
        self.rendered.values.0.push(value);
        self.write_placeholder();
    }
}

impl<L: Fn(&Value) -> Option<u64>> SqlWriter for Writer<'_, L> {
    fn push_param<Q: QueryBuilder>(&mut self, value: Value, _builder: &Q) {
        if self.write_text(&value) {
            return;
        }
        self.write_select();
        match (self.literal)(&value) {
            Some(number) => self.rendered.sql.push_str(&number.to_string()),
            None => self.bind(value),
        }
    }

    fn as_writer(&mut self) -> &mut dyn Write {
        self
    }
}

impl<L> Write for Writer<'_, L> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write_select();
        self.is_limit = text == " LIMIT ";
        if text == SELECT && self.text.is_some() {
            self.holds_select = true;
            return Ok(());
        }
        self.rendered.sql.write_str(text)
    }
}

impl<L> fmt::Display for Writer<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rendered.sql)
    }
}
