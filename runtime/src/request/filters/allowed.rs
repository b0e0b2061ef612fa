//! What a client may write for one name, and the condition that it becomes.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use sea_query::{Expr, ExprTrait as _};

use super::requested::FilterOperator;
use super::value_text::{Unreadable, ValueType, value};
use crate::error::{FrameworkError, NOT_ALLOWED, listed};
use crate::schema::column::{Column, Operand};
use crate::schema::filter::{AnyModel, Filter};
use crate::schema::{any_of, text};
use crate::value::CursorValue;

/// The values of a list, and the characters of a search, that a client may send.
pub(crate) const MAX_VALUES: usize = 100;
pub(crate) const MAX_SEARCH: usize = 1_000;

/// The values of [`Column::nulls`].
pub(crate) const NULL: &str = "null";
pub(crate) const NOT_NULL: &str = "not_null";

/// A comparison for [`Filters::allow`](crate::Filters::allow), of a column of the model `M`. The methods of [`Column`]
/// return it.
///
/// | method | parameters | matches rows |
/// |---|---|---|
/// | [`eq_any`](Column::eq_any) | `?state=open`, `?state=open,closed` | with one of the values |
/// | [`ranges`](Column::ranges) | `?price=10`, `?price[gte]=10&price[lt]=20` | with the value, or in the range |
/// | [`search`](Column::search) | `?q=word` | that contain the text, in any case |
/// | [`nulls`](Column::nulls) | `?deleted=null`, `?deleted=not_null` | with or without NULL |
///
/// # Values
///
/// A value is written in the form of the column's type, and any other text is a 400:
///
/// | type | form |
/// |---|---|
/// | integers | digits, with `-` for negative numbers |
/// | floats, decimals | `12.5`; for floats also `1e3` |
/// | `bool` | `true`, `false` |
/// | `String` | the text itself |
/// | an enum or a newtype that derives [`ColumnValue`](macro@crate::ColumnValue) | the text or the number that the column stores |
/// | UUIDs | `67e55044-10b1-426f-9247-bb680e5fe0c8` |
/// | dates, times | `2026-05-14`, `18:30:00`, `18:30` |
/// | dates with times, without a zone | `2026-05-14T18:30:00`, `2026-05-14T18:30` |
/// | the same with a zone | `2026-05-14T18:30:00Z`, or an offset such as `+02:00`, whose `+` a URL has as `%2B` |
/// | `Vec<u8>` | hexadecimal digits |
///
/// Seconds have at most six decimal places, as PostgreSQL and MySQL store them. Nothing is assumed: a date alone is not
/// a date and time, and a type with a zone needs the offset.
///
/// ```
/// use folio::{AllowedFilter, Column, Filters};
///
/// let price: AllowedFilter = Column::<i64>::new("price").ranges();
/// assert!(Filters::new().allow("price", price).resolve("price[gte]=10").is_ok());
/// ```
#[must_use = "a comparison does nothing until it is passed to `Filters::allow`"]
pub struct AllowedFilter<M = AnyModel> {
    pub(super) rule: Rule,
    model: PhantomData<fn() -> M>,
}

/// The same without the model.
#[derive(Clone)]
pub(crate) enum Rule {
    AnyOf(Expr, ValueType),
    Ranges(Expr, ValueType),
    Search(Expr),
    Nulls(Expr),
    With(Arc<Condition>, ValueType),
}

/// Reads a text, and makes the condition of its value.
type Condition = dyn Fn(&str) -> Result<Expr, Unreadable> + Send + Sync;

/// Why a client's text is refused: the rest of the message after the parameter's name, and what is allowed instead.
#[derive(Debug)]
pub(super) struct Refused {
    rule: String,
    allowed: Vec<String>,
}

impl Refused {
    fn unlisted(rule: impl Into<String>) -> Self {
        Self { rule: rule.into(), allowed: Vec::new() }
    }

    pub(super) fn at(self, parameter: &str) -> FrameworkError {
        FrameworkError::InvalidParameter { parameter: parameter.to_owned(), rule: self.rule, allowed: self.allowed }
    }
}

impl Rule {
    /// The caller's condition for a value of type `T`.
    pub(super) fn with<M, T: CursorValue, F: Filter<M>>(condition: impl Fn(T) -> F + Send + Sync + 'static) -> Self {
        let of_text = move |text: &str| value::<T>(text).map(|value| condition(value).into_expr());
        Self::With(Arc::new(of_text), ValueType::of::<T>())
    }

