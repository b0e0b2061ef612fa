//! The rows of a caller's select, as cursor pages read them.

use super::{PageOrder, PageRequest};
use crate::access::AccessPath;
use crate::custom::renderer::Renderer;
use crate::statement::select::Select;
use crate::statement::template::{BoundSql, PageValues};

/// The rows of a caller's select, with the key among its columns.
#[derive(Debug)]
pub struct CallerRows {
    pub select: Select,
    pub access: AccessPath,
    /// The selects of a UNION ALL, if a page can be read from each of them.
    pub arms: Vec<Select>,
    pub renderer: Renderer,
}

impl CallerRows {
    /// The rows of a page. If there are several selects, it is read from each.
    pub(super) fn page(&self, order: &PageOrder<'_>, page: PageRequest<'_>) -> BoundSql {
        let sorts = order.sorts(page.direction);
        let span = page.span(&self.access, sorts, None);
        let base = |select: &Select| order.with_marks(span, select.clone(), || select.clone());
        let rows = match &*self.arms {
            [] => span.of(&base(&self.select)),
            arms => span.of_all(arms.iter().map(base)),
        };
        self.renderer.statement(&rows.sql(), page.values())
    }

    /// The select in which the conditions' columns are looked up. Raw SQL names its columns itself.
    pub(super) fn searched(&self) -> String {
        let select = self.select.clone();
        let is_text = self.renderer.source.is_some();
        let searched = if is_text { select } else { select.without_columns() };
        self.renderer.statement(&searched.sql(), PageValues::default()).sql.to_string()
    }

    /// A text that identifies the select and its values.
    pub(super) fn to_key(&self) -> String {
        match &self.renderer.source {
            Some(source) => source.to_key(),
            None => {
                let sql = self.select.sql();
                format!("{:?}", (sql.text(), sea_query::Values(PageValues::default().bind(sql.params(), &[]))))
            }
        }
    }
}
