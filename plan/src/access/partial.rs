//! Which partial indexes a query can use: those whose condition is among the query's filters.
//!
//! ```sql
//! CREATE INDEX ON posts (author_id, created_at, id) WHERE deleted_at IS NULL
//! SELECT … WHERE deleted_at IS NULL AND author_id = ? …
//! ```
//!
//! The texts are compared, without quotes, parentheses, names of tables, and the casts that PostgreSQL adds. A
//! condition on a value that the query binds does not count: a generic plan cannot use the index.

use std::cell::LazyCell;

use sea_query::{Token, Tokenizer};

use super::equality_columns::EqualityColumns;
use crate::dialect::catalog::{Index, TableInfo};

/// The indexes that a query with these filters can use.
pub fn usable<'a>(info: &'a TableInfo, equality: &EqualityColumns) -> Vec<&'a Index> {
    let known =
        LazyCell::new(|| equality.filters.iter().flat_map(|filter| conjuncts(words(filter))).collect::<Vec<Words>>());
    let is_usable = |index: &&Index| {
        let condition = index.condition.as_deref();
        condition.is_none_or(|condition| conjuncts(words(condition)).iter().all(|part| known.contains(part)))
    };
    info.indexes.iter().filter(is_usable).collect()
}

/// On SQLite, the names of columns for whose bound values it plans: the first columns of indexes that it has samples of,
/// and those in the conditions of partial indexes.
///
/// A comparison of another column is written so that SQLite does not look at the value: see
/// `Sql::with_signed_comparisons`.
pub fn planned_by_value(info: &TableInfo) -> Vec<String> {
    let first = info.indexes.iter().filter(|index| index.has_samples).filter_map(|index| index.columns.first());
    let compared = info.indexes.iter().filter_map(|index| index.condition.as_deref()).flat_map(words);
    let is_column = |word: &String| !["is", "not", "null", "and", "or", "in", "between", "like"].contains(&&**word);
    first.map(|(name, _)| name.clone()).chain(compared.filter(is_column)).collect()
}

/// The words and marks of a condition, in lower case unless they are texts.
type Words = Vec<String>;

fn words(sql: &str) -> Words {
    let (mut words, mut in_cast) = (Words::new(), false);
    for token in Tokenizer::new(sql).iter() {
        let word = match token {
            Token::Space(_) | Token::Comment(_) => continue,
            Token::Quoted(text) if text.starts_with('\'') => text.to_owned(),
            Token::Quoted(_) => token.unquote().unwrap_or_default(),
            _ => token.as_str().to_lowercase(),
        };
        in_cast = word == ":" || in_cast && is_type(&word);
        match &*word {
            // The name before the dot is the table's.
            "." => drop(words.pop()),
            _ if in_cast => {}
            _ => words.push(word),
        }
    }
    words
}

/// Whether a word after `::` is part of the type's name.
fn is_type(word: &str) -> bool {
    let is_name = word.starts_with(|first: char| first.is_ascii_alphabetic());
    is_name && !["is", "and", "or", "not", "in", "like", "collate"].contains(&word)
}

/// The conditions that are joined by AND, without parentheses. If an AND may have another meaning, it is one condition.
fn conjuncts(mut words: Words) -> Vec<Words> {
    if !is_conjunction(&words) {
        return vec![words];
    }
    words.retain(|word| !["(", ")"].contains(&word.as_str()));
    words.split(|word| word == "and").map(<[String]>::to_vec).collect()
}

/// Whether the condition is a conjunction, so that it can be split at each AND. With OR, BETWEEN, CASE, or a NOT other
/// than that of IS NOT NULL, it may not be one.
fn is_conjunction(words: &[String]) -> bool {
    let after_is = |at: usize| at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|word| word == "is");
    words.iter().enumerate().all(|(at, word)| match &**word {
        "or" | "between" | "case" => false,
        "not" => after_is(at),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use sea_query::{Expr, ExprTrait as _};

    use super::*;
    use crate::dialect::Server;

    fn is_usable(server: Server, condition: &str, filters: &[Expr]) -> bool {
        let index = Index { condition: Some(condition.to_owned()), ..Index::new("posts_live", Vec::new()) };
        let info = TableInfo { indexes: vec![index], ..TableInfo::of(server) };
        !usable(&info, &EqualityColumns::of(server.dialect, filters)).is_empty()
    }

    #[test]
    fn a_partial_index_needs_its_condition_among_the_filters() {
        let deleted = || Expr::col(("posts", "deleted_at"));
        let live = || deleted().is_null();
        let cases: [(&str, Vec<Expr>, bool); 12] = [
            ("(deleted_at IS NULL)", vec![live()], true),
            ("deleted_at is null", vec![Expr::tuple([live()])], true),
            ("(\"deleted_at\" IS NULL)", vec![Expr::col("author").eq(7).and(live())], true),
            ("(deleted_at IS NULL)", vec![], false),
            ("(deleted_at IS NULL)", vec![deleted().is_not_null()], false),
            ("(deleted_at IS NULL)", vec![live().or(Expr::col("author").eq(7))], false),
            ("(deleted_at IS NOT NULL)", vec![deleted().is_not_null()], true),
            ("((deleted_at IS NULL) AND (kind IS NOT NULL))", vec![live()], false),
            ("((deleted_at IS NULL) AND (kind IS NOT NULL))", vec![Expr::col("kind").is_not_null(), live()], true),
            ("((state)::text = 'open'::text)", vec![Expr::cust("state = 'open'")], true),
            ("((state)::text = 'Open'::text)", vec![Expr::cust("state = 'open'")], false),
            // The value is bound.
            ("(author = 7)", vec![Expr::col("author").eq(7)], false),
        ];
        for (condition, filters, expected) in cases {
            for server in [Server::postgres(18), Server::SQLITE] {
                assert_eq!(is_usable(server, condition, &filters), expected, "{condition}: {filters:?}");
            }
        }
    }
}
