//! Props whose keys have dots: `feed.users` is the entry `users` of the object `feed`, as the client reads such a path.

use std::collections::BTreeMap;

use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::visit::ERRORS;
use crate::error::{FrameworkError, Result};

/// An object of props. Its entries are in the order in which they were added, and their names are unique.
#[derive(Debug, Default)]
pub(super) struct Branch<'a>(Vec<(String, Node<'a>)>);

/// An entry of an object.
#[derive(Debug)]
enum Node<'a> {
    /// A value as it was set.
    Value(&'a RawValue),
    /// An object that has values of several props.
    Branch(Branch<'a>),
}

impl<'a> Branch<'a> {
    /// The props, by key, as one object. A prop with a longer key replaces what the value of a shorter one has at this
    /// path.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if a key leads into a value that is not an object.
    pub(super) fn of(props: impl Iterator<Item = (&'a str, &'a RawValue)>) -> Result<Self> {
        let mut sorted: Vec<_> = props.collect();
        // The sort is stable, so props without dots keep their order, and come first.
        sorted.sort_by_key(|(key, _)| key.matches('.').count());
        // Every page has errors, and they come first.
        let mut all = Self(vec![(ERRORS.to_owned(), Node::Branch(Self::default()))]);
        for (key, value) in sorted {
            all.insert(key, value)?;
        }
        Ok(all)
    }

    /// Sets the value at a path. The objects on the way are created.
    fn insert(&mut self, path: &str, value: &'a RawValue) -> Result<()> {
        let (parents, name) = path.rsplit_once('.').map_or((None, path), |(parents, name)| (Some(parents), name));
        let mut branch = self;
        for parent in parents.into_iter().flat_map(|parents| parents.split('.')) {
            branch = branch.child(parent).ok_or_else(|| {
                FrameworkError::internal(format!(
                    "the prop `{path}` cannot be set, because `{parent}` on its path is not an object: rename one of \
                     the two props"
                ))
            })?;
        }
        if let Some(node) = branch.entry(name) {
            *node = Node::Value(value);
        }
        Ok(())
    }

    /// The object under a name; `None` if another value is there. A `null` counts as nothing.
    fn child(&mut self, name: &str) -> Option<&mut Self> {
        let node = self.entry(name)?;
        if let Node::Value(value) = node {
            let entries: Option<BTreeMap<String, &'a RawValue>> = serde_json::from_str(value.get()).ok()?;
            let entries = entries.unwrap_or_default().into_iter().map(|(name, value)| (name, Node::Value(value)));
            *node = Node::Branch(Self(entries.collect()));
        }
        match node {
            Node::Branch(branch) => Some(branch),
            Node::Value(_) => None,
        }
    }

    /// The entry with a name. It is added if it is missing, so there always is one.
    fn entry(&mut self, name: &str) -> Option<&mut Node<'a>> {
        let Self(entries) = self;
        if !entries.iter().any(|(other, _)| other == name) {
            entries.push((name.to_owned(), Node::Value(RawValue::NULL)));
        }
        entries.iter_mut().find(|(other, _)| other == name).map(|(_, node)| node)
    }
}

impl Serialize for Branch<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, node)| (name, node)))
    }
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::Branch(branch) => branch.serialize(serializer),
        }
    }
}
