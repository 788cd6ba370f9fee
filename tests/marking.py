"""A room whose evidence panel quotes four passages of a document: Ann, Ben and Gus have votes, Fay leads and chairs."""

from collections.abc import Sequence
from typing import Any

from debate_core.engine.passages import passages_of
from debate_core.record.acts import MarksRevealed, PassageMarked
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person, Room
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Spec
from debate_core.spec.values import ABSTAIN, Seat, Source
from tests.people import ANN, BEN, FAY, GUS, JUNE, OLA, OPTIONS
from tests.playing import Played

PASSAGES = (
    "The store costs 300 dollars a month.",
    "An outage stops every order.",
    "A rollback takes two days.",
    "The licence is free for a year.",
)
NOTE = Source(
    id="E1",
    title="A note on the store",
    text="# Note\n\n## Costs\n\n" + "\n\n".join(PASSAGES[:2]) + "\n\n## Risks\n\n" + "\n\n".join(PASSAGES[2:]),
)
CHAIR = Person(id=FAY.id, name="Fay", role="facilitator", seats=("chair",))
PANEL = (
    Seat(id="cost", occupant="offline"),
    Seat(id="risk", occupant="offline"),
    Seat(id="chair", role="chair", occupant="human"),
)
IDS = ("cost.1.1", "cost.1.2", "risk.1.1", "risk.1.2")
"""The claims, in the order of PASSAGES."""


def marking_spec(note: Source = NOTE, seats: Sequence[Seat] = PANEL, **agreed: Any) -> Spec:
    """The expert panel with two offline seats, and a room that decides."""
    people = (CHAIR, ANN, BEN, GUS, JUNE, OLA)
    room = Room(**{"people": people, "decides": "room", "pre_vote": "none", **agreed})
    spec = compose("Which store?", OPTIONS, protocol("expert_panel"), seats, sources=(note,), max_rounds=2)
    return spec.model_copy(update={"room": room})


def quoted(note: Source = NOTE, seats: Sequence[Seat] = PANEL, **agreed: Any) -> Played:
    """Each offline seat has quoted two passages in the first round, and no one has marked one."""
    held = Played(marking_spec(note, seats, **agreed)).go_on()
    passages = [passage.text for passage in passages_of(note)] if note != NOTE else PASSAGES
    for _ in range(2):
        seat = held.requests()[0].seat
        mine = passages[:2] if seat == "cost" else passages[2:]
        claims = tuple(Claim(text=text, source_id="E1", quote=text) for text in mine)
        held.say(Argument(rationale="It quotes.", vote=ABSTAIN, claims=claims))
    return held


def marked(claim_id: str, words: str) -> PassageMarked:
    """`supports adopt`, `neutral`, `skipped`."""
    reading, _, option = words.partition(" ")
    return PassageMarked.model_validate({"claim_id": claim_id, "reading": reading, "option": option or None})


def crowd(reads: Sequence[str]) -> Played:
    """A room of as many voters, each with what they read in eight passages: `0` = for adopt, `1` = for defer."""
    passages = [f"The store took {n} days to repair in the last year." for n in range(2, 10)]
    voters = tuple(Person(id=f"p-{n}", name=f"Voter{n}", role="voter", electorate="room") for n in range(len(reads)))
    spec = marking_spec(people=(CHAIR, *voters))
    source = Source(id="E1", title="A note on the store", text="\n\n".join(passages))
    held = Played(spec.model_copy(update={"sources": (source,)})).go_on()
    for quotes in (passages[:4], passages[4:]):
        claims = tuple(Claim(text=text, source_id="E1", quote=text) for text in quotes)
        held.say(Argument(rationale="It quotes.", vote=ABSTAIN, claims=claims))
    for voter, read in zip(voters, reads, strict=True):
        for claim_id, option in zip(held.state.claims, read, strict=True):
            held.act(voter, marked(claim_id, ("supports adopt", "supports defer")[int(option)]))
    return held.act(FAY, MarksRevealed())
