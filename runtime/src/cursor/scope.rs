//! What a cursor is authenticated with.

use crate::crypt::{CryptPurpose, Keyring, Salt, push_part};
use crate::error::Result;
use crate::model::order::Term;
use crate::model::table::{Direction, Nulls, Table};

/// What a cursor is bound to: a table or a name, and the cursor key.
///
/// The scope is the associated data of the encryption. It is not part of the token, so it costs no space, and a cursor
/// that is opened in another scope fails authentication. For each key column it contains the name, the variant, the
/// direction and the NULL position, so changing any of them in a model invalidates old cursors.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    words: Vec<u8>,
    /// The model's table, if the list is a model's.
    model: Option<&'static Table>,
}

impl Scope {
    /// The scope of single values, which belong to no list.
    pub(crate) const NONE: Self = Self { words: Vec::new(), model: None };

    /// The scope of a model's list.
    pub(crate) fn of_model(table: &'static Table, terms: &[Term]) -> Self {
        let list: Vec<&str> = table.schema.into_iter().chain([table.name]).collect();
        Self { model: Some(table), ..Self::new(&list, Some(table), terms) }
    }

    /// The model's table, if the list is a model's.
    pub(crate) fn model(&self) -> Option<&'static Table> {
        self.model
    }

    /// The scope of the same list, with one more word that its cursors are bound to. `what` keeps words of different
    /// kinds apart.
    pub(crate) fn bound_to(mut self, what: &str, word: &[u8]) -> Self {
        push_part(&mut self.words, &[what.as_bytes(), b"\0", word]);
        self
    }

    /// The scope of cursors that were encoded from a key: one word more than the list's own.
    fn by_hand(&self) -> Vec<u8> {
        let mut words = self.words.clone();
        push_part(&mut words, &[b"by hand"]);
        words
    }

    /// Seals a payload in this scope.
    pub(super) fn seal(&self, keyring: &Keyring, salt: Salt, by_hand: bool, payload: &[u8]) -> Result<String> {
        let seal = |scope: &[u8]| keyring.seal_in(salt, CryptPurpose::Cursor, scope, payload);
        if by_hand { seal(&self.by_hand()) } else { seal(&self.words) }
    }

    /// Opens a payload of this scope, and returns whether it was encoded from a key. Only models have such cursors.
    pub(super) fn open(&self, keyring: &Keyring, token: &str) -> Result<(Vec<u8>, bool)> {
        let open = |scope: &[u8]| keyring.open_in(CryptPurpose::Cursor, scope, token);
        match open(&self.words) {
            Err(_) if self.model.is_some() => Ok((open(&self.by_hand())?, true)),
            opened => Ok((opened?, false)),
        }
    }

    /// The scope of a list: the words of its name, then four words for each column of its key.
    ///
    /// The number of words in `list` has to differ between kinds of lists, so that their scopes never coincide.
    pub(crate) fn new(list: &[&str], table: Option<&Table>, terms: &[Term]) -> Self {
        let mut scope = Vec::with_capacity(256);
        for word in list {
            push_part(&mut scope, &[word.as_bytes()]);
        }
        for term in terms {
            let key = term.key;
            let direction = match key.direction {
                Direction::Asc => "asc",
                Direction::Desc => "desc",
            };
            let nulls = match key.nulls {
                None => "not null",
                Some(Nulls::First) => "nulls first",
                Some(Nulls::Last) => "nulls last",
            };
            // A column of another table is qualified, because both tables may have a column of that name.
            match term.qualifier().filter(|name| table.is_none_or(|table| table.name != *name)) {
                Some(qualifier) => push_part(&mut scope, &[qualifier.as_bytes(), b"\0", key.name.as_bytes()]),
                None => push_part(&mut scope, &[key.name.as_bytes()]),
            }
            for word in [key.variant.as_str(), direction, nulls] {
                push_part(&mut scope, &[word.as_bytes()]);
            }
        }
        Self { words: scope, model: None }
    }
}
