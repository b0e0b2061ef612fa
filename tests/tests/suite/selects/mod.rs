//! Random selects: whatever a select is made of, its pages and walks have the rows of the plain statement, or end in an
//! error.
//!
//! The oracle is the database: the plain statement is run by hand, and window functions rank its rows in the order of
//! the walk. The seed alone determines a select. `FOLIO_SELECTS` sets how many selects there are, `FOLIO_SELECTS_FROM`
//! the first seed. To see the table of results, run the test with `--nocapture`.
//!
//! The oracle does not know every reason for a correct error. Of the selects that are run by default none ends in an
//! error that it does not expect; of others, one call in 500 may.

mod case;
mod check;
mod dialect;
mod grammar;
mod keys;
mod lists;
mod oracle;
mod random;
mod raw;
mod report;
mod row;
mod schema;
mod sources;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use case::Case;
use check::{Answer, Call, Verdict, check};
use dialect::{Dialect, dialect};
use report::Report;
use schema::World;

use crate::suite::db;

/// An upper limit that turns a call that never ends into a failure.
const HANG: Duration = Duration::from_secs(120);

#[test]
fn every_select_is_paged_as_the_database_runs_it() {
    let runtime = db::runtime();
    let worlds = runtime.block_on(schema::worlds());
    let first = number("FOLIO_SELECTS_FROM").unwrap_or_default();
    let count = number("FOLIO_SELECTS").unwrap_or(if dialect() == Dialect::Sqlite { 400 } else { 300 });
    let mut report = Report::default();
    for seed in first..first + count {
        let case = grammar::case(seed);
        let world = &worlds[usize::try_from(seed).unwrap() % worlds.len()];
        let checked = catch_unwind(AssertUnwindSafe(|| runtime.block_on(world.folio.scope(ended(world, &case)))));
        report.add(seed, &case, checked.unwrap_or_else(|_| broken("a panic")));
    }
    println!("{report}");
    assert!(report.wrong.is_empty(), "some selects are paged wrongly");
    let owed: usize = report.owed.values().sum();
    assert!(
        report.denials() <= if first == 0 && count <= 3_000 { 0 } else { owed / 500 },
        "some calls end in an error"
    );
    if count >= 100 {
        assert_meaningful(&report);
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|number| number.parse().expect("a number"))
}

async fn ended(world: &World, case: &Case) -> Verdict {
    tokio::time::timeout(HANG, check(world, case)).await.unwrap_or_else(|_| broken("a hang"))
}

fn broken(kind: &str) -> Verdict {
    Verdict::Checked(vec![(Call::Walk, true, Answer::Wrong { kind: kind.to_owned(), detail: String::new() })])
}

/// Most selects are valid, and most calls have to be answered, so that an error there is a failure.
fn assert_meaningful(report: &Report) {
    let percent = |count: usize| count * 100 / report.selects;
    let owed = |call| percent(report.owed.get(&call).copied().unwrap_or_default());
    assert!(percent(report.invalid()) < 15, "too many selects are not valid SQL");
    assert!(owed(Call::Numbered) >= 75, "too few numbered pages have to be answered");
    assert!(owed(Call::Simple) >= 75, "too few simple pages have to be answered");
    assert!(owed(Call::Walk) >= 45, "too few walks have to be answered");
}
