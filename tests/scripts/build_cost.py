#!/usr/bin/env python3
"""Measures what folio adds to the build of a service: the CPU time of `cargo build` of a small service on sqlx with
SQLite, tokio and serde, without folio and with it, each from nothing. Then what each further model with a page adds to
the build of the service alone, without its dependencies.

Usage: build_cost.py [--slowest NUMBER]    also lists the crates that take longest with folio

The services are under target/build_cost. Their dependencies have the versions that the project is tested with.
"""

import argparse
import json
import pathlib
import re
import resource
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "build_cost"

MANIFEST = """\
[package]
name = "{name}"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
serde = {{ version = "1", features = ["derive"] }}
sqlx = {{ version = "0.9", default-features = false, features = ["derive", "macros", "runtime-tokio", "sqlite"] }}
tokio = {{ version = "1", features = ["macros", "rt-multi-thread"] }}
{dependency}
# folio is compiled as if it came from a registry. Cargo compiles a dependency by path incrementally, which takes longer.
[profile.dev]
incremental = false
"""

MODEL_BY_HAND = """\
mod m{at} {{
    #[derive(Debug, serde::Serialize, sqlx::FromRow)]
    pub struct Post {{
        pub id: i64,
        pub title: String,
    }}

    pub async fn print(pool: &sqlx::SqlitePool) -> Result<(), sqlx::Error> {{
        let select = sqlx::query_as("SELECT id, title FROM posts ORDER BY id LIMIT 15");
        let posts: Vec<Post> = select.fetch_all(pool).await?;
        println!("{{posts:?}}");
        Ok(())
    }}
}}
"""

BY_HAND = """\
#[tokio::main]
async fn main() -> Result<(), sqlx::Error> {{
    let pool = sqlx::SqlitePool::connect("sqlite::memory:").await?;
{calls}
    Ok(())
}}
"""

MODEL_BY_FOLIO = """\
mod m{at} {{
    #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
    pub struct Post {{
        pub id: i64,
        pub title: String,
    }}

    pub async fn print(_: &sqlx::SqlitePool) -> folio::Result<()> {{
        let page = Post::cursor_paginate(15).await?;
        println!("{{:?}}", page.data);
        Ok(())
    }}
}}
"""

BY_FOLIO = """\
#[tokio::main]
async fn main() -> folio::Result<()> {{
    let pool = sqlx::SqlitePool::connect("sqlite::memory:").await?;
    let folio = folio::Folio::new(pool.clone());
    let pages = async {{
{calls}
        folio::Result::<()>::Ok(())
    }};
    folio.scope(pages).await
}}
"""

# Enough models to measure one.
MANY = 21


def source(main: str, model: str, models: int) -> str:
    calls = "\n".join(f"        m{at}::print(&pool).await?;" for at in range(models))
    return "\n".join([model.format(at=at) for at in range(models)] + [main.format(calls=calls)])


def write_service(name: str, dependency: str, main: str) -> pathlib.Path:
    service = WORK / name
    shutil.rmtree(service, ignore_errors=True)
    (service / "src").mkdir(parents=True)
    (service / "Cargo.toml").write_text(MANIFEST.format(name=name, dependency=dependency))
    (service / "src" / "main.rs").write_text(main)
    shutil.copy(ROOT / "Cargo.lock", service / "Cargo.lock")
    subprocess.run(["cargo", "fetch", "--quiet"], cwd=service, check=True)
    return service


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def build(service: pathlib.Path) -> float:
    """The CPU seconds of a build."""
    before = cpu_seconds()
    command = ["cargo", "build", "--quiet", "--timings", "--target-dir", "target"]
    subprocess.run(command, cwd=service, check=True, stdout=subprocess.DEVNULL)
    return cpu_seconds() - before


def each_model(service: pathlib.Path, main: str, model: str) -> float:
    """The CPU seconds that each further model takes when the service is built again."""
    seconds = []
    for models in [1, MANY]:
        (service / "src" / "main.rs").write_text(source(main, model, models))
        seconds.append(build(service))
    return (seconds[1] - seconds[0]) / (MANY - 1)


def slowest(service: pathlib.Path, number: int) -> list[tuple[float, str]]:
    """The crates that took longest, as the report of the build lists them."""
    report = (service / "target" / "cargo-timings" / "cargo-timing.html").read_text()
    units = json.loads(re.search(r"const UNIT_DATA = (\[.*?\]);", report, re.DOTALL)[1])
    times = sorted(((unit["duration"], unit["name"] + unit["target"]) for unit in units), reverse=True)
    return times[:number]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--slowest", type=int, default=0, metavar="NUMBER")
    arguments = parser.parse_args()
    plain = write_service("without_folio", "", source(BY_HAND, MODEL_BY_HAND, 1))
    without = build(plain)
    dependency = f'folio = {{ path = "{ROOT}/runtime" }}\n'
    service = write_service("with_folio", dependency, source(BY_FOLIO, MODEL_BY_FOLIO, 1))
    with_folio = build(service)
    print(f"without folio {without:.0f} s, with folio {with_folio:.0f} s of CPU time: {with_folio - without:.0f} s more")
    for seconds, crate in slowest(service, arguments.slowest):
        print(f"{seconds:6.1f} s  {crate}")
    by_hand, by_folio = each_model(plain, BY_HAND, MODEL_BY_HAND), each_model(service, BY_FOLIO, MODEL_BY_FOLIO)
    print(f"each further model: {by_hand * 1000:.0f} ms with a select by hand, {by_folio * 1000:.0f} ms with a page")


if __name__ == "__main__":
    main()
