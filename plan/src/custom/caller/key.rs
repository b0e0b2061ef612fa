//! The columns of a key, and where a caller's select has them.

use sea_query::Expr;

use crate::custom::shape::From;
use crate::order::OrderColumn;
use crate::schema::table::Table;
use crate::schema::term::Term;
use crate::statement::select::DERIVED;

/// Where a term's column is found.
pub(super) enum Place {
    /// Among the columns of the FROM clause, as this expression.
    From(Expr),
    /// In the select's result, under this name.
    Result(String),
}

pub(super) struct KeyColumn {
    pub(super) term: Term,
    pub(super) place: Place,
    /// Its name in the result.
    pub(super) name: String,
}

impl KeyColumn {
    /// A column, which is named by the next of the free names if folio selects it.
    pub(super) fn new(term: Term, place: Place, mut free: impl Iterator<Item = String>) -> Self {
        let name = match &place {
            Place::From(_) => free.next().unwrap_or_default(),
            Place::Result(name) => name.clone(),
        };
        Self { term, place, name }
    }

    /// The column of the order.
    pub(super) fn sort(&self, in_place: bool) -> OrderColumn {
        let expr = match &self.place {
            Place::From(column) if in_place => column.clone(),
            _ => Expr::col((DERIVED, self.name.clone())),
        };
        OrderColumn::of(&self.term, expr, self.name.clone())
    }

    /// Whether it is among the columns of the FROM clause.
    pub(super) fn is_from(&self) -> bool {
        matches!(self.place, Place::From(_))
    }
}

/// The table in a FROM clause, if all columns of the key are its own.
pub(super) fn table_of(key: &[KeyColumn], from: &From) -> Option<&'static Table> {
    // An alias replaces the table's name.
    let name = from.alias.as_ref().unwrap_or(&from.name);
    let is_named = |term: &Term| term.qualifier().is_none_or(|qualifier| qualifier == name);
    let is_own = key.iter().all(|column| column.is_from() && is_named(&column.term));
    let mut tables = key.iter().filter_map(|column| column.term.table);
    tables.find(|table| is_own && is_table(from, table))
}

/// Whether the key has the whole primary key of a table that all of its columns belong to.
pub(super) fn has_primary_key(key: &[KeyColumn], table: &Table) -> bool {
    let has = |name: &&str| key.iter().any(|column| column.term.is_named(name));
    table.primary_key.iter().all(has)
}

/// Whether this is the table in a FROM clause. Either may leave out the schema.
pub(super) fn is_table(from: &From, table: &Table) -> bool {
    let schemas = from.schema.as_deref().zip(table.schema);
    from.name == table.name && schemas.is_none_or(|(one, other)| one == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{by, by_column_of};

    static POSTS: Table = Table::new("posts", &[], &["id"], &[]);
    static BLOG_POSTS: Table = Table::new("posts", &[], &["blog", "id"], &[]).schema("blog");
    static USERS: Table = Table::new("users", &[], &["id"], &[]);

    fn column(table: Option<&'static Table>, name: &'static str) -> KeyColumn {
        let term = table.map_or_else(|| by(name), |table| by_column_of(table, name));
        KeyColumn { term, place: Place::From(Expr::col(name)), name: name.to_owned() }
    }

    fn from(schema: Option<&str>, name: &str, alias: Option<&str>) -> From {
        From { schema: schema.map(str::to_owned), name: name.to_owned(), alias: alias.map(str::to_owned) }
    }

    #[test]
    fn a_key_belongs_to_the_only_table_if_all_of_its_columns_do() {
        let posts = || column(Some(&POSTS), "id");
        let name = |key: &[KeyColumn], from| table_of(key, &from).map(|table| table.name);
        let of_posts = || from(None, "posts", None);
        assert_eq!(name(&[posts()], of_posts()), Some("posts"));
        assert_eq!(name(&[column(None, "title"), posts()], of_posts()), Some("posts"));
        assert_eq!(name(&[column(None, "title")], of_posts()), None, "no column names its table");
        assert_eq!(name(&[posts()], from(None, "users", None)), None);
        assert_eq!(name(&[column(Some(&USERS), "id"), posts()], of_posts()), None);
        // In an order, an alias replaces the table's name.
        assert_eq!(name(&[posts()], from(None, "posts", Some("p"))), None);
        assert_eq!(name(&[posts()], from(None, "users", Some("posts"))), None, "an alias that is another table's name");
        let result = KeyColumn { place: Place::Result("id".to_owned()), ..posts() };
        assert_eq!(name(&[result, posts()], of_posts()), None, "a column of the result may be computed");
    }

    #[test]
    fn a_schema_may_be_left_out_but_must_not_differ() {
        let is_blog = |schema| is_table(&from(schema, "posts", None), &BLOG_POSTS);
        assert!(is_blog(None) && is_blog(Some("blog")) && !is_blog(Some("shop")));
        assert!(is_table(&from(Some("blog"), "posts", None), &POSTS));
        assert!(!is_table(&from(Some("blog"), "users", None), &BLOG_POSTS));
    }

    #[test]
    fn a_key_breaks_ties_if_it_has_the_whole_primary_key() {
        let key = |names: &[&'static str]| names.iter().map(|name| column(Some(&BLOG_POSTS), name)).collect::<Vec<_>>();
        assert!(has_primary_key(&key(&["title", "blog", "id"]), &BLOG_POSTS));
        assert!(!has_primary_key(&key(&["title", "id"]), &BLOG_POSTS));
        assert!(!has_primary_key(&key(&["title"]), &BLOG_POSTS));
    }
}
