//! The facts about PostgreSQL.

use super::Dialect;
use super::facts::{
    Facts, GroupAccess, ListForm, Missing, ParameterForm, Planner, RangeForm, Server, Syntax, VolatileFunctions,
};
use crate::schema::table::Nulls;

impl Facts {
    pub(super) const POSTGRES: Self = Self {
        system_name: "postgresql",
        driver: "PostgreSQL",
        is_plain: false,
        quote: '"',
        parameters: ParameterForm::Dollar,
        max_parameters: 65_535,
        finds_parameters_fast: true,
        prepares_for_types: true,
        lists: ListForm::Array,
        count_type: "BIGINT",
        unites_in_parentheses: true,
        qualifies_new_indexes: false,
        explain: Some("EXPLAIN (FORMAT JSON)"),
        syntax: Syntax {
            name_quotes: &['"'],
            named_parameters: &[],
            may_escape_quotes: true,
            has_escape_strings: true,
            nests_comments: true,
            returns_end_comments: true,
            has_mysql_comments: false,
        },
        volatile: VolatileFunctions {
            any: &[
                "now",
                "statement_timestamp",
                "transaction_timestamp",
                "clock_timestamp",
                "timeofday",
                "random",
                "random_normal",
                "gen_random_uuid",
                "gen_random_bytes",
                "uuid_generate_v1",
                "uuid_generate_v1mc",
                "uuid_generate_v4",
                "uuidv4",
                "uuidv7",
                "nextval",
                "setseed",
                "txid_current",
                "pg_current_xact_id",
            ],
            without_arguments: &[],
            // It subtracts the argument from the current date.
            with_one_argument: &["age"],
            now_in_texts: true,
        },
        reads_unknown_names_as_texts: false,
        ignores_case_of_names: false,
        missing,
        errors_abort_transactions: true,
        compares_stored_forms: false,
        stores_microseconds: true,
        moment_ago: "now() - $1 * INTERVAL '1 microsecond'",
        oldest_transaction: Some("pg_snapshot_xmin(pg_current_snapshot())"),
        rounds_sent_decimals: false,
        types_texts_by_columns: true,
        has_collation_columns: false,
        has_nulls_order: true,
        ascending_nulls: Nulls::Last,
        ranges: RangeForm::SortedUnion,
        sorts_incrementally: true,
        sorts_fixed_expressions: false,
        orders_by_whole_index: false,
        looks_up_groups: false,
        needs_index_hints: false,
        plans_for_bare_values: false,
        has_generic_plans: true,
        changes_to_generic_plans: true,
        literal_limit: Some(128),
        refuses_outdated_statements: true,
        deferred_join_from: 200,
        shares_common_tables: true,
        moves_with_clauses: true,
        // Citus does.
        finds_shards_by_equalities: true,
        may_be_spider: false,
        unknown_server: Server::postgres(FIRST_TO_ORDER_AFTER_LISTS),
    };

    /// PostgreSQL behind a proxy. The forms were measured with PgDog 0.1 on two servers.
    pub(super) const PLAIN_POSTGRES: Self = Self {
        is_plain: true,
        // The plan would be that of one server.
        explain: None,
        ranges: RangeForm::Or,
        has_generic_plans: false,
        changes_to_generic_plans: false,
        literal_limit: None,
        deferred_join_from: u64::MAX,
        unknown_server: Server {
            dialect: Dialect::PlainPostgres,
            planner: Planner::Plain { row_values: true },
            groups: GroupAccess::Merged,
            verifies_pages: false,
            ..Server::postgres(FIRST_TO_ORDER_AFTER_LISTS)
        },
        ..Self::POSTGRES
    };
}

/// The first major version in which the rows that match a list keep the order of an index after equality columns.
const FIRST_TO_ORDER_AFTER_LISTS: u32 = 17;

impl Server {
    /// PostgreSQL, or a server that speaks its dialect, in a major version.
    pub const fn postgres(version: u32) -> Self {
        Self {
            dialect: Dialect::Postgres,
            planner: Planner::Postgres { orders_after_lists: version >= FIRST_TO_ORDER_AFTER_LISTS },
            groups: GroupAccess::Lateral,
            reverses_mixed_indexes: true,
            mixes_index_directions: true,
            indexes_expressions: true,
            verifies_pages: true,
        }
    }
}

/// Messages may be in any language, and then tell nothing.
fn missing<'e>(code: &str, message: &'e str) -> Option<Missing<'e>> {
    let quoted = message.split('"').nth(1);
    match code {
        "42P01" => quoted.map(Missing::Table),
        "42703" => {
            let unquoted = || message.strip_prefix("column ")?.split(' ').next();
            quoted.or_else(unquoted).map(Missing::Column)
        }
        _ => None,
    }
}
