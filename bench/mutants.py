"""Share of small faults in the pure core that the tests notice: `python -m bench.mutants`, from the top of a checkout.

1. The tests of the core are run once, and it is written down which of them enters which function.
2. The tests are collected once. Each mutant (`bench/mutate.py`) gets a fork of that process (`bench/forks.py`), where
   the changed function takes the place of the old one. The tests that enter it are run there, the quickest first,
   until one fails.
3. What already runs while the modules are imported cannot be changed afterwards: such a mutant gets a fork that
   imports everything anew.

What no test notices is printed. Mutants that mean the same as the code before are listed in `mutants_equivalent.txt`,
with the reason, and not tried.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
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
"""Folders of `debate_core` whose modules are changed; what lies deeper is not."""
TESTS = ("tests/laws", "tests/seeds", "tests/contracts", "tests/core")
QUICK = ("-m", "not slow and not nightly and not alone")
BAR = 0.92
SLACK = 5
"""Tests may take so many times their CPU time before they count as hanging, and 30 s more."""
UNCHANGED_S = 3600
"""For all tests, watched, without any mutant."""
EQUIVALENT = Path(__file__).with_name("mutants_equivalent.txt")
IMPORT = "importing"
"""What stands for a test in the row of what is entered while modules are imported and tests collected."""


@dataclass
class Touched:
    """Coverage of a run without any mutant."""

    seconds: dict[str, float] = field(default_factory=dict)
    by_function: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """`path:Class.method` -> the tests that enter it."""

    def tests_for(self, mutant: Mutant) -> list[str]:
        """The quickest first. What stands in no function matters to tests that enter or import its module, or all."""
        if mutant.function == TOP:
            inside = [tests for name, tests in self.by_function.items() if name.startswith(f"{mutant.path}:")]
            naming = [test for test in self.seconds if names(test.partition("::")[0], mutant.path)]
            found = set[str](naming).union(*inside) or set(self.seconds)
        else:
            found = self.by_function.get(f"{mutant.path}:{mutant.function}", set())
        return sorted(found - {IMPORT}, key=lambda test: self.seconds[test])

    def is_imported(self, mutant: Mutant) -> bool:
        """True if the change matters while modules are imported: at the top, in a default, in what importing enters."""
        entered = self.by_function.get(f"{mutant.path}:{mutant.function}", set())
        return mutant.function == TOP or IMPORT in entered or not changes_a_body(mutant)

    def cpu_s(self, mutant: Mutant) -> float:
        """Return the CPU time that the mutant's tests may take."""
        return 30 + SLACK * sum(self.seconds[test] for test in self.tests_for(mutant))


@cache
def names(test_file: str, path: str) -> bool:
    """True if this file of tests imports the module or something of it."""
    package, _, module = path.removesuffix(".py").replace("/", ".").rpartition(".")
    imported = rf"from {package}(\.{module} import|\s+import\b[^()\n]*\b{module}\b)"
    return re.search(imported, (ROOT / test_file).read_text("utf-8")) is not None


def touched(out: Path, jobs: int) -> Touched:
    """Run every test once, or read what an earlier run has written here."""
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
    """Write what importing enters, then what each test enters: one JSON line each. False if a test fails."""
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
    """The code of its module."""
    path = ROOT / mutant.path
    return compile(tree_of(path.read_text("utf-8"), mutant.number), str(path), "exec")


def changes_a_body(mutant: Mutant) -> bool:
    """False if only a default of the function is another one."""
    path = ROOT / mutant.path
    before = compile(path.read_text("utf-8"), str(path), "exec")
    return bodies(before, mutant.function) != bodies(mutated(mutant), mutant.function)


def survives(session: pytest.Session, tests: list[str], mutant: Mutant) -> bool:
    """In a fork that has imported everything; True if no test fails."""
    put_in(mutated(mutant), mutant.function)
    by_id = {item.nodeid: item for item in session.items}
    return all_pass(session, [by_id[test] for test in tests if test in by_id])


def survives_anew(tests: list[str], mutant: Mutant) -> bool:
    """In a fork that has imported nothing; True if no test fails."""
    survived = [False]

    def use(session: pytest.Session) -> None:
        place = {test: number for number, test in enumerate(tests)}
        wanted = sorted((i for i in session.items if i.nodeid in place), key=lambda item: place[item.nodeid])
        survived[0] = all_pass(session, wanted)

    load_with(mutated(mutant))
    collect(sorted({test.partition("::")[0] for test in tests}), use)
    return survived[0]


def all_mutants() -> list[Mutant]:
    """Every mutant that says something else than the code before."""
    paths = [p for folder in FOLDERS for p in sorted((ROOT / "debate_core" / folder).glob("*.py"))]
    found = [m for p in paths for m in mutants_of(p.relative_to(ROOT).as_posix(), p.read_text("utf-8"))]
    same = equivalent()
    for gone in sorted(same - {m.key for m in found}):
        print(f"no such mutant any more: {gone}")
    return [m for m in found if m.key not in same]


def equivalent() -> set[str]:
    """Keys of mutants that mean the same: lines of `key # reason`."""
    lines = EQUIVALENT.read_text("utf-8").splitlines()
    return {line.split(" # ")[0].strip() for line in lines if line and not line.startswith("#")}


def chosen(places: list[str], number: int, seed: int) -> list[Mutant]:
    """A sample of all mutants, or of those at these places: `path` or `path:line`."""
    found = all_mutants()
    if places:
        found = [m for m in found if m.path in places or f"{m.path}:{m.line}" in places]
    return Random(seed).sample(found, k=min(number, len(found)))


def survivors_of(mutants: list[Mutant], jobs: int, known: Touched) -> list[Mutant]:
    """Those that no test notices, printed as they are found."""
    tried, found = 0, list[Mutant]()

    def try_all(several: list[Mutant], attempt: Callable[[list[str], Mutant], bool]) -> None:
        nonlocal tried
        tasks = [partial(attempt, known.tests_for(mutant), mutant) for mutant in several]
        for place, survived in in_forks(tasks, [known.cpu_s(mutant) for mutant in several], jobs):
            tried += 1
            if survived:
                found.append(several[place])
                print(f"survived  {several[place]}", flush=True, file=sys.__stdout__)
            if tried % 10 == 0:
                said = f"{tried} of {len(mutants)} tried, {len(found)} survived"
                print(said, flush=True, file=sys.__stderr__)

    anew = [mutant for mutant in mutants if known.is_imported(mutant)]
    try_all(anew, survives_anew)
    others = [mutant for mutant in mutants if mutant not in anew]
    collect([*TESTS, *QUICK], lambda session: try_all(others, partial(survives, session)))
    return found


def main() -> int:
    """0 if the share that was noticed is within the bar, else 1."""
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
