"""The diagrams of docs/architecture.md, drawn from what holds: the import contract, and what the engine does.

`python bench/draw.py` prints them; `python bench/draw.py write` puts them into the page. A test compares the two, so
that neither can drift from the other.
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from debate_core.engine.engine import advance, due, open_debate, requests  # noqa: E402
from debate_core.errors import RuleViolation  # noqa: E402
from debate_core.record.commands import (  # noqa: E402
    AnyCommand,
    EndWait,
    FailTurn,
    Pause,
    RaiseLimit,
    Resume,
    SetMark,
    SkipTurn,
    StartAttempt,
    Stop,
    TakeTurn,
    Truncate,
    WaitAtLimit,
)
from debate_core.record.events import Event  # noqa: E402
from debate_core.record.fold import apply, replay  # noqa: E402
from debate_core.record.state import State  # noqa: E402
from debate_core.spec.contents import Argument, Claim, Mark  # noqa: E402
from debate_core.spec.people import Person, Room  # noqa: E402
from debate_core.spec.presets import compose  # noqa: E402
from debate_core.spec.protocol import Phase, Protocol, Rounds  # noqa: E402
from debate_core.spec.rules import Ceiling, MaxRounds, Threshold  # noqa: E402
from debate_core.spec.values import Seat, Usage  # noqa: E402

PAGE = ROOT / "docs" / "architecture.md"
PACKAGE = "debate_core"

# The layers


def _rooms_of(floor: str) -> list[str]:
    return [name.strip() for name in floor.split("|")]


def layers() -> str:
    """The contracts of kind `layers` in pyproject.toml, as one Mermaid diagram; an arrow means "may import"."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    floors: Mapping[str, list[list[str]]] = {
        contract["containers"][0]: [_rooms_of(floor) for floor in contract["layers"]]
        for contract in contracts
        if contract["type"] == "layers"
    }
    lines = ["flowchart TD", *_boxes(PACKAGE, floors, indent="  "), *_arrows(PACKAGE, floors, indent="  ")]
    return "\n".join(lines)


def _boxes(container: str, floors: Mapping[str, list[list[str]]], *, indent: str) -> Iterator[str]:
    """Draw a box for each package; a package with its own contract contains the boxes of its parts."""
    for name in (name for floor in floors[container] for name in floor):
        inside = f"{container}.{name}"
        if inside in floors:
            yield f"{indent}subgraph {_node(inside)}[{name}]"
            yield from _boxes(inside, floors, indent=f"{indent}  ")
            yield from _arrows(inside, floors, indent=f"{indent}  ")
            yield f"{indent}end"
        else:
            yield f"{indent}{_node(inside)}[{name}]"


def _arrows(container: str, floors: Mapping[str, list[list[str]]], *, indent: str) -> Iterator[str]:
    """Draw arrows from each layer to the next one only: a package may import every layer below it."""
    nodes = [[_node(f"{container}.{name}") for name in floor] for floor in floors[container]]
    for upper, lower in pairwise(nodes):
        yield f"{indent}{' & '.join(upper)} --> {' & '.join(lower)}"


def _node(path: str) -> str:
    return path.removeprefix(f"{PACKAGE}.").replace(".", "_").strip("_")


# The states of a debate

AT = datetime(2026, 1, 1, tzinfo=UTC)
LATE = datetime(2026, 1, 2, tzinfo=UTC)
"""A time after the agreed wait for people."""
LEAD = Person(id="p-lead", name="Lead", role="facilitator")
CALL = Usage(calls=1, cost_usd="0")


def states() -> str:
    """Draw every transition of a debate as a Mermaid diagram, found by trying every command in every state.

    The debate is small (two seats side by side, two rounds, two attempts, one paid call) and has a room with a lobby.
    """
    steps = dict.fromkeys(step for first in _openings() for step in _explored(first))
    labels: dict[tuple[str, str], list[str]] = {}
    for before, kind, after in steps:
        labels.setdefault((before, after), []).append(kind)
    arrows = [f"  {a} --> {b}: {', '.join(sorted(kinds))}" for (a, b), kinds in sorted(labels.items())]
    return "\n".join(["stateDiagram-v2", *arrows, "  over --> [*]"])


