#!/usr/bin/env python3
"""Runs the tests on mutants of the code, and fails if one survives that `tests/mutants.toml` does not explain.

cargo-mutants lists the mutants. They are compiled together (see `mutant_tree.py`), in `target/mutants`. Each chosen
test then runs once without a mutant, to record its time and the functions that it reaches. Each mutant only gets the
tests that reach its function.

    mutants.py                     every mutant; needs FOLIO_POSTGRES_URL and FOLIO_MYSQL_URL
    mutants.py cursor/ "in seek"   those with this in their name
    mutants.py --suites folio,core,sqlite   with the tests of these binaries only
    mutants.py --most 50           at most so many tests of a binary for each mutant
    mutants.py --tests seek,ties   with the tests that have one of these in their name
    mutants.py --pause FILE        waits between tests while the file exists
    mutants.py --again             also those with a result of an earlier run of the same code
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import itertools
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

# git would see its folder.
sys.dont_write_bytecode = True
from mutant_tree import Mutant, Tree, list_mutants

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "mutants"
EXPLAINED = ROOT / "tests" / "mutants.toml"

PATTERNS = [
    *(f"runtime/src/{folder}/**" for folder in ["crypt", "query", "read", "request/filters", "transaction"]),
    "runtime/src/cursor.rs",
    *(f"plan/src/{folder}/**" for folder in ["access", "cursor", "custom", "feed"]),
    *(f"plan/src/{folder}/**" for folder in ["keyset", "offset", "predicate", "statement"]),
    "runtime/src/driver/sink.rs",
    "macros/src/**",
]
PACKAGES = [
    *(part for name in ["folio", "folio-plan", "folio-macros", "folio-tests", "folio-http-tests"] for part in ("-p", name)),
    "--all-features",
]

# The binaries of tests, in the order in which a mutant meets them. Those of one server run one at a time. `layers` is
# not one of them, because it reads the sources.
LIBRARIES = ["folio_macros", "folio_plan", "folio"]
SUITES = [*LIBRARIES, "core", "conformance", "sqlite", "http", "postgres", "mysql", "mysql_plans"]
SERVERS = {"postgres": "postgres", "mysql": "mysql", "mysql_plans": "mysql"}

# The least time that tests have, in seconds, and how much longer than without a mutant they may take.
LEAST, LONGER = 10, 5
MEMORY = 4 << 30
# How many tests run before the others: those that reach least, or that have caught others.
FIRST = 12

LIBRARIES = subprocess.run(["rustc", "--print", "target-libdir"], check=True, capture_output=True, text=True).stdout
ENVIRONMENT = os.environ | {
    # The tests of a procedural macro are linked with the compiler.
    "LD_LIBRARY_PATH": LIBRARIES.strip(),
    "CARGO_TARGET_DIR": str(WORK / "build"),
    "CARGO_PROFILE_DEV_DEBUG": "0",
    "RUSTFLAGS": "--cap-lints allow",
    # The random tests read fewer lists than otherwise.
    "FOLIO_SELECTS": "200",
    "FOLIO_ALTERED": "20000",
    # A function's frame has room for all its mutants.
    "RUST_MIN_STACK": str(64 << 20),
}


class Options(argparse.Namespace):
    names: list[str]
    suites: list[str]
    most: int
    tests: list[str]
    jobs: int
    pause: pathlib.Path | None
    again: bool


def options() -> Options:
    parser = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--suites", type=lambda text: text.split(","), default=SUITES)
    parser.add_argument("--most", type=int, default=10_000)
    parser.add_argument("--tests", type=lambda text: text.split(","), default=[""])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--pause", type=pathlib.Path)
    parser.add_argument("--again", action="store_true")
    return parser.parse_args(namespace=Options())


# ---- compile


def hash_of(mutant: Mutant) -> str:
    return hashlib.sha256((ROOT / mutant.file).read_bytes()).hexdigest()


def load(name: str) -> dict:
    path = WORK / name
    return json.loads(path.read_text()) if path.is_file() else {}


def save(name: str, data: object) -> None:
    (WORK / name).write_text(json.dumps(data))


def build(tree: Tree, suites: list[str]) -> dict[str, str]:
    """The executables of the suites. Mutants that do not compile are left out: those with a wrong type first, because
    the borrow checker only runs once the types fit."""
    tests = [part for suite in suites if suite not in LIBRARIES for part in ("--test", suite)]
    command = ["cargo", "test", "--no-run", "--message-format=json", *PACKAGES, "--lib", *tests]
    known = load("unviable.json")
    for mutant in tree.mutants:
        mutant.unviable = known.get(f"{hash_of(mutant)} {mutant.name}")
    while True:
        tree.write()
        run = subprocess.run(command, cwd=tree.copy, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        reports = [json.loads(line) for line in run.stdout.splitlines() if line.startswith(b"{")]
        if run.returncode == 0:
            found = {report["target"]["name"]: report["executable"] for report in reports if report.get("executable")}
            return {suite: found[suite] for suite in suites}
        errors = [report["message"] for report in reports if report["reason"] == "compiler-message"]
        dropped = tree.drop(errors)
        found = [mutant for mutant in tree.mutants if mutant.unviable]
        save("unviable.json", {f"{hash_of(mutant)} {mutant.name}": mutant.unviable for mutant in found})
        print(f"{dropped} mutants do not compile", flush=True)
        if dropped == 0:
            sys.exit("\n".join(error["rendered"] for error in errors if error["level"] == "error"))


# ---- run


@dataclasses.dataclass
class Test:
    suite: str
    name: str
    seconds: float
    # The functions that it reaches, by the name of their first mutant.
    reached: list[str]


@dataclasses.dataclass
class Result:
    name: str
    # caught, timeout or missed
    status: str
    # The test that fails.
    by: str
    seconds: float
    code: str


class Runner:
    def __init__(self, options: Options, tree: Tree, executables: dict[str, str]):
        self.options, self.tree, self.executables = options, tree, executables
        self.servers = {server: threading.Lock() for server in SERVERS.values()}
        self.tests: list[Test] = []
        self.catchers: collections.Counter[tuple[str, str]] = collections.Counter()
        # The first mutant of each mutant's function.
        self.first = {
            mutant.number: mutants[0]
            for file in tree.files.values()
            for mutants in file.functions.values()
            for mutant in mutants
        }

    def pause(self) -> None:
        while self.options.pause and self.options.pause.exists():
            time.sleep(2)

    def execute(self, suite: str, tests: list[str], limit: float, environment: dict[str, str]) -> tuple[str, str]:
        """Runs tests of a binary up to the first that fails: `passed`, `caught` or `timeout`, and the test."""
        package = {"folio": "runtime", "folio_plan": "plan", "folio_macros": "macros"}.get(suite, "tests")
        folder = self.tree.copy / package
        with self.servers.get(SERVERS.get(suite, ""), threading.Lock()):
            process = subprocess.Popen(
                [self.executables[suite], "--exact", "--test-threads=1", *tests],
                cwd=folder,
                env=ENVIRONMENT | {"CARGO_MANIFEST_DIR": str(folder)} | environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
                start_new_session=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
            )
            late = threading.Event()
            timer = threading.Timer(limit, lambda: (late.set(), kill(process)))
            timer.start()
            current = ""
            for line in process.stdout:
                current = line.split()[1] if line.startswith("test ") else current
                if line.startswith("test ") and line.rstrip().endswith("FAILED"):
                    kill(process)
                    break
            else:
                line = ""
            timer.cancel()
            failed = process.wait() != 0
            if late.is_set():
                return "timeout", current
            return ("caught", current) if failed or line else ("passed", "")

    def record(self, suite: str, name: str) -> Test | None:
        """What a test reaches without a mutant."""
        numbers = {mutant.number: mutant.name for mutant in self.first.values()}
        with tempfile.NamedTemporaryFile(dir=WORK, prefix="reached-") as file:
            self.pause()
            started = time.monotonic()
            outcome, _ = self.execute(suite, [name], 600, {"FOLIO_MUTANTS_REACHED": file.name})
            seconds = time.monotonic() - started
            reached = [numbers[int(line)] for line in pathlib.Path(file.name).read_text().split()]
        if outcome != "passed":
            print(f"left out, because it fails without a mutant: {suite} {name}", flush=True)
            return None
        return Test(suite, name, seconds, reached)

    def record_chosen(self) -> None:
        """A test that is known under its name is not recorded again, unless the code has changed."""
        file = f"reached-{code_of(self.tree.mutants)}.json"
        known = {(test["suite"], test["name"]): Test(**test) for test in load(file).get("tests", [])}
        wanted = []
        for suite, executable in self.executables.items():
            command = [executable, "--list"]
            listed = subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout
            names = [line[:-6] for line in listed.splitlines() if line.endswith(": test")]
            wanted += [(suite, name) for name in names if self.is_chosen(name)]
        missing = [test for test in wanted if test not in known]
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for test in filter(None, pool.map(lambda test: self.record(*test), missing)):
                known[test.suite, test.name] = test
                save(file, {"tests": [dataclasses.asdict(test) for test in known.values()]})
        self.tests = [known[test] for test in wanted if test in known]

    def is_chosen(self, test: str) -> bool:
        return any(part in test for part in self.options.tests)

    def chunks(self, suite: str, mutant: Mutant) -> list[list[Test]]:
        function = self.first[mutant.number].name
        tests = [test for test in self.tests if test.suite == suite and function in test.reached]
        tests.sort(key=lambda test: (-self.catchers[function, test.name], len(test.reached) + 20 * test.seconds))
        # Most tests of a function that nearly all reach are of something else, so those that catch most are mixed in.
        able = sorted(tests, key=lambda test: -self.catchers["", test.name])
        mixed = itertools.chain.from_iterable(zip(tests, able))
        tests = list({test.name: test for test in mixed}.values())[: self.options.most]
        return [chunk for chunk in (tests[:FIRST], tests[FIRST:]) if chunk]

    def run(self, mutant: Mutant) -> Result:
        started, function = time.monotonic(), self.first[mutant.number].name
        for suite in self.executables:
            for chunk in self.chunks(suite, mutant):
                limit = max(LEAST, LONGER * sum(test.seconds for test in chunk))
                names = [test.name for test in chunk]
                self.pause()
                active = {"FOLIO_MUTANT": str(mutant.number)}
                outcome, by = self.execute(suite, names, limit, active)
                if outcome == "timeout":
                    # The computer may have been busy with something else.
                    outcome, by = self.execute(suite, names, 3 * limit, active)
                if outcome != "passed":
                    self.catchers.update([(function, by), ("", by)])
                    return self.result(mutant, outcome, f"{suite} {by}", started)
        return self.result(mutant, "missed", "", started)

    def result(self, mutant: Mutant, status: str, by: str, started: float) -> Result:
        return Result(mutant.name, status, by, round(time.monotonic() - started, 2), hash_of(mutant))


def kill(process: subprocess.Popen) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def code_of(mutants: list[Mutant]) -> str:
    files = sorted({mutant.file: hash_of(mutant) for mutant in mutants}.items())
    return hashlib.sha256(json.dumps(files).encode()).hexdigest()[:12]


def earlier(mutants: list[Mutant], options: Options) -> dict[str, Result]:
    """The results of earlier runs of the same code. What was missed runs again, because tests may have been added."""
    path = WORK / "results.jsonl"
    lines = path.read_text().splitlines() if path.is_file() and not options.again else []
    results = {result.name: result for result in (Result(**json.loads(line)) for line in lines)}
    hashes = {mutant.name: hash_of(mutant) for mutant in mutants}
    return {name: result for name, result in results.items() if hashes.get(name) == result.code}


def run_all(runner: Runner, options: Options) -> dict[str, Result]:
    mutants = [mutant for mutant in runner.tree.mutants if mutant.number in runner.first]
    results = earlier(mutants, options)
    runner.catchers.update(("", result.by.partition(" ")[2]) for result in results.values())
    done = {name for name, result in results.items() if result.status != "missed"}
    chosen = [mutant for mutant in mutants if is_chosen(mutant, options) and mutant.name not in done]
    with (WORK / "results.jsonl").open("a") as log, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(runner.run, chosen):
            results[result.name] = result
            print(json.dumps(dataclasses.asdict(result)), file=log, flush=True)
            print(f"{result.status:8} {result.seconds:7.2f} s  {result.name}  {result.by}", flush=True)
    return results


def is_chosen(mutant: Mutant, options: Options) -> bool:
    return not options.names or any(part in mutant.name for part in options.names)


# ---- judge


def explained() -> list[str]:
    if not EXPLAINED.is_file():
        return []
    reasons = tomllib.loads(EXPLAINED.read_text())["explained"]
    return [name for reason in reasons for name in reason["mutants"]]


def judge(tree: Tree, results: dict[str, Result], options: Options) -> int:
    chosen = [mutant for mutant in tree.mutants if is_chosen(mutant, options)]
    covered = [mutant for mutant in chosen if mutant.is_switchable()]
    viable = [mutant.name for mutant in covered if not mutant.unviable]
    missed = [name for name in viable if name not in results or results[name].status == "missed"]
    reasons = explained()
    open_ones = [name for name in missed if name not in reasons]
    stale = [name for name in reasons if name not in missed] if not options.names else []
    for name in open_ones:
        print(f"survives: {name}")
    for name in stale:
        print(f"explained, but is caught or gone: {name}")
    print(
        f"{len(chosen)} mutants: {len(chosen) - len(covered)} are not covered, "
        f"{len(covered) - len(viable)} do not compile, {len(viable) - len(missed)} caught, "
        f"{len(missed) - len(open_ones)} explained, {len(open_ones)} survive"
    )
    return 1 if open_ones or stale else 0


def main() -> int:
    chosen = options()
    WORK.mkdir(parents=True, exist_ok=True)
    tree = Tree(ROOT, WORK / "tree", list_mutants(ROOT, PATTERNS))
    print(f"{len(tree.mutants)} mutants", flush=True)
    runner = Runner(chosen, tree, build(tree, [suite for suite in SUITES if suite in chosen.suites]))
    runner.record_chosen()
    print(f"{len(runner.tests)} tests, {sum(test.seconds for test in runner.tests):.0f} s", flush=True)
    return judge(tree, run_all(runner, chosen), chosen)


if __name__ == "__main__":
    sys.exit(main())
