"""Share of small faults in the pure core that the tests notice: `python -m bench.mutants`, from the top of a checkout.

1. Run the tests of the core once, and note which test enters which function.
2. Collect the tests once. Each mutant (`bench/mutate.py`) gets a fork of that process (`bench/forks.py`), in which the
   changed function replaces the old one. The tests that enter it run there, fastest first, until one fails.
3. Code that runs during imports cannot be replaced afterwards: such a mutant gets a fork that repeats all imports.

The survivors are printed. `mutants_equivalent.txt` lists equivalent mutants, with the reason; they are not tried.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from random import Random
from types import CodeType

import pytest

from bench.forks import Watch, all_pass, bodies, collect, in_forks, load_with, put_in
from bench.mutate import TOP, Mutant, mutants_of, tree_of

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("engine", "engine/count", "spec", "record", "report/facts")
"""Folders of `debate_core` whose modules are mutated, without subfolders."""
TESTS = ("tests/laws", "tests/seeds", "tests/contracts", "tests/core")
QUICK = ("-m", "not slow and not nightly and not alone")
BAR = 0.92
SLACK = 5
"""Tests count as hanging after this multiple of their CPU time plus 30 s."""
UNCHANGED_S = 3600
"""CPU limit for all traced tests without a mutant."""
EQUIVALENT = Path(__file__).with_name("mutants_equivalent.txt")
IMPORT = "importing"
"""Replaces the name of a test in the list of functions that imports and collection enter."""


@dataclass
class Touched:
    """Coverage of a run without any mutant."""

    seconds: dict[str, float] = field(default_factory=dict)
    by_function: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Tests that enter a function, by `path:Class.method`."""

    def tests_for(self, mutant: Mutant) -> list[str]:
        """Return the tests that can notice the mutant, fastest first; for module-level code, users of the module."""
        if mutant.function == TOP:
            inside = [tests for name, tests in self.by_function.items() if name.startswith(f"{mutant.path}:")]
            naming = [test for test in self.seconds if names(test.partition("::")[0], mutant.path)]
            found = set[str](naming).union(*inside) or set(self.seconds)
        else:
            found = self.by_function.get(f"{mutant.path}:{mutant.function}", set())
        return sorted(found - {IMPORT}, key=lambda test: self.seconds[test])

    def is_imported(self, mutant: Mutant) -> bool:
        """True if the change affects imports: at module level, in a default, or in a function that imports enter."""
        entered = self.by_function.get(f"{mutant.path}:{mutant.function}", set())
        return mutant.function == TOP or IMPORT in entered or not changes_a_body(mutant)

    def cpu_s(self, mutant: Mutant) -> float:
        """Return the CPU time that the mutant's tests may take."""
        return 30 + SLACK * sum(self.seconds[test] for test in self.tests_for(mutant))


@cache
def names(test_file: str, path: str) -> bool:
    """True if this test file imports from the module."""
    package, _, module = path.removesuffix(".py").replace("/", ".").rpartition(".")
    imported = rf"from {package}(\.{module} import|\s+import\b[^()\n]*\b{module}\b)"
    return re.search(imported, (ROOT / test_file).read_text("utf-8")) is not None


def touched(out: Path, jobs: int) -> Touched:
    """Trace every test once, or read the result of an earlier run."""
    if not out.exists():
        part = out.with_suffix(".part")
        done = [ok for _, ok in in_forks([lambda: watch_all(part, jobs)], [UNCHANGED_S], jobs=1)]
        if not all(done):
            sys.exit("without any mutant the tests fail: run `make quick`")
        part.rename(out)
    found = Touched()
    for line in out.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["test"] != IMPORT:
            found.seconds[row["test"]] = row["seconds"]
        for name in row["entered"]:
            found.by_function[name].add(row["test"])
    return found


def watch_all(out: Path, jobs: int) -> bool:
    """Write one JSON line with the functions that imports enter, then one per test. False if a test fails."""
    watch, passed = Watch(ROOT, "debate_core"), [False]

    def write(test: str, work: Callable[[], object]) -> None:
        seconds, entered = watch.during(work)
        with out.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"test": test, "seconds": seconds, "entered": entered}) + "\n")

    def watch_some(session: pytest.Session, number: int) -> bool:
        for item in session.items[number::jobs]:
            write(item.nodeid, partial(all_pass, session, [item]))
        return not session.testsfailed

    def use(session: pytest.Session) -> None:
        sys.settrace(None)
        parts = [partial(watch_some, session, number) for number in range(jobs)]
        passed[0] = all(ok for _, ok in in_forks(parts, [UNCHANGED_S] * jobs, jobs))

    out.unlink(missing_ok=True)
    write(IMPORT, lambda: collect([*TESTS, *QUICK], use))
    return passed[0]


def mutated(mutant: Mutant) -> CodeType:
    """Compile the mutated module."""
    path = ROOT / mutant.path
    return compile(tree_of(path.read_text("utf-8"), mutant.number), str(path), "exec")


