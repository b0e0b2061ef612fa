//! Runs a program and reports its results to the model.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;

use folio::{DB, Folio, Result, TransactionHandle};
use futures_util::StreamExt as _;
use futures_util::future::{LocalBoxFuture, join_all, select};

use super::model::{BASE, Model, Path};
use super::step::{Program, Step};
use crate::server::{self, End};
use crate::suite::db::Pool;
use crate::suite::transactions::notes::{Note, drop_after, failure};

type Guard = folio::ConnectionGuard<server::Driver>;

/// Does something when it is dropped, unless it was disarmed.
struct OnDrop<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> OnDrop<F> {
    fn new(work: F) -> Self {
        Self(Some(work))
    }

    fn disarm(mut self) {
        self.0 = None;
    }
}

impl<F: FnOnce()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        if let Some(work) = self.0.take() {
            work();
        }
    }
}

/// Where a step runs.
#[derive(Clone)]
pub(super) struct Scope {
    path: Path,
    /// The transaction around this one.
    outer: Option<TransactionHandle>,
}

impl Scope {
    pub(super) fn top() -> Self {
        Self { path: Path::new(), outer: None }
    }
}

#[derive(Clone)]
pub(super) struct Run {
    pub(super) model: Rc<RefCell<Model>>,
    pub(super) pool: Pool,
    pub(super) next: Rc<Cell<i64>>,
}

