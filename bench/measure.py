"""Costs of the program on this machine: `python -m debate_core bench`, `make bench`.

Every figure is a plain number; the bars are the project's. `engine` measures without models, `models` against the
fault server of the tests, which only a checkout has.
"""

import sys
from collections.abc import Mapping

from bench import engine
from debate_core.report.files.export import dumps
from debate_core.spec.values import Json

BARS: Mapping[str, float] = {
    "cpu_ms_per_turn": 0.15,
    "wall_overhead_ms_per_turn": 1,
    "replay_1000_turns_ms": 80,
    "storage_ratio": 2,
    "core_import_cpu_s": 0.3,
    "span_ratio": 1.10,
    "span_ratio_2s": 1.01,
    "reconnect_extra_calls": 0,
    "first_token_to_room_ms": 400,
    "tokens_paid_responses": 0.38,
    "tokens_paid_messages": 0.34,
    "tokens_paid_chat": 0.32,
}
"""Upper bounds; figures without a bound are only printed."""
FLOORS: Mapping[str, float] = {"prefix_share": 0.75}
"""Lower bounds."""


def measure() -> dict[str, float]:
    """Measure every figure that is possible here."""
    figures = engine.measure()
    try:
        from bench import models
    except ModuleNotFoundError as error:
        if error.name not in ("tests", "tests.model_server"):
            raise
        print("figures of models are left out: there is no tests/model_server.py here", file=sys.stderr)
        return figures
    return {**figures, **models.measure()}


def main(*, as_json: bool) -> int:
    """Print the figures; returns 0 if every bar is met, else 1."""
    figures = measure()
    if as_json:
        told: Json = figures
        print(dumps(told), end="")
    else:
        for name, value in figures.items():
            print(f"{name:28} {value:10.3f}{_bar(name)}")
    return 0 if all(holds(name, value) for name, value in figures.items()) else 1


def holds(name: str, value: float) -> bool:
    """True if this figure meets its bar or has none."""
    return FLOORS.get(name, value) <= value <= BARS.get(name, value)


def _bar(name: str) -> str:
    if name in BARS:
        return f"  (bar: at most {BARS[name]:g})"
    return f"  (bar: at least {FLOORS[name]:g})" if name in FLOORS else ""
