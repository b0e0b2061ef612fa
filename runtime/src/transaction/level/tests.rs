use futures_util::FutureExt as _;
use futures_util::future::poll_immediate;

use super::*;

/// A transaction with two savepoints inside each other.
fn levels() -> [Arc<Level>; 3] {
    let outermost = Level::inside(None);
    let middle = Level::inside(Some(Arc::clone(&outermost)));
    let innermost = Level::inside(Some(Arc::clone(&middle)));
    [outermost, middle, innermost]
}

/// Which levels can still be used.
fn usable(levels: &[Arc<Level>; 3]) -> [bool; 3] {
    levels.each_ref().map(|level| level.check().is_ok())
}

#[test]
fn a_level_is_one_deeper_than_the_one_around_it() {
    assert_eq!(levels().map(|level| level.depth), [1, 2, 3]);
}

#[test]
fn a_level_ends_those_inside_it() {
    for (ended, expected) in [(0, [false; 3]), (1, [true, false, false]), (2, [true, true, false])] {
        let levels = levels();
        assert_eq!(usable(&levels), [true; 3]);
        levels[ended].end();
        assert_eq!(usable(&levels), expected);
    }
}

#[test]
fn only_levels_deeper_than_the_transaction_end() {
    for (depth, expected) in
        [(0, [false; 3]), (1, [true, false, false]), (2, [true, true, false]), (3, [true; 3]), (4, [true; 3])]
    {
        let levels = levels();
        levels[2].end_deeper_than(depth);
        assert_eq!(usable(&levels), expected, "deeper than {depth}");
    }
}

#[test]
fn a_level_is_open_inside_all_that_are_around_it() {
    let levels = levels();
    let [outermost, middle, innermost] = &levels;
    assert!(middle.is_open_inside(outermost) && innermost.is_open_inside(outermost));
    assert!(innermost.is_open_inside(middle));
    assert!(!outermost.is_open_inside(middle) && !middle.is_open_inside(middle));
    assert!(!Level::inside(None).is_open_inside(outermost));
    innermost.end();
    assert!(middle.is_open_inside(outermost) && !innermost.is_open_inside(outermost));
}

#[test]
fn a_level_is_claimed_by_one_at_a_time() {
    let (level, work) = (Level::inside(None), Work::default());
    assert!(level.is_vacant());
    let claim = level.claim(&work).now_or_never().expect("the level is free").expect("the level is open");
    assert!(!level.is_vacant() && !level.try_claim(&work));
    drop(claim);
    assert!(level.is_vacant() && level.try_claim(&work));
}

#[tokio::test]
async fn branches_of_the_same_work_wait_and_other_work_is_refused() {
    let (level, work) = (Level::inside(None), Work::default());
    level.vacant(&work).await.expect("the level is free");
    let claim = level.claim(&work).await.expect("the level is free");
    assert!(level.vacant(&Work::default()).await.is_err());
    let mut wait = Box::pin(level.vacant(&work));
    assert!(poll_immediate(&mut wait).await.is_none());
    drop(claim);
    wait.await.expect("the level is free again");
    level.end();
    assert!(level.vacant(&work).await.is_err());
}
