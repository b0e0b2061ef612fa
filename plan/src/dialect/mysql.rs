//! The facts about MySQL, and about the dialect that it shares with MariaDB.

use super::Dialect;
use super::facts::{
    Facts, GroupAccess, ListForm, Missing, ParameterForm, Planner, RangeForm, Server, Syntax, VolatileFunctions,
};
use crate::schema::table::Nulls;

impl Facts {
    pub(super) const MYSQL: Self = Self {
        system_name: "mysql",
        driver: "MySQL",
        is_plain: false,
        quote: '`',
        parameters: ParameterForm::Positional,
        max_parameters: 65_535,
        finds_parameters_fast: false,
        prepares_for_types: false,
        lists: ListForm::JsonTable,
        count_type: "SIGNED",
        unites_in_parentheses: true,
        qualifies_new_indexes: false,
        // MySQL 9 explains in a form without columns by default.
        explain: Some("EXPLAIN FORMAT=TRADITIONAL"),
        syntax: Syntax {
            name_quotes: &['`'],
            named_parameters: &[],
            may_escape_quotes: true,
            has_escape_strings: false,
            nests_comments: false,
            returns_end_comments: false,
            has_mysql_comments: true,
        },
        volatile: VolatileFunctions {
            any: &[
                "now",
                "sysdate",
                "curdate",
                "curtime",
                "utc_date",
                "utc_time",
                "utc_timestamp",
                "rand",
                "random_bytes",
                "uuid",
                "uuid_short",
                "sys_guid",
                "uuid_v4",
                "uuid_v7",
                "nextval",
            ],
            without_arguments: &["unix_timestamp"],
            with_one_argument: &[],
            now_in_texts: false,
        },
        reads_unknown_names_as_texts: false,
        ignores_case_of_names: true,
        missing,
        errors_abort_transactions: false,
        compares_stored_forms: false,
        stores_microseconds: true,
        moment_ago: "NOW(6) - INTERVAL ? MICROSECOND",
        oldest_transaction: None,
        rounds_sent_decimals: true,
        types_texts_by_columns: false,
        has_collation_columns: true,
        has_nulls_order: false,
        ascending_nulls: Nulls::First,
        ranges: RangeForm::Or,
        sorts_incrementally: false,
        sorts_fixed_expressions: false,
        orders_by_whole_index: true,
        looks_up_groups: true,
        needs_index_hints: true,
        plans_for_bare_values: false,
        has_generic_plans: false,
        changes_to_generic_plans: false,
        literal_limit: None,
        refuses_outdated_statements: false,
        deferred_join_from: 200,
        // MySQL does, and MariaDB does not.
        shares_common_tables: false,
        moves_with_clauses: false,
        finds_shards_by_equalities: false,
        may_be_spider: true,
        unknown_server: Server::MYSQL_OR_MARIADB,
    };

    /// MySQL or MariaDB behind a proxy, by the documentation of Vitess.
    pub(super) const PLAIN_MYSQL: Self = Self {
        is_plain: true,
        // The plan would be that of one server.
        explain: None,
        looks_up_groups: false,
        may_be_spider: false,
        deferred_join_from: u64::MAX,
        unknown_server: Server {
            dialect: Dialect::PlainMySql,
            planner: Planner::Plain { row_values: false },
            groups: GroupAccess::Merged,
            ..Server::MYSQL_OR_MARIADB
        },
        ..Self::MYSQL
    };
}

impl Server {
    pub const MYSQL: Self = Self {
        dialect: Dialect::MySql,
        planner: Planner::MySql { reads_ahead: true, needs_false_branch: false },
        groups: GroupAccess::LateralFromStart,
        reverses_mixed_indexes: false,
        mixes_index_directions: true,
        indexes_expressions: true,
        verifies_pages: false,
    };

    /// OceanBase, tested with seekdb 1.4.
    pub const OCEANBASE: Self = Self { mixes_index_directions: false, ..Self::MYSQL };

    /// TiDB, by its documentation: it has no LATERAL joins.
    pub const TIDB: Self = Self {
        groups: GroupAccess::Branches,
        mixes_index_directions: false,
        indexes_expressions: false,
        ..Self::MYSQL
    };

    /// One of the two, in any version: what the slower one needs, and only what both can do.
    const MYSQL_OR_MARIADB: Self = Self {
        dialect: Dialect::MySql,
        planner: Planner::MySql { reads_ahead: true, needs_false_branch: true },
        groups: GroupAccess::Branches,
        reverses_mixed_indexes: false,
        mixes_index_directions: true,
        indexes_expressions: false,
        verifies_pages: false,
    };
}

fn missing<'e>(code: &str, message: &'e str) -> Option<Missing<'e>> {
    let quoted = message.split('\'').nth(1);
    match code {
        "42S02" => quoted.map(Missing::Table),
        "42S22" => quoted.map(Missing::Column),
        _ => None,
    }
}
