//! What may be done to a select that a caller wrote: whether conditions and columns can be added to it in place, what
//! its result's columns are called, and which table its rows come from.
//!
//! sea-query does not expose the parts of a select, but its text shows them. If the text is ambiguous, the select is
//! used as a whole, as a derived table. That is slower, but never wrong.

mod lexer;
mod list;

use self::lexer::{Lexeme, Tokens, commented, tokens};
use self::list::{Item, items, path};
use crate::error::{FrameworkError, Result};

/// What the text of a select shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) kind: Kind,
    /// The result's columns in order; `None` if there may be others than the text shows.
    items: Option<Vec<Item>>,
    /// The table that the rows come from, if they come from a single one.
    pub(crate) table: Option<From>,
    /// Whether ORDER BY decides which rows there are, as it does after DISTINCT ON.
    pub(crate) order_selects_rows: bool,
    /// Whether the text ends in a WINDOW clause, which nothing can follow.
    pub(crate) ends_in_window: bool,
    /// Whether raw SQL in it has an ORDER BY, LIMIT, OFFSET or FETCH, which folio could not change.
    pub(crate) raw_tail: bool,
}

/// What can be changed in a select without a derived table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Its rows are those of its FROM and WHERE: conditions and columns can be added, and rows counted, in place.
    Plain,
    /// Columns can be added and rows counted in place, but no condition: there may be an OR without parentheses beside
    /// it.
    Disjunction,
    /// Columns can be added, and nothing else: its list calls a function, which may be an aggregate, need all rows, or
    /// return several.
    Computed,
    /// Rows are grouped, united or deduplicated, or the text is ambiguous. Only the select as a whole can be used.
    Whole,
}

/// A table in a FROM clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct From {
    pub(crate) schema: Option<String>,
    pub(crate) name: String,
    pub(crate) alias: Option<String>,
}

/// The result of looking up a column by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// The result has exactly one such column, under this name, or may have it.
    Found(String),
    /// Several columns of the result have this name.
    Ambiguous(String),
    Missing,
}

