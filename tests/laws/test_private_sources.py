"""Laws of documents that only some seats read: no one else reads a word of them before it is quoted, or the end."""

import json
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.audit import verify
from debate_core.engine.engine import requests
from debate_core.engine.seat_view import view
from debate_core.errors import InvalidSpec
from debate_core.host.withheld import why_withheld
from debate_core.record.commands import LookUp, Resume, Stop, TakeTurn
from debate_core.record.events import dump_record, parse_record
from debate_core.record.state import Request, State
from debate_core.report.facts.account import Reader, account
from debate_core.report.facts.claim_reading import claim_readings
from debate_core.report.files.export import export_files
from debate_core.report.phrases.look_ups import look_up_lines
from debate_core.report.phrases.source_claims import each_source_sentences, private_source_sentences
from debate_core.seats.offline import quoting_turn
from debate_core.seats.prompts import prompt_for
from debate_core.spec.contents import Argument, Claim, Content, Synthesis
from debate_core.spec.people import Person
from debate_core.spec.protocol import Phase, Protocol, Sees, Spec
from debate_core.spec.rules import MaxRounds, Plurality
from debate_core.spec.values import Seat, Source
from debate_core.ui.room.live.transcript import picture
from debate_core.ui.room.live.visibility import sight_of, veil
from tests.laws.specs import ORDERS, SEEN
from tests.people import ANN, FAY, GUS, JUNE, OLA, room_spec
from tests.playing import Played
from tests.prompt_views import whole

QUOTABLE = "The quotedword broker of the vendor costs 900 dollars in every month."
GAP = "The broker lost eight messages gapword in the second month of its trial."
CUT = "The broker lost eight messages ... in the second month of its trial."
PRIVATE = (
    f"# Offer\n\n## Headingword\n\n{QUOTABLE}\n\n{GAP}\n\nNo one may read keptword about the broker before the end."
)
SECRET = ("Headingword", "gapword", "keptword")
"""Words that no quote contains."""
SOURCES = (
    Source(id="E1", title="Report", text="# Report\n\nThe old broker is slow in May, and the vendor knows about it."),
    Source(id="E2", title="Offer", text=PRIVATE, only_for=("s0", "panel_a")),
)
ADA = Person(id="p-ada", name="Ada", role="debater", seats=("s0",))
BO = Person(id="p-bo", name="Bo", role="debater", seats=("s1",))
PEOPLE = (FAY, ADA, BO, ANN, GUS, JUNE, OLA)
SEATS = (
    *(Seat(id=name, occupant="human") for name in ("s0", "s1")),
    *(Seat(id=name, occupant="offline") for name in ("panel_a", "panel_b")),
    Seat(id="synthesiser", role="synthesiser", occupant="scripted"),
)


def random_room(rng: Random) -> Spec:
    phases = []
    for name in ("opening", "reply"):
        order = rng.choice(ORDERS)
        sees = Sees(turns=rng.choice(SEEN), names=rng.choice(("stance", "seat")), shuffle=rng.random() < 0.3)
        sealed = order == "at_once" and rng.random() < 0.3
        phases.append(
            Phase(name=name, order=order, sees=sees, sealed=sealed, tools=("search_sources",), calls_per_turn=2)
        )
    protocol = Protocol(
        name="own",
        each_round=(*phases, Phase(name="sum_up", gives="synthesis", role="synthesiser")),
        stop=(MaxRounds(),),
        decide=Plurality(),
    )
    spec = room_spec(PEOPLE, seats=SEATS, blind=rng.choice(("named", "blind")))
    return spec.model_copy(update={"protocol": protocol, "sources": SOURCES})


