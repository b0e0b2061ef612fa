//! A module only uses modules below it, and never in a circle. Paths inside macro calls are not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, UseTree, VisRestricted, Visibility};

/// The modules of `folio-plan` from the bottom up, each with all of its files. Files of one folder may use each other, but
/// not in a circle.
const CORE: [&str; 18] = [
    "error",
    "cache",
    "value",
    "url",
    "schema",
    "dialect",
    "boundary",
    "order",
    "access",
    "statement",
    "predicate",
    "feed",
    "custom",
    "offset",
    "cursor",
    "keyset",
    "testing",
    "",
];

/// The modules of `folio`. They may use `folio-plan`, which cannot use them.
const RUNTIME: [&str; 32] = [
    "id_as_string",
    "error",
    "value",
    "schema",
    "once",
    "crypt",
    "cursor",
    "bind",
    "driver",
    "pool",
    "app",
    "request",
    "watch",
    "transaction",
    "source",
    "encode",
    "model",
    "paginator",
    "sql",
    "read",
    "query",
    "relay",
    "page_tokens",
    "load",
    "db",
    "sea_orm",
    "testing",
    "web",
    "derive_support",
    "guide",
    "fuzzing",
    "",
];

/// The same for the derive.
const MACROS: [&str; 11] =
    ["names", "errors", "attrs", "order", "field", "key", "model", "expand", "row_of", "column_value", ""];

/// The paths of the crate's items that a file uses.
struct Uses {
    /// The module of the file, as its segments.
    module: Vec<String>,
    paths: BTreeSet<Vec<String>>,
}

impl Uses {
    fn add(&mut self, path: Vec<String>) {
        let Some((first, rest)) = path.split_first() else { return };
        let base = match first.as_str() {
            "crate" => &[][..],
            "self" => &self.module[..],
            "super" => &self.module[..self.module.len().saturating_sub(1)],
            _ => return,
        };
        self.paths.insert([base, rest].concat());
    }

    fn tree(&mut self, before: &[String], tree: &UseTree) {
        let after = |name: String| [before, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.tree(&after(path.ident.to_string()), &path.tree),
            UseTree::Name(name) => self.add(after(name.ident.to_string())),
            UseTree::Rename(rename) => self.add(after(rename.ident.to_string())),
            UseTree::Glob(_) => self.add(before.to_vec()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(before, tree)),
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    /// A re-export is not a use.
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if matches!(item.vis, Visibility::Inherited) {
            self.tree(&[], &item.tree);
        }
    }

    /// `pub(super)` is not a use.
    fn visit_vis_restricted(&mut self, _: &'ast VisRestricted) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    /// Tests inside a file may use anything.
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.ident != "tests" && item.content.is_some() {
            visit::visit_item_mod(self, item);
        }
    }
}

/// The modules of a folder, each with the file's text.
fn read(folder: &Path, module: &[String], files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let name = match stem.as_str() {
            "lib" | "mod" => module.join("::"),
            _ => [module, &[stem]].concat().join("::"),
        };
        if path.is_dir() {
            read(&path, &name.split("::").map(str::to_owned).collect::<Vec<_>>(), files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.insert(name, std::fs::read_to_string(path).unwrap());
        }
    }
}

/// The paths of the crate's items that a module uses.
fn uses((module, text): (&String, &String)) -> BTreeSet<Vec<String>> {
    let segments = module.split("::").filter(|segment| !segment.is_empty()).map(str::to_owned).collect();
    let mut uses = Uses { module: segments, paths: BTreeSet::new() };
    uses.visit_file(&syn::parse_file(text).unwrap());
    uses.paths
}

/// Each module with the modules that it uses.
fn graph(files: &BTreeMap<String, String>) -> BTreeMap<&str, BTreeSet<&str>> {
    // The file of a path is that of its longest prefix that is a module.
    let file = |path: &Vec<String>| {
        let mut prefixes = (1..=path.len()).rev().map(|length| path[..length].join("::"));
        prefixes.find_map(|name| files.get_key_value(&name)).map(|(name, _)| name.as_str())
    };
    let edges = |(module, text)| {
        let targets = uses((module, text)).iter().filter_map(file).filter(|target| target != module).collect();
        (module.as_str(), targets)
    };
    files.iter().map(edges).collect()
}

/// The position of a module in the list: that of the longest entry that contains it.
fn layer(layers: &[&str], module: &str) -> usize {
    let is_in = |layer: &str| module == layer || module.strip_prefix(layer).is_some_and(|rest| rest.starts_with("::"));
    let found = (0..layers.len()).filter(|&at| is_in(layers[at])).max_by_key(|&at| layers[at].len());
    found.unwrap_or_else(|| panic!("`{module}` is in no layer: give it a place in the list"))
}

/// A path from a module back to itself.
fn circle<'a>(graph: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &'a str) -> Option<Vec<&'a str>> {
    let mut paths = vec![vec![from]];
    let mut seen = BTreeSet::new();
    while let Some(path) = paths.pop() {
        for &next in path.last().map(|last| &graph[last]).into_iter().flatten() {
            let longer = [&path[..], &[next]].concat();
            if next == from {
                return Some(longer);
            }
            if seen.insert(next) {
                paths.push(longer);
            }
        }
    }
    None
}

