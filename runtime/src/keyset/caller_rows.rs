//! The rows of a caller's select, as cursor pages read them.

use sea_query::SelectStatement;

use super::{PageOrder, PageRows};
use crate::access::AccessPath;
use crate::custom::renderer::Renderer;
use crate::predicate::Span;
use crate::statement::template::BoundSql;

/// The rows of a caller's select, with the key among its columns.
#[derive(Debug)]
pub(crate) struct CallerRows {
    pub(crate) select: SelectStatement,
    /// The selects of a UNION ALL, if a page can be read from each of them.
    pub(crate) arms: Vec<SelectStatement>,
    pub(crate) renderer: Renderer,
}

impl CallerRows {
    pub(super) fn page(&self, order: &PageOrder<'_>, rows: PageRows<'_>) -> BoundSql {
        let sorts = order.sorts(rows.direction);
        let access = AccessPath::unknown(self.renderer.dialect);
        self.renderer.statement(&self.within(order, rows.span(&access, &sorts, None)))
    }

    /// The rows of a span. If there are several selects, the span is read from each.
    fn within(&self, order: &PageOrder<'_>, span: Span<'_>) -> SelectStatement {
        let base = |select: &SelectStatement| order.with_marks(span, select.clone(), || select.clone());
        if self.arms.is_empty() {
            return span.of(&base(&self.select));
        }
        span.of_all(self.arms.iter().map(base))
    }

    /// The select in which the conditions' columns are looked up. Raw SQL names its columns itself.
    pub(super) fn searched(&self) -> BoundSql {
        let mut conditions = self.select.clone();
        if self.renderer.source.is_none() {
            conditions.clear_selects();
        }
        self.renderer.statement(&conditions)
    }

    /// A text that identifies the select and its values.
    pub(super) fn to_key(&self) -> String {
        match &self.renderer.source {
            Some(source) => source.to_key(),
            None => format!("{:?}", self.renderer.dialect.render(&self.select, &|_| None)),
        }
    }
}
