"""How many small faults in the pure core the tests notice: `python -m bench.mutants`, from the top of a checkout.

A mutant is one module with one change: `and` for `or`, `<` for `<=`, a number one larger, a condition dropped. Each is
written into a temporary copy of the checkout, and tests run there until the first one fails: those that name the
module first, then all others of the core. A mutant that no test notices has survived and is printed with its place.

Those that mean the same as the code before are listed in `mutants_equivalent.txt`, with the reason, and never tried.
"""

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from copy import copy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from random import Random

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("engine", "engine/count", "spec", "record", "report/facts")
"""Folders of `debate_core` whose modules are changed; what lies deeper is not."""
TESTS = ("laws", "seeds", "contracts", "core")
QUICK = "not slow and not nightly and not alone"
BAR = 0.92
NEAR_S, ALL_S = 240, 900
"""Seconds for the tests that name the module, and for all others. A mutant that needs more hangs, so it is noticed."""
EQUIVALENT = Path(__file__).with_name("mutants_equivalent.txt")
NOT_COPIED = (".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "docs")

BOOLEANS: dict[type[ast.boolop], ast.boolop] = {ast.And: ast.Or(), ast.Or: ast.And()}
COMPARISONS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
}
CALLS = {"any": "all", "all": "any", "min": "max", "max": "min"}


@dataclass(frozen=True)
class Slot:
    """A place in a tree where one node stands, and the function or class around it (`-` at the top)."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    scope: str

    def put(self, node: ast.AST) -> None:
        """Let another node stand here."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    path: str
    number: int
    """Its place among all mutants of the module."""
    line: int
    scope: str
    before: str
    after: str

    @property
    def key(self) -> str:
        """What stays the same when lines move."""
        return f"{self.path} | {self.scope} | {self.before} -> {self.after}"

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.scope}: {self.before} -> {self.after}"


def mutants_of(path: str, source: str) -> list[Mutant]:
    """Every mutant of a module."""
    found = []
    for number, (slot, node) in enumerate(_changes(ast.parse(source))):
        line = getattr(slot.node, "lineno", 0) or getattr(slot.parent, "lineno", 0)
        found.append(Mutant(path, number, line, slot.scope, _shown(slot.node), _shown(node)))
    return found


def code_of(source: str, number: int) -> str:
    """The module with its mutant of this number."""
    tree = ast.parse(source)
    slot, node = next(islice(_changes(tree), number, None))
    slot.put(node)
    return ast.unparse(ast.fix_missing_locations(tree))


def _changes(tree: ast.Module) -> Iterator[tuple[Slot, ast.AST]]:
    for slot in _slots(tree, "-"):
        for node in _replacements(slot.node):
            yield slot, node


def _slots(parent: ast.AST, scope: str) -> Iterator[Slot]:
    """Every node in the order of the text, but for annotations, decorators and assertions."""
    for field, value in ast.iter_fields(parent):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        several = isinstance(value, list)
        for index, node in enumerate(value if several else [value]):
            if not isinstance(node, ast.AST) or isinstance(node, ast.Assert):
                continue
            yield Slot(parent, field, index if several else None, node, scope)
            named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            yield from _slots(node, getattr(node, "name", scope) if named else scope)


def _replacements(node: ast.AST) -> list[ast.AST]:
    """What may stand in place of this node: valid code that says something else."""
    match node:
        case ast.BoolOp():
            return [_with(node, op=BOOLEANS[type(node.op)])]
        case ast.Compare():
            return [_with(node, ops=_but_one(node.ops, place)) for place in range(len(node.ops))]
        case ast.UnaryOp(op=ast.Not()):
            return [node.operand]
        case ast.Constant(value=bool(said)):
            return [ast.Constant(not said)]
        case ast.Constant(value=int(number)):
            return [ast.Constant(number + 1), *([ast.Constant(number - 1)] if number > 0 else [])]
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            return [_with(node, func=ast.Name(CALLS[name]))]
        case ast.If() | ast.IfExp():
            return [_with(node, test=ast.Constant(always)) for always in (True, False)]
        case ast.comprehension(ifs=[_, *_]):
            return [_with(node, ifs=[])]
        case _:
            return []


def _with(node: ast.AST, **fields: object) -> ast.AST:
    other = copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _but_one(ops: list[ast.cmpop], place: int) -> list[ast.cmpop]:
    return [*ops[:place], COMPARISONS[type(ops[place])], *ops[place + 1 :]]


def _shown(node: ast.AST) -> str:
    text = f"if {ast.unparse(node.test)}" if isinstance(node, ast.If) else ast.unparse(node)
    return " ".join(text.split())