def changes_a_body(mutant: Mutant) -> bool:
    """False if only a default of the function changes."""
    path = ROOT / mutant.path
    before = compile(path.read_text("utf-8"), str(path), "exec")
    return bodies(before, mutant.function) != bodies(mutated(mutant), mutant.function)


def survives(session: pytest.Session, tests: list[str], mutant: Mutant) -> bool:
    """Run the tests in a fork with all modules imported; True if none fails."""
    put_in(mutated(mutant), mutant.function)
    by_id = {item.nodeid: item for item in session.items}
    return all_pass(session, [by_id[test] for test in tests if test in by_id])


def survives_anew(tests: list[str], mutant: Mutant) -> bool:
    """Run the tests in a fork without imported modules; True if none fails."""
    survived = [False]

    def use(session: pytest.Session) -> None:
        place = {test: number for number, test in enumerate(tests)}
        wanted = sorted((i for i in session.items if i.nodeid in place), key=lambda item: place[item.nodeid])
        survived[0] = all_pass(session, wanted)

    load_with(mutated(mutant))
    collect(sorted({test.partition("::")[0] for test in tests}), use)
    return survived[0]


def all_mutants() -> list[Mutant]:
    """Return every mutant that is not known to be equivalent."""
    paths = [p for folder in FOLDERS for p in sorted((ROOT / "debate_core" / folder).glob("*.py"))]
    found = [m for p in paths for m in mutants_of(p.relative_to(ROOT).as_posix(), p.read_text("utf-8"))]
    same = equivalent()
    for gone in sorted(same - {m.key for m in found}):
        print(f"these mutants no longer exist: {gone}")
    return [m for m in found if m.key not in same]


def equivalent() -> set[str]:
    """Read the keys of equivalent mutants from lines `key # reason`."""
    lines = EQUIVALENT.read_text("utf-8").splitlines()
    return {line.split(" # ")[0].strip() for line in lines if line and not line.startswith("#")}


def chosen(places: list[str], number: int, seed: int) -> list[Mutant]:
    """Return a sample of all mutants, or of those at these places: `path` or `path:line`."""
    found = all_mutants()
    if places:
        found = [m for m in found if m.path in places or f"{m.path}:{m.line}" in places]
    return Random(seed).sample(found, k=min(number, len(found)))


def survivors_of(mutants: list[Mutant], jobs: int, known: Touched) -> list[Mutant]:
    """Return the mutants that no test notices; prints each when found."""
    trial = _Trial(len(mutants), jobs, known)
    imported = [mutant for mutant in mutants if known.is_imported(mutant)]
    trial.try_all(imported, survives_anew)
    others = [mutant for mutant in mutants if mutant not in imported]
    collect([*TESTS, *QUICK], lambda session: trial.try_all(others, partial(survives, session)))
    return trial.found


@dataclass
class _Trial:
    """Tries mutants in forks and prints the progress."""

    total: int
    jobs: int
    known: Touched
    tried: int = 0
    found: list[Mutant] = field(default_factory=list)

    def try_all(self, mutants: Sequence[Mutant], attempt: Callable[[list[str], Mutant], bool]) -> None:
        tasks = [partial(attempt, self.known.tests_for(mutant), mutant) for mutant in mutants]
        limits_s = [self.known.cpu_s(mutant) for mutant in mutants]
        for place, survived in in_forks(tasks, limits_s, self.jobs):
            self.tried += 1
            if survived:
                self.found.append(mutants[place])
                print(f"survived  {mutants[place]}", flush=True, file=sys.__stdout__)
            if self.tried % 10 == 0:
                said = f"{self.tried} of {self.total} tried, {len(self.found)} survived"
                print(said, flush=True, file=sys.__stderr__)


def main() -> int:
    """Try the mutants; returns 0 if the noticed share meets its bar, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("places", nargs="*", help="a module, or module:line; all modules of the core if none is given")
    parser.add_argument("-n", "--number", type=int, default=100, help="how many mutants are tried (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default 0)")
    parser.add_argument("--jobs", type=int, default=2, help="tried at once (default 2)")
    parser.add_argument("--touched", type=Path, help="keep here, and read from here, which test enters which function")
    flags = parser.parse_args()
    start, mutants = time.monotonic(), chosen(flags.places, flags.number, flags.seed)
    if not mutants:
        parser.error("there is no mutant at these places")
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        os.environ |= {"HYPOTHESIS_PROFILE": "quick", "PYTEST_DEBUG_TEMPROOT": folder}
        known = touched(flags.touched or Path(folder) / "touched.jsonl", flags.jobs)
        share = 1 - len(survivors_of(mutants, flags.jobs, known)) / len(mutants)
    minutes = (time.monotonic() - start) / 60
    print(f"{share:.1%} of {len(mutants)} mutants noticed (bar: {BAR:.0%}), in {minutes:.0f} min; seed {flags.seed}")
    return 0 if share >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
