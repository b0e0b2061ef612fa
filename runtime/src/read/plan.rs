//! What the pages of a list will do: see [`Query::plan`](crate::Query::plan).

use std::fmt;

use folio_plan::access::index_in_order;
use folio_plan::cursor::{Cursor, CursorDirection};
use folio_plan::dialect::catalog::{Index, TableInfo};
use folio_plan::keyset::{KeysetQuery, PageOrder, PageRequest};
use folio_plan::schema::table::Direction;
use folio_plan::statement::slice::Slice;
use folio_plan::value::Variant;
use futures_util::future::BoxFuture;

use super::key::RowKey;
use super::list::{KeysetSelect, OffsetSelect};
use super::page_reader::PageReader;
use super::window::Window;
use super::{checks, first_rows};
use crate::driver::{Driver, RowCount, RowSink};
use crate::error::Result;
use crate::pool::dispatch;
use crate::request::context::Context;
use crate::source::route::Target;
use crate::source::{AnyLease, Lease, catalog};
use crate::watch::{self, AdvisedList};

/// How folio reads the pages of a list, from [`Query::plan`](crate::Query::plan). `Display` prints all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListPlan {
    /// The database, and what folio knows about the table from its catalog.
    pub catalog: Vec<String>,
    /// The statements of the pages, in this order: a first page, one after a cursor, one before a cursor, a numbered
    /// page with its total, and a deep one.
    pub statements: Vec<PlannedStatement>,
    /// What else pages check, and which further statements they may take. Each is a sentence with its reason.
    pub steps: Vec<String>,
}

/// The statement of a page in a [`ListPlan`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedStatement {
    /// Which page it reads, such as `page after a cursor`.
    pub page: &'static str,
    /// Its text. The values are parameters.
    pub sql: String,
    /// The index that has the rows in order, or why none has. The database may still choose another way: EXPLAIN of the
    /// text shows it.
    pub index: Option<String>,
}

impl fmt::Display for ListPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.catalog {
            writeln!(f, "{line}")?;
        }
        for PlannedStatement { page, sql, index } in &self.statements {
            writeln!(f, "\n{page}:\n  {sql}")?;
            if let Some(index) = index {
                writeln!(f, "  {index}")?;
            }
        }
        if !self.steps.is_empty() {
            writeln!(f, "\nBesides:")?;
        }
        self.steps.iter().try_for_each(|step| writeln!(f, "- {step}"))
    }
}

/// The number of rows of the pages whose statements are shown.
const SIZE: u64 = 15;

/// Finds out how the pages of a list are read.
pub(crate) fn plan<'a>(
    context: &'a Context,
    target: Target<'a>,
    cursors: Option<KeysetSelect>,
    numbered: OffsetSelect,
    rows: RowCount,
) -> BoxFuture<'a, Result<ListPlan>> {
    Box::pin(async move {
        let watched = watch::Page::new("plan", target.dialect, numbered.query.rows(), rows.row_type());
        let reading = async {
            let mut connection = target.lease(false).await?;
            let mut plan = ListPlan { catalog: Vec::new(), statements: Vec::new(), steps: Vec::new() };
            dispatch!(AnyLease, &mut connection, held => {
                let mut planner = Planner { connection: held, plan: &mut plan };
                if let Some(cursors) = &cursors {
                    planner.add_cursor_pages(cursors).await?;
                }
                planner.add_numbered_pages(&numbered).await?;
            });
            connection.end().await?;
            Ok(plan)
        };
        watch::page(context, watched, reading).await
    })
}

/// Adds what a list does to its plan.
struct Planner<'a, 'c, D: Driver> {
    connection: &'a mut Lease<'c, D>,
    plan: &'a mut ListPlan,
}

impl<D: Driver> Planner<'_, '_, D> {
    /// The pages by cursor, as the catalog is now.
    async fn add_cursor_pages(&mut self, KeysetSelect { query, counted }: &KeysetSelect) -> Result<()> {
        let mut info = None;
        if let Some(table) = query.order.table {
            catalog::forget(self.connection, table);
            info = checks::info(self.connection, query, table).await?;
            self.plan.catalog.push(describe(D::DIALECT.facts().system_name, table.name, info.as_deref()));
        }
        let order = query.order.for_page(info);
        self.add_statement("first page", query, &order, first_rows(CursorDirection::Next, SIZE));
        let window = Window::first(1);
        let first = Cursor::at(CursorDirection::Next, Vec::new());
        let row =
            PageReader { connection: &mut *self.connection, query, window: &window }.nearest(&order, &first).await?;
        if let Some(row) = row {
            let start = Cursor::at(CursorDirection::Next, RowKey::read::<D>(&query.order, &row)?.values);
            for (page, direction) in
                [("page after a cursor", CursorDirection::Next), ("page before a cursor", CursorDirection::Prev)]
            {
                let request = PageRequest { start: start.boundary(), ..first_rows(direction, SIZE) };
                self.add_statement(page, query, &order, request);
            }
        } else {
            self.plan
                .steps
                .push("The list has no rows now, so no statement of a page at a cursor is shown.".to_owned());
        }
        self.add_steps(query, &order);
        if let Some(list) = counted {
            self.plan.steps.push(format!("The total takes one more statement: {}", list.query.count(None).sql));
        }
        Ok(())
    }

