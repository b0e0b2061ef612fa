#!/usr/bin/env python3
"""Makes one mistake at a time in the code of walks and of far pages, and shows that their tests catch each.

A test that cannot fail proves nothing. The files are put back as they were, also when this is interrupted.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "runtime" / "src"

# what is wrong | the file | what stands there | what stands there instead
MISTAKES = [
    ("a flipped direction", "keyset.rs", "Direction::Asc => against(dialect, sort, BinOper::GreaterThan, bound)", "Direction::Asc => against(dialect, sort, BinOper::SmallerThan, bound)"),
    ("a lost arm", "keyset.rs", "for at in (0..last).rev() {", "for at in (1..last).rev() {"),
    ("a lost arm of NULLs", "keyset.rs", "if nulls == Some(Nulls::Last) {", "if nulls == Some(Nulls::First) {"),
    (">= for >", "keyset.rs", 'BinOper::Custom("> +")', 'BinOper::Custom(">= +")'),
    ("<= for <", "keyset.rs", 'BinOper::Custom("< +")', 'BinOper::Custom("<= +")'),
    ("= NULL", "keyset.rs", "if bound.is_null() {", "if false {"),
    ("NULLs that are not flipped", "keyset.rs", "nulls: self.nulls.map(Nulls::flip)", "nulls: self.nulls"),
    ("a direction that is not flipped", "keyset.rs", "direction: self.direction.flip()", "direction: self.direction"),
    ("a forgotten reverse", "fetch.rs", "data.reverse();", ""),
    ("the boundary of the extra row", "fetch.rs", "let far = key::<D>(walk, &last)?;", "let far = key::<D>(walk, probe.as_ref().unwrap_or(&last))?;"),
    ("an emptied page without a way back", "fetch.rs", "inclusive: !from.inclusive", "inclusive: from.inclusive"),
    ("a far page that is left the last row first", "fetch.rs", "rows.reverse();", ""),
    ("a last page that is as long as the others", "fetch.rs", "let limit = slice.limit.min(behind);", "let limit = slice.limit;"),
    ("a key without the primary key", "builder.rs", "close_with_primary_key(Some(M::TABLE), order.terms())", "order.terms()"),
]


def caught(file: pathlib.Path, old: str, new: str) -> bool:
    text = file.read_text()
    assert text.count(old) == 1, f"{file.name} has {text.count(old)} places that read: {old}"
    try:
        file.write_text(text.replace(old, new))
        build = ["cargo", "test", "-q", "-p", "folio-tests", "--test", "sqlite", "--no-run"]
        subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
        test = ["cargo", "test", "-q", "-p", "folio-tests", "--test", "sqlite", "--", "walk", "deep"]
        return subprocess.run(test, cwd=ROOT, capture_output=True).returncode != 0
    finally:
        file.write_text(text)


def main() -> int:
    missed = 0
    for name, file, old, new in MISTAKES:
        found = caught(SOURCES / file, old, new)
        missed += not found
        print(f"{'caught' if found else 'MISSED'}  {name}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
