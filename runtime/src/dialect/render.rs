//! Selects, conditions and expressions as SQL text.
//!
//! sea-query writes the SQL, with three changes. Limits can be literals, and on SQLite a bound limit has a sign,
//! because servers and sqlx look up plans by the statement's text. And a caller's SQL text can take the place of a
//! select (see [`Writer`]).

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::ops::Range;

use sea_query::{Expr, QueryBuilder, SelectStatement, SqlWriter, Value, Values};

use super::{Dialect, ParameterForm};
use crate::schema::table::{Direction, Nulls, Table};
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
            Dialect::Postgres => {
                let $builder = sea_query::PostgresQueryBuilder;
                $run;
            }
            #[cfg(any(feature = "mysql", test, fuzzing))]
            Dialect::MySql => {
                let $builder = sea_query::MysqlQueryBuilder;
                $run;
            }
            #[cfg(not(any(all(feature = "sqlite", feature = "postgres", feature = "mysql"), test, fuzzing)))]
            dialect => unreachable!("no driver of {dialect:?} is enabled"),
        }
    };
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
    pub(crate) fn render(self, select: &SelectStatement, literal: &dyn Fn(&Value) -> Option<u64>) -> (String, Values) {
        let Rendered { sql, values, .. } = self.render_all(select, Parameters::Bound { literal, text: None });
        (sql, values)
    }

    /// The same for a select with more values than a statement may have: those that are equal share a parameter, where the
    /// database numbers them. A filter's list is in some statements more than once.
    pub(crate) fn render_shared(self, select: &SelectStatement) -> (String, Values) {
        let mut writer = Writer::new(self, Parameters::BOUND);
        writer.shared = (self.facts().parameters != ParameterForm::Positional).then(HashMap::new);
        let rendered = self.render_with(select, writer);
        (rendered.sql, rendered.values)
    }

    /// The text of a select, with the caller's text in place of the markers.
    pub(crate) fn render_with_text(self, select: &SelectStatement, text: &dyn CallerText) -> Rendered {
        self.render_all(select, Parameters::Bound { literal: &|_| None, text: Some(text) })
    }

    fn render_all(self, select: &SelectStatement, parameters: Parameters<'_>) -> Rendered {
        self.render_with(select, Writer::new(self, parameters))
    }

    fn render_with(self, select: &SelectStatement, mut writer: Writer<'_>) -> Rendered {
        with_builder!(self, |builder| select.build_collect_into(builder, &mut writer));
        writer.rendered
    }

    /// Conditions and an order as text, with the types of the values in them, and these values.
    pub(crate) fn render_conditions(self, conditions: &[Expr], orders: &[SortBy<'_>]) -> (String, Vec<Value>) {
        if conditions.is_empty() && orders.is_empty() {
            return Default::default();
        }
        let mut writer = Writer::new(self, Parameters::BOUND);
        conditions.iter().for_each(|condition| writer.write_expr(condition));
        orders.iter().for_each(|sort| writer.write_sort(*sort));
        let Rendered { sql, values: Values(values), .. } = writer.rendered;
        (self.with_types(sql, &values), values)
    }

    /// An expression for a CREATE INDEX statement in a log message: with its values, and without its table's name.
    pub(super) fn index_expression(self, expr: &Expr, table: &Table) -> String {
        let mut writer = Writer::new(self, Parameters::InText);
        writer.write_expr(expr);
        let schema = self.schema_prefix(table);
        let table = format!("{}.", self.quote(table.name));
        writer.rendered.sql.replace(&format!("{schema}{table}"), "").replace(&table, "")
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
        if !self.facts().prepares_for_types {
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

/// How the values of a statement are written.
#[derive(Clone, Copy)]
enum Parameters<'a> {
    /// As parameters, with two exceptions: a number that `literal` returns is written into the text, and a marker is
    /// replaced with the caller's text.
    Bound { literal: &'a dyn Fn(&Value) -> Option<u64>, text: Option<&'a dyn CallerText> },
    /// In the text, for log messages.
    InText,
}

impl<'a> Parameters<'a> {
    /// All values as parameters.
    const BOUND: Self = Self::Bound { literal: &|_| None, text: None };

    fn text(self) -> Option<&'a dyn CallerText> {
        match self {
            Self::Bound { text, .. } => text,
            Self::InText => None,
        }
    }
}

/// Writes a statement in the way that the database's planner needs.
///
/// It is not generic, because the compiler would generate sea-query's code for writing SQL again for each type of writer.
struct Writer<'a> {
    rendered: Rendered,
    dialect: Dialect,
    parameters: Parameters<'a>,
    is_limit: bool,
    /// Whether SELECT is next, unless a caller's text is, which has its own.
    holds_select: bool,
    /// The numbers of the values that were bound, if equal ones share a parameter.
    shared: Option<HashMap<String, usize>>,
}

