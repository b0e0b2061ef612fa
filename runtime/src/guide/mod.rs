//! The guide: one chapter per topic.
//!
//! | chapter | topic |
//! |---|---|
//! | [`choosing`] | choosing between the three paginators |
//! | [`selects`] | your own selects and SQL text, and what is refused |
//! | [`cursor_keys`] | orders, indexes, NULLs, text and time in cursor keys |
//! | [`sorts`] | orders that clients choose, and the indexes for them |
//! | [`databases`] | databases, versions, partitions and clusters |
//! | [`connections`] | connections, transactions, replicas, poolers, spawned tasks |
//! | [`keys`] | encryption keys of cursors, and rotating them |
//! | [`frameworks`] | axum, actix-web, loco, poem, salvo, JSON:API, Inertia, GraphQL, and other frameworks |
//! | [`feeds`] | rows of many groups: feeds, children of a page's rows, rows of other tables |
//! | [`windows`] | pages that begin at a date, around a row, or at the end of a list |
//! | [`grpc`] | page tokens, for gRPC services and MCP servers |
//! | [`json_api`] | JSON:API: related resources, sparse fieldsets, `include`, the cursor pagination profile |
//! | [`cookbook`] | recipes: filters, sorts, tenants, errors, long walks, ETags |
//! | [`relations`] | recipes for lists over several tables: joins, counts, ranks, children |
//! | [`testing`] | testing an application that uses folio |
//! | [`coming_from`] | migrating from Laravel, sea-orm or hand-written sqlx |
//! | [`glossary`] | the terms of this documentation |

#[doc = include_str!("choosing.md")]
pub mod choosing {}

#[doc = include_str!("selects.md")]
pub mod selects {}

#[doc = include_str!("cursor_keys.md")]
pub mod cursor_keys {}

#[doc = include_str!("sorts.md")]
pub mod sorts {}

#[doc = include_str!("databases.md")]
pub mod databases {}

#[doc = include_str!("connections.md")]
pub mod connections {}

#[doc = include_str!("keys.md")]
pub mod keys {}

#[doc = include_str!("frameworks.md")]
pub mod frameworks {}

#[doc = include_str!("windows.md")]
pub mod windows {}

#[doc = include_str!("grpc.md")]
pub mod grpc {}

#[doc = include_str!("feeds.md")]
pub mod feeds {}

#[doc = include_str!("json_api.md")]
pub mod json_api {}

#[doc = include_str!("cookbook.md")]
pub mod cookbook {}

#[doc = include_str!("relations.md")]
pub mod relations {}

#[doc = include_str!("testing.md")]
pub mod testing {}

#[doc = include_str!("coming_from.md")]
pub mod coming_from {}

#[doc = include_str!("glossary.md")]
pub mod glossary {}
