"""CPU of visits to the pages of large debates: `python -m bench.large [turns] [votes] [options]`.

Plays debates of 10 to 1,000 turns with people in a room, polls of 500 people under each rule, and tournaments of 20
and 200 options, and keeps them in an SQLite file. Each page is visited twice by a simulated browser: first on a new
host, which has derived nothing of this debate, then again. A smaller debate comes first, because it imports the code.
"""

import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import get_args
from unittest.mock import patch

from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from bench.lists import ROUTER, VISITS
from bench.page_debates import EVENTS, QUOTES
from debate_core.host.host import reset_shared_host
from debate_core.host.stores import open_store
from debate_core.record import acts
from debate_core.record.state import Request
from debate_core.report.facts.repetition import kept_comparison
from debate_core.spec.contents import Argument, Claim, Verdict
from debate_core.spec.people import Person, Room
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Driver, Phase, Protocol, Rounds, Spec
from debate_core.spec.rules import (
    CountedRule,
    Elected,
    ElectedKind,
    MaxRounds,
    Plurality,
    Threshold,
    ballot_kind,
)
from debate_core.spec.values import Given, Seat, Source
from debate_core.ui.kit import accounts
from tests.people import ABE, FAY, JOE, JUNE
from tests.playing import Played

OPTIONS = ("Outbox table", "Change data capture", "Publish with retries")
SEATS = tuple(f"seat_{letter}" for letter in "abcde")
HOLDERS = tuple(
    Person(id=f"p-d{n}", name=f"Debater {n}", role="debater", seats=(seat,)) for n, seat in enumerate(SEATS)
)
PHASES = 4
TURNS = (10, 100, 400, 1_000)
VOTERS, MANY_VOTERS = 12, 500
COMPARED = (20, 200)
DRIVERS = (Driver(name="No loss", weight=60), Driver(name="Delay", weight=40))
TABS = ("Overview", "Votes", "Evidence", "Transcript", "Judges", "Process", "Files")
Page = tuple[str, str, Mapping[str, str], Person | None]
"""Name in the table, file of the page, parameters of the address, and its viewer."""
_RNG = Random(1)
_SYLLABLES = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
_WORDS = ["".join(_RNG.choices(_SYLLABLES, k=3)) for _ in range(3_000)]
_WEIGHTS = [1 / (rank + 3) for rank in range(len(_WORDS))]


def sentence() -> str:
    """Make a sentence of twelve words, common ones and rare ones."""
    return " ".join(_RNG.choices(_WORDS, _WEIGHTS, k=12)).capitalize() + "."


