//! Random select lists: columns, aliases, expressions, subselects and window functions.

use sea_query::Expr;

use super::case::{Case, Output, Source};
use super::dialect::{Dialect, column_sql, dialect};
use super::random::Random;
use super::schema::{Column, Kind};
use super::sources;

/// Names for outputs. Some are columns of the tables, some have to be quoted, some are words of SQL, and one could be a
/// name of folio's own.
const ALIASES: [&str; 16] = [
    "label",
    "x",
    "y",
    "n",
    "id",
    "title",
    "name",
    "score",
    "user_id",
    "Mixed Case",
    "order",
    "group",
    "say \"hi\"",
    "naïve",
    "LIMIT ?",
    "folio_key_0",
];

/// A name for an output: mostly one that no other output has.
fn alias(random: &mut Random, case: &Case) -> &'static str {
    let free = |name: &&str| case.outputs_named(name).next().is_none();
    let free: Vec<&'static str> = ALIASES.into_iter().filter(free).collect();
    let names = if free.is_empty() || random.chance(3) { &ALIASES[..] } else { &free };
    random.pick::<&'static str>(names)
}

/// Selects columns and expressions over the rows of the FROM clause.
pub(super) fn add(random: &mut Random, case: &mut Case) {
    if random.chance(15) {
        sources::select_all(random, case);
    }
    if random.chance(70) {
        identities(random, case);
    }
    let least = usize::from(case.outputs.is_empty());
    for _ in 0..random.between(least, 3) {
        item(random, case);
    }
}

/// Selects what identifies a row: one column of each table.
fn identities(random: &mut Random, case: &mut Case) {
    const NAMES: [&str; 3] = ["id", "second_id", "third_id"];
    for (at, source) in case.sources.clone().iter().enumerate() {
        let column = source.column(source.unique).unwrap();
        let taken = case.outputs_named(column.name).next().is_some();
        select(random, case, source, column, taken.then_some(NAMES[at]));
    }
}

fn item(random: &mut Random, case: &mut Case) {
    match random.weighted(&[45, 15, 8, 6, 8, 8, 3]) {
        0 => column(random, case),
        1 => text(random, case),
        2 => number(random, case),
        3 => cases(random, case),
        4 => subselect(random, case),
        5 => window(random, case),
        _ => parameter(random, case),
    }
}

fn column(random: &mut Random, case: &mut Case) {
    let source = random.pick(&case.sources).clone();
    let column = *random.pick(&source.columns);
    let taken = case.outputs_named(column.name).next().is_some();
    let renamed = random.chance(30) || taken && random.chance(93);
    let name = renamed.then(|| alias(random, case));
    select(random, case, &source, column, name);
}

fn select(random: &mut Random, case: &mut Case, source: &Source, column: Column, alias: Option<&'static str>) {
    let ambiguous = case.sources_with(column.name).count() > 1;
    let expr = match !ambiguous && random.chance(40) {
        true => Expr::col(column.name),
        false => Expr::col((source.name, column.name)),
    };
    match alias {
        Some(alias) => case.select.expr_as(expr, alias),
        None => case.select.expr(expr),
    };
    if alias.is_some() {
        case.tag("alias");
    }
    case.outputs.push(Output::of_column(source, column, alias));
}

/// A column of the FROM clause of one of these kinds, in SQL, and whether it can be NULL.
pub(super) fn any_column(random: &mut Random, case: &Case, kinds: &[Kind]) -> Option<(String, bool)> {
    let columns = case.sources.iter().flat_map(|source| source.columns.iter().map(move |column| (source, column)));
    let columns: Vec<_> = columns.filter(|(_, column)| kinds.contains(&column.kind)).collect();
    if columns.is_empty() {
        return None;
    }
    let (source, column) = random.pick(&columns);
    Some((column_sql(source.name, column.name), column.nullable || source.outer))
}

fn text(random: &mut Random, case: &mut Case) {
    let Some((sql, nullable)) = any_column(random, case, &[Kind::Text]) else { return number(random, case) };
    let suffix = *random.pick(&["!", " FROM (", "GROUP BY"]);
    let sql = dialect().concat(&sql, suffix);
    let sql = if random.chance(30) { format!("({sql})") } else { sql };
    case.tag("expression");
    let output = Output::computed(alias(random, case), Kind::Text, nullable, sql);
    case.compute(output);
}

fn number(random: &mut Random, case: &mut Case) {
    let Some((sql, nullable)) = any_column(random, case, &[Kind::Int]) else { return };
    let sql = format!("{sql} + {}", random.between(1, 3));
    case.tag("expression");
    let output = Output::computed(alias(random, case), Kind::Int, nullable, sql);
    case.compute(output);
}

fn cases(random: &mut Random, case: &mut Case) {
    let Some((sql, _)) = any_column(random, case, &[Kind::Int]) else { return };
    case.tag("expression");
    let sql = format!("CASE WHEN {sql} > 1 OR {sql} IS NULL THEN 'many' ELSE 'few' END");
    let output = Output::computed(alias(random, case), Kind::Other, false, sql);
    case.compute(output);
}