impl Shape {
    /// The shape of a select without ORDER BY, LIMIT and OFFSET, from its text with and without the select list.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for a lock, and for a comment that would hide what is appended to the text.
    pub(crate) fn of(sql: &str, without_list: &str) -> Result<Self> {
        let Tokens { tokens, is_clear } = tokens(sql)?;
        if !is_clear {
            return doubtful(sql, &tokens);
        }
        if tokens.windows(2).any(|pair| pair.iter().all(|token| token.depth == 0) && is_lock(pair)) {
            return Err(locked());
        }
        let Parts { head, list, rest } = Parts::of(&tokens);
        // A select list in raw SQL may bring a FROM of its own, which is gone without the list.
        let has_one_from = |tokens: &[Lexeme<'_>]| top_level(tokens, "FROM").len() == 1;
        let regular = head.len() == 1
            && rest.first().is_some_and(|token| token.is("FROM"))
            && has_one_from(&tokens)
            && has_one_from(&self::tokens(without_list)?.tokens);
        Ok(Self {
            kind: if regular { kind(list, rest) } else { Kind::Whole },
            items: items(list),
            table: if regular { single_table(rest) } else { None },
            order_selects_rows: list
                .windows(2)
                .any(|pair| matches!(pair, [distinct, on] if distinct.is("DISTINCT") && on.is("ON"))),
            ends_in_window: !top_level(&tokens, "WINDOW").is_empty(),
            raw_tail: rest.iter().any(|token| token.depth == 0 && token.is_any(&["ORDER", "LIMIT", "OFFSET", "FETCH"])),
        })
    }

    /// Whether an item of the list has this name as its alias.
    fn has_alias(&self, name: &str) -> bool {
        let is_alias = |item: &Item| match item {
            Item::Column { alias, .. } | Item::Expression { alias } => {
                alias.as_deref().is_some_and(|alias| same(alias, name))
            }
            Item::Star { .. } => false,
        };
        self.items.iter().flatten().any(is_alias)
    }

    /// The table that the only item of this name is a column of, as the list has it without an alias.
    pub(crate) fn qualifier_of(&self, name: &str) -> Option<&str> {
        let mut named =
            self.items.iter().flatten().filter(|item| item.output().is_some_and(|output| same(output, name)));
        match (named.next()?, named.next()) {
            (Item::Column { qualifier, alias: None, .. }, None) => qualifier.as_deref(),
            _ => None,
        }
    }

    /// Whether a name without a table is looked for in the result: an alias comes before a table's column, as in ORDER
    /// BY, and in a join `*` may have one of several columns of that name.
    pub(crate) fn is_of_result(&self, name: &str) -> bool {
        let has_star = self.items.iter().flatten().any(|item| matches!(item, Item::Star { .. }));
        self.has_alias(name) || self.table.is_none() && has_star && !self.has_output(name)
    }

    /// Whether an item of the list has this name.
    pub(crate) fn has_output(&self, name: &str) -> bool {
        self.items.iter().flatten().any(|item| item.output().is_some_and(|output| same(output, name)))
    }

    /// The result's column of this name.
    pub(crate) fn output(&self, name: &str) -> Lookup {
        let Some(items) = &self.items else { return Lookup::Found(name.to_owned()) };
        let named = items.iter().filter(|item| item.output().is_some_and(|output| same(output, name))).count();
        let open = items.iter().any(|item| item.output().is_none());
        match named {
            0 if open => Lookup::Found(name.to_owned()),
            0 => Lookup::Missing,
            1 => Lookup::Found(name.to_owned()),
            _ => Lookup::Ambiguous(name.to_owned()),
        }
    }

    /// The result's column that holds this column of a table, which is written with this qualifier.
    pub(crate) fn output_of(&self, qualifier: &str, column: &str) -> Lookup {
        // The column of that name may be another table's.
        let Some(items) = &self.items else { return Lookup::Missing };
        let holds = |item: &&Item| match item {
            Item::Column { qualifier: Some(own), name, .. } => same(own, qualifier) && same(name, column),
            Item::Column { qualifier: None, name, .. } => same(name, column),
            Item::Expression { .. } | Item::Star { .. } => false,
        };
        if let Some(output) = items.iter().find(holds).and_then(Item::output) {
            return self.output(output);
        }
        let is_star = |item: &Item| match item {
            Item::Star { qualifier: own } => own.as_ref().is_none_or(|own| same(own, qualifier)),
            _ => false,
        };
        // A column of that name in front of the star is another table's, or computed.
        let is_other = |item: &Item| item.output().is_some_and(|output| same(output, column));
        match (items.iter().any(is_star), items.iter().any(is_other)) {
            (true, false) => Lookup::Found(column.to_owned()),
            (true, true) => Lookup::Ambiguous(column.to_owned()),
            (false, _) => Lookup::Missing,
        }
    }
}

/// Compares names without case, as most databases do. A database that does not will report an unknown name itself.
fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// The tokens of a select: before its list, its list, and from FROM on.
struct Parts<'a> {
    head: &'a [Lexeme<'a>],
    list: &'a [Lexeme<'a>],
    rest: &'a [Lexeme<'a>],
}

impl<'a> Parts<'a> {
    fn of(tokens: &'a [Lexeme<'a>]) -> Self {
        let after_select = top_level(tokens, "SELECT").first().map_or(0, |select| select.saturating_add(1));
        let (head, body) = tokens.split_at(after_select);
        let end = body.iter().position(|token| token.depth == 0 && token.is_any(&LIST_ENDS)).unwrap_or(body.len());
        let (list, rest) = body.split_at(end);
        Self { head, list, rest }
    }
}

