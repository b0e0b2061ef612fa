//! The items of a select list.

use super::lexer::Lexeme;

/// An item of the select list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Column { qualifier: Option<String>, name: String, alias: Option<String> },
    Expression { alias: Option<String> },
    Star { qualifier: Option<String> },
}

impl Item {
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
pub(super) fn items(list: &[Lexeme<'_>]) -> Option<Vec<Item>> {
    let mut list = list;
    while let [first, rest @ ..] = list
        && first.is_any(&["DISTINCT", "ALL"])
    {
        list = rest;
        // DISTINCT ON (…)
        if let [on, open, ..] = list
            && on.is("ON")
        {
            let end = list.iter().position(|token| token.is(")") && token.depth == open.depth)?;
            list = list.get(end.checked_add(1)?..)?;
        }
    }
    list.split(|token| token.depth == 0 && token.is(",")).map(item).collect()
}

fn item(tokens: &[Lexeme<'_>]) -> Option<Item> {
    let (tokens, alias) = match tokens {
        [value @ .., keyword, name] if keyword.depth == 0 && keyword.is("AS") => (value, Some(name.name()?)),
        tokens => (tokens, None),
    };
    if let [.., star] = tokens
        && star.is("*")
        && alias.is_none()
    {
        let qualifier = if tokens.len() == 1 { None } else { path(tokens.get(..tokens.len().checked_sub(2)?)?)?.pop() };
        return Some(Item::Star { qualifier });
    }
    if let Some(mut path) = path(tokens) {
        let name = path.pop()?;
        return Some(Item::Column { qualifier: path.pop(), name, alias });
    }
    // Raw SQL may name an expression without AS.
    let implicit = alias.is_none()
        && tokens.len() > 1
        && tokens.last().is_some_and(|last| last.name().is_some() && !last.is("END"));
    if implicit || tokens.is_empty() { None } else { Some(Item::Expression { alias }) }
}

/// The names of `a.b.c`.
pub(super) fn path(tokens: &[Lexeme<'_>]) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for part in tokens.chunks(2) {
        match part {
            [name] => {
                return {
                    names.push(name.name()?);
                    Some(names)
                };
            }
            [name, dot] if dot.is(".") => names.push(name.name()?),
            _ => return None,
        }
    }
    None
}