    pub(crate) const fn operators(&self) -> &'static [FilterOperator] {
        use FilterOperator::{Eq, Gt, Gte, Is, Lt, Lte, Search, With};
        match self {
            Self::AnyOf(..) => &[Eq],
            Self::Ranges(..) => &[Eq, Gt, Gte, Lt, Lte],
            Self::Search(_) => &[Search],
            Self::Nulls(_) => &[Is],
            Self::With(..) => &[With],
        }
    }

    /// The operator in the rest of a parameter after the name. A list may end in `[]`, which many clients write after
    /// the name of an array.
    pub(super) fn operator(&self, suffix: &str) -> Option<FilterOperator> {
        match (self, suffix) {
            (Self::AnyOf(..), "[]") => Some(FilterOperator::Eq),
            _ => self.operators().iter().copied().find(|operator| operator.suffix() == suffix),
        }
    }

    /// The condition of the texts that a client has written in the parameters of one operator, and the values in them.
    pub(super) fn condition(
        &self,
        operator: FilterOperator,
        texts: Vec<String>,
    ) -> Result<(Expr, Vec<String>), Refused> {
        let text = || match texts.as_slice() {
            [text] => Ok(text.as_str()),
            _ => Err(Refused::unlisted("occurs twice: write it once")),
        };
        let condition = match self {
            Self::AnyOf(column, values) => return any_of(column, *values, &texts),
            Self::Ranges(column, values) => {
                let value = values.read(text()?).map_err(|unreadable| refused(*values, unreadable, false))?;
                compared(column.clone(), operator, value.into())
            }
            Self::Search(_) if text()?.chars().count() > MAX_SEARCH => {
                return Err(Refused::unlisted(format!("is a text of at most {MAX_SEARCH} characters")));
            }
            Self::Search(column) => text::icontains(column.clone(), text()?),
            Self::Nulls(column) => match text()? {
                NULL => column.clone().is_null(),
                NOT_NULL => column.clone().is_not_null(),
                _ => return Err(one_of([NULL, NOT_NULL].map(str::to_owned).to_vec())),
            },
            Self::With(condition, values) => {
                condition(text()?).map_err(|unreadable| refused(*values, unreadable, false))?
            }
        };
        Ok((condition, texts))
    }
}

/// A comparison with one value.
fn compared(column: Expr, operator: FilterOperator, value: Expr) -> Expr {
    match operator {
        FilterOperator::Gt => column.gt(value),
        FilterOperator::Gte => column.gte(value),
        FilterOperator::Lt => column.lt(value),
        FilterOperator::Lte => column.lte(value),
        _ => column.eq(value),
    }
}

/// A comparison with the values of a list, sorted, so that the same texts always become the same condition.
fn any_of(column: &Expr, values: ValueType, texts: &[String]) -> Result<(Expr, Vec<String>), Refused> {
    let separator = if values.is_separated_by_commas() { &[','][..] } else { &[] };
    let mut items: Vec<String> = texts
        .iter()
        .flat_map(|text| text.split(separator))
        .take(MAX_VALUES.saturating_add(1))
        .map(str::to_owned)
        .collect();
    if items.len() > MAX_VALUES {
        return Err(Refused::unlisted(format!("takes at most {MAX_VALUES} values")));
    }
    items.sort_unstable();
    items.dedup();
    let read = |text: &String| values.read(text).map(Expr::Value);
    let read: Result<Vec<Expr>, Unreadable> = items.iter().map(read).collect();
    let mut bound = read.map_err(|unreadable| refused(values, unreadable, true))?;
    let condition = match (bound.pop(), bound.is_empty()) {
        // One value is an equality, along whose column an index can be read in order.
        (Some(value), true) => column.clone().eq(value),
        (last, _) => any_of::any_of(column.clone(), bound.into_iter().chain(last)),
    };
    Ok((condition, items))
}

/// The refusal of a text that is not a value, or of a list with one.
fn refused(values: ValueType, unreadable: Unreadable, is_list: bool) -> Refused {
    let allowed = values.listed();
    match (allowed.is_empty(), unreadable) {
        (true, Unreadable::Value) => Refused::unlisted(NOT_ALLOWED),
        (true, Unreadable::Form) if is_list && values.is_separated_by_commas() => {
            Refused::unlisted(format!("takes values separated by commas: each is {}", values.form()))
        }
        (true, Unreadable::Form) => Refused::unlisted(format!("is {}", values.form())),
        (false, _) if !is_list => one_of(allowed),
        (false, _) if values.is_separated_by_commas() => {
            Refused { rule: format!("takes {}, separated by commas", listed(&allowed)), allowed }
        }
        (false, _) => Refused { rule: format!("takes {}, each in a parameter of its own", listed(&allowed)), allowed },
    }
}

/// The refusal of a text that is not one of these.
fn one_of(allowed: Vec<String>) -> Refused {
    Refused { rule: format!("is one of {}", listed(&allowed)), allowed }
}

impl<M> AllowedFilter<M> {
    const fn new(rule: Rule) -> Self {
        Self { rule, model: PhantomData }
    }
}

impl<M> Clone for AllowedFilter<M> {
    fn clone(&self) -> Self {
        Self::new(self.rule.clone())
    }
}

