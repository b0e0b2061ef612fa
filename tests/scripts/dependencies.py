#!/usr/bin/env python3
"""Compares docs/dependencies.md with what `cargo tree` says that folio adds to a service on sqlx and with the packages in
the service's Cargo.lock, and checks that no dependency of folio needs a newer Rust than folio does.

A service is a package under target/dependencies, once without folio and once with it, with the versions of the
project's Cargo.lock. Nothing is compiled.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "dependencies"
PAGE = "docs/dependencies.md"

DATABASES = ["sqlite", "postgres", "mysql"]

# feature | the library that a service with this feature already has
FEATURES = {
    "axum": 'axum = "0.8"',
    "actix": 'actix-web = "4"',
    "async-graphql": 'async-graphql = "7"',
    "utoipa": 'utoipa = "6"',
    "schemars": 'schemars = "1"',
    "ts-rs": 'ts-rs = "12"',
    "chrono": 'chrono = "0.4"',
    "time": 'time = "0.3"',
    "uuid": 'uuid = "1"',
    "rust_decimal": 'rust_decimal = "1"',
    "bigdecimal": 'bigdecimal = "0.4"',
    "json": "",
    "testing": "",
    "html": "",
    "askama": 'askama = "0.16"',
    "maud": 'maud = "0.27"',
    "sea-orm-sqlite": 'sea-orm = { version = "2", features = ["runtime-tokio", "sqlx-sqlite"] }',
}

# What the Cargo.lock of these services has: database | the libraries that they already have | features of folio
SERVICES = {
    "sqlite": ("sqlite", "", ["sqlite", "json-api", "inertia"]),
    "postgres": ("postgres", "", ["postgres"]),
    "mysql": ("mysql", "", ["mysql"]),
    "axum": ("sqlite", FEATURES["axum"], ["sqlite", "axum"]),
    "sea-orm-sqlite": ("sqlite", FEATURES["sea-orm-sqlite"], ["sea-orm-sqlite"]),
}

SERVICE = """\
[package]
name = "service"
edition = "2024"

[workspace]

[dependencies]
sqlx = {{ version = "0.9", features = ["runtime-tokio", "{database}"] }}
tokio = {{ version = "1", features = ["macros", "rt-multi-thread"] }}
serde = {{ version = "1", features = ["derive"] }}
serde_json = "1"
{more}
"""


def cargo(*arguments: str) -> str:
    done = subprocess.run(["cargo", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: cargo {' '.join(arguments)}\n{done.stderr}")
    return done.stdout


def crates(database: str, more: str, *options: str) -> set[tuple[str, str]]:
    """The names and versions of the crates of a service. Its Cargo.lock then has only what it needs."""
    (WORK / "src").mkdir(parents=True, exist_ok=True)
    (WORK / "src" / "main.rs").write_text("fn main() {}\n")
    (WORK / "Cargo.toml").write_text(SERVICE.format(database=database, more=more))
    (WORK / "Cargo.lock").write_bytes((ROOT / "Cargo.lock").read_bytes())
    manifest = str(WORK / "Cargo.toml")
    tree = cargo("tree", "--manifest-path", manifest, "-e", "normal,build", "--prefix", "none", *options)
    return {tuple(line.split()[:2]) for line in tree.splitlines()}


def locked(database: str, more: str) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The packages in the Cargo.lock of a service, and its crates on all platforms."""
    needed = crates(database, more, "--target", "all")
    lock = (WORK / "Cargo.lock").read_text()
    return {(name, f"v{version}") for name, version in re.findall(r'^name = "(.+)"\nversion = "(.+)"', lock, re.M)}, needed


def folio(*features: str) -> str:
    return f'folio = {{ path = "{ROOT}/runtime", default-features = false, features = {json.dumps(features)} }}\n'


def added(database: str, before: str, after: str) -> set[str]:
    """The names of the crates that a service has more with other dependencies."""
    return {name for name, _ in crates(database, after) - crates(database, before)}


