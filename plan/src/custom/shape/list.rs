//! The items of a select list.

use crate::custom::lexer::Token;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Column { qualifier: Option<String>, name: String, alias: Option<String> },
    Expression { alias: Option<String> },
    Star { qualifier: Option<String> },
}

impl Item {
    /// Whether the text shows that its column in the result has this name.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.output().is_some_and(|output| same(output, name))
    }

    /// Whether it is this column of a table, which is written with this qualifier.
    pub(super) fn holds(&self, table: &str, column: &str) -> bool {
        match self {
            Self::Column { qualifier, name, .. } => {
                qualifier.as_ref().is_none_or(|own| same(own, table)) && same(name, column)
            }
            Self::Expression { .. } | Self::Star { .. } => false,
        }
    }

    /// Whether it is a star that includes the columns of a table with this qualifier.
    pub(super) fn is_star_of(&self, table: &str) -> bool {
        match self {
            Self::Star { qualifier } => qualifier.as_ref().is_none_or(|own| same(own, table)),
            Self::Column { .. } | Self::Expression { .. } => false,
        }
    }

    /// Its name after AS.
    pub(super) fn alias(&self) -> Option<&str> {
        match self {
            Self::Column { alias, .. } | Self::Expression { alias } => alias.as_deref(),
            Self::Star { .. } => None,
        }
    }

    /// The name of the item's column in the result, if the text shows it.
    pub(super) fn output(&self) -> Option<&str> {
        match self {
            Self::Column { name, alias, .. } => Some(alias.as_ref().unwrap_or(name)),
            Self::Expression { alias } => alias.as_deref(),
            Self::Star { .. } => None,
        }
    }
}

/// The items of a select list; `None` if one of them cannot be read.
pub(super) fn items(list: &[Token<'_>]) -> Option<Vec<Item>> {
    let mut list = list;
    while let [first, rest @ ..] = list
        && first.is_any(&["DISTINCT", "ALL"])
    {
        list = after_on(rest)?;
    }
    list.split(|token| token.is_top_level(",")).map(item).collect()
}

/// The tokens after the `ON (…)` of a DISTINCT, if it has one.
fn after_on<'a>(list: &'a [Token<'a>]) -> Option<&'a [Token<'a>]> {
    match list {
        [on, open, ..] if on.is("ON") => {
            let end = list.iter().position(|token| token.is(")") && token.depth == open.depth)?;
            list.get(end.checked_add(1)?..)
        }
        _ => Some(list),
    }
}

fn item(tokens: &[Token<'_>]) -> Option<Item> {
    let (value, alias) = split_alias(tokens)?;
    if let [before @ .., star] = value
        && star.is("*")
        && alias.is_none()
    {
        return Some(Item::Star { qualifier: qualifier(before)? });
    }
    if let Some(mut path) = path(value) {
        return Some(Item::Column { name: path.pop()?, qualifier: path.pop(), alias });
    }
    // Raw SQL may name an expression without AS, so its last word may be its name.
    let may_end_in_name = value.last().is_some_and(|last| last.name().is_some() && !last.is("END"));
    let is_clear = !value.is_empty() && (alias.is_some() || !may_end_in_name);
    is_clear.then_some(Item::Expression { alias })
}

/// The tokens before AS, and the name after it; `None` if that cannot be read.
pub(super) fn split_alias<'a>(tokens: &'a [Token<'a>]) -> Option<(&'a [Token<'a>], Option<String>)> {
    match tokens {
        [value @ .., keyword, name] if keyword.is_top_level("AS") => Some((value, Some(name.name()?))),
        _ => Some((tokens, None)),
    }
}

/// The qualifier of a star, which is the last name before its dot: `Some(None)` without a dot, and `None` if it cannot
/// be read.
fn qualifier(before_star: &[Token<'_>]) -> Option<Option<String>> {
    match before_star {
        [] => Some(None),
        [names @ .., _dot] => path(names).map(|mut names| names.pop()),
    }
}

/// Compares names without case, as most databases do. A database that does not will report an unknown name itself.
pub(super) fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// The names of `a.b.c`.
pub(super) fn path(tokens: &[Token<'_>]) -> Option<Vec<String>> {
    let mut dots = tokens.iter().skip(1).step_by(2);
    if tokens.len().is_multiple_of(2) || !dots.all(|dot| dot.is(".")) {
        return None;
    }
    tokens.iter().step_by(2).map(Token::name).collect()
}
