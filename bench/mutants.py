"""How many small faults in the pure core the tests notice: `python -m bench.mutants`, from the top of a checkout.

1. The tests of the core are run once, and it is written down which of them enters which function (`bench/touched.py`).
2. One mutant after the other (`bench/mutate.py`) is written into a temporary copy of the checkout.
3. The tests that enter its function are run there, the quickest first, until one fails. What none notices is printed.

Mutants that mean the same as the code before are listed in `mutants_equivalent.txt`, with the reason, and not tried.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from random import Random

from bench.mutate import TOP, Mutant, code_of, mutants_of

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("engine", "engine/count", "spec", "record", "report/facts")
"""Folders of `debate_core` whose modules are changed; what lies deeper is not."""
TESTS = ("tests/laws", "tests/seeds", "tests/contracts", "tests/core")
QUICK = "not slow and not nightly and not alone"
BAR = 0.92
SLACK = 5
"""A test may take so many times its CPU time before it counts as hanging, and 30 s more."""
ASLEEP_S = 1800
"""Whoever uses no CPU time hangs too."""
EQUIVALENT = Path(__file__).with_name("mutants_equivalent.txt")
NOT_COPIED = (".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "docs")


@dataclass
class Touched:
    """What a run without any mutant has shown."""

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
        return sorted(found, key=lambda test: self.seconds[test])


@cache
def names(test_file: str, path: str) -> bool:
    """True if this file of tests imports the module or something of it."""
    package, _, module = path.removesuffix(".py").replace("/", ".").rpartition(".")
    imported = rf"from {package}(\.{module} import|\s+import\b[^()\n]*\b{module}\b)"
    return re.search(imported, (ROOT / test_file).read_text("utf-8")) is not None


def touched(copied: Path, out: Path) -> Touched:
    """Run every test once, or read what an earlier run has written here."""
    if not out.exists():
        done = run(copied, [*TESTS, "-m", QUICK], {"TOUCHED_OUT": str(out)})
        if done.returncode:
            sys.exit(f"without any mutant the tests fail:\n{done.stdout.decode()[-2000:]}")
    found = Touched()
    for line in out.read_text("utf-8").splitlines():
        row = json.loads(line)
        found.seconds[row["test"]] = row["seconds"]
        for name in row["entered"]:
            found.by_function[name].add(row["test"])
    return found


def run(copied: Path, arguments: list[str], env: dict[str, str]) -> "subprocess.CompletedProcess[bytes]":
    """One run of pytest in the copy."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "bench.touched", *arguments]
    env = {**os.environ, "HYPOTHESIS_PROFILE": "quick", "PYTHONPATH": str(copied), **env}
    while True:
        done = subprocess.run(command, cwd=copied, env=env, capture_output=True, timeout=ASLEEP_S, check=False)
        # Whoever ended it from outside has not noticed anything.
        if done.returncode not in (-signal.SIGTERM, -signal.SIGINT):
            return done


def is_noticed(copied: Path, mutant: Mutant, known: Touched) -> bool:
    """True if a test that enters the function fails with this mutant."""
    tests = known.tests_for(mutant)
    if not tests:
        return False
    target, wanted = copied / mutant.path, copied.with_suffix(".tests")
    source = target.read_text("utf-8")
    wanted.write_text("\n".join(tests), "utf-8")
    cpu_s = 30 + SLACK * sum(known.seconds[test] for test in tests)
    try:
        write(target, code_of(source, mutant.number))
        files = sorted({test.partition("::")[0] for test in tests})
        return run(copied, files, {"TOUCHED_ONLY": str(wanted), "TOUCHED_CPU_S": str(cpu_s)}).returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        write(target, source)


def write(target: Path, code: str) -> None:
    """Also drops what Python compiled before: within one second it would take it for the new code."""
    target.write_text(code, "utf-8")
    for compiled in (target.parent / "__pycache__").glob(f"{target.stem}.*.pyc"):
        compiled.unlink()


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


def survivors_of(mutants: list[Mutant], jobs: int, record: Path | None) -> list[Mutant]:
    """Those that no test notices, printed as they are found."""
    found = list[Mutant]()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies = [Path(folder) / str(number) for number in range(jobs)]
        free = SimpleQueue[Path]()
        for copied in copies:
            shutil.copytree(ROOT, copied, ignore=shutil.ignore_patterns(*NOT_COPIED))
            free.put(copied)
        known = touched(copies[0], record or Path(folder) / "touched.jsonl")

        def survives(mutant: Mutant) -> bool:
            copied = free.get()
            try:
                return not is_noticed(copied, mutant, known)
            finally:
                free.put(copied)

        with ThreadPoolExecutor(jobs) as pool:
            running = {pool.submit(survives, mutant): mutant for mutant in mutants}
            for number, done in enumerate(as_completed(running), start=1):
                if done.result():
                    found.append(running[done])
                    print(f"survived  {running[done]}", flush=True)
                if number % 10 == 0:
                    print(f"{number} of {len(mutants)} tried, {len(found)} survived", file=sys.stderr, flush=True)
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
    share = 1 - len(survivors_of(mutants, flags.jobs, flags.touched)) / len(mutants)
    minutes = (time.monotonic() - start) / 60
    print(f"{share:.1%} of {len(mutants)} mutants noticed (bar: {BAR:.0%}), in {minutes:.0f} min; seed {flags.seed}")
    return 0 if share >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
