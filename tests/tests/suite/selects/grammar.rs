//! Random selects.

use sea_query::{Condition, Expr, ExprTrait as _, LockType, NullOrdering, Order, Query, SelectStatement, UnionType};

use super::case::{CallerOrder, Case, Output, Shape};
use super::dialect::{Dialect, column_sql, dialect};
use super::random::Random;
use super::schema::Kind;
use super::{keys, lists, raw, sources};

/// The select of a seed, with the order and the size of its pages.
pub(super) fn case(seed: u64) -> Case {
    let random = &mut Random::new(seed);
    let mut case = Case::empty();
    match random.weighted(&[52, 10, 13, 7, 9, 2, 7]) {
        0 => rows(random, &mut case),
        1 => distinct(random, &mut case),
        2 => groups(random, &mut case),
        3 => aggregates(random, &mut case),
        4 => united(random, &mut case),
        5 => without_from(random, &mut case),
        _ => raw::list(random, &mut case),
    }
    order(random, &mut case);
    lock(random, &mut case);
    limit(random, &mut case);
    case.per_page = *random.pick(&[2, 3, 3, 4, 5, 7, 10, 30]);
    case.key = keys::key(random, &case);
    if case.shape != Shape::Whole && !case.locked && random.chance(5) {
        volatile(random, &mut case);
    }
    case
}

/// Adds an output whose value changes with each statement, and sorts by it. Its functions are written in different
/// ways.
fn volatile(random: &mut Random, case: &mut Case) {
    let function = *random.pick(match dialect() {
        Dialect::Sqlite => &["random()", "RANDOM ( )", "unixepoch('now')", "julianday()", "length(CURRENT_TIMESTAMP)"],
        Dialect::Postgres => &[
            "random()",
            "pg_catalog.random()",
            "\"random\" ( )",
            "EXTRACT(EPOCH FROM NOW ())",
            "EXTRACT(EPOCH FROM current_timestamp(0))",
            "length(clock_timestamp()::text)",
        ],
        Dialect::MySql => {
            &["rand()", "RAND(7)", "UNIX_TIMESTAMP()", "LENGTH(UUID())", "SECOND(SYSDATE(6))", "YEAR(CURDATE())"]
        }
    });
    let sql = match random.below(5) {
        0 => function.to_owned(),
        1 => format!("CASE WHEN 1 = 1 THEN {function} ELSE 0 END"),
        2 => format!("COALESCE(NULL, /* random() */ {function}, 7)"),
        3 => format!("(SELECT {function})"),
        _ => format!("ABS({function}) + 1"),
    };
    case.compute(Output::computed("chance", Kind::Int, false, dialect().int(&sql)));
    let at = random.below(case.key.len() + 1);
    case.key.insert(at, keys::of_chance(random));
    case.volatile = true;
    case.tag("volatile");
}

fn rows(random: &mut Random, case: &mut Case) {
    sources::add(random, case);
    conditions(random, case);
    lists::add(random, case);
}

fn distinct(random: &mut Random, case: &mut Case) {
    sources::add(random, case);
    conditions(random, case);
    let columns = lists::distinct_columns(random, case);
    lists::add_columns(random, case, &columns);
    case.select.distinct();
    case.tag("distinct");
    case.shape = Shape::Whole;
}

fn groups(random: &mut Random, case: &mut Case) {
    sources::add(random, case);
    conditions(random, case);
    let columns = lists::distinct_columns(random, case);
    lists::add_columns(random, case, &columns);
    for (source, column) in &columns {
        case.select.group_by_col((source.name, column.name));
    }
    for _ in 0..random.below(3) {
        lists::add_aggregate(random, case);
    }
    match random.below(4) {
        0 => case.select.and_having(Expr::cust("COUNT(*) > 1")),
        1 => case.select.and_having(Expr::cust("COUNT(*) = 1 OR MAX(1) > 1")),
        _ => &mut case.select,
    };
    case.tag("group by");
    case.shape = Shape::Whole;
}

fn aggregates(random: &mut Random, case: &mut Case) {
    sources::add(random, case);
    conditions(random, case);
    for _ in 0..random.between(1, 2) {
        lists::add_aggregate(random, case);
    }
    case.tag("aggregate without group by");
    case.shape = Shape::Whole;
}

fn united(random: &mut Random, case: &mut Case) {
    let names = *random.pick(&[["id", "title"], ["number", "label"], ["id", "Mixed Case"]]);
    case.select = sources::arm(random, names);
    for _ in 0..random.between(1, 2) {
        let kinds = [UnionType::All, UnionType::Distinct, UnionType::Except, UnionType::Intersect];
        let kind = kinds[random.weighted(&[40, 30, 15, 15])];
        let arm = sources::arm(random, names);
        case.select.union(kind, arm);
    }
    case.outputs =
        vec![Output::computed(names[0], Kind::Int, false, ""), Output::computed(names[1], Kind::Text, true, "")];
    case.tag("union");
    case.shape = Shape::Whole;
}

