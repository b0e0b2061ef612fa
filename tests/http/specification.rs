//! What JSON:API 1.1 requires of a document: the schema in `data/json_api.schema.json`, and the rules that a schema
//! cannot state. Both are written from the specification.

use std::collections::HashSet;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

/// The schema.
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/json_api.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
});

/// A resource's type and id.
type Identity<'d> = (&'d str, &'d str);

/// What a document violates, without full linkage, which sparse fieldsets may break.
pub(crate) fn violations(document: &Value) -> Vec<String> {
    let described = |error: jsonschema::ValidationError<'_>| format!("{} at {}", error, error.instance_path());
    let schema = SCHEMA.iter_errors(document).map(described);
    schema.chain(repeated(document)).chain(shared_names(document)).collect()
}

/// The included resources that no identifier refers to.
pub(crate) fn unlinked(document: &Value) -> Vec<Identity<'_>> {
    let linked: HashSet<Identity<'_>> = resources(document).flat_map(linkage).collect();
    array(&document["included"]).map(identity).filter(|identity| !linked.contains(identity)).collect()
}

/// The resources of a compound document that it has twice.
fn repeated(document: &Value) -> Vec<String> {
    let mut seen = HashSet::new();
    let all = resources(document).filter(|_| document.get("included").is_some()).map(identity);
    all.filter(|identity| !seen.insert(*identity)).map(|identity| format!("{identity:?} is there twice")).collect()
}

/// The fields that are both an attribute and a relationship of a resource.
fn shared_names(document: &Value) -> Vec<String> {
    let shared = |resource: &Value| {
        let names = resource["relationships"].as_object().into_iter().flat_map(|object| object.keys());
        let shared: Vec<_> =
            names.filter(|name| resource["attributes"].get(name.as_str()).is_some()).cloned().collect();
        shared
    };
    resources(document).flat_map(shared).collect()
}

/// All resource objects.
fn resources(document: &Value) -> impl Iterator<Item = &Value> {
    array(&document["data"]).chain(array(&document["included"]))
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The identifiers in the relationships of a resource.
fn linkage(resource: &Value) -> Vec<Identity<'_>> {
    let relationships = resource["relationships"].as_object().into_iter().flat_map(|object| object.values());
    let data = relationships.map(|relationship| &relationship["data"]);
    data.flat_map(|data| array(data).chain(data.is_object().then_some(data))).map(identity).collect()
}

fn identity(resource: &Value) -> Identity<'_> {
    (resource["type"].as_str().unwrap_or_default(), resource["id"].as_str().unwrap_or_default())
}

#[test]
fn a_document_is_not_any_json() {
    let resource = json!({ "type": "articles", "id": "1", "attributes": { "a": 1 } });
    assert_eq!(violations(&json!({ "data": [resource, resource] })), [""; 0]);
    let article =
        |relationship: Value| json!({ "type": "articles", "id": "1", "relationships": { "a": relationship } });
    let one = json!({ "type": "people", "id": "7", "meta": { "m": 1 } });
    for relationship in [
        json!({ "data": null }),
        json!({ "data": [] }),
        json!({ "data": one }),
        json!({ "data": [one], "links": { "self": "/a", "related": "/b", "next": null }, "meta": {} }),
        json!({ "links": { "related": { "href": "/b" } } }),
        json!({ "meta": { "count": 1 } }),
    ] {
        assert_eq!(violations(&json!({ "data": [article(relationship)], "included": [one] })), [""; 0]);
    }
    for relationship in [
        json!({}),
        json!([]),
        json!({ "data": 1 }),
        json!({ "data": { "type": "people" } }),
        json!({ "data": [null] }),
        json!({ "data": [{ "type": "people", "id": "7", "attributes": {} }] }),
        json!({ "data": [one, one] }),
        json!({ "links": {} }),
        json!({ "links": { "next": "/a" } }),
        json!({ "links": { "self": "/a", "other": "/b" } }),
        json!({ "links": { "self": "not a URI" } }),
        json!({ "data": null, "errors": [] }),
        json!({ "meta": 1 }),
    ] {
        assert!(!violations(&json!({ "data": [article(relationship.clone())] })).is_empty(), "{relationship}");
    }
    for document in [
        json!({}),
        json!([]),
        json!({ "data": [], "errors": [] }),
        json!({ "data": [{ "type": "articles", "id": 1 }] }),
        json!({ "data": [{ "id": "1" }] }),
        json!({ "data": [{ "type": "articles", "id": "1", "attributes": { "id": 1 } }] }),
        json!({ "data": [{ "type": "articles", "id": "1", "attributes": [] }] }),
        json!({ "data": [{ "type": "articles", "id": "1", "title": "a" }] }),
        json!({ "data": [{ "type": "articles", "id": "1", "attributes": { "a.b": 1 } }] }),
        json!({ "data": [{ "type": "articles", "id": "1", "relationships": { "a": { "data": 1 } } }] }),
        json!({ "data": [], "links": { "next": 2 } }),
        json!({ "data": [], "links": { "next": "not a URI" } }),
        json!({ "data": [], "links": { "following": "/a" } }),
        json!({ "data": [], "current_page": 1 }),
        json!({ "errors": [{ "status": 400 }] }),
        json!({ "errors": [{}] }),
        json!({ "errors": [{ "message": "a" }] }),
        json!({ "meta": 7 }),
        json!({ "included": [resource] }),
        json!({ "data": [], "included": resource }),
        json!({ "data": [], "included": [{ "type": "people" }] }),
        json!({ "data": [], "included": [resource, resource] }),
        json!({ "data": [resource], "included": [resource] }),
        json!({ "data": [{
            "type": "a",
            "id": "1",
            "attributes": { "b": 1 },
            "relationships": { "b": { "data": null } },
        }] }),
    ] {
        assert!(!violations(&document).is_empty(), "{document}");
    }
}

#[test]
fn an_included_resource_is_linked() {
    let person = |id: &str| json!({ "type": "people", "id": id });
    let article = |data: Value| json!({ "type": "articles", "id": "1", "relationships": { "a": { "data": data } } });
    let document = |data: Value, included: Value| json!({ "data": [article(data)], "included": included });
    assert_eq!(unlinked(&document(json!([person("1"), person("2")]), json!([person("1"), person("2")]))), []);
    assert_eq!(unlinked(&document(person("1"), json!([person("1"), person("2")]))), [("people", "2")]);
    assert_eq!(unlinked(&document(Value::Null, json!([person("1")]))), [("people", "1")]);
}
