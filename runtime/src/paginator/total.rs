//! The number of rows in a list, and whether it is exact.

use serde::{Serialize, Serializer};

/// The number of rows in the list of a cursor page, if it was [counted](crate::Builder::counted).
///
/// It serializes to the number, which deserializes to [`Exact`](Self::Exact). In JSON:API documents, it is `total` if
/// it is exact, and `estimatedTotal` if not.
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
    /// The count stopped here: the list has this many rows or more. See [`count_up_to`](crate::Builder::count_up_to).
    AtLeast(u64),
    /// The database estimates this many rows. See [`estimated_total`](crate::Builder::estimated_total).
    Estimated(u64),
}

impl Total {
    /// The number of rows, whether it is exact or not.
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
