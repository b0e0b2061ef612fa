//! Raw SQL inside a select: conditions with words of SQL in their literals and comments, and whole select lists.

use sea_query::Expr;

use super::case::{Case, Output, Shape};
use super::dialect::{Dialect, dialect};
use super::lists::any_column;
use super::random::Random;
use super::schema::{Column, Kind, TABLES};

/// Adds a condition in raw SQL.
pub(super) fn condition(random: &mut Random, case: &mut Case) {
    let Some((int, _)) = any_column(random, case, &[Kind::Int]) else { return };
    let Some((text, _)) = any_column(random, case, &[Kind::Text]) else { return };
    case.tag("raw condition");
    if random.chance(2) {
        // Everything that is written after it in the same line is gone.
        case.select.and_where(Expr::cust(format!("{int} < 40 -- not the others")));
        case.raw = true;
        case.tag("line comment");
        return;
    }
    let mut conditions = vec![
        format!("{int} > 1 OR {int} IS NULL"),
        format!("({int} > 1 OR {int} IS NULL)"),
        format!("{text} = ' LIMIT ?'"),
        format!("{text} <> ' LIMIT ?'"),
        format!("{text} <> ' OR ('"),
        format!("{text} <> '; --'"),
        format!("{text} <> 'it''s ('"),
        format!("{int} > 0 /* OR ( */"),
        format!("{text} <> 'GROUP BY' /* DISTINCT */"),
        format!("{int} IN (SELECT MAX(id) FROM posts GROUP BY user_id)"),
        format!("NOT ({int} = 1 AND {text} = 'a')"),
    ];
    if dialect() == Dialect::MySql {
        conditions.extend([
            format!("{int} > 1 XOR {int} > 4"),
            format!("{int} > 1 || {int} IS NULL"),
            format!("{text} <> \"a ' OR (\""),
        ]);
    }
    // A setting of the server decides where a string with a backslash before a quote ends.
    let (own, doubtful) = match dialect() {
        Dialect::MySql => (vec![format!("{text} <> 'C:\\dir OR ('")], vec![format!("{text} <> 'it\\'s OR ('")]),
        Dialect::Postgres => (
            vec![
                format!("{text} <> $$ OR ( $$"),
                format!("{text} <> $$it's OR ($$"),
                format!("{text} <> E'it\\'s OR ('"),
                format!("{int} = ANY (ARRAY[1, 2, 3, 40])"),
                format!("{int} > 0 /* OR ( /* */ OR ( */"),
            ],
            vec![format!("{text} <> 'C:\\'")],
        ),
        Dialect::Sqlite => (vec![format!("{text} <> 'C:\\'"), format!("{text} <> ' OR (\\'")], Vec::new()),
    };
    conditions.extend(own);
    let at = random.below(conditions.len() + doubtful.len());
    if at >= conditions.len() {
        case.depends_on_all_rows();
    }
    conditions.extend(doubtful);
    case.select.and_where(Expr::cust(conditions.swap_remove(at)));
}

/// A select whose list is raw SQL with a FROM clause in it.
pub(super) fn list(random: &mut Random, case: &mut Case) {
    let [posts, users, _] = &TABLES;
    let columns = |names: &[&str]| {
        let column = |name: &&str| posts.columns.iter().find(|column| column.name == *name).copied().unwrap();
        names.iter().map(column).collect::<Vec<Column>>()
    };
    let counted = || vec![Column { name: "n", kind: Kind::Int, nullable: false }];
    let lists = [
        ("* FROM posts", posts.columns.to_vec(), Shape::Rows),
        ("id, title FROM posts", columns(&["id", "title"]), Shape::Rows),
        ("id, title FROM posts WHERE score > 1 OR score IS NULL", columns(&["id", "title"]), Shape::Rows),
        ("* FROM users", users.columns.to_vec(), Shape::Rows),
        ("COUNT(*) AS n FROM posts", counted(), Shape::Whole),
        ("(MAX(id)) AS n FROM posts", counted(), Shape::Whole),
        ("DISTINCT title FROM posts", columns(&["title"]), Shape::Whole),
        ("user_id, title FROM posts GROUP BY user_id, title", columns(&["user_id", "title"]), Shape::Whole),
        ("id, title FROM posts UNION ALL SELECT id, name FROM comments", columns(&["id", "title"]), Shape::Whole),
        ("id, title FROM posts ORDER BY id", columns(&["id", "title"]), Shape::Whole),
        ("id, title FROM posts ORDER BY id LIMIT 3", columns(&["id", "title"]), Shape::Whole),
    ];
    let (sql, columns, shape) = random.pick(&lists).clone();
    case.select.expr(Expr::cust(sql));
    let output = |column: &Column| Output::computed(column.name, column.kind, column.nullable, "");
    case.outputs = columns.iter().map(output).collect();
    if sql.contains("ORDER BY") {
        case.tag("raw order");
    }
    if sql.ends_with("posts") && shape == Shape::Rows && random.chance(40) {
        use sea_query::ExprTrait as _;
        case.select.and_where(Expr::col("id").gt(20_i64));
    }
    // What is inside the raw SQL is unknown, so it can only be taken as a whole.
    case.shape = Shape::Whole;
    case.raw = true;
    case.tag("raw list");
}
