//! What the database itself says about a select: its rows, and the rank of each in the order of a walk.

use sea_query::Expr;
use sqlx::AssertSqlSafe;

use super::case::{CallerOrder, Case, Shape, Term};
use super::dialect::{column_sql, name_sql, sql};
use super::keys;
use super::row::Row;
use super::schema::Kind;
use crate::suite::db::Pool;

/// The rows of the plain statement, and what is known about their order.
pub(super) struct Oracle {
    pub(super) rows: Vec<String>,
    /// The names of its columns, which may repeat.
    pub(super) names: Vec<String>,
    /// Whether the caller's own order allows only one sequence of the rows.
    pub(super) is_ordered: bool,
    pub(super) walk: Expected,
}

/// What a walk has to do.
pub(super) enum Expected {
    /// The order of the walk is known.
    Ranked(Ranked),
    /// The select does not have the key.
    NoKey,
    /// The database does not say what the order is.
    Unknown,
}

/// The rows by their values in the order of the walk. Rows of the same rank tie.
pub(super) struct Ranked {
    pub(super) rows: Vec<(i64, String)>,
    /// Whether NULL is in a column of the key whose type is not an `Option`.
    pub(super) has_hidden_nulls: bool,
    /// Whether rows tie, although primary keys of models close the order.
    pub(super) has_ties: bool,
    /// Whether the rows themselves have the whole key.
    pub(super) is_selected: bool,
    /// Whether the FROM clause has the whole key.
    pub(super) is_in_sources: bool,
}

/// The rows of the select, run by hand.
pub(super) async fn plain(pool: &Pool, case: &Case) -> sqlx::Result<Vec<Row>> {
    fetch(pool, sql(&case.select)).await
}

/// The rows of a part of the select, as text.
pub(super) async fn slice(
    pool: &Pool,
    case: &Case,
    names: &[String],
    limit: u64,
    offset: u64,
) -> sqlx::Result<Vec<String>> {
    let rows = fetch(pool, sql(case.select.clone().limit(limit).offset(offset))).await?;
    Ok(rows.iter().map(|row| row.text(names)).collect())
}

async fn fetch(pool: &Pool, sql: String) -> sqlx::Result<Vec<Row>> {
    sqlx::query_as(AssertSqlSafe(sql)).fetch_all(pool).await
}

impl Oracle {
    pub(super) async fn new(pool: &Pool, case: &Case, rows: &[Row]) -> Self {
        let names = rows.first().map_or_else(Vec::new, Row::names);
        let width = names.len();
        let is_ordered = match case.order {
            CallerOrder::Total => true,
            CallerOrder::Outputs => is_ordered_by_outputs(pool, case, width).await,
            CallerOrder::None | CallerOrder::Partial => rows.len() < 2,
        };
        let rows = rows.iter().map(|row| row.text(&names)).collect();
        let walk = if case.locked { Expected::Unknown } else { expected(pool, case, width).await };
        Self { rows, names, is_ordered, walk }
    }
}

/// Whether rows that tie in all outputs are the same.
async fn is_ordered_by_outputs(pool: &Pool, case: &Case, width: usize) -> bool {
    let outputs = case.outputs.iter().filter(|output| output.kind != Kind::Other);
    let order: Vec<String> = outputs.map(|output| name_sql(output.name)).collect();
    if order.is_empty() {
        return false;
    }
    let by = Order { by: order.join(", "), nulls: "0".to_owned() };
    match ranked(pool, &by.over_result(case), width).await {
        Ok(ranked) => ranked.rows.windows(2).all(|pair| pair[0].0 != pair[1].0 || pair[0].1 == pair[1].1),
        Err(_) => false,
    }
}

/// Where a term's column is.
enum Place {
    Output { name: String, is_source: bool },
    Source { sql: String, is_selected: bool },
    Missing,
    Unclear,
}

fn place(case: &Case, term: &Term) -> Place {
    let named: Vec<_> = case.outputs_named(term.name).collect();
    let rows = case.shape != Shape::Whole;
    match term.qualifier {
        None if named.len() == 1 => {
            let is_source = named[0].column.is_some_and(|(_, name)| name == term.name);
            let is_source = is_source && case.sources_with(term.name).count() == 1;
            Place::Output { name: term.name.to_owned(), is_source }
        }
        None if named.len() > 1 => Place::Unclear,
        None => match case.sources_with(term.name).collect::<Vec<_>>().as_slice() {
            [source] if rows => Place::Source { sql: column_sql(source.name, term.name), is_selected: false },
            _ => Place::Missing,
        },
        Some(qualifier) => {
            let is_output = matches!(named.as_slice(), [output] if output.column == Some((qualifier, term.name)));
            let exists = case.sources_with(term.name).any(|source| source.name == qualifier);
            // It may be in the result under an alias.
            let output = case.outputs.iter().find(|output| output.column == Some((qualifier, term.name)));
            match (exists, rows, output) {
                (true, true, _) => Place::Source { sql: column_sql(qualifier, term.name), is_selected: is_output },
                (true, false, Some(output)) if case.outputs_named(output.name).count() == 1 => {
                    Place::Output { name: output.name.to_owned(), is_source: true }
                }
                (true, false, Some(_)) => Place::Unclear,
                _ => Place::Missing,
            }
        }
    }
}