impl Run {
    /// Runs a transaction in a scope and records its result.
    pub(super) fn transaction<'a>(&'a self, program: &'a Program, around: Scope) -> LocalBoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let scope = Scope { path: self.model.borrow_mut().open(&around.path), outer: DB::current() };
            let cut = OnDrop::new(|| self.model.borrow_mut().cut(&scope.path));
            let result = DB::transaction(async || {
                let result = self.steps(&program.steps, &scope).await;
                match result.is_ok() && program.keep {
                    true => self.model.borrow_mut().ending(&scope.path),
                    false => self.model.borrow_mut().failing(&scope.path),
                }
                result?;
                if program.keep { Ok(()) } else { Err(failure()) }
            })
            .await;
            cut.disarm();
            let mut model = self.model.borrow_mut();
            if let Err(error) = &result {
                model.explain(error);
            }
            model.close(&scope.path, result.is_ok());
            result
        })
    }

    async fn steps(&self, steps: &[Step], scope: &Scope) -> Result<()> {
        for step in steps {
            self.step(step, scope).await?;
        }
        Ok(())
    }

    async fn step(&self, step: &Step, scope: &Scope) -> Result<()> {
        match step {
            Step::Insert { passes } => self.heed(self.insert(&scope.path).await, *passes),
            Step::Page => self.heed(self.page(&scope.path).await, false),
            Step::Fail { passes } => self.heed(self.fail().await, *passes),
            Step::Nest { program, passes } => {
                let result = self.transaction(program, scope.clone()).await;
                if *passes { result } else { Ok(()) }
            }
            Step::Join(branches) => {
                let branches = branches.iter().map(|steps| self.branch(steps, scope));
                join_all(branches).await.into_iter().collect()
            }
            Step::Buffered(branches) => {
                let branches = futures_util::stream::iter(branches).map(|steps| self.branch(steps, scope));
                branches.buffer_unordered(2).collect::<Vec<_>>().await.into_iter().collect()
            }
            Step::Limit { polls, steps } => drop_after(self.branch(steps, scope), *polls).await.unwrap_or(Ok(())),
            Step::Select(one, other) => {
                select(self.branch(one, scope), self.branch(other, scope)).await.factor_first().0
            }
            Step::Move => self.heed(self.move_guard(&scope.path).await, false),
            Step::Spawn(steps) => self.spawn(steps.clone(), scope.clone()).await,
            Step::Outer => {
                self.outer(scope).await;
                Ok(())
            }
            Step::End(end) => self.heed(self.end(*end).await, false),
            Step::Deadlock => self.heed(self.deadlock().await, false),
            Step::Yield => {
                tokio::task::yield_now().await;
                Ok(())
            }
        }
    }

    fn branch<'a>(&'a self, steps: &'a [Step], scope: &'a Scope) -> LocalBoxFuture<'a, Result<()>> {
        Box::pin(self.steps(steps, scope))
    }

    /// Explains an error, and returns it if the program does.
    fn heed(&self, result: Result<()>, passes: bool) -> Result<()> {
        if let Err(error) = &result {
            self.model.borrow_mut().explain(error);
        }
        if passes { result } else { Ok(()) }
    }

    async fn insert(&self, path: &Path) -> Result<()> {
        let id = self.next.replace(self.next.get() + 1);
        let cut = OnDrop::new(|| self.model.borrow_mut().cut_insert(id));
        let inserted = self.insert_on(async { server::connection().await }, id, path).await;
        cut.disarm();
        inserted
    }

    async fn insert_on(&self, guard: impl Future<Output = Result<Guard>>, id: i64, path: &Path) -> Result<()> {
        let mut connection = guard.await?;
        let sql = format!("INSERT INTO notes VALUES ({id})");
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut *connection).await?;
        // It holds the connection, so nothing else can have ended the transaction.
        self.model.borrow_mut().insert(id, path);
        Ok(())
    }

    async fn move_guard(&self, path: &Path) -> Result<()> {
        let guard = server::connection().await?;
        let id = self.next.replace(self.next.get() + 1);
        let (run, path_there) = (self.clone(), path.clone());
        let task = async move { run.insert_on(async { Ok(guard) }, id, &path_there).await };
        let task = tokio::task::spawn_local(task);
        let page = self.page(path).await;
        task.await.unwrap()?;
        page
    }

    async fn page(&self, path: &Path) -> Result<()> {
        let total = Note::query().page(1).paginate(3).await?.total;
        let visible = self.model.borrow().visible(path);
        assert!(visible.contains(&total), "a page sees {total}, not {visible:?}");
        Ok(())
    }

    async fn fail(&self) -> Result<()> {
        let mut connection = server::connection().await?;
        let sql = format!("INSERT INTO notes VALUES ({BASE})");
        let result = sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut *connection).await;
        self.model.borrow_mut().fail();
        result.expect_err("the row is there");
        Err(failure())
    }

    async fn spawn(&self, steps: Vec<Step>, scope: Scope) -> Result<()> {
        self.model.borrow_mut().hand_on();
        let (folio, transaction, run) = (Folio::current()?, DB::current().unwrap(), self.clone());
        let task = async move { run.branch(&steps, &scope).await };
        tokio::task::spawn_local(async move { folio.scope(transaction.scope(task)).await }).await.unwrap()
    }

    /// Inside a nested transaction, the handle of the outer one is refused, unless the savepoint of the nested one is
    /// gone.
    async fn outer(&self, scope: &Scope) {
        let (Some(outer), [around @ .., _]) = (&scope.outer, scope.path.as_slice()) else { return };
        self.model.borrow_mut().hand_on();
        match outer.scope(self.insert(&around.to_vec())).await {
            Ok(()) => self.model.borrow().assert_failed(),
            Err(error) => self.model.borrow_mut().explain(&error),
        }
    }

    async fn end(&self, end: End) -> Result<()> {
        let mut connection = server::connection().await?;
        // After an error a COMMIT rolls back, on PostgreSQL.
        let commits = end.commits && sqlx::raw_sql("SELECT 1").execute(&mut *connection).await.is_ok();
        let _ = sqlx::raw_sql(end.sql).execute(&mut *connection).await;
        self.model.borrow_mut().end(commits);
        Ok(())
    }

    async fn deadlock(&self) -> Result<()> {
        let mut connection = server::connection().await?;
        if server::deadlock(&mut connection, &self.pool).await.is_some() {
            let mut model = self.model.borrow_mut();
            if server::DEADLOCKS_END { model.end(false) } else { model.fail() }
        }
        Ok(())
    }
}
