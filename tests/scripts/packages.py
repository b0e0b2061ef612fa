#!/usr/bin/env python3
"""Checks the packages: their files, that the README's links also work on crates.io and docs.rs, and that one line names
the repository.

runtime/README.md is the README that is packaged. crates.io resolves a relative link from the package's folder
in the repository, so the copy's links to files begin with `../`. They are written as references, because on docs.rs
runtime/src/lib.rs defines them before the README does. With `--write`, writes the copy again.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / "runtime" / "README.md"
BESIDE_SOURCES = {
    ".cargo_vcs_info.json",
    "Cargo.lock",
    "Cargo.toml",
    "Cargo.toml.orig",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
}
LINK = re.compile(r"(!?\[[^\]]*\])\((?!https?:|#)([^)\s]+)\)")


def packaged(readme: str) -> str:
    paths = sorted({path for _, path in LINK.findall(readme)})
    definitions = "".join(f"[{path}]: ../{path}\n" for path in paths)
    return LINK.sub(r"\1[\2]", readme) + "\n" + definitions


def links(readme: str) -> list[str]:
    """The links to files that do not exist, and those that docs.rs would not find."""
    library = (ROOT / "runtime" / "src" / "lib.rs").read_text()
    mistakes = []
    for path in sorted({path for _, path in LINK.findall(readme)}):
        if not (ROOT / path).exists():
            mistakes.append(f"README.md: {path} does not exist")
        kind = "raw" if path.endswith((".png", ".svg")) else "blob"
        if f"[{path}]: " not in library or f'"/{kind}/HEAD/{path}"' not in library:
            mistakes.append(f"runtime/src/lib.rs: the link to {path} is missing")
    return mistakes


def repository() -> list[str]:
    """The files that name the repository, beside the line of Cargo.toml."""
    address = re.search(r'^repository = "https://([^"]+)"$', (ROOT / "Cargo.toml").read_text(), re.M)[1]
    found = subprocess.run(["git", "grep", "-nF", address], cwd=ROOT, capture_output=True, text=True).stdout
    again = [line for line in found.splitlines() if f'repository = "https://{address}"' not in line]
    return [f"{line}: the repository is named again" for line in again]


def files() -> list[str]:
    """What is missing in the packages, and what nobody needs there."""
    mistakes = []
    for package in ["folio-plan", "folio-macros", "folio"]:
        command = ["cargo", "package", "-p", package, "--list", "--allow-dirty", "--quiet"]
        listed = set(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split())
        sources = {file for file in listed if file.startswith("src/")}
        missing, unknown = sorted(BESIDE_SOURCES - listed), sorted(listed - sources - BESIDE_SOURCES)
        mistakes += [f"{package}: {file} is not packaged" for file in missing]
        mistakes += [f"{package}: {file} is packaged" for file in unknown]
    return mistakes


def main() -> None:
    readme = (ROOT / "README.md").read_text()
    if sys.argv[1:] == ["--write"]:
        COPY.unlink(missing_ok=True)
        COPY.write_text(packaged(readme))
    mistakes = links(readme) + repository() + files()
    if COPY.read_text() != packaged(readme):
        mistakes.append("runtime/README.md is not that of README.md: run tests/scripts/packages.py --write")
    if mistakes:
        sys.exit("\n".join(f"error: {mistake}" for mistake in mistakes))
    print(f"the packages are complete, and the README's {len(LINK.findall(readme))} links to files work in them")


main()
