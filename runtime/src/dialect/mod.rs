//! What folio knows about the SQL of each database. Everything here is text and facts; nothing runs a statement.
//!
//! [`Dialect`] is a value, not a type parameter: the code that builds statements is compiled once, and asks it. Each
//! question is a method, so that the reason for an answer is written in one place:
//!
//! | question | methods |
//! |---|---|
//! | How is a range read from an index? | `range_form`, `has_row_value_ranges`, `sign`, `may_need_alternatives` |
//! | Which index has it? | `index_nulls`, `reverses_mixed_indexes`, `sorts_incrementally`, `drops_equal_columns` |
//! | How are groups read? | `list_form`, `lists_are_json`, `orders_by_whole_index`, `reads_groups_once_for_each_range` |
//! | When are keys found before their rows? | `finds_keys_first`, `deferred_join_from`, `finds_shards_by_equalities` |
//! | What keeps a statement's plan? | `plans_for_filter_values`, `cached_plan_limit`, `convert_lists`, `with_types` |
//! | How is it written? | `quote`, `unqualified`, `explain`, `create_index`, `needs_index_hints`, `Sql` |
//!
//! `key_facts.rs` selects the rules by which a MySQL column is compared, and `catalog.rs` has the data that a driver
//! reads about a table.

pub(crate) mod catalog;
mod key_facts;
mod sql;

use sea_query::Expr;

#[cfg(feature = "mysql")]
pub(crate) use self::key_facts::key_fact_name;
pub(crate) use self::sql::{Param, Sql, type_name};
use crate::dialect::catalog::{IndexPart, SortedPart};
use crate::schema::any_of;
use crate::schema::group::Groups;
use crate::schema::table::{Direction, Nulls, Table};
#[cfg(any(feature = "postgres", all(feature = "sqlite", any(feature = "chrono", feature = "time"))))]
use crate::value;

/// The SQL of a database. MySQL and MariaDB share one dialect.
///
/// A new database is a variant here, and an arm in each method. The facts were measured on tables of 200,000 to
/// 1,000,000 rows. Those about plans are held by the plan tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Dialect {
    /// SQLite 3.
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// MySQL and MariaDB. Where they differ, the [`Server`](catalog::Server) from the catalog decides.
    MySql,
}

/// The longest name of an index, in bytes. PostgreSQL truncates names of more than 63, and MySQL refuses them.
const LONGEST_NAME: usize = 63;

/// How the ranges after a boundary become one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RangeForm {
    /// A UNION ALL of selects, each with its own ORDER BY and LIMIT.
    SortedUnion,
    /// A UNION ALL of selects under one ORDER BY.
    Union,
    /// One select whose WHERE joins the ranges by OR.
    Or,
}

/// What a statement names that does not exist.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Missing<'e> {
    Table(&'e str),
    Column(&'e str),
}

/// How a database reads a list of values as a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListForm {
    Array,
    JsonTable,
}

impl Dialect {
    /// The form in which the database reads ranges along an index, if the index has the order.
    ///
    /// MySQL and MariaDB read an OR of ranges along one index. SQLite merges the selects of a UNION ALL lazily.
    /// PostgreSQL does so only if each of them has its own order.
    pub(crate) fn range_form(self) -> RangeForm {
        match self {
            Self::Sqlite => RangeForm::Union,
            Self::Postgres => RangeForm::SortedUnion,
            Self::MySql => RangeForm::Or,
        }
    }

    /// How many parameters a statement has at most. SQLite's limit is that of its default build, which sqlx bundles.
    pub(crate) fn max_parameters(self) -> usize {
        match self {
            Self::Sqlite => 32_766,
            Self::Postgres | Self::MySql => 65_535,
        }
    }

    /// Whether a statement can refer to a parameter more than once, by its number.
    pub(crate) fn numbers_parameters(self) -> bool {
        matches!(self, Self::Sqlite | Self::Postgres)
    }

    /// Whether a statement can refer to any of many parameters by its number in constant time. SQLite goes through a list.
    pub(crate) fn finds_parameters_fast(self) -> bool {
        self == Self::Postgres
    }

    /// Whether a named statement fails after a migration has changed the columns of its result. The other databases
    /// prepare it again.
    pub(crate) fn refuses_outdated_statements(self) -> bool {
        self == Self::Postgres
    }

