//! The filters that a client may ask for.

pub(crate) mod allowed;
#[cfg(any(feature = "chrono", feature = "time"))]
mod moment;
pub(crate) mod requested;
pub(crate) mod value_text;

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use self::allowed::{AllowedFilter, Rule};
use self::requested::{ActiveFilter, FilterOperator, RequestedFilters};
use crate::error::{FrameworkError, Result, listed};
use crate::request::ActiveRequest;
use crate::schema::filter::{AnyModel, Filter};
use crate::value::CursorValue;

/// The filters that clients can choose by name, as in `?state=open&price[gte]=10`.
///
/// Each name stands for a comparison with a column of the model `M`: [`AllowedFilter`] lists the comparisons, and how
/// values are written. The result is a [`RequestedFilters`], for [`Builder::filter`](crate::Builder::filter).
///
/// - A row has to match all filters of a request. A request without any gets all rows.
/// - An empty value, as in `?state=`, filters nothing, because forms send their empty fields.
/// - A value that is not one of the column's type, and an operator that the name does not have, is a 400 that names the
///   parameter and what is allowed. So is a parameter that occurs twice, unless it is a list.
/// - A value may have the right form, and the database may refuse it nevertheless: it is not a label of the enum, a
///   domain rejects it, or a computation with it overflows. The page is then a 400 that names the request's parameters.
/// - Other parameters are the application's own. To refuse unknown filters, set a [`prefix`](Self::prefix).
///
/// To keep the filters in page links, call [`with_query_string`](crate::Builder::with_query_string). A cursor is also
/// valid with other filters, unless [`bind_filters`](crate::Builder::bind_filters) is called. Filters need indexes: see
/// the guide's chapter [`filters`](crate::guide::filters).
///
/// ```
#[doc = include_str!("../../doc/posts.txt")]
/// use folio::{ActiveRequest, Filters};
///
/// let posts = async || {
///     let filters = Filters::new()
///         .allow("author", Post::AUTHOR_ID.eq_any())
///         .allow("id", Post::ID.ranges())
///         .allow("q", Post::TITLE.search())
///         .from_request()?;
///     Post::query().filter(filters).with_query_string().paginate(1).await
/// };
/// let page = ActiveRequest::new("/posts?author=7,8&id[gt]=1&q=A").scope(posts()).await?;
/// assert_eq!((ids(&page.data), page.total), (vec![2], 2));
/// assert_eq!(page.next_page_url().as_deref(), Some("/posts?author=7,8&id[gt]=1&q=A&page=2"));
///
/// assert_eq!(ActiveRequest::new("/posts").scope(posts()).await?.total, 3);
/// let error = ActiveRequest::new("/posts?id[gte]=two").scope(posts()).await.unwrap_err();
/// assert_eq!(error.status(), 400);
/// assert!(error.to_string().starts_with("`id[gte]` is an integer from -9223372036854775808"), "{error}");
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// A comparison of another model's column does not compile:
///
/// ```compile_fail,E0277
/// # use folio::{Filters, Paginate};
/// # #[derive(sqlx::FromRow, Paginate)]
/// # struct Post { id: i64 }
/// # #[derive(sqlx::FromRow, Paginate)]
/// # struct Comment { id: i64 }
/// let filters = Filters::new().allow("id", Comment::ID.eq_any());
/// let query = Post::query().filter(filters.from_request().unwrap());
/// ```
#[must_use = "a list of filters does nothing until `from_request` or `resolve` is called"]
pub struct Filters<M = AnyModel> {
    allowed: Vec<(String, Rule)>,
    prefix: Option<String>,
    /// The first mistake in the names, which every request reports.
    mistake: Option<String>,
    model: PhantomData<fn() -> M>,
}