/// An order in SQL, and what is 1 where one of its columns is NULL that must not be.
struct Order {
    by: String,
    nulls: String,
}

impl Order {
    fn new<'a>(terms: impl Iterator<Item = (&'a Term, String)>) -> Self {
        let (mut by, mut nulls) = (Vec::new(), Vec::new());
        for (term, sql) in terms {
            let (null, value) = if term.nulls_first { (0, 1) } else { (1, 0) };
            if term.optional {
                by.push(format!("CASE WHEN {sql} IS NULL THEN {null} ELSE {value} END"));
            } else {
                nulls.push(format!("{sql} IS NULL"));
            }
            by.push(format!("{sql} {}", if term.descending { "DESC" } else { "ASC" }));
        }
        let nulls = if nulls.is_empty() { "1 = 0".to_owned() } else { nulls.join(" OR ") };
        Self { by: by.join(", "), nulls: format!("CASE WHEN {nulls} THEN 1 ELSE 0 END") }
    }

    fn rank(&self) -> String {
        format!("DENSE_RANK() OVER (ORDER BY {})", self.by)
    }

    /// The rows of the select with their ranks, by the names of its outputs.
    fn over_result(&self, case: &Case) -> String {
        let (nulls, rank) = (&self.nulls, self.rank());
        let select = sql(&case.select);
        format!("SELECT oracle.*, {nulls} AS oracle_nulls, {rank} AS oracle_rank FROM ({select}\n) AS oracle")
    }

    /// The rows of the select with their ranks, by the columns of its FROM clause.
    fn over_sources(&self, case: &Case) -> String {
        let mut select = case.select.clone();
        select.expr_as(Expr::cust(self.nulls.clone()), "oracle_nulls").expr_as(Expr::cust(self.rank()), "oracle_rank");
        sql(&select)
    }
}

async fn ranked(pool: &Pool, sql: &str, width: usize) -> sqlx::Result<Ranked> {
    let mut has_hidden_nulls = false;
    let mut rows = Vec::new();
    for mut row in fetch(pool, sql.to_owned()).await? {
        let rank = row.pop();
        has_hidden_nulls |= row.pop() > 0;
        rows.push((rank, row.values(width)));
    }
    rows.sort();
    let has_ties = rows.windows(2).any(|pair| pair[0].0 == pair[1].0);
    Ok(Ranked { rows, has_hidden_nulls, has_ties, is_selected: true, is_in_sources: true })
}

async fn expected(pool: &Pool, case: &Case, width: usize) -> Expected {
    let asked = match by_terms(pool, case, &case.key, width).await {
        Expected::Ranked(asked) => asked,
        other => return other,
    };
    let closed = keys::closed(&case.key);
    // folio need not add what a term of this name may already be.
    if !asked.has_ties || closed.len() == case.key.len() || case.key.iter().any(|term| term.name == "id") {
        return Expected::Ranked(asked);
    }
    let has_ties = match by_terms(pool, case, &closed, width).await {
        Expected::Ranked(closed) => closed.has_ties || !closed.is_selected && case.shape != Shape::Plain,
        Expected::NoKey | Expected::Unknown => true,
    };
    Expected::Ranked(Ranked { has_ties, ..asked })
}

async fn by_terms(pool: &Pool, case: &Case, terms: &[Term], width: usize) -> Expected {
    let places: Vec<Place> = terms.iter().map(|term| place(case, term)).collect();
    if places.iter().any(|place| matches!(place, Place::Missing)) {
        return Expected::NoKey;
    }
    if places.iter().any(|place| matches!(place, Place::Unclear)) {
        return Expected::Unknown;
    }
    let is_selected = places.iter().all(|place| !matches!(place, Place::Source { is_selected: false, .. }));
    let is_in_sources = places.iter().all(|place| !matches!(place, Place::Output { is_source: false, .. }));
    let of_result = places.iter().all(|place| matches!(place, Place::Output { .. }));
    let sqls = places.iter().map(|place| match place {
        Place::Output { name, .. } if of_result => name_sql(name),
        Place::Output { name, .. } => case.outputs_named(name).next().unwrap().sql.clone(),
        Place::Source { sql, .. } => sql.clone(),
        Place::Missing | Place::Unclear => unreachable!("looked at above"),
    });
    let order = Order::new(terms.iter().zip(sqls));
    let sql = if of_result { order.over_result(case) } else { order.over_sources(case) };
    match ranked(pool, &sql, width).await {
        Ok(ranked) => Expected::Ranked(Ranked { is_selected, is_in_sources, ..ranked }),
        Err(_) => Expected::Unknown,
    }
}
