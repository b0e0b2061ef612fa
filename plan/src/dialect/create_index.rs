//! The statement that creates the index which a list needs.

use super::Dialect;
use crate::dialect::catalog::{IndexPart, SortedPart};
use crate::schema::table::{Direction, Table};

/// The longest name of an index, in bytes. PostgreSQL truncates names of more than 63, and MySQL refuses them.
const LONGEST_NAME: usize = 63;

impl Dialect {
    pub fn create_index(self, table: &Table, parts: &[SortedPart]) -> String {
        let index = self.quote(&index_name(table, parts));
        let schema = self.schema_prefix(table);
        let columns: Vec<String> = parts
            .iter()
            .map(|(part, direction)| {
                let part = match part {
                    IndexPart::Column(name) => self.quote(name),
                    IndexPart::Expression(_, expr) => format!("({})", self.index_expression(expr, table)),
                };
                if *direction == Direction::Desc { part + " DESC" } else { part }
            })
            .collect();
        let (table, columns) = (self.quote(table.name), columns.join(", "));
        match self.facts().qualifies_new_indexes {
            true => format!("CREATE INDEX {schema}{index} ON {table} ({columns})"),
            false => format!("CREATE INDEX {index} ON {schema}{table} ({columns})"),
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
    use sea_query::Expr;

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
