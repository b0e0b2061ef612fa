//! The order of one page.

use std::borrow::Cow;

use super::KeysetOrder;
use crate::cursor::CursorDirection;
use crate::dialect::Dialect;
use crate::dialect::catalog::{SharedInfo, TableInfo};
use crate::model::table::Table;
use crate::model::term::Term;
use crate::query::order_column::OrderColumn;

/// The order of one page: that of its list, and what the database's catalog says about the table.
#[derive(Debug)]
pub(crate) struct PageOrder<'a> {
    pub(super) list: &'a KeysetOrder,
    dialect: Dialect,
    pub(super) catalog: Catalog,
}

/// What is known about a page's table from the database's catalog.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Catalog {
    /// The catalog was not asked, because the page's statement does not depend on it.
    Unasked,
    /// The catalog cannot be read, or the list has no table of its own.
    Unknown,
    Known(SharedInfo),
    /// An index that the catalog named no longer exists, so the page names none.
    WithoutIndexes(SharedInfo),
}

impl From<Option<SharedInfo>> for Catalog {
    fn from(info: Option<SharedInfo>) -> Self {
        info.map_or(Self::Unknown, Self::Known)
    }
}

impl Catalog {
    /// Whether the values of a term's column can be NULL although its type cannot.
    fn has_undeclared_nulls(&self, term: &Term) -> bool {
        *self != Self::Unasked && term.key.nulls.is_none() && !self.is_not_null(term)
    }

    /// Whether a term is never NULL: an expression by the caller's statement, a column by the catalog.
    fn is_not_null(&self, term: &Term) -> bool {
        match (term.expression(), self) {
            (Some(expression), _) => expression.is_not_null(),
            (None, Self::Known(info) | Self::WithoutIndexes(info)) => info.is_not_null(term.key.name),
            (None, Self::Unasked | Self::Unknown) => false,
        }
    }
}

impl<'a> PageOrder<'a> {
    pub(super) fn new(list: &'a KeysetOrder, dialect: Dialect, catalog: Catalog) -> Self {
        Self { list, dialect, catalog }
    }

    /// The order in which a page's rows are read.
    pub(super) fn sorts(&self, direction: CursorDirection) -> Cow<'_, [OrderColumn]> {
        let sorts = self.with_nulls();
        match direction {
            CursorDirection::Next => sorts,
            CursorDirection::Prev => sorts.iter().map(OrderColumn::reversed).collect(),
        }
    }

    /// The order with NULLs in columns that have them although their types do not. A row with NULL has the place where
    /// the database puts it, and is read or refused, but never left out.
    fn with_nulls(&self) -> Cow<'_, [OrderColumn]> {
        let KeysetOrder { terms, sorts, .. } = self.list;
        if !terms.iter().any(|term| self.catalog.has_undeclared_nulls(term)) {
            return Cow::Borrowed(sorts);
        }
        let sort = |(sort, term): (&OrderColumn, &Term)| match self.catalog.has_undeclared_nulls(term) {
            true => sort.with_natural_nulls(self.dialect),
            false => sort.clone(),
        };
        sorts.iter().zip(terms).map(sort).collect()
    }

    /// What the catalog says about the table, if that is known and its indexes exist.
    pub(super) fn info(&self) -> Option<&TableInfo> {
        match &self.catalog {
            Catalog::Known(info) => Some(info),
            Catalog::Unasked | Catalog::Unknown | Catalog::WithoutIndexes(_) => None,
        }
    }

    /// The model's table, if the list is a model's.
    pub(crate) fn table(&self) -> Option<&'static Table> {
        self.list.table
    }

    /// The same order for a page that does not name an index.
    pub(crate) fn without_indexes(self) -> Self {
        let catalog = match self.catalog {
            Catalog::Known(info) => Catalog::WithoutIndexes(info),
            catalog => catalog,
        };
        Self { catalog, ..self }
    }
}
