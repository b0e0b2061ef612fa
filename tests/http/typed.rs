//! The types of pages and errors in utoipa, schemars and ts-rs, compared with their JSON.

use std::collections::{BTreeMap, BTreeSet};

use folio::{
    Around, CursorPaginator, ErrorBody, FrameworkError, LengthAwarePaginator, PageLink, Paginator, PerPage, Total,
};
use jsonschema::Validator;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{Value, json};
use ts_rs::{Config, TS};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{OpenApi, ToSchema};

#[derive(Debug, Clone, Serialize, ToSchema, JsonSchema, TS)]
struct Post {
    id: i32,
    author: Author,
}

#[derive(Debug, Clone, Serialize, ToSchema, JsonSchema, TS)]
struct Author {
    name: String,
}

fn post() -> Post {
    Post { id: 1, author: Author { name: "Ada".to_owned() } }
}

/// The keys of an object, each with whether it is always there.
type Keys = BTreeMap<String, bool>;

/// The keys that some JSON has, of the objects that have a key at all.
fn keys_of_json(samples: &[Value]) -> Keys {
    let names = samples.iter().flat_map(|sample| sample.as_object().unwrap().keys().cloned());
    names.map(|name| (name.clone(), samples.iter().all(|sample| sample.get(&name).is_some()))).collect()
}

fn keys_of_schema(schema: &Value) -> Keys {
    let required = schema["required"].as_array().unwrap();
    let names = schema["properties"].as_object().unwrap().keys();
    names.map(|name| (name.clone(), required.contains(&json!(name)))).collect()
}

/// The keys of a TypeScript type, with their types.
fn keys_of_type(text: &str) -> BTreeMap<(String, bool), String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
    let keys = lines.filter_map(|line| line.trim_end_matches(" }").strip_suffix(',')?.split_once(": "));
    keys.map(|(key, of)| ((key.trim_end_matches('?').to_owned(), !key.ends_with('?')), of.to_owned())).collect()
}

