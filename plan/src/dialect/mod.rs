//! What folio knows about the SQL of each database, as text and facts.
//!
//! [`Dialect`] is a value, not a type parameter: the code that builds statements is compiled once, and asks for the
//! [`Facts`]. The facts are data, with a constant for each database and the reason beside it:
//!
//! | file | what it has |
//! |---|---|
//! | `facts.rs` | what there is to know: the facts about a dialect's SQL, and about a server and its planner |
//! | `sqlite.rs`, `postgres.rs`, `mysql.rs`, `mariadb.rs` | the answers |
//! | `catalog.rs` | the data that a driver reads about a table |
//! | `create_index.rs` | the statement that creates the index which a list needs |
//! | `collation_columns.rs` | selects the rules by which a MySQL column is compared |
//! | `sql.rs` | SQL text, and where the value of each parameter comes from |
//!
//! The methods of [`Dialect`] compute what a fact alone does not tell. They ask the facts, and not which dialect it is,
//! except where sea-query writes SQL: it has a type for each dialect.

pub mod catalog;
mod collation_columns;
mod create_index;
mod facts;
mod mariadb;
mod mysql;
mod postgres;
mod sql;
mod sqlite;

use std::time::Duration;

use sea_query::{Expr, ExprTrait as _};

pub use self::collation_columns::collation_column_name;
pub use self::facts::{Facts, GroupAccess, ListForm, Missing, ParameterForm, Planner, RangeForm, Server, Syntax};
pub(crate) use self::sql::ConstantShape;
pub use self::sql::{Mark, Param, Sql, type_name};
use crate::schema::arrays;
use crate::schema::group::Groups;
use crate::schema::table::{Direction, Nulls, Table};
#[cfg(any(feature = "postgres", all(feature = "sqlite", any(feature = "chrono", feature = "time"))))]
use crate::value;
use crate::value::{Value, Variant};

/// The SQL of a database. MySQL and MariaDB share one dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    Sqlite,
    Postgres,
    /// MySQL and MariaDB. Where they differ, the [`Server`] from the catalog decides.
    MySql,
    /// PostgreSQL's, as a proxy in front of several servers understands it: see [`Facts::is_plain`].
    PlainPostgres,
    /// MySQL's and MariaDB's, as a proxy in front of several servers understands it: see [`Facts::is_plain`].
    PlainMySql,
}

