"""The same work on two revisions in turn: `python -m bench.compare REVISION`. Prints ratios of CPU time.

Each round runs every work once on the revision and once on the checkout, in alternating order, each time in a fresh
Python. A ratio below 1 means that the checkout is faster; the spread is the range of the middle half of the rounds.
Ratios hold on other machines and beside other work, milliseconds do not. With `--at-most` the command fails if the
median ratio of a work is higher.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 7
_PREPARE = """
import gc, tempfile, time
from bench import engine
from debate_core.host.stores import open_store
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.files.export import export_files

def cpu_ms(work):
    gc.collect()
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000

"""
_PLAYED = "events = engine.play_in_memory()[1]; state = replay(events); "
_STORED = (
    f"{_PLAYED}folder = tempfile.TemporaryDirectory(); store = open_store(f'sqlite:///{{folder.name}}/bench.db'); "
    "store.append('bench', events, after=0); "
)
WORKS: Mapping[str, str] = {
    "150 turns played": "print(min(engine.play_in_memory()[0] for _ in range(3)) * 1000)",
    "150 turns replayed": f"{_PLAYED}print(min(cpu_ms(lambda: replay(events)) for _ in range(5)))",
    "150 turns read, replayed": f"{_STORED}print(min(cpu_ms(lambda: replay(store.load('bench'))) for _ in range(5)))",
    "150 turns exported": f"{_PLAYED}print(cpu_ms(lambda: export_files(account(state, events), 'all')))",
    "150 turns as a page": f"{_PLAYED}print(cpu_ms(lambda: export_files(account(state, events), 'html')))",
    "150 turns, findings": f"{_PLAYED}print(cpu_ms(lambda: account(state, events).findings))",
    "import of the core": "print(engine.core_import_cpu_s() * 1000)",
}
"""Name of each work, and Python that prints its CPU time in milliseconds; it runs in a checkout of either revision."""


def main(argv: Sequence[str] | None = None) -> int:
    """Print one line per work; returns 1 if a ratio is above `--at-most`, else 0."""
    parser = argparse.ArgumentParser(prog="bench.compare", description=__doc__.split("\n", 1)[0])
    parser.add_argument("revision", help="a commit, branch or tag")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"at least 2 (default {ROUNDS})")
    parser.add_argument("--at-most", type=float, default=float("inf"), metavar="RATIO")
    parser.add_argument("--work", action="append", choices=WORKS, help="only this; may be repeated")
    flags = parser.parse_args(argv)
    if flags.rounds < 2:
        parser.error("--rounds: a spread needs at least 2")
    with tempfile.TemporaryDirectory() as name:
        try:
            check_out(flags.revision, Path(name))
        except subprocess.CalledProcessError:
            parser.error(f"there is no revision {flags.revision!r} in {ROOT}")
        ratios = compare(Path(name), ROOT, flags.work or tuple(WORKS), rounds=flags.rounds)
    return 0 if all(ratio <= flags.at_most for ratio in ratios) else 1


def check_out(revision: str, folder: Path) -> None:
    """Write the files of a revision into a folder. CalledProcessError if git does not know it."""
    # With `--` a revision that begins with a hyphen cannot be an option.
    named = ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]
    commit = subprocess.run(named, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)


def compare(before: Path, after: Path, works: Sequence[str], *, rounds: int) -> list[float]:
    """Print the median times and the median ratio of each work; returns these ratios."""
    print(f"{'work':24}{'before ms':>11}{'after ms':>11}{'ratio':>8}  spread")
    found = []
    for work in works:
        pairs = [_pair(WORKS[work], before, after, swapped=number % 2 == 1) for number in range(rounds)]
        ratios = [after_ms / before_ms for before_ms, after_ms in pairs]
        low, _, high = quantiles(ratios, n=4, method="inclusive")
        old, new = (median(times) for times in zip(*pairs, strict=True))
        print(f"{work:24}{old:11.2f}{new:11.2f}{median(ratios):8.3f}  {low:.3f} to {high:.3f}", flush=True)
        found.append(median(ratios))
    return found


def _pair(code: str, before: Path, after: Path, *, swapped: bool) -> tuple[float, float]:
    """CPU milliseconds of a work in both folders; `swapped` measures the second one first."""
    if swapped:
        after_ms = _cpu_ms(code, after)
        return _cpu_ms(code, before), after_ms
    return _cpu_ms(code, before), _cpu_ms(code, after)


def _cpu_ms(code: str, folder: Path) -> float:
    # Without -P a child would import the code of this folder, not that of its checkout.
    run = [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, '.')\n{_PREPARE}{code}"]
    return float(subprocess.run(run, cwd=folder, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    sys.exit(main())
