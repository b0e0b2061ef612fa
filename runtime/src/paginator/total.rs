//! How many rows a list has, and how exactly that is known.

use serde::{Serialize, Serializer};

/// How many rows the list of a cursor page has, if [`counted`](crate::Builder::counted) asks for it.
///
/// In JSON it is the number alone, which is read back as [`Exact`](Self::Exact). JSON:API documents have it as `total`
/// if it is exact, else as `estimatedTotal`.
///
/// ```
/// use folio::Total;
///
/// let text = |total: Total| match total {
///     Total::Exact(rows) => format!("{rows} posts"),
///     Total::AtLeast(rows) => format!("{rows} posts or more"),
///     Total::Estimated(rows) => format!("about {rows} posts"),
///     _ => "posts".to_owned(),
/// };
/// assert_eq!(text(Total::AtLeast(10_000)), "10000 posts or more");
/// assert_eq!(serde_json::to_value(Total::Estimated(1_500)).unwrap(), 1_500);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Total {
    /// The list has this many rows.
    Exact(u64),
    /// The count ended here: the list has this many rows or more. See [`count_up_to`](crate::Builder::count_up_to).
    AtLeast(u64),
    /// The database estimates this many rows. See [`estimated_total`](crate::Builder::estimated_total).
    Estimated(u64),
}

impl Total {
    /// The number of rows, however it is known.
    ///
    /// ```
    /// assert_eq!(folio::Total::AtLeast(10_000).rows(), 10_000);
    /// ```
    #[must_use]
    pub const fn rows(self) -> u64 {
        match self {
            Self::Exact(rows) | Self::AtLeast(rows) | Self::Estimated(rows) => rows,
        }
    }

    /// Whether the number is exact.
    ///
    /// ```
    /// assert!(folio::Total::Exact(7).is_exact());
    /// ```
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }
}

impl Serialize for Total {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rows().serialize(serializer)
    }
}