impl<M> Filters<M> {
    /// Creates an empty list. Add filters with [`allow`](Self::allow).
    ///
    /// ```
    /// let filters = folio::Filters::<folio::AnyModel>::new();
    /// assert!(filters.resolve("state=open")?.active().is_empty());
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    #[expect(clippy::new_without_default, reason = "`allow` follows")]
    pub const fn new() -> Self {
        Self { allowed: Vec::new(), prefix: None, mistake: None, model: PhantomData }
    }

    /// Lets clients filter by a comparison under this name.
    ///
    /// All comparisons are of columns of one model. To mix in columns of another model of the table, or columns without
    /// a model, write `.any_model()` after each column. A name must not be empty or contain a bracket, and can only be
    /// added once; otherwise [`from_request`](Self::from_request) fails.
    ///
    /// ```
    /// use folio::{Column, Filters};
    ///
    /// let filters = Filters::new()
    ///     .allow("state", Column::<String>::new("state").eq_any())
    ///     .allow("price", Column::<i64>::new("price").ranges());
    /// assert_eq!(filters.resolve("state=open&price[lt]=20")?.active().len(), 2);
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    pub fn allow(self, name: &str, filter: AllowedFilter<M>) -> Self {
        self.with_rule(name, filter.rule)
    }

    /// Lets clients filter by a condition of your own under this name, such as one on another table. The type
    /// of the closure's argument says how the text is read. If no `allow` names the model, name it yourself:
    /// `Filters::<Post>::new()`.
    ///
    /// ```
    #[doc = include_str!("../../doc/posts.txt")]
    /// use folio::Filters;
    ///
    /// let filters = Filters::<Post>::new().allow_with("short", |is_short: bool| match is_short {
    ///     true => Post::TITLE.like("_"),
    ///     false => Post::TITLE.not_like("_"),
    /// });
    /// assert_eq!(Post::query().filter(filters.resolve("short=true")?).paginate(15).await?.total, 3);
    /// assert_eq!(Post::query().filter(filters.resolve("short=false")?).paginate(15).await?.total, 0);
    /// assert_eq!(filters.resolve("short=1").unwrap_err().to_string(), "`short` is one of `true`, `false`");
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn allow_with<T: CursorValue, F: Filter<M>>(
        self,
        name: &str,
        condition: impl Fn(T) -> F + Send + Sync + 'static,
    ) -> Self {
        self.with_rule(name, Rule::with(condition))
    }

    fn with_rule(mut self, name: &str, rule: Rule) -> Self {
        let mistake = if name.is_empty() {
            "a filter has an empty name: write a name, such as `.allow(\"state\", Issue::STATE.eq_any())`".to_owned()
        } else if name.contains(['[', ']']) {
            format!("the filter name `{name}` has a bracket, which separates it from an operator: write it without")
        } else if self.allowed.iter().any(|(allowed, _)| allowed == name) {
            format!("the filter `{name}` is allowed twice: write another name for one of them")
        } else {
            self.allowed.push((name.to_owned(), rule));
            return self;
        };
        self.mistake.get_or_insert(mistake);
        self
    }

    /// Puts the names into brackets after a prefix: with `filter`, the parameters are `filter[state]=open` and
    /// `filter[price][gte]=10`, as JSON:API recommends.
    ///
    /// Every other parameter of the prefix is then a 400 that lists the allowed ones. Without a prefix, unknown
    /// parameters cannot be told from those of the application.
    ///
    /// ```
    /// use folio::{Column, Filters};
    ///
    /// let filters = Filters::new().allow("state", Column::<String>::new("state").eq_any()).prefix("filter");
    /// assert_eq!(filters.resolve("filter[state]=open&page[number]=2")?.active().len(), 1);
    /// let error = filters.resolve("filter[status]=open").unwrap_err();
    /// assert_eq!(error.to_string(), "`filter[status]` is not a filter of this list, which has `filter[state]`");
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    pub fn prefix(mut self, prefix: &str) -> Self {
        if prefix.is_empty() || prefix.contains(['[', ']']) {
            let mistake =
                format!("the prefix `{prefix}` of filters is empty or has a bracket: write a name, such as `filter`");
            self.mistake.get_or_insert(mistake);
        }
        self.prefix = Some(prefix.to_owned());
        self
    }