    fn add_statement(
        &mut self,
        page: &'static str,
        query: &KeysetQuery,
        order: &PageOrder<'_>,
        request: PageRequest<'_>,
    ) {
        let equality = query.base.equality_columns();
        let index = order.info().map(|info| match index_in_order(info, &equality, order.sorts(request.direction)) {
            Some(index) => format!("along {}", name_of(&index)),
            None => AdvisedList::of(query, None)
                .and_then(|list| list.warning(info, D::DIALECT))
                .unwrap_or_else(|| "No index of the catalog has the rows in this order.".to_owned()),
        });
        let sql =
            query.base.page(order, PageRequest { limit: request.limit.saturating_add(1), ..request }).sql.to_string();
        self.plan.statements.push(PlannedStatement { page, sql, index });
    }

    /// What cursor pages check, and the statements that some of them take besides their own.
    fn add_steps(&mut self, query: &KeysetQuery, order: &PageOrder<'_>) {
        let mut steps = Vec::new();
        let is_cached = self.connection.pool.is_some();
        if let Some(table) = query.table_to_learn(true, is_cached) {
            let often =
                if is_cached { "once a minute" } else { "for each page, because the connection is the caller's" };
            steps.push(format!("The catalog is asked about `{}` {often}.", table.name));
        }
        if query.has_columns_to_check() {
            steps.push(
                "The columns of the order are looked at once for each text of the list, because the rows of several selects, \
                 or of SQL text, have types of their own."
                    .to_owned(),
            );
        }
        for (page, direction) in [("after", CursorDirection::Next), ("before", CursorDirection::Prev)] {
            let columns: Vec<String> = order.looked_for_nulls(direction).map(|column| format!("`{column}`")).collect();
            if columns.is_empty() {
                continue;
            }
            let place = if order.verifies { "in its own statement" } else { "by one more statement" };
            steps.push(format!(
                "A page {page} a cursor also looks for rows with NULL in {}, {place}: the model's type has no NULL, so the page \
                 would leave such a row out.",
                columns.join(" or ")
            ));
        }
        steps.push(
            "An empty page takes one more statement, which looks for rows on the other side of its cursor.".to_owned(),
        );
        if query.order.table.is_none() {
            steps.push(format!(
                "Rows may tie in the order ({}), because it does not end with the primary key of one table. Neighbours whose \
                 values the database may consider equal are compared by one more statement.",
                query.order.names()
            ));
        }
        let rounded =
            |variant| matches!(variant, Variant::Float | Variant::Double | Variant::Decimal | Variant::BigDecimal);
        let mut rounded = query.order.terms.iter().filter(|term| rounded(term.key.variant)).map(|term| term.key.name);
        if let Some(column) = rounded.next().filter(|_| D::DIALECT.facts().rounds_sent_decimals) {
            steps.push(format!(
                "If the server may have rounded a value of `{column}` that it sent, one more statement looks up its row."
            ));
        }
        if query.base.feed().is_some_and(folio_plan::feed::Feed::may_find_groups) {
            steps.push(
                "Further statements look up which groups can have rows on the page, because the server reads each group by a \
                 SELECT of its own."
                    .to_owned(),
            );
        }
        self.plan.steps.append(&mut steps);
    }

    /// A numbered page with its total, and one for which keys are found first.
    async fn add_numbered_pages(&mut self, list: &OffsetSelect) -> Result<()> {
        let deep = D::DIALECT.facts().deferred_join_from;
        for (page, offset) in [("numbered page with its total", SIZE), ("deep numbered page", deep)] {
            let slice = Slice { offset, limit: SIZE, backwards: false };
            list.learn(self.connection, Some(slice)).await?;
            let whole = list.query.page_with_total(slice, None).filter(|_| offset < deep);
            let sql = whole.unwrap_or_else(|| list.query.page(slice)).sql.to_string();
            self.plan.statements.push(PlannedStatement { page, sql, index: None });
        }
        Ok(())
    }
}

/// What the catalog says about a table, in a sentence.
fn describe(system: &str, table: &str, info: Option<&TableInfo>) -> String {
    let Some(info) = info else { return format!("{system}: nothing is known about `{table}` from the catalog.") };
    let kinds = [
        (info.is_distributed, "its rows are in partitions, child tables or on another server"),
        (info.is_sharded, "the server distributes tables over others"),
        (info.is_spider, "its engine is Spider"),
        (info.is_proxied, "a proxy answers"),
        (info.is_foreign, "it is a foreign table, or has one below it"),
    ];
    let mut said: Vec<String> = kinds.iter().filter(|(is, _)| *is).map(|(_, what)| (*what).to_owned()).collect();
    let indexes: Vec<String> = info.indexes.iter().map(name_of).collect();
    said.push(match &*indexes {
        [] => "no index can be read in order".to_owned(),
        indexes => format!("indexes {}", indexes.join(", ")),
    });
    format!("{system}, `{table}`: {}.", said.join("; "))
}

/// An index with its columns. An expression has no name in the catalog.
fn name_of(index: &Index) -> String {
    // SQLite's indexes end with the rowid, which may be one of their columns already.
    let is_first = |(at, (column, _)): &(usize, &(String, Direction))| {
        index.columns.iter().take(*at).all(|(before, _)| before != column || column.is_empty())
    };
    let columns: Vec<String> = index
        .columns
        .iter()
        .enumerate()
        .filter(is_first)
        .map(|(_, (column, direction))| {
            let column = if column.is_empty() { "an expression" } else { column };
            match direction {
                Direction::Asc => column.to_owned(),
                Direction::Desc => format!("{column} DESC"),
            }
        })
        .collect();
    let name = if index.name.is_empty() { "the rowid" } else { &index.name };
    format!("{name} ({})", columns.join(", "))
}
