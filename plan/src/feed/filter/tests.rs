use sea_query::{ColumnName, IntoIden as _, SchemaName, TableName};

use super::*;
use crate::dialect::Param;
use crate::testing;

#[test]
fn sqlite_reads_integers_from_one_parameter() {
    let text = |groups: &Groups, dialect: Dialect| {
        let (_, condition) = filter(groups, dialect);
        let values: Vec<Param> = condition.sql().params().cloned().collect();
        (condition.sql().text(), values)
    };
    let numbers = testing::groups(&["author"], [7_i64, 8]);
    let (sql, values) = text(&numbers, Dialect::Sqlite);
    assert!(sql.ends_with(r#""author" IN (SELECT "value" FROM json_each(?) AS "folio_values")"#), "{sql}");
    assert_eq!(values, [Param::Constant("[7,8]".into())]);
    let texts = testing::groups(&["tag"], ["a", "b"]);
    for (groups, dialect) in [(&numbers, Dialect::MySql), (&texts, Dialect::Sqlite)] {
        let (sql, values) = text(groups, dialect);
        assert!(!sql.contains("json_each") && values.len() == 2, "{sql}");
    }
}

/// Posts, by the tag that `blog.post_tags` gives them.
fn tagged(tags: impl IntoIterator<Item = i64>) -> Groups {
    let table = TableName(Some(SchemaName(None, "blog".into_iden())), "post_tags".into_iden());
    let id = ColumnName(Some(TableName(None, "posts".into_iden())), "id".into_iden());
    let groups = Groups::new(vec![Link::column("tag".into_iden())], tags.into_iter().map(Value::from).collect());
    groups.through(Some(Link { table, keys: vec![("post".into_iden(), id)] }))
}

#[test]
fn rows_of_a_link_are_in_its_select() {
    for (dialect, parameter) in [(Dialect::Postgres, "$1"), (Dialect::Sqlite, "?"), (Dialect::MySql, "?")] {
        let (expr, condition) = filter(&tagged([7]), dialect);
        let text = condition.sql().unsigned_text().replace('`', "\"");
        let links = r#"SELECT "folio_links"."post" FROM "blog"."post_tags" AS "folio_links""#;
        assert_eq!(text, format!(r#"(("posts"."id") IN ({links} WHERE "folio_links"."tag" = {parameter}))"#));
        // The expression says the same.
        assert_eq!(Sql::of(dialect, &expr).text().replace('`', "\""), text);
        let (_, condition) = filter(&tagged([7, 8]), dialect);
        let text = condition.sql().text().replace('`', "\"");
        assert!(text.starts_with(&format!(r#"("posts"."id") IN ({links} WHERE "#)), "{text}");
    }
}
