"""Effect of the order of the options on the votes of a real model: of one seat, and of a panel whose seats read turns.

Two seats vote once on each question, in both orders of its options, without reading each other. The first seat reads
the options in the agreed order, as every seat would without the rotation of options; the second reads them reversed. A
panel of two seats that support different options has no top choice.
`python -m bench.option_order --base-url URL --model NAME` prints a line for each question, and JSON at the end.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Sequence
from functools import partial

from debate_core.engine.engine import open_debate
from debate_core.host.runner import now, run
from debate_core.host.stores.memory import MemoryStore
from debate_core.seats.model import model_fillers
from debate_core.spec.models import ModelLine, Price
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Ballot, Seat

QUESTIONS = (
    ("Which database should the order service use?", "PostgreSQL", "MongoDB"),
    ("How should the mobile app be built?", "native", "cross-platform"),
    ("Where should the nightly reports run?", "cloud", "own servers"),
    ("How should the services talk to each other?", "REST", "gRPC"),
    ("How should we release the new checkout?", "all at once", "in stages"),
    ("Who should own the deployment scripts?", "platform team", "product teams"),
    ("How should we store the audit log?", "append-only file", "database table"),
    ("Which should come first?", "refactoring", "new features"),
)
DEADLINE_S = 1_800
MAX_TOKENS = 160
Votes = tuple[str | None, str | None]


def votes(line: ModelLine, question: str, options: Sequence[str]) -> Votes:
    """Return the votes of both seats; None without a ballot for an option."""
    seats = [Seat(id=name, occupant="model", model=line.id) for name in ("first", "second")]
    spec = compose(question, options, protocol("self_consistency"), seats, models=[line])
    store = MemoryStore()
    store.append("order", open_debate(spec, debate_id="order", at=now()), after=0)
    state = asyncio.run(run("order", store, partial(model_fillers, keys={}, deadline_s=DEADLINE_S)))
    first, second = [_choice(state.ballots.get(seat.id), options) for seat in seats]
    return first, second


def _choice(ballot: Ballot | None, options: Sequence[str]) -> str | None:
    return ballot.choice if ballot is not None and ballot.choice in options else None


def top(cast: Votes) -> str | None:
    """Return the option that both support."""
    return cast[0] if cast[0] == cast[1] else None


def measure(line: ModelLine, questions: Sequence[tuple[str, str, str]]) -> dict[str, int]:
    """Count how often swapping the options changed the vote of one seat, and the top choice of a panel of two."""
    began_s = time.monotonic()
    pairs = list[tuple[Votes, Votes]]()
    for question, one, other in questions:
        there = votes(line, question, (one, other))
        back = votes(line, question, (other, one))
        pairs.append((there, back))
        print(f"{question} {one} first: {there}; {other} first: {back}", flush=True)
    heard = [(there, back) for there, back in pairs if None not in (*there, *back)]
    tops = [(top(there), top(back)) for there, back in heard]
    in_both = [(one, other) for one, other in tops if one and other]
    return {
        "questions": len(pairs),
        "questions with all four votes": len(heard),
        "one seat: votes that turned": sum(there[0] != back[0] for there, back in heard),
        "two seats: top choices that turned": sum(one != other for one, other in in_both),
        "two seats: no top choice in one order or in both": len(tops) - len(in_both),
        "seconds": round(time.monotonic() - began_s),
    }


def main() -> None:
    """Ask the model, and print the results."""
    parser = argparse.ArgumentParser(description="What the order of the options does to the votes of a real model.")
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--questions", type=int, default=len(QUESTIONS))
    given = parser.parse_args()
    line = ModelLine(
        id="line",
        model=given.model,
        provider="local",
        dialect="chat",
        base_url=given.base_url,
        price=Price(input="0", output="0"),
        max_tokens=MAX_TOKENS,
        deadline_s=DEADLINE_S,
        temperature="0",
    )
    print(json.dumps(measure(line, QUESTIONS[: given.questions]), indent=1))


if __name__ == "__main__":
    main()