def content_of(played: Played, request: Request, rng: Random) -> Content:
    """Any turn: quotes of both documents by their readers, and of what they have quoted by others."""
    if request.gives == "synthesis":
        return Synthesis(answer="So far.")
    seen = view(played.state, request)
    if request.seat.startswith("panel"):
        turn = quoting_turn(seen, played.state.spec.evidence_panel())
        # The panel says whole passages and their headings; here it says only those without a secret word.
        said = tuple(claim for claim in turn.claims if not any(word in claim.text for word in SECRET))
        return turn.model_copy(update={"claims": said, "rationale": "It quotes."})
    quotes = [("E1", "The old broker is slow in May")]
    if request.seat == "s0" and rng.random() < 0.5:
        quotes += [("E2", QUOTABLE), ("E2", CUT)]
    elif any(claim.quote == CUT for claim in seen.claims.values()):
        quotes += [("E2", CUT), ("E2", "The broker lost all messages in the second month of its trial.")]
    source, quote = rng.choice(quotes)
    claim = Claim(text="It is so.", source_id=source, quote=quote)
    return Argument(rationale="why", vote=rng.choice(played.state.spec.options), claims=(claim,))


def readable_by_others(state: State) -> Iterator[str]:
    """Every text that people, and seats that do not read the document, can read now."""
    for request in requests(state):
        if request.seat in ("s1", "panel_b", "synthesiser"):
            seen = view(state, request)
            yield from (whole(prompt_for(seen)), repr(seen))
    asked = [request.id for request in requests(state)]
    thinking = {i: f"I think of {' '.join(SECRET)}." for i in asked if ".s0." in i or ".panel_a." in i}
    sights = [sight_of(state, person) for person in (*PEOPLE, None)]
    pictures = {holds: picture(state, {}, holds, thinking=thinking) for holds in {sight.holds for sight in sights}}
    # Equal sights show the same.
    for sight in (sight for number, sight in enumerate(sights) if sight not in sights[:number]):
        yield json.dumps(veil(pictures[sight.holds], sight, {})[0])
    for holds in ((), ("s1",), ("s0",)):
        debate = account(state, (), Reader(holds))
        rows = [line for row in debate.turns for line in look_up_lines(debate.look_ups(row))]
        yield repr((rows, debate.claims, [reading.quoted for reading in claim_readings(debate)]))
        yield repr((each_source_sentences(debate), private_source_sentences(debate)))


def is_quoted(state: State) -> bool:
    return any("quotedword" in (claim.quote or "") for turn in state.all_turns() for claim in turn.claims)


def check_no_leak(played: Played) -> None:
    state = played.state
    hidden = SECRET if is_quoted(state) else (*SECRET, "quotedword")
    for text in readable_by_others(state):
        assert [word for word in hidden if word in text] == [], text
    debate = account(state, played.events)
    assert why_withheld(debate, imported=False)
    for name in ("all", "html", "json", "csv", "md"):
        with pytest.raises(InvalidSpec):
            export_files(debate, name)


@given(st.integers(0, 10**9))
def test_a_private_source_is_read_by_its_seats_alone(seed: int) -> None:
    rng = Random(seed)
    played = Played(random_room(rng))
    while played.state.outcome is None:
        # Each check reads every view of every person, which takes longer than the play.
        if rng.random() < 0.3:
            check_no_leak(played)
        if played.state.paused is not None:
            played.do(Resume(by=FAY.id))
            continue
        request = rng.choice(played.requests())
        if request.seat in ("s0", "panel_a"):
            assert all(word in repr(view(played.state, request).sources) for word in SECRET)
        calls_left = view(played.state, request).look_ups_left
        if rng.random() < 0.02:
            played.do(Stop(by=FAY.id, reason="enough"))
        elif calls_left and request.gives != "synthesis" and rng.random() < 0.4:
            query = "keptword broker" if request.seat in ("s0", "panel_a") else "vendor broker"
            played.do(LookUp(by=request.seat, request=request.id, tool="search_sources", query=query))
        else:
            content = content_of(played, request, rng)
            by = {"s0": ADA.id, "s1": BO.id}.get(request.seat, request.seat)
            played.do(TakeTurn(by=by, request=request.id, content=content))
    assert verify(played.events) == ()
    assert parse_record(dump_record(played.events).encode()) == tuple(played.events)
    debate = account(played.state, played.events)
    opened = [reading.quoted for reading in claim_readings(debate) if reading.row.source_ref == "E2"]
    assert all(quoted is not None and "keptword" in quoted.source.text for quoted in opened)
    assert len(private_source_sentences(debate)) == 1
