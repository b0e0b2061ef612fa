//! The rows that must be committed, according to the results that the program gets.

use std::collections::BTreeMap;

use folio::FrameworkError;

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
    scopes: u32,
    committed: Vec<i64>,
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

    pub(super) fn insert(&mut self, id: i64, path: &Path) {
        self.inserts += 1;
        self.rows.insert(id, path.clone());
    }

    /// A statement has ended the transaction on the server.
    pub(super) fn end(&mut self, commits: bool) {
        let rows = std::mem::take(&mut self.rows);
        if commits {
            self.committed.extend(rows.into_keys());
        }
        self.ended = true;
    }

    pub(super) fn fail(&mut self) {
        self.failed = true;
    }

    pub(super) fn hand_on(&mut self) {
        self.handed = true;
    }

    /// The number of rows that a statement in a scope sees, without those of a nested transaction that is open beside it.
    pub(super) fn visible(&self, path: &Path) -> u64 {
        let beside = |row: &Path| row.iter().any(|scope| self.open.contains(scope) && !path.contains(scope));
        let rows = self.rows.values().filter(|row| !beside(row)).count();
        u64::try_from(1 + self.committed.len() + rows).unwrap()
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
            (text.contains("was given has ended"), self.failed),
        ];
        assert!(causes.contains(&(true, true)), "without a cause: {text}");
        self.refusals += u64::from(text != "on purpose");
    }

    pub(super) fn committed(&self) -> Vec<i64> {
        let mut rows = self.committed.clone();
        rows.push(BASE);
        rows.sort_unstable();
        rows
    }
}

/// The results of many programs.
#[derive(Debug, Default)]
pub(super) struct Tally {
    committed: usize,
    lost: u64,
    ended: u32,
    refusals: u64,
}

impl Tally {
    pub(super) fn add(&mut self, model: &Model) {
        self.committed += model.committed.len();
        self.lost += model.inserts - model.committed.len() as u64;
        self.ended += u32::from(model.ended);
        self.refusals += model.refusals;
    }

    pub(super) fn assert_is_varied(&self, programs: u32) {
        println!("{programs} programs: {self:?}");
        assert!(self.ended > programs / 10 && self.ended < programs * 9 / 10, "{self:?}");
        assert!(self.committed > programs as usize && self.lost > u64::from(programs), "{self:?}");
        assert!(self.refusals > 0, "{self:?}");
    }
}
