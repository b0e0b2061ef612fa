//! The statements that are written by hand for a page of a feed.

use std::cmp::Reverse;
use std::hint::black_box;

use anyhow::Result;
use chrono::{DateTime, Utc};
use folio::CursorDirection;
use folio_benches::data::Database;
use folio_benches::feeds::{Post, PostKey, Statement, Value};

use crate::{LIMIT, PER_PAGE};

/// For how many authors a statement looks up their first moments on MySQL. Many more take longer for each.
const BLOCK: usize = 128;

const ORDER: &str = " ORDER BY created_at DESC, id DESC LIMIT ";

/// A page of a feed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page<'a> {
    pub(crate) database: &'a Database,
    pub(crate) authors: &'a [i64],
    /// The row that the page comes after.
    pub(crate) after: Option<(DateTime<Utc>, i64)>,
}

/// How a page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `IN` with a parameter for each author, or `= ANY` with an array on PostgreSQL.
    In,
    /// The same, which selects keys only. The rows are joined.
    KeysFirst,
    /// `IN` with a JSON array, on SQLite.
    Json,
    /// `=`
    Equal,
    /// The first rows of each author, by a LATERAL join.
    Lateral,
    /// The first rows of each author, by a SELECT for each.
    Branches,
    /// The first row of each author, and then the first rows of the authors that the page can have rows of. After a
    /// row, MySQL reads these only up to the moment at which the page ends.
    HeadsFirst,
}

impl Form {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::In => "IN",
            Self::KeysFirst => "keys first",
            Self::Json => "json_each",
            Self::Equal => "=",
            Self::Lateral => "LATERAL",
            Self::Branches => "UNION ALL",
            Self::HeadsFirst => "heads first",
        }
    }
}

/// A form's statements.
pub(crate) enum Prepared<'a> {
    Page(Statement<'a>),
    /// A statement for the authors, and one for the page.
    Heads(Page<'a>, Statement<'a>),
    /// Statements for the authors' first moments, and one for the page that reads up to a moment.
    Moments(Page<'a>, Vec<Statement<'a>>),
}

impl Prepared<'_> {
    /// The ids of the page's rows.
    pub(crate) async fn ids(&self, database: &Database) -> Result<Vec<i64>> {
        Ok(ids(&self.posts(database).await?))
    }

    /// The same, if a cursor says where the page begins, and the page has cursors of its own.
    pub(crate) async fn ids_with_cursors(&self, database: &Database, after: Option<&str>) -> Result<Vec<i64>> {
        let boundary = after.map(PostKey::decode).transpose()?;
        let posts = self.posts(database).await?;
        let page = &posts[..posts.len().min(PER_PAGE)];
        let seal = |post: Option<&Post>, direction| post.map(|post| post.cursor_key().encode(direction)).transpose();
        black_box(seal(page.last().filter(|_| posts.len() > PER_PAGE), CursorDirection::Next)?);
        black_box(seal(page.first().filter(|_| boundary.is_some()), CursorDirection::Prev)?);
        Ok(ids(page))
    }

    /// The page's rows, and one more if there is one.
    async fn posts(&self, database: &Database) -> Result<Vec<Post>> {
        Ok(match self {
            Self::Page(statement) => database.posts(statement).await?,
            Self::Heads(page, heads) => {
                let nearest = database.nearest(heads).await?;
                match nearest.as_slice() {
                    [] => Vec::new(),
                    authors => database.posts(&page.branches(authors, None)).await?,
                }
            }
            Self::Moments(page, heads) => {
                let mut moments = Vec::new();
                for heads in heads {
                    moments.extend(database.moments(heads).await?);
                }
                page.posts_of(moments).await?
            }
        })
    }
}

fn ids(posts: &[Post]) -> Vec<i64> {
    posts.iter().map(|post| post.id).take(PER_PAGE).collect()
}

impl<'a> Page<'a> {
    /// The best form that is known for this page.
    pub(crate) fn best(&self) -> Form {
        match self.database {
            Database::Sqlite(_) => Form::Json,
            _ if self.authors.len() == 1 => Form::Equal,
            _ if self.authors.len() >= 100 || self.reads_ahead() => Form::HeadsFirst,
            _ => self.each(),
        }
    }

    /// The form that reads a page of each author.
    pub(crate) fn each(&self) -> Form {
        let seeks = self.is_postgres() || self.has_lateral() && self.after.is_none();
        if seeks { Form::Lateral } else { Form::Branches }
    }

