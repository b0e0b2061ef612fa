//! The service on SQLite and on PostgreSQL. Each test has its own database.
//!
//! The tests on PostgreSQL need a server, and a user who may create databases:
//!
//! ```console
//! $ DATABASE_URL=postgres://… cargo test -p example-tracker -- --include-ignored
//! ```

#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that finds something else than it expects has to fail"
)]

mod client;
mod hostile;
mod issues;
mod lists;
mod overviews;
mod writes;

/// Runs tests, which take a client, on both databases.
macro_rules! on_both_databases {
    ($($group:ident::$test:ident,)*) => {
        mod sqlite {
            use example_tracker::Database;
            use sqlx::SqlitePool;

            use crate::client::Client;

            $(
                #[sqlx::test(migrations = "migrations/sqlite")]
                async fn $test(pool: SqlitePool) {
                    crate::$group::$test(Client::new(Database::Sqlite(pool)).await).await;
                }
            )*
        }

        mod postgres {
            use example_tracker::Database;
            use sqlx::PgPool;

            use crate::client::Client;

            $(
                #[ignore = "needs PostgreSQL: set DATABASE_URL and add --include-ignored"]
                #[sqlx::test(migrations = "migrations/postgres")]
                async fn $test(pool: PgPool) {
                    crate::$group::$test(Client::new(Database::Postgres(pool)).await).await;
                }
            )*
        }
    };
}

on_both_databases! {
    hostile::no_parameter_is_a_server_error,
    hostile::errors_have_a_json_body,
    hostile::a_cursor_opens_in_its_own_project_only,
    issues::numbered_pages_lead_to_the_end,
    issues::the_feed_leads_to_the_end_and_back,
    issues::the_feed_loses_no_issue_while_others_are_reported,
    issues::filters_are_those_of_the_database,
    issues::a_search_takes_text_literally,
    issues::rows_carry_their_labels,
    issues::an_export_resumes_where_it_ended,
    issues::a_client_polls_for_new_issues,
    issues::a_link_leads_to_an_issue_in_its_list,
    issues::a_timeline_begins_at_a_moment,
    issues::a_summary_counts_what_the_database_counts,
    lists::projects_are_paged_in_memory,
    lists::users_have_a_link_header,
    lists::comments_are_those_of_the_issue,
    lists::a_link_leads_to_a_comment,
    lists::unread_comments_are_those_after_the_last_one_seen,
    lists::threads_have_pages_of_their_own,
    lists::the_document_describes_every_route,
    overviews::the_newest_issues_carry_their_authors,
    overviews::discussions_count_comments,
    writes::a_closed_issue_leaves_the_page,
    writes::an_issue_is_closed_once,
    writes::an_unknown_issue_is_not_closed,
}
