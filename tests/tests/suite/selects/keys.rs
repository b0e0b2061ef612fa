//! Random orders to walk by: outputs, columns of the FROM clause, models' columns, and names that do not exist.

use folio::{Column, CursorValue, IntoOrder as _, Order};

use super::case::{Case, Output, Shape, Source, Term};
use super::random::Random;
use super::schema::{self, Comment, Kind, Post, TABLES, User};

/// An order of one to four columns, mostly one that no two rows tie in.
pub(super) fn key(random: &mut Random, case: &Case) -> Vec<Term> {
    let mut terms = Vec::new();
    for _ in 0..random.weighted(&[20, 60, 20]) {
        terms.extend(term(random, case));
    }
    if random.chance(75) || terms.is_empty() {
        close(random, case, &mut terms);
    }
    let mut key: Vec<Term> = Vec::new();
    for term in terms {
        if !key.iter().any(|other| other.name == term.name && other.qualifier == term.qualifier) {
            key.push(term);
        }
    }
    if key.is_empty() { vec![unknown(random)] } else { key }
}

fn term(random: &mut Random, case: &Case) -> Option<Term> {
    match random.weighted(&[60, 20, 17, 2]) {
        0 => {
            let outputs: Vec<&Output> = case.outputs.iter().filter(|output| output.kind != Kind::Other).collect();
            if outputs.is_empty() {
                return None;
            }
            let output = *random.pick(&outputs);
            Some(of_output(random, output))
        }
        1 | 2 if case.sources.is_empty() => None,
        1 => {
            let source = random.pick(&case.sources).clone();
            let column = *random.pick(&source.columns);
            Some(of_source(random, &source, column))
        }
        2 => {
            let source = random.pick(&case.sources).clone();
            let column = *random.pick(&source.columns);
            source.table.map(|_| of_model(random, &source, column))
        }
        _ => Some(unknown(random)),
    }
}

/// Adds what no two rows tie in: what identifies the rows of the FROM clause, or all outputs.
fn close(random: &mut Random, case: &Case, terms: &mut Vec<Term>) {
    if case.shape == Shape::Whole {
        let outputs = case.outputs.iter().filter(|output| output.kind != Kind::Other);
        terms.extend(outputs.map(|output| of_output(random, output)));
        return;
    }
    for source in &case.sources {
        let identity = |output: &&Output| output.column == Some((source.name, source.unique));
        terms.push(match case.outputs.iter().find(identity) {
            Some(output) if random.chance(80) => of_output(random, output),
            _ => of_source(random, source, source.column(source.unique).unwrap()),
        });
    }
}

/// Nullable columns are mostly read as an `Option`.
fn random_term(random: &mut Random, name: &'static str, kind: Kind, nullable: bool) -> Term {
    let optional = nullable && random.chance(90);
    let (descending, nulls_first) = (random.chance(50), random.chance(50));
    Term { name, qualifier: None, model: None, kind, optional, descending, nulls_first }
}

fn of_output(random: &mut Random, output: &Output) -> Term {
    random_term(random, output.name, output.kind, output.nullable)
}

fn of_source(random: &mut Random, source: &Source, column: schema::Column) -> Term {
    let term = random_term(random, column.name, column.kind, column.nullable || source.outer);
    Term { qualifier: random.chance(80).then_some(source.name), ..term }
}

fn of_model(random: &mut Random, source: &Source, column: schema::Column) -> Term {
    let term = random_term(random, column.name, column.kind, column.nullable);
    Term { qualifier: Some(source.name), model: source.table, optional: column.nullable, ..term }
}

/// The output that [`grammar`](super::grammar) adds.
pub(super) fn of_chance(random: &mut Random) -> Term {
    random_term(random, "chance", Kind::Int, false)
}

fn unknown(random: &mut Random) -> Term {
    random_term(random, "nowhere", Kind::Text, false)
}

/// The order that folio is given.
pub(super) fn order(terms: &[Term]) -> Order {
    terms.iter().map(erased).reduce(Order::then).unwrap()
}

fn erased(term: &Term) -> Order {
    if let Some(table) = term.model {
        return of_table(table, term);
    }
    match (term.kind, term.optional) {
        (Kind::Int, false) => sorted(Column::<i64>::new(term.name), term),
        (Kind::Int, true) => sorted(Column::<Option<i64>>::new(term.name), term),
        (_, false) => sorted(Column::<String>::new(term.name), term),
        (_, true) => sorted(Column::<Option<String>>::new(term.name), term),
    }
}

fn of_table(table: &schema::Table, term: &Term) -> Order {
    match (table.name, term.name) {
        ("posts", "id") => sorted(Post::ID, term),
        ("posts", "user_id") => sorted(Post::USER_ID, term),
        ("posts", "title") => sorted(Post::TITLE, term),
        ("posts", "name") => sorted(Post::NAME, term),
        ("posts", _) => sorted(Post::SCORE, term),
        ("users", "id") => sorted(User::ID, term),
        ("users", "name") => sorted(User::NAME, term),
        ("users", _) => sorted(User::SCORE, term),
        (_, "id") => sorted(Comment::ID, term),
        (_, "post_id") => sorted(Comment::POST_ID, term),
        (_, "name") => sorted(Comment::NAME, term),
        _ => sorted(Comment::VOTES, term),
    }
}

fn sorted<T: CursorValue, M>(column: Column<T, M>, term: &Term) -> Order {
    let column = match term.qualifier {
        Some(qualifier) if term.model.is_none_or(|table| table.name != qualifier) => column.of(qualifier),
        _ => column,
    };
    let order = if term.descending { column.desc() } else { column.asc() };
    if term.nulls_first { order.nulls_first().erased() } else { order.nulls_last().erased() }
}

/// The terms with the primary keys of the models that they name, as folio documents it.
pub(super) fn closed(terms: &[Term]) -> Vec<Term> {
    let mut closed = terms.to_vec();
    for term in terms {
        let Some(table) = term.model else { continue };
        debug_assert!(TABLES.contains(table));
        let is_id = |other: &Term| {
            other.name == "id"
                && (other.qualifier.is_none() || other.model == Some(table) && other.qualifier == term.qualifier)
        };
        if !closed.iter().any(is_id) {
            let descending = terms.last().is_some_and(|last| last.descending);
            closed.push(Term { name: "id", kind: Kind::Int, optional: false, descending, ..*term });
        }
    }
    closed
}
