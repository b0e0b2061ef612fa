use chrono::NaiveTime;
use sqlx::{MySql, Postgres, Sqlite};

use super::*;

#[test]
fn only_sqlite_compares_values_as_they_are_stored() {
    let (float, midnight) = (Value::from(0.5_f32), Value::from(NaiveTime::MIN));
    assert_eq!((MySql::form(&float), form::<MySql>(&float)), (Form::Stored, Form::Exact));
    assert_eq!((Postgres::form(&midnight), form::<Postgres>(&midnight)), (Form::Stored, Form::Exact));
    assert_eq!(form::<Sqlite>(&midnight), Form::Stored);
}

#[test]
fn a_text_is_compared_by_the_type_of_its_column() {
    let text = Value::from("a");
    assert_eq!((form::<MySql>(&text), form::<Postgres>(&text)), (Form::Typed, Form::Typed));
    assert_eq!(form::<Sqlite>(&text), Form::Exact);
    let number = Value::from(7_i64);
    assert_eq!([form::<MySql>(&number), form::<Postgres>(&number), form::<Sqlite>(&number)], [Form::Exact; 3]);
}
