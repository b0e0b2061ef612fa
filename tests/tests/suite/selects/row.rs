//! Rows of any select as text: each column by its position and by its name.

use sqlx::{Column as _, ColumnIndex, Decode, Row as SqlxRow, Type, TypeInfo as _, ValueRef as _};

/// One row of any columns.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row(Vec<Cell>);

#[derive(Debug, Clone, PartialEq)]
struct Cell {
    name: String,
    value: String,
    /// The value that a struct's field of this name gets.
    by_name: String,
}

impl Row {
    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(|cell| cell.name.clone()).collect()
    }

    /// The values of the first columns by their positions. Columns after them have to be folio's own.
    pub(super) fn values(&self, width: usize) -> String {
        let extra = |cell: &&Cell| !cell.name.starts_with("folio_");
        let cells = self.0.iter().take(width).chain(self.0.iter().skip(width).filter(extra));
        cells.map(|cell| cell.value.as_str()).collect::<Vec<_>>().join("  ")
    }

    /// The values of columns with these names by their positions, and by their names if those differ.
    pub(super) fn text(&self, names: &[String]) -> String {
        let mut text = self.values(names.len());
        for (name, at) in names.iter().zip(&self.0) {
            let by_name = self.0.iter().find(|cell| &cell.name == name).map(|cell| &cell.by_name);
            match by_name {
                Some(value) if value == &at.value => {}
                Some(value) => text.push_str(&format!("  {name}: {value}")),
                None => text.push_str(&format!("  {name}: missing")),
            }
        }
        text
    }

    /// Takes the last column out of the row, as a number.
    pub(super) fn pop(&mut self) -> i64 {
        self.0.pop().and_then(|cell| cell.value.parse().ok()).expect("a number at the end")
    }
}

fn read<R>(row: &R, value: impl Fn(&R, usize) -> sqlx::Result<String>) -> sqlx::Result<Row>
where
    R: SqlxRow,
    usize: ColumnIndex<R>,
    for<'a> &'a str: ColumnIndex<R>,
{
    let cell = |(at, column): (usize, &<R::Database as sqlx::Database>::Column)| {
        let name = column.name().to_owned();
        let by_name = value(row, name.as_str().index(row)?)?;
        Ok(Cell { value: value(row, at)?, by_name, name })
    };
    Ok(Row(row.columns().iter().enumerate().map(cell).collect::<sqlx::Result<_>>()?))
}

fn unchecked<T, R>(row: &R, at: usize) -> sqlx::Result<T>
where
    R: SqlxRow,
    T: Type<R::Database> + for<'r> Decode<'r, R::Database>,
    usize: ColumnIndex<R>,
{
    row.try_get_unchecked(at)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow> for Row {
    fn from_row(row: &'r sqlx::sqlite::SqliteRow) -> sqlx::Result<Self> {
        read(row, |row, at| {
            let raw = row.try_get_raw(at)?;
            Ok(match raw.type_info().name() {
                _ if raw.is_null() => "NULL".to_owned(),
                "INTEGER" => unchecked::<i64, _>(row, at)?.to_string(),
                "REAL" => format!("{:?}", unchecked::<f64, _>(row, at)?),
                "TEXT" => format!("{:?}", unchecked::<String, _>(row, at)?),
                _ => hex(&unchecked::<Vec<u8>, _>(row, at)?),
            })
        })
    }
}

#[cfg(feature = "postgres")]
impl<'r> sqlx::FromRow<'r, sqlx::postgres::PgRow> for Row {
    fn from_row(row: &'r sqlx::postgres::PgRow) -> sqlx::Result<Self> {
        read(row, |row, at| {
            let raw = row.try_get_raw(at)?;
            Ok(match raw.type_info().name() {
                _ if raw.is_null() => "NULL".to_owned(),
                "INT8" => unchecked::<i64, _>(row, at)?.to_string(),
                "INT4" => unchecked::<i32, _>(row, at)?.to_string(),
                "TEXT" => format!("{:?}", unchecked::<String, _>(row, at)?),
                _ => hex(raw.as_bytes().map_err(sqlx::Error::Decode)?),
            })
        })
    }
}

#[cfg(feature = "mysql")]
impl<'r> sqlx::FromRow<'r, sqlx::mysql::MySqlRow> for Row {
    fn from_row(row: &'r sqlx::mysql::MySqlRow) -> sqlx::Result<Self> {
        read(row, |row, at| {
            let raw = row.try_get_raw(at)?;
            Ok(match raw.type_info().name() {
                _ if raw.is_null() => "NULL".to_owned(),
                "TINYINT" | "SMALLINT" | "INT" | "BIGINT" | "BOOLEAN" => unchecked::<i64, _>(row, at)?.to_string(),
                "INT UNSIGNED" | "BIGINT UNSIGNED" => unchecked::<u64, _>(row, at)?.to_string(),
                "DECIMAL" | "VARCHAR" | "CHAR" | "TEXT" | "LONGTEXT" => {
                    format!("{:?}", String::from_utf8_lossy(&unchecked::<Vec<u8>, _>(row, at)?))
                }
                _ => hex(&unchecked::<Vec<u8>, _>(row, at)?),
            })
        })
    }
}
