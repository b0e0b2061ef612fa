//! Moments that SQLite stores as texts.
//!
//! SQLite has no type for dates, and compares texts byte by byte. One moment can be stored as several texts: as
//! `2026-05-14 18:30:00`, which CURRENT_TIMESTAMP writes, as `2026-05-14T18:30:00Z`, with another offset, or with more
//! zeros. sqlx reads them all as the same value, and binds one of them. So in a model's query, a moment is compared
//! with the moment that a text means, among the texts of the days around it, for which an index is used. The day with
//! which any other text begins already shows that it is earlier or later.
//!
//! SQLite sorts numbers before all texts. A moment that is stored as a number is found by no comparison, and neither is
//! a text of a leap second, which SQLite's functions do not read.

use std::iter;
use std::ops::RangeInclusive;

use sea_query::{BinOper, Expr, ExprTrait as _, Value};

use super::{Variant, alone, is_null, variant};

/// A moment as it is compared: seconds since 1970 in UTC, or in the column's own zone if the field's type has none, and
/// the digits after the decimal point.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    seconds: i64,
    /// `.5`, or nothing. In this form, texts sort like numbers.
    fraction: String,
}

/// The years 0 to 9999, in seconds since 1970. SQLite's functions know no others.
const YEARS: RangeInclusive<i64> = -62_167_219_200..=253_402_300_799;

impl Moment {
    /// The moment in a value; `None` if no text has it that SQLite's functions read.
    fn of(value: &Value) -> Option<Self> {
        let (seconds, nanoseconds) = since_1970(value)?;
        // Leap seconds have more nanoseconds than a second.
        (YEARS.contains(&seconds) && nanoseconds < 1_000_000_000).then(|| Self::new(seconds, nanoseconds))
    }

    /// The moment in a value as a bound. Outside of the years that SQLite knows, it is their first or last moment.
    fn bound(value: &Value) -> Option<Self> {
        const LAST: u32 = 999_999_999;
        let (seconds, nanoseconds) = since_1970(value)?;
        Some(match seconds {
            _ if seconds < *YEARS.start() => Self::new(*YEARS.start(), 0),
            _ if seconds > *YEARS.end() => Self::new(*YEARS.end(), LAST),
            _ => Self::new(seconds, Ord::min(nanoseconds, LAST)),
        })
    }

    fn new(seconds: i64, nanoseconds: u32) -> Self {
        let fraction = format!(".{nanoseconds:09}");
        Self { seconds, fraction: fraction.trim_end_matches('0').trim_end_matches('.').to_owned() }
    }

    /// The form in which moments are compared for equality.
    fn text(&self) -> String {
        format!("{}{}", self.seconds, self.fraction)
    }
}

/// A column with moments, each stored as any of its texts, or an expression with such values.
#[derive(Debug, Clone)]
pub(crate) struct MomentColumn {
    column: Expr,
    /// Whether the type of the field has a time zone. If not, the offset in a text is ignored, as sqlx does.
    has_zone: bool,
}

