"""The wall: one claim with its quote while seats speak, nothing that is sealed, and what fits on it."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record.commands import Resume, TakeTurn
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import compose, protocol
from debate_core.spec.rules import Majority, Plurality
from debate_core.spec.values import Seat, Source
from tests.app.visiting import HOLDERS, PEOPLE, at, on_the_wall, words
from tests.core.test_adr import signed
from tests.core.test_first_page import account_of, voted
from tests.people import EVERYBODY, FAY, room_spec
from tests.playing import Played

SOURCE = Source(id="E1", title="Load test, June", text="One more insert per order raised the load to 64 percent.")
TRUE = "One more insert per order raised the load"
QUOTED = f"“{TRUE}”"
WORDS = " ".join(f"word{number}" for number in range(40))
LONG = (f"{' '.join(WORDS.split()[:15])} …", "", "")


def shown(app: AppTest, debate: str) -> Any:
    return on_the_wall(at(app, debate, FAY, "screen.py"))["shown"]


def says(host: Host, debate: str, *claims: Claim) -> None:
    asked = requests(host.state(debate))[0]
    said = Argument(rationale="It costs. More.", vote="adopt", claims=claims)
    host.submit(debate, TakeTurn(by=f"p-{asked.seat}", request=asked.id, content=said))


def speaking(host: Host, *, sealed: bool = False, blind: str = "blind") -> str:
    """A debate in its first phase, with a document; its seats are held by people."""
    spec = room_spec((*EVERYBODY, *HOLDERS), seats=PEOPLE, blind=blind, pre_vote="none")
    opening, reply = spec.protocol.each_round
    phases = (opening.model_copy(update={"sealed": sealed}), reply)
    rules = spec.protocol.model_copy(update={"each_round": phases})
    debate = host.create(spec.model_copy(update={"sources": (SOURCE,), "protocol": rules}), by=FAY.id)
    host.submit(debate, Resume(by=FAY.id))
    return debate


@pytest.mark.parametrize(("decides", "title"), [("room", "The options"), ("debaters", "Seats")])
def test_wall_has_no_seat_count_before_a_deciding_vote(app: AppTest, host: Host, decides: str, title: str):
    held = Played(room_spec(decides=decides, pre_vote="none")).go_on().play()
    host._store.append(held.events[0].debate, held.events, after=0)
    scene = shown(app, held.events[0].debate)
    assert (scene["title"], all(option["has"] is None for option in scene["options"])) == (title, decides == "room")


@pytest.mark.parametrize(
    ("claims", "claim", "quote", "source"),
    [
        ((Claim(text="Opinion"), Claim(text="It costs", source_id="E1", quote=TRUE)), "It costs", QUOTED, SOURCE.title),
        ((Claim(text="Opinion"), Claim(text="It costs", source_id="E1", quote="Never said")), "Opinion", "", ""),
        # What is quoted is not read twice, and a quote that does not fit beside its claim is left out, not cut.
        ((Claim(text=f"In June {TRUE.lower()}.", source_id="E1", quote=TRUE),), f"In June {TRUE.lower()}.", "", ""),
        ((Claim(text=WORDS, source_id="E1", quote=TRUE),), *LONG),
        ((), "It costs. More.", "", ""),
        ((Claim(text=WORDS),), *LONG),
        ((Claim(text=" ".join(WORDS.split()[:9]), source_id="E1", quote=TRUE),), " ".join(WORDS.split()[:9]), "", ""),
        ((Claim(text="word " * 7, source_id="E1", quote=TRUE),), ("word " * 7).strip(), QUOTED, SOURCE.title),
    ],
)
def test_the_wall_shows_one_claim_and_no_unverified_quote(
    app: AppTest, host: Host, claims: tuple[Claim, ...], claim: str, quote: str, source: str
):
    debate = speaking(host, blind="named")
    says(host, debate, *claims)
    scene = shown(app, debate)
    assert (scene["scene"], scene["speaker"]) == ("round", "S0")
    assert (scene["claim"], scene["quote"], scene["source"]) == (claim, quote, source)


def test_who_speaks_has_the_name_that_the_audience_reads(app: AppTest, host: Host):
    debate = speaking(host)
    says(host, debate, Claim(text="It costs"))
    scene = shown(app, debate)
    assert scene["speaker"].startswith("Speaker ")
    # Nothing else is said beside a claim: options stand by their letters.
    assert (scene["doing"], scene["named"]) == ("said:", False)
    assert not [holder.name for holder in HOLDERS if f'"{holder.name}' in words(app)]


def test_a_turn_that_is_sealed_is_not_on_the_wall(app: AppTest, host: Host):
    debate = speaking(host, sealed=True)
    says(host, debate, Claim(text="xylophone"))
    assert shown(app, debate)["claim"] == ""
    assert "xylophone" not in words(app)
    # Nor the votes of the open phase.
    assert {option["has"] for option in on_the_wall(app)["shown"]["options"]} == {None}


def test_a_debate_without_people_has_its_decision_and_no_code(app: AppTest, host: Host):
    seats = [Seat(id=f"s{number}", occupant="human") for number in range(3)]
    debate = host.create(compose("Which?", ["adopt", "defer"], protocol("bounded_vote"), seats, max_rounds=1), by="s0")
    assert shown(app, debate)["speaker"] == "3 seats"
    while asked := requests(host.state(debate)):
        said = Argument(rationale="So", vote="defer")
        host.submit(debate, TakeTurn(by=asked[0].seat, request=asked[0].id, content=said))
    scene = shown(app, debate)
    assert (scene["scene"], scene["headline"], scene["letter"]) == ("reveal", "defer", "B")
    assert [bar["has"] for bar in scene["votes"]["bars"]] == [0, 3]
    assert on_the_wall(app)["frame"]["beside"] == ""


@pytest.mark.parametrize(
    ("second", "line", "note"), [("adopt", "", "“it is cheap”"), ("defer", "won the tie-break", "")]
)
def test_signed_wall_has_the_reason_or_an_unusual_count(app: AppTest, host: Host, second: str, line: str, note: str):
    held = voted("adopt", second, vote=Plurality(tie=("lot",)) if second == "defer" else Majority())
    won = account_of(held).decision.option
    host._store.append("d-room", signed(held, option=won, reason="it is cheap").events, after=0)
    scene = shown(app, "d-room")
    assert (scene["scene"], scene["headline"], scene["note"]) == ("signed", won, note)
    assert line in scene["line"]
    assert bool(scene["line"]) is bool(line)
