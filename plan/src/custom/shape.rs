//! Analyses a select that a caller wrote: whether conditions and columns can be added to it in place, the names of its
//! result's columns, and the table that its rows come from.
//!
//! sea-query does not expose the parts of a select, but its text shows them. If the text is ambiguous, the select is
//! used as a whole, as a derived table. That is slower, but never wrong.

mod kind;
mod list;

pub use self::kind::Kind;
use self::kind::kind;
use self::list::{Item, items, path, same, split_alias};
use crate::custom::lexer::{Token, Tokens, has_any, has_variable};
use crate::error::{Misuse, Result};

/// What the text of a select shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    pub kind: Kind,
    /// The result's columns in order; `None` if there may be columns that the text does not show.
    items: Option<Vec<Item>>,
    /// The table that the rows come from, if they come from a single one.
    pub table: Option<From>,
    /// The name of the first table in the FROM clause, or its alias.
    pub first: Option<String>,
    /// Whether ORDER BY decides which rows there are, as it does after DISTINCT ON.
    pub order_selects_rows: bool,
    /// Whether the text ends in a WINDOW clause, which nothing can follow.
    pub ends_in_window: bool,
    /// Whether raw SQL in it has an ORDER BY, LIMIT, OFFSET or FETCH, which folio could not change.
    pub raw_tail: bool,
    /// Whether it is one SELECT with a FROM clause, to whose list a column can be appended.
    pub is_regular: bool,
    /// Whether every page computes all rows.
    pub is_computed: bool,
    /// Whether rows and count need separate statements. A UNION may evaluate the count in each of its selects, the
    /// count would change MySQL's variables, and a text that cannot be read may contain either.
    pub counts_apart: bool,
}

/// A table in a FROM clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct From {
    pub schema: Option<String>,
    pub name: String,
    pub alias: Option<String>,
}

