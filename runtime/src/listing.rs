//! A select as a numbered list: its count, and its pages by offset.

use std::sync::Arc;

use sea_query::{Asterisk, ColumnName, ColumnRef, Expr, Func, Query, SelectStatement, Token, Tokenizer, Value};

use crate::driver::Driver;
use crate::keyset::Dialect;
use crate::rows::{Rows, STATEMENTS, WRAPPED, is_few, key_name, statement};
use crate::statement::{self, Given, Kept, Prepared, Statement};
use crate::table::{Columns, Direction};

/// A select of rows of whatever type.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) statement: SelectStatement,
    pub(crate) shape: Shape,
    /// A model's list, whose order is not in the statement.
    ordered: Option<Ordered>,
    statements: Kept<Part, Statement, STATEMENTS>,
}

/// A model's rows without filters, and the order of its list, which the primary key closes.
#[derive(Debug)]
pub(crate) struct Ordered {
    pub(crate) rows: Rows,
    pub(crate) columns: &'static Columns,
    pub(crate) order: Vec<(Expr, Direction)>,
}

impl Ordered {
    /// The order by the names of the rows' columns; `None` where it goes by anything else.
    fn by_name(&self) -> Option<Vec<(Expr, Direction)>> {
        let by_name = |(expr, direction): &(Expr, Direction)| match expr {
            Expr::Column(ColumnRef::Column(ColumnName(_, name))) if self.columns.has(&name.inner()) => {
                Some((Expr::col(name.clone()), *direction))
            }
            _ => None,
        };
        self.order.iter().map(by_name).collect()
    }
}

/// Which rows of a list a page has.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slice {
    /// How many rows are passed over.
    pub(crate) offset: u64,
    /// How many rows there are at most.
    pub(crate) limit: u64,
    /// Whether they are read from the list's end, and come the last first.
    pub(crate) backwards: bool,
}

/// What is asked of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    All,
    Count,
    /// A page: whether rows are passed over for it, how it is found, and whether it is read from the end.
    Page {
        offset: bool,
        way: Way,
        backwards: bool,
    },
}

/// How a page by offset is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    /// Out of a few rows, its own and those before it among them: see [`Driver::FEW`].
    OfFew,
    Plain,
    /// By its keys, so that the rows before it are passed over in the index alone.
    ByKeys,
}

/// How much of a statement can be worked on in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Its rows are those of its FROM and WHERE: predicates and columns can be added, and rows counted, in place.
    Plain,
    /// The same, but for a predicate: there may be an OR without parentheses beside it.
    Alternatives,
    /// Rows are grouped, united or told apart: it can only be taken as a whole.
    Whole,
}

impl Listing {
    /// Any select, which is looked at for what can be done with it.
    pub(crate) fn any(statement: SelectStatement) -> Arc<Self> {
        let shape = shape(&statement);
        Arc::new(Self { statement, shape, ordered: None, statements: Kept::default() })
    }

    /// The select of a model's builder without its order, which has nothing in it that needs a look.
    pub(crate) fn plain(statement: SelectStatement, ordered: Ordered) -> Self {
        Self { statement, shape: Shape::Plain, ordered: Some(ordered), statements: Kept::default() }
    }

    /// Whether pages can be read from the list's end.
    ///
    /// Only the model's own order, which its primary key closes, is the same from both ends. MySQL goes backwards along an
    /// index only where all its columns go one way, and sorts the whole list else.
    pub(crate) fn is_reversible(&self, dialect: Dialect) -> bool {
        let Some(Ordered { order, .. }) = &self.ordered else { return false };
        let one_way = order.windows(2).all(|pair| matches!(pair, [(_, one), (_, other)] if one == other));
        one_way || dialect != Dialect::MySql
    }

    /// All rows, in no order. `own` are the caller's values, where the listing is kept from one call to the next; else it
    /// has them itself.
    pub(crate) fn all<D: Driver>(&self, own: Option<&[Value]>) -> Prepared {
        self.part::<D>(own, Part::All, Slice::default())
    }

    /// The count of all rows.
    pub(crate) fn count<D: Driver>(&self, own: Option<&[Value]>) -> Prepared {
        self.part::<D>(own, Part::Count, Slice::default())
    }

    /// A page of the rows in the select's own order.
    pub(crate) fn page<D: Driver>(&self, own: Option<&[Value]>, slice: Slice) -> Prepared {
        let Slice { offset, limit, backwards } = slice;
        let way = if own.is_some_and(|own| is_few::<D>(own, offset.saturating_add(limit))) {
            Way::OfFew
        } else if self.ordered.is_some() && offset >= D::DEFERRED_FROM {
            Way::ByKeys
        } else {
            Way::Plain
        };
        self.part::<D>(own, Part::Page { offset: offset > 0, way, backwards }, slice)
    }

    fn part<D: Driver>(&self, own: Option<&[Value]>, part: Part, Slice { offset, limit, .. }: Slice) -> Prepared {
        let Some(own) = own else { return D::prepare(&self.select(part, offset, limit)) };
        let given = Given { own, boundary: &[], limit, offset };
        let make = || statement::<D>(&self.select(part, statement::OFFSET, statement::LIMIT), given);
        self.statements.get(part, make).with(given)
    }

    fn select(&self, part: Part, offset: u64, limit: u64) -> SelectStatement {
        match part {
            Part::All => self.unordered(),
            Part::Count => self.counted(),
            Part::Page { offset: before, way, backwards } => {
                self.sliced(way, backwards, before.then_some(offset), limit)
            }
        }
    }

    /// The select without an order, and whole.
    pub(crate) fn unordered(&self) -> SelectStatement {
        self.statement.clone().clear_order_by().reset_limit().reset_offset().take()
    }

