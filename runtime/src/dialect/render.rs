//! A select as text.

use std::fmt::{self, Write};

use sea_query::{
    Expr, MysqlQueryBuilder, PostgresQueryBuilder, QueryBuilder, SelectStatement, SqlWriter, SqlWriterValues,
    SqliteQueryBuilder, Value, Values,
};

use super::Dialect;
use crate::model::table::{Direction, Nulls};
use crate::value;

/// An expression to sort by, its direction, and where its NULLs are, if it says so.
pub(crate) type SortBy<'a> = (&'a Expr, Direction, Option<Nulls>);

impl Dialect {
    /// The text of a select and the values of its parameters, without those that `literal` has a number for: these are
    /// written into the text.
    pub(crate) fn render(self, select: &SelectStatement, literal: impl Fn(&Value) -> Option<u64>) -> (String, Values) {
        match self {
            Self::Sqlite => self.render_with(SqliteQueryBuilder, select, literal),
            Self::Postgres => self.render_with(PostgresQueryBuilder, select, literal),
            Self::MySql => self.render_with(MysqlQueryBuilder, select, literal),
        }
    }

    fn render_with(
        self,
        builder: impl QueryBuilder,
        select: &SelectStatement,
        literal: impl Fn(&Value) -> Option<u64>,
    ) -> (String, Values) {
        let (placeholder, numbered) = builder.placeholder();
        let sql = SqlWriterValues::new(placeholder, numbered);
        let mut writer = Writer { sql, literal, dialect: self, is_limit: false };
        select.build_collect_into(builder, &mut writer);
        writer.sql.into_parts()
    }

    /// Conditions and an order as text, with the types of the values in them, and these values.
    pub(crate) fn render_conditions(self, conditions: &[Expr], orders: &[SortBy<'_>]) -> (String, Vec<Value>) {
        if conditions.is_empty() && orders.is_empty() {
            return Default::default();
        }
        let (sql, Values(values)) = match self {
            Self::Sqlite => render_conditions_with(&SqliteQueryBuilder, conditions, orders),
            Self::Postgres => render_conditions_with(&PostgresQueryBuilder, conditions, orders),
            Self::MySql => render_conditions_with(&MysqlQueryBuilder, conditions, orders),
        };
        (self.with_types(sql, &values), values)
    }

    /// The text of a statement, followed by the types of its values if the database needs them.
    ///
    /// sqlx finds a prepared statement again by its text alone. PostgreSQL has prepared it for the types of the first
    /// values, and would read the bytes of another type as one of those.
    pub(crate) fn with_types(self, mut sql: String, values: &[Value]) -> String {
        if self != Self::Postgres || values.is_empty() {
            return sql;
        }
        for (at, value) in values.iter().enumerate() {
            sql.push_str(if at == 0 { " /* " } else { ", " });
            // Writing to a string cannot fail.
            let _ = match value::variant(value) {
                Some(variant) => sql.write_str(variant.as_str()),
                None => write!(sql, "{:?}", std::mem::discriminant(value)),
            };
        }
        sql.push_str(" */");
        sql
    }
}

fn render_conditions_with(builder: &impl QueryBuilder, conditions: &[Expr], orders: &[SortBy<'_>]) -> (String, Values) {
    let (placeholder, numbered) = builder.placeholder();
    let mut sql = SqlWriterValues::new(placeholder, numbered);
    for condition in conditions {
        builder.prepare_expr(condition, &mut sql);
    }
    for (expr, direction, nulls) in orders {
        builder.prepare_expr(expr, &mut sql);
        // Writing to a string cannot fail.
        let _ = write!(sql, " {direction:?} {nulls:?},");
    }
    sql.into_parts()
}

/// Writes a select in the way that the database's planner needs.
struct Writer<L> {
    sql: SqlWriterValues,
    literal: L,
    dialect: Dialect,
    /// Whether the next parameter is a limit.
    is_limit: bool,
}

impl<L: Fn(&Value) -> Option<u64>> SqlWriter for Writer<L> {
    fn push_param<Q: QueryBuilder>(&mut self, value: Value, builder: &Q) {
        // Writing to a string cannot fail.
        if let Some(number) = (self.literal)(&value) {
            let _ = write!(self.sql, "{number}");
            return;
        }
        // SQLite plans for a bare limit, and so prepares the statement again each time one is bound.
        if self.is_limit && self.dialect == Dialect::Sqlite {
            let _ = self.sql.write_char('+');
        }
        self.is_limit = false;
        self.sql.push_param(value, builder);
    }

    fn as_writer(&mut self) -> &mut dyn Write {
        self
    }
}

impl<L> Write for Writer<L> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.is_limit = text == " LIMIT ";
        self.sql.write_str(text)
    }
}

impl<L> fmt::Display for Writer<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sql.fmt(f)
    }
}