/// What sea-query writes at the beginning of a select.
const SELECT: &str = "SELECT ";

impl<'a> Writer<'a> {
    fn new(dialect: Dialect, parameters: Parameters<'a>) -> Self {
        let rendered = Rendered { sql: String::with_capacity(256), values: Values(Vec::new()), copies: Vec::new() };
        Self { rendered, dialect, parameters, is_limit: false, holds_select: false, shared: None }
    }

    fn write_expr(&mut self, expr: &Expr) {
        with_builder!(self.dialect, |builder| builder.prepare_expr(expr, self));
    }

    /// Writes an expression to sort by. Its direction and NULL position are written as folio names them, because the
    /// text only has to differ between different orders.
    fn write_sort(&mut self, (expr, direction, nulls): SortBy<'_>) {
        self.write_expr(expr);
        // Writing to a string cannot fail.
        let _ = write!(self.rendered.sql, " {direction:?} {nulls:?},");
    }

    /// Writes the caller's text in place of a select that consists of its marker. Returns whether the value is one.
    fn write_text(&mut self, value: &Value) -> bool {
        let Some((text, values)) = self.parameters.text().and_then(|text| text.text(value)) else { return false };
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

    /// Writes the placeholder of a value. It has a number if the caller's text numbers its parameters or values share
    /// them, and on PostgreSQL always.
    fn write_placeholder(&mut self, number: usize) {
        let last = self.parameters.text().and_then(CallerText::last_number);
        let is_numbered = last.is_some() || self.shared.is_some();
        let number = number.saturating_add(last.unwrap_or(0));
        let sql = &mut self.rendered.sql;
        // Writing to a string cannot fail.
        let _ = match self.dialect.facts().parameters {
            ParameterForm::Dollar => write!(sql, "${number}"),
            ParameterForm::Question if is_numbered => write!(sql, "?{number}"),
            ParameterForm::Question | ParameterForm::Positional => sql.write_char('?'),
        };
    }

    /// Binds a value, and writes its placeholder.
    fn bind(&mut self, value: Value) {
        if self.is_limit && self.dialect.facts().plans_for_bare_values {
            self.rendered.sql.push('+');
        }
        self.is_limit = false;
        let next = self.rendered.values.0.len().saturating_add(1);
        let number = match &mut self.shared {
            Some(shared) => *shared.entry(format!("{value:?}")).or_insert(next),
            None => next,
        };
        if number == next {
            self.rendered.values.0.push(value);
        }
        self.write_placeholder(number);
    }
}

impl SqlWriter for Writer<'_> {
    fn push_param<Q: QueryBuilder>(&mut self, value: Value, builder: &Q) {
        if self.write_text(&value) {
            return;
        }
        self.write_select();
        let text = match self.parameters {
            Parameters::Bound { literal, .. } => literal(&value).map(|number| number.to_string()),
            Parameters::InText => Some(builder.value_to_string(&value)),
        };
        match text {
            Some(text) => self.rendered.sql.push_str(&text),
            None => self.bind(value),
        }
    }

    fn as_writer(&mut self) -> &mut dyn Write {
        self
    }
}

impl Write for Writer<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write_select();
        self.is_limit = text == " LIMIT ";
        if text == SELECT && self.parameters.text().is_some() {
            self.holds_select = true;
            return Ok(());
        }
        self.rendered.sql.write_str(text)
    }
}

impl fmt::Display for Writer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rendered.sql)
    }
}