/// A scalar subselect, whose aggregate is not one of the select.
fn subselect(random: &mut Random, case: &mut Case) {
    let Some((sql, _)) = any_column(random, case, &[Kind::Int]) else { return };
    case.tag("subselect");
    let subselects = [
        format!("(SELECT COUNT(*) FROM comments AS c WHERE c.post_id = {sql})"),
        format!("(SELECT MAX(c.votes) FROM comments AS c WHERE c.post_id = {sql} GROUP BY c.post_id)"),
        "(SELECT MAX(id) FROM users UNION SELECT MAX(id) FROM users)".to_owned(),
    ];
    let at = random.below(subselects.len());
    let output = Output::computed(alias(random, case), Kind::Int, at > 0, subselects[at].clone());
    case.compute(output);
}

/// A window function, bare, in a call or in parentheses.
fn window(random: &mut Random, case: &mut Case) {
    let identity = case.sources.iter().map(|source| column_sql(source.name, source.unique));
    let identity = identity.collect::<Vec<_>>().join(", ");
    let Some((sql, _)) = any_column(random, case, &[Kind::Int]) else { return };
    // MySQL's numbers of rows are unsigned.
    let counted = if dialect() == Dialect::MySql { Kind::Other } else { Kind::Int };
    let windows = [
        (dialect().int(&format!("ROW_NUMBER() OVER (ORDER BY {identity})")), Kind::Int),
        (format!("(ROW_NUMBER() OVER (ORDER BY {identity}) + 0)"), counted),
        (format!("ROW_NUMBER() OVER (ORDER BY {identity})"), counted),
        (format!("RANK() OVER (ORDER BY {sql})"), counted),
        (format!("(SUM({sql}) OVER (PARTITION BY {sql}))"), Kind::Other),
        ("COUNT(*) OVER ()".to_owned(), Kind::Int),
        ("(COUNT(*) OVER () + 0)".to_owned(), Kind::Int),
    ];
    let (sql, kind) = random.pick(&windows).clone();
    case.tag("window");
    case.depends_on_all_rows();
    let output = Output::computed(alias(random, case), kind, true, sql);
    case.compute(output);
}

/// A value that is bound inside the list.
fn parameter(random: &mut Random, case: &mut Case) {
    let name = alias(random, case);
    case.tag("parameter");
    case.select.expr_as(Expr::val(" LIMIT ?").cast_as_text(), name);
    case.outputs.push(Output::computed(name, Kind::Other, false, "' LIMIT ?'"));
}

trait CastAsText {
    fn cast_as_text(self) -> Expr;
}

impl CastAsText for Expr {
    /// PostgreSQL has to be told the type of a parameter that nothing else gives one.
    fn cast_as_text(self) -> Expr {
        use sea_query::ExprTrait as _;
        self.cast_as(if dialect() == Dialect::MySql { "CHAR" } else { "TEXT" })
    }
}

/// Columns that a select can group by, or tell rows apart by: their equal values are the same.
pub(super) fn distinct_columns(random: &mut Random, case: &Case) -> Vec<(Source, Column)> {
    let mut picked: Vec<(Source, Column)> = Vec::new();
    for _ in 0..random.between(1, 2) {
        let source = random.pick(&case.sources).clone();
        let columns: Vec<&Column> = source.columns.iter().filter(|column| column.kind != Kind::Caseless).collect();
        let column = **random.pick(&columns);
        if !picked.iter().any(|(other, same)| other.name == source.name && same.name == column.name) {
            picked.push((source, column));
        }
    }
    picked
}

/// Selects columns, each under a name that no other has.
pub(super) fn add_columns(random: &mut Random, case: &mut Case, columns: &[(Source, Column)]) {
    for (source, column) in columns {
        let taken = case.outputs_named(column.name).next().is_some();
        let name = (taken || random.chance(30)).then(|| alias(random, case));
        select(random, case, source, *column, name);
    }
}

/// An aggregate over the rows of the select or of a group.
pub(super) fn add_aggregate(random: &mut Random, case: &mut Case) {
    let Some((int, _)) = any_column(random, case, &[Kind::Int]) else { return };
    let sum = dialect().int(&format!("SUM({int})"));
    let mut aggregates = vec![
        ("COUNT(*)".to_owned(), Kind::Int, false),
        (sum, Kind::Int, true),
        (format!("(SUM({int}) + 1)"), Kind::Other, true),
        (format!("MAX({int})"), Kind::Int, true),
        (format!("(MAX({int}))"), Kind::Int, true),
        (format!("(CASE WHEN SUM({int}) > 3 THEN 'much' ELSE 'little' END)"), Kind::Other, false),
        (format!("COUNT(DISTINCT {int})"), Kind::Int, false),
        (format!("COALESCE((MAX({int})), 0) + 1"), Kind::Int, false),
    ];
    if dialect() != Dialect::MySql {
        aggregates.push(("COUNT (*)".to_owned(), Kind::Int, false));
        aggregates.push(("1 + COUNT (*)".to_owned(), Kind::Int, false));
    }
    let (sql, kind, nullable) = random.pick(&aggregates).clone();
    case.tag("aggregate");
    let output = Output::computed(alias(random, case), kind, nullable, sql);
    case.compute(output);
}
