use chrono::NaiveTime;
use sqlx::{MySql, Postgres, Sqlite};

use super::*;

#[test]
fn only_sqlite_compares_values_as_they_are_stored() {
    let (float, midnight) = (Value::from(0.5_f32), Value::from(NaiveTime::MIN));
    assert_eq!((MySql::stored_as(&float), form::<MySql>(&float)), (StoredAs::ByRow, StoredAs::AsBound));
    assert_eq!((Postgres::stored_as(&midnight), form::<Postgres>(&midnight)), (StoredAs::ByRow, StoredAs::AsBound));
    assert_eq!(form::<Sqlite>(&midnight), StoredAs::ByRow);
}

#[test]
fn a_text_is_compared_by_the_type_of_its_column() {
    let text = Value::from("a");
    assert_eq!((form::<MySql>(&text), form::<Postgres>(&text)), (StoredAs::ByType, StoredAs::ByType));
    assert_eq!(form::<Sqlite>(&text), StoredAs::AsBound);
    let number = Value::from(7_i64);
    assert_eq!([form::<MySql>(&number), form::<Postgres>(&number), form::<Sqlite>(&number)], [StoredAs::AsBound; 3]);
}
