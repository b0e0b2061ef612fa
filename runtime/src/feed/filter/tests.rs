use super::*;
use crate::AnyModel;
use crate::schema::column::Column;

#[test]
fn sqlite_reads_integers_from_one_parameter() {
    let text = |groups: &Groups, dialect: Dialect| {
        let select = Query::select().column("id").from("posts").and_where(filter(groups, dialect)).take();
        dialect.render(&select, &|_| None)
    };
    let numbers = Groups::new::<AnyModel, _, _>(Column::<i64>::new("author"), [7, 8]);
    let (sql, values) = text(&numbers, Dialect::Sqlite);
    assert!(sql.ends_with(r#""author" IN (SELECT "value" FROM json_each(?) AS "folio_values")"#), "{sql}");
    assert_eq!(values.0, ["[7,8]".into()]);
    let texts = Groups::new::<AnyModel, _, _>(Column::<String>::new("tag"), ["a", "b"].map(str::to_owned));
    for (groups, dialect) in [(&numbers, Dialect::MySql), (&texts, Dialect::Sqlite)] {
        let (sql, values) = text(groups, dialect);
        assert!(!sql.contains("json_each") && values.0.len() == 2, "{sql}");
    }
}
