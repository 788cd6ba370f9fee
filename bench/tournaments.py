"""Quality and time of tournament rankings: `python -m bench.tournaments [--data FOLDER] [--runs N]`.

Prints three figures, and exits with 1 if one misses its bar:

- Kendall's tau between the ranking by 12 comparisons per item and the ranking by all votes of people on real arguments
  (FOLDER has `pairwise/ukp_votes.csv`; the votes are not part of this project).
- The share of the best tenth of 64 simulated items that 13 comparisons per item find.
- The wall time of 30 candidates over its critical path, on a server with a latency of 500 ms and eight parallel calls.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import ceil, exp, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev

from debate_core.engine.count.bradley_terry import Contest, bradley_terry
from debate_core.engine.count.pair_selection import next_pairs
from debate_core.engine.engine import open_debate
from debate_core.evaluation.judges import pair_votes, tau_of_votes
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import now, run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.events import PhaseBegan
from debate_core.seats.model import model_fillers
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from tests.model_server import ModelServer

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SPREAD = 2.0
"""Standard deviation of the simulated log-strengths: of 64 items only neighbours are hard to distinguish."""
LATENCY_S = 0.5
AT_ONCE = 8


def best_found(items: int, seed: int, *, top: int, per_item: int = 13) -> float:
    """Return the share of the `top` best simulated items among the final `top`."""
    rng = Random(seed)
    true = {f"o{n}": rng.gauss(0, SPREAD) for n in range(items)}
    contests: list[Contest] = []
    while len(contests) < per_item * items:
        for a, b in next_pairs([*true], contests, top=top, seed=f"{seed}:{len(contests)}"):
            contests.append((a, b, float(rng.random() < 1 / (1 + exp(true[b] - true[a])))))
    best = set(_first(true, top))
    return len(best & set(_first(bradley_terry(contests).strengths, top))) / top


def _first(strengths: Mapping[str, float], top: int) -> Sequence[str]:
    return sorted(strengths, key=lambda item: -strengths[item])[:top]


def over_critical_path() -> float:
    """Return the wall time of a tournament of 30 candidates over the time of its calls, eight at a time."""
    with ModelServer(latency_s=LATENCY_S) as server:
        fields = {"id": "m1", "model": "small-model", "provider": "local", "dialect": "chat", "parallel": AT_ONCE}
        asked = ModelLine.model_validate({**fields, "base_url": server.base_url("chat")})
        seats = [Seat(id=name, model="m1") for name in ("ana", "ben", "cid")]
        names = [f"design {n}" for n in range(30)]
        spec = compose("Which?", names, protocol("tournament"), seats, models=(asked,), max_rounds=24)
        store = MemoryStore()
        store.append("d1", open_debate(spec, debate_id="d1", at=now()), after=0)
        began = time.perf_counter()
        asyncio.run(run("d1", store, partial(model_fillers, keys={}, deadline_s=30), RunOptions(deadline_s=30)))
        took = time.perf_counter() - began
        waves = [len(e.body.speakers) for e in store.load("d1") if isinstance(e.body, PhaseBegan)]
        return took / (LATENCY_S * sum(ceil(wave / AT_ONCE) for wave in waves))


def _mean(found: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    return fmean(found), stdev(found) / sqrt(len(found)) if len(found) > 1 else 0.0


def figures(folder: Path, runs: int) -> Iterator[tuple[str, tuple[float, float], float, bool]]:
    """Yield (name, value with standard error, bar, whether the bar is an upper bound)."""
    if (folder / "pairwise").exists():
        taus = [tau_of_votes(votes, seed) for votes in pair_votes(folder).values() for seed in range(runs)]
        yield f"tau at 12 comparisons an item, people's votes ({len(taus)} runs)", _mean(taus), 0.78, False
    found = [best_found(64, seed, top=6) for seed in range(runs)]
    yield f"best tenth of 64 found at 13 an item, simulated ({runs} runs)", _mean(found), 0.9, False
    yield "wall clock of 30 candidates over the critical path", (over_critical_path(), 0.0), 1.15, True


def main() -> int:
    """Print each figure beside its bar."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--runs", type=int, default=100)
    flags = parser.parse_args()
    missed = 0
    for name, (measured, error), bar, most in figures(flags.data, flags.runs):
        met = measured <= bar if most else measured >= bar
        missed += not met
        print(
            f"{name:72} {measured:.3f} ± {error:.3f}  {'≤' if most else '≥'} {bar}  {'met' if met else 'MISSED'}",
            flush=True,
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
