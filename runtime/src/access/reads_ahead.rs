//! Whether MySQL reads more rows than a page has.

/// For which pages MySQL reads rows ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadsAhead {
    /// For none, because it expects few rows. MariaDB never does.
    Never,
    /// For those at an end of the list: there, it looks up the filter's value and expects to read all rows that a value
    /// has on average, which are many. After a boundary, it reads a range and expects a few.
    AtAnEnd,
    /// For all pages, because no index is named, or because it sorts the rows of a range.
    Always,
}

impl ReadsAhead {
    /// Whether it applies to a page with or without a boundary.
    pub(crate) fn applies(self, has_boundary: bool) -> bool {
        match self {
            Self::Never => false,
            Self::AtAnEnd => !has_boundary,
            Self::Always => true,
        }
    }
}