def _openings() -> Iterator[tuple[Event, ...]]:
    protocol = Protocol(
        name="drawn",
        each_round=(Phase(name="argument", order="at_once"),),
        stop=(MaxRounds(), Ceiling(calls=1)),
        decide=Threshold(votes=2),
        rounds=Rounds(default=2),
    )
    seats = [Seat(id="a", occupant="human"), Seat(id="b", occupant="scripted")]
    for room in (None, Room(people=(LEAD,))):
        spec = compose("Which way?", ["x", "y"], protocol, seats, room=room, max_wait_s=60)
        yield open_debate(spec, debate_id="drawn", at=AT)


def _explored(opening: tuple[Event, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield all reachable transitions of this debate."""
    yield from _steps(None, opening)
    waiting, known = [replay(opening)], set[object]()
    while waiting:
        state = waiting.pop()
        if _place(state) in known:
            continue
        known.add(_place(state))
        for command in _commands(state):
            try:
                events, after = advance(state, command, at=LATE if isinstance(command, EndWait) else AT)
            except RuleViolation:
                continue
            yield from _steps(state, events)
            waiting.append(after)


def _steps(state: State | None, events: tuple[Event, ...]) -> Iterator[tuple[str, str, str]]:
    for event in events:
        before, state = _name(state), apply(state, event)
        yield before, event.kind, _name(state)


def _name(state: State | None) -> str:
    if state is None:
        return "[*]"
    if state.outcome is not None:
        return "over"
    if due(state) is not None:
        return "settling"
    return "asking" if state.paused is None else "paused"


def _place(state: State) -> object:
    """Return a key that is equal for states with the same transitions."""
    failures = sum(state.open.failures.values()) if state.open else 0
    at_limit = state.limit_met is not None
    return _name(state), len(state.all_turns()), failures, len(state.attempts), bool(state.claims), at_limit


def _commands(state: State) -> Iterator[AnyCommand]:
    """Yield a command of every kind except acts of people in the room."""
    by = LEAD.id
    yield Pause(by=by, reason="a break")
    yield Resume(by=by)
    yield Stop(by=by, reason="enough")
    yield EndWait(by="runner")
    yield RaiseLimit(by=by, to=Ceiling(calls=9), reason="more")
    if state.claims:
        yield SetMark(by=by, mark=Mark(claim_id=next(iter(state.claims)), reading="neutral"))
    for request in requests(state):
        about = {"by": request.seat, "request": request.id}
        yield StartAttempt.model_validate({**about, "reserved": CALL})
        yield Truncate.model_validate({**about, "by": by, "reserved": CALL})
        yield Truncate.model_validate({**about, "reserved": CALL})
        yield WaitAtLimit.model_validate({**about, "reserved": CALL, "reason": "a limit"})
        yield SkipTurn(by=by, request=request.id, reason="absent")
        yield FailTurn.model_validate({**about, "error": "timeout"})
        content = Argument(rationale="It pays.", claims=(Claim(text="It pays."),), vote="x")
        yield TakeTurn.model_validate({**about, "content": content})


# The page

DRAWINGS = {"layers": layers, "states": states}


def drawn(page: str) -> str:
    """Return the page with current diagrams."""
    for name, draw in DRAWINGS.items():
        head = f"<!-- bench/draw.py: {name} -->\n```mermaid\n"
        before, place, rest = page.partition(head)
        if not place:
            raise SystemExit(f"{PAGE.name} has no place for the diagram {name!r}")
        after = rest.partition("```\n")[2]
        page = f"{before}{head}{draw()}\n```\n{after}"
    return page


def main() -> None:
    """Print the diagrams, or write them into the page."""
    if sys.argv[1:] == ["write"]:
        PAGE.write_text(drawn(PAGE.read_text("utf-8")), "utf-8")
    else:
        print("\n\n".join(draw() for draw in DRAWINGS.values()))


if __name__ == "__main__":
    main()
