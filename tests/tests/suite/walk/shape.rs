//! Random rows, and random orders of walks. The comparison of rows is written independently of folio.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use folio::{Column, IntoOrder, Order, Paginate};
use proptest::prelude::*;

use crate::server::{ID, TEXT};

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "items")]
pub(super) struct Item {
    pub(super) id: i64,
    pub(super) number: i32,
    pub(super) maybe: Option<i64>,
    pub(super) label: Option<String>,
    pub(super) fraction: f64,
    pub(super) kept: bool,
}

pub(super) fn schema() -> String {
    format!(
        "CREATE TABLE items (id {ID}, number INTEGER NOT NULL, maybe BIGINT, label {TEXT}, \
         fraction DOUBLE PRECISION NOT NULL, kept BOOLEAN NOT NULL)"
    )
}

impl Item {
    /// The row in SQL.
    pub(super) fn literals(&self) -> String {
        let Self { id, number, maybe, label, fraction, kept } = self;
        let maybe = maybe.map_or("NULL".to_owned(), |maybe| maybe.to_string());
        let label = label.as_ref().map_or("NULL".to_owned(), |label| format!("'{}'", label.replace('\'', "''")));
        format!("({id}, {number}, {maybe}, {label}, {fraction:?}, {kept})")
    }
}

/// One column of a key, and how it is sorted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sorted {
    pub(super) column: usize,
    pub(super) descending: bool,
    pub(super) nulls_last: bool,
}

const COLUMNS: [&str; 5] = ["number", "maybe", "label", "fraction", "id"];
const NULLABLE: [bool; 5] = [false, true, true, false, false];

impl Sorted {
    pub(super) fn order(self) -> Order {
        fn erase<T: folio::CursorValue, M>(column: Column<T, M>, sorted: Sorted) -> Order {
            let order = if sorted.descending { column.desc() } else { column.asc() };
            if sorted.nulls_last { order.nulls_last().erased() } else { order.nulls_first().erased() }
        }
        match self.column {
            0 => erase(Item::NUMBER, self),
            1 => erase(Item::MAYBE, self),
            2 => erase(Item::LABEL, self),
            3 => erase(Item::FRACTION, self),
            _ => erase(Item::ID, self),
        }
    }

    /// The same in ORDER BY terms that every database has.
    pub(super) fn sql(self) -> String {
        let column = COLUMNS[self.column];
        let direction = if self.descending { "DESC" } else { "ASC" };
        let (nulls, values) = if self.nulls_last { (1, 0) } else { (0, 1) };
        format!("CASE WHEN {column} IS NULL THEN {nulls} ELSE {values} END, {column} {direction}")
    }

    pub(super) fn compare(self, a: &Item, b: &Item) -> Ordering {
        fn nullable<T: PartialOrd>(a: Option<T>, b: Option<T>, sorted: Sorted) -> Ordering {
            let by_value = |a: &T, b: &T| {
                let ordering = a.partial_cmp(b).unwrap();
                if sorted.descending { ordering.reverse() } else { ordering }
            };
            match (&a, &b) {
                (Some(a), Some(b)) => by_value(a, b),
                (None, None) => Ordering::Equal,
                (None, Some(_)) => {
                    if sorted.nulls_last {
                        Ordering::Greater
                    } else {
                        Ordering::Less
                    }
                }
                (Some(_), None) => {
                    if sorted.nulls_last {
                        Ordering::Less
                    } else {
                        Ordering::Greater
                    }
                }
            }
        }
        match self.column {
            0 => nullable(Some(a.number), Some(b.number), self),
            1 => nullable(a.maybe, b.maybe, self),
            2 => nullable(a.label.as_deref(), b.label.as_deref(), self),
            3 => nullable(Some(a.fraction), Some(b.fraction), self),
            _ => nullable(Some(a.id), Some(b.id), self),
        }
    }
}

/// A key of up to three columns. The id is the tie-breaker, in the last column's direction.
#[derive(Debug, Clone)]
pub(super) struct Shape(pub(super) Vec<Sorted>);

impl Shape {
    pub(super) fn with_tie_breaker(&self) -> Vec<Sorted> {
        let mut columns = self.0.clone();
        if columns.iter().all(|sorted| sorted.column != 4) {
            let descending = columns.last().is_some_and(|sorted| sorted.descending);
            columns.push(Sorted { column: 4, descending, nulls_last: false });
        }
        columns
    }

    pub(super) fn compare(&self, a: &Item, b: &Item) -> Ordering {
        self.with_tie_breaker().iter().map(|sorted| sorted.compare(a, b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    }

    pub(super) fn order(&self) -> Order {
        self.0.iter().map(|sorted| sorted.order()).reduce(Order::then).unwrap()
    }

    pub(super) fn sql(&self) -> String {
        self.with_tie_breaker().iter().map(|sorted| sorted.sql()).collect::<Vec<_>>().join(", ")
    }
}

pub(super) fn shape() -> impl Strategy<Value = Shape> {
    let sorted = (0..5_usize, any::<bool>(), any::<bool>()).prop_map(|(column, descending, nulls_last)| Sorted {
        column,
        descending,
        nulls_last: nulls_last && NULLABLE[column],
    });
    proptest::collection::vec(sorted, 1..=3).prop_map(|mut columns| {
        let mut seen = BTreeSet::new();
        columns.retain(|sorted| seen.insert(sorted.column));
        Shape(columns)
    })
}

/// Values from small sets, so that most rows tie in most columns.
pub(super) fn item() -> impl Strategy<Value = Item> {
    let label = proptest::option::weighted(0.6, proptest::sample::select(vec!["", "a", "A", "ab", "b", "é", "a'b"]));
    let maybe = proptest::option::weighted(0.6, proptest::sample::select(vec![i64::MIN, -1, 0, 1, i64::MAX]));
    let fraction = proptest::sample::select(vec![-1.5, 0.0, 0.1, 0.1 + 0.2, 1e300]);
    (-1..3_i32, maybe, label, fraction, any::<bool>()).prop_map(|(number, maybe, label, fraction, kept)| Item {
        id: 0,
        number,
        maybe,
        label: label.map(str::to_owned),
        fraction,
        kept,
    })
}
