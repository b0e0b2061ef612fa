//! The SQL of one database.

pub(crate) mod catalog;

use crate::model::table::{Direction, Table};

/// The SQL of a database. MySQL's is also MariaDB's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Dialect {
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code, reason = "made by its driver only"))]
    Sqlite,
    Postgres,
    MySql,
}

/// The longest name of an index, in bytes. PostgreSQL truncates names of more than 63, and MySQL refuses them.
const LONGEST_NAME: usize = 63;

impl Dialect {
    /// A name in quotes.
    pub(crate) fn quote(self, name: &str) -> String {
        let quote = if self == Self::MySql { "`" } else { "\"" };
        format!("{quote}{}{quote}", name.replace(quote, &quote.repeat(2)))
    }

    /// The statement that creates an index of these columns.
    pub(crate) fn create_index(self, table: &Table, columns: &[(&str, Direction)]) -> String {
        let mut index = table.name.to_owned();
        let mut list = Vec::new();
        for (name, direction) in columns {
            let (suffix, order) = match direction {
                Direction::Asc => ("", ""),
                Direction::Desc => ("_desc", " DESC"),
            };
            index.push_str(&format!("_{name}{suffix}"));
            list.push(format!("{}{order}", self.quote(name)));
        }
        index.truncate(index.floor_char_boundary(LONGEST_NAME));
        let (index, columns) = (self.quote(&index), list.join(", "));
        let schema = table.schema.map(|schema| format!("{}.", self.quote(schema))).unwrap_or_default();
        let table = self.quote(table.name);
        match self {
            Self::Sqlite => format!("CREATE INDEX {schema}{index} ON {table} ({columns})"),
            Self::Postgres | Self::MySql => format!("CREATE INDEX {index} ON {schema}{table} ({columns})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_index_has_its_directions_and_a_length_that_servers_accept() {
        let posts = Table::new("posts", &[], &[], &[]);
        let (asc, desc) = (Direction::Asc, Direction::Desc);
        let one = Dialect::MySql.create_index(&posts, &[("score", desc), ("id", asc)]);
        let other = Dialect::MySql.create_index(&posts, &[("score", asc), ("id", desc)]);
        assert_eq!(one, "CREATE INDEX `posts_score_desc_id` ON `posts` (`score` DESC, `id`)");
        assert_eq!(other, "CREATE INDEX `posts_score_id_desc` ON `posts` (`score`, `id` DESC)");
        let in_schema =
            |dialect: Dialect| dialect.create_index(&Table::new("a\"b", &[], &[], &[]).schema("blog"), &[("id", asc)]);
        assert_eq!(in_schema(Dialect::Postgres), r#"CREATE INDEX "a""b_id" ON "blog"."a""b" ("id")"#);
        assert_eq!(in_schema(Dialect::Sqlite), r#"CREATE INDEX "blog"."a""b_id" ON "a""b" ("id")"#);
        let long = Dialect::Postgres.create_index(&posts, &[(&"ü".repeat(40), asc)]);
        assert!(long.starts_with(&format!("CREATE INDEX \"posts_{}\" ON", "ü".repeat(28))), "{long}");
    }
}