/// Whether a value is what TypeScript says.
fn is_of_type(value: &Value, of: &str) -> bool {
    of.split(" | ").any(|of| match of {
        "null" => value.is_null(),
        "number" => value.is_u64(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        _ => of.starts_with("Array<") && value.is_array(),
    })
}

fn errors(validator: &Validator, sample: &Value) -> Vec<String> {
    validator.iter_errors(sample).map(|error| format!("{error} at {}", error.instance_path())).collect()
}

/// The schema of a type, and those that it refers to, as utoipa's macros put them into a document.
fn utoipa_schema<P: ToSchema>() -> Value {
    let mut schemas: Vec<(String, RefOr<Schema>)> = Vec::new();
    P::schemas(&mut schemas);
    let mut schema = serde_json::to_value(P::schema()).unwrap();
    schema["components"] = json!({ "schemas": BTreeMap::from_iter(schemas) });
    schema
}

/// Asserts that all libraries describe a type as its JSON is: the samples together have all keys, and only those keys
/// are always there that each sample has.
fn assert_described<P: Serialize + ToSchema + JsonSchema + TS>(samples: &[P]) {
    let samples: Vec<_> = samples.iter().map(|sample| serde_json::to_value(sample).unwrap()).collect();
    let expected = keys_of_json(&samples);

    let settings = SchemaSettings::draft2020_12;
    let schemars = |settings: SchemaSettings| settings.into_generator().into_root_schema_for::<P>().to_value();
    let schemas = [utoipa_schema::<P>(), schemars(settings().for_serialize()), schemars(settings().for_deserialize())];
    for schema in schemas {
        assert_eq!(keys_of_schema(&schema), expected);
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        for sample in &samples {
            assert_eq!(errors(&validator, sample), [""; 0], "{sample}");
        }
        // No key has a null that a sample does not have.
        for (key, value) in schema["properties"].as_object().unwrap() {
            let is_nullable = value["type"].as_array().is_some_and(|types| types.contains(&json!("null")));
            assert_eq!(is_nullable, samples.iter().any(|sample| sample.get(key) == Some(&Value::Null)), "{key}");
        }
    }

    let types = keys_of_type(&P::inline(&Config::new()));
    assert_eq!(types.keys().cloned().collect::<Keys>(), expected);
    for ((key, _), of) in &types {
        let values: Vec<_> = samples.iter().filter_map(|sample| sample.get(key)).collect();
        assert!(values.iter().all(|value| is_of_type(value, of)), "{key}: {of}");
        assert_eq!(of.ends_with("| null"), values.iter().any(|value| value.is_null()), "{key}: {of}");
    }
}

#[test]
fn the_types_are_those_of_the_json() {
    let empty = LengthAwarePaginator::<Post>::new(vec![], 0, 15, 1);
    let page = LengthAwarePaginator::new(vec![post()], 3, 1, 2);
    let links = LengthAwarePaginator::new(vec![1], 500, 10, 1).links();
    assert_described(&[empty, page.clone(), page.with_path("/posts")]);

    let page = Paginator::new(vec![post()], 2, 1, true);
    assert_described(&[Paginator::new(vec![], 1, 1, false), page.clone(), page.with_path("/posts")]);

    let end = CursorPaginator::<Post>::new(vec![], 1, None, None);
    let mut page = CursorPaginator::new(vec![post()], 1, Some("bmV4dA".into()), Some("cHJldg".into()));
    page.total = Some(Total::Exact(3));
    page.row_cursors = Some(vec!["cm93".into()]);
    (page.start_cursor, page.end_cursor) = (Some("c3RhcnQ".into()), Some("ZW5k".into()));
    let page = page.with_path("/posts");
    assert_described(&[end.clone(), page.clone()]);
    assert_described(&[Around { page: end, index: None }, Around { page, index: Some(0) }]);

    let gap = links.iter().position(|link| link.label == "...").unwrap();
    let links: Vec<PageLink> = [0, 1, gap].map(|index| links[index].clone()).into();
    assert_described(&links);

    let refused = FrameworkError::Domain { message: "this list is closed".into(), status_code: 410 };
    let whole = ErrorBody {
        message: "the sort is unknown".into(),
        parameter: Some("sort".into()),
        allowed: vec!["id".into(), "name".into()],
    };
    assert_described(&[ErrorBody::from(&refused), whole]);
}

#[test]
fn rows_are_references() {
    let row = |schema: Value| schema["properties"]["data"]["items"].clone();
    let post = json!({ "$ref": "#/components/schemas/Post" });
    assert_eq!(row(utoipa_schema::<LengthAwarePaginator<Post>>()), post);
    assert_eq!(row(utoipa_schema::<Paginator<Post>>()), post);
    assert_eq!(row(utoipa_schema::<CursorPaginator<Post>>()), post);
    assert_eq!(row(utoipa_schema::<Around<Post>>()), post);
    let schema = utoipa_schema::<CursorPaginator<Post>>();
    let components: BTreeSet<_> = schema["components"]["schemas"].as_object().unwrap().keys().collect();
    assert_eq!(Vec::from_iter(components), ["Author", "Post"]);

    let schema = schemars::schema_for!(CursorPaginator<Post>).to_value();
    assert_eq!(
        (row(schema.clone()), &schema["title"]),
        (json!({ "$ref": "#/$defs/Post" }), &"CursorPaginator_Post".into())
    );
}

/// A type that is named like another one in the document.
mod archive {
    #[derive(utoipa::ToSchema)]
    #[schema(as = archive::Post)]
    pub(super) struct Post {
        #[expect(dead_code, reason = "only its schema is used")]
        year: i32,
    }
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
enum State {
    Open,
    Closed,
}

#[derive(ToSchema)]
struct Ranked<T> {
    #[expect(dead_code, reason = "only its schema is used")]
    row: T,
}

/// The document of a service whose handlers return these pages.
fn document() -> Value {
    #[utoipa::path(get, path = "/old", responses((status = 200, body = Paginator<archive::Post>)))]
    async fn _old() {}
    #[utoipa::path(get, path = "/states", responses((status = 200, body = Paginator<State>)))]
    async fn _states() {}
    #[utoipa::path(get, path = "/numbers", responses((status = 200, body = CursorPaginator<i64>)))]
    async fn _numbers() {}
    #[utoipa::path(get, path = "/texts", responses((status = 200, body = CursorPaginator<String>)))]
    async fn _texts() {}
    #[utoipa::path(get, path = "/ranked", responses((status = 200, body = Paginator<Ranked<Post>>)))]
    async fn _ranked() {}
    #[utoipa::path(get, path = "/posts", responses((status = 200, body = Paginator<Post>)))]
    async fn _posts() {}
    #[derive(OpenApi)]
    #[openapi(paths(_old, _states, _numbers, _texts, _ranked, _posts))]
    struct Document;
    serde_json::to_value(Document::openapi()).unwrap()
}

#[test]
fn rows_of_every_kind_have_a_schema() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let row = |route: &str| {
        let response = &document["paths"][route]["get"]["responses"]["200"]["content"];
        let content = response.as_object().unwrap().values().next().unwrap();
        let page = content["schema"]["$ref"].as_str().unwrap().strip_prefix("#/components/schemas/").unwrap();
        (page, &schemas[page]["properties"]["data"]["items"])
    };
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    assert_eq!(row("/posts"), ("Paginator_Post", &reference("Post")));
    assert_eq!(row("/old"), ("Paginator_archive.Post", &reference("archive.Post")));
    assert_eq!(row("/states"), ("Paginator_State", &reference("State")));
    assert_eq!(row("/numbers"), ("CursorPaginator_i64", &json!({ "type": "integer", "format": "int64" })));
    assert_eq!(row("/texts"), ("CursorPaginator_String", &json!({ "type": "string" })));
    // Only utoipa's macros know what the component of a generic struct is called, so the row stays inside the page.
    let (ranked, schema) = row("/ranked");
    assert_eq!((ranked, &schema["type"]), ("Paginator_Ranked_Post", &json!("object")));
    for name in ["Post", "Author", "archive.Post", "State"] {
        assert!(schemas[name].is_object(), "{name}");
    }
}

#[test]
fn typescript_types_are_exported_with_what_they_refer_to() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config::new().with_out_dir(folder.path());
    LengthAwarePaginator::<Post>::export_all(&config).unwrap();
    CursorPaginator::<Post>::export_all(&config).unwrap();
    let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let numbered = file("LengthAwarePaginator.ts");
    assert!(numbered.contains("import type { PageLink } from \"./PageLink\";"), "{numbered}");
    assert!(numbered.contains("export type LengthAwarePaginator<T> = { "), "{numbered}");
    assert!(numbered.contains("\ndata: Array<T>,"), "{numbered}");
    assert!(file("CursorPaginator.ts").contains("\nnext_cursor: string | null,"));
    assert!(file("PageLink.ts").contains("\npage?: number | null,"));
    assert!(file("Post.ts").contains("author: Author"));
    assert!(file("Author.ts").contains("name: string"));

    #[derive(TS)]
    #[expect(dead_code, reason = "only its type is used")]
    struct Props {
        posts: CursorPaginator<Post>,
    }
    Props::export_all(&config).unwrap();
    let props = file("Props.ts");
    assert!(props.contains("posts: CursorPaginator<Post>"), "{props}");
    assert!(props.contains("from \"./CursorPaginator\"") && props.contains("from \"./Post\""), "{props}");
}

#[test]
fn the_page_size_has_its_numbers() {
    let parameter = |per_page| serde_json::to_value(folio::openapi::per_page_parameter(per_page)).unwrap();
    let size = parameter(PerPage::new(15, 100).with_key("page[size]"));
    assert_eq!((&size["name"], &size["in"], &size["required"]), (&json!("page[size]"), &json!("query"), &json!(false)));
    let schema = json!({ "type": "integer", "format": "int64", "default": 15, "minimum": 1, "maximum": 100 });
    assert_eq!(size["schema"], schema);
    // The default that a client gets is not above the maximum.
    assert_eq!(parameter(PerPage::new(500, 100))["schema"]["default"], 100);
}
