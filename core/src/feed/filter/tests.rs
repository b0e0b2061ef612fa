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
