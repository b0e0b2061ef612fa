//! Dates and times as ISO 8601 and RFC 3339 write them.
//!
//! A text has to be complete: a date is not a date and time, and a moment has an offset. Only the seconds can be left
//! out, as HTML's inputs do. The crates `chrono` and `time` read more forms than these, and not the same ones.

/// Year, month and day, which may not exist.
pub(super) type Day = (i32, u32, u32);

/// Hour, minute, second and microsecond, which may not exist.
pub(super) type TimeOfDay = (u32, u32, u32, u32);

/// The parts of `2026-05-14`.
pub(super) fn day(text: &str) -> Option<Day> {
    let mut parts = text.split('-');
    let day = (parts.next()?, parts.next()?, parts.next()?);
    let (year, month, day) = (number(day.0, 4)?, number(day.1, 2)?, number(day.2, 2)?);
    parts.next().is_none().then_some((i32::try_from(year).ok()?, month, day))
}

/// The parts of `18:30`, `18:30:00` or `18:30:00.123456`. PostgreSQL and MySQL store no more digits: a value with more
/// would be cut off there, and compare as another one.
pub(super) fn time_of_day(text: &str) -> Option<TimeOfDay> {
    let (hour, rest) = text.split_once(':')?;
    let (minute, rest) = rest.split_once(':').map_or((rest, None), |(minute, rest)| (minute, Some(rest)));
    let (second, fraction) = rest.map_or(("00", None), |rest| {
        rest.split_once('.').map_or((rest, None), |(second, fraction)| (second, Some(fraction)))
    });
    let microsecond = match fraction {
        Some("") => return None,
        fraction => number(&format!("{:0<6}", fraction.unwrap_or_default()), 6)?,
    };
    Some((number(hour, 2)?, number(minute, 2)?, number(second, 2)?, microsecond))
}

/// The parts of `2026-05-14T18:30:00`.
pub(super) fn day_and_time(text: &str) -> Option<(Day, TimeOfDay)> {
    let (date, time) = text.split_once('T')?;
    Some((day(date)?, time_of_day(time)?))
}

/// The parts of `2026-05-14T18:30:00Z` or `2026-05-14T18:30:00+02:00`, the last one being the offset in seconds.
pub(super) fn moment(text: &str) -> Option<(Day, TimeOfDay, i32)> {
    let (date, time) = text.split_once('T')?;
    let (time, offset) = match time.strip_suffix('Z') {
        Some(time) => (time, 0),
        None => {
            let at = time.find(['+', '-'])?;
            let (time, offset) = time.split_at_checked(at)?;
            let (hours, minutes) = offset.get(1..)?.split_once(':')?;
            let (hours, minutes) = (number(hours, 2)?, number(minutes, 2)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let seconds = i32::try_from(hours.checked_mul(60)?.checked_add(minutes)?.checked_mul(60)?).ok()?;
            (time, if offset.starts_with('-') { seconds.checked_neg()? } else { seconds })
        }
    };
    Some((day(date)?, time_of_day(time)?, offset))
}

/// The number in a text of this many ASCII digits.
fn number(text: &str, digits: usize) -> Option<u32> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_moment_are_read() {
        assert_eq!(day("2026-05-14"), Some((2026, 5, 14)));
        assert_eq!(time_of_day("18:30"), Some((18, 30, 0, 0)));
        assert_eq!(time_of_day("18:30:05.1"), Some((18, 30, 5, 100_000)));
        assert_eq!(time_of_day("18:30:05.123456"), Some((18, 30, 5, 123_456)));
        assert_eq!(day_and_time("2026-05-14T18:30"), Some(((2026, 5, 14), (18, 30, 0, 0))));
        for (text, offset) in [("Z", 0), ("+02:00", 7_200), ("-09:30", -34_200), ("+00:00", 0), ("-23:59", -86_340)] {
            let parts = moment(&format!("2026-05-14T18:30:00{text}"));
            assert_eq!(parts, Some(((2026, 5, 14), (18, 30, 0, 0), offset)), "{text}");
        }
    }

    #[test]
    fn no_other_form_is_a_moment() {
        for text in
            ["", "2026", "2026-05", "26-05-14", "2026-5-14", "2026-05-14-", "+2026-05-14", "12026-05-14", " 2026-05-14"]
        {
            assert_eq!(day(text), None, "{text}");
        }
        for text in [
            "",
            "18",
            "18:",
            "1:30",
            "18:3",
            "18:30:",
            "18:30:5",
            "18:30:05.",
            "18:30:05.1234567",
            "18:30:05.123456000",
            "18:30.5",
            "1８:30",
        ] {
            assert_eq!(time_of_day(text), None, "{text}");
        }
        for text in
            ["2026-05-14", "2026-05-14 18:30", "2026-05-14t18:30", "2026-05-14T18:30Z", "2026-05-14T18:30+02:00"]
        {
            assert_eq!(day_and_time(text), None, "{text}");
        }
        for text in [
            "",
            "z",
            " Z",
            "+2:00",
            "+0200",
            "+02",
            "+24:00",
            "+02:60",
            " 02:00",
            "+02:00:00",
            "+",
            "Z+02:00",
            "+é",
            "UTC",
        ] {
            assert_eq!(moment(&format!("2026-05-14T18:30:00{text}")), None, "{text}");
        }
    }
}