def said(request: Request) -> Argument:
    """Build a turn of about 900 characters with three claims and a vote; the first claim has a quote."""
    first = Claim(text=sentence(), quote=_RNG.choice(QUOTES), source_id="order-events")
    claims = (first, *(Claim(text=sentence()) for _ in range(2)))
    vote = OPTIONS[(int(request.seat[-1], 16) + request.round // 5) % len(OPTIONS)]
    return Argument(rationale=" ".join(sentence() for _ in range(10)), vote=vote, claims=claims)


def workshop(turns: int, voters: int, rule: CountedRule) -> Spec:
    """Agree on a debate of five people in as many rounds as the turns need; the room decides."""
    phases = min(PHASES, turns // len(SEATS))
    rounds = turns // (phases * len(SEATS))
    rules = Protocol(
        name="own",
        each_round=tuple(Phase(name=f"part_{n}", order="in_turn" if n else "at_once") for n in range(phases)),
        stop=(MaxRounds(),),
        decide=Threshold(votes=3),
        rounds=Rounds(default=rounds, warn_above=rounds, hard_max=rounds),
    )
    room = tuple(Person(id=f"p-v{n}", name=f"Voter {n}", electorate="room") for n in range(voters))
    return Spec(
        question="How do we publish order events from Checkout?",
        options=OPTIONS,
        seats=tuple(Seat(id=seat, occupant="human") for seat in SEATS),
        protocol=rules,
        max_rounds=rounds,
        drivers=DRIVERS,
        room=Room(people=(FAY, JUNE, JOE, ABE, *HOLDERS, *room), decides="room", vote=rule, hold="none"),
        sources=(Source(id="order-events", title="Order events", text=EVENTS),),
    )


def speak(held: Played, turns: int) -> None:
    """Let the people speak this often."""
    holders = {person.seats[0]: person.id for person in HOLDERS}
    for _ in range(turns):
        request = held.requests()[0]
        held.say(said(request), by=holders[request.seat])


def live(turns: int, voters: int = VOTERS) -> Played:
    """Play a workshop until its last turn is asked for."""
    held = Played(workshop(turns, voters, Plurality()), f"live-{turns}")
    ballots(held, "pre")
    held.go_on()
    speak(held, turns - 1)
    return held


def ended(turns: int, voters: int, rule: CountedRule) -> Played:
    """Play a workshop to its end, with judgements, a final vote of all, and a signature."""
    held = Played(workshop(turns, voters, rule), f"over-{turns}-{voters}-{rule.kind}".replace("_", "-"))
    ballots(held, "pre")
    held.go_on()
    speak(held, turns)
    for judge in (JUNE, JOE):
        shares = tuple(acts.Believed(option=o, percent=p) for o, p in zip(OPTIONS, (50, 30, 20), strict=True))
        last = held.state.current_round()
        held.act(judge, acts.BeliefReported(round=last, beliefs=shares, final=True, explanation="As it was said."))
    ballots(held, "final")
    held.act(FAY, acts.PollRevealed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="pre"))
    held.act(ABE, acts.Signed(verdict="accept", option=OPTIONS[0], owner="Ola", reason="It loses no order."))
    return held


def ballots(held: Played, poll: str) -> None:
    """Open a poll, cast a ballot of each voter, and close it."""
    held.act(FAY, acts.PollOpened(poll=poll))
    rule = held.state.spec.terms.vote
    for person in held.state.spec.people():
        if person.electorate:
            order = _RNG.sample(OPTIONS, len(OPTIONS))
            if ballot_kind(rule) == "one":
                cast = acts.BallotCast(poll=poll, reason=sentence(), choice=order[0])
            else:
                cast = acts.BallotCast(poll=poll, reason=sentence(), given=entries(rule, order))
            held.act(person, cast)
    held.act(FAY, acts.PollClosed(poll=poll))


def entries(rule: CountedRule, order: Sequence[str]) -> tuple[Given, ...]:
    """Return the entries of a ballot on several options that prefers them in this order."""
    match ballot_kind(rule):
        case "criteria":
            points = [(option, driver.name) for option in order for driver in DRIVERS]
            return tuple(Given(option=option, points=_RNG.randint(0, 5), driver=driver) for option, driver in points)
        case "dots":
            return (Given(option=order[0], points=3), Given(option=order[1], points=2))
        case "approval":
            return tuple(Given(option=option, points=1) for option in order[:2])
        case "consent":
            return tuple(Given(option=option, points=place, reason="It costs.") for place, option in enumerate(order))
        case _:
            return tuple(Given(option=option, points=place) for place, option in enumerate(order, start=1))


def tournament(options: int, until: str) -> Played:
    """Play a tournament of three people; `live` stops in the last round."""
    names = [f"Design {n:03}" for n in range(options)]
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben", "cid")]
    spec = compose("Which design?", names, protocol("tournament"), seats, max_rounds=14)
    held = Played(spec, f"ranked-{options}-{until}")
    while asked := held.requests():
        if until == "live" and asked[0].round == spec.max_rounds:
            break
        pair = held.state.compared[asked[0].turn()]
        better = min(pair) if _RNG.random() < 0.9 else max(pair)
        held.say(Verdict(reasoning=sentence(), option=better))
    return held


def over_pages(approver: Person | None = ABE) -> list[Page]:
    """List the pages of a debate that is over, for its approver."""
    tabs: list[Page] = [(tab, "results.py", {"tab": tab}, approver) for tab in TABS]
    record: Page = ("Record", "record.py", {}, approver)
    return [*tabs, record, ("Room, over", "room.py", {}, approver), ("Wall, over", "screen.py", {}, None)]


def live_pages() -> list[Page]:
    """List the pages of a debate in progress, for people of each role."""
    voter = Person(id="p-v0", name="Voter 0", electorate="room")
    return [
        ("Room, facilitator", "room.py", {}, FAY),
        ("Room, debater", "room.py", {}, HOLDERS[-1]),
        ("Room, judge", "room.py", {}, JUNE),
        ("Phone of a voter", "room.py", {}, voter),
        ("Wall", "screen.py", {}, None),
        ("Results so far", "results.py", {}, FAY),
        ("Transcript so far", "results.py", {"tab": "Transcript"}, FAY),
    ]


COMPARING: Sequence[Page] = (
    ("Room", "room.py", {"as": "facilitator,ana"}, None),
    ("Wall", "screen.py", {}, None),
    ("Votes", "results.py", {"tab": "Votes"}, None),
)
"""The pages of a tournament in progress."""


def open_page(debate: str, page: Page) -> tuple[AppTest, float]:
    """Open a page in a new browser; return it with the CPU milliseconds of this visit."""
    name, file, address, who = page
    app = AppTest(ROUTER, default_timeout=600).run()
    for key, value in {"id": debate, **address}.items():
        app.query_params[key] = value
    app.session_state["people_here"] = {debate: who.id} if who else {}
    if "tab" in address:
        app.session_state["tab-0"] = address["tab"]
    took_ms = cpu_ms(app.switch_page(file).run)
    assert not app.exception, (debate, name, app.exception)
    return app, took_ms


def cpu_ms(visit: Callable[[], object]) -> float:
    """Return the CPU milliseconds of a visit."""
    began = time.process_time()
    visit()
    return (time.process_time() - began) * 1000


def again_ms(app: AppTest) -> float:
    """Return the CPU milliseconds of a further visit: the least of several, since other work only adds to them."""
    return min(cpu_ms(app.run) for _ in range(VISITS))


def table(title: str, debates: Sequence[str], pages: Sequence[Page]) -> Iterator[str]:
    """Yield a line for each page: for each debate the CPU milliseconds of the first visit and of a further one."""
    open_page(debates[0], pages[0])
    # As the server does after its imports, so that no visit pays for collecting them.
    gc.collect()
    gc.freeze()
    yield f"{title:18}" + "".join(f"{debate:>26}" for debate in debates)
    for page in pages:
        found = []
        for debate in debates:
            reset_shared_host()
            accounts._account.cache_clear()
            kept_comparison.cache_clear()
            app, first_ms = open_page(debate, page)
            found.append(f"{first_ms:17.0f} {again_ms(app):8.0f}")
        yield f"{page[0]:18}" + "".join(found)


def groups(wanted: Sequence[str]) -> Iterator[tuple[str, Sequence[Played], Sequence[Page]]]:
    """Yield the name of each table, its debates, and its pages."""
    if "turns" in wanted:
        yield "in progress", [live(turns) for turns in TURNS], live_pages()
        yield "over", [ended(turns, VOTERS, Plurality()) for turns in TURNS], over_pages()
    if "votes" in wanted:
        rules: list[CountedRule] = [Plurality()]
        rules += [Elected(kind=kind) for kind in get_args(ElectedKind)]
        for rule in rules:
            yield (
                rule.kind,
                [ended(TURNS[0], voters, rule) for voters in (MANY_VOTERS // 10, MANY_VOTERS)],
                over_pages(),
            )
    if "options" in wanted:
        yield "in progress", [tournament(options, "live") for options in COMPARED], COMPARING
        yield "over", [tournament(options, "over") for options in COMPARED], over_pages(None)


def main() -> None:
    """Print one table for each kind of debate."""
    with tempfile.TemporaryDirectory() as folder, patch.object(ContextProxy, "cookies", {}):
        url = f"sqlite:///{Path(folder) / 'debates.db'}"
        os.environ |= {"DEBATE_DB": url, "DEBATE_WORKER": "none"}
        for title, played, pages in groups(sys.argv[1:] or ("turns", "votes", "options")):
            with closing(open_store(url)) as store:
                for held in played:
                    store.append(held.state.debate, held.events, after=0)
            for line in table(title, [held.state.debate for held in played], pages):
                print(line, flush=True)


if __name__ == "__main__":
    main()
