//! A table in the database, the oracle's copy, and the changes to both during a walk.

use std::collections::BTreeSet;

use folio::CursorPaginator;
use proptest::prelude::*;

use super::catalog::{Catalog, Ddl, ddl};
use super::shape::{Item, Shape, item, shape};
use crate::suite::db::{self, Pool};

/// What happens between two pages: a change of the catalog, and rows that are deleted, by position, and inserted.
#[derive(Debug, Clone, Default)]
pub(super) struct Change {
    pub(super) deleted: Vec<prop::sample::Index>,
    pub(super) inserted: Vec<Item>,
    pub(super) ddl: Option<Ddl>,
}

pub(super) fn change() -> impl Strategy<Value = Change> {
    let deleted = proptest::collection::vec(any::<prop::sample::Index>(), 0..6);
    let inserted = proptest::collection::vec(item(), 0..4);
    let ddl = proptest::option::weighted(0.3, ddl());
    (deleted, inserted, ddl).prop_map(|(deleted, inserted, ddl)| Change { deleted, inserted, ddl })
}

#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) shape: Shape,
    pub(super) items: Vec<Item>,
    pub(super) per_page: u64,
    pub(super) filtered: bool,
    /// The change after each page. Later pages have none.
    pub(super) changes: Vec<Change>,
}

pub(super) fn case() -> impl Strategy<Value = Case> {
    let sizes = prop_oneof![0..12_usize, 0..300_usize];
    let items = sizes.prop_flat_map(|size| proptest::collection::vec(item(), size));
    let changes = prop_oneof![Just(Vec::new()), proptest::collection::vec(change(), 1..12)];
    (shape(), items, prop_oneof![1..4_u64, 1..40_u64, Just(1000)], any::<bool>(), changes)
        .prop_map(|(shape, items, per_page, filtered, changes)| Case { shape, items, per_page, filtered, changes })
}

pub(super) struct Table<'a> {
    pub(super) pool: &'a Pool,
    catalog: Catalog<'a>,
    pub(super) case: &'a Case,
    pub(super) items: Vec<Item>,
    pub(super) next_id: i64,
    /// The ids that have been deleted or inserted since the walk began.
    pub(super) touched: BTreeSet<i64>,
}

impl<'a> Table<'a> {
    pub(super) async fn new(pool: &'a Pool, other: &'a Pool, case: &'a Case) -> Table<'a> {
        let catalog = Catalog::new(pool, other).await;
        let mut table = Table { pool, catalog, case, items: Vec::new(), next_id: 1, touched: BTreeSet::new() };
        table.insert(&case.items).await;
        table.touched.clear();
        table
    }

    pub(super) async fn insert(&mut self, items: &[Item]) {
        let mut rows = Vec::new();
        for item in items {
            // Ids go up and down, so that new rows fall on both sides of every boundary.
            let id = if self.next_id % 2 == 0 { self.next_id } else { 10_000 - self.next_id };
            self.next_id += 1;
            self.touched.insert(id);
            let item = Item { id, ..item.clone() };
            rows.push(item.literals());
            self.items.push(item);
        }
        if !rows.is_empty() {
            let columns = "id, number, maybe, label, fraction, kept";
            db::run(self.pool, format!("INSERT INTO items ({columns}) VALUES {}", rows.join(", "))).await;
        }
    }

    pub(super) async fn change(&mut self, change: &Change) {
        if let Some(ddl) = change.ddl {
            self.catalog.change(ddl).await;
        }
        for index in &change.deleted {
            if !self.items.is_empty() {
                let item = self.items.swap_remove(index.index(self.items.len()));
                db::run(self.pool, format!("DELETE FROM items WHERE id = {}", item.id)).await;
                self.touched.insert(item.id);
            }
        }
        self.insert(&change.inserted).await;
    }

    /// The rows of the list in order.
    pub(super) fn sorted(&self) -> Vec<Item> {
        let mut items = self.items.clone();
        items.retain(|item| item.kept || !self.case.filtered);
        items.sort_by(|a, b| self.case.shape.compare(a, b));
        items
    }

    /// The oracle and the database sort alike.
    pub(super) async fn assert_agrees(&self) {
        let filter = if self.case.filtered { "WHERE kept" } else { "" };
        let sql = format!("SELECT * FROM items {filter} ORDER BY {}", self.case.shape.sql());
        let rows: Vec<Item> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(self.pool).await.unwrap();
        assert_eq!(rows, self.sorted());
    }

    pub(super) async fn page(&self, cursor: Option<&str>) -> CursorPaginator<Item> {
        let query = Item::query().cursor_by(self.case.shape.order()).cursor(cursor);
        let query = match self.case.filtered {
            // The OR must not reach beyond its filter.
            true => query.filter(Item::KEPT.eq(true).or(Item::ID.lt(0))),
            false => query,
        };
        query.cursor_paginate(self.case.per_page).await.unwrap()
    }
}