/// The result of looking up a column by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
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
    /// [`Misuse`] for a lock, and for a comment that would hide what is appended to the text.
    pub fn of(text: &Tokens<'_>, without_list: &Tokens<'_>) -> Result<Self> {
        if text.may_hide_rest {
            return Err(commented());
        }
        if text.refusal.is_some() {
            return doubtful(text);
        }
        if has_lock(&text.read) {
            return Err(locked());
        }
        // A select list in raw SQL may contain a FROM clause, which is missing from the text without the list.
        Ok(Self::of_tokens(&text.read, has_one_from(&without_list.read)))
    }

    /// The shape of a text that a caller wrote, which is a derived table. A UNION ALL of tables is merged into the
    /// page, but not into a page with its count.
    pub fn of_text(tokens: &[Token<'_>]) -> Self {
        let shape = Self::of_tokens(tokens, true);
        let unites_all =
            |pair: &[Token<'_>]| matches!(pair, [union, all] if union.is_top_level("UNION") && all.is("ALL"));
        let counts_apart = has_variable(tokens) || tokens.windows(2).any(unites_all);
        let has_window = tokens.iter().any(|token| token.is("OVER"));
        Self { counts_apart, is_computed: shape.kind == Kind::Whole || has_window, ..shape }
    }

    /// The shape of selects whose rows are one list. If there are several, the first one names the columns.
    pub fn of_all(selects: Vec<Self>) -> Self {
        match <[Self; 1]>::try_from(selects) {
            Ok([only]) => only,
            Err(selects) => {
                let items = selects.into_iter().next().and_then(|first| first.items);
                Self { items, ..Self::UNKNOWN }
            }
        }
    }

    const UNKNOWN: Self = Self {
        kind: Kind::Whole,
        items: None,
        table: None,
        first: None,
        order_selects_rows: false,
        ends_in_window: false,
        raw_tail: false,
        is_regular: false,
        is_computed: true,
        counts_apart: true,
    };

    fn of_tokens(tokens: &[Token<'_>], may_be_regular: bool) -> Self {
        let Parts { head, list, rest } = Parts::of(tokens);
        let is_distinct_on =
            |pair: &[Token<'_>]| matches!(pair, [distinct, on] if distinct.is("DISTINCT") && on.is("ON"));
        let shape = Self {
            items: items(list),
            order_selects_rows: list.windows(2).any(is_distinct_on),
            ends_in_window: !top_level(tokens, "WINDOW").is_empty(),
            counts_apart: has_variable(tokens)
                || tokens.iter().any(|token| token.depth == 0 && token.is_any(&SET_OPERATIONS)),
            raw_tail: has_any(rest, &TAIL),
            ..Self::UNKNOWN
        };
        // Nothing is before SELECT, and FROM after the list.
        let has_parts = head.len() == 1 && rest.first().is_some_and(|token| token.is("FROM"));
        if !may_be_regular || !has_parts || !has_one_from(tokens) {
            return shape;
        }
        let kind = kind(list, rest);
        let (table, first) = (single_table(rest), first_name(rest));
        Self { kind, is_computed: kind == Kind::Whole, table, first, is_regular: true, ..shape }
    }

    /// Whether tokens begin with a lock: `FOR UPDATE` and its like. `FOR` and `LOCK` have other meanings, too.
    pub(crate) fn is_lock(tokens: &[Token<'_>]) -> bool {
        let begins = |lock: &str| {
            lock.split(' ').zip(0..).all(|(word, at)| tokens.get(at).is_some_and(|token: &Token<'_>| token.is(word)))
        };
        LOCKS.iter().any(|lock| begins(lock))
    }

    /// Whether the select list has aliases, or may have some because its text is ambiguous.
    pub(crate) fn has_aliases(&self) -> bool {
        self.items.as_ref().is_none_or(|items| items.iter().any(|item| item.alias().is_some()))
    }

    /// Whether an item of the list has this name as its alias.
    fn has_alias(&self, name: &str) -> bool {
        self.items().filter_map(Item::alias).any(|alias| same(alias, name))
    }

    /// The items that the text shows.
    fn items(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().flatten()
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &Item> {
        self.items().filter(move |item| item.is_named(name))
    }

    /// The table of the only item with this name, if the item is a column without an alias.
    pub(crate) fn qualifier_of(&self, name: &str) -> Option<&str> {
        let mut named = self.named(name);
        match (named.next()?, named.next()) {
            (Item::Column { qualifier, alias: None, .. }, None) => qualifier.as_deref(),
            _ => None,
        }
    }

    /// Whether a name without a table is looked up in the result first. As in ORDER BY, an alias takes precedence over
    /// a table's column, and in a join `*` may have one of several columns with that name.
    pub(crate) fn is_of_result(&self, name: &str) -> bool {
        let has_star = self.items().any(|item| matches!(item, Item::Star { .. }));
        self.has_alias(name) || self.table.is_none() && has_star && !self.has_output(name)
    }

    /// Whether an item of the list has this name.
    pub(crate) fn has_output(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }

    /// The result's column of this name.
    pub fn output(&self, name: &str) -> Lookup {
        // Whether there may be columns whose names the text does not show.
        let is_open = self.items.as_ref().is_none_or(|items| items.iter().any(|item| item.output().is_none()));
        match (self.named(name).count(), is_open) {
            (1, _) | (0, true) => Lookup::Found(name.to_owned()),
            (0, false) => Lookup::Missing,
            _ => Lookup::Ambiguous(name.to_owned()),
        }
    }

    /// The result's column that holds this column of a table, which is written with this qualifier.
    pub(crate) fn output_of(&self, qualifier: &str, column: &str) -> Lookup {
        match self.items().find(|item| item.holds(qualifier, column)).and_then(Item::output) {
            Some(output) => self.output(output),
            // If the text does not show the items, a column of that name may be another table's.
            None if !self.items().any(|item| item.is_star_of(qualifier)) => Lookup::Missing,
            // A column with the same name beside the star comes from another table or is computed.
            None if self.has_output(column) => Lookup::Ambiguous(column.to_owned()),
            None => Lookup::Found(column.to_owned()),
        }
    }
}

/// The tokens of a select: before its list, its list, and from FROM on.
struct Parts<'a> {
    head: &'a [Token<'a>],
    list: &'a [Token<'a>],
    rest: &'a [Token<'a>],
}

impl<'a> Parts<'a> {
    fn of(tokens: &'a [Token<'a>]) -> Self {
        let after_select = top_level(tokens, "SELECT").first().map_or(0, |select| select.saturating_add(1));
        let (head, body) = tokens.split_at(after_select);
        let end = body.iter().position(|token| token.depth == 0 && token.is_any(&LIST_ENDS));
        let (list, rest) = body.split_at(end.unwrap_or(body.len()));
        Self { head, list, rest }
    }
}

/// Whether the select itself has a lock, and not only a subquery.
fn has_lock(tokens: &[Token<'_>]) -> bool {
    let is_lock = |(at, token): (usize, &Token<'_>)| token.depth == 0 && tokens.get(at..).is_some_and(Shape::is_lock);
    tokens.iter().enumerate().any(is_lock)
}

/// The shape of a text that cannot be read to its end. Rejects one that may have a lock, or a comment that would hide
/// what is appended.
fn doubtful(Tokens { sql, read, .. }: &Tokens<'_>) -> Result<Shape> {
    let text = sql.to_uppercase();
    if LOCKS.iter().any(|lock| text.contains(lock)) {
        return Err(locked());
    }
    if text.contains("--") || text.contains('#') {
        return Err(commented());
    }
    let Parts { list, rest, .. } = Parts::of(read);
    Ok(Shape {
        items: if rest.is_empty() { None } else { items(list) },
        order_selects_rows: text.contains("DISTINCT ON"),
        ends_in_window: text.contains(" WINDOW "),
        ..Shape::UNKNOWN
    })
}

fn locked() -> Misuse {
    Misuse::new(
        "the select locks rows, and a page would lock more than it shows: remove the lock, and lock the page's rows \
         by their primary key with a statement of its own",
    )
}

fn commented() -> Misuse {
    Misuse::new("the select has a comment that would hide what folio appends to it: remove `--` and `#`")
}

const LOCKS: [&str; 5] = ["FOR UPDATE", "FOR NO KEY UPDATE", "FOR SHARE", "FOR KEY SHARE", "LOCK IN SHARE"];

/// The keywords of an order and its limits.
const TAIL: [&str; 4] = ["ORDER", "LIMIT", "OFFSET", "FETCH"];

/// The keywords between selects whose results become one.
const SET_OPERATIONS: [&str; 4] = ["UNION", "INTERSECT", "EXCEPT", "MINUS"];

/// The keywords that end a select list.
const LIST_ENDS: [&str; 9] = ["FROM", "WHERE", "GROUP", "HAVING", "UNION", "INTERSECT", "EXCEPT", "LIMIT", "WINDOW"];

fn has_one_from(tokens: &[Token<'_>]) -> bool {
    top_level(tokens, "FROM").len() == 1
}

/// Where this keyword is, outside of all parentheses.
fn top_level(tokens: &[Token<'_>], keyword: &str) -> Vec<usize> {
    let found = tokens.iter().enumerate().filter(|(_, token)| token.is_top_level(keyword));
    found.map(|(at, _)| at).collect()
}

/// The table of a FROM clause that has only one, without joins.
fn single_table(rest: &[Token<'_>]) -> Option<From> {
    let rest = rest.get(1..)?;
    let (table, alias) = split_alias(rest.split(|token| token.is("WHERE")).next()?)?;
    let mut path = path(table)?;
    Some(From { name: path.pop()?, schema: path.pop(), alias })
}

/// The name of the first table of a FROM clause, or its alias.
fn first_name(rest: &[Token<'_>]) -> Option<String> {
    let is_end = |token: &Token<'_>| token.depth == 0 && (token.is(",") || token.is_any(&TABLE_ENDS));
    let (table, alias) = split_alias(rest.get(1..)?.split(is_end).next()?)?;
    alias.or_else(|| path(table)?.pop())
}

/// The keywords that can follow a table in a FROM clause.
const TABLE_ENDS: [&str; 14] = [
    "WHERE",
    "JOIN",
    "INNER",
    "LEFT",
    "RIGHT",
    "FULL",
    "CROSS",
    "NATURAL",
    "STRAIGHT_JOIN",
    "GROUP",
    "HAVING",
    "WINDOW",
    "ORDER",
    "LIMIT",
];

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