def modules() -> list[str]:
    """The modules that are changed."""
    paths = [p for folder in FOLDERS for p in sorted((ROOT / "debate_core" / folder).glob("*.py"))]
    return [p.relative_to(ROOT).as_posix() for p in paths]


def near_and_far(top: Path, path: str) -> tuple[list[str], list[str]]:
    """The test files that speak of this module, the one with its name first; and all others that ask no server."""
    name = path.removesuffix(".py").replace("/", ".")
    package, _, stem = name.rpartition(".")
    own, near, far = list[str](), list[str](), list[str]()
    for test in [p for folder in TESTS for p in sorted((top / "tests" / folder).glob("test_*.py"))]:
        text = test.read_text("utf-8")
        if "tests.model_server" in text:
            continue
        lines = [line for line in text.splitlines() if line.startswith(f"from {package} import")]
        speaks = f"from {name} import" in text or any(stem in line.split() for line in " ".join(lines).split(","))
        kept = own if test.name == f"test_{stem}.py" else near if speaks else far
        kept.append(test.relative_to(top).as_posix())
    return own + near, far


def outcome(copied: Path, mutant: Mutant) -> bool:
    """True if some test notices this mutant."""
    target = copied / mutant.path
    source = target.read_text("utf-8")
    near, far = near_and_far(copied, mutant.path)
    try:
        _write(target, code_of(source, mutant.number))
        return any(fails(copied, tests, limit) for tests, limit in ((near, NEAR_S), (far, ALL_S)) if tests)
    finally:
        _write(target, source)


def _write(target: Path, code: str) -> None:
    """Also drops what Python compiled before: within one second it would take it for the new code."""
    target.write_text(code, "utf-8")
    for compiled in (target.parent / "__pycache__").glob(f"{target.stem}.*.pyc"):
        compiled.unlink()


def fails(copied: Path, tests: list[str], limit_s: float) -> bool:
    """True if one of these tests fails or none of them ends in time."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", QUICK, *tests]
    env = {**os.environ, "HYPOTHESIS_PROFILE": "quick"}
    try:
        done = subprocess.run(command, cwd=copied, env=env, capture_output=True, timeout=limit_s, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def equivalent() -> set[str]:
    """Keys of mutants that mean the same: lines of `key # reason`."""
    lines = EQUIVALENT.read_text("utf-8").splitlines() if EQUIVALENT.exists() else []
    return {line.split(" # ")[0].strip() for line in lines if line and not line.startswith("#")}


def chosen(places: list[str], number: int, seed: int) -> list[Mutant]:
    """A sample of all mutants, or of those at these places: `path` or `path:line`."""
    found = [m for path in modules() for m in mutants_of(path, (ROOT / path).read_text("utf-8"))]
    same = equivalent()
    for gone in sorted(same - {m.key for m in found}):
        print(f"no such mutant any more: {gone}")
    found = [m for m in found if m.key not in same]
    if places:
        found = [m for m in found if m.path in places or f"{m.path}:{m.line}" in places]
    return Random(seed).sample(found, k=min(number, len(found)))


def survivors_of(mutants: list[Mutant], jobs: int) -> list[Mutant]:
    """Those that no test notices, printed as they are found."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        free = SimpleQueue[Path]()
        for number in range(jobs):
            copied = Path(folder) / str(number)
            shutil.copytree(ROOT, copied, ignore=shutil.ignore_patterns(*NOT_COPIED))
            free.put(copied)

        def survives(mutant: Mutant) -> bool:
            copied = free.get()
            try:
                return not outcome(copied, mutant)
            finally:
                free.put(copied)

        with ThreadPoolExecutor(jobs) as pool:
            running = {pool.submit(survives, mutant): mutant for mutant in mutants}
            found = []
            for done in as_completed(running):
                if done.result():
                    found.append(running[done])
                    print(f"survived  {running[done]}", flush=True)
    return found


def main() -> int:
    """0 if the share that was noticed is within the bar, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("places", nargs="*", help="a module, or module:line; all modules of the core if none is given")
    parser.add_argument("-n", "--number", type=int, default=100, help="how many mutants are tried (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default 0)")
    parser.add_argument("--jobs", type=int, default=2, help="tried at once (default 2)")
    flags = parser.parse_args()
    start, mutants = time.monotonic(), chosen(flags.places, flags.number, flags.seed)
    if not mutants:
        parser.error("there is no mutant at these places")
    share = 1 - len(survivors_of(mutants, flags.jobs)) / len(mutants)
    minutes = (time.monotonic() - start) / 60
    print(f"{share:.1%} of {len(mutants)} mutants noticed (bar: {BAR:.0%}), in {minutes:.0f} min; seed {flags.seed}")
    return 0 if share >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
