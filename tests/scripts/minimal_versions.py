#!/usr/bin/env python3
"""Compiles folio, folio-plan and folio-macros with the lowest versions of their dependencies that the manifests allow.

docs/minimal-versions.lock has these versions, so each run compiles the same code. `--write` chooses them again, which
takes a nightly toolchain, and then compiles; it is needed after a change to a dependency.

It works in a copy of the packages, under target/minimal_versions, so Cargo.lock stays as it is. Warnings are about
code that the newest versions generate, so they are left out.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "minimal_versions"
LOCK = ROOT / "docs" / "minimal-versions.lock"
PACKAGES = ["plan", "macros", "runtime"]
SILENT = os.environ | {"RUSTFLAGS": "--cap-lints=allow"}


def copy() -> None:
    """The packages, without what only their tests need, in a workspace of their own."""
    for package in PACKAGES:
        shutil.rmtree(WORK / package, ignore_errors=True)
        shutil.copytree(ROOT / package, WORK / package)
        manifest = WORK / package / "Cargo.toml"
        manifest.write_text(re.sub(r"^\[dev-dependencies\].*?(?=^\[|\Z)", "", manifest.read_text(), flags=re.M | re.S))
    text = (ROOT / "Cargo.toml").read_text()
    text = re.sub(r"^default-members = .*\n", "", text, flags=re.M)
    (WORK / "Cargo.toml").write_text(re.sub(r"^members = \[.*?\]", f"members = {PACKAGES}", text, flags=re.M | re.S))
    shutil.copy(LOCK, WORK / "Cargo.lock")


def cargo(*arguments: str) -> None:
    print("$ cargo", *arguments, flush=True)
    if subprocess.run(["cargo", *arguments], cwd=WORK, env=SILENT).returncode != 0:
        sys.exit(
            "error: a lower bound in the Cargo.toml of runtime, plan, macros or the workspace is too low, or has changed: "
            "then run tests/scripts/minimal_versions.py --write"
        )


def main() -> None:
    copy()
    if sys.argv[1:] == ["--write"]:
        (WORK / "Cargo.lock").unlink()
        cargo("+nightly", "-Z", "direct-minimal-versions", "update", "--quiet")
        shutil.copy(WORK / "Cargo.lock", LOCK)
    cargo("check", "-p", "folio", "--all-features", "--locked")


main()
