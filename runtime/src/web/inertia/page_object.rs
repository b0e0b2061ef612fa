//! The page object: the JSON from which the client renders a page.
//!
//! Its keys follow Inertia's protocol (<https://inertiajs.com/the-protocol>), as versions 2.3 and 3 of the client read
//! them. The client merges lists by path: it appends the rows of `mergeProps` and prepends those of `prependProps`.
//! `matchPropsOn` names the key by which a row replaces one that the client has, and `scrollProps` tells which pages to
//! request next.

use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::big_integers::BigIntegers;
use super::dotted_keys::Branch;
use super::scroll_metadata::ScrollMetadata;
use super::settings::InertiaSettings;
use super::visit::Visit;
use crate::error::{FrameworkError, Result};

/// A page before its JSON is written.
#[derive(Debug)]
pub(super) struct PageObject {
    /// The name of the component that renders the page.
    component: String,
    /// The props in the order in which they were set. Keys are unique.
    props: Vec<Prop>,
    /// The keys of the deferred props that the client has not requested yet, by group.
    deferred: Vec<(String, Vec<String>)>,
    /// The caller's other keys with their JSON.
    keys: Vec<(String, Box<RawValue>)>,
    /// Whether the client gets the exact value of large integers; `None` if the application decides.
    pub(super) preserves_big_integers: Option<bool>,
}

/// A value that the page's component receives.
#[derive(Debug)]
pub(super) struct Prop {
    pub(super) key: String,
    /// Its JSON. It is written when the prop is set, so that an error can name the prop.
    pub(super) value: Box<RawValue>,
    /// Present if the prop is a list to scroll through.
    pub(super) scroll: Option<Scroll>,
}

/// How the client scrolls through a list.
#[derive(Debug)]
pub(super) struct Scroll {
    /// The pages around the one that is sent.
    pub(super) metadata: ScrollMetadata,
    /// The path of the rows, from the prop's key.
    pub(super) path: String,
    /// The key by which the client recognizes a row that it already has.
    pub(super) match_on: Option<String>,
    /// Whether the client replaces its rows instead of adding to them.
    pub(super) reset: bool,
}

impl PageObject {
    pub(super) fn new(component: String) -> Self {
        Self { component, props: Vec::new(), deferred: Vec::new(), keys: Vec::new(), preserves_big_integers: None }
    }

    pub(super) fn has_prop(&self, key: &str) -> bool {
        self.props.iter().any(|prop| prop.key == key)
    }

    /// Adds a prop in place of one with the same key.
    pub(super) fn set_prop(&mut self, prop: Prop) {
        self.props.retain(|other| other.key != prop.key);
        self.props.push(prop);
    }

    /// Announces a prop that the client requests after the page is shown, together with the others of its group.
    pub(super) fn defer(&mut self, group: &str, key: &str) {
        match self.deferred.iter_mut().find(|(name, _)| name == group) {
            Some((_, keys)) => keys.push(key.to_owned()),
            None => self.deferred.push((group.to_owned(), vec![key.to_owned()])),
        }
    }

    /// Sets a key that is not one of [`OWN_KEYS`], in place of an earlier value.
    pub(super) fn set_key(&mut self, name: &str, value: Box<RawValue>) {
        self.keys.retain(|(other, _)| other != name);
        self.keys.push((name.to_owned(), value));
    }

    /// The JSON that answers `visit`.
    pub(super) fn to_json(&self, visit: &Visit, settings: &InertiaSettings) -> Result<String> {
        let lists = || self.props.iter().filter_map(|prop| Some((&*prop.key, prop.scroll.as_ref()?)));
        // The client adds the rows of these lists to its own.
        let merged = || lists().map(|(_, scroll)| scroll).filter(|scroll| !scroll.reset);
        let paths = merged().map(|scroll| &*scroll.path).collect();
        let (prepend_props, merge_props) = if visit.prepends { (paths, vec![]) } else { (vec![], paths) };
        let preserves = self.preserves_big_integers.unwrap_or(settings.preserves_big_integers);
        let match_path = |scroll: &Scroll| Some(format!("{}.{}", scroll.path, scroll.match_on.as_ref()?));
        let page = PageObjectJson {
            component: &self.component,
            props: BigIntegers {
                json: Branch::of(self.props.iter().map(|prop| (&*prop.key, &*prop.value)))?,
                are_marked: preserves,
            },
            url: &visit.url,
            version: settings.version.as_deref().unwrap_or_default(),
            merge_props,
            prepend_props,
            match_props_on: merged().filter_map(match_path).collect(),
            scroll_props: Entries(
                lists()
                    .map(|(key, Scroll { metadata, reset, .. })| (key, ScrollPropJson { metadata, reset: *reset }))
                    .collect(),
            ),
            deferred_props: Entries(self.deferred.iter().map(|(group, keys)| (&**group, keys)).collect()),
            preserve_big_integers: preserves,
            keys: Entries(
                self.keys
                    .iter()
                    // The client treats flash data like props.
                    .map(|(name, json)| {
                        (&**name, BigIntegers { json: &**json, are_marked: preserves && name == "flash" })
                    })
                    .collect(),
            ),
        };
        let page = serde_json::to_string(&page);
        page.map_err(|error| FrameworkError::internal(format!("a page cannot be written as JSON: {error}")))
    }
}

/// The keys of a page object in their order. Every page has the first four; the others are left out if they are empty.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct PageObjectJson<'a> {
    component: &'a str,
    props: BigIntegers<Branch<'a>>,
    url: &'a str,
    version: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    merge_props: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    prepend_props: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    match_props_on: Vec<String>,
    #[serde(skip_serializing_if = "Entries::is_empty")]
    scroll_props: Entries<'a, ScrollPropJson<'a>>,
    #[serde(skip_serializing_if = "Entries::is_empty")]
    deferred_props: Entries<'a, &'a Vec<String>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    preserve_big_integers: bool,
    #[serde(flatten)]
    keys: Entries<'a, BigIntegers<&'a RawValue>>,
}

/// The keys that folio writes. The caller cannot set them.
pub(super) const OWN_KEYS: [&str; 10] = [
    "component",
    "props",
    "url",
    "version",
    "mergeProps",
    "prependProps",
    "matchPropsOn",
    "scrollProps",
    "deferredProps",
    "preserveBigIntegers",
];

/// The client's data about a list.
#[derive(serde::Serialize)]
struct ScrollPropJson<'a> {
    #[serde(flatten)]
    metadata: &'a ScrollMetadata,
    /// Whether the client replaces its rows.
    reset: bool,
}

/// An object with these entries in their order.
pub(super) struct Entries<'a, V>(pub(super) Vec<(&'a str, V)>);

impl<V> Entries<'_, V> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<V: Serialize> Serialize for Entries<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}
