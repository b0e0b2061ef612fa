//! The guide: tasks, and the chapter that shows how to do each.
//!
//! | I want to … | |
//! |---|---|
//! | **begin** | |
//! | choose between pages with numbers and pages with cursors | [`choosing`] |
//! | know what a total costs, and avoid paying for it | [`choosing`](choosing#what-a-total-costs) |
//! | remember a total, because counting is slow | [`choosing`](choosing#totals-that-are-remembered) |
//! | move an application from Laravel, sea-orm or hand-written sqlx | [`coming_from`] |
//! | replace OFFSET behind an API whose clients have page numbers or offsets | [`replacing_offset`] |
//! | know what sqlx 0.9 excludes | [`coming_from`](coming_from#what-sqlx-09-and-folio-exclude) |
//! | look up a term | [`glossary`] |
//! | **write a list** | |
//! | filter by what the client asks for, and show the filters that are active | [`filters`] |
//! | let the client choose the order | [`sorts`] |
//! | count a list, show facets or unread markers, or read a single row | [`cookbook`](cookbook#counts-facets-unread-markers-and-single-rows) |
//! | order by several columns, nullable ones or an enum, with the right index | [`cursor_keys`] |
//! | select fewer columns, show a rank, or sort by a column that the list does not show | [`cookbook`](cookbook#fewer-columns-a-rank-or-a-hidden-order) |
//! | show columns, counts or ranks from other tables | [`relations`] |
//! | page my own select or SQL text | [`selects`] |
//! | have my SQL checked when it is compiled | [`selects`](selects#sql-text-that-is-checked-when-it-is-compiled) |
//! | show the newest posts of many authors, or the first comments of each post | [`feeds`] |
//! | show the first comments of each post, with a link to more | [`feeds`](feeds#pages-of-children) |
//! | begin at a date, around a row, or at the end of a list | [`windows`] |
//! | resume a job where it ended, without rows that are committed late | [`windows`](windows#jobs-that-resume) |
//! | ask whether anything is new | [`windows`](windows#polling-for-new-rows) |
//! | keep tenants apart | [`cookbook`](cookbook#tenants) |
//! | answer 404 for a page past the end, or with my own error type | [`cookbook`](cookbook#404-instead-of-an-empty-page) |
//! | **serve it** | |
//! | return pages from axum, actix-web, loco, poem, salvo or another framework | [`frameworks`] |
//! | choose a protocol: JSON, JSON:API, Inertia, GraphQL, gRPC, MCP, OpenAPI | [`frameworks`](frameworks#protocols) |
//! | describe the pages in OpenAPI, or in TypeScript | [`frameworks`](frameworks#openapi-and-typescript) |
//! | see why a request was answered with a 500 | [`frameworks`](frameworks#logs) |
//! | add related resources and sparse fieldsets to JSON:API documents | [`json_api`] |
//! | serve gRPC lists, or tools over MCP | [`grpc`] |
//! | show several lists on one screen | [`frameworks`](frameworks#several-lists-on-one-screen) |
//! | render page links, tables and forms as HTML, with or without htmx | [`html`] |
//! | scroll endlessly with TanStack Query, SWR, RTK Query or Apollo | [`front_ends`] |
//! | type pages and errors in TypeScript | [`front_ends`] |
//! | run behind a path prefix | [`front_ends`](front_ends#behind-a-path-prefix) |
//! | send ids that JavaScript would round | [`front_ends`](front_ends#large-ids) |
//! | export a list as CSV or NDJSON | [`front_ends`](front_ends#exports-as-csv-and-ndjson) |
//! | send an ETag | [`cookbook`](cookbook#caching-and-etags) |
//! | protect a public list from expensive requests | [`cookbook`](cookbook#public-lists) |
//! | **run it** | |
//! | make and rotate the keys of cursors | [`keys`] |
//! | read in a transaction, from a replica, behind PgBouncer, or in a spawned task | [`connections`] |
//! | know what a page costs on my database, and which versions are tested | [`databases`] |
//! | partition a table, or run a cluster | [`databases`](databases#partitions-and-foreign-tables) |
//! | see which pages are slow, in traces, logs and metrics | [`operation`] |
//! | test my pages | [`testing`] |
//! | test that a page is read along an index | [`testing`](testing#a-page-along-an-index) |
//! | test that a list loses no row while others write | [`testing`](testing#a-walk-while-rows-are-written) |

#[doc = include_str!("choosing.md")]
pub mod choosing {}

#[doc = include_str!("selects.md")]
pub mod selects {}

#[doc = include_str!("cursor_keys.md")]
pub mod cursor_keys {}

#[doc = include_str!("filters.md")]
pub mod filters {}

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

#[doc = include_str!("front_ends.md")]
pub mod front_ends {}

#[doc = include_str!("html.md")]
pub mod html {}

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

#[doc = include_str!("replacing_offset.md")]
pub mod replacing_offset {}

#[doc = include_str!("glossary.md")]
pub mod glossary {}

#[doc = include_str!("operation.md")]
pub mod operation {}
