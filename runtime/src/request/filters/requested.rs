//! The filters that a request asks for.

use std::fmt;
use std::marker::PhantomData;

use sea_query::{Condition, Expr, ExprTrait as _};

use crate::schema::filter::{AnyModel, Filter, FilterExpr, SameModel};

/// How a filter from the request compares, in the order in which several of one name are listed.
///
/// ```
/// use folio::FilterOperator;
///
/// assert_eq!((FilterOperator::Eq.as_str(), FilterOperator::Gte.as_str()), ("eq", "gte"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FilterOperator {
    /// The column has one of the values.
    Eq,
    /// The column is greater than the value.
    Gt,
    /// The column is greater than the value or equal to it.
    Gte,
    /// The column is less than the value.
    Lt,
    /// The column is less than the value or equal to it.
    Lte,
    /// The column contains the text, in any case.
    Search,
    /// The column is NULL or is not, as the value says.
    Is,
    /// The condition is that of a closure, for [`Filters::allow_with`](crate::Filters::allow_with).
    With,
}

impl FilterOperator {
    /// Its name in lower case: `eq`, `gt`, `gte`, `lt`, `lte`, `search`, `is` or `with`.
    ///
    /// ```
    /// assert_eq!(folio::FilterOperator::Search.as_str(), "search");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Gt => "gt",
            Self::Gte => "gte",
            Self::Lt => "lt",
            Self::Lte => "lte",
            Self::Search => "search",
            Self::Is => "is",
            Self::With => "with",
        }
    }

    /// Whether a request cannot have both operators of one name; `other` is the later one of them.
    pub(super) const fn excludes(self, other: Self) -> bool {
        matches!((self, other), (Self::Eq, _) | (Self::Gt, Self::Gte) | (Self::Lt, Self::Lte))
    }

    /// What follows a filter's name in the parameter.
    pub(super) const fn suffix(self) -> &'static str {
        match self {
            Self::Gt => "[gt]",
            Self::Gte => "[gte]",
            Self::Lt => "[lt]",
            Self::Lte => "[lte]",
            Self::Eq | Self::Search | Self::Is | Self::With => "",
        }
    }
}

impl fmt::Display for FilterOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One filter that the request asks for: see [`RequestedFilters::active`].
///
/// ```
/// use folio::{Column, FilterOperator, Filters};
///
/// let filters = Filters::new().allow("price", Column::<i64>::new("price").ranges());
/// let requested = filters.resolve("price[gte]=10")?;
/// let filter = &requested.active()[0];
/// assert_eq!((filter.name(), filter.operator(), filter.values()), ("price", FilterOperator::Gte, &["10".to_owned()][..]));
/// assert_eq!(filter.parameter(), "price[gte]");
/// # Ok::<(), folio::FrameworkError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ActiveFilter {
    pub(super) name: String,
    pub(super) operator: FilterOperator,
    pub(super) parameter: String,
    pub(super) values: Vec<String>,
    pub(super) condition: Expr,
}

impl ActiveFilter {
    /// The name under which the filter is allowed.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it compares.
    #[must_use]
    pub const fn operator(&self) -> FilterOperator {
        self.operator
    }

    /// The query parameter that it came from, decoded: `price[gte]`, or `filter[price][gte]` with a prefix.
    #[must_use]
    pub fn parameter(&self) -> &str {
        &self.parameter
    }

    /// The values as the client wrote them, decoded. There is one, except for [`FilterOperator::Eq`], which has each of
    /// its values once, sorted as texts.
    #[must_use]
    pub fn values(&self) -> &[String] {
        &self.values
    }
}

/// The filters that a request asks for, read by [`Filters`](crate::Filters). A row has to match all of them.
///
/// It is a [`Filter`], so [`Builder::filter`](crate::Builder::filter) takes it. Without any active filter, it changes
/// nothing. It also converts into a [`FilterExpr`] and a [`Condition`], for selects of your own.
///
/// If it is passed to `filter` unchanged, the query knows that the values are a client's. If the database refuses one of
/// them, the error is a 400. After a conversion, or inside an [`and`](FilterExpr::and), it is a 500.
///
/// To bind cursors to the filters, call [`bind_filters`](crate::Builder::bind_filters). The order in which a client
/// writes the parameters and their values has no effect on the binding.
///
/// ```
#[doc = include_str!("../../doc/posts.txt")]
/// use folio::Filters;
///
/// let filters = Filters::new().allow("author", Post::AUTHOR_ID.eq_any()).allow("q", Post::TITLE.search());
/// let list = |query: &str| Ok::<_, folio::FrameworkError>(Post::query().filter(filters.resolve(query)?).bind_filters());
/// let page = list("author=8,7&q=a")?.cursor_paginate(1).await?;
/// let next = page.next_cursor.as_deref();
/// assert_eq!((ids(&page.data), list("")?.paginate(15).await?.total), (vec![2], 3));
/// assert_eq!(ids(&list("q=a&author=7&author=8")?.cursor(next).cursor_paginate(1).await?.data), [3]);
/// assert_eq!(list("q=b&author=7,8")?.cursor(next).cursor_paginate(1).await.unwrap_err().status(), 400);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[must_use = "the filters do nothing until they are passed to `filter`"]
pub struct RequestedFilters<M = AnyModel> {
    active: Vec<ActiveFilter>,
    model: PhantomData<fn() -> M>,
}

