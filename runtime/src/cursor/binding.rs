//! What a cursor is authenticated with.
//!
//! The binding of the model `posts`, ordered by `score DESC NULLS LAST, id DESC`, consists of the words
//!
//! ```text
//! posts  score Int desc "nulls last"  id BigInt desc "not null"
//! ```
//!
//! followed, if they are set, by a word for [`cursor_scope`](crate::Builder::cursor_scope) and one for the filters of
//! [`bind_filters`](crate::Builder::bind_filters). Each word is preceded by its length, so different lists have
//! different encodings. The words are part of the cursor format: changing them invalidates the cursors that clients
//! hold.

use super::Origin;
use crate::crypt::{CryptPurpose, Keyring, Salt, Version, push_part};
use crate::error::Result;
use crate::schema::table::{Direction, KeyColumn, Nulls, Table};
use crate::schema::term::Term;

/// What a cursor is bound to: a table or a name, and the cursor key.
///
/// It is the associated data of the encryption. It is not part of the token, so it takes no space there, and a cursor
/// that is opened with another binding fails authentication. For each key column it contains the name, the variant, the
/// direction and the NULL position, so changing any of them in a model invalidates old cursors.
#[derive(Debug, Clone)]
pub(crate) struct CursorBinding {
    /// The words, each after its length: see [`push_part`].
    words: Vec<u8>,
    /// The model's table, if the list is a model's.
    model: Option<&'static Table>,
}

impl CursorBinding {
    /// The binding for single values, which do not belong to a list.
    pub(crate) const NONE: Self = Self { words: Vec::new(), model: None };

    /// The binding of a model's list.
    pub(crate) fn of_model(table: &'static Table, terms: &[Term]) -> Self {
        let list: Vec<&str> = table.schema.into_iter().chain([table.name]).collect();
        Self { model: Some(table), ..Self::new(&list, Some(table), terms) }
    }

    /// The model's table, if the list is a model's.
    pub(crate) fn model(&self) -> Option<&'static Table> {
        self.model
    }

    /// Whether cursors of one binding open with the other.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.words == other.words
    }

    /// The same binding with one more word. `what` distinguishes words of different kinds.
    pub(crate) fn bound_to(mut self, what: &str, word: &[u8]) -> Self {
        push_part(&mut self.words, &[what.as_bytes(), b"\0", word]);
        self
    }

    /// The words of cursors that were encoded from a key: one word more than the list's own.
    fn by_hand(&self) -> Vec<u8> {
        let mut words = self.words.clone();
        push_part(&mut words, &[b"by hand"]);
        words
    }

    /// Seals a payload for this list.
    pub(super) fn seal(
        &self,
        keyring: &Keyring,
        salt: Salt,
        by_hand: bool,
        (version, payload): (Version, &[u8]),
    ) -> Result<String> {
        let seal = |words: &[u8]| keyring.seal_in(version, salt, CryptPurpose::Cursor, words, payload);
        if by_hand { seal(&self.by_hand()) } else { seal(&self.words) }
    }

    /// Opens a payload of this list, and returns its origin. Only models have cursors that are made from a key.
    pub(super) fn open(&self, keyring: &Keyring, token: &str) -> Result<(Vec<u8>, Origin)> {
        let open = |words: &[u8]| keyring.open_in(CryptPurpose::Cursor, words, token);
        match open(&self.words) {
            Err(_) if self.model.is_some() => Ok((open(&self.by_hand())?, Origin::Key)),
            opened => Ok((opened?, Origin::Row)),
        }
    }

    /// The binding of a list: the words of its name, then four words for each column of its key.
    ///
    /// The number of words in `list` has to differ between kinds of lists, so that their bindings never coincide.
    pub(crate) fn new(list: &[&str], table: Option<&Table>, terms: &[Term]) -> Self {
        let mut words = Vec::with_capacity(256);
        push_words(&mut words, list);
        for term in terms {
            push_name(&mut words, table, term);
            push_words(&mut words, &sorting(term.key));
        }
        Self { words, model: None }
    }
}

/// Appends words as they are.
fn push_words(words: &mut Vec<u8>, new: &[&str]) {
    for word in new {
        push_part(words, &[word.as_bytes()]);
    }
}

/// Appends the name of a column or an expression.
fn push_name(words: &mut Vec<u8>, table: Option<&Table>, term: &Term) {
    let name = term.key.name.as_bytes();
    if term.expression().is_some() {
        push_part(words, &[b"expression\0", name]);
    } else if let Some(qualifier) = foreign_qualifier(table, term) {
        push_part(words, &[qualifier.as_bytes(), b"\0", name]);
    } else {
        push_part(words, &[name]);
    }
}

/// The qualifier of a column of another table. It is part of the name, because both tables may have a column of that
/// name.
fn foreign_qualifier(table: Option<&Table>, term: &Term) -> Option<&'static str> {
    term.qualifier().filter(|name| table.is_none_or(|table| table.name != *name))
}

/// The words for how a column is compared and sorted.
const fn sorting(KeyColumn { variant, direction: by, nulls: at, .. }: KeyColumn) -> [&'static str; 3] {
    [variant.as_str(), direction(by), nulls(at)]
}

/// The word for a direction.
const fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Asc => "asc",
        Direction::Desc => "desc",
    }
}

/// The word for a NULL position. A column without one is never NULL.
const fn nulls(nulls: Option<Nulls>) -> &'static str {
    match nulls {
        None => "not null",
        Some(Nulls::First) => "nulls first",
        Some(Nulls::Last) => "nulls last",
    }
}