impl MomentColumn {
    /// The column of groups, and their values in the form that [`text`](Self::text) has; `None` if they are not
    /// moments. A moment that no text has equals none.
    pub(crate) fn of_groups<'a>(
        column: &Expr,
        values: impl Iterator<Item = &'a Value> + Clone,
    ) -> Option<(Self, Vec<Value>)> {
        let column = Self { column: column.clone(), has_zone: has_zone(variant(values.clone().next()?)?)? };
        let text = |value| match is_null(value) {
            true => Value::String(None),
            false => Moment::of(value).map_or_else(String::new, |moment| moment.text()).into(),
        };
        Some((column, values.map(text).collect()))
    }

    /// An SQL expression in which each `{}` is the column.
    fn sql(&self, text: &str) -> Expr {
        let columns = iter::repeat_n(self.column.clone(), text.matches("{}").count());
        Expr::cust_with_exprs(text.replace("{}", "?"), columns)
    }

    /// The seconds of the moments since 1970. SQLite itself reads offsets of up to 14 hours only.
    fn seconds(&self) -> String {
        let local = format!("CAST(strftime('%s', substr({{}}, 1, min(19, {}))) AS INTEGER)", end());
        if !self.has_zone {
            return local;
        }
        let offset = |length: usize| {
            format!(
                "(CAST(substr({{}}, -{length}, 3) AS INTEGER) * 60 + CAST(substr({{}}, -{length}, 1) || substr({{}}, -2) AS \
                 INTEGER)) * 60"
            )
        };
        let (long, short) = (offset(LONG), offset(SHORT));
        format!(
            "({local} - CASE WHEN {} THEN {long} WHEN {} THEN {short} ELSE 0 END)",
            has_offset(LONG),
            has_offset(SHORT)
        )
    }

    /// The moments in the form in which they are compared for equality. Any other text keeps its own form.
    pub(crate) fn text(&self) -> Expr {
        self.sql(&format!("(ifnull({}, {{}}) || {})", self.seconds(), fraction()))
    }

    /// The condition that a text begins with a day that one of several moments may have. `first` and `last` are the
    /// seconds of the earliest and the latest one, which their fractions may follow.
    pub(crate) fn is_between(&self, first: &Expr, last: &Expr) -> Expr {
        self.column.clone().gte(self.first_day(first)).and(self.column.clone().lt(self.later_day(last)))
    }

    /// The condition that a moment is stored as a text.
    fn is_text(&self) -> Expr {
        self.column.clone().gte("")
    }

    /// The first day with which a text of a moment can begin.
    fn first_day(&self, seconds: &Expr) -> Expr {
        let back = if self.has_zone { ", '-1 day'" } else { "" };
        Expr::cust_with_expr(format!("date(CAST(? AS INTEGER), 'unixepoch'{back})"), seconds.clone())
    }

    /// The first day after those with which a text of a moment can begin. After the year 9999 come the letters.
    fn later_day(&self, seconds: &Expr) -> Expr {
        let days = if self.has_zone { 2 } else { 1 };
        let day = format!("ifnull(date(CAST(? AS INTEGER), 'unixepoch', '+{days} day'), 'a')");
        Expr::cust_with_expr(day, seconds.clone())
    }

    fn equals(&self, moment: &Moment) -> Expr {
        let seconds = moment.seconds.into();
        self.is_between(&seconds, &seconds).and(self.text().eq(moment.text()))
    }

    /// The condition that a column has one of these moments.
    fn is_in(&self, moments: &[Moment]) -> Option<Expr> {
        let (first, last) = (moments.iter().min()?, moments.iter().max()?);
        let near = self.is_between(&first.seconds.into(), &last.seconds.into());
        Some(near.and(self.text().is_in(moments.iter().map(Moment::text))))
    }

    /// The moments that are later, or earlier, than this one, as the operator says.
    fn compares(&self, operator: BinOper, moment: &Moment) -> Expr {
        self.compares_with(operator, Expr::val(moment.seconds), moment.fraction.clone().into())
    }

    /// The same for a moment whose seconds and fraction the database computes.
    fn compares_with(&self, operator: BinOper, seconds: Expr, fraction_of_second: Expr) -> Expr {
        let own = self.sql(&format!("({}, {})", self.seconds(), fraction()));
        let is_beyond = own.binary(operator, Expr::tuple([seconds.clone(), fraction_of_second]));
        let column = || self.column.clone();
        match operator {
            BinOper::GreaterThan | BinOper::GreaterThanOrEqual => {
                column().gte(self.first_day(&seconds)).and(column().gte(self.later_day(&seconds)).or(is_beyond))
            }
            _ => {
                let is_near = self.is_text().and(column().lt(self.later_day(&seconds)));
                is_near.and(column().lt(self.first_day(&seconds)).or(is_beyond))
            }
        }
    }

    /// A comparison with these values, which are one, those of a list, or both bounds of a range. `None` if they are
    /// not moments, or if what they are compared with is a value itself.
    fn comparison(column: &Expr, operator: BinOper, values: &Expr) -> Option<Expr> {
        if bound_value(column).is_some() {
            return None;
        }
        let of = |value| Some(Self { column: column.clone(), has_zone: has_zone(variant(value)?)? });
        match (operator, values) {
            (BinOper::In | BinOper::NotIn, Expr::Tuple(values)) => {
                let values: Vec<&Value> = values.iter().map(bound_value).collect::<Option<_>>()?;
                let column = of(values.first()?)?;
                let moments: Vec<Moment> = values.iter().filter_map(|value| Moment::of(value)).collect();
                // A moment that no text has is compared as the text that sqlx writes, and NULL as NULL.
                let others = values.iter().filter(|value| Moment::of(value).is_none());
                let others: Vec<Expr> = others.map(|value| Expr::Value((*value).clone())).collect();
                let in_others = (!others.is_empty()).then(|| column.column.clone().is_in(others));
                let is_in = column.is_in(&moments).into_iter().chain(in_others).reduce(Expr::or)?;
                Some(if operator == BinOper::In { is_in } else { column.is_text().and(is_in.not()) })
            }
            (BinOper::Between | BinOper::NotBetween, Expr::Binary(low, BinOper::And, high)) => {
                let (low, high) = (bound_value(low)?, bound_value(high)?);
                let column = of(low)?;
                let from = column.compares(BinOper::GreaterThanOrEqual, &Moment::bound(low)?);
                let is_between = from.and(column.compares(BinOper::SmallerThanOrEqual, &Moment::bound(high)?));
                Some(if operator == BinOper::Between { is_between } else { column.is_text().and(is_between.not()) })
            }
            (operator, other) => {
                let other = bound_value(alone(other))?;
                let column = of(other)?;
                match operator {
                    BinOper::Equal => Some(column.equals(&Moment::of(other)?)),
                    BinOper::NotEqual => Some(column.is_text().and(column.equals(&Moment::of(other)?).not())),
                    BinOper::GreaterThan
                    | BinOper::GreaterThanOrEqual
                    | BinOper::SmallerThan
                    | BinOper::SmallerThanOrEqual => Some(column.compares(operator, &Moment::bound(other)?)),
                    _ => None,
                }
            }
        }
    }
}

