//! What folio knows about databases, as data: the [`Facts`] of a dialect's SQL, and what a [`Server`] does with it.
//!
//! The dialect is known before a connection is leased, because it comes from the driver. Which server speaks it, and in
//! which version, is only known from the catalog. Neither struct has a default, so code for a new database does not
//! compile until it states every fact. The facts about plans were measured on tables of 200,000 to 1,000,000 rows, and
//! the plan tests check them.

use super::Dialect;
use crate::schema::table::Nulls;

/// The facts about the SQL of a database. They hold for all servers that speak the dialect.
pub struct Facts {
    /// The database's name in OpenTelemetry's conventions, for spans and metrics.
    pub system_name: &'static str,
    /// The name of sqlx's driver: its `Database::NAME`.
    pub driver: &'static str,
    /// Whether each statement is one flat SELECT, because a proxy sends it to several servers and puts their rows
    /// together. Proxies do so by the ORDER BY, LIMIT and OFFSET of the statement itself, and by the columns of its
    /// result. They send a UNION or a subquery to one server, or to each, and so lose rows or repeat them.
    pub is_plain: bool,
    /// The quote around names.
    pub quote: char,
    pub parameters: ParameterForm,
    /// How many parameters a statement has at most.
    pub max_parameters: usize,
    /// Whether a statement can refer to any of many parameters by its number in constant time. SQLite goes through a
    /// list.
    pub finds_parameters_fast: bool,
    /// Whether prepared statements are for the types of the first values. sqlx finds them by their text alone, so folio
    /// writes the types into the text. PostgreSQL would misread the bytes of other types.
    pub prepares_for_types: bool,
    /// How a list of any length is bound as one parameter.
    pub lists: ListForm,
    /// The type to which a number is cast so that it can be read like a count.
    pub count_type: &'static str,
    /// Whether the selects of a union can be in parentheses. SQLite does not accept them.
    pub unites_in_parentheses: bool,
    /// Whether CREATE INDEX has the schema before the name of the index. SQLite finds the table in the same schema.
    pub qualifies_new_indexes: bool,
    /// What to put before a select for a plan that estimates its rows; `None` if the database's plans do not.
    pub explain: Option<&'static str>,
    /// How the SQL text of a caller is split into tokens.
    pub syntax: Syntax,
    pub volatile: VolatileFunctions,

