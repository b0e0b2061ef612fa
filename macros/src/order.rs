//! Parses the text of a key, which is written like ORDER BY: `score desc nulls last, created_at, id`.
//!
//! ```text
//! key   = term { "," term }
//! term  = name [ "asc" | "desc" ] [ "nulls" ( "first" | "last" ) ]
//! ```
//!
//! As in SQL, the keywords are case-insensitive. A column can have the name of a keyword, because the first word of a
//! term is always its name.

use std::fmt::{self, Display, Formatter};

/// The direction in which a column is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Direction {
    /// The smallest value first.
    #[default]
    Asc,
    /// The largest value first.
    Desc,
}

/// The position of a column's NULLs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Nulls {
    /// Before all values.
    First,
    /// After all values.
    Last,
}

/// One item of the list: a name and its order.
#[derive(Debug, PartialEq)]
pub(crate) struct Term {
    /// The name of a field, or of its column.
    pub(crate) name: String,
    /// `asc` or `desc`, if written.
    pub(crate) direction: Option<Direction>,
    /// `nulls first` or `nulls last`, if written.
    pub(crate) nulls: Option<Nulls>,
}

impl Term {
    /// Whether a direction or a NULL position is written.
    pub(crate) fn has_order(&self) -> bool {
        self.direction.is_some() || self.nulls.is_some()
    }
}

impl Display for Term {
    /// The text of the term, without its NULL position. Messages append the position to it.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let direction = match self.direction {
            None => "",
            Some(Direction::Asc) => " asc",
            Some(Direction::Desc) => " desc",
        };
        write!(f, "{}{direction}", self.name)
    }
}

/// The terms of a list. Each is parsed on its own, so that one mistake does not hide another.
pub(crate) fn terms(text: &str) -> impl Iterator<Item = Result<Term, String>> {
    text.split(',').map(term)
}

/// Parses `name [asc | desc] [nulls first | nulls last]`.
fn term(text: &str) -> Result<Term, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (name, mut rest) = words.split_first().ok_or("empty item; remove the extra comma")?;
    let direction = rest.first().and_then(|word| match word.to_ascii_lowercase().as_str() {
        "asc" => Some(Direction::Asc),
        "desc" => Some(Direction::Desc),
        _ => None,
    });
    if direction.is_some() {
        rest = rest.get(1..).unwrap_or_default();
    }
    let nulls = match rest {
        [] => None,
        [word, position @ ..] if word.eq_ignore_ascii_case("nulls") => Some(nulls(position)?),
        [word, ..] if direction.is_none() => return Err(format!("unknown direction `{word}`; use `asc` or `desc`")),
        [word, ..] => return Err(stray(word)),
    };
    Ok(Term { name: (*name).to_owned(), direction, nulls })
}

/// Parses the words after `nulls`, which end the term.
fn nulls(words: &[&str]) -> Result<Nulls, String> {
    let [position, rest @ ..] = words else {
        return Err("`nulls` has no position; write `nulls first` or `nulls last`".to_owned());
    };
    let nulls = match position.to_ascii_lowercase().as_str() {
        "first" => Nulls::First,
        "last" => Nulls::Last,
        other => return Err(format!("NULLs cannot be `{other}`; write `nulls first` or `nulls last`")),
    };
    rest.first().map_or(Ok(nulls), |word| Err(stray(word)))
}

/// The message for a word after the end of a term.
fn stray(word: &str) -> String {
    format!("`{word}` does not belong here; write a comma before it or remove it")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The terms of a text without mistakes, as (name, direction, nulls).
    fn read(text: &str) -> Vec<(String, Option<Direction>, Option<Nulls>)> {
        let terms: Result<Vec<_>, _> = terms(text).collect();
        terms.unwrap().into_iter().map(|term| (term.name, term.direction, term.nulls)).collect()
    }

    /// The mistakes in a text.
    fn faults(text: &str) -> Vec<String> {
        terms(text).filter_map(Result::err).collect()
    }

    #[test]
    fn a_list_reads_like_order_by() {
        use {Direction::*, Nulls::*};
        let term = |name: &str, direction, nulls| (name.to_owned(), direction, nulls);
        assert_eq!(read("created_at"), [term("created_at", None, None)]);
        assert_eq!(read("a asc,b desc"), [term("a", Some(Asc), None), term("b", Some(Desc), None)]);
        assert_eq!(read(" a  nulls\tfirst , b "), [term("a", None, Some(First)), term("b", None, None)]);
        assert_eq!(read("a DESC Nulls LAST"), [term("a", Some(Desc), Some(Last))]);
        assert_eq!(read("desc desc"), [term("desc", Some(Desc), None)]);
        assert_eq!(read("nulls nulls last"), [term("nulls", None, Some(Last))]);
    }

    #[test]
    fn a_mistake_says_what_to_write() {
        for (text, expected) in [
            ("a dsc", "unknown direction `dsc`; use `asc` or `desc`"),
            ("a desc desc", "`desc` does not belong here; write a comma before it or remove it"),
            ("a desc nulls", "`nulls` has no position; write `nulls first` or `nulls last`"),
            ("a nulls end", "NULLs cannot be `end`; write `nulls first` or `nulls last`"),
            ("a nulls last id", "`id` does not belong here; write a comma before it or remove it"),
            ("a,", "empty item; remove the extra comma"),
            (", a", "empty item; remove the extra comma"),
        ] {
            assert_eq!(faults(text), [expected], "{text}");
        }
    }

    #[test]
    fn one_mistake_hides_no_other() {
        assert_eq!(faults("a dsc, b, c nulls").len(), 2);
    }
}
