//! The rows of a caller's select, as cursor pages read them.

use std::sync::Arc;

use super::text::{RowsForm, TextKey};
use super::{KeysetOrder, PageOrder, PageRequest};
use crate::access::AccessPath;
use crate::cache::BoundedCache;
use crate::cursor::CursorBinding;
use crate::custom::caller::{CallerSelect, Keyed};
use crate::custom::renderer::{CallerText, Renderer};
use crate::dialect::Param;
use crate::error::Result;
use crate::schema::table::Table;
use crate::schema::term::{Term, TermIdentity};
use crate::statement::select::Select;
use crate::statement::template::{BoundSql, PageValues};

/// What cursors over a select are bound to, in addition to their key.
#[derive(Debug, Clone)]
pub enum ListName {
    Model(&'static Table),
    Name(String),
}

impl ListName {
    fn binding(&self, terms: &[Term]) -> CursorBinding {
        match self {
            Self::Model(table) => CursorBinding::of_model(table, terms),
            // Three words. A model's binding has one or two, so the two kinds never coincide.
            Self::Name(name) => CursorBinding::new(&["", "select", name], None, terms),
        }
    }
}

/// The rows of a caller's select, with the key among its columns.
#[derive(Debug)]
pub struct CallerRows {
    plan: Arc<CallerPlan>,
    pub renderer: Renderer,
}

/// How the rows of a caller's select are read. All pages of a list share it, so it has no values of SQL text.
#[derive(Debug)]
struct CallerPlan {
    order: Arc<KeysetOrder>,
    select: Select,
    access: AccessPath,
    /// The selects of a UNION ALL, if a page can be read from each of them.
    arms: Vec<Select>,
    /// Whether it is found again, so that its texts are worth keeping.
    is_kept: bool,
}

/// The plan of a list over SQL text is found by this.
#[derive(Debug, PartialEq, Eq, Hash)]
struct PlanKey {
    select: u64,
    /// The address of the model's table, or the name.
    list: (Option<usize>, String),
    terms: Vec<TermIdentity>,
    /// How many of the terms are the caller's. The others break ties.
    given: usize,
    /// The types of the values, if the database prepares a statement for them.
    types: Vec<String>,
}

static PLANS: BoundedCache<PlanKey, CallerPlan> = BoundedCache::new();

static TEXTS: BoundedCache<TextKey, CallerText> = BoundedCache::new();

impl PlanKey {
    /// `None` for a select that is not found again, and for an order with an expression, which may contain values.
    fn of(
        select: &CallerSelect,
        renderer: &Renderer,
        name: &ListName,
        (terms, given): (&[Term], usize),
    ) -> Option<Self> {
        let list = match name {
            ListName::Model(table) => (Some(std::ptr::from_ref::<Table>(table).addr()), String::new()),
            ListName::Name(name) => (None, name.clone()),
        };
        let types = renderer.types().filter(|_| renderer.dialect.facts().prepares_for_types);
        Some(Self {
            select: select.number?,
            list,
            terms: terms.iter().map(Term::identity).collect::<Option<_>>()?,
            given,
            types: types.map(std::borrow::Cow::into_owned).collect(),
        })
    }
}

impl CallerRows {
    /// The order of a list, and its rows. The first `given` terms are the caller's; the others break ties.
    ///
    /// # Errors
    /// Those of [`CallerSelect::keyed`].
    pub fn new(
        select: &CallerSelect,
        renderer: Renderer,
        name: &ListName,
        (terms, given): (Vec<Term>, usize),
    ) -> Result<(Arc<KeysetOrder>, Self)> {
        let key = PlanKey::of(select, &renderer, name, (&terms, given));
        let plan = match key.as_ref().and_then(|key| PLANS.find(key)) {
            Some(plan) => plan,
            None => {
                let Keyed { base, access, arms, terms, sorts, table } = select.keyed(terms, given)?;
                let binding = name.binding(&terms);
                let order = Arc::new(KeysetOrder::new(renderer.dialect, terms, sorts, binding, table));
                let size = order.size().saturating_mul(2);
                let plan = CallerPlan { order, select: base, access, arms, is_kept: key.is_some() };
                match key {
                    Some(key) => PLANS.insert(key, plan, size),
                    None => Arc::new(plan),
                }
            }
        };
        Ok((plan.order.clone(), Self { plan, renderer }))
    }

    /// The statement of a page. One of SQL text has the text of other pages like it.
    pub(super) fn page(&self, order: &PageOrder<'_>, page: PageRequest<'_>) -> BoundSql {
        let key = TextKey::of(order, page, None, RowsForm::Filtered, &[]).filter(|_| self.plan.is_kept);
        let (Some(key), Some(source)) = (key, &self.renderer.source) else {
            return self.renderer.statement(&self.select(order, page).sql(), page.values());
        };
        let text = TEXTS.find(&key).unwrap_or_else(|| {
            let sql = self.select(order, page).sql();
            let text = self.renderer.text(source, &sql, page.values());
            let size = text.size();
            // A constant may be a caller's value.
            match sql.params().any(|param| matches!(param, Param::Constant(_))) {
                true => Arc::new(text),
                false => TEXTS.insert(key, text, size),
            }
        });
        self.renderer.bind(&text, page.values())
    }

    /// The rows of a page. If there are several selects, it is read from each.
    fn select(&self, order: &PageOrder<'_>, page: PageRequest<'_>) -> Select {
        let CallerPlan { select, access, arms, .. } = &*self.plan;
        let span = page.span(access, order.sorts(page.direction), None);
        let base = |select: &Select| order.with_marks(span, select.clone(), || select.clone());
        match &**arms {
            [] => span.of(&base(select)),
            arms => span.of_all(arms.iter().map(base)),
        }
    }

    /// All rows, in no order.
    pub fn all(&self) -> Select {
        self.plan.select.clone()
    }

    /// The select in which the conditions' columns are looked up. Raw SQL names its columns itself.
    pub(super) fn searched(&self) -> String {
        let select = self.all();
        let is_text = self.renderer.source.is_some();
        let searched = if is_text { select } else { select.without_columns() };
        self.renderer.statement(&searched.sql(), PageValues::default()).sql.to_string()
    }

    /// A text that identifies the select and its values.
    pub(super) fn to_key(&self) -> String {
        self.renderer.to_key().unwrap_or_else(|| {
            let sql = self.plan.select.sql();
            format!("{:?}", (sql.text(), sea_query::Values(PageValues::default().bind(sql.params(), &[]))))
        })
    }
}
