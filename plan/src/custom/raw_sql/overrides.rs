//! Column names in text that sqlx's macro has checked. They may override what the database says of the type: `"id!"`,
//! `"id?"` and `"id: Kind"` all name the column `id`.

use std::collections::BTreeSet;

use crate::custom::lexer::{Kind, Token, tokens, wrong};
use crate::dialect::Dialect;
use crate::error::Result;

/// The text with plain names: `SELECT id AS "id!"` becomes `SELECT id AS "id"`, and so does each use of that name after
/// the select list and outside of parentheses, as in GROUP BY.
///
/// # Errors
/// [`Misuse`](crate::error::Misuse) for an override without AS. The database would return its column under the whole
/// name, where the row type does not find it.
pub(super) fn without_overrides(dialect: Dialect, sql: &str) -> Result<String> {
    let tokens = tokens(dialect, sql)?;
    let outer: Vec<&Token<'_>> = tokens.iter().filter(|token| token.depth == 0).collect();
    let (mut in_list, mut aliases, mut plain, mut end) = (false, BTreeSet::new(), String::with_capacity(sql.len()), 0);
    for (at, token) in outer.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| outer.get(before));
        let is_after = |word| before.is_some_and(|before| before.is(word));
        in_list = token.is("SELECT") || in_list && !ends_list(token, is_after("DISTINCT"));
        let Some(name) = plain_name(token) else { continue };
        if in_list && is_after("AS") {
            aliases.insert(token.text);
        } else if in_list {
            let after = outer.get(at.saturating_add(1));
            let is_name = dialect.facts().syntax.name_quotes.iter().any(|quote| token.text.starts_with(*quote));
            if is_name && after.is_none_or(|after| after.is(",") || ends_list(after, false)) {
                let column = token.text;
                return Err(wrong(&format!("has the column {column} without `AS`: write `AS {column}`")));
            }
            continue;
        } else if is_after(".") || !aliases.contains(token.text) {
            continue;
        }
        // The quotes stay.
        plain.push_str(sql.get(end..token.start.saturating_add(1)).unwrap_or_default());
        plain.push_str(name);
        end = token.end().saturating_sub(1);
    }
    plain.push_str(sql.get(end..).unwrap_or_default());
    Ok(plain)
}

/// Whether a select list ends before this token. The FROM of `IS DISTINCT FROM` is an operator.
fn ends_list(token: &Token<'_>, is_after_distinct: bool) -> bool {
    token.is_any(&["WHERE", "UNION", "EXCEPT", "INTERSECT"]) || token.is("FROM") && !is_after_distinct
}

/// The name before an override, if the token is in quotes and has one.
fn plain_name<'a>(token: &Token<'a>) -> Option<&'a str> {
    if token.kind != Kind::Quoted {
        return None;
    }
    let name = token.text.strip_prefix(['"', '`', '[', '\''])?.strip_suffix(['"', '`', ']', '\''])?;
    let end = name.find(|char: char| !char.is_alphanumeric() && char != '_')?;
    let (name, rest) = name.split_at_checked(end)?;
    let rest = rest.strip_prefix(['!', '?']).unwrap_or(rest);
    (!name.is_empty() && (rest.is_empty() || rest.starts_with(':'))).then_some(name)
}
