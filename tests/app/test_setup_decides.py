"""Every combination of protocol, format, panel and decider that set-up offers can end in a decision, or is refused.

Each is played by the steps that the desk of the facilitator offers: the evidence panel by its own code, everything
else as a script says, the votes by three voters.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import get_args

import pytest

from debate_core.engine import preparation, stage
from debate_core.engine.next_step import next_step
from debate_core.engine.seat_view import View, view
from debate_core.engine.validate_content import read_content
from debate_core.record.acts import OptionsAgreed
from debate_core.record.commands import AnyCommand, TakeTurn
from debate_core.record.state import Request
from debate_core.seats import fillers_for
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import CountedRule, Majority
from debate_core.spec.values import Source
from debate_core.ui.setup.draft import Decides, HolderDraft, OfficeDraft, RoomDraft, SetupDraft, example, human_seats
from debate_core.ui.setup.mapping import spec_from
from debate_core.ui.setup.people import WORKSHOPS, Workshop, of_workshop
from debate_core.ui.setup.readiness import problem
from tests.playing import Played
from tests.rehearsing import said_by

OPTIONS = ("adopt", "defer")
NOTE = Source(
    id="E1",
    title="A note on the store",
    text="\n\n".join(f"To adopt the store took the team number {n} two weeks of work and a review." for n in range(20)),
)
LINE = ModelLine(id="m", model="m", provider="p", family="f", dialect="chat")
VOTERS = ("Ana", "Bo", "Cy")
FACILITATOR = "p-1"
Seating = Callable[[SetupDraft], SetupDraft]


def as_suggested(draft: SetupDraft) -> SetupDraft:
    return draft


def all_quote(draft: SetupDraft) -> SetupDraft:
    return seated(draft, lambda _place: "offline")


def people_sit(draft: SetupDraft) -> SetupDraft:
    return seated(draft, lambda _place: "human")


def models_sit(draft: SetupDraft) -> SetupDraft:
    offices = tuple(office.model_copy(update={"who": "model", "model": "m"}) for office in draft.all_offices())
    return seated(draft, lambda _place: "model").model_copy(update={"offices": offices})


def one_quotes_among_models(draft: SetupDraft) -> SetupDraft:
    return seated(draft, lambda place: "model" if place else "offline")


def seated(draft: SetupDraft, who: Callable[[int], str]) -> SetupDraft:
    seats = tuple(
        seat.model_copy(update={"who": who(place), "model": "m" if who(place) == "model" else ""})
        for place, seat in enumerate(draft.panel())
    )
    return draft.model_copy(update={"seats": seats, "lines": (LINE,)})


def drafted(name: str, workshop: Workshop | None, seat: Seating, decides: Decides) -> SetupDraft:
    """Make the draft of set-up with these four choices."""
    draft = example("Should we adopt the store?", OPTIONS).model_copy(update={"sources": (NOTE,), "protocol": name})
    agreed = {"on": True, "name": "Fay", "decides": decides, "listed": "\n".join(f"{v}, voter" for v in VOTERS)}
    room = (of_workshop(workshop) if workshop else SetupDraft()).room.model_copy(update=agreed)
    draft = seat(draft.model_copy(update={"room": room}))
    if workshop:
        draft = draft.model_copy(update={"rounds": workshop.rounds_of(draft)})
    held = () if draft.rules().paired else [s for s in human_seats(draft) if s.role == "debater"]
    holders = tuple(HolderDraft(seat=s.id, name=f"Holder of {s.id}") for s in held)
    return draft.model_copy(update={"room": draft.room.model_copy(update={"holders": holders})})


def played(spec: Spec, loop: asyncio.Runner) -> Played:
    """The whole debate, until the facilitator has no step left but the decision."""
    held = Played(spec)
    while True:
        state = held.state
        waits = state.paused is not None or state.outcome is not None
        if (poll := stage.open_poll(state)) and not poll.ballots:
            for person in stage.present(state):
                if person.electorate:
                    held.ballot(person, poll.id, OPTIONS[0])
        elif not waits:
            held.do(answer(held, held.requests()[0], loop))
        elif (step := next_step(state, FACILITATOR)) is None:
            # Only the list of options that the room collects is no step but a form.
            assert preparation.options_are_open(state), state.paused
            held.act(state.room.people[FACILITATOR], OptionsAgreed(options=OPTIONS))
        elif step.command is None:
            return held
        else:
            held.do(step.command)


def answer(held: Played, request: Request, loop: asyncio.Runner) -> AnyCommand:
    seat = held.state.spec.seat(request.seat)
    seen = view(held.state, request)
    if seat.occupant == "offline":
        filler = fillers_for(held.state, script=None, pace_cps=0)[seat.id]
        return loop.run(filler(request, seen, lambda *_: None))
    by = seat.id if seat.is_model else stage.speaks_for(held.state, seat.id)[0]
    content = read_content(
        held.state.spec, request.gives, said(held, request, seen), asks_ballot=bool(seen.ballot_options)
    )
    return TakeTurn(by=by, request=request.id, content=seen.names.real(content))


def said(held: Played, request: Request, seen: View) -> object:
    if request.gives == "review":
        return {"marks": [{"claim_id": i, "reading": "supports", "option": OPTIONS[0]} for i in seen.to_review]}
    if request.gives == "screening":
        return {"reason": "all can work", "struck": []}
    if request.gives == "candidates":
        return {"reason": "one more", "candidates": [{"name": f"way {request.round}"}]}
    better = min(seen.options, key=held.state.spec.options.index) if seen.phase.paired else OPTIONS[0]
    debaters = [seat.id for seat in held.state.spec.without_stance()] if request.gives == "positions" else seen.speakers
    return said_by(request.gives, debaters, better)


FORMATS = (None, *WORKSHOPS)
SEATINGS = (as_suggested, all_quote, people_sit, models_sit, one_quotes_among_models)


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.Runner]:
    """One loop for all answers, because each loop starts threads."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_offered_combination_ends_in_decision(name: str, loop: asyncio.Runner):
    debates: dict[Spec, Played] = {}
    for workshop in FORMATS:
        for seat in SEATINGS:
            for decides in get_args(Decides):
                draft = drafted(name, workshop, seat, decides)
                case = (workshop and workshop.minutes, seat.__name__, decides)
                if fault := problem(draft):
                    # Only code that quotes can be the reason, and never what set-up suggests.
                    assert seat is not as_suggested, case
                    assert "evidence panel" in fault, (*case, fault)
                    assert any(s.who == "offline" for s in draft.panel()), case
                    assert decides == "debaters" or draft.rules().paired, case
                    continue
                # Choices that come to the same debate give the same course.
                spec = spec_from(draft)
                held = debates[spec] = debates.get(spec) or played(spec, loop)
                assert stage.final_decision(held.state).option == OPTIONS[0], case
                advice = held.outcome()
                is_counted = isinstance(held.state.spec.protocol.decide, CountedRule)
                if is_counted and seat in (as_suggested, all_quote):
                    assert advice.decision == OPTIONS[0] or not advice.tally.cast, case


def changed(**changes: object) -> SetupDraft:
    return example("Should we adopt it?", OPTIONS).model_copy(update=changes)


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (changed(chair=False), "no person marks its passages: let someone mark them"),
        (changed(rounds=1), "too few ballots follow after that: add a round"),
        (changed(decide=Majority(ballots_in_a_row=2), rounds=2), "too few ballots follow after that: add a round"),
        (changed(protocol="society", seats=changed().panel()), "society has no phase for that"),
        (
            changed(protocol="deliberation", offices=(OfficeDraft(role="synthesiser", who="offline"),)),
            "a program cannot choose an option: seat a person or a model as synthesiser",
        ),
    ],
)
def test_seats_that_cannot_decide_are_refused(draft: SetupDraft, words: str):
    assert words in (problem(draft) or "")
    assert problem(draft.model_copy(update={"room": RoomDraft(on=True, name="Fay")})) is None
