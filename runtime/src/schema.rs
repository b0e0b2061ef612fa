//! What a database knows about a table: which of its columns are declared NOT NULL.
//!
//! A walk by a column that is never NULL needs fewer ranges. But that a field is not an `Option` does not prove it: a row
//! with NULL would be left out without an error. So the database is asked, once in a while for each table.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::connection::Held;
use crate::driver::Driver;
use crate::pool::PoolId;
use crate::table::Table;
use crate::walk::Walk;

/// How long an answer is trusted: a migration may drop NOT NULL while the service runs.
const TRUSTED: Duration = Duration::from_secs(60);

/// How many answers are kept at most. A service has one for each model and pool.
const MOST: usize = 1_024;

/// A pool and the place of a table in memory.
type Key = (PoolId, usize);
type Answers = HashMap<Key, (Instant, Arc<[String]>)>;

static ANSWERS: Mutex<Option<Answers>> = Mutex::new(None);

/// For each of a walk's columns, whether it may be NULL though its type in Rust cannot: everywhere the database does not
/// say that it is NOT NULL.
pub(crate) async fn undeclared<D: Driver>(held: &mut Held<D>, walk: &Walk, pool: PoolId) -> Vec<bool> {
    let Some(table) = walk.table else {
        return walk.terms.iter().map(|term| term.key.nulls.is_none()).collect();
    };
    let declared = not_null(held, table, pool).await;
    let is_declared = |name: &str| declared.iter().any(|column| column.eq_ignore_ascii_case(name));
    walk.terms.iter().map(|term| term.key.nulls.is_none() && !is_declared(term.key.name)).collect()
}

async fn not_null<D: Driver>(held: &mut Held<D>, table: &'static Table, pool: PoolId) -> Arc<[String]> {
    let key = (pool, std::ptr::from_ref(table).addr());
    if let Some(answer) = known(&key) {
        return answer;
    }
    // Of a table that cannot be looked up nothing is known, and its walks are as right as any other.
    let answer: Arc<[String]> = match held.not_null(table).await {
        Ok(columns) => columns.into(),
        Err(error) => {
            tracing::debug!(%error, table = table.name, "the columns of a table cannot be looked up");
            return Arc::default();
        }
    };
    remember(key, answer.clone());
    answer
}

fn known(key: &Key) -> Option<Arc<[String]>> {
    let answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    let (at, answer) = answers.as_ref()?.get(key)?;
    (at.elapsed() < TRUSTED).then(|| answer.clone())
}

fn remember(key: Key, answer: Arc<[String]>) {
    let mut answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    let answers = answers.get_or_insert_default();
    if answers.len() >= MOST {
        answers.clear();
    }
    answers.insert(key, (Instant::now(), answer));
}