impl<M> RequestedFilters<M> {
    pub(super) const fn new(active: Vec<ActiveFilter>) -> Self {
        Self { active, model: PhantomData }
    }

    /// The filters that the request asks for, such as for the chips above a list. They are in the order in which they
    /// were allowed, and then in that of their operators.
    ///
    /// ```
    /// use folio::{Column, Filters};
    ///
    /// let filters = Filters::new()
    ///     .allow("state", Column::<String>::new("state").eq_any())
    ///     .allow("price", Column::<i64>::new("price").ranges());
    /// let requested = filters.resolve("price[lt]=20&state=open&price[gte]=10&state=closed")?;
    /// let chip = |filter: &folio::ActiveFilter| format!("{} {} {}", filter.name(), filter.operator(), filter.values().join(" or "));
    /// let chips: Vec<String> = requested.active().iter().map(chip).collect();
    /// assert_eq!(chips, ["state eq closed or open", "price gte 10", "price lt 20"]);
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn active(&self) -> &[ActiveFilter] {
        &self.active
    }

    /// The parameters and values of the filters, decoded, with each value of a list on its own. A form that keeps the
    /// filters has one hidden input for each pair; your template engine escapes them.
    ///
    /// ```
    /// use folio::{Column, Filters};
    ///
    /// let filters = Filters::new().allow("state", Column::<String>::new("state").eq_any());
    /// let requested = filters.resolve("page=2&state=open&state=on+hold")?;
    /// assert_eq!(requested.pairs().collect::<Vec<_>>(), [("state", "on hold"), ("state", "open")]);
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.active.iter().flat_map(|filter| filter.values.iter().map(|value| (filter.parameter(), value.as_str())))
    }

    /// The filters as an encoded query string, without a `?`. It has no other parameters: add those of your own that a
    /// link should keep, such as the sort. The page number and the cursor belong to the list with the old filters.
    ///
    /// ```
    /// use folio::{Column, Filters};
    ///
    /// let filters = Filters::new().allow("price", Column::<i64>::new("price").ranges());
    /// assert_eq!(filters.resolve("page=2&price[gte]=10")?.query_string(), "price%5Bgte%5D=10");
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn query_string(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(self.pairs()).finish()
    }

    /// The filters without those of one name: for a link that removes them, and for a facet, which counts the rows that
    /// each of its values would have.
    ///
    /// ```
    /// use folio::{Column, Filters};
    ///
    /// let filters = Filters::new()
    ///     .allow("state", Column::<String>::new("state").eq_any())
    ///     .allow("price", Column::<i64>::new("price").ranges());
    /// let requested = filters.resolve("state=open&price[gte]=10&price[lt]=20")?;
    /// assert_eq!(requested.without("price").query_string(), "state=open");
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    pub fn without(&self, name: &str) -> Self {
        Self::new(self.active.iter().filter(|filter| filter.name != name).cloned().collect())
    }
}

impl<M, N: SameModel<M>> Filter<M> for RequestedFilters<N> {
    fn into_expr(self) -> Expr {
        // Each condition is in parentheses, because it may be the caller's SQL.
        let conditions = self.active.into_iter().map(|filter| Expr::tuple([filter.condition]));
        conditions.reduce(Expr::and).unwrap_or_else(|| Condition::all().into())
    }

    fn request_parameters(&self) -> Vec<String> {
        self.active.iter().map(|filter| filter.parameter.clone()).collect()
    }
}

impl<M> From<RequestedFilters<M>> for FilterExpr<M>
where
    M: SameModel<M>,
{
    fn from(filters: RequestedFilters<M>) -> Self {
        Self::new(filters.into_expr())
    }
}

impl<M> From<RequestedFilters<M>> for Condition
where
    M: SameModel<M>,
{
    fn from(filters: RequestedFilters<M>) -> Self {
        FilterExpr::from(filters).into()
    }
}

impl<M> Clone for RequestedFilters<M> {
    fn clone(&self) -> Self {
        Self::new(self.active.clone())
    }
}

impl<M> fmt::Debug for RequestedFilters<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.active).finish()
    }
}