    /// Whether an unknown column name in double quotes is read as a string instead of being an error.
    pub reads_unknown_names_as_texts: bool,
    /// Whether a name in quotes is found in either case.
    pub ignores_case_of_names: bool,
    /// What does not exist, by the code and the message of an error: see [`Dialect::missing`].
    pub missing: for<'e> fn(&str, &'e str) -> Option<Missing<'e>>,
    /// Whether a statement that fails aborts its transaction, so that every later statement fails as well.
    pub errors_abort_transactions: bool,

    /// Whether values compare as they are stored, and one value of a type may be stored in several forms.
    pub compares_stored_forms: bool,
    /// Whether moments are stored with microseconds, and a value with more digits is cut off when it is bound.
    pub stores_microseconds: bool,
    /// SQL for the moment a number of microseconds ago, by the database's clock. The number is the parameter. The moment
    /// is constant within a statement, so an index range can end at it.
    pub moment_ago: &'static str,
    /// SQL for the oldest transaction in progress, as an `xid8`; `None` if the database has no such type.
    pub oldest_transaction: Option<&'static str>,
    /// Whether a computed decimal may be rounded when it is sent. MySQL sends the average of 1, 4 and 9 as 4.6667, but
    /// does not consider them equal.
    pub rounds_sent_decimals: bool,
    /// Whether a text is bound in the type of the column that it is compared with. PostgreSQL would otherwise compare
    /// by the rules of `text`, which miss rows of a `citext` or `char(n)` column and use no index of it.
    pub types_texts_by_columns: bool,
    /// Whether the rows do not show by which rules a column is compared, so that a page selects them too: see
    /// [`Dialect::collation_columns`].
    pub has_collation_columns: bool,

    /// Whether ORDER BY has NULLS FIRST and NULLS LAST. MySQL and MariaDB sort by `IS NULL` before the column instead.
    pub has_nulls_order: bool,
    /// The position of a column's NULLs in an ascending index. In a descending one it is the opposite.
    pub ascending_nulls: Nulls,
    /// The form in which ranges are read along an index, if the index has the order.
    pub ranges: RangeForm,
    /// Whether the database sorts only within groups if an index has a prefix of an order. MySQL and MariaDB sort the
    /// whole range.
    pub sorts_incrementally: bool,
    /// Whether the database sorts by an expression even if a condition fixes its value. SQLite only recognizes this for
    /// columns.
    pub sorts_fixed_expressions: bool,
    /// Whether a group whose value comes from another table is read in the index's order only if the ORDER BY names all
    /// columns of the index. Otherwise MySQL reads all rows of the group and sorts them.
    pub orders_by_whole_index: bool,
    /// Whether separate statements may look up which groups of a feed a page has rows of, because a server of the
    /// dialect reads each group by a SELECT of its own.
    pub looks_up_groups: bool,
    /// Whether even a first page without conditions has to name its index. MySQL may choose another one, and reads
    /// thousands of rows ahead.
    pub needs_index_hints: bool,

    /// Whether a bare comparison with a bound value, or a bare bound limit, makes the database plan the statement again
    /// for each value. A unary plus before the value prevents it: see `Sql::signed`.
    pub plans_for_bare_values: bool,
    /// Whether the database can keep a generic plan of a filtered statement, but may also plan it again for each value.
    /// MySQL and MariaDB keep none.
    ///
    /// PostgreSQL plans again if it expects a generic plan to cost more, and SQLite if the table has been analyzed. For
    /// a short page, planning takes about as long as reading.
    pub has_generic_plans: bool,
    /// Whether the database changes to a generic plan after some executions, if that looks no more expensive: see
    /// [`Dialect::count_planned_each_time`].
    pub changes_to_generic_plans: bool,
    /// A literal limit for statements that read no more rows than that, if it lets the database keep a generic plan.
    ///
    /// PostgreSQL assumes that a bound limit is a tenth of all rows, and keeps a generic plan only if it looks cheap for
    /// every value. With a bound limit alone it plans each page again, which takes longer than reading it. With a
    /// literal limit in an inner select, it keeps the plan. Pages of more rows take longer to read than to plan.
    pub literal_limit: Option<u64>,
    /// Whether a persistent statement fails after a migration has changed the columns of its result. The other databases
    /// prepare it again.
    pub refuses_outdated_statements: bool,
    /// The offset from which a deferred join is faster. Measured on 200,000 rows of 200 bytes with an index, where
    /// skipping whole rows begins to cost more than a join.
    pub deferred_join_from: u64,
    /// Whether a common table expression that a statement reads twice is computed once. MariaDB computes it for each
    /// use.
    pub shares_common_tables: bool,
    /// Whether a caller's WITH clause is moved in front of the statement. If a statement has the caller's text twice,
    /// PostgreSQL can be told there to inline an expression. Elsewhere, each copy of the text keeps its own clause, so
    /// that no expression is read twice.
    pub moves_with_clauses: bool,
    /// Whether a server in front of several shards may look for the equalities of a statement's filters.
    pub finds_shards_by_equalities: bool,
    /// Whether a table may be one of MariaDB's Spider, as the catalog tells.
    pub may_be_spider: bool,

    /// What holds for every server of the dialect, until the catalog tells which one it is.
    pub unknown_server: Server,
}

/// How a statement refers to its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterForm {
    /// `?`, each for the next value.
    Positional,
    /// `?`, or `?1` for the value with this number.
    Question,
    /// `$1`, always with a number.
    Dollar,
}

/// How a list of any length is bound as one parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListForm {
    /// An array, which a select can read as a table, and which the values of an IN can be.
    Array,
    /// A JSON document, which a select can read as a table. MySQL and MariaDB only search an index for an IN of single
    /// values.
    JsonTable,
    /// A JSON document, which the values of an IN can be.
    JsonIn,
}

/// How the ranges after a boundary become one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeForm {
    /// A UNION ALL of selects, each with its own ORDER BY and LIMIT. PostgreSQL merges them lazily only if each has its
    /// own order.
    SortedUnion,
    /// A UNION ALL of selects under one ORDER BY, which SQLite merges lazily.
    Union,
    /// One select whose WHERE joins the ranges by OR. MySQL and MariaDB read it along one index.
    Or,
}

