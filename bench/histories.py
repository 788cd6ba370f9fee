"""Effects of process failures on a debate: `python -m bench.histories 200000`, or one seed in words.

Runs the run loop on a simulated clock, with processes that are killed and suspended; see tests/simulation. Importable
only in a checkout.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.simulation.engine_play import EnginePlay
from tests.simulation.history import Play
from tests.simulation.many import Played, play_many, told
from tests.simulation.toy import ToyPlay

CHUNK = 1_000
PLAYS: Mapping[str, Callable[[int], Play]] = {"toy": ToyPlay, "engine": EnginePlay}


def main() -> int:
    """Play the histories; 0 if all are sound, else 1. With --tell, describe one seed in words."""
    parser = argparse.ArgumentParser(prog="python -m bench.histories", description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=20_000, help="number of histories")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first seed")
    parser.add_argument("--rules", choices=PLAYS, default="toy", help="a minimal debate, or one by the engine")
    parser.add_argument("--jobs", type=int, default=2, help="number of processes")
    parser.add_argument("--tell", type=int, metavar="SEED", help="describe this history in words")
    wanted = parser.parse_args()
    if wanted.tell is not None:
        print(told(wanted.tell, PLAYS[wanted.rules]))
        return 0
    seeds = range(wanted.first, wanted.first + wanted.count)
    chunks = [seeds[at : at + CHUNK] for at in range(0, len(seeds), CHUNK)]
    began_s = time.monotonic()
    with ProcessPoolExecutor(wanted.jobs) as pool:
        found = list(pool.map(partial(play_many, play=PLAYS[wanted.rules]), chunks))
    return report(found, len(seeds), time.monotonic() - began_s)


def report(found: list[Played], count: int, took_s: float) -> int:
    """Print the results; 0 if all histories are sound, else 1."""
    counts = sum((played.counts for played in found), Counter[str]())
    wrong = {seed: what for played in found for seed, what in played.wrong.items()}
    print(
        f"{count} histories in {took_s:.1f} s, {count / took_s:.0f} a second: {len(wrong)} in which something is wrong"
    )
    print(", ".join(f"{what} {times}" for what, times in counts.most_common()))
    print("digest", *(played.digest for played in found))
    for seed, what in wrong.items():
        print(f"seed {seed}:", *what, sep="\n  ", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
