//! What a cursor is authenticated with.
//!
//! The binding of the model `posts`, ordered by `score DESC NULLS LAST, id DESC`, consists of the words
//!
//! ```text
//! posts  score Int desc "nulls last"  id BigInt desc "not null"
//! ```
//!
//! followed, if there are any, by a word for the values in expressions of the order, one for the tenant, one for
//! `cursor_scope`, and one for the filters of `bind_filters`. Each word is preceded by its length, so different lists
//! have different encodings. The words are part of the cursor format: changing them invalidates the cursors that clients
//! hold.

use std::borrow::Cow;

use super::Origin;
use crate::schema::table::{Direction, KeyColumn, Nulls, Table};
use crate::schema::term::Term;

/// What a cursor is bound to: a table or a name, and the cursor key.
///
/// It is the associated data of the encryption. It is not part of the token, so it takes no space there, and a cursor
/// that is opened with another binding fails authentication. For each key column it contains the name, the variant, the
/// direction and the NULL position, so changing any of them in a model invalidates old cursors.
#[derive(Debug, Clone)]
pub struct CursorBinding {
    /// The words, each after its length: see [`push_part`].
    words: Vec<u8>,
    /// The model whose rows are listed. Cursors of other lists cannot be made from a key.
    pub model: Option<&'static Table>,
}

impl CursorBinding {
    /// The binding for single values, which do not belong to a list.
    pub const NONE: Self = Self { words: Vec::new(), model: None };

    pub fn of_model(table: &'static Table, terms: &[Term]) -> Self {
        let list: Vec<&str> = table.schema.into_iter().chain([table.name]).collect();
        Self { model: Some(table), ..Self::new(&list, Some(table), terms) }
    }

    /// Whether cursors of one binding open with the other.
    pub fn is_same(&self, other: &Self) -> bool {
        self.words == other.words
    }

    /// The same binding with one more word. `what` distinguishes words of different kinds.
    pub(crate) fn bound_to(mut self, what: &str, word: &[u8]) -> Self {
        push_part(&mut self.words, &[what.as_bytes(), b"\0", word]);
        self
    }

    /// The words that a cursor is authenticated with. Cursors that were encoded from a key have one word more.
    pub fn words(&self, origin: Origin) -> Cow<'_, [u8]> {
        if origin != Origin::Key {
            return Cow::Borrowed(&self.words);
        }
        let mut words = self.words.clone();
        push_part(&mut words, &[b"by hand"]);
        Cow::Owned(words)
    }

    /// The binding of a list: the words of its name, then four words for each column of its key.
    ///
    /// The number of words in `list` has to differ between kinds of lists, so that their bindings never coincide.
    pub fn new(list: &[&str], table: Option<&Table>, terms: &[Term]) -> Self {
        let mut words = Vec::with_capacity(256);
        for word in list {
            push_part(&mut words, &[word.as_bytes()]);
        }
        for term in terms {
            let KeyColumn { name, variant, direction, nulls, .. } = term.key;
            // The name of another table's column includes the table, because both tables may have a column of that
            // name.
            let qualifier = term.qualifier().filter(|name| table.is_none_or(|table| table.name != *name));
            let name = name.as_bytes();
            match (term.expression(), qualifier) {
                (Some(_), _) => push_part(&mut words, &[b"expression\0", name]),
                (None, Some(qualifier)) => push_part(&mut words, &[qualifier.as_bytes(), b"\0", name]),
                (None, None) => push_part(&mut words, &[name]),
            }
            let direction = match direction {
                Direction::Asc => "asc",
                Direction::Desc => "desc",
            };
            let nulls = match nulls {
                None => "not null",
                Some(Nulls::First) => "nulls first",
                Some(Nulls::Last) => "nulls last",
            };
            for word in [variant.as_str(), direction, nulls] {
                push_part(&mut words, &[word.as_bytes()]);
            }
        }
        Self { words, model: None }
    }
}

/// Appends the length of a part and the part, which may be given in pieces. Because of the lengths, different lists of
/// parts have different encodings.
pub fn push_part(data: &mut Vec<u8>, pieces: &[&[u8]]) {
    let length = pieces.iter().map(|piece| piece.len() as u64).fold(0, u64::saturating_add);
    data.extend_from_slice(&length.to_be_bytes());
    for piece in pieces {
        data.extend_from_slice(piece);
    }
}