impl<M> fmt::Debug for AllowedFilter<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyOf(column, _) => f.debug_tuple("AnyOf").field(column).finish(),
            Self::Ranges(column, _) => f.debug_tuple("Ranges").field(column).finish(),
            Self::Search(column) => f.debug_tuple("Search").field(column).finish(),
            Self::Nulls(column) => f.debug_tuple("Nulls").field(column).finish(),
            Self::With(..) => f.debug_tuple("With").finish_non_exhaustive(),
        }
    }
}

impl<T: CursorValue, M> Column<T, M> {
    /// For [`Filters`](crate::Filters): clients choose rows by one or more values, at most 100.
    ///
    /// The parameter repeats, `?state=open&state=closed`, or its values are separated by commas, `?state=open,closed`.
    /// It may end in `[]`. A text may contain a comma itself, so in a column of texts, a comma is part of the value, and
    /// only the parameter repeats. This does not apply to enums, whose values are known.
    ///
    /// ```
    #[doc = include_str!("../../doc/posts.txt")]
    /// use folio::Filters;
    ///
    /// let filters = Filters::new().allow("id", Post::ID.eq_any()).allow("title", Post::TITLE.eq_any());
    /// let found = async |query: &str| {
    ///     Ok::<_, folio::FrameworkError>(ids(&Post::query().filter(filters.resolve(query)?).paginate(15).await?.data))
    /// };
    /// assert_eq!(found("id=1,3").await?, [1, 3]);
    /// assert_eq!(found("id=1&id=3&title=a").await?, [3]);
    /// assert_eq!(found("title=a,b").await?, [0; 0]); // a title with a comma
    /// assert_eq!(found("title=a&title=b").await?, [1, 2, 3]);
    /// let error = found("id=one").await.unwrap_err();
    /// assert_eq!((error.status(), error.to_string().starts_with("`id` takes values separated by commas")), (400, true));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn eq_any(self) -> AllowedFilter<M> {
        AllowedFilter::new(Rule::AnyOf(self.to_expr(), ValueType::of::<T>()))
    }

    /// For [`Filters`](crate::Filters): clients choose rows by a value, `?price=10`, or by one or both bounds,
    /// `?price[gte]=10&price[lt]=20`. The operators are `gt`, `gte`, `lt` and `lte`.
    ///
    /// A value and a bound together, or two lower or upper bounds, are a 400. Texts compare by the column's collation.
    ///
    /// ```
    #[doc = include_str!("../../doc/posts.txt")]
    /// use folio::Filters;
    ///
    /// let filters = Filters::new().allow("id", Post::ID.ranges());
    /// let found = async |query: &str| {
    ///     Ok::<_, folio::FrameworkError>(ids(&Post::query().filter(filters.resolve(query)?).paginate(15).await?.data))
    /// };
    /// assert_eq!(found("id=2").await?, [2]);
    /// assert_eq!(found("id[gt]=1&id[lte]=3").await?, [2, 3]);
    /// for wrong in ["id=1&id[lt]=3", "id[gt]=1&id[gte]=1", "id[lt]=1&id[lt]=2", "id[between]=1", "id[lt]=1.5"] {
    ///     assert_eq!(found(wrong).await.unwrap_err().status(), 400);
    /// }
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn ranges(self) -> AllowedFilter<M> {
        AllowedFilter::new(Rule::Ranges(self.to_expr(), ValueType::of::<T>()))
    }
}

impl<T, M> Column<T, M>
where
    String: Operand<T>,
{
    /// For [`Filters`](crate::Filters): clients choose rows by a text that the column contains, in any case, as with
    /// [`icontains`](Self::icontains). The text has at most 1,000 characters.
    ///
    /// ```
    #[doc = include_str!("../../doc/posts.txt")]
    /// use folio::Filters;
    ///
    /// let filters = Filters::new().allow("q", Post::TITLE.search());
    /// let page = Post::query().filter(filters.resolve("q=A")?).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [2, 3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn search(self) -> AllowedFilter<M> {
        AllowedFilter::new(Rule::Search(self.to_expr()))
    }
}

impl<T, M> Column<Option<T>, M> {
    /// For [`Filters`](crate::Filters): clients choose the rows with NULL in the column, `?deleted=null`, or all others,
    /// `?deleted=not_null`.
    ///
    /// ```
    /// use folio::{Column, Filters};
    ///
    /// const DELETED_AT: Column<Option<i64>> = Column::new("deleted_at");
    ///
    /// let filters = Filters::new().allow("deleted", DELETED_AT.nulls());
    /// assert_eq!(filters.resolve("deleted=null")?.active()[0].values(), ["null"]);
    /// let error = filters.resolve("deleted=no").unwrap_err();
    /// assert_eq!(error.to_string(), "`deleted` is one of `null`, `not_null`");
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    pub fn nulls(self) -> AllowedFilter<M> {
        AllowedFilter::new(Rule::Nulls(self.to_expr()))
    }
}