/// The modules of a folder of the project, without those of tests.
fn modules(sources: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(sources), &[], &mut files);
    files.retain(|module, _| !module.split("::").any(|segment| segment == "tests"));
    files
}

/// Checks the sources in a folder of the project.
fn check(sources: &str, layers: &[&str], expected: [&str; 2]) {
    let files = modules(sources);
    let graph = graph(&files);
    assert!(graph[expected[0]].contains(expected[1]), "uses are found");
    let upward = |(module, targets): (&&str, &BTreeSet<&str>)| {
        let upward = targets.iter().filter(|target| layer(layers, target) > layer(layers, module));
        upward.map(|target| format!("`{module}` uses `{target}`, which is above it")).collect::<Vec<_>>()
    };
    assert_eq!(graph.iter().flat_map(upward).collect::<Vec<_>>(), [""; 0]);
    assert_eq!(graph.keys().filter_map(|module| circle(&graph, module)).collect::<Vec<_>>(), [[""; 0]; 0]);
}

#[test]
fn every_file_of_the_core_uses_only_lower_ones() {
    check("plan/src", &CORE, ["keyset::page_order", "predicate"]);
}

#[test]
fn every_file_of_the_runtime_uses_only_lower_ones() {
    check("runtime/src", &RUNTIME, ["query::numbered", "read"]);
}

#[test]
fn every_file_of_the_derive_uses_only_lower_ones() {
    check("macros/src", &MACROS, ["key", "field"]);
}

/// The compiler generates code that is generic over the row type again for each model of a service, so little code may
/// be.
#[test]
fn only_lists_and_what_creates_them_know_the_row_type() {
    let files = modules("runtime/src");
    let row_types = ["Reader", "TypedRows"];
    let knows = |path: &Vec<String>| {
        path.first().is_some_and(|first| first == "driver") && row_types.contains(&&*path[path.len() - 1])
    };
    let knowing: Vec<_> = files.iter().filter(|file| uses(*file).iter().any(knows)).map(|(module, _)| module).collect();
    let expected = [
        "driver::sink",
        "model",
        "page_tokens",
        "query::each_of",
        "query::pages",
        "query::rows",
        "query::select",
        "query::small",
        "query::source",
        "query::window",
        "relay",
        "sea_orm::entity",
        "sea_orm::rows",
        "web::json_api::cursor_window::read",
    ];
    assert_eq!(knowing, expected);
}

/// The modules of a diagram, from the bottom up, and each line from left to right.
fn drawn<'a>(drawing: &'a str, modules: &[&str]) -> Vec<&'a str> {
    let names = |line: &'a str| line.split(|char: char| !(char.is_alphanumeric() || char == '_'));
    drawing.lines().rev().flat_map(names).filter(|name| modules.contains(name)).collect()
}

#[test]
fn the_diagram_of_the_layers_matches_the_code() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../ARCHITECTURE.md")).unwrap();
    // The core is below everything else.
    let (above, core) = page.split("```").nth(1).unwrap().split_once("folio-plan").unwrap();
    for (drawing, layers) in [(above, &RUNTIME[..]), (core, &CORE[..])] {
        let modules: Vec<&str> = layers.iter().copied().filter(|layer| !matches!(*layer, "" | "testing")).collect();
        assert_eq!(drawn(drawing, &modules), modules);
    }
}
