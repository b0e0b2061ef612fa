//! The facts about SQLite 3.

use super::Dialect;
use super::facts::{
    Facts, GroupAccess, ListForm, Missing, ParameterForm, Planner, RangeForm, Server, Syntax, VolatileFunctions,
};
use crate::schema::table::Nulls;

impl Facts {
    pub(super) const SQLITE: Self = Self {
        system_name: "sqlite",
        driver: "SQLite",
        is_plain: false,
        quote: '"',
        parameters: ParameterForm::Question,
        // The limit of its default build, which sqlx bundles.
        max_parameters: 32_766,
        finds_parameters_fast: false,
        prepares_for_types: false,
        lists: ListForm::JsonIn,
        count_type: "BIGINT",
        unites_in_parentheses: false,
        qualifies_new_indexes: true,
        explain: None,
        syntax: Syntax {
            name_quotes: &['"', '`', '['],
            // It reads `$1` as a named parameter, and numbers it itself.
            named_parameters: &['$', ':', '@'],
            may_escape_quotes: false,
            has_escape_strings: false,
            nests_comments: false,
            returns_end_comments: false,
            has_mysql_comments: false,
        },
        volatile: VolatileFunctions {
            any: &["random", "randomblob", "changes", "total_changes"],
            without_arguments: &["date", "time", "datetime", "julianday", "unixepoch"],
            with_one_argument: &[],
            now_in_texts: true,
        },
        reads_unknown_names_as_texts: true,
        ignores_case_of_names: true,
        missing,
        errors_abort_transactions: false,
        // It has no type for moments, among others, and compares the text or number of each as it is.
        compares_stored_forms: true,
        stores_microseconds: false,
        moment_ago: "strftime('%Y-%m-%d %H:%M:%f', 'now', printf('-%.6f seconds', ? / 1000000.0))",
        oldest_transaction: None,
        rounds_sent_decimals: false,
        types_texts_by_columns: false,
        has_collation_columns: false,
        has_nulls_order: true,
        ascending_nulls: Nulls::First,
        ranges: RangeForm::Union,
        sorts_incrementally: true,
        sorts_fixed_expressions: true,
        orders_by_whole_index: false,
        looks_up_groups: false,
        needs_index_hints: false,
        // Only if the table has been analyzed, which the catalog does not tell.
        plans_for_bare_values: true,
        has_generic_plans: true,
        changes_to_generic_plans: false,
        literal_limit: None,
        refuses_outdated_statements: false,
        deferred_join_from: 500,
        shares_common_tables: true,
        moves_with_clauses: false,
        finds_shards_by_equalities: false,
        may_be_spider: false,
        unknown_server: Server::SQLITE,
    };
}

impl Server {
    pub const SQLITE: Self = Self {
        dialect: Dialect::Sqlite,
        planner: Planner::Sqlite,
        groups: GroupAccess::Merged,
        reverses_mixed_indexes: true,
        mixes_index_directions: true,
        indexes_expressions: true,
        verifies_pages: true,
    };
}

/// By the message alone: the codes do not tell.
fn missing<'e>(_: &str, message: &'e str) -> Option<Missing<'e>> {
    let (what, name) = message.split_once(": ")?;
    // A hint may follow the name.
    let name = name.split(" - ").next()?;
    match what {
        "no such table" => Some(Missing::Table(name)),
        "no such column" => Some(Missing::Column(name)),
        _ => None,
    }
}
