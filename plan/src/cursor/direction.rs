//! [`CursorDirection`]: whether a cursor leads forwards or backwards.

/// The direction in which a cursor continues: forwards or backwards.
///
/// `next_cursor` of a page is a [`Next`](Self::Next) cursor at its last row, and `prev_cursor` a [`Prev`](Self::Prev)
/// cursor at its first. Rows are always shown in the order of the cursor key, even on a page that was reached
/// backwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CursorDirection {
    /// The rows after the boundary.
    Next,
    /// The rows before the boundary.
    Prev,
}

impl CursorDirection {
    /// The direction's text in a cursor: `next` or `prev`.
    ///
    /// ```
    /// # use folio_plan as folio;
    /// use folio::CursorDirection;
    ///
    /// assert_eq!(CursorDirection::Next.as_str(), "next");
    /// assert_eq!(CursorDirection::Prev.as_str(), "prev");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Prev => "prev",
        }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn flip(self) -> Self {
        match self {
            Self::Next => Self::Prev,
            Self::Prev => Self::Next,
        }
    }

    /// Converts what is ahead in this direction and what is behind into next and previous.
    #[doc(hidden)]
    pub fn oriented<T>(self, ahead: T, back: T) -> (T, T) {
        match self {
            Self::Next => (ahead, back),
            Self::Prev => (back, ahead),
        }
    }
}