/// The text by which rows with the same moment are grouped; `None` if the column's type is not one of moments.
pub(crate) fn moment_of(column: &Expr, variant: Variant) -> Option<Expr> {
    Some(MomentColumn { column: column.clone(), has_zone: has_zone(variant)? }.text())
}

/// Finds the texts that sort on one side of a value although their moments are on the other. It only looks at the texts of
/// the days around the value, for which an index is used: all others sort as their moments do. `None` if the value is not
/// a moment.
pub(crate) fn sorts_apart(column: &Expr, value: &Value) -> Option<Expr> {
    let moments = MomentColumn { column: column.clone(), has_zone: has_zone(variant(value)?)? };
    let (seconds, _) = since_1970(value)?;
    // sqlx writes a minus before such a year, which sorts before all digits.
    if seconds < *YEARS.start() {
        return Some(Expr::cust("FALSE"));
    }
    let Moment { seconds, fraction: digits } = Moment::bound(value)?;
    let seconds = Expr::val(seconds);
    let given = || Expr::tuple([seconds.clone(), digits.clone().into()]);
    let own = || moments.sql(&format!("({}, {})", moments.seconds(), fraction()));
    let differs = |of_texts: Expr, of_moments: Expr| of_texts.binary(BinOper::IsNot, of_moments);
    let text = || Expr::val(value.clone());
    let sides = differs(column.clone().gt(text()), own().binary(BinOper::GreaterThan, given()));
    let same = differs(column.clone().eq(text()), own().binary(BinOper::Equal, given()));
    Some(moments.is_between(&seconds, &seconds).and(sides.or(same)))
}

/// Whether a value is a moment after the year 9999. sqlx writes a plus before such a year, so the text sorts before those
/// of all earlier moments.
pub(crate) fn is_after_last_year(value: &Value) -> bool {
    since_1970(value).is_some_and(|(seconds, _)| seconds > *YEARS.end())
}

fn bound_value(expr: &Expr) -> Option<&Value> {
    match expr {
        Expr::Value(value) => Some(value),
        _ => None,
    }
}

/// The lengths of `+02:00` and `+0200`.
const LONG: usize = 6;
const SHORT: usize = 5;

/// Whether a text ends in an offset of this length.
fn has_offset(length: usize) -> String {
    format!("substr({{}}, -{length}, 1) IN ('+', '-')")
}

/// The length of a text without its time zone, and without spaces before that.
fn end() -> String {
    let (long, short) = (has_offset(LONG), has_offset(SHORT));
    format!(
        "length(rtrim(substr({{}}, 1, length({{}}) - CASE WHEN substr({{}}, -1) IN ('Z', 'z') THEN 1 WHEN {long} THEN {LONG} \
         WHEN {short} THEN {SHORT} ELSE 0 END)))"
    )
}

