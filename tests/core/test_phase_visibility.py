"""Two fields of a phase: who reads its turns live, and whether later prompts contain them."""

import json

import pytest

from debate_core.engine.engine import open_debate
from debate_core.engine.seat_view import view
from debate_core.errors import InvalidSpec
from debate_core.report.facts.turns import readable_claims
from debate_core.seats.prompts import prompt_for
from debate_core.spec.contents import Argument, Claim, Synthesis
from debate_core.spec.people import Person
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import MaxRounds, Plurality
from debate_core.spec.values import Occupant
from debate_core.ui.kit.protocol_words import phases_of
from debate_core.ui.room.live.transcript import picture
from debate_core.ui.room.live.visibility import sight_of, veil
from tests.by_hand import LEAD, small_spec
from tests.people import EVERYBODY, FAY, GUS, MO, OLA, room_spec
from tests.playing import AT, Played
from tests.prompt_views import whole

ASIDE = Phase(name="aside", history=False)
SUM_UP = Phase(name="sum_up", gives="synthesis", role="synthesiser")
SECRET = "The vendor was seen at the port."


def said(text: str) -> Argument:
    return Argument(rationale=text, claims=(Claim(text=text),))


def prompt_now(played: Played) -> str:
    return whole(prompt_for(view(played.state, played.requests()[0])))


def aside(occupant: Occupant = "model") -> Played:
    spec = small_spec(ASIDE, SUM_UP, n=2, rounds=2, decide=Plurality(), stop=(MaxRounds(),))
    seats = [seat.model_copy(update={"occupant": occupant}) for seat in spec.seats]
    return Played(spec.model_copy(update={"seats": tuple(seats)}))


def test_later_prompts_leave_out_a_phase_without_history() -> None:
    # R124
    played = aside().say(said(SECRET))
    assert SECRET in prompt_now(played), "the next speaker of the phase reads it"
    played.say(said("I saw nothing."))
    assert played.asked() == ["1.sum_up.synthesiser.1"]
    assert SECRET not in prompt_now(played)
    played.say(Synthesis(answer="So far."))
    assert played.asked() == ["2.aside.s0.1"]
    assert SECRET not in prompt_now(played)
    assert "So far." in prompt_now(played)


def test_people_still_read_a_phase_without_history() -> None:
    played = aside("human").say(said(SECRET)).say(said("I saw nothing."))
    texts = [turn.content.words for turn in view(played.state, played.requests()[0]).turns]
    assert any(SECRET in text for text in texts)


@pytest.mark.parametrize("phase", [LEAD, Phase(name="marks", gives="review", role="chair")])
def test_a_phase_that_steers_stays_in_the_history(phase: Phase) -> None:
    spec = small_spec(phase.model_copy(update={"history": False}), Phase(name="open"), decide=Plurality())
    with pytest.raises(InvalidSpec, match=f"phase '{phase.name}' gives {phase.gives}, which later turns rest on"):
        open_debate(spec, debate_id="d1", at=AT)


def live_room(live_for: tuple[str, ...]) -> Played:
    spec = room_spec(EVERYBODY)
    rounds = (Phase.model_validate({"name": "opening", "live_for": live_for}), Phase(name="closing"))
    protocol = spec.protocol.model_copy(update={"each_round": rounds})
    held = Played(spec.model_copy(update={"protocol": protocol}))
    return held.go_on().say(said(SECRET))


def page_of(played: Played, viewer: Person | None) -> str:
    sight = sight_of(played.state, viewer)
    partials = {request.id: "Half a secret" for request in played.requests()}
    return json.dumps(veil(picture(played.state, partials, sight.holds), sight, {})[0])


def test_only_the_named_roles_read_a_phase_live() -> None:
    # R124
    played = live_room(("facilitator",))
    for text in (SECRET, "Half a secret"):
        assert text in page_of(played, FAY)
        assert [viewer for viewer in (MO, GUS, OLA, None) if text in page_of(played, viewer)] == []
    assert readable_claims(played.state) == ()


def test_everybody_reads_it_after_the_phase() -> None:
    played = live_room(())
    assert SECRET not in page_of(played, FAY)
    while played.requests()[0].phase == "opening":
        played.say(said("I saw nothing."))
    for viewer in (FAY, MO, GUS, OLA, None):
        assert SECRET in page_of(played, viewer)
    assert len(readable_claims(played.state)) > 0


def test_the_protocol_page_names_both_fields() -> None:
    phase = Phase(name="open", live_for=("facilitator", "moderator"), history=False)
    rules = small_spec(phase, Phase(name="shut", live_for=()), decide=Plurality()).protocol
    notes = [row.notes for row in phases_of(rules)]
    assert notes == [
        ("read live by facilitator and moderator only", "left out of later prompts"),
        ("read live by no one only",),
    ]