def rows(heading: str) -> dict[str, list[str]]:
    """The rows of the table whose first column has this heading."""
    page = (ROOT / PAGE).read_text()
    table = page.partition(f"\n| {heading} |")[2].partition("\n\n")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    return {first.strip("`"): rest for first, *rest in cells}


def words(cell: str) -> set[str]:
    """The names in backticks."""
    return set(re.findall(r"`([^`]+)`", cell))


def difference(what: str, written: set[str], counted: set[str]) -> list[str]:
    lines = [f"{PAGE}: {what}: {name} is missing" for name in sorted(counted - written)]
    return lines + [f"{PAGE}: {what}: {name} is not added any more" for name in sorted(written - counted)]


def databases() -> list[str]:
    figures, table = rows("database of the service"), rows("crate")
    mistakes = []
    for database in DATABASES:
        counted = added(database, "", folio(database))
        written = {name for name, row in table.items() if database not in words(row[2])}
        mistakes += difference(database, written, counted)
        if figures[database] != [str(len(counted))]:
            mistakes.append(f"{PAGE}: {database}: folio adds {len(counted)} crates")
    return mistakes


def features() -> list[str]:
    table = rows("feature")
    mistakes = difference("features", set(table), set(FEATURES))
    for feature, library in FEATURES.items():
        written = words(table.get(feature, [""])[0])
        counted = added("sqlite", f"{library}\n{folio('sqlite')}", f"{library}\n{folio('sqlite', feature)}")
        mistakes += difference(feature, written, counted)
    return mistakes


def lock_files() -> list[str]:
    """A feature that is not enabled leaves nothing in Cargo.lock. Cargo itself takes a weak feature such as
    `sea-orm?/sqlx-sqlite` for a strong one there (rust-lang/cargo#10801)."""
    table = rows("features of folio")
    mistakes = difference("Cargo.lock", set(table), set(SERVICES))
    for name, (database, library, features) in SERVICES.items():
        before, needed_before = locked(database, library)
        after, needed = locked(database, f"{library}\n{folio(*features)}")
        mistakes += [
            f"{PAGE}: with {name}, Cargo.lock has {' '.join(package)}, which no enabled feature of folio needs"
            for package in sorted((after - before) - (needed - needed_before))
        ]
        if table.get(name) != [str(len(before)), str(len(after))]:
            mistakes.append(f"{PAGE}: with {name}, Cargo.lock has {len(before)} packages without folio and {len(after)} with it")
    return mistakes


def rust_versions() -> list[str]:
    """The dependencies, of any feature, that need a newer Rust than folio."""
    packages = json.loads(cargo("metadata", "--format-version", "1", "--locked"))["packages"]
    by_crate = {(package["name"], package["version"]): package["rust_version"] for package in packages}
    needed = cargo("tree", "--locked", "-p", "folio", "--all-features", "-e", "normal,build", "--prefix", "none")
    names = {tuple(line.replace(" v", " ", 1).split()[:2]) for line in needed.splitlines()}
    limit = next(package["rust_version"] for package in packages if package["name"] == "folio")
    newer = sorted(crate for crate in names if numbers(by_crate[crate]) > numbers(limit))
    return [f"{name} {version} needs a newer Rust than {limit}: {by_crate[name, version]}" for name, version in newer]


def numbers(version: str | None) -> list[int]:
    """A version in an order: `1.94` and `1.94.0` are equal, and a package that states none needs none."""
    parts = [int(part) for part in (version or "0").split(".")]
    return parts + [0] * (3 - len(parts))


def main() -> None:
    mistakes = databases() + features() + lock_files() + rust_versions()
    if mistakes:
        sys.exit("\n".join(f"error: {mistake}" for mistake in mistakes))
    print(f"{PAGE} has what folio adds, and no dependency needs a newer Rust")


main()
