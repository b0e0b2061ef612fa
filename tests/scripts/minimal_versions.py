#!/usr/bin/env python3
"""Compiles folio and folio-macros with the lowest versions of their dependencies that the manifests allow.

It works in a copy of the two packages, under target/minimal_versions, so Cargo.lock stays as it is. cargo chooses the
lowest versions only in a nightly toolchain; the compiler is the default one. Its warnings are about code that the
newest versions generate, so they are left out.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "minimal_versions"
PACKAGES = ["macros", "runtime"]
SILENT = os.environ | {"RUSTFLAGS": "--cap-lints=allow"}


def copy() -> None:
    """The two packages, without what only their tests need, in a workspace of their own."""
    for package in PACKAGES:
        shutil.rmtree(WORK / package, ignore_errors=True)
        shutil.copytree(ROOT / package, WORK / package)
        manifest = WORK / package / "Cargo.toml"
        manifest.write_text(re.sub(r"^\[dev-dependencies\].*?(?=^\[|\Z)", "", manifest.read_text(), flags=re.M | re.S))
    text = (ROOT / "Cargo.toml").read_text()
    (WORK / "Cargo.toml").write_text(re.sub(r"^members = .*$", f"members = {PACKAGES}", text, flags=re.M))
    (WORK / "Cargo.lock").unlink(missing_ok=True)


def cargo(*arguments: str) -> None:
    print("$ cargo", *arguments, flush=True)
    if subprocess.run(["cargo", *arguments], cwd=WORK, env=SILENT).returncode != 0:
        sys.exit("error: a lower bound in runtime/Cargo.toml, macros/Cargo.toml or Cargo.toml is too low")


def main() -> None:
    if subprocess.run(["cargo", "+nightly", "--version"], capture_output=True).returncode != 0:
        print("skipped: there is no nightly toolchain")
        return
    copy()
    cargo("+nightly", "-Z", "direct-minimal-versions", "update", "--quiet")
    cargo("check", "-p", "folio", "--all-features", "--locked")


main()
