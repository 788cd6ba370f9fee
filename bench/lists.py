"""CPU of a visit to lists of many debates: `python -m bench.lists [N]`, with 10,000 debates if N is not given.

Makes an SQLite file of short debates with two seats, most of them signed, then lists, searches and counts them: first
in a database without kept rows, then by a new host that finds them, each time twice. The pages come last, each visited
again in a simulated browser.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from unittest.mock import patch

from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import advance, open_debate, requests
from debate_core.host.access.reading import OPERATOR
from debate_core.host.debate_list import DebateRow, matching_rows
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import Store, open_store
from debate_core.record.acts import Signed
from debate_core.record.commands import Act, TakeTurn
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.report.facts.cross_debate_metrics import metrics
from debate_core.report.facts.track_record import track_record
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import BOUNDED_VOTE
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat

DEBATES, UNSIGNED = 10_000, 500
"""One debate in UNSIGNED has no signature, and one was never held."""
WORDS = [
    "queue",
    "cache",
    "outbox",
    "ledger",
    "table",
    "schema",
    "index",
    "shard",
    "proxy",
    "token",
    "budget",
    "vendor",
    "window",
    "region",
]
SEARCH = "proxy outbox"
ROUTER = Path(__file__).parents[1] / "pages" / "_router.py"
VISITS = 3
"""Visits to a page that is open already, of which the fastest counts: other work on the machine only adds to them."""


def play(number: int, rng: Random) -> list[Event]:
    """The record of one debate."""
    options = tuple(rng.sample(WORDS, 2))
    question = f"Which {rng.choice(WORDS)} for the {rng.choice(WORDS)} of {rng.choice(WORDS)} {number}?"
    seats = tuple(Seat(id=seat, occupant="human") for seat in "ab")
    spec = Spec(question=question, options=options, seats=seats, protocol=BOUNDED_VOTE, max_rounds=1)
    at = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=number)
    events = list(open_debate(spec, debate_id=f"d-{number:06}", at=at))
    state = replay(events)
    while number % UNSIGNED and (asked := requests(state)):
        claim = Claim(text=f"The {rng.choice(WORDS)} is fine.")
        content = Argument(rationale="It is said.", claims=(claim,), vote=rng.choice(options))
        taken, state = advance(state, TakeTurn(by=asked[0].seat, request=asked[0].id, content=content), at=at)
        events += taken
    if number % UNSIGNED > 1:
        decision = state.outcome.decision if state.outcome else None
        option = decision if decision in options else options[0]
        signed = Signed(verdict="accept", option=option, reason="It fits.")
        events += advance(state, Act(by="me", act=signed), at=at + timedelta(hours=1))[0]
    return events


def told(name: str, act: Callable[[], object]) -> str:
    """Do this; returns a line with its CPU in milliseconds."""
    start = time.process_time()
    act()
    return f"  {name:34} {(time.process_time() - start) * 1000:8.0f} ms"


def visits(store: Store) -> Iterator[str]:
    """Yield a line for each list, by a new host and then again."""
    host = Host(store, HostOptions(worker="none"))

    def over() -> list[DebateRow]:
        return [row for row in host.debates_for({}, OPERATOR) if row.sign_off.signed]

    def count() -> None:
        facts = [figures.facts for figures in host.figures(over()).values() if figures.facts]
        metrics(facts)
        track_record(facts)

    for times in ("first", "again"):
        yield told(f"list, {times}", lambda: host.debates_for({}, OPERATOR))
        yield told(f"list and search, {times}", lambda: matching_rows(host.debates_for({}, OPERATOR), SEARCH))
        yield told(f"read the figures, {times}", lambda: host.figures(over()))
        yield told(f"track record, {times}", count)


def page_visits() -> Iterator[str]:
    """Yield a line for each page of a browser without cookies, which shows the debates of DEBATE_DB."""

    def again(name: str) -> str:
        app.run()
        assert not app.exception, app.exception
        return min(told(name, app.run) for _ in range(VISITS))

    with patch.object(ContextProxy, "cookies", {}):
        app = AppTest(ROUTER, default_timeout=600).run()
        yield again("Home")
        app.text_input(key="home_search").set_value(SEARCH).run()
        yield again("Home with a search")
        app.switch_page("metrics.py").run()
        yield again("Track record")
        app.switch_page("decisions.py").run()
        yield again("Decisions")
        app.text_input(key="decisions-words").set_value(SEARCH).run()
        yield again("Decisions with a search")
        app.segmented_control(key="decisions-mode").set_value("texts").run()
        yield again("Search in all texts")


def main() -> None:
    """Print the figures."""
    n, rng = int(sys.argv[1]) if sys.argv[1:] else DEBATES, Random(1)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'debates.db'}"
        with closing(open_store(url)) as store:
            for number in range(n):
                events = play(number, rng)
                store.append(events[0].debate, events, after=0)
        for kept in ("without kept rows", "with kept rows"):
            print(f"{n} debates, {kept}")
            with closing(open_store(url)) as store:
                for line in visits(store):
                    print(line, flush=True)
        os.environ |= {"DEBATE_DB": url, "DEBATE_WORKER": "none"}
        print(f"{n} debates, pages")
        for line in page_visits():
            print(line, flush=True)


if __name__ == "__main__":
    main()