/// The digits of a text after the decimal point, with the point; nothing if they are zeros. Like chrono, it reads nine.
fn fraction() -> String {
    format!("rtrim(rtrim(substr({{}}, 20, min(10, max(0, {} - 19))), '0'), '.')", end())
}

/// The condition that the moments in a column are earlier than one that SQLite computes, as a text with a fraction.
pub(crate) fn is_before(column: &Expr, has_zone: bool, moment: &Expr) -> Expr {
    let seconds = Expr::cust_with_expr("CAST(strftime('%s', ?) AS INTEGER)", moment.clone());
    let fraction = Expr::cust_with_expr("rtrim(rtrim(substr(?, 20), '0'), '.')", moment.clone());
    MomentColumn { column: column.clone(), has_zone }.compares_with(BinOper::SmallerThan, seconds, fraction)
}

/// Compares each moment beside a column, or beside an expression over columns, with the moments that their texts mean.
/// sea-query shows neither the conditions inside a CASE nor those of a subquery.
pub(crate) fn compare_moments(condition: &mut Expr) {
    let converted = match condition {
        Expr::Tuple(exprs) => return exprs.iter_mut().for_each(compare_moments),
        Expr::Unary(_, expr) => return compare_moments(expr),
        Expr::Binary(left, operator, right) => {
            let (one, other) = (alone(left), alone(right));
            let mirrored = || MomentColumn::comparison(other, mirrored(*operator)?, one);
            let converted = MomentColumn::comparison(one, *operator, right).or_else(mirrored);
            if converted.is_none() {
                return [left, right].into_iter().for_each(|expr| compare_moments(expr));
            }
            converted
        }
        _ => None,
    };
    if let Some(converted) = converted {
        // In parentheses, like the caller's own condition.
        *condition = Expr::tuple([converted]);
    }
}

/// The operator with which both sides change places.
fn mirrored(operator: BinOper) -> Option<BinOper> {
    match operator {
        BinOper::Equal | BinOper::NotEqual => Some(operator),
        BinOper::GreaterThan => Some(BinOper::SmallerThan),
        BinOper::GreaterThanOrEqual => Some(BinOper::SmallerThanOrEqual),
        BinOper::SmallerThan => Some(BinOper::GreaterThan),
        BinOper::SmallerThanOrEqual => Some(BinOper::GreaterThanOrEqual),
        _ => None,
    }
}

/// Seconds since 1970 and nanoseconds, of a date and time of chrono's or time's.
fn since_1970(value: &Value) -> Option<(i64, u32)> {
    match value {
        #[cfg(feature = "chrono")]
        Value::ChronoDateTime(Some(moment)) => {
            let moment = moment.and_utc();
            Some((moment.timestamp(), moment.timestamp_subsec_nanos()))
        }
        #[cfg(feature = "chrono")]
        Value::ChronoDateTimeUtc(Some(moment)) => Some((moment.timestamp(), moment.timestamp_subsec_nanos())),
        #[cfg(feature = "chrono")]
        Value::ChronoDateTimeLocal(Some(moment)) => Some((moment.timestamp(), moment.timestamp_subsec_nanos())),
        #[cfg(feature = "chrono")]
        Value::ChronoDateTimeWithTimeZone(Some(moment)) => Some((moment.timestamp(), moment.timestamp_subsec_nanos())),
        #[cfg(feature = "time")]
        Value::TimeDateTime(Some(moment)) => {
            let moment = moment.assume_utc();
            Some((moment.unix_timestamp(), moment.nanosecond()))
        }
        #[cfg(feature = "time")]
        Value::TimeDateTimeWithTimeZone(Some(moment)) => Some((moment.unix_timestamp(), moment.nanosecond())),
        _ => None,
    }
}

/// The seconds of a moment in the form in which groups have it; `None` for NULL.
pub(crate) fn seconds_of_moment(text: &Value) -> Option<i64> {
    match text {
        Value::String(Some(text)) => text.split('.').next()?.parse().ok(),
        _ => None,
    }
}

/// Whether the type of a date and time has a time zone; `None` for any other type.
fn has_zone(variant: Variant) -> Option<bool> {
    match variant {
        Variant::ChronoDateTime | Variant::TimeDateTime => Some(false),
        Variant::ChronoDateTimeUtc
        | Variant::ChronoDateTimeLocal
        | Variant::ChronoDateTimeWithTimeZone
        | Variant::TimeDateTimeWithTimeZone => Some(true),
        _ => None,
    }
}