    pub(crate) fn prepare(self, form: Form) -> Prepared<'a> {
        let mut sql = Sql { database: self.database, text: String::new(), values: Vec::new() };
        match form {
            Form::In | Form::Json | Form::Equal => self.plain(&mut sql, "id, author_id, created_at, title", form),
            Form::KeysFirst => sql.rows(|sql| self.plain(sql, "id, created_at", form)),
            Form::Branches => return Prepared::Page(self.branches(self.authors, None)),
            Form::HeadsFirst if self.reads_ahead() => {
                return Prepared::Moments(self, self.authors.chunks(BLOCK).map(|block| self.moments(block)).collect());
            }
            Form::HeadsFirst if !self.has_lateral() => {
                self.heads(&mut sql);
                return Prepared::Heads(self, sql.end());
            }
            Form::Lateral | Form::HeadsFirst => sql.rows(|sql| self.lateral(sql, form == Form::HeadsFirst)),
        }
        Prepared::Page(sql.end())
    }

    /// Whether the server reads thousands of rows ahead of each author's page.
    fn reads_ahead(&self) -> bool {
        self.database.name() == "MySQL" && self.after.is_some()
    }

    fn has_lateral(&self) -> bool {
        matches!(self.database.name(), "PostgreSQL" | "MySQL")
    }

    fn is_postgres(&self) -> bool {
        self.database.name() == "PostgreSQL"
    }

    fn has_row_values(&self) -> bool {
        matches!(self.database.name(), "PostgreSQL" | "SQLite")
    }

    fn plain(&self, sql: &mut Sql<'a>, columns: &str, form: Form) {
        sql.add(&format!("SELECT {columns} FROM posts WHERE author_id "));
        match form {
            Form::Json => sql.add("IN (SELECT value FROM json_each(").bind(Value::Json(self.authors)).add("))"),
            Form::Equal => sql.add("= ").bind(Value::Int(self.authors[0])),
            _ if self.is_postgres() => sql.add("= ANY(").bind(Value::List(self.authors)).add(")"),
            _ => sql.add("IN (").bind(Value::List(self.authors)).add(")"),
        };
        self.after(sql).add(&format!("{ORDER}{LIMIT}"));
    }

    /// The condition that a row is after the boundary. MySQL and MariaDB do not read a range for a row value.
    fn after<'s>(&self, sql: &'s mut Sql<'a>) -> &'s mut Sql<'a> {
        let Some((moment, id)) = self.after else { return sql };
        let (moment, id) = (Value::Moment(moment), Value::Int(id));
        if self.has_row_values() {
            return sql.add(" AND (created_at, id) < (").bind(moment).add(", ").bind(id).add(")");
        }
        sql.add(" AND created_at <= ").bind(moment).add(" AND (created_at < ").bind(moment);
        sql.add(" OR id < ").bind(id).add(")")
    }

    fn lateral(&self, sql: &mut Sql<'a>, heads_first: bool) {
        sql.add("SELECT h.id, h.created_at FROM ");
        if heads_first {
            sql.add("(SELECT x.a, h.created_at, h.id FROM ");
            self.authors(sql).add(" CROSS JOIN LATERAL (");
            self.first(sql, 1).add(&format!(") h ORDER BY h.created_at DESC, h.id DESC LIMIT {LIMIT}) AS x"));
        } else {
            self.authors(sql);
        }
        sql.add(" CROSS JOIN LATERAL (");
        self.first(sql, LIMIT).add(&format!(") h ORDER BY h.created_at DESC, h.id DESC LIMIT {LIMIT}"));
    }

    /// The authors as a table.
    fn authors<'s>(&self, sql: &'s mut Sql<'a>) -> &'s mut Sql<'a> {
        if self.is_postgres() {
            return sql.add("unnest(").bind(Value::List(self.authors)).add("::bigint[]) AS x(a)");
        }
        sql.add("JSON_TABLE(").bind(Value::Json(self.authors)).add(", '$[*]' COLUMNS (a BIGINT PATH '$')) x")
    }

    /// The first keys of the author that the table is at. MySQL sorts them unless the order begins with the author.
    fn first<'s>(&self, sql: &'s mut Sql<'a>, limit: usize) -> &'s mut Sql<'a> {
        let author = if self.database.name() == "MySQL" { "author_id DESC, " } else { "" };
        sql.add("SELECT id, created_at FROM posts WHERE author_id = x.a");
        self.after(sql).add(&format!(" ORDER BY {author}created_at DESC, id DESC LIMIT {limit}"))
    }

    /// The first rows of each author, or those up to a moment.
    fn branches(&self, authors: &[i64], until: Option<DateTime<Utc>>) -> Statement<'a> {
        let mut sql = Sql { database: self.database, text: String::new(), values: Vec::new() };
        sql.rows(|sql| {
            for (at, author) in authors.iter().enumerate() {
                let union = if at == 0 { "" } else { " UNION ALL " };
                sql.add(union).add("(SELECT id, created_at FROM posts WHERE author_id = ").bind(Value::Int(*author));
                if let Some(until) = until {
                    sql.add(" AND created_at >= ").bind(Value::Moment(until));
                }
                self.after(sql).add(&format!("{ORDER}{LIMIT})"));
            }
            sql.add(&format!("{ORDER}{LIMIT}"));
        });
        sql.end()
    }

    /// The latest moment of each author, from the boundary's on.
    fn moments(&self, authors: &[i64]) -> Statement<'a> {
        let mut sql = Sql { database: self.database, text: String::new(), values: Vec::new() };
        let moment = self.after.map_or_else(Utc::now, |(moment, _)| moment);
        sql.add("SELECT a, t FROM (");
        for (at, author) in authors.iter().enumerate() {
            let union = if at == 0 { "" } else { " UNION ALL " };
            sql.add(union).add(&format!("SELECT {author} AS a, MAX(created_at) AS t FROM posts WHERE author_id = "));
            sql.bind(Value::Int(*author)).add(" AND created_at <= ").bind(Value::Moment(moment));
        }
        sql.add(") h WHERE t IS NOT NULL");
        sql.end()
    }

    /// The page, if these are the latest moments of the authors.
    async fn posts_of(&self, mut moments: Vec<(i64, DateTime<Utc>)>) -> Result<Vec<Post>> {
        moments.sort_unstable_by_key(|(_, moment)| Reverse(*moment));
        let boundary = self.after.map(|(moment, _)| moment);
        let tied = moments.iter().take_while(|(_, moment)| Some(*moment) == boundary).count();
        let until = match moments.get(tied + LIMIT - 1) {
            Some((_, moment)) => Some(*moment),
            None => self.last_of(moments.get(tied).or(moments.first()).map(|(author, _)| *author)).await?,
        };
        moments.retain(|(_, moment)| until.is_none_or(|until| *moment >= until));
        let authors: Vec<i64> = moments.into_iter().map(|(author, _)| author).collect();
        if authors.is_empty() { Ok(Vec::new()) } else { self.database.posts(&self.branches(&authors, until)).await }
    }

    /// The moment of the page's last row if all of its rows were the author's.
    async fn last_of(&self, author: Option<i64>) -> Result<Option<DateTime<Utc>>> {
        let Some(author) = author else { return Ok(None) };
        let mut sql = Sql { database: self.database, text: String::new(), values: Vec::new() };
        sql.add("SELECT author_id, created_at FROM posts FORCE INDEX (posts_0) WHERE author_id = ");
        self.after(sql.bind(Value::Int(author))).add(&format!("{ORDER}1 OFFSET {}", LIMIT - 1));
        Ok(self.database.moments(&sql.end()).await?.first().map(|(_, moment)| *moment))
    }

    /// The authors with the nearest heads, on MariaDB.
    fn heads(&self, sql: &mut Sql<'a>) {
        match self.after {
            None => self.by_first_rows(sql),
            Some((moment, _)) => self.by_maxima(sql, moment),
        }
    }

    fn by_first_rows(&self, sql: &mut Sql<'a>) {
        let first = |column: &str| format!("(SELECT {column} FROM posts WHERE author_id = x.a{ORDER}1)");
        let (t, i) = (first("created_at"), first("id"));
        sql.add(&format!("SELECT a FROM (SELECT x.a AS a, {t} AS t, {i} AS i FROM "));
        self.authors(sql).add(&format!(" ORDER BY t DESC, i DESC LIMIT {LIMIT}) h WHERE i IS NOT NULL"));
    }

    /// All authors whose latest moment is the boundary's may have no row after it, so they do not count.
    fn by_maxima(&self, sql: &mut Sql<'a>, moment: DateTime<Utc>) {
        let moment = Value::Moment(moment);
        sql.add("SELECT a FROM (SELECT a, RANK() OVER (PARTITION BY t = ").bind(moment).add(" ORDER BY t DESC) AS r");
        sql.add(" FROM (SELECT author_id AS a, MAX(created_at) AS t FROM posts WHERE author_id IN (");
        sql.bind(Value::List(self.authors)).add(") AND created_at <= ").bind(moment);
        sql.add(&format!(" GROUP BY author_id) g) w WHERE r <= {LIMIT}"));
    }
}

/// A statement's text and values, as they are put together.
struct Sql<'a> {
    database: &'a Database,
    text: String,
    values: Vec<Value<'a>>,
}

impl<'a> Sql<'a> {
    fn add(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Adds a value, or each of a list with a comma between them.
    fn bind(&mut self, value: Value<'a>) -> &mut Self {
        self.values.push(value);
        let placeholder = self.database.placeholder(self.values.len());
        match value {
            Value::List(values) if placeholder == "?" => self.add(&vec!["?"; values.len()].join(", ")),
            _ => self.add(&placeholder),
        }
    }

    /// The rows of keys.
    fn rows(&mut self, keys: impl FnOnce(&mut Self)) {
        self.add("SELECT p.id, p.author_id, p.created_at, p.title FROM (");
        keys(self);
        self.add(") k JOIN posts p ON p.id = k.id ORDER BY k.created_at DESC, k.id DESC");
    }

    fn end(self) -> Statement<'a> {
        Statement { text: self.text.into(), values: self.values }
    }
}