impl Dialect {
    pub fn facts(self) -> &'static Facts {
        match self {
            Self::Sqlite => &Facts::SQLITE,
            Self::Postgres => &Facts::POSTGRES,
            Self::MySql => &Facts::MYSQL,
            Self::PlainPostgres => &Facts::PLAIN_POSTGRES,
            Self::PlainMySql => &Facts::PLAIN_MYSQL,
        }
    }

    /// The dialect of a proxy in front of several servers. SQLite has no servers.
    pub fn plain(self) -> Self {
        match self {
            Self::Sqlite => Self::Sqlite,
            Self::Postgres | Self::PlainPostgres => Self::PlainPostgres,
            Self::MySql | Self::PlainMySql => Self::PlainMySql,
        }
    }

    /// What does not exist, by the code and the message of an error: its name without a schema or table.
    pub fn missing<'e>(self, code: Option<&str>, message: &'e str) -> Option<Missing<'e>> {
        let last = |name: &'e str| name.rsplit('.').next().unwrap_or(name);
        (self.facts().missing)(code?, message).map(|missing| match missing {
            Missing::Table(name) => Missing::Table(last(name)),
            Missing::Column(name) => Missing::Column(last(name)),
        })
    }

    /// Puts a filter of a model's query in the form for this database: texts are bound in the types of their columns,
    /// moments find every text that means them, and lists have the form that the database caches best.
    pub fn convert_filter(self, filter: &mut Expr, table: &Table) {
        #[cfg(feature = "postgres")]
        if self.facts().types_texts_by_columns {
            value::type_by_columns(filter, &|column| table.is_text(column));
        }
        #[cfg(not(feature = "postgres"))]
        let _ = table;
        #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
        if self.facts().compares_stored_forms {
            value::compare_moments(filter);
        }
        self.convert_lists(filter);
    }

    /// The condition that the moment in a column is older than this, by the database's clock. `has_zone` says whether
    /// the type of the column's field has a time zone.
    pub fn is_older(self, column: &Expr, has_zone: bool, age: Duration) -> Expr {
        let age = i64::try_from(age.as_micros()).unwrap_or(i64::MAX);
        let ago = Expr::cust_with_expr(self.facts().moment_ago, Expr::val(age));
        #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
        if self.facts().compares_stored_forms {
            return value::is_before(column, has_zone, &ago);
        }
        let _ = has_zone;
        column.clone().lt(ago)
    }

    /// Groups of a model's rows, whose texts are bound in the types of their columns, and whose moments find every text
    /// that means them.
    pub fn convert_groups(self, groups: Groups, table: &Table) -> Groups {
        #[cfg(feature = "postgres")]
        if self.facts().types_texts_by_columns {
            // Of a link's columns no type is known.
            let is_linked = groups.link.is_some();
            return groups.typed_by_columns(|column| is_linked || table.is_text(column));
        }
        #[cfg(not(feature = "postgres"))]
        let _ = table;
        #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
        if self.facts().compares_stored_forms {
            return groups.with_moments();
        }
        groups
    }

    /// The expression by which rows with the same value are grouped: the column itself, except for moments that the
    /// database stores as different texts.
    pub fn value_of_group(self, column: &Expr, variant: Variant) -> Expr {
        #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
        if self.facts().compares_stored_forms
            && let Some(moment) = value::moment_of(column, variant)
        {
            return moment;
        }
        let _ = variant;
        column.clone()
    }

    /// Finds rows that sort on one side of a moment although their own moment is on the other. `None` if the value is not a
    /// moment, or if the database stores each moment in one form only.
    pub fn sorts_apart(self, column: &Expr, value: &Value) -> Option<Expr> {
        #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
        if self.facts().compares_stored_forms {
            return value::sorts_apart(column, value);
        }
        let _ = (column, value);
        None
    }

    /// Whether a value is so late a moment that its text sorts before those of all earlier ones.
    pub fn sorts_too_early(self, value: &Value) -> bool {
        #[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
        if self.facts().compares_stored_forms {
            return value::is_after_last_year(value);
        }
        let _ = value;
        false
    }

    /// Puts the lists of `any_of` in a condition in the form that the database caches best.
    pub fn convert_lists(self, condition: &mut Expr) {
        if self.facts().lists == ListForm::Array {
            arrays::use_arrays(condition);
        }
    }

    /// What precedes a bound value that a column is compared with: see `Sql::signed`.
    pub fn sign(self) -> &'static str {
        if self.facts().plans_for_bare_values { "+ " } else { "" }
    }

    /// The position of a column's NULLs in an index.
    pub fn index_nulls(self, direction: Direction) -> Nulls {
        let ascending = self.facts().ascending_nulls;
        match direction {
            Direction::Asc => ascending,
            Direction::Desc => ascending.flip(),
        }
    }

    /// A count to select with the rows of a page, written so that the database plans the statement for its values.
    ///
    /// After five executions PostgreSQL switches to a generic plan if that looks no more expensive than the custom
    /// ones. A count makes it look cheap, because it dominates the cost and is estimated for an average value. The page
    /// would then be planned for the average value too, and for a common value read all of its rows. The second branch
    /// of the CASE prevents this: it makes the generic plan look expensive. Custom plans do not contain it, because
    /// `limit` is positive, so the CASE is reduced to the count. Citus runs the branch nevertheless, so it has no rows:
    /// each series ends below zero, which a generic plan does not know.
    pub fn count_planned_each_time(self, count: Sql, limit: &Sql) -> Sql {
        if !self.facts().changes_to_generic_plans {
            return count;
        }
        let series =
            |alias: &str| Sql::new(self).push("generate_series(1, -").append(limit).push(&format!(") {alias}"));
        Sql::new(self)
            .push("(CASE WHEN (")
            .append(limit)
            .push(" > (0)) THEN ")
            .append(&count)
            .push(" ELSE (SELECT COUNT(*) FROM ")
            .joined(["a", "b", "c"].map(series), ", ")
            .push(") END)")
    }

    /// A column of any table in the FROM clause. SQLite reads an unknown name in double quotes as a string; in
    /// backticks it does not.
    pub fn unqualified(self, column: &str) -> Expr {
        match self.facts().reads_unknown_names_as_texts {
            true => Expr::cust(format!("`{}`", column.replace('`', "``"))),
            false => Expr::col(column.to_owned()),
        }
    }

    pub fn quote(self, name: &str) -> String {
        let quote = self.facts().quote;
        format!("{quote}{}{quote}", name.replace(quote, &format!("{quote}{quote}")))
    }

    /// A table's schema in front of a name in it, or an empty string.
    fn schema_prefix(self, table: &Table) -> String {
        table.schema.map(|schema| format!("{}.", self.quote(schema))).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
