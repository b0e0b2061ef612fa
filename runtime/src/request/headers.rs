//! The headers of a request, without a web framework's types.

use std::mem;

/// Headers, one behind the other in a single text: a request has a dozen, and most are never looked at.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct Headers {
    text: String,
    /// The ends in `text` of each name and of the value behind it.
    ends: Vec<(usize, usize)>,
}

impl Headers {
    /// Puts a header behind the others.
    pub(crate) fn push(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        let name = self.text.len();
        self.text.push_str(value);
        self.ends.push((name, self.text.len()));
    }

    /// The value of the first header of this name, case-insensitively.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.iter().find(|(header, _)| header.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The names in their order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(name, _)| name)
    }

    fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut start = 0;
        self.ends.iter().filter_map(move |&(name, value)| {
            let from = mem::replace(&mut start, value);
            Some((self.text.get(from..name)?, self.text.get(name..value)?))
        })
    }
}

#[cfg(feature = "axum")]
impl<'a> FromIterator<(&'a str, &'a str)> for Headers {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(headers: I) -> Self {
        // Room for what a browser sends, so that a copy is two allocations.
        let mut copy = Self { text: String::with_capacity(1024), ends: Vec::with_capacity(16) };
        headers.into_iter().for_each(|(name, value)| copy.push(name, value));
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_found_in_any_case_and_the_first_one_counts() {
        let mut headers = Headers::default();
        assert_eq!(headers.value("a"), None);
        for (name, value) in [("A", ""), ("b", "1\r\na: 2"), ("B", "3")] {
            headers.push(name, value);
        }
        for (name, value) in [("a", Some("")), ("A", Some("")), ("B", Some("1\r\na: 2")), ("", None), ("1", None)] {
            assert_eq!(headers.value(name), value, "{name}");
        }
        assert_eq!(headers.names().collect::<Vec<_>>(), ["A", "b", "B"]);
    }
}