fn without_from(random: &mut Random, case: &mut Case) {
    case.select = Query::select();
    case.compute(Output::computed("id", Kind::Int, false, dialect().int("1")));
    if random.chance(50) {
        case.compute(Output::computed("label", Kind::Text, false, "'FROM'"));
    }
    case.tag("no from");
    case.shape = Shape::Whole;
}

fn conditions(random: &mut Random, case: &mut Case) {
    for _ in 0..random.weighted(&[40, 45, 15]) {
        if random.chance(35) {
            raw::condition(random, case);
        } else {
            condition(random, case);
        }
    }
}

fn condition(random: &mut Random, case: &mut Case) {
    let source = random.pick(&case.sources).clone();
    let column = *random.pick(&source.columns);
    let expr = Expr::col((source.name, column.name));
    if column.kind != Kind::Int {
        let text = *random.pick(&["a", "A", " LIMIT ?", " OR ("]);
        let different = Condition::any().add(expr.clone().ne(text)).add(expr.clone().is_null());
        match random.below(3) {
            0 => case.select.and_where(expr.is_in(["a", "b", " LIMIT ?", "; --"])),
            1 => case.select.and_where(expr.ne(text)),
            _ => case.select.cond_where(different),
        };
        return;
    }
    let of_users = Query::select().column("id").from("users").distinct().take();
    match random.below(5) {
        0 => case.select.and_where(expr.gt(0_i64)),
        1 => case.select.and_where(expr.is_not_null()),
        2 => case.select.cond_where(Condition::any().add(expr.clone().gt(1_i64)).add(expr.is_null())),
        3 => case.select.and_where(expr.in_subquery(of_users)),
        _ => case.select.and_where(expr.clone().lt(50_i64).or(expr.is_null())),
    };
}

/// The caller's ORDER BY.
fn order(random: &mut Random, case: &mut Case) {
    if case.tags.contains("raw order") {
        return;
    }
    let rows = case.shape != Shape::Whole;
    match random.weighted(&[35, 15, 50]) {
        0 => return,
        1 if rows => {
            order_by_column(random, case);
            case.order = CallerOrder::Partial;
        }
        1 => {
            let output = random.pick(&case.outputs).clone();
            order_by_output(&mut case.select, &output, Order::Desc);
            case.order = CallerOrder::Partial;
        }
        _ if rows && !case.sources.is_empty() => {
            if random.chance(50) {
                order_by_column(random, case);
            }
            sources::order_by_identity(random, case);
            case.order = CallerOrder::Total;
        }
        _ => order_by_outputs(random, case),
    }
    case.tag("caller's order");
}

fn order_by_column(random: &mut Random, case: &mut Case) {
    let Some((sql, _)) = lists::any_column(random, case, &[Kind::Int, Kind::Text, Kind::Caseless]) else { return };
    match random.below(4) {
        0 => case.select.order_by_expr(Expr::cust(format!("{sql} DESC, {sql}")), Order::Asc),
        1 => case.select.order_by_expr(Expr::cust("1"), Order::Desc),
        2 => case.select.order_by_expr_with_nulls(Expr::cust(sql), Order::Desc, NullOrdering::Last),
        _ => case.select.order_by_expr(Expr::cust(sql), Order::Asc),
    };
}

/// Orders by every output that can be compared.
fn order_by_outputs(random: &mut Random, case: &mut Case) {
    for output in &case.outputs {
        if output.kind != Kind::Other {
            let order = if random.chance(50) { Order::Asc } else { Order::Desc };
            order_by_output(&mut case.select, output, order);
        }
    }
    case.order = CallerOrder::Outputs;
}

fn order_by_output(select: &mut SelectStatement, output: &Output, order: Order) {
    match output.column {
        // SQLite looks a bare name up in the FROM clause, too.
        Some(column) => select.order_by(column, order),
        None => select.order_by(output.name, order),
    };
}

/// The caller's LIMIT and OFFSET, under an order that says which rows they keep.
fn limit(random: &mut Random, case: &mut Case) {
    if !matches!(case.order, CallerOrder::Total | CallerOrder::Outputs) || !random.chance(25) {
        return;
    }
    if dialect() != Dialect::Postgres || random.chance(80) {
        case.select.limit(*random.pick(&[0, 1, 3, 5, 9]));
    }
    if random.chance(40) {
        case.select.offset(*random.pick(&[0, 1, 4]));
    }
    case.limited = true;
    case.tag("limit");
}

/// A lock on the rows. SQLite has none.
fn lock(random: &mut Random, case: &mut Case) {
    let lockable = case.shape == Shape::Plain && !case.tags.contains("derived table");
    if dialect() == Dialect::Sqlite || !lockable || case.tags.contains("left join") || !random.chance(5) {
        return;
    }
    match random.below(3) {
        0 => case.select.lock(LockType::Update),
        1 => case.select.lock(LockType::Share),
        _ => {
            // The lock is raw SQL at the end of WHERE, so nothing can follow it.
            let source = &case.sources[0];
            let held = format!("{} IS NOT NULL FOR UPDATE", column_sql(source.name, source.unique));
            case.select.clear_order_by().and_where(Expr::cust(held));
            case.order = CallerOrder::None;
            &mut case.select
        }
    };
    case.locked = true;
    case.tag("lock");
}
