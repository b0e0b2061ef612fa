#!/usr/bin/env python3
"""Measures what the derive costs the compiler: `cargo check` of 100 structs of eight fields, plain, with
`sqlx::FromRow`, with `FromRow` and `Paginate`, and as entities of sea-orm 2.

Each variant is a separate crate under target/expansion. The crates are checked in turn, each time with only their
dependencies compiled; a figure is the median of the rounds. The lines are those of the whole expansion, as the
compiler prints it.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "expansion"
STRUCTS = 100
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 11

FIELDS = """\
    pub id: i64,
    pub author_id: i64,
    pub title: String,
    pub body: String,
    pub slug: String,
    pub score: Option<i32>,
    pub published: bool,
    pub created_at: chrono::DateTime<chrono::Utc>,
"""

SQLX = 'sqlx = { version = "0.9", default-features = false, features = ["derive", "chrono"] }\n'
CHRONO = 'chrono = { version = "0.4", default-features = false }\n'

# name | dependencies other than chrono | the code around the fields of a struct
CRATES = {
    "plain": ("", "{fields}"),
    "from_row": (SQLX, "#[derive(sqlx::FromRow)]\n{fields}"),
    "paginate": (
        SQLX + f'folio = {{ path = "{ROOT}/runtime", features = ["chrono"] }}\n',
        '#[derive(sqlx::FromRow, folio::Paginate)]\n#[paginate(cursor_key = "created_at")]\n{fields}',
    ),
    "sea_orm": (
        'sea-orm = { version = "2.0.4", default-features = false, features = ["macros", "with-chrono"] }\n',
        "pub mod post{at} {\n"
        "use sea_orm::entity::prelude::*;\n"
        '#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]\n#[sea_orm(table_name = "posts")]\n{fields}'
        "#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]\npub enum Relation {}\n"
        "impl ActiveModelBehavior for ActiveModel {}\n}\n",
    ),
}


def source(name: str, form: str, structs: int) -> str:
    text = []
    for at in range(structs):
        struct = "Model" if name == "sea_orm" else f"Post{at}"
        fields = FIELDS.replace("    pub id", "    #[sea_orm(primary_key)]\n    pub id") if name == "sea_orm" else FIELDS
        text.append(form.replace("{fields}", f"pub struct {struct} {{\n{fields}}}\n").replace("{at}", str(at)))
    return "\n".join(text)


def build() -> None:
    members = ", ".join(f'"{name}"' for name in CRATES)
    write(WORK / "Cargo.toml", f'[workspace]\nresolver = "3"\nmembers = [{members}]\n')
    for name, (dependencies, form) in CRATES.items():
        package = f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\n'
        write(WORK / name / "Cargo.toml", package + CHRONO + dependencies)
        write(WORK / name / "src" / "lib.rs", source(name, form, STRUCTS))
    # The versions that the project is tested with.
    lock = WORK / "Cargo.lock"
    if not lock.exists():
        lock.write_bytes((ROOT / "Cargo.lock").read_bytes())


def write(file: pathlib.Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def cargo(*arguments: str, **environment: str) -> str:
    environment = {**os.environ, "CARGO_INCREMENTAL": "0", "CARGO_TARGET_DIR": str(WORK / "target"), **environment}
    done = subprocess.run(["cargo", *arguments], cwd=WORK, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout


def check(name: str) -> float:
    (WORK / name / "src" / "lib.rs").touch()
    begun = time.perf_counter()
    cargo("check", "-q", "-p", name)
    return time.perf_counter() - begun


def lines(name: str) -> int:
    arguments = ["rustc", "-q", "-p", name, "--lib", "--profile", "check", "--", "-Zunpretty=expanded"]
    # Only a nightly compiler shows the expansion, or a stable one with RUSTC_BOOTSTRAP.
    expanded = cargo(*arguments, RUSTC_BOOTSTRAP="1")
    return len(expanded.splitlines())


def main() -> None:
    build()
    for name in CRATES:
        check(name)
    times = {name: [] for name in CRATES}
    for turn in range(ROUNDS):
        names = list(CRATES)
        for at in range(len(names)):
            name = names[(turn + at) % len(names)]
            times[name].append(check(name))
    middle = {name: statistics.median(taken) for name, taken in times.items()}
    print(f"`cargo check` of {STRUCTS} structs of 8 fields, {ROUNDS} rounds\n")
    print("| structs | seconds | ms a struct over plain | over FromRow | lines a struct |")
    print("|---|---:|---:|---:|---:|")
    for name, seconds in middle.items():
        over = [f"{(seconds - middle[base]) / STRUCTS * 1000:.2f}" for base in ("plain", "from_row")]
        print(f"| {name} | {seconds:.2f} | {over[0]} | {over[1]} | {lines(name) / STRUCTS:.0f} |")


main()
