//! FROM: tables, derived tables and CTEs, and joins that multiply rows.

use sea_query::{Asterisk, Condition, Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};

use super::case::{Case, Source};
use super::dialect::column_sql;
use super::random::Random;
use super::schema::{Column, Kind, TABLES};

/// Names for tables, one of which has to be quoted.
const ALIASES: [&str; 4] = ["p", "q", "Own", "order"];

/// Puts one to three tables into the FROM clause.
pub(super) fn add(random: &mut Random, case: &mut Case) {
    let count = [1, 2, 2, 3][random.below(4)];
    for (at, alias) in ALIASES.iter().copied().enumerate().take(count) {
        let from = Item::random(random, case, alias);
        if at == 0 {
            from.first(&mut case.select);
            case.sources.push(from.source);
        } else {
            join(random, case, from);
        }
    }
}

/// Something that can be in a FROM clause.
struct Item {
    source: Source,
    /// The select of a derived table.
    derived: Option<SelectStatement>,
}

impl Item {
    fn random(random: &mut Random, case: &mut Case, alias: &'static str) -> Self {
        match random.weighted(&[85, 8, 7]) {
            0 => Self::table(random, case, alias),
            1 => {
                case.tag("derived table");
                Self { source: derived(alias), derived: Some(counts()) }
            }
            _ if case.sources.iter().all(|source| source.name != "recent") => {
                case.tag("cte");
                case.depends_on_all_rows();
                let cte = sea_query::CommonTableExpression::new().table_name("recent").query(counts()).to_owned();
                case.select.with_cte(cte);
                Self { source: derived("recent"), derived: None }
            }
            _ => Self::table(random, case, alias),
        }
    }

    fn table(random: &mut Random, case: &Case, alias: &'static str) -> Self {
        let table = random.pick(&TABLES);
        let taken = case.sources.iter().any(|source| source.name == table.name);
        let name = if taken || random.chance(40) { alias } else { table.name };
        let source = Source { name, table: Some(table), columns: table.columns.to_vec(), unique: "id", outer: false };
        Self { source, derived: None }
    }

    fn first(&self, select: &mut SelectStatement) {
        let name = self.source.name;
        match (&self.derived, self.source.table) {
            (Some(derived), _) => select.from_subquery(derived.clone(), name),
            (None, Some(table)) if table.name != name => select.from_as(table.name, name),
            (None, _) => select.from(name),
        };
    }

    fn join(&self, select: &mut SelectStatement, kind: JoinType, on: Condition) {
        let name = self.source.name;
        match (&self.derived, self.source.table) {
            (Some(derived), _) => select.join_subquery(kind, derived.clone(), name, on),
            (None, Some(table)) if table.name != name => select.join_as(kind, table.name, name, on),
            (None, _) => select.join(kind, name, on),
        };
    }
}

/// The columns of [`counts`].
fn derived(name: &'static str) -> Source {
    let columns = vec![
        Column { name: "post_id", kind: Kind::Int, nullable: false },
        Column { name: "votes", kind: Kind::Int, nullable: false },
    ];
    Source { name, table: None, columns, unique: "post_id", outer: false }
}

/// The comments of each post: an aggregate inside the FROM clause, which does not make the select an aggregate.
fn counts() -> SelectStatement {
    let count = Expr::cust("COUNT(*)");
    Query::select().column("post_id").expr_as(count, "votes").from("comments").group_by_col("post_id").take()
}

fn join(random: &mut Random, case: &mut Case, mut item: Item) {
    let before = random.pick(&case.sources).clone();
    let (left, right) = (int(random, &before), int(random, &item.source));
    let equal = Expr::col((before.name, left)).equals((item.source.name, right));
    match random.weighted(&[35, 20, 15, 15, 15]) {
        0 => item.join(&mut case.select, JoinType::InnerJoin, Condition::all().add(equal)),
        1 => {
            item.source.outer = true;
            case.tag("left join");
            item.join(&mut case.select, JoinType::LeftJoin, Condition::all().add(equal));
        }
        2 => {
            case.tag("cross join");
            // A derived table gets an ON in any case, which a CROSS JOIN cannot have.
            let kind = if item.derived.is_some() { JoinType::InnerJoin } else { JoinType::CrossJoin };
            item.join(&mut case.select, kind, Condition::all());
        }
        3 => {
            let (left, right) = (column_sql(before.name, left), column_sql(item.source.name, right));
            let either = Expr::cust(format!("{left} = {right} OR {left} IS NULL"));
            item.join(&mut case.select, JoinType::InnerJoin, Condition::all().add(either));
        }
        _ => {
            item.first(&mut case.select);
            case.select.and_where(equal);
        }
    }
    case.tag("join");
    case.sources.push(item.source);
}

fn int(random: &mut Random, source: &Source) -> &'static str {
    let ints: Vec<&Column> = source.columns.iter().filter(|column| column.kind == Kind::Int).collect();
    random.pick(&ints).name
}

/// One arm of a set operation: a number and a text of a table, both under these names.
pub(super) fn arm(random: &mut Random, names: [&'static str; 2]) -> SelectStatement {
    let (table, text) = *random.pick(&[("posts", "title"), ("comments", "name")]);
    let mut arm =
        Query::select().expr_as(Expr::col("id"), names[0]).expr_as(Expr::col(text), names[1]).from(table).take();
    match random.below(4) {
        0 => arm.and_where(Expr::col("id").gt(3)),
        1 => arm.and_where(Expr::cust("id > 40 OR id < 20")),
        2 => arm.and_where(Expr::col(text).ne(" UNION ")),
        _ => &mut arm,
    };
    arm
}

/// Selects all columns of all tables, or of one.
pub(super) fn select_all(random: &mut Random, case: &mut Case) {
    use super::case::Output;
    let star = random.chance(50) && case.outputs.is_empty();
    let sources = if star { case.sources.clone() } else { vec![random.pick(&case.sources).clone()] };
    if star {
        case.select.column(Asterisk);
    } else {
        case.select.column((sources[0].name, Asterisk));
    }
    case.tag("star");
    for source in &sources {
        case.outputs.extend(source.columns.iter().map(|column| Output::of_column(source, *column, None)));
    }
}

/// The identity of a row of the FROM clause, as an order.
pub(super) fn order_by_identity(random: &mut Random, case: &mut Case) {
    for source in &case.sources {
        let order = if random.chance(50) { Order::Asc } else { Order::Desc };
        case.select.order_by((source.name, source.unique), order);
    }
}
