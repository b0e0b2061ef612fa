//! Random programs of transactions against a model of what must be committed.
//!
//! A program nests transactions, runs branches side by side, hands transactions to tasks, ignores errors, and ends
//! transactions on the server. Whatever it does, rows that were reported as committed exist, rows that were reported as
//! failed do not, each error has a cause, and nothing hangs. `FOLIO_PROGRAMS` sets the number of programs.

mod model;
mod run;
mod step;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use folio_tests::limit::limited;
use proptest::test_runner::{Config, TestRunner};
use tokio::runtime::Runtime;
use tokio::task::LocalSet;

use self::model::Model;
use self::run::{Run, Scope};
use crate::server::{self, ID, TEXT};
use crate::suite::db::{self, Pool};

/// The default number of programs, which takes a few seconds.
const PROGRAMS: u32 = 300;

fn programs() -> u32 {
    std::env::var("FOLIO_PROGRAMS").ok().and_then(|number| number.parse().ok()).unwrap_or(PROGRAMS)
}

#[test]
fn the_reports_of_a_program_match_the_committed_rows() {
    let runtime = db::runtime();
    let pool = runtime.block_on(async {
        let pool = server::pool(3).await;
        set_up(&pool).await;
        pool
    });
    run_programs(&runtime, programs(), &pool, &pool);
}

/// The tables of the programs.
pub(crate) async fn set_up(pool: &Pool) {
    let schema = format!(
        "CREATE TABLE notes (id {ID}); CREATE TABLE pairs (id {ID}, name {TEXT}); \
         INSERT INTO pairs VALUES (1, 'a'), (2, 'b')"
    );
    db::run(pool, schema).await;
}

/// Runs programs on a pool, and looks at their results through another pool of the same database.
pub(crate) fn run_programs(runtime: &Runtime, programs: u32, pool: &Pool, direct: &Pool) {
    let _inside = runtime.enter();
    let folio = folio::Folio::new(pool.clone());
    let tally = RefCell::new(model::Tally::default());
    let config = Config { cases: programs, failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    let outcome = TestRunner::new(config).run(&step::program(), |program| {
        let model = Rc::new(RefCell::new(Model::default()));
        let run = Run { model: Rc::clone(&model), pool: direct.clone(), next: Rc::new(Cell::new(10)) };
        let (rows, connections) = runtime.block_on(limited(LocalSet::new().run_until(async {
            db::run(direct, "DELETE FROM notes").await;
            db::run(direct, "INSERT INTO notes VALUES (1)").await;
            let _ = folio.scope(run.transaction(&program, Scope::top())).await;
            let rows: Vec<i64> =
                sqlx::query_scalar("SELECT id FROM notes ORDER BY id").fetch_all(direct).await.unwrap();
            let mut connection = pool.acquire().await.unwrap();
            (rows, server::in_transaction(&mut connection).await)
        })));
        let model = model.borrow();
        model.assert_committed(rows);
        assert!(!connections, "a pooled connection is inside a transaction");
        tally.borrow_mut().add(&model);
        Ok(())
    });
    outcome.unwrap();
    // If all programs failed, the test would show nothing.
    tally.borrow().assert_is_varied(programs);
}
