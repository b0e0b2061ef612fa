use super::*;

#[test]
fn an_answer_is_stored_as_long_as_its_pool_exists() {
    let [with, without, unasked] = [(); 3].map(|()| Arc::new(MySqlConnectOptions::new()));
    remember(&with, true);
    remember(&without, false);
    assert_eq!([&with, &without, &unasked].map(known), [Some(true), Some(false), None]);

    let closed = Arc::downgrade(&without);
    drop(without);
    remember(&unasked, false);
    assert_eq!([&with, &unasked].map(known), [Some(true), Some(false)]);
    let pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(!pools.iter().any(|(pool, _)| pool.ptr_eq(&closed)));
}