    /// The count of all rows: over the same FROM and WHERE where that gives it, else over the select as a whole.
    fn counted(&self) -> SelectStatement {
        let mut select = self.unordered();
        if self.shape == Shape::Whole {
            select = Query::select().from_subquery(select, WRAPPED).take();
        }
        select.clear_selects().expr(Func::count(Expr::col(Asterisk))).take()
    }

    fn sliced(&self, way: Way, backwards: bool, offset: Option<u64>, limit: u64) -> SelectStatement {
        let Some(list) = &self.ordered else { return sliced(self.statement.clone(), offset, limit) };
        let mut page = sorted(self.statement.clone(), &list.order, backwards);
        match way {
            Way::OfFew => match list.by_name() {
                Some(order) => {
                    let few = page.limit(statement::FEW).take();
                    let page = Query::select().column(Asterisk).from_subquery(few, WRAPPED).take();
                    sliced(sorted(page, &order, backwards), offset, limit)
                }
                None => sliced(page, offset, limit),
            },
            Way::Plain => sliced(page, offset, limit),
            Way::ByKeys => {
                let key = &list.rows.key;
                let names: Vec<String> = (0..key.len()).map(key_name).collect();
                page.clear_selects();
                for (key, name) in key.iter().zip(&names) {
                    page.expr_as(key.clone(), name.clone());
                }
                let rows = list.rows.of_keys(sliced(page, offset, limit), key.iter().zip(names));
                sorted(rows, &list.order, backwards)
            }
        }
    }
}

/// A select in an order, or from its end.
fn sorted(mut select: SelectStatement, order: &[(Expr, Direction)], backwards: bool) -> SelectStatement {
    for (expr, direction) in order {
        let direction = if backwards { direction.flip() } else { *direction };
        select.order_by_expr(expr.clone(), direction.into());
    }
    select
}

/// A select's rows from an offset on.
fn sliced(mut select: SelectStatement, offset: Option<u64>, limit: u64) -> SelectStatement {
    match offset {
        Some(offset) => select.offset(offset),
        None => select.reset_offset(),
    };
    select.limit(limit).take()
}

/// What a statement lets be done to it. sea-query does not show what one is made of, but its text does.
fn shape(statement: &SelectStatement) -> Shape {
    const WHOLE: [&str; 9] = ["GROUP", "HAVING", "DISTINCT", "UNION", "INTERSECT", "EXCEPT", "WITH", "WINDOW", "FOR"];
    let sql = text(statement);
    let (mut shape, mut depth, mut selecting) = (Shape::Plain, 0_usize, true);
    let mut word = String::new();
    for token in Tokenizer::new(&sql).iter() {
        match &token {
            // A call between SELECT and FROM may be an aggregate, which makes one row of many.
            Token::Punctuation(mark) if *mark == "(" && depth == 0 && selecting && !word.is_empty() => {
                return Shape::Whole;
            }
            Token::Punctuation(mark) if *mark == "(" => depth = depth.saturating_add(1),
            Token::Punctuation(mark) if *mark == ")" => depth = depth.saturating_sub(1),
            Token::Unquoted(text) if depth == 0 => {
                word = text.to_uppercase();
                if WHOLE.contains(&word.as_str()) {
                    return Shape::Whole;
                }
                if word == "OR" {
                    shape = Shape::Alternatives;
                }
                selecting &= word != "FROM";
                continue;
            }
            _ => {}
        }
        word.clear();
    }
    shape
}

#[cfg(feature = "postgres")]
fn text(statement: &SelectStatement) -> String {
    statement.build(sea_query::PostgresQueryBuilder).0
}

#[cfg(all(feature = "sqlite", not(feature = "postgres")))]
fn text(statement: &SelectStatement) -> String {
    statement.build(sea_query::SqliteQueryBuilder).0
}

#[cfg(all(feature = "mysql", not(any(feature = "postgres", feature = "sqlite"))))]
fn text(statement: &SelectStatement) -> String {
    statement.build(sea_query::MysqlQueryBuilder).0
}

#[cfg(test)]
mod tests {
    use sea_query::{Condition, ExprTrait as _, UnionType};

    use super::*;

    #[test]
    fn a_statement_is_known_by_its_text() {
        use Shape::{Alternatives, Plain, Whole};
        let posts = || Query::select().column("id").from("posts").take();
        let any = || Condition::any().add(Expr::col("a").eq(1)).add(Expr::col("b").eq(1));
        let cases: [(SelectStatement, Shape); 14] = [
            (posts(), Plain),
            (posts().and_where(Expr::col("group").eq("DISTINCT or")).take(), Plain),
            (posts().and_where(Expr::col("id").in_subquery(posts().distinct().take())).take(), Plain),
            (posts().inner_join("users", Expr::col("a").equals("b")).take(), Plain),
            (posts().order_by("id", sea_query::Order::Asc).limit(3).take(), Plain),
            (posts().and_where(Expr::cust("a = ' OR (' AND b")).take(), Plain),
            (posts().cond_where(any()).take(), Alternatives),
            (posts().and_where(Expr::cust("a = 1 OR b = 2")).take(), Alternatives),
            (posts().distinct().take(), Whole),
            (posts().cond_where(any()).group_by_col("id").take(), Whole),
            (posts().union(UnionType::All, posts()).take(), Whole),
            (posts().union(UnionType::Except, posts()).take(), Whole),
            (Query::select().expr(Func::max(Expr::col("id"))).from("posts").take(), Whole),
            (posts().lock_exclusive().take(), if cfg!(feature = "postgres") { Whole } else { Plain }),
        ];
        for (select, expected) in cases {
            assert_eq!(shape(&select), expected, "{}", text(&select));
        }
    }
}