/// What a statement names that does not exist.
#[derive(Debug, PartialEq, Eq)]
pub enum Missing<'e> {
    Table(&'e str),
    Column(&'e str),
}

/// How SQL text is split into tokens, where databases differ.
pub struct Syntax {
    /// The characters that begin a quoted name. A `"` that is not among them begins a string.
    pub name_quotes: &'static [char],
    /// The characters that begin a parameter with a name, which sqlx cannot bind.
    pub named_parameters: &'static [char],
    /// Whether a backslash before a quote is read by the server's settings.
    pub may_escape_quotes: bool,
    /// Whether a backslash escapes in a string that begins with `E`.
    pub has_escape_strings: bool,
    /// Whether comments can be inside each other.
    pub nests_comments: bool,
    /// Whether a carriage return ends the comment of a line.
    pub returns_end_comments: bool,
    /// Whether `#` begins a comment, `--` only before a space, and what is in `/*! … */` runs.
    pub has_mysql_comments: bool,
}

/// Functions whose value changes between two pages, or within one statement: those of the clock, and random ones.
pub struct VolatileFunctions {
    /// Functions that take any arguments.
    pub any: &'static [&'static str],
    /// Functions that are the clock if they have no arguments.
    pub without_arguments: &'static [&'static str],
    /// Functions that read the clock if they have one argument.
    pub with_one_argument: &'static [&'static str],
    /// Whether the text `'now'` is the clock.
    pub now_in_texts: bool,
}

/// A database server: the dialect that it speaks, and what its planner does. It comes from the catalog, with the
/// version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Server {
    pub dialect: Dialect,
    /// How the planner is kept from reading more than a page.
    pub planner: Planner,
    /// How the first rows of many groups are read along an index.
    pub groups: GroupAccess,
    /// Whether an index whose columns have different directions can be read backwards. MySQL sorts instead.
    pub reverses_mixed_indexes: bool,
    /// Whether the columns of an index can have different directions. OceanBase and TiDB accept DESC, and ignore it.
    pub mixes_index_directions: bool,
    /// Whether an expression can have an index. On MariaDB only a generated column can.
    pub indexes_expressions: bool,
    /// Whether a page's statement can verify in a subquery that it leaves no row out. With the subquery, MySQL reads
    /// thousands of rows ahead, and it cannot read a temporary table twice.
    pub verifies_pages: bool,
}

/// How a server's planner behaves, where the statement of a page depends on it. It decides the
/// [`AccessPath`](crate::access::AccessPath) of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Planner {
    /// It keeps the plan of a statement unless it plans for the values of its filters.
    Sqlite,
    /// It reads `(a, b) > (?, ?)` as one range of an index. It removes a column with an equality from the ORDER BY, and
    /// may then choose an index without it.
    Postgres {
        /// Whether the rows that match a list of values keep the order of an index if the list comes after an equality
        /// column.
        orders_after_lists: bool,
    },
    /// It takes the name of an index. It reads an OR of ranges along an index, but `(a, b) > (?, ?)` by reading the
    /// whole table, and may look up a filter's value and then skip its rows one by one.
    MySql {
        /// Whether it reads thousands of rows ahead of a page, unless it expects few, and whether it may choose an
        /// index without the order even for a list without filters.
        reads_ahead: bool,
        /// Whether it uses the whole index for a range only if there is an additional OR branch that matches no row.
        needs_false_branch: bool,
    },
    /// Those of several servers behind a proxy, to which the catalog of one of them says nothing.
    Plain {
        /// Whether they read `(a, b) > (?, ?)` as one range of an index.
        row_values: bool,
    },
}

/// How the first rows of many groups are read along an index that begins with the groups' columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GroupAccess {
    /// By an IN: the database merges the groups itself.
    Merged,
    /// By a LATERAL join of the values with the first rows of each, from any boundary on.
    Lateral,
    /// By a LATERAL join from the start of each group. After a boundary, reading can only start at a constant, so each
    /// group has a SELECT.
    LateralFromStart,
    /// By a SELECT for each group, since there is no LATERAL join.
    Branches,
}
