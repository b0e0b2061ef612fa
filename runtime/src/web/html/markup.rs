//! Text and attributes, escaped.

use std::fmt::{self, Display};

/// A text that cannot leave its element, or its attribute's double quotes.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some((before, found)) = rest.find(['&', '<', '>', '"', '\'']).and_then(|at| rest.split_at_checked(at))
        {
            f.write_str(before)?;
            let mut characters = found.chars();
            f.write_str(match characters.next() {
                Some('&') => "&amp;",
                Some('<') => "&lt;",
                Some('>') => "&gt;",
                Some('"') => "&quot;",
                _ => "&#39;",
            })?;
            rest = characters.as_str();
        }
        f.write_str(rest)
    }
}

/// ` name="value"`, or nothing without a value.
pub(super) struct Attribute<'a>(pub(super) &'a str, pub(super) Option<&'a str>);

impl Display for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, Some(value)) = self else { return Ok(()) };
        write!(f, " {name}=\"{}\"", Escaped(value))
    }
}

/// The attribute `class`, or nothing without class names.
pub(super) fn class(names: &str) -> Attribute<'_> {
    Attribute("class", Some(names).filter(|names| !names.is_empty()))
}

/// Whether a name can be that of an attribute in any HTML document: letters, digits, and the marks that htmx, Alpine and
/// Vue use.
pub(super) fn is_attribute_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_:.@".contains(&byte))
}