/// The shape of a text if only these tokens can be read.
fn doubtful(sql: &str, tokens: &[Lexeme<'_>]) -> Result<Shape> {
    let text = sql.to_uppercase();
    if ["FOR UPDATE", "FOR NO KEY UPDATE", "FOR SHARE", "FOR KEY SHARE", "LOCK IN SHARE"]
        .iter()
        .any(|lock| text.contains(lock))
    {
        return Err(locked());
    }
    if text.contains("--") || text.contains('#') {
        return Err(commented());
    }
    let Parts { list, rest, .. } = Parts::of(tokens);
    Ok(Shape {
        kind: Kind::Whole,
        items: if rest.is_empty() { None } else { items(list) },
        table: None,
        order_selects_rows: text.contains("DISTINCT ON"),
        ends_in_window: text.contains(" WINDOW "),
        raw_tail: false,
    })
}

fn locked() -> FrameworkError {
    FrameworkError::internal(
        "the select locks rows, and a page would lock more than it shows: remove the lock, and lock the page's rows \
         by their primary key with a statement of its own",
    )
}

/// Whether two neighbours begin a lock: `FOR UPDATE` and its like. `FOR` has other meanings, too.
fn is_lock(pair: &[Lexeme<'_>]) -> bool {
    let [one, other] = pair else { return false };
    one.is("FOR") && other.is_any(&["UPDATE", "NO", "SHARE", "KEY"]) || one.is("LOCK") && other.is("IN")
}

/// The keywords that end a select list.
const LIST_ENDS: [&str; 9] = ["FROM", "WHERE", "GROUP", "HAVING", "UNION", "INTERSECT", "EXCEPT", "LIMIT", "WINDOW"];

/// Where this keyword is, outside of all parentheses.
fn top_level(tokens: &[Lexeme<'_>], keyword: &str) -> Vec<usize> {
    let found = tokens.iter().enumerate().filter(|(_, token)| token.depth == 0 && token.is(keyword));
    found.map(|(at, _)| at).collect()
}

/// The keywords after which a select is only used as a whole.
const WHOLE: [&str; 16] = [
    "GROUP",
    "HAVING",
    "DISTINCT",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "MINUS",
    "WITH",
    "WINDOW",
    "QUALIFY",
    "INTO",
    "ORDER",
    "LIMIT",
    "OFFSET",
    "FETCH",
    "PROCEDURE",
];

/// The kind of a select with this list and this rest.
fn kind(list: &[Lexeme<'_>], rest: &[Lexeme<'_>]) -> Kind {
    let top = |token: &&Lexeme<'_>| token.depth == 0;
    if list.iter().chain(rest).filter(top).any(|token| token.is_any(&WHOLE)) {
        return Kind::Whole;
    }
    // MySQL's variables can be assigned in the list, for example to count rows as they are read.
    if has_call(list) || list.iter().any(|token| token.is("@")) {
        return Kind::Computed;
    }
    // `||` is OR on MySQL.
    if rest.iter().filter(top).any(|token| token.is_any(&["OR", "XOR", "|"])) { Kind::Disjunction } else { Kind::Plain }
}

/// Keywords that may come before a parenthesis without calling a function.
const NO_FUNCTIONS: [&str; 25] = [
    "SELECT",
    "FROM",
    "WHERE",
    "AND",
    "OR",
    "NOT",
    "IN",
    "EXISTS",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "BETWEEN",
    "LIKE",
    "IS",
    "BY",
    "JOIN",
    "ON",
    "DISTINCT",
    "ALL",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "LIMIT",
    "USING",
];

/// Whether a select list calls a function, which may be an aggregate or return several rows.
fn has_call(list: &[Lexeme<'_>]) -> bool {
    let is_call = |(at, pair): (usize, &[Lexeme<'_>])| {
        let [word, open] = pair else { return false };
        let callable = word.quoted || word.text.starts_with(|first: char| first.is_alphanumeric() || first == '_');
        open.is("(") && callable && !word.is_any(&NO_FUNCTIONS) && !counts_subquery(list, at)
    };
    list.windows(2).enumerate().any(is_call)
}

/// Whether `COUNT(*)` is at this place, inside a subquery: it counts that subquery's rows and no others.
fn counts_subquery(list: &[Lexeme<'_>], at: usize) -> bool {
    let [count, open, star, close, ..] = list.get(at..).unwrap_or_default() else { return false };
    let counts = count.is("COUNT") && open.is("(") && star.is("*") && close.is(")");
    let windowed = list.get(at.saturating_add(4)).is_some_and(|next| next.is_any(&["OVER", "FILTER"]));
    let opens_subquery = |pair: &[Lexeme<'_>]| matches!(pair, [open, select] if open.is("(") && select.is("SELECT") && open.depth < count.depth);
    // The innermost parenthesis around it has to be the subquery's own.
    let before = list.get(..at).unwrap_or_default();
    let around = before.iter().rposition(|token| token.is("(") && token.depth.saturating_add(1) == count.depth);
    let in_subquery = around.and_then(|open| list.get(open..open.saturating_add(2))).is_some_and(opens_subquery);
    counts && in_subquery && !windowed
}

/// The table of a FROM clause that has only one, without joins.
fn single_table(rest: &[Lexeme<'_>]) -> Option<From> {
    let rest = rest.get(1..)?;
    let end = rest.iter().position(|token| token.is("WHERE")).unwrap_or(rest.len());
    let tokens = rest.get(..end)?;
    let (tokens, alias) = match tokens {
        [table @ .., keyword, alias] if keyword.is("AS") => (table, Some(alias.name()?)),
        tokens => (tokens, None),
    };
    let mut path = path(tokens)?;
    let name = path.pop()?;
    Some(From { schema: path.pop(), name, alias })
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