    /// What does not exist, by the code and the message of an error: its name without a schema or table. Messages of
    /// PostgreSQL may be in any language, and then tell nothing.
    pub(crate) fn missing<'e>(self, code: Option<&str>, message: &'e str) -> Option<Missing<'e>> {
        let between = |quote: char| message.split(quote).nth(1);
        let last = |name: &'e str| name.rsplit('.').next().unwrap_or(name);
        match (self, code?) {
            (Self::Sqlite, _) => {
                let (what, name) = message.split_once(": ")?;
                let name = last(name.split(" - ").next()?);
                match what {
                    "no such table" => Some(Missing::Table(name)),
                    "no such column" => Some(Missing::Column(name)),
                    _ => None,
                }
            }
            (Self::Postgres, "42P01") => between('"').map(last).map(Missing::Table),
            (Self::Postgres, "42703") => {
                let unquoted = || message.strip_prefix("column ")?.split(' ').next();
                between('"').or_else(unquoted).map(last).map(Missing::Column)
            }
            (Self::MySql, "42S02") => between('\'').map(last).map(Missing::Table),
            (Self::MySql, "42S22") => between('\'').map(last).map(Missing::Column),
            _ => None,
        }
    }

    /// Whether a statement that fails aborts its transaction, so that every later statement fails as well.
    pub(crate) fn errors_abort_transactions(self) -> bool {
        self == Self::Postgres
    }

    /// Whether the database reads `(a, b) > (?, ?)` as one range of an index. SQLite reads every tie of `a`; MySQL and
    /// MariaDB read the whole table.
    pub(crate) fn has_row_value_ranges(self) -> bool {
        self == Self::Postgres
    }

    /// Whether the database removes a column with an equality from the ORDER BY, and may then choose an index without
    /// it.
    pub(crate) fn drops_equal_columns(self) -> bool {
        self == Self::Postgres
    }

    /// Whether the database sorts only within groups if an index has a prefix of an order. MySQL and MariaDB sort the
    /// whole range.
    pub(crate) fn sorts_incrementally(self) -> bool {
        self != Self::MySql
    }

    /// How values are bound as one list that a select can read as a table; `None` if each is a parameter.
    pub(crate) fn list_form(self) -> Option<ListForm> {
        match self {
            Self::Postgres => Some(ListForm::Array),
            Self::MySql => Some(ListForm::JsonTable),
            Self::Sqlite => None,
        }
    }

    /// Whether the values of an IN can be a JSON document. MySQL and MariaDB search an index only by a list of values.
    pub(crate) fn lists_are_json(self) -> bool {
        self == Self::Sqlite
    }

    /// Whether a group whose value comes from another table is read in the index's order only if the ORDER BY names all
    /// columns of the index. Otherwise MySQL reads all rows of the group and sorts them.
    pub(crate) fn orders_by_whole_index(self) -> bool {
        self == Self::MySql
    }

    /// Whether each range of a UNION ALL visits the groups of an IN again. For SQLite, a row value then takes less
    /// time, although it reads every tie.
    pub(crate) fn reads_groups_once_for_each_range(self) -> bool {
        self == Self::Sqlite
    }

    /// Whether the selects of a union can be in parentheses. SQLite does not accept them.
    pub(crate) fn unites_in_parentheses(self) -> bool {
        self != Self::Sqlite
    }

    /// The type to which a number is cast so that it can be read like a count.
    pub(crate) fn count_type(self) -> &'static str {
        if self == Self::MySql { "SIGNED" } else { "BIGINT" }
    }

    /// Whether the database sorts by an expression even if a condition fixes its value. SQLite only recognizes this for
    /// columns.
    pub(crate) fn sorts_fixed_expressions(self) -> bool {
        self == Self::Sqlite
    }

    /// Whether the database may read a filtered or partly sorted range past the page unless its keys are found first.
    pub(crate) fn finds_keys_first(self) -> bool {
        self == Self::MySql
    }

    /// Whether some version only uses the whole index for a range if there is an additional OR branch that matches no
    /// row, like MariaDB before version 11. It is written unless the catalog shows another version.
    pub(crate) fn may_need_alternatives(self) -> bool {
        self == Self::MySql
    }

    /// Whether even a first page without conditions has to name its index. MySQL may choose another one, and reads
    /// thousands of rows ahead.
    pub(crate) fn needs_index_hints(self) -> bool {
        self == Self::MySql
    }

    /// Puts a filter of a model's query in the form for this database: texts are bound in the types of their columns,
    /// moments find every text that means them, and lists have the form that the database caches best.
    pub(crate) fn convert_filter(self, filter: &mut Expr, table: &Table) {
        #[cfg(feature = "postgres")]
        if self == Self::Postgres {
            value::type_by_columns(filter, &|column| table.is_text(column));
        }
        #[cfg(not(feature = "postgres"))]
        let _ = table;
        #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
        if self == Self::Sqlite {
            value::compare_moments(filter);
        }
        self.convert_lists(filter);
    }

    /// Groups of a model's rows, whose texts are bound in the types of their columns, and whose moments find every text
    /// that means them.
    pub(crate) fn convert_groups(self, groups: Groups, table: &Table) -> Groups {
        #[cfg(feature = "postgres")]
        if self == Self::Postgres {
            return groups.typed_by_columns(|column| table.is_text(column));
        }
        #[cfg(not(feature = "postgres"))]
        let _ = table;
        #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
        if self == Self::Sqlite {
            return groups.with_moments();
        }
        groups
    }

    /// Puts the lists of [`Column::any_of`](crate::Column::any_of) in a condition in the form that the database caches
    /// best.
    pub(crate) fn convert_lists(self, condition: &mut Expr) {
        if self == Self::Postgres {
            any_of::use_arrays(condition);
        }
    }

    /// Whether the database reads an index whose columns have different directions backwards. MySQL sorts instead.
    pub(crate) fn reverses_mixed_indexes(self) -> bool {
        self != Self::MySql
    }

    /// Whether a computed decimal may be rounded when it is sent. MySQL sends the average of 1, 4 and 9 as 4.6667, but does
    /// not consider them equal.
    pub(crate) fn rounds_sent_decimals(self) -> bool {
        self == Self::MySql
    }

    /// Whether an unknown column name in double quotes is read as a string instead of being an error.
    pub(crate) fn reads_unknown_names_as_texts(self) -> bool {
        self == Self::Sqlite
    }

    /// Whether a name in quotes is found in either case.
    pub(crate) fn ignores_case_of_names(self) -> bool {
        self != Self::Postgres
    }

    /// What precedes a bound value that a column is compared with: see [`Sql::signed`].
    pub(crate) fn sign(self) -> &'static str {
        if self == Self::Sqlite { "+ " } else { "" }
    }

    /// Whether values compare as they are stored, and one value of a type may be stored in several forms.
    pub(crate) fn compares_stored_forms(self) -> bool {
        self == Self::Sqlite
    }

    /// Whether moments are stored with microseconds, and a value with more digits is cut off when it is bound.
    pub(crate) fn stores_microseconds(self) -> bool {
        self != Self::Sqlite
    }

    /// The position of a column's NULLs in an index.
    pub(crate) fn index_nulls(self, direction: Direction) -> Nulls {
        match (self, direction) {
            (Self::Postgres, Direction::Asc) | (Self::Sqlite | Self::MySql, Direction::Desc) => Nulls::Last,
            (Self::Postgres, Direction::Desc) | (Self::Sqlite | Self::MySql, Direction::Asc) => Nulls::First,
        }
    }

    /// Whether a server in front of several shards may look for the equalities of a statement's filters.
    pub(crate) fn finds_shards_by_equalities(self) -> bool {
        self == Self::Postgres
    }

    /// The offset from which a deferred join is faster. Measured on 200,000 rows of 200 bytes with an index, where
    /// skipping whole rows begins to cost more than a join.
    pub(crate) fn deferred_join_from(self) -> u64 {
        match self {
            Self::Sqlite => 500,
            Self::Postgres | Self::MySql => 200,
        }
    }

    /// Whether the database may plan a filtered statement again for each value, although it could keep one plan. MySQL and
    /// MariaDB keep none.
    ///
    /// PostgreSQL does so if it expects a generic plan to cost more, and SQLite if the table has been analyzed. For a
    /// short page, planning takes about as long as reading.
    pub(crate) fn plans_for_filter_values(self) -> bool {
        self != Self::MySql
    }

    /// A literal limit for statements that read no more rows than that, if it lets the database reuse its plan.
    ///
    /// PostgreSQL assumes that a bound limit is a tenth of all rows, and reuses a plan only if it looks cheap for every
    /// value. With a bound limit alone it plans each page again, which takes longer than reading it. With a literal
    /// limit in an inner select, it reuses the plan. Pages of more rows take longer to read than to plan.
    pub(crate) fn cached_plan_limit(self) -> Option<u64> {
        (self == Self::Postgres).then_some(128)
    }

    /// A count to select with the rows of a page, written so that the database plans the statement for its values.
    ///
    /// After five executions PostgreSQL switches to a generic plan if that looks no more expensive than the custom ones.
    /// A count makes it look cheap, because it dominates the cost and is estimated for an average value. The page would
    /// then be planned for the average value too, and for a common value read all of its rows. The second branch of the
    /// CASE prevents this: it makes the generic plan look expensive. Custom plans do not contain it, because `limit` is
    /// positive, so the CASE is reduced to the count. Citus runs the branch nevertheless, so it has no rows: each series
    /// ends below zero, which a generic plan does not know.
    pub(crate) fn count_planned_each_time(self, count: Sql, limit: &Sql) -> Sql {
        match self {
            Self::Postgres => {
                let series = |alias: &str| {
                    Sql::new(self).push("generate_series(1, -").append(limit).push(&format!(") {alias}"))
                };
                Sql::new(self)
                    .push("(CASE WHEN (")
                    .append(limit)
                    .push(" > (0)) THEN ")
                    .append(&count)
                    .push(" ELSE (SELECT COUNT(*) FROM ")
                    .joined(["a", "b", "c"].map(series), ", ")
                    .push(") END)")
            }
            Self::Sqlite | Self::MySql => count,
        }
    }

    /// Whether a common table expression that a statement reads twice is computed once. MariaDB computes it for each
    /// use.
    pub(crate) fn shares_common_tables(self) -> bool {
        self != Self::MySql
    }

    /// What to put before a select for a plan that estimates its rows; `None` if the database's plans do not.
    pub(crate) fn explain(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some("EXPLAIN (FORMAT JSON)"),
            // MySQL 9 explains in a form without columns by default.
            Self::MySql => Some("EXPLAIN FORMAT=TRADITIONAL"),
        }
    }

    /// A column of any table in the FROM clause. SQLite reads an unknown name in double quotes as a string; in
    /// backticks it does not.
    pub(crate) fn unqualified(self, column: &str) -> Expr {
        match self {
            Self::Sqlite => Expr::cust(format!("`{}`", column.replace('`', "``"))),
            Self::Postgres | Self::MySql => Expr::col(column.to_owned()),
        }
    }

    pub(crate) fn quote(self, name: &str) -> String {
        let quote = if self == Self::MySql { "`" } else { "\"" };
        format!("{quote}{}{quote}", name.replace(quote, &quote.repeat(2)))
    }

    pub(crate) fn create_index(self, table: &Table, parts: &[SortedPart]) -> String {
        let index = self.quote(&index_name(table, parts));
        let columns = self.index_parts(table, parts);
        let schema = self.schema_prefix(table);
        let table = self.quote(table.name);
        // SQLite has the schema before the index, and finds the table in the same one.
        match self {
            Self::Sqlite => format!("CREATE INDEX {schema}{index} ON {table} ({columns})"),
            Self::Postgres | Self::MySql => format!("CREATE INDEX {index} ON {schema}{table} ({columns})"),
        }
    }

    /// A table's schema in front of a name in it, or an empty string.
    fn schema_prefix(self, table: &Table) -> String {
        table.schema.map(|schema| format!("{}.", self.quote(schema))).unwrap_or_default()
    }

    /// The parts of an index, as CREATE INDEX takes them.
    fn index_parts(self, table: &Table, parts: &[SortedPart]) -> String {
        parts.iter().map(|part| self.index_part(table, part)).collect::<Vec<_>>().join(", ")
    }

    /// A part of an index, as CREATE INDEX takes it.
    fn index_part(self, table: &Table, (part, direction): &SortedPart) -> String {
        let part = match part {
            IndexPart::Column(name) => self.quote(name),
            IndexPart::Expression(_, expr) => format!("({})", self.index_expression(expr, table)),
        };
        match direction {
            Direction::Asc => part,
            Direction::Desc => format!("{part} DESC"),
        }
    }
}

