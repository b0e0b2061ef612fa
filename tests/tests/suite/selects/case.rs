//! A random select, and what the oracle needs to know about it.

use std::collections::BTreeSet;

use sea_query::{Expr, Query, SelectStatement};

use super::dialect::column_sql;
use super::schema::{Column, Kind, Table};

/// A select with the order of its walk.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) select: SelectStatement,
    pub(super) sources: Vec<Source>,
    pub(super) outputs: Vec<Output>,
    pub(super) shape: Shape,
    pub(super) order: CallerOrder,
    /// Whether the caller wrote a LIMIT or OFFSET.
    pub(super) limited: bool,
    pub(super) locked: bool,
    /// Whether raw SQL goes beyond one expression, so that folio may refuse the select.
    pub(super) raw: bool,
    /// Whether the key has a function of the clock or a random one.
    pub(super) volatile: bool,
    /// What the select is made of, for the report.
    pub(super) tags: BTreeSet<&'static str>,
    pub(super) key: Vec<Term>,
    pub(super) per_page: u64,
}

/// How the rows of a select relate to those of its FROM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// One output row for each row of FROM and WHERE.
    Plain,
    /// The same, but a window function, a CTE or raw SQL makes the select depend on all of its rows.
    Rows,
    /// Grouped, aggregated, distinct, united, or without FROM.
    Whole,
}

/// The caller's ORDER BY.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallerOrder {
    None,
    Partial,
    /// It tells every two rows of the FROM clause apart.
    Total,
    /// It goes by every output that can be compared.
    Outputs,
}

/// A table, a derived table or a CTE in the FROM clause.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// The name that its columns are qualified with.
    pub(super) name: &'static str,
    /// The model's table, if it is one.
    pub(super) table: Option<&'static Table>,
    pub(super) columns: Vec<Column>,
    /// A column that no two of its rows share a value of.
    pub(super) unique: &'static str,
    /// Whether an outer join fills its columns with NULL.
    pub(super) outer: bool,
}

impl Source {
    pub(super) fn column(&self, name: &str) -> Option<Column> {
        self.columns.iter().find(|column| column.name == name).copied()
    }
}

/// One column of the result.
#[derive(Debug, Clone)]
pub(super) struct Output {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) nullable: bool,
    /// What it is made of, in SQL.
    pub(super) sql: String,
    /// The table and the column, if it is a plain column.
    pub(super) column: Option<(&'static str, &'static str)>,
}

impl Output {
    pub(super) fn of_column(source: &Source, column: Column, alias: Option<&'static str>) -> Self {
        Self {
            name: alias.unwrap_or(column.name),
            kind: column.kind,
            nullable: column.nullable || source.outer,
            sql: column_sql(source.name, column.name),
            column: Some((source.name, column.name)),
        }
    }

    pub(super) fn computed(name: &'static str, kind: Kind, nullable: bool, sql: impl Into<String>) -> Self {
        Self { name, kind, nullable, sql: sql.into(), column: None }
    }
}

/// One column of the walk's order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Term {
    pub(super) name: &'static str,
    pub(super) qualifier: Option<&'static str>,
    /// The model that the column is taken from.
    pub(super) model: Option<&'static Table>,
    pub(super) kind: Kind,
    /// Whether its type is an `Option`.
    pub(super) optional: bool,
    pub(super) descending: bool,
    pub(super) nulls_first: bool,
}

impl Case {
    pub(super) fn empty() -> Self {
        Self {
            select: Query::select(),
            sources: Vec::new(),
            outputs: Vec::new(),
            shape: Shape::Plain,
            order: CallerOrder::None,
            limited: false,
            locked: false,
            raw: false,
            volatile: false,
            tags: BTreeSet::new(),
            key: Vec::new(),
            per_page: 3,
        }
    }

    pub(super) fn tag(&mut self, tag: &'static str) {
        self.tags.insert(tag);
    }

    /// What most likely makes the select special, for the report.
    pub(super) fn topic(&self) -> &'static str {
        const TOPICS: [&str; 15] = [
            "lock",
            "limit",
            "raw list",
            "line comment",
            "no from",
            "cte",
            "aggregate without group by",
            "group by",
            "distinct",
            "union",
            "window",
            "raw condition",
            "expression",
            "alias",
            "join",
        ];
        TOPICS.into_iter().find(|topic| self.tags.contains(topic)).unwrap_or("plain")
    }

    /// The select now depends on all of its rows.
    pub(super) fn depends_on_all_rows(&mut self) {
        if self.shape == Shape::Plain {
            self.shape = Shape::Rows;
        }
    }

    /// Adds an expression in raw SQL under a name.
    pub(super) fn compute(&mut self, output: Output) {
        self.select.expr_as(Expr::cust(output.sql.clone()), output.name);
        self.outputs.push(output);
    }

    /// Whether every two outputs have different names on every database.
    pub(super) fn has_unique_names(&self) -> bool {
        let mut names = BTreeSet::new();
        self.outputs.iter().all(|output| names.insert(output.name.to_lowercase()))
    }

    /// The outputs of a name, as a database looks them up.
    pub(super) fn outputs_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Output> {
        self.outputs.iter().filter(move |output| output.name.eq_ignore_ascii_case(name))
    }

    /// The sources that have a column.
    pub(super) fn sources_with<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Source> {
        self.sources.iter().filter(move |source| source.column(name).is_some())
    }
}
