use super::*;

#[test]
fn an_answer_is_stored_as_long_as_its_pool_exists() {
    let [with, without, unasked] = [(); 3].map(|()| Arc::new(MySqlConnectOptions::new()));
    let usual = Session { autocommit: true, chains: false };
    let unusual = Session { autocommit: false, chains: true };
    remember(&with, usual);
    remember(&without, unusual);
    assert_eq!([&with, &without, &unasked].map(stored), [Some(usual), Some(unusual), None]);

    let closed = Arc::downgrade(&without);
    drop(without);
    remember(&unasked, unusual);
    assert_eq!([&with, &unasked].map(stored), [Some(usual), Some(unusual)]);
    let pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(!pools.iter().any(|(pool, _)| pool.ptr_eq(&closed)));
}
