#!/usr/bin/env python3
"""Measures what folio adds to the build of a service: the CPU time that the compiler takes for a small service on sqlx,
tokio and serde, without folio and with it, each from nothing. Then what each further model with a page adds to the build
of the service alone, without its dependencies.

Usage: build_cost.py [--database DATABASE] [--feature FEATURE]... [--library FEATURE]... [--slowest NUMBER]

`--feature axum` measures folio's feature in a service that already has axum, and `--library axum` folio without the
feature in that service. `--slowest` lists the crates that folio
adds, or compiles in one more copy, with the CPU time and the time by the clock that the compiler takes for each.

What build scripts do is not counted: folio adds none, and SQLite's, which compiles C, takes longer than folio. CPU time
is higher on a busy computer, so compare runs that follow each other, and take the lowest of several.

The services are under target/build_cost. Their dependencies have the versions that the project is tested with.
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
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
sqlx = {{ version = "0.9", default-features = false, features = ["derive", "macros", "runtime-tokio", "{database}"] }}
tokio = {{ version = "1", features = ["macros", "rt-multi-thread"] }}
{dependencies}
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

    pub async fn print(pool: &sqlx::Pool<sqlx::{driver}>) -> Result<(), sqlx::Error> {{
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
    let pool = sqlx::Pool::<sqlx::{driver}>::connect("").await?;
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

    pub async fn print(_: &sqlx::Pool<sqlx::{driver}>) -> folio::Result<()> {{
        let page = Post::cursor_paginate(15).await?;
        println!("{{:?}}", page.data);
        Ok(())
    }}
}}
"""

BY_FOLIO = """\
#[tokio::main]
async fn main() -> folio::Result<()> {{
    let pool = sqlx::Pool::<sqlx::{driver}>::connect("").await?;
    let folio = folio::Folio::new(pool.clone());
    let pages = async {{
{calls}
        folio::Result::<()>::Ok(())
    }};
    folio.scope(pages).await
}}
"""

DRIVERS = {"sqlite": "Sqlite", "postgres": "Postgres", "mysql": "MySql"}

# feature | the library that a service with this feature already has
LIBRARIES = {
    "actix": 'actix-web = "4"',
    "axum": 'axum = "0.8"',
    "chrono": 'chrono = "0.4"',
    "sea-orm-sqlite": 'sea-orm = {{ version = "2", default-features = false, features = ["macros", "runtime-tokio", "sqlx-sqlite"] }}',
    "uuid": 'uuid = "1"',
}

# Enough models to measure one.
MANY = 21

# Runs the compiler, and adds a line to a file: the crate, and the seconds of the clock, of the user and of the system.
WRAPPER = """\
#!/usr/bin/env bash
exec 3>&2
TIMEFORMAT="$CARGO_PKG_NAME $CARGO_CRATE_NAME %R %U %S"
{ time "$@" 2>&3; } 2>>"$BUILD_COST"
"""


@dataclasses.dataclass
class Cost:
    """What the compiler took for a crate, in all its copies."""

    copies: int = 0
    clock: float = 0
    cpu: float = 0


def source(main: str, model: str, driver: str, models: int) -> str:
    calls = "\n".join(f"        m{at}::print(&pool).await?;" for at in range(models))
    modules = [model.format(at=at, driver=driver) for at in range(models)]
    return "\n".join(modules + [main.format(calls=calls, driver=driver)])


def write_service(name: str, database: str, dependencies: list[str], main: str) -> pathlib.Path:
    service = WORK / name
    shutil.rmtree(service, ignore_errors=True)
    (service / "src").mkdir(parents=True)
    manifest = MANIFEST.format(name=name, database=database, dependencies="\n".join(dependencies))
    (service / "Cargo.toml").write_text(manifest)
    (service / "src" / "main.rs").write_text(main)
    shutil.copy(ROOT / "Cargo.lock", service / "Cargo.lock")
    subprocess.run(["cargo", "fetch", "--quiet"], cwd=service, check=True)
    return service


def build(service: pathlib.Path) -> dict[str, Cost]:
    """What the compiler took for each crate. The crates of build scripts count for their packages."""
    log, wrapper = service / "log", WORK / "rustc"
    log.write_text("")
    wrapper.write_text(WRAPPER)
    wrapper.chmod(0o755)
    environment = os.environ | {"RUSTC_WRAPPER": str(wrapper), "BUILD_COST": str(log)}
    subprocess.run(["cargo", "build", "--quiet", "--target-dir", "target"], cwd=service, env=environment, check=True)
    costs = collections.defaultdict(Cost)
    for line in log.read_text().splitlines():
        # Cargo also asks the compiler about itself, for no crate.
        if len(words := line.split()) == 5:
            package, crate, clock, user, system = words
            cost = costs[package]
            cost.copies += crate != "build_script_build"
            cost.clock += float(clock)
            cost.cpu += float(user) + float(system)
    return costs


def total(costs: dict[str, Cost]) -> float:
    return sum(cost.cpu for cost in costs.values())


def added(without: dict[str, Cost], with_folio: dict[str, Cost]) -> dict[str, float]:
    """The CPU seconds of each crate that folio adds, or compiles once more. Other crates only differ by noise."""
    before = {crate: without.get(crate, Cost()) for crate in with_folio}
    changed = [crate for crate, cost in with_folio.items() if cost.copies != before[crate].copies]
    return {crate: with_folio[crate].cpu - before[crate].cpu for crate in changed}


def each_model(service: pathlib.Path, main: str, model: str, driver: str) -> float:
    """The CPU seconds that each further model takes when the service is built again."""
    seconds = []
    for models in [1, MANY]:
        (service / "src" / "main.rs").write_text(source(main, model, driver, models))
        seconds.append(total(build(service)))
    return (seconds[1] - seconds[0]) / (MANY - 1)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--database", choices=DRIVERS, default="sqlite")
    parser.add_argument("--feature", action="append", choices=LIBRARIES, default=[])
    parser.add_argument("--library", action="append", choices=LIBRARIES, default=[])
    parser.add_argument("--slowest", type=int, default=0, metavar="NUMBER")
    arguments = parser.parse_args()
    database, driver = arguments.database, DRIVERS[arguments.database]
    libraries = [LIBRARIES[feature].format(database=database) for feature in arguments.feature + arguments.library]
    features = json.dumps([database, *arguments.feature])
    folio = f'folio = {{ path = "{ROOT}/runtime", default-features = false, features = {features} }}'
    plain = write_service("without_folio", database, libraries, source(BY_HAND, MODEL_BY_HAND, driver, 1))
    service = write_service("with_folio", database, [*libraries, folio], source(BY_FOLIO, MODEL_BY_FOLIO, driver, 1))
    without, with_folio = build(plain), build(service)
    more = added(without, with_folio)
    print(f"without folio {total(without):.1f} s of CPU time, with folio {sum(more.values()):.1f} s more")
    if arguments.slowest:
        print("    more      CPU    clock  copies  crate")
    for crate in sorted(more, key=more.get, reverse=True)[: arguments.slowest]:
        cost = with_folio[crate]
        print(f"{more[crate]:6.2f} s {cost.cpu:6.2f} s {cost.clock:6.2f} s  {cost.copies:6}  {crate}")
    by_hand = each_model(plain, BY_HAND, MODEL_BY_HAND, driver)
    by_folio = each_model(service, BY_FOLIO, MODEL_BY_FOLIO, driver)
    print(f"each further model: {by_hand * 1000:.0f} ms with a select by hand, {by_folio * 1000:.0f} ms with a page")


if __name__ == "__main__":
    main()
