//! The client's choices: filters, the order, and the size of a page.

use folio::openapi::sort_parameter;
use folio::sea_query::{Query, SelectStatement};
use folio::{Builder, ExprTrait as _, Order, PerPage, Sorts};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};

use crate::models::{Issue, IssueLabel, IssueState, Priority, ProjectId};

/// The filters in a query string. Those that are missing match every issue.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Filters {
    /// Only issues in this state.
    state: Option<IssueState>,
    /// Only issues of this priority.
    priority: Option<Priority>,
    /// Only issues with this label.
    label: Option<String>,
    /// Only issues with this text in their title, in any case.
    q: Option<String>,
}

impl Filters {
    /// The issues of a project that match. The links of their pages keep the filters.
    pub(crate) fn issues(self, project: ProjectId) -> Builder<Issue> {
        let Self { state, priority, label, q } = self;
        Issue::query()
            .filter(Issue::PROJECT_ID.eq(project))
            .filter_if(state.map(|state| Issue::STATE.eq(state)))
            .filter_if(priority.map(|priority| Issue::PRIORITY.eq(priority)))
            .filter_if(label.map(|label| Issue::ID.to_expr().in_subquery(labelled(project, &label))))
            .filter_if(q.map(|text| Issue::TITLE.icontains(&text)))
            .with_query_string()
    }
}

/// The ids of a project's issues with a label.
fn labelled(project: ProjectId, label: &str) -> SelectStatement {
    Query::select()
        .column(IssueLabel::ISSUE_ID)
        .from("issue_labels")
        .cond_where(IssueLabel::PROJECT_ID.eq(project))
        .cond_where(IssueLabel::LABEL.eq(label))
        .take()
}

/// The order that the client chose with `sort`, such as `-priority,created`. Without one, the newest issues come first.
pub(crate) fn sort() -> folio::Result<Order> {
    sorts().from_request("sort")
}

/// The orders that a client may choose. Each name has an index; a combination sorts the rows of the project.
fn sorts() -> Sorts {
    Sorts::new("created", Issue::CREATED_AT)
        .allow("priority", Issue::PRIORITY)
        .allow("title", Issue::TITLE)
        .default("-created")
}

/// The parameter `sort` in the OpenAPI document.
pub(crate) struct SortParam;

impl IntoParams for SortParam {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![sort_parameter("sort", &sorts())]
    }
}

/// The number of rows on a page: `per_page`, at most 100, and 15 by default.
pub(crate) fn per_page() -> folio::Result<u64> {
    PerPage::from_request(15, 100)
}
