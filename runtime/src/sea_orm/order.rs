//! Orders by the columns of entities.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use ::sea_orm::{ColumnTrait, EntityTrait, IdenStatic as _, Iterable as _, ModelTrait, PrimaryKeyToColumn as _};
use folio_plan::schema::table::{Direction, KeyColumn, Nulls, Table};
use folio_plan::schema::term::{Term, sorted};
use folio_plan::value::Kind;
use sea_query::ArrayType;

use crate::model::Model;
use crate::schema::order::{IntoOrder, OrderOf};
use crate::value::CursorValue;

/// Sorts pages by a column of an entity, such as `post::Column::Score.desc().nulls_last()`.
///
/// The column is qualified by its table, and the primary key of the table breaks ties. Its type and whether it can be
/// NULL are those of the entity, which are known at run time: an order by a nullable column without a NULL position is
/// an error of the page. With `#[derive(Paginate)]` on the model, `Post::SCORE` is one of the compiler.
///
/// [`Select::entity`](crate::Select::entity) has an example.
pub trait SortColumn: ColumnTrait<EntityName: EntityTrait<Column = Self>> {
    /// The smallest value first.
    fn asc(self) -> EntitySort<Self> {
        EntitySort { column: self, alias: None, direction: Direction::Asc, nulls: None }
    }

    /// The largest value first.
    fn desc(self) -> EntitySort<Self> {
        EntitySort { direction: Direction::Desc, ..self.asc() }
    }
}

impl<C: ColumnTrait<EntityName: EntityTrait<Column = C>>> SortColumn for C {}

/// A column of an entity with a direction and an optional NULL position: an element of an
/// [`IntoOrder`]. Created by [`SortColumn`].
#[derive(Clone, Copy)]
#[must_use = "an order does nothing until a query has it"]
pub struct EntitySort<C> {
    column: C,
    alias: Option<&'static str>,
    direction: Direction,
    nulls: Option<Nulls>,
}

impl<C: SortColumn> fmt::Debug for EntitySort<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sorted(f, self.column.as_str(), self.direction, self.nulls)
    }
}

impl<C: SortColumn> EntitySort<C> {
    /// Places NULLs before all values, whatever the direction.
    ///
    /// State it for a column that is never NULL if its entity is joined by LEFT JOIN, where the row of a post without
    /// an author has NULL in each column of the author.
    pub fn nulls_first(self) -> Self {
        Self { nulls: Some(Nulls::First), ..self }
    }

    /// Places NULLs after all values, whatever the direction. See [`nulls_first`](Self::nulls_first).
    pub fn nulls_last(self) -> Self {
        Self { nulls: Some(Nulls::Last), ..self }
    }

