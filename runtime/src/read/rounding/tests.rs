use folio_core::order::OrderColumn;
use folio_core::schema::term::Term;
use sea_query::Expr;
use sea_query::prelude::Decimal;
use sqlx::{MySql, Postgres};

use super::*;
use crate::driver::ResultColumn;
use crate::schema::column::Column;
use crate::schema::order::IntoOrder as _;

/// Whether a value of this term may have more digits than the database sends.
fn is_rounded<D: Driver>(term: &Term) -> bool {
    let sort = OrderColumn::of_table(0, term);
    let result_column = ResultColumn { at: 0, name: "ratio" };
    rounded::<D>(SortedColumn { term, sort: &sort, result_column }).is_some()
}

#[test]
fn only_mysql_may_send_fewer_digits_of_a_computed_decimal_than_it_compares() {
    let ratio = || Expr::cust("a / b");
    let computed = Column::<Decimal>::expr("ratio", ratio()).not_null().terms().remove(0);
    assert!(is_rounded::<MySql>(&computed) && !is_rounded::<Postgres>(&computed));
    let float = Column::<f64>::expr("ratio", ratio()).not_null().terms().remove(0);
    assert!(!is_rounded::<MySql>(&float));
    let stored = Column::<Decimal>::new("ratio").terms().remove(0);
    assert!(!is_rounded::<MySql>(&stored));
}

#[test]
fn both_types_of_decimals_are_decimals() {
    let cases =
        [(Variant::Decimal, true), (Variant::BigDecimal, true), (Variant::Double, false), (Variant::String, false)];
    for (variant, expected) in cases {
        assert_eq!(is_decimal(variant), expected, "{}", variant.as_str());
    }
}