    /// Reads the filters that the active request asks for. Without an active request, there are none.
    ///
    /// ```
    /// use folio::{ActiveRequest, Column, Filters};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let filters = Filters::new().allow("id", Column::<i64>::new("id").eq_any());
    /// let asked = async |uri| ActiveRequest::new(uri).scope(async { filters.from_request() }).await;
    /// assert_eq!(asked("/posts?id=7,9&page=2").await.unwrap().active()[0].values(), ["7", "9"]);
    /// assert!(asked("/posts?id=").await.unwrap().active().is_empty());
    /// assert_eq!(asked("/posts?id=7,").await.unwrap_err().status(), 400);
    /// # }
    /// ```
    ///
    /// # Errors
    /// - [`InvalidParameter`](FrameworkError::InvalidParameter), 400, with the parameter, such as `price[gte]`, and what
    ///   is allowed: for a value that is not one of the column's type, an unknown operator, with a
    ///   [`prefix`](Self::prefix) also an unknown name, more than 100 values of a list, a search for more than 1,000
    ///   characters, and for a parameter that repeats or contradicts another
    /// - [`Internal`](FrameworkError::Internal), for any request, if the list itself is invalid: a name is invalid or
    ///   was added twice
    pub fn from_request(&self) -> Result<RequestedFilters<M>> {
        let request = ActiveRequest::current();
        self.resolve(request.as_ref().and_then(ActiveRequest::query).unwrap_or_default())
    }

    /// Same as [`from_request`](Self::from_request), for a query string that you have read yourself, without the `?`
    /// and still encoded.
    ///
    /// ```
    /// use folio::{Column, Filters};
    ///
    /// let filters = Filters::new().allow("price", Column::<i64>::new("price").ranges());
    /// assert_eq!(filters.resolve("price%5Bgte%5D=10")?.query_string(), "price%5Bgte%5D=10");
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`from_request`](Self::from_request).
    pub fn resolve(&self, query: &str) -> Result<RequestedFilters<M>> {
        // First, so that every request reports a mistake in the list.
        if let Some(mistake) = &self.mistake {
            return Err(FrameworkError::internal(mistake.as_str()));
        }
        // By the place in the list and the operator, so that the condition does not depend on the order of parameters.
        let mut asked: BTreeMap<(usize, FilterOperator), (&str, &Rule, Vec<String>)> = BTreeMap::new();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let Some((place, name, rule, operator)) = self.addressed(&key)? else { continue };
            if !value.is_empty() {
                let (.., texts) = asked.entry((place, operator)).or_insert_with(|| (name, rule, Vec::new()));
                texts.push(value.into_owned());
            }
        }
        let mut active: Vec<ActiveFilter> = Vec::new();
        for ((_, operator), (name, rule, texts)) in asked {
            let parameter = self.parameter(name, operator);
            let earlier = active.last().filter(|filter| filter.name == name && filter.operator.excludes(operator));
            if let Some(ActiveFilter { parameter: earlier, .. }) = earlier {
                let rule = format!("cannot be combined with `{earlier}`: write one of them");
                return Err(FrameworkError::invalid_parameter(parameter, rule));
            }
            let (condition, values) = rule.condition(operator, texts).map_err(|refused| refused.at(&parameter))?;
            active.push(ActiveFilter { name: name.to_owned(), operator, parameter, values, condition });
        }
        Ok(RequestedFilters::new(active))
    }

    /// The filter that a parameter addresses: its place in the list, its name, its rule and the operator. `None` for a
    /// parameter of the application's own.
    fn addressed(&self, key: &str) -> Result<Option<(usize, &str, &Rule, FilterOperator)>> {
        let (name, suffix) = match &self.prefix {
            None => key.split_at(key.find('[').unwrap_or(key.len())),
            Some(prefix) => match key.strip_prefix(prefix.as_str()) {
                // No filter has an empty name.
                Some("") => ("", ""),
                Some(rest) => match rest.strip_prefix('[') {
                    Some(rest) => rest.split_once(']').unwrap_or_default(),
                    None => return Ok(None),
                },
                None => return Ok(None),
            },
        };
        match self.allowed.iter().enumerate().find(|(_, (allowed, _))| allowed == name) {
            Some((place, (name, rule))) => match rule.operator(suffix) {
                Some(operator) => Ok(Some((place, name, rule, operator))),
                None => Err(unknown(key, self.parameters_of(name, rule))),
            },
            None if self.prefix.is_some() => Err(unknown(key, self.parameters())),
            None => Ok(None),
        }
    }

    /// The parameters of all filters.
    fn parameters(&self) -> Vec<String> {
        self.allowed.iter().flat_map(|(name, rule)| self.parameters_of(name, rule)).collect()
    }

    fn parameters_of(&self, name: &str, rule: &Rule) -> Vec<String> {
        rule.operators().iter().map(|operator| self.parameter(name, *operator)).collect()
    }

    /// The parameter of a filter and an operator, decoded.
    pub(crate) fn parameter(&self, name: &str, operator: FilterOperator) -> String {
        match &self.prefix {
            None => format!("{name}{}", operator.suffix()),
            Some(prefix) => format!("{prefix}[{name}]{}", operator.suffix()),
        }
    }

    /// The names and what clients may write for each.
    #[cfg(feature = "utoipa")]
    pub(crate) fn rules(&self) -> impl Iterator<Item = (&str, &Rule)> {
        self.allowed.iter().map(|(name, rule)| (name.as_str(), rule))
    }

    /// The allowed names, in the order in which they were added.
    ///
    /// ```
    /// use folio::{Column, Filters};
    ///
    /// let filters = Filters::new().allow("id", Column::<i64>::new("id").eq_any());
    /// assert_eq!(filters.names().collect::<Vec<_>>(), ["id"]);
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.allowed.iter().map(|(name, _)| name.as_str())
    }
}