    /// Qualifies the column with the table's alias in a join.
    pub fn of(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    fn term(self) -> Term {
        let table = table_of::<C::EntityName>();
        let name = self.column.as_str();
        let is_nullable = self.column.def().is_null();
        let Some(kind) = kind_of::<C::EntityName>(self.column) else {
            let message = format!(
                "`{}.{name}` cannot sort a page: a cursor cannot hold a value of its type; the types are those of \
                 `folio::Variant`",
                table.name
            );
            let key = KeyColumn::new(name, <i64 as CursorValue>::__KIND, self.direction, None);
            return Term::refused(table, key, message);
        };
        let key = KeyColumn::new(name, kind, self.direction, self.nulls);
        if is_nullable && self.nulls.is_none() {
            let message = format!(
                "`{}.{name}` can be NULL, and the databases differ in where NULLs come: write `.nulls_first()` or \
                 `.nulls_last()` after its direction",
                table.name
            );
            return Term::refused(table, key, message);
        }
        let term = Term::of_column(Some(table), self.alias, key);
        if is_nullable || self.nulls.is_none() { term } else { term.of_outer_join() }
    }
}

impl<C: SortColumn> IntoOrder for EntitySort<C> {
    fn terms(self) -> Vec<Term> {
        vec![self.term()]
    }
}

impl<M: Model + ModelTrait<Entity = C::EntityName>, C: SortColumn> OrderOf<M> for EntitySort<C> {}

/// The table of an entity, with its primary key.
///
/// Orders refer to static tables, so it is kept for as long as the process runs: one for each entity.
pub(super) fn table_of<E: EntityTrait>() -> &'static Table {
    static TABLES: Mutex<Option<HashMap<(TypeId, &'static str), &'static Table>>> = Mutex::new(None);
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (TypeId::of::<E>(), E::default().table_name());
    tables.get_or_insert_default().entry(key).or_insert_with(|| Box::leak(Box::new(table::<E>())))
}

fn table<E: EntityTrait>() -> Table {
    let entity = E::default();
    let columns: Vec<E::Column> = E::PrimaryKey::iter().map(|key| key.into_column()).collect();
    let names: Vec<&'static str> = columns.iter().map(|column| column.as_str()).collect();
    // A type that no cursor can hold breaks no ties, so a page whose rows tie is an error.
    let key = |column: &E::Column| Some(KeyColumn::new(column.as_str(), kind_of::<E>(*column)?, Direction::Asc, None));
    let keys: Vec<KeyColumn> = columns.iter().filter_map(key).collect();
    let table = Table::new(entity.table_name(), &[], names.leak(), keys.leak());
    match entity.schema_name() {
        Some(schema) => table.schema(schema.to_owned().leak()),
        None => table,
    }
}

/// How the values of a column are stored in a cursor, NULL among them; `None` if they cannot be.
fn kind_of<E: EntityTrait>(column: E::Column) -> Option<Kind> {
    const fn kind<T: CursorValue>() -> Option<Kind> {
        Some(Option::<T>::__KIND)
    }
    match E::Model::get_value_type(column) {
        ArrayType::Bool => kind::<bool>(),
        ArrayType::TinyInt => kind::<i8>(),
        ArrayType::SmallInt => kind::<i16>(),
        ArrayType::Int => kind::<i32>(),
        ArrayType::BigInt => kind::<i64>(),
        ArrayType::TinyUnsigned => kind::<u8>(),
        ArrayType::SmallUnsigned => kind::<u16>(),
        ArrayType::Unsigned => kind::<u32>(),
        ArrayType::BigUnsigned => kind::<u64>(),
        ArrayType::Float => kind::<f32>(),
        ArrayType::Double => kind::<f64>(),
        ArrayType::String => kind::<String>(),
        #[cfg(feature = "postgres")]
        ArrayType::Enum(_) => kind::<String>(),
        ArrayType::Bytes => kind::<Vec<u8>>(),
        #[cfg(feature = "uuid")]
        ArrayType::Uuid => kind::<uuid::Uuid>(),
        #[cfg(feature = "chrono")]
        ArrayType::ChronoDate => kind::<chrono::NaiveDate>(),
        #[cfg(feature = "chrono")]
        ArrayType::ChronoTime => kind::<chrono::NaiveTime>(),
        #[cfg(feature = "chrono")]
        ArrayType::ChronoDateTime => kind::<chrono::NaiveDateTime>(),
        #[cfg(feature = "chrono")]
        ArrayType::ChronoDateTimeUtc => kind::<chrono::DateTime<chrono::Utc>>(),
        #[cfg(feature = "chrono")]
        ArrayType::ChronoDateTimeLocal => kind::<chrono::DateTime<chrono::Local>>(),
        #[cfg(feature = "chrono")]
        ArrayType::ChronoDateTimeWithTimeZone => kind::<chrono::DateTime<chrono::FixedOffset>>(),
        #[cfg(feature = "time")]
        ArrayType::TimeDate => kind::<time::Date>(),
        #[cfg(feature = "time")]
        ArrayType::TimeTime => kind::<time::Time>(),
        #[cfg(feature = "time")]
        ArrayType::TimeDateTime => kind::<time::PrimitiveDateTime>(),
        #[cfg(feature = "time")]
        ArrayType::TimeDateTimeWithTimeZone => kind::<time::OffsetDateTime>(),
        #[cfg(feature = "rust_decimal")]
        ArrayType::Decimal => kind::<rust_decimal::Decimal>(),
        #[cfg(feature = "bigdecimal")]
        ArrayType::BigDecimal => kind::<bigdecimal::BigDecimal>(),
        _ => None,
    }
}
