#!/usr/bin/env python3
"""Compares docs/dependencies.md with what `cargo tree` says that folio adds to a service on sqlx, and checks that no
dependency of folio needs a newer Rust than folio does.

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
    "sea-orm": 'sea-orm = { version = "2", default-features = false, features = ["macros", "runtime-tokio", "sqlx-sqlite"] }',
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


def crates(database: str, more: str) -> set[tuple[str, str]]:
    """The names and versions of the crates of a service."""
    (WORK / "src").mkdir(parents=True, exist_ok=True)
    (WORK / "src" / "main.rs").write_text("fn main() {}\n")
    (WORK / "Cargo.toml").write_text(SERVICE.format(database=database, more=more))
    (WORK / "Cargo.lock").write_bytes((ROOT / "Cargo.lock").read_bytes())
    manifest = str(WORK / "Cargo.toml")
    tree = cargo("tree", "--manifest-path", manifest, "-e", "normal,build", "--prefix", "none")
    return {tuple(line.split()[:2]) for line in tree.splitlines()}


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
    mistakes = databases() + features() + rust_versions()
    if mistakes:
        sys.exit("\n".join(f"error: {mistake}" for mistake in mistakes))
    print(f"{PAGE} has what folio adds, and no dependency needs a newer Rust")


main()