/// The error for a parameter that is not one of these.
fn unknown(key: &str, allowed: Vec<String>) -> FrameworkError {
    let rule = match allowed.as_slice() {
        [] => "is not supported by this list".to_owned(),
        allowed => format!("is not a filter of this list, which has {}", listed(allowed)),
    };
    FrameworkError::InvalidParameter { parameter: key.to_owned(), rule, allowed }
}

impl<M> Clone for Filters<M> {
    fn clone(&self) -> Self {
        let Self { allowed, prefix, mistake, model } = self;
        Self { allowed: allowed.clone(), prefix: prefix.clone(), mistake: mistake.clone(), model: *model }
    }
}

impl<M> fmt::Debug for Filters<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { allowed, prefix, mistake, .. } = self;
        f.debug_struct("Filters").field("allowed", allowed).field("prefix", prefix).field("mistake", mistake).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::column::Column;

    const STATE: Column<String> = Column::new("state");
    const ID: Column<i64> = Column::new("id");
    const SCORE: Column<Option<f64>> = Column::new("score");
    const HIDDEN: Column<bool> = Column::new("hidden");

    fn filters() -> Filters {
        Filters::new()
            .allow("state", STATE.eq_any())
            .allow("id", ID.eq_any())
            .allow("score", SCORE.ranges())
            .allow("q", STATE.search())
            .allow("scored", SCORE.nulls())
            .allow("hidden", HIDDEN.eq_any())
            .allow_with("above", |id: i64| ID.gt(id))
    }

    /// The condition of a query string, which the filters put into parentheses.
    #[track_caller]
    fn condition(query: &str) -> FilterExprOf {
        filters().resolve(query).unwrap().into()
    }

    type FilterExprOf = crate::schema::filter::FilterExpr<AnyModel>;

    #[test]
    fn each_parameter_becomes_its_condition() {
        let alone = |condition: FilterExprOf| FilterExprOf::new(sea_query::Expr::tuple([condition.into()]));
        for (query, expected) in [
            ("state=open", STATE.eq("open")),
            ("state=a,b", STATE.eq("a,b")),
            ("state=b&state=a&state[]=b", STATE.any_of(["a", "b"])),
            ("state=+open+", STATE.eq(" open ")),
            ("id=7", ID.eq(7)),
            ("id%5B%5D=7%2C9&id=8", ID.any_of([7, 8, 9])),
            ("score=1.5", SCORE.eq(1.5)),
            ("score[gt]=1", SCORE.gt(1.0)),
            ("score%5Bgte%5D=1", SCORE.gte(1.0)),
            ("score[lt]=1", SCORE.lt(1.0)),
            ("score[lte]=1&score[lt]=", SCORE.lte(1.0)),
            ("q=100%25", STATE.icontains("100%")),
            ("q=&q=a&q=", STATE.icontains("a")),
            ("scored=null", SCORE.is_null()),
            ("scored=not_null", SCORE.is_not_null()),
            ("hidden=true,false", HIDDEN.any_of([false, true])),
            ("above=3", ID.gt(3)),
            ("id=7&page=2&State=x&status=y&filter[id]=8&[gt]=9&=1&&", ID.eq(7)),
        ] {
            assert_eq!(condition(query), alone(expected), "{query}");
        }
        let both = alone(ID.eq(7)).and(alone(SCORE.gte(1.0))).and(alone(SCORE.lt(2.0)));
        assert_eq!(condition("score[lt]=2&id=7&score[gte]=1"), both);
        // Without filters, the condition is one that queries leave out.
        for query in ["", "&&=", "state=&id=&score[gt]=&q", "page=2"] {
            assert_eq!(condition(query), FilterExprOf::new(sea_query::Condition::all().into()), "{query}");
        }
    }

    #[test]
    fn anything_else_is_refused_under_its_parameter() {
        let integer = format!("takes values separated by commas: each is an integer from {} to {}", i64::MIN, i64::MAX);
        let of_score =
            "is not a filter of this list, which has `score`, `score[gt]`, `score[gte]`, `score[lt]`, `score[lte]`";
        for (query, parameter, rule) in [
            ("id=a", "id", integer.as_str()),
            ("id=7,", "id", &integer),
            ("id=,", "id", &integer),
            ("id[]=7&id=1.5", "id", &integer),
            ("score=many", "score", "is a number such as `12.5`"),
            ("score[gte]=1&score[lt]=1,5", "score[lt]", "is a number such as `12.5`"),
            ("score=1&score[gt]=1", "score[gt]", "cannot be combined with `score`: write one of them"),
            ("score[gte]=1&score[gt]=1", "score[gte]", "cannot be combined with `score[gt]`: write one of them"),
            ("score[lte]=1&score[lt]=1", "score[lte]", "cannot be combined with `score[lt]`: write one of them"),
            ("score[gt]=1&score[gt]=1", "score[gt]", "occurs twice: write it once"),
            ("score[]=1", "score[]", of_score),
            ("score[foo]=", "score[foo]", of_score),
            ("score[=1", "score[", of_score),
            ("score[gt]x=1", "score[gt]x", of_score),
            ("score[gt][]=1", "score[gt][]", of_score),
            ("state[eq]=a", "state[eq]", "is not a filter of this list, which has `state`"),
            ("q=a&q=b", "q", "occurs twice: write it once"),
            ("scored=true", "scored", "is one of `null`, `not_null`"),
            ("hidden=1", "hidden", "takes `true`, `false`, separated by commas"),
            ("above=a", "above", "is an integer from -9223372036854775808 to 9223372036854775807"),
        ] {
            let error = filters().resolve(query).unwrap_err();
            assert_eq!(error.to_string(), format!("`{parameter}` {rule}"), "{query}");
            assert!(matches!(&error, FrameworkError::InvalidParameter { parameter: name, .. } if name == parameter));
        }
    }

    #[test]
    fn lists_and_searches_have_a_limit() {
        let ids = |count: usize| format!("id={}", vec!["7"; count].join(","));
        let states = |count: usize| "state=a&".repeat(count);
        for (allowed, refused, message) in [
            (ids(100), ids(101), "`id` takes at most 100 values"),
            (states(100), states(20_000), "`state` takes at most 100 values"),
            (
                format!("q={}", "é".repeat(1_000)),
                format!("q={}", "a".repeat(1_001)),
                "`q` is a text of at most 1000 characters",
            ),
        ] {
            assert_eq!(filters().resolve(&allowed).unwrap().active().len(), 1);
            assert_eq!(filters().resolve(&refused).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn with_a_prefix_every_other_name_is_refused() {
        let filters = filters().prefix("filter");
        let pairs = |query: &str| {
            let requested = filters.resolve(query).unwrap();
            requested.pairs().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        let query = "filter[state]=open&filter%5Bscore%5D%5Bgte%5D=1&filter[id][]=8&filters[a]=1&state=b&score[gt]=2";
        assert_eq!(pairs(query), ["filter[state]=open", "filter[id]=8", "filter[score][gte]=1"]);
        for query in
            ["filter", "filter[]", "filter[status]", "filter[", "filter[state", "filter[[state]]", "filter[state ]"]
        {
            let error = filters.resolve(query).unwrap_err();
            assert!(
                error.to_string().starts_with(&format!("`{query}` is not a filter of this list, which has")),
                "{error}"
            );
            let FrameworkError::InvalidParameter { allowed, .. } = error else { panic!("{error}") };
            assert_eq!((allowed.len(), allowed[3].as_str()), (11, "filter[score][gt]"));
        }
        let error = filters.resolve("filter[state]x=1").unwrap_err();
        assert_eq!(error.to_string(), "`filter[state]x` is not a filter of this list, which has `filter[state]`");
        let error = Filters::<AnyModel>::new().prefix("filter").resolve("filter[a]=").unwrap_err();
        assert_eq!(error.to_string(), "`filter[a]` is not supported by this list");
    }

    #[test]
    fn a_mistake_in_the_list_is_reported_whatever_is_asked_for() {
        for (filters, advice) in [
            (filters().allow("", ID.eq_any()), "write a name"),
            (filters().allow("a[b]", ID.eq_any()), "`a[b]` has a bracket"),
            (filters().allow_with("id", |id: i64| ID.eq(id)), "the filter `id` is allowed twice"),
            (filters().prefix(""), "write a name, such as `filter`"),
            (filters().prefix("filter[]"), "is empty or has a bracket"),
        ] {
            for query in ["", "id=7", "id=a"] {
                let error = filters.resolve(query).unwrap_err();
                assert!(error.status() == 500 && error.to_string().contains(advice), "{error}");
            }
        }
    }

    #[test]
    fn without_a_request_there_are_no_filters() {
        assert!(filters().from_request().unwrap().active().is_empty());
    }

    #[test]
    fn what_is_requested_can_be_read_back() {
        let requested = filters().resolve("q=a%26b&score[lt]=2&id=9&page=3&id=7&score[gte]=1").unwrap();
        let query = "id=7&id=9&score%5Bgte%5D=1&score%5Blt%5D=2&q=a%26b";
        assert_eq!(requested.query_string(), query);
        assert_eq!(filters().resolve(query).unwrap().query_string(), query);
        assert_eq!(requested.without("score").query_string(), "id=7&id=9&q=a%26b");
        assert_eq!(requested.without("unknown").query_string(), query);
        let operators: Vec<_> = requested.active().iter().map(|filter| filter.operator().to_string()).collect();
        assert_eq!(operators, ["eq", "gte", "lt", "search"]);
    }
}
