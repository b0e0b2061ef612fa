//! The tables, and the types of their columns.

use chrono::{DateTime, Utc};
use folio::{ColumnValue, Paginate};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The id of a project. A type for each id makes it impossible to compare an issue with a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, sqlx::Type, ColumnValue, ToSchema)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct ProjectId(pub i64);

/// The id of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, sqlx::Type, ColumnValue, ToSchema)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct UserId(pub i64);

/// The id of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, sqlx::Type, ColumnValue, ToSchema)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct IssueId(pub i64);

/// The id of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, sqlx::Type, ColumnValue, ToSchema)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct CommentId(pub i64);

/// Whether an issue still needs work. Stored as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, sqlx::Type, ColumnValue, ToSchema)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum IssueState {
    Open,
    Closed,
}

/// How urgent an issue is. Stored as a number, so that it sorts by urgency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, sqlx::Type, ColumnValue, ToSchema)]
#[serde(rename_all = "lowercase")]
#[repr(i16)]
pub enum Priority {
    Low = 1,
    Medium = 2,
    High = 3,
    Urgent = 4,
}

/// A priority in a query string, where the numbers would say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ColumnValue)]
#[sqlx(rename_all = "lowercase")]
pub enum PriorityName {
    Low,
    Medium,
    High,
    Urgent,
}

impl From<PriorityName> for Priority {
    fn from(name: PriorityName) -> Self {
        match name {
            PriorityName::Low => Self::Low,
            PriorityName::Medium => Self::Medium,
            PriorityName::High => Self::High,
            PriorityName::Urgent => Self::Urgent,
        }
    }
}

/// A project: the tenant that issues belong to.
#[derive(Debug, Clone, Serialize, sqlx::FromRow, Paginate, ToSchema)]
pub struct Project {
    pub id: ProjectId,
    pub slug: String,
    pub name: String,
}

#[derive(Debug, Serialize, sqlx::FromRow, Paginate, ToSchema)]
pub struct User {
    pub id: UserId,
    pub login: String,
    pub name: String,
}

/// An issue. Cursor pages begin with the newest. `Issue::of(project)` lists those of a project.
#[derive(Debug, Serialize, sqlx::FromRow, Paginate, ToSchema)]
#[paginate(cursor_key = "created_at desc", tenant = "project_id")]
pub struct Issue {
    pub id: IssueId,
    pub project_id: ProjectId,
    pub author_id: UserId,
    pub title: String,
    pub state: IssueState,
    pub priority: Priority,
    pub created_at: DateTime<Utc>,
    pub closed_at: Option<DateTime<Utc>>,
}

/// A label of an issue. A label's name is unique in its project.
#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(primary_key = "issue_id, label", tenant = "project_id")]
pub struct IssueLabel {
    pub issue_id: IssueId,
    pub label: String,
    pub project_id: ProjectId,
}

/// A comment on an issue. Cursor pages begin with the oldest.
#[derive(Debug, Clone, Serialize, sqlx::FromRow, Paginate, ToSchema)]
#[paginate(cursor_key = "created_at")]
pub struct Comment {
    pub id: CommentId,
    pub issue_id: IssueId,
    pub author_id: UserId,
    pub body: String,
    pub created_at: DateTime<Utc>,
}