/// The name of an index: the table's and those of its parts. Directions are part of it, because a second index on
/// MySQL differs in nothing else.
fn index_name(table: &Table, parts: &[SortedPart]) -> String {
    let mut name = table.name.to_owned();
    for (part, direction) in parts {
        name.extend(["_", part.name()]);
        if *direction == Direction::Desc {
            name.push_str("_desc");
        }
    }
    name.truncate(name.floor_char_boundary(LONGEST_NAME));
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_index_has_its_directions_and_a_length_that_servers_accept() {
        let posts = Table::new("posts", &[], &[], &[]);
        let (asc, desc) = (Direction::Asc, Direction::Desc);
        let parts = |columns: &[(&str, Direction)]| -> Vec<SortedPart> {
            columns.iter().map(|(name, by)| (IndexPart::Column((*name).to_owned()), *by)).collect()
        };
        let one = Dialect::MySql.create_index(&posts, &parts(&[("score", desc), ("id", asc)]));
        let other = Dialect::MySql.create_index(&posts, &parts(&[("score", asc), ("id", desc)]));
        assert_eq!(one, "CREATE INDEX `posts_score_desc_id` ON `posts` (`score` DESC, `id`)");
        assert_eq!(other, "CREATE INDEX `posts_score_id_desc` ON `posts` (`score`, `id` DESC)");
        let in_schema = |dialect: Dialect| {
            dialect.create_index(&Table::new("a\"b", &[], &[], &[]).schema("blog"), &parts(&[("id", asc)]))
        };
        assert_eq!(in_schema(Dialect::Postgres), r#"CREATE INDEX "a""b_id" ON "blog"."a""b" ("id")"#);
        assert_eq!(in_schema(Dialect::Sqlite), r#"CREATE INDEX "blog"."a""b_id" ON "a""b" ("id")"#);
        let long = Dialect::Postgres.create_index(&posts, &parts(&[(&"ü".repeat(40), asc)]));
        assert!(long.starts_with(&format!("CREATE INDEX \"posts_{}\" ON", "ü".repeat(28))), "{long}");
    }

    #[test]
    fn errors_name_what_does_not_exist() {
        use Missing::{Column, Table};

        for (dialect, code, message, expected) in [
            (Dialect::Sqlite, "1", "no such table: blog.posts", Some(Table("posts"))),
            (Dialect::Sqlite, "1", "no such column: posts.title", Some(Column("title"))),
            (Dialect::Sqlite, "1", "no such column: a - should this be a string literal?", Some(Column("a"))),
            (Dialect::Sqlite, "1", "near \"FORM\": syntax error", None),
            (Dialect::Postgres, "42P01", r#"relation "blog.posts" does not exist"#, Some(Table("posts"))),
            (Dialect::Postgres, "42703", r#"column "title" does not exist"#, Some(Column("title"))),
            (Dialect::Postgres, "42703", "column posts.title does not exist", Some(Column("title"))),
            (Dialect::Postgres, "42703", "Spalte »title« existiert nicht", None),
            (Dialect::Postgres, "42601", r#"syntax error at or near "FORM""#, None),
            (Dialect::MySql, "42S02", "Table 'blog.posts' doesn't exist", Some(Table("posts"))),
            (Dialect::MySql, "42S22", "Unknown column 'posts.title' in 'field list'", Some(Column("title"))),
            (Dialect::MySql, "42000", "You have an error in your SQL syntax near 'FORM'", None),
        ] {
            assert_eq!(dialect.missing(Some(code), message), expected, "{message}");
        }
    }

    #[test]
    fn an_index_on_an_expression_names_no_table() {
        let posts = Table::new("posts", &[], &[], &[]);
        let lower = Expr::from(sea_query::Func::lower(Expr::col(("posts", "title"))));
        let parts = [(IndexPart::Expression("lower".into(), lower), Direction::Desc)];
        let create = |dialect: Dialect| dialect.create_index(&posts, &parts);
        let in_schema = Expr::from(sea_query::Func::lower(Expr::col(("blog", "posts", "title"))));
        let in_schema = [(IndexPart::Expression("lower".into(), in_schema), Direction::Asc)];
        let create_there =
            Dialect::Postgres.create_index(&Table::new("posts", &[], &[], &[]).schema("blog"), &in_schema);
        assert_eq!(create_there, r#"CREATE INDEX "posts_lower" ON "blog"."posts" ((LOWER("title")))"#);
        let expected = r#"CREATE INDEX "posts_lower_desc" ON "posts" ((LOWER("title")) DESC)"#;
        assert_eq!((create(Dialect::Sqlite), create(Dialect::Postgres)), (expected.to_owned(), expected.to_owned()));
        assert_eq!(create(Dialect::MySql), "CREATE INDEX `posts_lower_desc` ON `posts` ((LOWER(`title`)) DESC)");
    }
}
