use sea_query::Expr;
use sea_query::prelude::{BigDecimal, Decimal};

use super::*;
use crate::schema::column::Column;
use crate::schema::order::IntoOrder as _;

/// Whether a value of this term may have more digits than the database sends.
fn is_rounded(term: &Term) -> bool {
    rounded(term, &OrderColumn::of_table(0, term)).is_some()
}

#[test]
fn a_computed_decimal_may_have_more_digits_than_the_server_sends() {
    let ratio = || Expr::cust("a / b");
    let decimal = Column::<Decimal>::expr("ratio", ratio()).not_null().terms().remove(0);
    let big_decimal = Column::<BigDecimal>::expr("ratio", ratio()).not_null().terms().remove(0);
    assert!(is_rounded(&decimal) && is_rounded(&big_decimal));
    let float = Column::<f64>::expr("ratio", ratio()).not_null().terms().remove(0);
    assert!(!is_rounded(&float));
    let stored = Column::<Decimal>::new("ratio").terms().remove(0);
    assert!(!is_rounded(&stored));
}
