//! The rows that must be committed, according to the results that the program gets.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use folio::FrameworkError;

use crate::server;

/// The row that exists from the start.
pub(super) const BASE: i64 = 1;

/// The scopes around a statement, from the outermost to its own.
pub(super) type Path = Vec<u32>;

#[derive(Debug, Default)]
pub(super) struct Model {
    /// The rows that were inserted since the transaction was begun or ended, and the scopes that they are in.
    rows: BTreeMap<i64, Path>,
    /// The scopes that are open.
    open: Vec<u32>,
    /// The scopes whose work has succeeded.
    ending: Vec<u32>,
    /// The scopes whose work has failed.
    failing: Vec<u32>,
    scopes: u32,
    committed: Vec<i64>,
    /// The rows whose statement or nested transaction was cut short. They may be there.
    uncertain: BTreeSet<i64>,
    pub(super) cuts: u64,
    /// Whether a statement has ended the transaction.
    ended: bool,
    /// Whether a statement has failed, after which PostgreSQL refuses all others.
    failed: bool,
    /// Whether a handle was used, which is refused while a nested transaction is open.
    handed: bool,
    pub(super) refusals: u64,
    pub(super) inserts: u64,
}

impl Model {
    /// Opens a scope inside those of a path.
    pub(super) fn open(&mut self, path: &Path) -> Path {
        self.scopes += 1;
        self.open.push(self.scopes);
        [path.as_slice(), &[self.scopes]].concat()
    }

    /// A scope was committed, or released, or its rows are gone.
    pub(super) fn close(&mut self, path: &Path, kept: bool) {
        let scope = path.last().unwrap();
        self.open.retain(|open| open != scope);
        if !kept {
            self.rows.retain(|_, path| !path.contains(scope));
        }
        if path.len() == 1 {
            self.committed.extend(std::mem::take(&mut self.rows).into_keys());
        }
    }

    /// A nested transaction was dropped. It may have been released before.
    pub(super) fn cut(&mut self, path: &Path) {
        let scope = *path.last().unwrap();
        self.open.retain(|open| *open != scope);
        let (cut, rows) = std::mem::take(&mut self.rows).into_iter().partition(|(_, path)| path.contains(&scope));
        self.rows = rows;
        let cut: BTreeMap<i64, Path> = cut;
        self.uncertain.extend(cut.into_keys());
        self.cuts += 1;
    }

    /// An insert was dropped.
    pub(super) fn cut_insert(&mut self, id: i64) {
        self.uncertain.insert(id);
        self.cuts += 1;
    }

    pub(super) fn insert(&mut self, id: i64, path: &Path) {
        self.inserts += 1;
        self.rows.insert(id, path.clone());
    }

    /// A statement has ended the transaction on the server.
    pub(super) fn end(&mut self, commits: bool) {
        for (row, path) in std::mem::take(&mut self.rows) {
            if path.iter().any(|scope| self.failing.contains(scope)) {
                self.uncertain.insert(row);
            } else if commits {
                self.committed.push(row);
            }
        }
        self.ended = true;
    }

    pub(super) fn fail(&mut self) {
        self.failed = true;
    }

    /// The handle of an outer transaction was not refused: after an error, PostgreSQL sets no savepoint, and sqlx rolls
    /// back the one before.
    pub(super) fn assert_failed(&self) {
        assert!(self.failed, "a nested transaction is open");
    }

    pub(super) fn hand_on(&mut self) {
        self.handed = true;
    }

    /// The work of a scope has succeeded. Its savepoint is released before the program hears of it.
    pub(super) fn ending(&mut self, path: &Path) {
        self.ending.extend(path.last());
    }

    /// The work of a scope has failed. Its savepoint is rolled back before the program hears of it.
    pub(super) fn failing(&mut self, path: &Path) {
        self.failing.extend(path.last());
    }

    /// How many rows a statement in a scope may see, without those of a nested transaction that is open beside it.
    pub(super) fn visible(&self, path: &Path) -> RangeInclusive<u64> {
        let is_open = |scope: &u32| self.open.contains(scope) && !path.contains(scope);
        let beside = |row: &Path| row.iter().any(is_open);
        let still_beside = |row: &Path| row.iter().any(|scope| is_open(scope) && !self.ending.contains(scope));
        let certain = 1 + self.committed.len() + self.rows.values().filter(|row| !beside(row)).count();
        let ending = self.rows.values().filter(|row| beside(row) && !still_beside(row)).count();
        let possible = certain + ending + self.uncertain.len();
        u64::try_from(certain).unwrap()..=u64::try_from(possible).unwrap()
    }

    /// Every error has a cause.
    pub(super) fn explain(&mut self, error: &FrameworkError) {
        let text = error.to_string();
        let causes = [
            (text == "on purpose", true),
            (text.contains("ended on the server"), self.ended),
            (text.contains("nested transaction is open"), self.handed),
            (text.contains("transaction is aborted"), self.failed),
            // After an error PostgreSQL sets no savepoint, and sqlx rolls back the outer transaction.
            (text.contains("passed to this task has already ended"), self.failed),
            // The driver does not know whose answer it reads next.
            (!server::RECOVERS, self.cuts > 0),
        ];
        assert!(causes.contains(&(true, true)), "without a cause: {text}");
        self.refusals += u64::from(text != "on purpose");
    }

    /// Compares what is there with what was reported.
    pub(super) fn assert_committed(&self, mut rows: Vec<i64>) {
        rows.retain(|row| !self.uncertain.contains(row));
        let mut reported: Vec<i64> =
            self.committed.iter().copied().filter(|row| !self.uncertain.contains(row)).collect();
        reported.push(BASE);
        reported.sort_unstable();
        assert_eq!(rows, reported, "what is there, and what was reported");
    }
}

/// The results of many programs.
#[derive(Debug, Default)]
pub(super) struct Tally {
    committed: usize,
    lost: u64,
    ended: u32,
    refusals: u64,
    cuts: u64,
}

impl Tally {
    pub(super) fn add(&mut self, model: &Model) {
        self.committed += model.committed.len();
        self.lost += model.inserts.saturating_sub(model.committed.len() as u64);
        self.ended += u32::from(model.ended);
        self.refusals += model.refusals;
        self.cuts += model.cuts;
    }

    pub(super) fn assert_is_varied(&self, programs: u32) {
        println!("{programs} programs: {self:?}");
        if programs < 100 {
            return;
        }
        assert!(self.ended > programs / 10 && self.ended < programs * 9 / 10, "{self:?}");
        assert!(self.committed > programs as usize && self.lost > u64::from(programs), "{self:?}");
        assert!(self.refusals > 0 && self.cuts > 0, "{self:?}");
    }
}
